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
  // And what can be decided by terminal components, too (check/home.h), if no
  // graph is to be had.
  size_t choices;
  tl_fly fly;    // what comes before the graph
  bool begun;    // it has come
  bool for_home; // the graph is built for questions about components
  bool finished; // it is
  bool settled;  // and components were looked for on it
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

// Gives up a graph that there is no memory for, if the search can do without
// it: true if a second search, without one, may decide what the first did not.
bool tl_temporal_do_without (tl_temporal *, const tl_exploration *);

// The search is over.  If a budget has ended it, what is left is tried on the
// fly.
tl_status tl_temporal_decide (tl_temporal *, const tl_options *,
                              tl_exploration *);

// Everything is decided: gives the answers that states of the graph show the
// ways there as traces.
void tl_temporal_show (const tl_temporal *);

#endif
