#ifndef TL_CHECK_FIXPOINT_H
#define TL_CHECK_FIXPOINT_H

#include "check/labels.h"
#include "check/state_set.h"
#include "graph/unpack.h"

// Sets of states of a condensed graph, one bit each, and the fixpoints that
// CTL is made of.  A block of the graph is a word of a set: what a pass need
// not look at is skipped 64 states at a time.
//
// A fixpoint is made by passes over the states, from the last to the first and
// back, until nothing changes: states are numbered as they are found, so most
// arcs lead forward and a pass from the end carries far.  Passes read the arcs
// side by side if there is memory for that, for the code of the graph takes
// several times as long to read.
//
// Then several threads may make a pass: each takes some blocks after the other,
// and only who has a block changes its word.  What one finds others may see in
// the same pass or in the next; the fixpoint is the same.

typedef struct tl_fixpoints {
  tl_sets sets; // the first member: a set is asked through it
  tl_mem *mem;
  const tl_graph *graph;
  const tl_labels *labels; // of its states
  tl_graph_reader reader;  // where arcs.first is null
  tl_arc_list arcs;
  bool borrowed;    // these are another's
  tl_threads *team; // that makes passes; null: one thread
  size_t words;     // of a set
  uint64_t passes;  // so far
  const volatile int *cancel;
  double deadline; // 0: none
} tl_fixpoints;

tl_status tl_fixpoints_open (tl_fixpoints *, tl_mem *, const tl_graph *,
                             const tl_labels *);
// For another thread, with the arcs of the first, which are side by side.
tl_status tl_fixpoints_open_beside (tl_fixpoints *, const tl_fixpoints *first);
void tl_fixpoints_close (tl_fixpoints *);

// Lays the arcs side by side, if that was not done yet.
tl_status tl_fixpoints_unpack (tl_fixpoints *);

// A set of this kind is its words and nothing else.
static inline uint64_t *tl_bits_of (tl_state_set *set) {
  return (uint64_t *)set;
}

static inline const uint64_t *tl_bits_in (const tl_state_set *set) {
  return (const uint64_t *)set;
}

static inline bool tl_bits_has (const tl_state_set *set, uint64_t state) {
  return tl_bits_in (set)[state / 64] >> state % 64 & 1;
}

static inline void tl_bits_add (tl_state_set *set, uint64_t state) {
  tl_bits_of (set)[state / 64] |= (uint64_t)1 << state % 64;
}

#endif
