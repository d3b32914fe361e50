#ifndef TL_CHECK_FIXPOINT_H
#define TL_CHECK_FIXPOINT_H

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

typedef struct tl_fixpoints {
  tl_mem *mem;
  const tl_graph *graph;
  tl_graph_reader reader; // where arcs.first is null
  tl_arc_list arcs;
  size_t words;    // of a set
  uint64_t passes; // so far
  const volatile int *cancel;
  double deadline; // 0: none
} tl_fixpoints;

tl_status tl_fixpoints_open (tl_fixpoints *, tl_mem *, const tl_graph *);
void tl_fixpoints_close (tl_fixpoints *);

// Lays the arcs side by side, if that was not done yet.
tl_status tl_fixpoints_unpack (tl_fixpoints *);

// A set, empty; null: no memory.
uint64_t *tl_set_new (const tl_fixpoints *);
void tl_set_close (const tl_fixpoints *, uint64_t *);

static inline bool tl_set_has (const uint64_t *set, uint64_t state) {
  return set[state / 64] >> state % 64 & 1;
}

// The states that are not in it.
void tl_set_invert (const tl_fixpoints *, uint64_t *);

// States with a successor in `set`: EX.
tl_status tl_set_before (tl_fixpoints *, const uint64_t *set, uint64_t *result);
// States from which a path through `along` leads into `result`, which it grows
// to: E (along U result).  Null `along`: through anything.
tl_status tl_set_until (tl_fixpoints *, const uint64_t *along,
                        uint64_t *result);
// States of `result` from which a path inside of it has no end, or ends in a
// dead state, to which it shrinks: EG.
tl_status tl_set_stay (tl_fixpoints *, uint64_t *result);

#endif
