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

// More tokens than this are not counted in a place.
#define TL_SYMBOLIC_TOKENS ((uint32_t)1 << 20)

typedef struct tl_saturation {
  tl_diagram *d;
  const tl_events *e;
  uint32_t outgrown; // the level whose value became too large, or 0
} tl_saturation;

// The markings that can be reached, on a slot; what the diagram's status says
// ended it, or TL_E_LIMIT with `outgrown`.
tl_status tl_saturate (tl_saturation *, tl_set *reached);

// Sets of the same level.
tl_set tl_union (tl_diagram *, tl_set, tl_set);

// The markings of a set, which is on a slot, that enable no transition.
tl_set tl_dead (tl_diagram *, const tl_events *, tl_set);

#endif
