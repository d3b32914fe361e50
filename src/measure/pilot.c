#include "measure/pilot.h"

#include "base/tuning.h"
#include "measure/order.h"

#include <stdlib.h>
#include <string.h>

// ---- Opening and closing ---------------------------------------------------

// Adds an arc of marking n, sorted by transitions.
static void add_arc (tl_pilot *p, uint32_t n, const tl_sample_arc *arc) {
  size_t at = p->arcs++;
  for (; at > p->start[n] && p->label[at - 1] > arc->transition; at--) {
    p->label[at] = p->label[at - 1];
    p->target[at] = p->target[at - 1];
  }
  p->label[at] = arc->transition;
  p->target[at] = arc->target;
}

static void copy_arcs (tl_pilot *p) {
  const tl_sample *s = p->sample;
  for (uint32_t n = 0; n < s->count; n++) {
    for (uint64_t i = s->start[n]; i < s->start[n + 1]; i++)
      if (s->arc[i].target != TL_OUTSIDE)
        add_arc (p, n, s->arc + i);
    p->start[n + 1] = (uint32_t)p->arcs;
  }
}

tl_status tl_pilot_open (tl_pilot *p, const tl_sample *s) {
  const uint32_t n = s->count;
  *p = (tl_pilot){.mem = s->mem, .sample = s, .count = n};
  p->layer_room = 2 * n + 1024;
  if (!TL_NEW (p->mem, p->start, (size_t)n + 1) ||
      !TL_NEW (p->mem, p->target, s->start[n]) ||
      !TL_NEW (p->mem, p->label, s->start[n]) ||
      !TL_NEW (p->mem, p->progress, n) || !TL_NEW (p->mem, p->sorted, n) ||
      !TL_NEW (p->mem, p->layer, n) ||
      !TL_NEW (p->mem, p->head, p->layer_room) ||
      !TL_NEW (p->mem, p->kept, p->layer_room) ||
      !TL_NEW (p->mem, p->archived, p->layer_room) ||
      !TL_NEW (p->mem, p->next, n) || !TL_NEW (p->mem, p->seen, n) ||
      !TL_NEW (p->mem, p->rooted, n) || !TL_NEW (p->mem, p->visited, n) ||
      !TL_NEW (p->mem, p->root, n) || !TL_NEW (p->mem, p->from, n) ||
      !TL_NEW (p->mem, p->by, n) ||
      !TL_NEW (p->mem, p->order, s->net->transitions) ||
      !TL_NEW (p->mem, p->rank, s->net->transitions) ||
      (!s->abstract && tl_sleep_open (&p->may, p->mem, s->net))) {
    tl_pilot_close (p);
    return TL_E_NOMEM;
  }
  copy_arcs (p);
  return TL_OK;
}

void tl_pilot_close (tl_pilot *p) {
  const uint32_t n = p->count;
  TL_DEL (p->mem, p->start, (size_t)n + 1);
  TL_DEL (p->mem, p->target, p->sample->start[n]);
  TL_DEL (p->mem, p->label, p->sample->start[n]);
  TL_DEL (p->mem, p->progress, n);
  TL_DEL (p->mem, p->sorted, n);
  TL_DEL (p->mem, p->layer, n);
  TL_DEL (p->mem, p->head, p->layer_room);
  TL_DEL (p->mem, p->kept, p->layer_room);
  TL_DEL (p->mem, p->archived, p->layer_room);
  TL_DEL (p->mem, p->next, n);
  TL_DEL (p->mem, p->seen, n);
  TL_DEL (p->mem, p->rooted, n);
  TL_DEL (p->mem, p->visited, n);
  TL_DEL (p->mem, p->root, n);
  TL_DEL (p->mem, p->from, n);
  TL_DEL (p->mem, p->by, n);
  TL_DEL (p->mem, p->order, p->sample->net->transitions);
  TL_DEL (p->mem, p->rank, p->sample->net->transitions);
  tl_sleep_close (&p->may);
  *p = (tl_pilot){0};
}

// ---- Layers ----------------------------------------------------------------

static int by_value (const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

// Values far apart: number those that occur.
static void number_values (tl_pilot *p) {
  memcpy (p->sorted, p->progress, p->count * sizeof *p->sorted);
  qsort (p->sorted, p->count, sizeof *p->sorted, by_value);
  p->layers = 1;
  for (uint32_t i = 1; i < p->count; i++)
    if (p->sorted[i] != p->sorted[i - 1])
      p->sorted[p->layers++] = p->sorted[i];
  for (uint32_t n = 0; n < p->count; n++) {
    const int64_t *at = bsearch (p->progress + n, p->sorted, p->layers,
                                 sizeof *p->sorted, by_value);
    p->layer[n] = (uint32_t)(at - p->sorted);
  }
  p->value = p->sorted;
}

// The order for sleep sets, and whether some transitions lose progress.
static void order_transitions (tl_pilot *p, const int64_t *offset) {
  const uint32_t transitions = p->sample->net->transitions;
  p->writes = false;
  for (uint32_t t = 0; t < transitions; t++)
    p->writes |= offset[t] < 0;
  p->work += transitions;
  if (!p->may.row) // nothing is pruned
    return;
  tl_measure_order (offset, 1, transitions, true, p->order);
  for (uint32_t i = 0; i < transitions; i++)
    p->rank[p->order[i]] = i;
}

void tl_pilot_measure (tl_pilot *p, const int64_t *offset) {
  const tl_sample *s = p->sample;
  int64_t least = 0, most = 0;
  order_transitions (p, offset);
  p->work += p->count;
  p->progress[0] = 0;
  for (uint32_t n = 1; n < p->count; n++) {
    const int64_t value = p->progress[s->from[n]] + offset[s->by[n]];
    p->progress[n] = value;
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  if (most - least >= p->layer_room) {
    number_values (p);
    return;
  }
  for (uint32_t n = 0; n < p->count; n++)
    p->layer[n] = (uint32_t)(p->progress[n] - least);
  p->layers = (uint32_t)(most - least) + 1;
  p->value = 0;
}

// ---- The sweep -------------------------------------------------------------

// Where one sweep stands.
typedef struct line {
  tl_pilot_result *result;
  uint64_t window;
  uint32_t lowest; // layer from which on markings are kept
  uint32_t at;     // layer visited
  uint32_t waiting;
  uint32_t now;   // markings kept
  uint32_t roots; // of the next sweep
} line;

static inline void push (tl_pilot *p, line *l, uint32_t n) {
  const uint32_t layer = p->layer[n];
  p->next[n] = p->head[layer];
  p->head[layer] = n + 1;
  l->at = layer < l->at ? layer : l->at;
  l->waiting++;
}

static inline uint32_t pop (tl_pilot *p, line *l) {
  while (!p->head[l->at])
    l->at++;
  const uint32_t n = p->head[l->at] - 1;
  p->head[l->at] = p->next[n];
  l->waiting--;
  return n;
}

// How far the line is ahead of a layer.
static inline uint64_t lead_over (const tl_pilot *p, const line *l,
                                  uint32_t layer) {
  return p->value ? (uint64_t)(p->value[l->at] - p->value[layer])
                  : l->at - layer;
}

static inline void forget_behind (tl_pilot *p, line *l) {
  while (lead_over (p, l, l->lowest) > l->window) {
    l->now -= p->kept[l->lowest];
    p->kept[l->lowest++] = 0;
  }
}

// Stores it in its layer; the first one there has the layer read that is on the
// disk.
static inline void store (tl_pilot *p, line *l, uint32_t n) {
  const uint32_t layer = p->layer[n];
  p->seen[n] = p->sweep;
  if (!p->kept[layer]++) {
    l->result->read += p->archived[layer];
    l->result->work += TL_PILOT_READ * p->archived[layer];
  }
  l->now++;
  if (p->visited[n] != p->run)
    push (p, l, n);
  else
    l->result->work += TL_PILOT_PUT;
}

static inline void reach (tl_pilot *p, line *l, uint32_t from, uint32_t arc) {
  const uint32_t n = p->target[arc];
  if (p->layer[n] >= l->lowest) {
    if (p->seen[n] == p->sweep)
      return;
    store (p, l, n);
  } else {
    if (p->rooted[n] == p->sweep || !n)
      return;
    p->rooted[n] = p->sweep;
    p->root[l->roots++] = n;
    l->now++;
    l->result->work += TL_PILOT_PUT;
  }
  p->from[n] = from;
  p->by[n] = p->label[arc];
}

// Finds out which of the arcs of a marking are pruned: the sample has the other
// way round if it has an arc of the same transition where the marking was found
// from.  Returns how many are not.
static inline uint32_t reach_some (tl_pilot *p, line *l, uint32_t n) {
  const uint32_t by = p->by[n], from = p->from[n], rank = p->rank[by];
  uint32_t other = p->start[from];
  const uint32_t end = p->start[from + 1];
  uint32_t followed = p->start[n + 1] - p->start[n];
  for (uint32_t i = p->start[n]; i < p->start[n + 1]; i++) {
    const uint32_t t = p->label[i];
    if (p->rank[t] < rank && tl_sleep_has (&p->may, by, t)) {
      while (other < end && p->label[other] < t)
        other++;
      if (other < end && p->label[other] == t) {
        followed--;
        continue;
      }
    }
    reach (p, l, n, i);
  }
  return followed;
}

static void visit (tl_pilot *p, line *l, uint32_t n) {
  p->visited[n] = p->run;
  p->archived[p->layer[n]]++;
  const uint32_t arcs = p->start[n + 1] - p->start[n];
  uint32_t followed = arcs;
  if (n && p->may.row)
    followed = reach_some (p, l, n);
  else
    for (uint32_t i = p->start[n]; i < p->start[n + 1]; i++)
      reach (p, l, n, i);
  p->work += 2 * (1 + arcs);
  l->result->visited++;
  l->result->work += TL_PILOT_VISIT + TL_PILOT_DISTRIBUTE * followed +
                     (p->writes ? (uint64_t)TL_PILOT_WRITE : 0);
}

static bool costs_at_most (const tl_pilot_result *r, double share,
                           double limit) {
  return r->peak + share * tl_pilot_visits (r) <= limit;
}

static bool sweep (tl_pilot *p, line *l, double share, double limit) {
  uint32_t high = 0;
  tl_pilot_result *r = l->result;
  for (bool first = true; l->waiting; first = false) {
    const uint32_t n = pop (p, l);
    if (first || l->at > high) {
      high = l->at;
      forget_behind (p, l);
    }
    visit (p, l, n);
    if (l->now > r->peak) {
      r->peak = l->now;
      if (!costs_at_most (r, share, limit))
        return false;
    }
  }
  return costs_at_most (r, share, limit);
}

// The roots of the last sweep are where the next one begins.
static void begin (tl_pilot *p, line *l) {
  const uint32_t roots = l->roots;
  memset (p->kept, 0, p->layers * sizeof *p->kept);
  p->work += p->layers / 8;
  p->sweep++;
  l->lowest = 0;
  l->at = p->layers;
  l->now = l->roots = 0;
  for (uint32_t i = 0; i < roots; i++)
    store (p, l, p->root[i]);
  l->result->sweeps++;
}

bool tl_pilot_sweep (tl_pilot *p, uint64_t window, double share, double limit,
                     tl_pilot_result *result) {
  line l = {.result = result, .window = window, .roots = 1};
  *result = (tl_pilot_result){.peak = 1};
  memset (p->head, 0, p->layers * sizeof *p->head);
  memset (p->archived, 0, p->layers * sizeof *p->archived);
  p->run++;
  p->root[0] = 0;
  while (l.roots) {
    begin (p, &l);
    if (!sweep (p, &l, share, limit))
      return false;
  }
  return true;
}
