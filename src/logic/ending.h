#ifndef TL_LOGIC_ENDING_H
#define TL_LOGIC_ENDING_H

#include "logic/simplify.h"

// What a formula of CTL says of a dead marking, where a run stays: EG f, AF f
// and EF f are f there, E (f U g) is g, EX f is false and AX f true, and
// nothing is enabled.  The result is about one marking, simplified, and means
// nothing elsewhere.  Null when the arena has no memory.
tl_formula *tl_formula_when_dead (tl_arena *, tl_formula *);

#endif
