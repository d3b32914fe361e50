#ifndef TL_CHECK_SAVED_HOME_H
#define TL_CHECK_SAVED_HOME_H

#include "check/goals.h"
#include "graph/graph_terminal.h"

// What check/home.h is about, on a graph that is there already: its terminal
// components are found first, and a walk then collects what the markings of
// each of them satisfy and enable.  In an unfolded graph several components may
// stand for one: then they have the same markings.
typedef struct tl_saved_home {
  tl_goals *goals;
  tl_mem *mem;
  const tl_graph *graph;
  tl_terminals terminals; // none: nothing of the kind is asked
  size_t fired, row; // words: for transitions; also for goals and the target
  uint64_t *met;     // [row] for each component
  bool has_target;   // a home state is asked for, and one may be this
} tl_saved_home;

// Without memory for the components questions about them stay open.
tl_status tl_saved_home_open (tl_saved_home *, tl_mem *, tl_goals *,
                              const tl_graph *);
void tl_saved_home_close (tl_saved_home *);

void tl_saved_home_visit (tl_saved_home *, uint64_t number, const tl_visit *);
// Every marking was visited.
void tl_saved_home_decide (tl_saved_home *);

#endif
