#ifndef TL_GRAPH_UNPACK_H
#define TL_GRAPH_UNPACK_H

#include "base/number_list.h"
#include "base/threads.h"
#include "graph/graph.h"

// The arcs of a graph side by side, for searches that go from state to state
// and not along: four bytes an arc (eight beyond 2^32 states) and eight a
// state.
typedef struct tl_arc_list {
  tl_mem *mem;
  uint64_t states, arcs;
  uint64_t *first;   // [states + 1]
  tl_numbers target; // [arcs]
} tl_arc_list;

// By the threads of a team, or by one where it is null.
tl_status tl_arc_list_open (tl_arc_list *, tl_mem *, const tl_graph *,
                            tl_threads *);
void tl_arc_list_close (tl_arc_list *);

#endif
