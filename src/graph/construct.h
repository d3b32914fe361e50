#ifndef TL_GRAPH_CONSTRUCT_H
#define TL_GRAPH_CONSTRUCT_H

#include "explore/explore.h"
#include "graph/graph.h"

// Building a graph while a search goes on.

// As `arcs` of a visitor: the next states.
tl_visit_verdict tl_graph_arcs (tl_graph *, uint64_t state,
                                const uint64_t *numbers, size_t count,
                                bool last);

// The same options, but for a search that gives a whole graph: breadth-first or
// by a sweep, with numbered states, nothing left out.
tl_options tl_graph_options (const tl_options *);

// How many different markings a complete search found; 0: that is not known.
uint64_t tl_graph_markings (const tl_exploration *);

// Builds the graph of a net, on `mem`, an account below the root.  No graph:
// the search was not complete, and its result says why.
tl_status tl_graph_build (tl_graph **, tl_mem *mem, tl_mem *root,
                          const tl_net *, const tl_options *, tl_exploration *,
                          tl_error *);

#endif
