#ifndef TL_LOGIC_STEPLESS_H
#define TL_LOGIC_STEPLESS_H

#include "logic/simplify.h"

// Formulas of CTL without X where f, behind it, is about one marking: EX f
// holds where some transition is enabled and f holds of what it leaves, which
// can be said of the marking before,
//
//   EX (p <= 3)  is  FIREABLE (t) AND p <= 2 OR FIREABLE (u) AND p <= 3
//
// for a transition t that adds a token to p and u that does not change it.
// Transitions that do the same to the places of f stand together.  AX f is NOT
// EX NOT f.  What gets too large stays as it is.

// True: there is such an X behind another temporal operator.
bool tl_formula_has_step (const tl_formula *);

// The simplified formula, simplified.  Null when the arena has no memory.
tl_formula *tl_formula_stepless (tl_arena *, const tl_net *, tl_formula *);

#endif
