#ifndef TL_EXPLORE_LEAST_H
#define TL_EXPLORE_LEAST_H

#include "base/tuning.h"
#include "structure/sleep.h"

#include <stddef.h>
#include <stdint.h>

// Sleep sets prune by what a state was found by (structure/sleep.h).  Of
// several ways to it the one by the least event is the best: most is pruned
// after it. A batch of successors that was put has new keys, each marked where
// it came first, and the same keys again later in the batch; the mark moves to
// the one of the least event.
//
//     keys      a b a c b a        events   5 2 3 4 7 3
//     isnew     1 1 0 1 0 0   ->   isnew    0 1 1 1 0 0
//
// In some nets the first way nearly always is the best one, or one that is
// nearly as good.  So this looks at one batch in many, until there is something
// to be gained.
typedef struct tl_least {
  uint16_t slot[2 * TL_BFS_ROOM]; // which successor is marked, plus 1; 0: none
  unsigned rest;                  // batches that are not looked at
} tl_least;

// Of at most TL_BFS_ROOM successors with keys of so many words.
void tl_least_choose (tl_least *, const tl_sleep *, const uint64_t *keys,
                      uint32_t words, const uint32_t *events, uint8_t *isnew,
                      size_t count);

#endif
