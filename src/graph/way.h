#ifndef TL_GRAPH_WAY_H
#define TL_GRAPH_WAY_H

#include "explore/explore.h"
#include "graph/graph.h"

// The way by which a state was found, as transitions in firing order;
// breadth-first there is none shorter.  TL_E_SYNTAX: this is not the graph of
// the net.  The trace is made with malloc, and there is none on failure.
tl_status tl_graph_way (const tl_graph *, const tl_net *, uint64_t state,
                        tl_trace *);

#endif
