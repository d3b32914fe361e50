#ifndef TL_STRUCTURE_RETURNS_H
#define TL_STRUCTURE_RETURNS_H

#include "structure/cases.h"

// Can the initial marking be reached from every reachable marking?  That is
// proven by weights y >= 0 for places and the transitions that make the
// weighted sum y * m smaller, if wherever none of these is enabled the marking
// is the initial one (structure/cases.h): firing them as long as one is enabled
// ends, and it ends there.
//
// A linear program proposes weights, 0 for places that are marked at the start,
// which are like distances: most transitions, each weighted by what it counts,
// are to come nearer.  Where cases leave a marking in which none of these is
// enabled, a short run from there that comes nearer is as good, and counts for
// all markings that have it (structure/detour.h).  Else the transitions that
// are enabled there count for more, and weights are proposed again.  Weights
// are integers when it is decided what comes nearer.
//
// That a dead marking can be reached from every reachable marking is proven in
// the same way: wherever none of these transitions is enabled, no other is.
// Weights are then for all places.

// True: it is proven.  Takes about `seconds` at most.
bool tl_net_returns (const tl_structure *, tl_mem *, tl_cases *,
                     double seconds);
bool tl_net_ends (const tl_structure *, tl_mem *, tl_cases *, double seconds);

#endif
