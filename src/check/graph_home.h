#ifndef TL_CHECK_GRAPH_HOME_H
#define TL_CHECK_GRAPH_HOME_H

#include "check/goals.h"
#include "graph/graph_terminal.h"

// What check/home.h is about, on a graph that is there already: its terminal
// components are found first, and a walk then collects what the markings of
// each of them satisfy and enable.  In an unfolded graph several components may
// stand for one: then they have the same markings.
typedef struct tl_graph_home {
  tl_goals *goals;
  tl_mem *mem;
  const tl_graph *graph;
  tl_terminals terminals; // none: nothing of the kind is asked
  size_t fired, row; // words: for transitions; also for goals and the target
  uint64_t *met;     // [row] for each component
  uint64_t *all;     // [row] what it would be for one that has everything
  bool has_target;   // a home state is asked for, and one may be this
} tl_graph_home;

// Without memory for the components questions about them stay open.
tl_status tl_graph_home_open (tl_graph_home *, tl_mem *, tl_goals *,
                              const tl_graph *);
void tl_graph_home_close (tl_graph_home *);

void tl_graph_home_visit (tl_graph_home *, uint64_t number, const tl_visit *);
// Every marking was visited.
void tl_graph_home_decide (tl_graph_home *);

// All of it at the end of a search that has built the graph: state `number` of
// it is that of the store.  Components of numbers are found much faster than
// those of markings whose transitions are fired again (explore/terminal.h).
// TL_E_NOMEM: nothing is decided; TL_E_LIMIT: a budget ended it.
tl_status tl_graph_home_settle (tl_mem *, tl_goals *, tl_search *,
                                struct tl_store *, const tl_graph *);

#define TL_SHOWN_NOWHERE UINT64_MAX

// The state that shows an answer, or TL_SHOWN_NOWHERE; and the ways there, as
// the traces of the answers.  Without memory for one there is none.
uint64_t tl_graph_home_shown_at (const tl_goals *, const tl_asked *);
void tl_graph_home_show (const tl_graph *, tl_goals *);

#endif
