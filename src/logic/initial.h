#ifndef TL_LOGIC_INITIAL_H
#define TL_LOGIC_INITIAL_H

#include "logic/simplify.h"

// A formula at one marking, and runs that begin there: what it says about that
// marking itself is put in its place.  EF f is true where f is, and f U g is g
// where f is not; p AND F q, where p holds, is F q.  In a dead state everything
// is decided.
//
// The formula is simplified, and the result is one that can be simplified
// again; it is true at this marking if and only if the formula is, and means
// nothing elsewhere.  Null when the arena has no memory.
tl_formula *tl_formula_at (tl_arena *, tl_formula *, const tl_net *,
                           const uint64_t *marking, tl_next);

#endif
