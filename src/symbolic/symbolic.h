#ifndef TL_SYMBOLIC_SYMBOLIC_H
#define TL_SYMBOLIC_SYMBOLIC_H

#include "symbolic/reachable.h"

// Exploration by a decision diagram: all markings that can be reached as one
// set, and what can be told of it.  It has no traces and no depth.

// On a given root account; `stress` may be null.
tl_status tl_symbolic_explore (tl_mem *root, const tl_net *, const tl_options *,
                               const tl_symbolic_stress *, tl_exploration *,
                               tl_error *);

// The same for those who want to know more of the set: it stays there, and is
// closed by the caller, whatever comes back.  With `counting` places are merged
// (symbolic/merge.h) and deadlocks counted, but then there is no set.
tl_status tl_symbolic_run (tl_mem *root, const tl_net *, const tl_options *,
                           const tl_symbolic_stress *, bool counting,
                           tl_reachable *, tl_exploration *, tl_error *);

#endif
