#ifndef TL_SYMBOLIC_WAY_H
#define TL_SYMBOLIC_WAY_H

#include "symbolic/reach.h"

// A shortest way from the initial marking into a set: layers of markings that
// are one, two, ... steps before it, until the initial one is among them; then
// a step from layer to layer.  Events have to be turned.  TL_E_LIMIT,
// TL_E_NOMEM and no way when that takes too long or too much; without any other
// trouble, the set may be used further.
tl_status tl_way (tl_reach *, tl_set, tl_trace *);

// Values of the variables [variables] in a marking [places].
void tl_reach_values (const tl_reach *, const uint64_t *marking,
                      uint32_t *value);

#endif
