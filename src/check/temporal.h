#ifndef TL_CHECK_TEMPORAL_H
#define TL_CHECK_TEMPORAL_H

#include "check/fly.h"
#include "check/sat.h"

// Questions that visiting markings one by one does not decide.  While the
// search goes on the condensed graph is built and what the formulas say about
// single markings becomes labels; afterwards the formulas are decided on
// numbers and bits alone.
typedef struct tl_temporal {
  tl_goals *goals;
  tl_mem *root;
  tl_mem mem;
  tl_labels labels;
  uint64_t states; // visited by the search
  tl_graph *graph; // that it builds
  const tl_graph *saved;
  size_t count; // questions of this kind
  tl_fly fly;   // what comes before the graph
  bool begun;   // it has come
} tl_temporal;

// Of the questions among the goals that these left open.  With a saved graph
// none is built, nor when all is to be decided on the fly.  TL_E_ARG: stubborn
// sets do not keep the answer to one of them.
tl_status tl_temporal_open (tl_temporal *, tl_mem *root, tl_goals *,
                            const tl_graph *saved, const tl_options *,
                            tl_error *);
void tl_temporal_close (tl_temporal *);

// The visitor of the goals, extended.
tl_visitor tl_temporal_visitor (tl_temporal *);

// How to search: a graph is built from numbered states.
tl_options tl_temporal_options (const tl_temporal *, const tl_options *);

// The search is over.  If a budget has ended it, what is left is tried on the
// fly.
tl_status tl_temporal_decide (tl_temporal *, const tl_options *,
                              tl_exploration *);

#endif
