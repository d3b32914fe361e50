#ifndef TL_CHECK_LASSO_H
#define TL_CHECK_LASSO_H

#include "check/local.h"

// Runs for a path formula, by walks in its product that the state equation
// leads (check/leader.h): to where an edge of the automaton may be taken that
// leads on, and round cycles of the net, back to a marking where the walk was.
// In a large net a random walk never comes back to where it was.
//
// TL_E_LIMIT: none was found before the space ended it, or the formula is not
// about runs and nothing else.
tl_status tl_lasso_walk (tl_local *, uint64_t seed, bool *holds, tl_run *);

#endif
