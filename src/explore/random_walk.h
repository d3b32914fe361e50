#ifndef TL_EXPLORE_RANDOM_WALK_H
#define TL_EXPLORE_RANDOM_WALK_H

#include "explore/worker.h"

// Random walks from the initial state, which keep nothing but the way they
// came.  They get deep where a search in all directions does not, and states
// that are there in large numbers are found by chance.  A walk ends at a dead
// state or when it is long enough; then the next one begins, which may be twice
// as long.
//
// Two of three walks prefer what was fired least so far; every third is blind.
typedef struct tl_walks {
  uint64_t seed;
  uint64_t steps; // in all
  uint64_t first; // length of the first walk
} tl_walks;

// TL_OK: that many steps were made.  TL_E_LIMIT: search->stop says why not.
tl_status tl_walks_run (tl_search *, const tl_walks *);

// Who leads walks.
typedef struct tl_lead {
  void *context;
  // Says how often each transition is to fire from the state shown on
  // [transitions]; there is what is left of what was said before, which is not
  // enabled.  False: this walk ends.
  bool (*plan) (void *context, const tl_visit *, uint64_t *times);
} tl_lead;

// The same, but only what is to be fired is fired, in any order.
tl_status tl_walks_led (tl_search *, const tl_walks *, const tl_lead *);

// Goes a way that somebody else has found, and visits the states on it.
// TL_E_INTERNAL: it is none.
tl_status tl_walk_along (tl_search *, const tl_trace *);

#endif
