#ifndef TL_SYMMETRY_SYMMETRY_H
#define TL_SYMMETRY_SYMMETRY_H

#include "base/mem.h"

// Exploration up to symmetry: of an unfolded coloured net one marking of each
// orbit is visited, breadth-first, and all are counted.  What is enabled, how
// deep a marking lies and whether it is dead is the same in all of an orbit.

// On a given root account.
tl_status tl_symmetry_explore (tl_mem *root, const tl_net *, const tl_options *,
                               tl_exploration *, tl_error *);

#endif
