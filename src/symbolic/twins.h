#ifndef TL_SYMBOLIC_TWINS_H
#define TL_SYMBOLIC_TWINS_H

#include "net/net.h"

// Places that all transitions treat alike: their tokens differ by what they
// differ by at the beginning.  The one with fewer tokens says what is enabled,
// and the others follow it.  Places with inhibitor arcs are left alone.

// `follows` [places]: the place that each follows, or itself.  TL_E_NOMEM.
tl_status tl_twins_find (tl_mem *, const tl_net *, uint32_t *follows);

#endif
