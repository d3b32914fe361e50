#include "explore/replay.h"

#include "explore/covering.h"
#include "model/model.h"
#include "net/marking.h"

#include <stdlib.h>

static bool can_be_fired (const tl_net *net, const tl_trace *trace,
                          uint64_t *marking) {
  return tl_model_of (net)->replay (net, trace, false, marking);
}

// Is nothing enabled at its end?  Without arcs, tokens do not tell.
static bool shows_deadlock (const tl_net *net, const tl_trace *trace,
                            uint64_t *marking) {
  return can_be_fired (net, trace, marking) &&
         (!tl_net_has_arcs (net) ||
          tl_marking_enabled (net, marking, 0) == net->transitions);
}

// Either something is wrong in the state it leads to, or the last step cannot
// be computed.
static bool shows_fault (const tl_net *net, const tl_trace *trace,
                         uint64_t *marking) {
  tl_trace before = *trace;
  if (before.length)
    before.length--;
  return can_be_fired (net, &before, marking);
}

tl_status tl_replay_result (const tl_net *net, const tl_exploration *x) {
  uint64_t *marking = calloc (net->places + 1, sizeof *marking);
  if (!marking)
    return TL_E_NOMEM;
  const bool right =
      (!x->deadlock.transition ||
       shows_deadlock (net, &x->deadlock, marking)) &&
      (!x->unbounded.transition ||
       tl_covering_proves (net, &x->unbounded, x->unbounded_place)) &&
      (!x->regress.transition || can_be_fired (net, &x->regress, marking)) &&
      (!x->fault_trace.transition ||
       shows_fault (net, &x->fault_trace, marking));
  free (marking);
  return right ? TL_OK : TL_E_INTERNAL;
}
