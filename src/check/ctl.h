#ifndef TL_CHECK_CTL_H
#define TL_CHECK_CTL_H

#include "check/fixpoint.h"
#include "check/labels.h"

// CTL on the condensed graph: the set of states where a formula holds, from
// the inside out.  Every operator is EX, EU or EG (Clarke, Emerson and Sistla
// 1986); a run that ends in a dead state is a path like any other, so there EX
// holds nowhere, and EG and AF say what their operand says.

// Adds the parts of the formula without temporal operators to the labels.
// TL_E_MODEL: the formula is not in CTL.
tl_status tl_ctl_prepare (tl_labels *, const tl_formula *);

// The states where it holds; the caller closes the set.
tl_status tl_ctl_states (tl_fixpoints *, const tl_labels *, const tl_formula *,
                         uint64_t **set);

#endif
