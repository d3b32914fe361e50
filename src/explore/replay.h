#ifndef TL_EXPLORE_REPLAY_H
#define TL_EXPLORE_REPLAY_H

#include "net/net.h"

// Fires every trace of the result of a search again, by code that no search
// uses: to a deadlock, to tokens without a bound, to a loss of progress, to a
// fault.  TL_E_INTERNAL: one does not show what it should.
tl_status tl_replay_result (const tl_net *, const tl_exploration *);

#endif
