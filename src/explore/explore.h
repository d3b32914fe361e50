#ifndef TL_EXPLORE_EXPLORE_H
#define TL_EXPLORE_EXPLORE_H

#include "base/mem.h"
#include "encode/layout.h"

// Exploration as the questions see it: a visitor is shown every state once,
// when its enabled transitions are known.

typedef struct tl_search tl_search;

typedef struct tl_visit {
  tl_search *search;
  const tl_layout *layout;
  const uint64_t *state;   // working state
  const uint32_t *enabled; // ascending
  uint32_t enabled_count;
} tl_visit;

struct tl_stubborn;

typedef enum tl_wish { TL_GO_ON, TL_ENOUGH, TL_FAILED } tl_wish;

typedef struct tl_visitor {
  void *context;
  // TL_ENOUGH ends the search: all is decided.  TL_FAILED: no memory.
  tl_wish (*visit) (void *context, const tl_visit *);
  // Called when the net is proven unbounded, with a run that can be pumped.
  // Null: the search ends there.
  tl_wish (*unbounded) (void *context, const tl_trace *);
  // With stubborn sets for a property: adds transitions of which one at least
  // is in every run from this state to anything that is still looked for.
  // Null: there is no property.
  void (*attract) (void *context, const tl_visit *, struct tl_stubborn *);
} tl_visitor;

// The way to the state being visited, made with malloc; TL_E_LIMIT where the
// search had to give up its log for lack of memory.
tl_status tl_search_trace (tl_search *, tl_trace *);

// tl_explore on a given root account, with a visitor (null: none).
tl_status tl_explore_on (tl_mem *root, const tl_net *, const tl_options *,
                         const tl_visitor *, tl_exploration *, tl_error *);

void tl_trace_close (tl_trace *);
// Adds a transition at the end; false: no memory, and it is as it was.
bool tl_trace_extend (tl_trace *, uint32_t transition);

#endif
