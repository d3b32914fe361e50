#ifndef TL_EXPLORE_TERMINAL_H
#define TL_EXPLORE_TERMINAL_H

#include "explore/explore.h"
#include "store/store.h"

// Terminal components: sets of states that are strongly connected and that no
// transition leaves.  Where a run is in the end, it is in one of them.
//
// Pearce's form of Tarjan's algorithm on states that were found before: one
// number a state beside the set, a stack of transitions as in depth-first
// search, and the states that wait for their component to be complete.  Arcs
// are not stored but fired again.  A component is terminal if none of its arcs
// leads to a component that was complete before, or out of the set.
//
// The states are copied to a set of their own that tells their numbers, some
// twenty bytes a state, unless they are in such a store.

typedef struct tl_terminal_visitor {
  void *context;
  // A state of a terminal component.  TL_VISIT_STOP: the others of it need not
  // be shown.
  tl_visit_verdict (*member) (void *context, const tl_visit *);
  // That was the component; `one` of its states.  TL_VISIT_STOP: no more of
  // them.
  tl_visit_verdict (*end) (void *context, const tl_visit *one);
} tl_terminal_visitor;

// Shows the terminal components of states of this search.  TL_E_LIMIT: a budget
// ended it, search->stop says which.  TL_E_NOMEM, TL_E_IO.
tl_status tl_terminal_find (tl_search *, const tl_finalised *,
                            const tl_terminal_visitor *);

#endif
