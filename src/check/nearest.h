#ifndef TL_CHECK_NEAREST_H
#define TL_CHECK_NEAREST_H

#include "check/vantage.h"
#include "logic/distance.h"
#include "logic/effort.h"

// The states that a search has still to look at, nearest first: the one from
// which fewest steps (logic/effort.h) or, every other time, fewest tokens
// (logic/distance.h) seem to be missing for a marking above
// the goal (logic/bracket.h).  Of those that are as near, and of all if nothing
// is known of such markings, the one that was found first.

typedef struct tl_near {
  uint64_t rank;
  uint32_t turn, state;
} tl_near;

typedef struct tl_nearest {
  tl_vantage *vantage;
  tl_distance distance;
  tl_effort effort;
  bool by_effort; // at the moment
  bool guided;
  tl_near *heap;
  size_t count, room;
  uint32_t turns;
} tl_nearest;

// For a goal of CTL, simplified, or its opposite.  TL_E_NOMEM; it may be closed
// then, too.
tl_status tl_nearest_open (tl_nearest *, tl_arena *, tl_vantage *,
                           const tl_formula *goal, bool opposite);
void tl_nearest_close (tl_nearest *);

void tl_nearest_clear (tl_nearest *);
// False when there is no memory.
bool tl_nearest_push (tl_nearest *, uint64_t state);
// False when there is none.
bool tl_nearest_pop (tl_nearest *, uint64_t *state);

#endif
