#ifndef TL_GRAPH_EXPORT_H
#define TL_GRAPH_EXPORT_H

#include "graph/around.h"
#include "net/titles.h"

#include <stdio.h>

// A graph as text: in the Aldebaran format (CADP, mCRL2, LTSmin), as a picture
// for Graphviz, as GraphML, its states with their markings, a line each, and
// the same as a table of states, places and tokens.  Nodes have their names, or
// without titles (null) their ids.  As for tl_graph_walk, and the time that the
// account allows is kept.
tl_status tl_graph_write_aut (const tl_graph *, tl_mem *, const tl_net *,
                              const uint64_t *most, tl_titles *, FILE *);
tl_status tl_graph_write_dot (const tl_graph *, tl_mem *, const tl_net *,
                              const uint64_t *most, tl_titles *, FILE *);
tl_status tl_graph_write_states (const tl_graph *, tl_mem *, const tl_net *,
                                 const uint64_t *most, tl_titles *, FILE *);
tl_status tl_graph_write_graphml (const tl_graph *, tl_mem *, const tl_net *,
                                  const uint64_t *most, tl_titles *, FILE *);
tl_status tl_graph_write_csv (const tl_graph *, tl_mem *, const tl_net *,
                              const uint64_t *most, tl_titles *, FILE *);
// A picture of the states around one (null: of all).
tl_status tl_graph_draw (const tl_graph *, tl_mem *, const tl_net *,
                         const uint64_t *most, tl_titles *, const tl_around *,
                         FILE *);

#endif
