#ifndef TL_CHECK_SYMBOLIC_ENGINE_H
#define TL_CHECK_SYMBOLIC_ENGINE_H

#include "check/diagram_sets.h"
#include "check/engine.h"

// Questions decided on the set of all markings, as a decision diagram
// (symbolic/reachable.h): goals and bounds by looking into it, liveness, home
// markings, CTL and small automata by fixpoints.  When all is decided, ways and
// runs are looked for that show it, one layer of markings after the other, as
// long as there is time; an answer stands without one.

// May it decide the question?
bool tl_symbolic_may_decide (const tl_asked *);
// Does that take an automaton?  Then others may be better at it.
bool tl_symbolic_needs_automaton (const tl_asked *);

// Decides what is open on the set, which came to its end; `seconds`: for each
// question, 0: as long as the account allows.  TL_E_NOMEM, TL_E_LIMIT: not all
// of it; TL_E_CANCEL.
tl_status tl_symbolic_decide (tl_checking *, tl_reachable *, double seconds);

// The same in turns beside a search: first for the set, then for each question.
typedef struct tl_symbolic_turns {
  tl_checking *checking;
  tl_mem mem; // for half of the memory that is left
  tl_reachable reach;
  bool open; // it is
  bool over; // nothing will come of it
} tl_symbolic_turns;

// Is there something to try, and how many times that takes the seconds of a
// turn?
size_t tl_symbolic_turns_left (const tl_symbolic_turns *);
// Not TL_OK: a fault.
tl_status tl_symbolic_turn (tl_symbolic_turns *, double seconds);
void tl_symbolic_turns_close (tl_symbolic_turns *);

#endif
