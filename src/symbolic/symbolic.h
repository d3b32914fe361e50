#ifndef TL_SYMBOLIC_SYMBOLIC_H
#define TL_SYMBOLIC_SYMBOLIC_H

#include "symbolic/diagram.h"

// Exploration by a decision diagram: all markings that can be reached as one
// set, and what can be told of it.  It has no traces and no depth.

// For tests, so that rare things happen often; 0: as usual.
typedef struct tl_symbolic_stress {
  tl_diagram_limits limits;
  size_t first_order; // which is tried before the others
} tl_symbolic_stress;

// On a given root account; `stress` may be null.
tl_status tl_symbolic_explore (tl_mem *root, const tl_net *, const tl_options *,
                               const tl_symbolic_stress *, tl_exploration *,
                               tl_error *);

#endif
