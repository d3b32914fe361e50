#ifndef TL_EXPLORE_COVERING_H
#define TL_EXPLORE_COVERING_H

#include "net/net.h"

// Recognising nets that have infinitely many states.  If a path passes a
// marking m and later one that is at least m everywhere and more than m
// somewhere, the part in between can be repeated for ever, adding tokens each
// time (Karp and Miller).  With inhibitor arcs this holds only if no place
// that inhibits a transition of that part has grown.

// Looks for such a part at the end of the trace: between some marking on the
// way and the last one.  Found: sets trace->loop and loop_from and *place, one
// that grows.  TL_E_INTERNAL: the trace cannot be fired.
tl_status tl_covering_find (tl_mem *, const tl_net *, tl_trace *, bool *found,
                            uint32_t *place);

// Does the trace prove it?  Fires it from the initial marking; the part from
// loop_from on is one that can be repeated, and the place grows.
bool tl_covering_proves (const tl_net *, const tl_trace *, uint32_t place);

// A random walk from the initial marking of at most `work` arc visits and some
// thousand steps.  Counts in marked[] (may be null) in how many of its markings
// each place is marked.  With `look` it also looks for a part that can be
// repeated for ever; then the trace (made with malloc) is given.
tl_status tl_covering_walk (tl_mem *, const tl_net *, uint64_t seed,
                            uint64_t work, uint32_t *marked, bool look,
                            tl_trace *, bool *found, uint32_t *place);

#endif
