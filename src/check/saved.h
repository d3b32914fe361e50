#ifndef TL_CHECK_SAVED_H
#define TL_CHECK_SAVED_H

#include "check/temporal.h"

// Questions about a net whose graph is there already: nothing is searched.  One
// walk through the graph shows every marking once (graph/walk.h).  What a
// search would look for is looked for there, and labels are made; then what is
// left is decided on the graph.  A walk does not come to the states in the
// order of their numbers, so where a state shows an answer it goes on until no
// state of a smaller number is left: the trace is the one that a search finds,
// and is read from the graph.

typedef struct tl_saved {
  const tl_graph *graph;
  const uint64_t *most; // [places] largest number of tokens
} tl_saved;

#endif
