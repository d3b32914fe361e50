#ifndef TL_EXPLORE_ESTIMATE_H
#define TL_EXPLORE_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

// How many states there will be, as far as the levels of a breadth-first search
// tell: each is wider than the one before by a factor, which falls itself by
// another one from level to level.  That is a guess, for plans and for people
// who wait; no result depends on it.

enum { TL_LEVELS = 9, TL_GUESSES = 5 };

typedef struct tl_levels {
  // States of the levels that were found last, the last one first; 0: there
  // were not so many yet.
  double width[TL_LEVELS];
  // Estimates at the ends of the last levels
  double guess[TL_GUESSES];
} tl_levels;

// A level of `wide` states is whole; `seen` are all states up to there.
void tl_levels_add (tl_levels *, uint64_t wide, uint64_t seen);

// States in all, when there are `seen`, of which `waiting` are not expanded.
double tl_levels_estimate (const tl_levels *, uint64_t seen, uint64_t waiting);

// The least of the estimates of the last levels, for whoever would rather err
// on that side.
double tl_levels_least (const tl_levels *, uint64_t seen, uint64_t waiting);

// The same for people: 0 as long as it changes much from level to level.
uint64_t tl_levels_steady (const tl_levels *, uint64_t seen);

#endif
