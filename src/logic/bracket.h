#ifndef TL_LOGIC_BRACKET_H
#define TL_LOGIC_BRACKET_H

#include "logic/simplify.h"

// State formulas on both sides of a formula about what comes: one that holds
// wherever it does, and one that it holds wherever that does.  They see the
// marking alone: EG f and AG f hold nowhere but where f does, EF f and AF f
// wherever f does, E (f U g) nowhere but where f or g does; and in a dead
// marking a run stays.  So EF f holds if a marking below f can be reached, and
// does not if there is none above f.

// Of a state formula, without LTL's X if the next is that of CTL.  Simplified;
// null: no memory.
tl_formula *tl_formula_above (tl_arena *, tl_formula *, tl_next);
tl_formula *tl_formula_below (tl_arena *, tl_formula *, tl_next);

#endif
