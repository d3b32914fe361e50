#ifndef TL_SYMBOLIC_WHERE_H
#define TL_SYMBOLIC_WHERE_H

#include "symbolic/weighing.h"

// The markings of a set, which is as algebra.h wants it, where a formula
// without temporal operators holds.  The status of the diagram says whether
// that is so.
tl_set tl_set_where (tl_weighing *, const tl_formula *, tl_set);

// Those that enable one of these transitions, consecutive ones of the net.
tl_set tl_set_enabling (tl_reachable *, tl_set, uint32_t first, uint32_t count);

#endif
