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

// The keys of states that were all visited, some at a time; 0 at the end.
typedef struct tl_settled {
  void *context;
  size_t (*next) (void *context, size_t most, uint64_t *keys);
  // They are those of this store; null: they are from elsewhere.  When all were
  // told, only `close` may be called of it.
  struct tl_store *store;
} tl_settled;

// TL_GIVE_UP: the net is unbounded, and nothing that is left to be found out
// can be found out by going on.
typedef enum tl_wish { TL_GO_ON, TL_ENOUGH, TL_GIVE_UP, TL_FAILED } tl_wish;

typedef struct tl_visitor {
  void *context;
  // Called before the first visit, with all means of the search.  TL_ENOUGH:
  // there need not be any.  Null: not needed.
  tl_wish (*begin) (void *context, tl_search *);
  // TL_ENOUGH ends the search: all is decided; so does TL_GIVE_UP.  TL_FAILED:
  // no memory.  Null: not needed.
  tl_wish (*visit) (void *context, const tl_visit *);
  // The numbers of successors of the states, in the order of the visits and of
  // the lists of enabled transitions; perhaps not all of a state in one call,
  // `last` tells.  States are numbered as they are found: a number that did not
  // come before is the next one.  A sweep that forgets a state and finds it
  // again gives it another.  Not depth-first, and only with a store that can
  // tell numbers.  Null: not needed.
  tl_wish (*arcs) (void *context, uint64_t state, const uint64_t *numbers,
                   size_t count, bool last);
  // What was told so far will be told again, in another order.  Null: that does
  // not matter.
  tl_wish (*again) (void *context);
  // Called when the net is proven unbounded, with a run that can be pumped.
  // Null: the search ends there.
  tl_wish (*unbounded) (void *context, const tl_trace *);
  // With stubborn sets for a property: adds transitions of which one at least
  // is in every run from this state to anything that is still looked for.
  // Null: there is no property.
  void (*attract) (void *context, const tl_visit *, struct tl_stubborn *);
  // Called with all states when the search is complete, or with parts of them
  // as it leaves them behind, so that every cycle lies within one part and
  // every state is in one.  There are no traces to be had.  Null: not needed.
  tl_wish (*settled) (void *context, tl_search *, const tl_settled *);
} tl_visitor;

// The way to the state being visited, made with malloc; TL_E_LIMIT where the
// search had to give up its log for lack of memory.
tl_status tl_search_trace (tl_search *, tl_trace *);

// What every option means when nothing was said.
tl_options tl_options_whole (void);

// tl_explore on a given root account, with a visitor (null: none).
tl_status tl_explore_on (tl_mem *root, const tl_net *, const tl_options *,
                         const tl_visitor *, tl_exploration *, tl_error *);

// Adds a row to the memory table.
void tl_exploration_add_row (tl_exploration *, const char *name, size_t used,
                             size_t would_be);

void tl_trace_close (tl_trace *);
// Adds a transition at the end; false: no memory, and it is as it was.
bool tl_trace_extend (tl_trace *, uint32_t transition);

#endif
