#include "explore/covering.h"

#include "base/random.h"
#include "base/tuning.h"
#include "net/marking.h"

#include <stdlib.h>
#include <string.h>

// Is `high` at least `low` everywhere and more at *place?
static bool covers (const tl_net *net, const uint64_t *high,
                    const uint64_t *low, uint32_t *place) {
  bool more = false;
  for (uint32_t p = 0; p < net->places; p++) {
    if (high[p] < low[p])
      return false;
    if (high[p] > low[p] && !more) {
      more = true;
      *place = p;
    }
  }
  return more;
}

// Has no place grown that inhibits a transition of the part?
static bool uninhibited (const tl_net *net, const uint32_t *part,
                         uint64_t length, const uint64_t *high,
                         const uint64_t *low) {
  for (uint64_t i = 0; i < length; i++) {
    const tl_arcs stop = tl_net_inhibitors (net, part[i]);
    for (uint32_t k = 0; k < stop.count; k++)
      if (high[stop.arc[k].place] != low[stop.arc[k].place])
        return false;
  }
  return true;
}

tl_status tl_covering_find (tl_mem *mem, const tl_net *net, tl_trace *trace,
                            bool *found, uint32_t *place) {
  uint64_t *last, *tokens;
  *found = false;
  if (!TL_NEW (mem, last, net->places))
    return TL_E_NOMEM;
  if (!TL_NEW (mem, tokens, net->places)) {
    TL_DEL (mem, last, net->places);
    return TL_E_NOMEM;
  }
  tl_marking_initial (net, last);
  tl_marking_initial (net, tokens);
  const bool right =
      tl_marking_run (net, last, trace->transition, trace->length);
  for (uint64_t i = 0; right && i < trace->length && !*found; i++) {
    if (covers (net, last, tokens, place) &&
        uninhibited (net, trace->transition + i, trace->length - i, last,
                     tokens)) {
      *found = trace->loop = true;
      trace->loop_from = i;
    }
    tl_marking_fire (net, tokens, trace->transition[i]);
  }
  TL_DEL (mem, last, net->places);
  TL_DEL (mem, tokens, net->places);
  return right ? TL_OK : TL_E_INTERNAL;
}

static bool proves (const tl_net *net, const tl_trace *trace, uint32_t place,
                    uint64_t *low, uint64_t *high) {
  const uint32_t *part = trace->transition + trace->loop_from;
  const uint64_t length = trace->length - trace->loop_from;
  uint32_t grown;
  tl_marking_initial (net, low);
  if (!tl_marking_run (net, low, trace->transition, trace->loop_from))
    return false;
  memcpy (high, low, net->places * sizeof *high);
  return tl_marking_run (net, high, part, length) &&
         covers (net, high, low, &grown) && high[place] > low[place] &&
         uninhibited (net, part, length, high, low);
}

bool tl_covering_proves (const tl_net *net, const tl_trace *trace,
                         uint32_t place) {
  if (!trace->loop || trace->loop_from >= trace->length || place >= net->places)
    return false;
  uint64_t *low = calloc (net->places, sizeof *low);
  uint64_t *high = calloc (net->places, sizeof *high);
  const bool right = low && high && proves (net, trace, place, low, high);
  free (low);
  free (high);
  return right;
}

// ---- Walks -----------------------------------------------------------------

typedef struct walk {
  tl_mem *mem;
  const tl_net *net;
  tl_random random;
  uint64_t *tokens, *checkpoint; // [places]
  // After a step those transitions are looked at again that a place decides
  // upon whose tokens it has changed: looking[first[p]] and on, of place p.
  uint64_t *first; // [places + 1]
  uint32_t *looking;
  uint64_t *enabled; // bitmap
  uint32_t count;    // of these
  uint32_t *step;    // transitions fired
  size_t length, room;
} walk;

static uint64_t looks (const tl_net *net) {
  return net->pre_start[net->transitions] +
         net->inhibitor_start[net->transitions];
}

static void close_walk (walk *w) {
  const tl_net *net = w->net;
  TL_DEL (w->mem, w->tokens, net->places);
  TL_DEL (w->mem, w->checkpoint, net->places);
  TL_DEL (w->mem, w->first, net->places + 1);
  TL_DEL (w->mem, w->looking, looks (net));
  TL_DEL (w->mem, w->enabled, net->transitions / 64 + 1);
  TL_DEL (w->mem, w->step, w->room);
}

static void count_looks (walk *w, tl_arcs arcs) {
  for (uint32_t i = 0; i < arcs.count; i++)
    w->first[arcs.arc[i].place]++;
}

static void note_looks (walk *w, tl_arcs arcs, uint32_t transition) {
  for (uint32_t i = 0; i < arcs.count; i++)
    w->looking[--w->first[arcs.arc[i].place]] = transition;
}

static tl_status open_walk (walk *w) {
  const tl_net *net = w->net;
  if (!TL_NEW (w->mem, w->tokens, net->places) ||
      !TL_NEW (w->mem, w->checkpoint, net->places) ||
      !TL_NEW (w->mem, w->first, net->places + 1) ||
      !TL_NEW (w->mem, w->looking, looks (net)) ||
      !TL_NEW (w->mem, w->enabled, net->transitions / 64 + 1))
    return TL_E_NOMEM;
  for (uint32_t t = 0; t < net->transitions; t++) {
    count_looks (w, tl_net_pre (net, t));
    count_looks (w, tl_net_inhibitors (net, t));
  }
  for (uint32_t p = 0; p < net->places; p++)
    w->first[p + 1] += w->first[p];
  for (uint32_t t = 0; t < net->transitions; t++) {
    note_looks (w, tl_net_pre (net, t), t);
    note_looks (w, tl_net_inhibitors (net, t), t);
  }
  return TL_OK;
}

static void look_at (walk *w, uint32_t t) {
  const uint64_t bit = (uint64_t)1 << t % 64;
  uint64_t *word = w->enabled + t / 64;
  const bool was = *word & bit, is = tl_marking_enables (w->net, w->tokens, t);
  if (was == is)
    return;
  *word ^= bit;
  w->count += is ? 1 : UINT32_MAX;
}

static void begin_walk (walk *w) {
  tl_marking_initial (w->net, w->tokens);
  tl_marking_initial (w->net, w->checkpoint);
  w->length = 0;
  for (uint32_t t = 0; t < w->net->transitions; t++)
    look_at (w, t);
}

static uint32_t enabled_transition (const walk *w, uint64_t n) {
  const uint64_t *word = w->enabled;
  for (uint64_t here; (here = (uint64_t)__builtin_popcountll (*word)) <= n;
       word++)
    n -= here;
  uint64_t left = *word;
  while (n--)
    left &= left - 1;
  return (uint32_t)(64 * (word - w->enabled) + __builtin_ctzll (left));
}

// Fires a random enabled transition; false in a dead marking.
static tl_status take_step (walk *w, bool *moved) {
  *moved = w->count;
  if (!w->count)
    return TL_OK;
  const uint32_t t =
      enabled_transition (w, tl_random_below (&w->random, w->count));
  if (!TL_ROOM (w->mem, w->step, &w->room, w->length + 1))
    return TL_E_NOMEM;
  w->step[w->length++] = t;
  tl_marking_fire (w->net, w->tokens, t);
  for (tl_change c = tl_net_change (w->net, t); tl_net_change_next (&c);)
    for (uint64_t i = w->first[c.place]; i < w->first[c.place + 1]; i++)
      look_at (w, w->looking[i]);
  return TL_OK;
}

static tl_status keep_trace (const walk *w, size_t from, tl_trace *trace) {
  const size_t bytes = w->length * sizeof *w->step;
  trace->transition = malloc (bytes);
  if (!trace->transition)
    return TL_E_NOMEM;
  memcpy (trace->transition, w->step, bytes);
  trace->length = w->length;
  trace->loop = true;
  trace->loop_from = from;
  return TL_OK;
}

tl_status tl_covering_walk (tl_mem *mem, const tl_net *net, uint64_t seed,
                            uint64_t work, uint32_t *marked, bool look,
                            tl_trace *trace, bool *found, uint32_t *place) {
  walk w = {.mem = mem, .net = net, .random = {seed}};
  *found = false;
  tl_status rc = open_walk (&w);
  uint64_t steps = work / (net->arcs + net->places + net->transitions + 1) + 1;
  if (steps > TL_WALK_STEPS)
    steps = TL_WALK_STEPS;
  size_t since = 0; // length at which the checkpoint was taken
  bool moved = false;
  for (uint64_t i = 0; !rc && !*found && i < steps; i++) {
    if (!moved) { // at the start, and after a dead end
      begin_walk (&w);
      since = 0;
    }
    for (uint32_t p = 0; marked && p < net->places; p++)
      marked[p] += w.tokens[p] != 0;
    if ((rc = take_step (&w, &moved)) || !moved || !look)
      continue;
    if (covers (net, w.tokens, w.checkpoint, place) &&
        uninhibited (net, w.step + since, w.length - since, w.tokens,
                     w.checkpoint)) {
      *found = true;
      rc = keep_trace (&w, since, trace);
    } else if (w.length >= 2 * since + 8) {
      // The checkpoint moves on in ever larger steps: a part that can be
      // repeated need not begin at the initial marking.
      memcpy (w.checkpoint, w.tokens, net->places * sizeof *w.tokens);
      since = w.length;
    }
  }
  close_walk (&w);
  return rc;
}
