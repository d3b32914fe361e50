#ifndef TL_CHECK_TEMPORAL_H
#define TL_CHECK_TEMPORAL_H

#include "check/engine.h"
#include "check/sat.h"

// Formulas that visiting markings one by one does not decide, taken apart; and
// the engine that searches.  While a search goes on the condensed graph is
// built and what the formulas say about single markings becomes labels;
// afterwards the formulas are decided on numbers and bits alone.
typedef struct tl_temporal {
  tl_goals *goals;
  tl_method method;
  tl_mem mem;
  tl_labels labels;
  uint64_t states; // visited by the search
  tl_graph *graph; // that it builds
  size_t count;    // formulas
  // And what can be decided by terminal components, too (check/home.h), if no
  // graph is to be had.
  size_t choices;
  bool for_home; // the graph is built for questions about components
  bool finished; // it is
  bool settled;  // and components were looked for on it
  struct tl_portfolio *portfolio; // beside the search, or null
} tl_temporal;

// Of the questions among the goals that these left open.  TL_E_ARG: stubborn
// sets do not keep the answer to one of them.
tl_status tl_temporal_open (tl_temporal *, const tl_checking *);
void tl_temporal_close (tl_temporal *);

// Decides the formulas on a whole graph whose states have their labels
// (on_graph.c); and who has decided one so.
tl_status tl_temporal_decide (tl_checking *, const tl_graph *);
const char *tl_temporal_engine (const tl_temporal *, const tl_asked *);

// A run as a trace: positions in lists of arcs, which are those in the lists of
// enabled transitions, become transitions.
tl_status tl_temporal_tell_run (const tl_goals *, const tl_run *, tl_trace *);

#endif
