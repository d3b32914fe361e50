#ifndef TL_GRAPH_WAY_H
#define TL_GRAPH_WAY_H

#include "explore/explore.h"
#include "graph/graph.h"

// The way by which a state was found, as transitions in firing order;
// breadth-first there is none shorter.  TL_E_SYNTAX: this is not the graph of
// the net.  The trace is made with malloc, and there is none on failure.
tl_status tl_graph_way (const tl_graph *, const tl_net *, uint64_t state,
                        tl_trace *);

// The same, and on by one of its arcs, counted from 0, whose target is told.
// Null: it ends there.  TL_E_LIMIT: the state has no such arc.
typedef struct tl_graph_arc {
  uint64_t number;
  uint64_t *target;
} tl_graph_arc;

tl_status tl_graph_way_on (const tl_graph *, const tl_net *, uint64_t state,
                           const tl_graph_arc *, tl_trace *);

#endif
