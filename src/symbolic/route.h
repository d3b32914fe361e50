#ifndef TL_SYMBOLIC_ROUTE_H
#define TL_SYMBOLIC_ROUTE_H

#include "symbolic/reachable.h"

// A way from the initial marking into a set.  Events have to be turned.
//
// A shortest one: layers of markings that are one, two, ... steps before the
// set, until the initial one is among them; then a step from layer to layer.
//
// Any one: events are fired backwards one after the other, each on all that was
// found before, in rounds.  There are far fewer rounds than layers, and their
// sets are smaller.  Back to the set each round is made once more, to see which
// event has led to the marking at hand.
//
// TL_E_LIMIT and TL_E_NOMEM as the account of the nodes says; TL_E_INTERNAL:
// there is no way.
tl_status tl_route_shortest (tl_reachable *, tl_set, tl_trace *);
tl_status tl_route_any (tl_reachable *, tl_set, tl_trace *);

// Values of the variables [variables] in a marking [places].
void tl_reachable_values (const tl_reachable *, const uint64_t *marking,
                          uint32_t *value);

#endif
