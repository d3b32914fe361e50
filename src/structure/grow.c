#include "structure/grow.h"

#define MAX_GROWN_WEIGHT 4096
// Changed by more transitions than this.
#define BUSY_PLACE 32

tl_status tl_grower_open (tl_grower *g, tl_mem *mem, const tl_incidence *c,
                          const uint32_t *initial) {
  *g = (tl_grower){.mem = mem, .incidence = c, .initial = initial};
  if (TL_NEW (mem, g->weight, c->places) &&
      TL_NEW (mem, g->gain, c->transitions) &&
      TL_NEW (mem, g->touched, c->transitions) &&
      TL_NEW (mem, g->member, c->places) &&
      TL_NEW (mem, g->touch, c->transitions) &&
      TL_NEW (mem, g->queue, c->transitions) &&
      TL_NEW (mem, g->queued, c->transitions))
    return TL_OK;
  tl_grower_close (g);
  return TL_E_NOMEM;
}

void tl_grower_close (tl_grower *g) {
  if (!g->mem)
    return;
  const tl_incidence *c = g->incidence;
  TL_DEL (g->mem, g->weight, c->places);
  TL_DEL (g->mem, g->gain, c->transitions);
  TL_DEL (g->mem, g->touched, c->transitions);
  TL_DEL (g->mem, g->member, c->places);
  TL_DEL (g->mem, g->touch, c->transitions);
  TL_DEL (g->mem, g->queue, c->transitions);
  TL_DEL (g->mem, g->queued, c->transitions);
  *g = (tl_grower){0};
}

static void enqueue (tl_grower *g, uint32_t t) {
  if (g->queued[t])
    return;
  g->queued[t] = 1;
  g->queue[g->queue_count++] = t;
}

static uint32_t dequeue (tl_grower *g) {
  const uint32_t t = g->queue[--g->queue_count];
  g->queued[t] = 0;
  return t;
}

// Gives a place more weight; false when the numbers grow too large.  A
// transition that now adds to the sum is queued; while extending, so is one
// that takes from it.
static bool add_weight (tl_grower *g, uint32_t place, int64_t more,
                        bool extending) {
  const tl_vector row = tl_incidence_place (g->incidence, place);
  if (!g->weight[place])
    g->member[g->members++] = (tl_entry){place, 0};
  if ((g->weight[place] += more) > MAX_GROWN_WEIGHT)
    return false;
  g->work += row.count;
  for (uint32_t i = 0; i < row.count; i++) {
    const uint32_t t = row.term[i].index;
    int64_t change;
    if (!g->touched[t]) {
      g->touched[t] = 1;
      g->touch[g->touches++] = t;
    }
    if (__builtin_mul_overflow (more, row.term[i].factor, &change) ||
        __builtin_add_overflow (g->gain[t], change, &g->gain[t]))
      return false;
    if (extending ? g->gain[t] < 0 : g->gain[t] > 0)
      enqueue (g, t);
  }
  return true;
}

// How much more all transitions together would add to the sum.
static int64_t harm (tl_grower *g, uint32_t place, int64_t more) {
  const tl_vector row = tl_incidence_place (g->incidence, place);
  g->work += row.count;
  int64_t sum = 0;
  for (uint32_t i = 0; i < row.count; i++) {
    const int64_t old = g->gain[row.term[i].index];
    int64_t now, difference;
    if (__builtin_mul_overflow (more, row.term[i].factor, &now) ||
        __builtin_add_overflow (now, old, &now))
      return INT64_MAX;
    difference = (now > 0 ? now : 0) - (old > 0 ? old : 0);
    if (__builtin_add_overflow (sum, difference, &sum))
      return INT64_MAX;
  }
  return sum;
}

typedef struct choice {
  uint32_t place;
  int64_t more; // weight to add
  int64_t harm;
  uint64_t tokens;   // that this adds to the sum at the start
  uint32_t distance; // from the seed: what belongs together stands together
} choice;

static bool better (const choice *a, const choice *b) {
  if (a->harm != b->harm)
    return a->harm < b->harm;
  if (a->tokens != b->tokens)
    return a->tokens < b->tokens;
  return a->distance < b->distance;
}

// Looks at one place that transition t takes from.
static void consider (tl_grower *g, uint32_t t, tl_entry taken, choice *best) {
  const uint32_t p = taken.index;
  choice next = {.place = p,
                 .more = (g->gain[t] - taken.factor - 1) / -taken.factor};
  if (next.more > MAX_GROWN_WEIGHT)
    return;
  next.harm = harm (g, p, next.more);
  next.tokens = (uint64_t)next.more * g->initial[p];
  next.distance = p < g->seed ? g->seed - p : p - g->seed;
  if (better (&next, best))
    *best = next;
}

// Stops transition t from adding to the sum.  Places that many transitions
// change are looked at only where the others do harm: it takes long, and they
// are hardly ever the better choice.
static bool repair (tl_grower *g, uint32_t t) {
  const tl_vector column = tl_incidence_transition (g->incidence, t);
  choice best = {.harm = INT64_MAX};
  for (int busy = 0; busy < 2 && best.harm > 0; busy++) {
    g->work += column.count;
    for (uint32_t i = 0; i < column.count && g->work < g->work_end; i++) {
      const tl_entry e = column.term[i];
      const uint32_t changed_by =
          tl_incidence_place (g->incidence, e.index).count;
      if (e.factor < 0 && (changed_by > BUSY_PLACE) == busy)
        consider (g, t, e, &best);
    }
  }
  return best.harm < INT64_MAX && add_weight (g, best.place, best.more, false);
}

// The weight an empty place may have without any transition adding to the sum.
static int64_t spare (tl_grower *g, uint32_t place) {
  const tl_vector row = tl_incidence_place (g->incidence, place);
  int64_t most = MAX_GROWN_WEIGHT;
  g->work += row.count;
  for (uint32_t i = 0; i < row.count && most; i++)
    if (row.term[i].factor > 0) {
      const int64_t room = -g->gain[row.term[i].index] / row.term[i].factor;
      most = room < most ? room : most;
    }
  return most;
}

// Every step of this covers a place or was paid for by one that did, so it is
// not limited.
static bool extend (tl_grower *g) {
  for (uint32_t i = 0; i < g->touches; i++)
    if (g->gain[g->touch[i]] < 0)
      enqueue (g, g->touch[i]);
  while (g->queue_count) {
    const tl_vector column =
        tl_incidence_transition (g->incidence, dequeue (g));
    g->work += column.count;
    for (uint32_t i = 0; i < column.count; i++) {
      const uint32_t p = column.term[i].index;
      if (column.term[i].factor < 0 || g->weight[p] || g->initial[p])
        continue;
      const int64_t weight = spare (g, p);
      if (weight && !add_weight (g, p, weight, true))
        return false;
    }
  }
  return true;
}

static void clear (tl_grower *g) {
  while (g->queue_count)
    dequeue (g);
  for (uint32_t i = 0; i < g->touches; i++) {
    g->gain[g->touch[i]] = 0;
    g->touched[g->touch[i]] = 0;
  }
  for (uint32_t i = 0; i < g->members; i++) {
    g->member[i].factor = g->weight[g->member[i].index];
    g->weight[g->member[i].index] = 0;
  }
  g->touches = 0;
}

static bool finish (tl_grower *g, bool ok) {
  ok = ok && extend (g);
  clear (g);
  if (ok)
    tl_vector_sort (g->member, g->members);
  return ok;
}

bool tl_grow (tl_grower *g, uint32_t place, uint64_t work) {
  g->members = 0;
  g->seed = place;
  g->work_end = g->work + work;
  bool ok = add_weight (g, place, 1, false);
  while (ok && g->queue_count) {
    const uint32_t t = dequeue (g);
    if (g->gain[t] > 0)
      ok = g->work < g->work_end && repair (g, t);
  }
  return finish (g, ok);
}

bool tl_grow_from (tl_grower *g, const tl_entry *terms, uint32_t count) {
  g->members = 0;
  bool ok = true;
  for (uint32_t i = 0; ok && i < count; i++)
    ok = terms[i].factor <= MAX_GROWN_WEIGHT &&
         add_weight (g, terms[i].index, terms[i].factor, true);
  return finish (g, ok);
}
