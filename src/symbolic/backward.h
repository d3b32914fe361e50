#ifndef TL_SYMBOLIC_BACKWARD_H
#define TL_SYMBOLIC_BACKWARD_H

#include "symbolic/algebra.h"

// Markings from which others are reached, within a set of markings: firing
// backwards leads out of what can be reached, so every step looks at the set
// that it has to stay in.  The events have to be turned (tl_events_turn).  All
// sets are as algebra.h wants them.

// The markings of `all` from which one step leads into `set`.
tl_set tl_before (tl_diagram *, const tl_events *, tl_set all, tl_set set);

// The same for one event: number i of those that are turned.
tl_set tl_before_event (tl_diagram *, const tl_events *, tl_set all, tl_set set,
                        uint32_t i);

// The markings of `along` from which markings of it, one after the other, lead
// into `set`, a part of it: saturation with a constraint (Zhao and Ciardo
// 2009).
tl_set tl_backward (tl_diagram *, const tl_events *, tl_set along, tl_set set);

#endif
