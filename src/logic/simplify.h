#ifndef TL_LOGIC_SIMPLIFY_H
#define TL_LOGIC_SIMPLIFY_H

#include "logic/formula.h"

// Shorter formulas of the same meaning: constants are folded, negations stand
// at the atoms (a negated comparison is a comparison), ANDs and ORs are flat,
// sorted and without repetitions, and what F, G, EF and AG swallow is gone.
// Null when the arena has no memory.  Parts may be shared with the formula
// given.
//
// A NOT stays in front of an X, unless E or A stands directly before that: NOT
// EX f is AX NOT f.  Where a run ends, CTL and LTL mean different things by X;
// which of them a formula is in must be told from it as it was read.

tl_formula *tl_formula_simplify (tl_arena *, tl_formula *);

// The same for the negation of the formula.
tl_formula *tl_formula_negate (tl_arena *, tl_formula *);

#endif
