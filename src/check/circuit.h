#ifndef TL_CHECK_CIRCUIT_H
#define TL_CHECK_CIRCUIT_H

#include "check/sat.h"

// Runs for a path formula, in the token game: walks that keep nothing but the
// way they came, with all states that the automaton may be in, and are led by
// the state equation (check/leader.h) to where an edge of the automaton may be
// taken that leads on, and round a cycle of the net.  A step costs what it
// changes, however many others there are: in a net with thousands of
// transitions a walk in the product (check/lasso.h), which puts all successors
// into a store, makes a step in the time in which this one makes hundreds.
//
// A step that no run can go on from that is accepted is taken back.  Where a
// marking comes again that was on the way, or that is dead, the automaton reads
// the word that ends so.  Where a net has no bound, it need not be the same
// marking: what was fired since then can be repeated if there is nowhere less,
// and nothing else where the formula or an inhibitor arc looks (Karp, Miller,
// "Parallel program schemata", JCSS 3, 1969).

// TL_E_LIMIT: none was found before the search is to end, or the formula is
// about more than runs, or has a large automaton.  Else a run that the
// automaton of the formula accepts, with transitions of the net; *end: in a
// dead marking, where it began to repeat, or with more tokens each time.
typedef enum tl_circuit_end {
  TL_CIRCUIT_DEAD,
  TL_CIRCUIT_REPEATS,
  TL_CIRCUIT_GROWS
} tl_circuit_end;

tl_status tl_circuit_find (tl_search *, tl_mem *, const tl_sat *,
                           const tl_labels *, uint64_t seed, tl_trace *,
                           tl_circuit_end *end);

#endif
