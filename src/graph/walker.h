#ifndef TL_GRAPH_WALKER_H
#define TL_GRAPH_WALKER_H

#include "graph/walk.h"

// What the walks through a graph share: the marking at hand, ready for firing,
// and the arcs of its state.
typedef struct tl_walker {
  const tl_graph *graph;
  const tl_net *net;
  tl_mem *mem;
  tl_walk_step *step;
  void *context;
  tl_generator *generator;
  tl_fault fault;
  tl_layout layout;
  tl_code code;
  tl_fire *fire;
  uint64_t *scratch; // of the engine
  uint8_t *width;    // [places]
  uint64_t *tokens;  // [places]
  uint64_t *state;   // [words of the layout] at hand
  uint32_t *enabled; // [most enabled] events there
  uint64_t *target;  // [widest + 1] by these
  uint32_t count;    // of these
  uint32_t *shown;   // [most enabled] room for the transitions of these
  size_t most_enabled;
  uint64_t below; // states from this number on are left out
} tl_walker;

// The members up to `context` are set.  TL_E_SYNTAX: this is not the graph of
// the net.  To be closed in any case.
tl_status tl_walker_open (tl_walker *, const uint64_t *most);
void tl_walker_close (tl_walker *);

// The marking at hand is that of the state which the cursor reads: shows it.
tl_status tl_walker_visit (tl_walker *, tl_graph_cursor *, uint64_t depth);

// Fires one of the enabled, and takes it back.
tl_status tl_walker_step (tl_walker *, uint32_t step);
tl_status tl_walker_undo (tl_walker *, uint32_t step);

#endif
