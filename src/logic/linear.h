#ifndef TL_LOGIC_LINEAR_H
#define TL_LOGIC_LINEAR_H

#include "logic/formula.h"

// Where a run ends, CTL and LTL mean different things by X: in a dead state EX
// f does not hold and AX f does, but X f of LTL is f.  A formula of CTL* has
// both: an X directly behind a quantifier and in front of a state formula is
// the one of CTL, and any other the one of LTL.
//
// This is the formula with the X of LTL everywhere: EX f becomes NOT DEADLOCK
// AND EX f, and AX f becomes DEADLOCK OR AX f.  Then it no longer matters
// where an X stands, and the formula may be rewritten.  With `linear` the
// quantifier in front of it all is one of LTL.  Null when the arena has no
// memory.
tl_formula *tl_formula_linear (tl_arena *, tl_formula *, bool linear);

#endif
