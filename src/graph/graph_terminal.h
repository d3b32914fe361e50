#ifndef TL_GRAPH_GRAPH_TERMINAL_H
#define TL_GRAPH_GRAPH_TERMINAL_H

#include "graph/unpack.h"

// The terminal components of a graph: strongly connected sets of states that
// no arc leaves.  One depth-first search finds them (Tarjan 1972, with one
// number a state as in Pearce 2016).
//
// Cost: four bytes a state (eight beyond 2^31), and up to twenty-eight more
// while it searches.
typedef struct tl_terminals {
  tl_mem *mem;
  uint64_t states;
  tl_numbers of; // [states] the component it is in, from 1 on; 0: none
  uint64_t
      *first; // of component i the state of the smallest number: first[i-1]
  size_t count, first_room;
} tl_terminals;

// Every state is reachable from state 0.
tl_status tl_terminals_open (tl_terminals *, tl_mem *, const tl_arc_list *);
void tl_terminals_close (tl_terminals *);

#endif
