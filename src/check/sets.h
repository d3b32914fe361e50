#ifndef TL_CHECK_SETS_H
#define TL_CHECK_SETS_H

#include "check/fixpoint.h"
#include "logic/formula.h"

// The operators of CTL on sets of states.  Every one of them is EX, EU or EG
// (Clarke, Emerson and Sistla 1986); a run that ends in a dead state is a path
// like any other, so there EX holds nowhere, and EG and AF say what their
// operand says.

void tl_set_intersect (const tl_fixpoints *, uint64_t *, const uint64_t *);
void tl_set_unite (const tl_fixpoints *, uint64_t *, const uint64_t *);

// A op = NOT E dual NOT.
tl_op tl_op_dual (tl_op);

// Where E (or A, with `all`) op holds of the operands: a and *b for U and R, *b
// for X, F and G, and then a is null.  In place of *b; a is used up.
tl_status tl_set_path (tl_fixpoints *, bool all, tl_op, uint64_t *a,
                       uint64_t **b);

#endif
