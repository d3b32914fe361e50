#ifndef TL_API_RACE_H
#define TL_API_RACE_H

#include "api/api_call.h"

// Explores a net with both engines at once, each in a thread of its own and
// with half of the memory.  The first that comes to its end gives the result,
// and says who it was; where neither does, the explicit one says what it has
// found.  It has a head start, so that what it finds in no time comes with
// traces and depth, and a long one where the structure of the net says that
// there are few states.
tl_status tl_race (tl_api_call *, const tl_net *, tl_exploration *, tl_error *);

#endif
