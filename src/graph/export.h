#ifndef TL_GRAPH_EXPORT_H
#define TL_GRAPH_EXPORT_H

#include "graph/walk.h"

#include <stdio.h>

// A graph as text, its arcs with the ids or names of transitions: in the
// Aldebaran format (CADP, mCRL2, LTSmin), and as a picture for Graphviz.  As
// for tl_graph_walk.
tl_status tl_graph_write_aut (const tl_graph *, tl_mem *, const tl_net *,
                              const uint64_t *most, FILE *);
tl_status tl_graph_write_dot (const tl_graph *, tl_mem *, const tl_net *,
                              const uint64_t *most, FILE *);

#endif
