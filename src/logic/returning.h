#ifndef TL_LOGIC_RETURNING_H
#define TL_LOGIC_RETURNING_H

#include "logic/simplify.h"

// Formulas about nets that can always return to their initial marking.  There
// EF f and AG f are the same in all reachable markings, so that they need not
// stand behind temporal operators: AG EF f is EF f, and EF (f AND AG g) is EF f
// AND AG g, whatever f and g speak of.  In general, for such a part k,
//
//   h(k)  is  k AND h(true) OR NOT k AND h(false).
//
// A few parts are taken out, as long as the formula does not get too large.

// Is there something to be taken out?
bool tl_formula_may_return (const tl_formula *);

// The formula, simplified, with the same truth at the initial marking.  Null
// when the arena has no memory.
tl_formula *tl_formula_returning (tl_arena *, tl_formula *, tl_next);

#endif
