#ifndef TL_GRAPH_GRAPH_H
#define TL_GRAPH_GRAPH_H

#include "base/threads.h"
#include "graph/permutation.h"

// The condensed reachability graph (Mailund and Westergaard 2004): states are
// numbers, arcs are a few bits.  No marking is in it, and no label: with the
// marking at hand the enabled transitions in ascending order are the labels.
//
// States are described in the order in which they are expanded; that gives them
// their numbers.  A state is described by its number of arcs and its targets.
// In the code targets go by the order in which they are found; breadth-first
// that is the same, and else a permutation leads from the one to the other.  A
// target that is found for the first time is one bit, for it is the next one.
// Any other is the distance back from the last one found, in Rice's code.
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
  uint64_t next; // states found before the block
} tl_graph_start;

// States that are described, until they are a block.
typedef struct tl_graph_block {
  uint64_t next; // how many states were found
  uint64_t *arc; // TL_ARC_NEW, or a distance
  size_t arc_count, arc_room;
  uint64_t found, sum; // new ones among these, and the sum of the distances
  uint32_t degree[TL_GRAPH_BLOCK];
  uint32_t states;
} tl_graph_block;

typedef struct tl_graph {
  tl_mem *mem;
  uint64_t states, arcs;
  uint64_t markings;     // different ones; less than states: it is unfolded;
                         // 0: so it may be, and their number is not known
  tl_map words;          // the code
  uint64_t bits;         // of it in use
  size_t ready;          // bytes of it whose memory is ready
  tl_graph_start *start; // of the blocks
  size_t blocks, start_room;
  uint64_t widest; // arcs of a block
  bool borrowed;   // code and starts are somebody else's
  // From the order in which states were found to their numbers; null: the same.
  tl_permutation *order;
  tl_graph_block block; // that comes next
} tl_graph;

tl_status tl_graph_open (tl_graph **, tl_mem *);
void tl_graph_close (tl_graph *);

// Describes the next state: arcs in ascending order of their transitions, some
// at a time.  A target is named by how many were found before it.  The initial
// state, 0, is there from the beginning; a target that is not there is the next
// one.
tl_status tl_graph_targets (tl_graph *, const uint64_t *target, size_t count);
tl_status tl_graph_end_state (tl_graph *);
// Before its end: how many states were found before it, where these are
// described in another order.
tl_status tl_graph_place (tl_graph *, uint64_t found);

// A block that is made apart from the graph, by whatever thread.  When those
// before it have got their places it gets its own, and is written there, again
// by whatever thread, before more is described or the graph is finished.
typedef struct tl_graph_part tl_graph_part;
tl_status tl_graph_part_open (tl_graph_part **, tl_mem *);
void tl_graph_part_close (tl_graph_part *);
// So many states were found before; `end` says where the targets of each of
// TL_GRAPH_BLOCK states end.
tl_status tl_graph_part_make (tl_graph_part *, uint64_t found,
                              const uint64_t *target, const uint32_t *end);
// Not in the middle of a block.
tl_status tl_graph_part_place (tl_graph *, tl_graph_part *);
// Makes the memory of what has got its place ready, by all threads.
void tl_graph_touch (tl_graph *, tl_threads *);
void tl_graph_part_write (const tl_graph *, const tl_graph_part *);

// Begins anew: nothing has been described.
tl_status tl_graph_restart (tl_graph *);
// No more states; these have so many different markings, 0: that is not known.
tl_status tl_graph_finish (tl_graph *, uint64_t markings);

// What to know of a finished graph besides its starts and its code.
typedef struct tl_graph_figures {
  uint64_t states, arcs, bits, widest, markings;
  uint64_t order_bits; // of the differences of the order
} tl_graph_figures;

tl_graph_figures tl_graph_describe (const tl_graph *);

// Words that readers of so many bits of code look at.
static inline uint64_t tl_graph_words (uint64_t bits) {
  return bits / 64 + 3;
}
static inline uint64_t tl_graph_blocks (uint64_t states) {
  return states / TL_GRAPH_BLOCK + (states % TL_GRAPH_BLOCK != 0);
}

// A finished graph whose starts and code are borrowed, and which takes the
// permutation (or null), also when it fails.  Everything is looked at;
// TL_E_SYNTAX: they are not those of a graph.
tl_status tl_graph_borrow (tl_graph **, tl_mem *, const tl_graph_figures *,
                           const tl_graph_start *, const uint64_t *words,
                           tl_permutation *);

// The number of a state of a finished graph, by the order of finding.
static inline uint64_t tl_graph_number (const tl_graph *g, uint64_t found) {
  return g->order ? tl_permutation_image (g->order, found) : found;
}

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
// All but the targets.
void tl_graph_read_degrees (tl_graph_reader *, uint64_t block);

// Reads state after state of a finished graph, from any one on.
typedef struct tl_graph_cursor {
  const tl_graph *graph;
  uint64_t state; // to be read
  uint64_t bit;   // where its arcs are
  uint64_t next;  // states found before it
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
