#ifndef TL_EXPLORE_ON_DEVICE_H
#define TL_EXPLORE_ON_DEVICE_H

#include "explore/search.h"

// Breadth-first search on a device (gpu/levels.h, docs/gpu.md), from the first
// state on: what the processor has found so far, the device finds again in no
// time.  The device shows those states that somebody has to look at: the first
// dead one, those that visitors may learn from, one with a successor that does
// not fit.  Ways to them are read from the table of the device.

// Does the search ask for a device by name; or is it long enough to try one?
bool tl_on_device_wanted (const tl_search *);
bool tl_on_device_pays (const tl_search *);

// Makes the search.  TL_E_ARG: the processor is to make it, all is as it was,
// and the result says why.  But where the device was asked for by name and
// there is none, that is an error: the status is TL_E_MODEL.
tl_status tl_on_device_run (tl_search *);

// The search is over: where a device was asked for that was of no use, says so.
void tl_on_device_tell (tl_search *);

#endif
