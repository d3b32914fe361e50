#ifndef TL_STUBBORN_VISIBLE_H
#define TL_STUBBORN_VISIBLE_H

#include "logic/formula.h"

// Marks in `visible` the transitions that can change whether the formula holds.
// Each of the others leaves every sum of tokens in it as it is, and all places
// that say whether a transition in it is enabled; so whatever the marking is,
// with and without its change the formula says the same.  No temporal
// operators.
tl_status tl_visible_mark (tl_mem *, const tl_net *, const tl_formula *,
                           uint8_t *visible);

#endif
