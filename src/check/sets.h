#ifndef TL_CHECK_SETS_H
#define TL_CHECK_SETS_H

#include "check/state_set.h"

// The operators of CTL on sets of states of any kind.  Every one of them is EX,
// EU or EG (Clarke, Emerson and Sistla 1986); a run that ends in a dead state
// is a path like any other, so there EX holds nowhere, and EG and AF say what
// their operand says.

// A op = NOT E dual NOT.
tl_op tl_op_dual (tl_op);

// Where E (or A, with `all`) op holds of the operands: a and *b for U and R, *b
// for X, F and G, and then a is null.  In place of *b; a is used up.
tl_status tl_set_path (tl_sets *, bool all, tl_op, tl_state_set *a,
                       tl_state_set **b);

// The complements of both, of which a may be null.
tl_status tl_set_negate (tl_sets *, tl_state_set *a, tl_state_set *b);

#endif
