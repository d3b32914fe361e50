#ifndef TL_GRAPH_AROUND_H
#define TL_GRAPH_AROUND_H

#include "graph/walk.h"

// The states that so many arcs lead to from one state, forth or back: a part
// of a graph that can be looked at.
typedef struct tl_around {
  tl_mem *mem;
  uint64_t centre, count, states;
  uint64_t *inside, *border; // sets of states
} tl_around;

// To be closed in any case.  TL_E_LIMIT: there are more states than `room`.
tl_status tl_around_open (tl_around *, const tl_graph *, tl_mem *,
                          const tl_net *, const uint64_t *most, uint64_t centre,
                          uint32_t depth, uint64_t room);
void tl_around_close (tl_around *);

static inline bool tl_around_has (const tl_around *a, uint64_t state) {
  return a->inside[state / 64] >> state % 64 & 1;
}

#endif
