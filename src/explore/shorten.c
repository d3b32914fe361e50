#include "explore/shorten.h"

#include "base/tuning.h"
#include "explore/covering.h"

#include <string.h>

typedef struct shorter {
  tl_mem *mem;
  const tl_net *net;
  tl_trace best, attempt; // with room for the first one
  uint32_t place;
  uint64_t work; // left
} shorter;

// Leaves out `count` transitions from number `first` on, if the rest will do.
static bool leave_out (shorter *s, uint64_t first, uint64_t count) {
  const uint32_t *from = s->best.transition;
  uint32_t *to = s->attempt.transition;
  const uint64_t rest = s->best.length - first - count;
  s->attempt.length = s->best.length - count;
  memcpy (to, from, first * sizeof *to);
  memcpy (to + first, from + first + count, rest * sizeof *to);
  const uint64_t cost = (s->attempt.length + 1) * (s->net->places + 8);
  s->work = s->work > cost ? s->work - cost : 0;
  bool found = false;
  uint32_t place = 0;
  if (tl_covering_find (s->mem, s->net, &s->attempt, &found, &place) || !found)
    return false;
  const tl_trace swap = s->best;
  s->best = s->attempt;
  s->attempt = swap;
  s->place = place;
  return true;
}

// Tries to leave out every part of this length, the last one first.
static bool leave_out_parts (shorter *s, uint64_t count) {
  bool changed = false;
  for (uint64_t end = s->best.length; end >= count && s->work;) {
    if (leave_out (s, end - count, count))
      changed = true;
    end = end - count < s->best.length ? end - count : s->best.length;
    if (!end)
      break;
  }
  return changed;
}

static void shorten (shorter *s) {
  for (uint64_t count = s->best.length / 2; count > 1 && s->work; count /= 2)
    leave_out_parts (s, count);
  while (s->work && leave_out_parts (s, 1)) {
  }
}

void tl_shorten_unbounded (tl_mem *mem, const tl_net *net, tl_trace *trace,
                           uint32_t *place) {
  const size_t length = (size_t)trace->length;
  shorter s = {
      .mem = mem, .net = net, .place = *place, .work = TL_SHORTEN_WORK};
  if (TL_NEW (mem, s.best.transition, length) &&
      TL_NEW (mem, s.attempt.transition, length)) {
    memcpy (s.best.transition, trace->transition,
            length * sizeof *trace->transition);
    s.best.length = length;
    shorten (&s);
    if (s.best.length < length) {
      memcpy (trace->transition, s.best.transition,
              s.best.length * sizeof *trace->transition);
      trace->length = s.best.length;
      trace->loop_from = s.best.loop_from;
      *place = s.place;
    }
  }
  TL_DEL (mem, s.best.transition, length);
  TL_DEL (mem, s.attempt.transition, length);
}
