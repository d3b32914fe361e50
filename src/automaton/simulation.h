#ifndef TL_AUTOMATON_SIMULATION_H
#define TL_AUTOMATON_SIMULATION_H

#include "automaton/components.h"

// Which states can do whatever others can.
//
// State t simulates s when each edge of s has an edge of t with a weaker label
// that is in the same sets at least and leads to a state that simulates the
// one s leads to.  States that simulate each other become one, and an edge is
// left out if another one of the same state covers it (Somenzi and Bloem, CAV
// 2000, for edges).
//
// A run leaves a component only finitely often.  So an edge of t that leaves
// its component may be seen as one in every set: then t still accepts what s
// does, but t may not take the place of s inside of a component any more.  It
// may where no way leads back from t: edges to s can go to an equal state of a
// lower component instead, and an edge is left out if one of the same state
// covers it that leaves the component.

// Merges states and drops edges of an automaton that is not too large for it.
// TL_E_NOMEM.
tl_status tl_simulation_reduce (tl_automaton *);

#endif
