#ifndef TL_MEASURE_PROCESS_H
#define TL_MEASURE_PROCESS_H

#include "structure/semiflow.h"

// Places that share one token are like the states of a process: a graph whose
// nodes are the places (and "nowhere", if the token may be gone) and whose
// edges are the ways in which transitions move the token.  Ranks of the nodes
// tell how far the process has got.  With several tokens they are several
// processes that run in the same places.
//
// They come from a depth-first search that begins where the token is at the
// start: the position in the order in which the search leaves nodes, backwards
// (a topological order but for edges that close cycles); the longest path of
// edges that go forward in this order; and the shortest path.

typedef enum tl_rank_kind {
  TL_RANK_POSITION,
  TL_RANK_LONGEST,
  TL_RANK_SHORTEST,
  TL_RANKS
} tl_rank_kind;

typedef struct tl_process_edge {
  uint32_t from, to;
} tl_process_edge;

// Room for one process after the other.
typedef struct tl_process {
  tl_mem *mem;
  const tl_incidence *incidence;
  const uint32_t *initial;
  tl_vector semiflow;    // the process at hand; node number `semiflow.count` is
                         // nowhere
  uint32_t origin;       // the node where the token is
  tl_process_edge *edge; // sorted, none twice
  size_t edges, edge_room;
  uint32_t *start;          // [nodes + 1] of the edges from each node
  uint32_t *next;           // [nodes] the edge that the search takes next
  uint32_t *stack;          // [nodes]
  uint32_t *order;          // [nodes] as the search leaves them, backwards
  uint32_t *rank[TL_RANKS]; // [nodes]
  uint32_t *from, *to;      // [transitions] a node + 1; 0 between calls
  uint32_t *touched;        // [transitions]
} tl_process;

tl_status tl_process_open (tl_process *, tl_mem *, const tl_incidence *,
                           const uint32_t *initial);
void tl_process_close (tl_process *);

// Makes the graph of a semiflow with equal weights.
tl_status tl_process_read (tl_process *, tl_vector semiflow);

// The most ways that lead on from one node.
uint32_t tl_process_branching (const tl_process *);

// Finds the ranks; those of nodes that the token never gets to are 0.
void tl_process_rank (tl_process *);
// The largest one.
uint32_t tl_process_width (const tl_process *, tl_rank_kind);
// Adds factor times the ranks to the weights of the places [places], less that
// of nowhere.  TL_E_LIMIT: a weight does not fit 64 bits.
tl_status tl_process_weigh (const tl_process *, tl_rank_kind, int64_t factor,
                            int64_t *weight);

#endif
