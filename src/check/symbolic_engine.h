#ifndef TL_CHECK_SYMBOLIC_ENGINE_H
#define TL_CHECK_SYMBOLIC_ENGINE_H

#include "check/diagram_sets.h"
#include "check/engine.h"

// Questions decided on the set of all markings, as a decision diagram
// (symbolic/reachable.h): goals and bounds by looking into it, liveness, home
// markings and CTL by fixpoints.  What needs an automaton is left to others.
// When all is decided, ways are looked for that show it, one layer of markings
// after the other, as long as there is time; an answer stands without one.

// May it decide the question?
bool tl_symbolic_may_decide (const tl_asked *);

// Decides what is open, within the budget of the account of the set, which came
// to its end.  TL_E_NOMEM, TL_E_LIMIT: not all of it; TL_E_CANCEL.
tl_status tl_symbolic_decide (tl_checking *, tl_reachable *);

#endif
