#ifndef TL_GRAPH_GRAPH_H
#define TL_GRAPH_GRAPH_H

#include "base/mem.h"

// The condensed reachability graph (Mailund and Westergaard 2004): states are
// numbers, arcs are a few bits.  No marking is in it, and no label: with the
// marking at hand the enabled transitions in ascending order are the labels.
//
// States are numbered as they are found and described in the order in which
// they are expanded; breadth-first that is the same.  A state is described by
// its number of arcs and its targets.  A target that is found there for the
// first time is one bit, for its number is the next one.  Any other is the
// distance back from the last number given, in Rice's code.
//
//     block of 64 states
//     | least degree | width | k | degree - least, 64 times | arcs ... |
//
//     arc to a new state   1
//     any other            0 | distance >> k in unary | k low bits |
//
// `k` and the width suit the block.  For each block there is where it starts
// and which number was the next one there: 2 bits a state.

enum { TL_GRAPH_BLOCK = 64 };

typedef struct tl_graph_start {
  uint64_t bit;
  uint64_t next; // number of the first state found in the block
} tl_graph_start;

typedef struct tl_graph {
  tl_mem *mem;
  uint64_t states, arcs;
  tl_map words;          // the code
  uint64_t bits;         // of it in use
  tl_graph_start *start; // of the blocks
  size_t blocks, start_room;
  uint64_t widest; // arcs of a block
  bool borrowed;   // code and starts are somebody else's
  // The block being written.
  uint64_t next; // the number to be given next
  uint64_t *arc; // TL_GRAPH_NEW, or a distance
  size_t arc_count, arc_room;
  uint32_t degree[TL_GRAPH_BLOCK];
  uint32_t in_block;
} tl_graph;

tl_status tl_graph_open (tl_graph **, tl_mem *);
void tl_graph_close (tl_graph *);

// Describes the next state: arcs in ascending order of their transitions.  A
// target that is not smaller than every number so far must be the next number.
// The initial state, number 0, is there from the beginning.
tl_status tl_graph_arc (tl_graph *, uint64_t target);
tl_status tl_graph_end_state (tl_graph *);
// No more states.
tl_status tl_graph_finish (tl_graph *);

// What to know of a finished graph besides its starts and its code.
typedef struct tl_graph_figures {
  uint64_t states, arcs, bits, widest;
} tl_graph_figures;

// Words that readers of so many bits of code look at.
static inline uint64_t tl_graph_words (uint64_t bits) {
  return bits / 64 + 3;
}
static inline uint64_t tl_graph_blocks (uint64_t states) {
  return states / TL_GRAPH_BLOCK + (states % TL_GRAPH_BLOCK != 0);
}

// A finished graph whose starts and code are borrowed.  Everything is looked
// at; TL_E_SYNTAX: they are not those of a graph.
tl_status tl_graph_borrow (tl_graph **, tl_mem *, const tl_graph_figures *,
                           const tl_graph_start *, const uint64_t *words);

// Reads blocks of a finished graph.
typedef struct tl_graph_reader {
  const tl_graph *graph;
  uint64_t first;                   // number of the first state
  uint32_t count;                   // states
  uint64_t *target;                 // [widest]
  uint64_t end[TL_GRAPH_BLOCK + 1]; // arcs of state i: end[i] .. end[i+1]-1
} tl_graph_reader;

tl_status tl_graph_reader_open (tl_graph_reader *, const tl_graph *);
void tl_graph_reader_close (tl_graph_reader *);
void tl_graph_read (tl_graph_reader *, uint64_t block);

// Reads state after state of a finished graph, from any one on.
typedef struct tl_graph_cursor {
  const tl_graph *graph;
  uint64_t state; // to be read
  uint64_t bit;   // where its arcs are
  uint64_t next;  // number of the first state found there
} tl_graph_cursor;

void tl_graph_seek (tl_graph_cursor *, const tl_graph *, uint64_t state);
// Gives its targets, [widest], and how many they are, and moves on.
uint64_t tl_graph_step (tl_graph_cursor *, uint64_t *target);

// The state where this one, not the initial one, was found, and by which of
// the arcs there.
tl_status tl_graph_parent (const tl_graph *, uint64_t state, uint64_t *parent,
                           uint64_t *arc);

// Bytes it takes, and what the published layout would take: for each state two
// numbers of the width of a degree, for each arc a transition and a state.
uint64_t tl_graph_bytes (const tl_graph *);
uint64_t tl_graph_published_bytes (const tl_graph *, uint32_t transitions);

#endif
