#ifndef TL_CHECK_DIAGRAM_RUN_H
#define TL_CHECK_DIAGRAM_RUN_H

#include "check/diagram_product.h"
#include "check/product.h"

// Runs that show what was found on decision diagrams.  A way into a family
// goes from layer to layer: pairs of a marking and a state of the automaton
// that are one, two, ... steps before it.  A run that is accepted goes to a
// hull.  There it begins a round: it takes edges of each accepting set among
// the pairs that lead back to where the round began, and goes back; where there
// are none, it goes on in the hull and begins another round further down.
//
// Runs begin at a state that the sets know by its number, and are added to
// `run`; *state moves to where they end.  TL_E_LIMIT, TL_E_NOMEM: there was not
// enough time or memory, and the run is as it was.

// One that the automaton of the product accepts; there is one.  *why: the
// atoms at its end because of which whatever follows is accepted, or none.
tl_status tl_diagram_run (tl_diagram_product *, uint64_t *state, tl_run *run,
                          tl_reason *why);

// As tl_witness, for sets that are diagrams.
tl_status tl_diagram_witness (tl_sets *, tl_op, tl_state_set *a,
                              tl_state_set *b, uint64_t *state, bool *arrived,
                              tl_run *);

#endif
