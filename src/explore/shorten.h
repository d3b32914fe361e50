#ifndef TL_EXPLORE_SHORTEN_H
#define TL_EXPLORE_SHORTEN_H

#include "net/net.h"

// Makes a run that shows that a net is unbounded (explore/covering.h) shorter:
// parts of it are left out as long as what is left can be fired and still has
// an end that can be repeated.  A random walk or a deep search goes many steps
// that do not matter.  No step of the result can be left out.
//
// The trace stays as it is where there is no memory.  Takes some hundredths of
// a second at most; then it may still be longer than needed.  *place is one
// that grows.
void tl_shorten_unbounded (tl_mem *, const tl_net *, tl_trace *,
                           uint32_t *place);

#endif
