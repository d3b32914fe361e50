#ifndef TL_EXPLORE_BEST_H
#define TL_EXPLORE_BEST_H

#include "explore/worker.h"

// Best-first search: of the states found and not yet expanded, the one that
// ranks least is next, and of several the one found last; now and then it is
// the one found first, so that no state waits for ever behind others.  It runs
// on the means of a search that has not begun, in its store and its log, and
// visits each state once as any order does.
//
// Where there are no more states to expand, all were visited that the search
// had to visit; with stubborn sets for a property that is enough.

typedef struct tl_best_guide {
  void *context;
  bool lists; // the rank depends on what is enabled
  // Small where what is looked for seems near.
  uint64_t (*rank) (void *context, const tl_visit *);
} tl_best_guide;

// TL_OK: every state was visited.  TL_E_LIMIT: search->stop says why not.
tl_status tl_best_run (tl_search *, const tl_best_guide *);

#endif
