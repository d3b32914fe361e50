#ifndef TL_SYMBOLIC_SATURATE_H
#define TL_SYMBOLIC_SATURATE_H

#include "symbolic/diagram.h"
#include "symbolic/tails.h"

// Saturation (Ciardo, Luettgen, Siminiceanu 2001): a node is saturated when no
// transition whose topmost level is that of the node or lower leads out of its
// set.  Nodes are saturated from the lowest level up.  A transition of a level
// is fired on all markings below a node at once, and whatever that makes is
// saturated before anybody sees it.  So the diagrams on the way stay about as
// small as the one at the end, and most of the nodes that are made stay.

// The markings that can be reached from the one with these values of the
// variables, on a slot; what the diagram's status says ended it, or TL_E_LIMIT
// where a value has outgrown.
tl_status tl_saturate (tl_diagram *, const tl_events *, const uint32_t *value,
                       tl_set *reached);

#endif
