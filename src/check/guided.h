#ifndef TL_CHECK_GUIDED_H
#define TL_CHECK_GUIDED_H

#include "check/engine.h"

// Questions decided by looking for what they hinge on, and for nothing else:
// cheap means that come before, and beside, a search through all markings.
//
// - Random walks (explore/random_walk.h), with an eye on all questions.
// - Best-first search (explore/best.h) by the distance to a target, in tokens
//   (logic/distance.h) and in steps (logic/effort.h), with stubborn sets that
//   keep the way to it (stubborn/attract.h).  A target is a state formula: a
//   goal of a question, a sum that is larger than any seen so far, a transition
//   to be enabled, two tokens in a place, a place with other tokens than at the
//   beginning.  A marking that shows it decides the question or brings it on;
//   and if the search comes to its end without one, there is none.
//
// Each call has a share of time and goes on where that of another target ended.

// Who asks.
typedef struct tl_guided {
  tl_checking *checking;
  struct tl_structure *structure; // of the net, or null
  uint64_t seed;                  // of the next walks
  double seconds;                 // of these
  bool alone;                     // no search is going on beside it
  bool full; // one has come to the limit on states, and more time is no help
} tl_guided;

// May a target decide the question?
bool tl_guided_may_decide (const tl_checking *, const tl_asked *);

// Looks for the next targets of an open question, for about so many seconds.
// Not TL_OK: a fault.  Running out of time or memory is none; TL_E_LIMIT: there
// is none, or no memory to begin with.
tl_status tl_guided_try (tl_guided *, tl_asked *, double seconds);

// Walks for about so many seconds.
tl_status tl_guided_walk (tl_guided *, double seconds);

#endif
