#ifndef TL_LOGIC_SIMPLIFY_H
#define TL_LOGIC_SIMPLIFY_H

#include "logic/formula.h"

// Shorter formulas of the same meaning: constants are folded, negations stand
// at the atoms (a negated comparison is a comparison), ANDs and ORs are flat,
// sorted, without repetitions and without what other members make needless,
// and what temporal operators swallow is gone: EF AF f is EF f, and F (EF f OR
// g) is EF f OR F g.  Null when the arena has no memory.  Parts may be shared
// with the formula given.
//
// Where a run ends, CTL and LTL mean different things by X (logic/linear.h).
// Unless it is told which of them is meant everywhere, a NOT stays in front of
// an X that E or A does not stand directly before: NOT EX f is AX NOT f.  Which
// of them a formula is in must then be told from it as it was read.

typedef enum tl_next {
  TL_NEXT_EITHER,
  TL_NEXT_CTL, // in a dead state EX f is false and AX f true
  TL_NEXT_LTL  // in a dead state X f is f
} tl_next;

tl_formula *tl_formula_simplify_as (tl_arena *, tl_formula *, tl_next);

// As TL_NEXT_EITHER.
tl_formula *tl_formula_simplify (tl_arena *, tl_formula *);

// The same for the negation of the formula.
tl_formula *tl_formula_negate (tl_arena *, tl_formula *);

#endif
