#include "explore/covering.h"

#include "base/tuning.h"
#include "net/marking.h"
#include "net/stroll.h"

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
  tl_stroll at;
  uint64_t *checkpoint; // [places]
  uint32_t *step;       // transitions fired
  size_t length, room;
} walk;

static tl_status open_walk (walk *w, tl_mem *mem, const tl_net *net,
                            uint64_t seed) {
  *w = (walk){0};
  const tl_status rc = tl_stroll_open (&w->at, mem, net, seed);
  return rc || TL_NEW (mem, w->checkpoint, net->places) ? rc : TL_E_NOMEM;
}

static void close_walk (walk *w) {
  tl_mem *mem = w->at.mem;
  TL_DEL (mem, w->checkpoint, w->at.net->places);
  TL_DEL (mem, w->step, w->room);
  tl_stroll_close (&w->at);
}

// Not moved: in a dead marking.
static tl_status take_step (walk *w, bool *moved) {
  uint32_t fired;
  if (!TL_ROOM (w->at.mem, w->step, &w->room, w->length + 1))
    return TL_E_NOMEM;
  *moved = tl_stroll_step (&w->at, &fired);
  if (*moved)
    w->step[w->length++] = fired;
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
  walk w;
  *found = false;
  tl_status rc = open_walk (&w, mem, net, seed);
  uint64_t steps = work / (net->arcs + net->places + net->transitions + 1) + 1;
  if (steps > TL_WALK_STEPS)
    steps = TL_WALK_STEPS;
  size_t since = 0; // length at which the checkpoint was taken
  bool moved = false;
  for (uint64_t i = 0; !rc && !*found && i < steps; i++) {
    if (!moved) { // at the start, and after a dead end
      tl_stroll_begin (&w.at);
      tl_marking_initial (net, w.checkpoint);
      w.length = since = 0;
    }
    for (uint32_t p = 0; marked && p < net->places; p++)
      marked[p] += w.at.tokens[p] != 0;
    if ((rc = take_step (&w, &moved)) || !moved || !look)
      continue;
    if (covers (net, w.at.tokens, w.checkpoint, place) &&
        uninhibited (net, w.step + since, w.length - since, w.at.tokens,
                     w.checkpoint)) {
      *found = true;
      rc = keep_trace (&w, since, trace);
    } else if (w.length >= 2 * since + 8) {
      // The checkpoint moves on in ever larger steps: a part that can be
      // repeated need not begin at the initial marking.
      memcpy (w.checkpoint, w.at.tokens, net->places * sizeof *w.at.tokens);
      since = w.length;
    }
  }
  close_walk (&w);
  return rc;
}
