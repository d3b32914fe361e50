#ifndef TL_LOGIC_SIMPLIFY_PARTS_H
#define TL_LOGIC_SIMPLIFY_PARTS_H

#include "logic/formula.h"

// What the files of the simplifier share: operators of simple formulas, which
// make simple formulas.  All are null when the arena has no memory or an
// operand is null.

typedef struct tl_members {
  tl_arena *arena;
  tl_op op; // AND or OR
  tl_formula **member;
  size_t count;
} tl_members;

// The AND or OR of the members.
tl_formula *tl_simple_join (tl_members *);
// F or G.
tl_formula *tl_simple_temporal (tl_arena *, tl_op, tl_formula *);
// U or R.
tl_formula *tl_simple_until (tl_arena *, tl_op, tl_formula *left,
                             tl_formula *right);
// E or A of a path formula; of a state formula it is that formula, for every
// marking has a run.  Not for the X of CTL.
tl_formula *tl_simple_quantified (tl_arena *, tl_op, tl_formula *);

static inline bool tl_formula_is_constant (const tl_formula *f) {
  return f->op == TL_TRUE || f->op == TL_FALSE;
}

#endif
