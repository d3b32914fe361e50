#ifndef TL_CHECK_WITNESS_H
#define TL_CHECK_WITNESS_H

#include "check/fixpoint.h"
#include "check/product.h"

// A run from a state that shows why E op holds there, of sets of states as in
// tl_set_path: for EX, EF and EU a shortest one that gets there, for EG one
// that stays until it ends or comes round, and for ER what there is of the two.
// What the run shows about A op is that it does not hold, when op is the dual
// operator and the sets are inverted.
//
// Its arcs are added to `run`, and *state moves to where it ends.  *arrived: it
// got there, for EX, EF, EU and ER.  TL_E_INTERNAL: E op does not hold.  The
// sets are used up.  Cost: eight bytes a state.
tl_status tl_witness (tl_sets *, tl_op, tl_state_set *a, tl_state_set *b,
                      uint64_t *state, bool *arrived, tl_run *);

#endif
