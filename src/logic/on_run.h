#ifndef TL_LOGIC_ON_RUN_H
#define TL_LOGIC_ON_RUN_H

#include "logic/simplify.h"

// A formula about one run, without quantifiers, that says enough of it: where a
// run begins that satisfies it, the formula of CTL* holds.  What E says of some
// run is said of this one, so E F E G f becomes F G f; of A f there is a state
// formula that it holds wherever that does (logic/bracket.h).  So a formula of
// CTL may be decided by one run, or its negation may.
//
// Of a simplified formula with the X of LTL everywhere (logic/linear.h).
// Simplified, but for an E in front; a state formula if no run has to be seen.
// Null: no memory.
tl_formula *tl_formula_on_run (tl_arena *, tl_formula *);

#endif
