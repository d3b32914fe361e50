#ifndef TL_CHECK_SPACE_H
#define TL_CHECK_SPACE_H

#include "explore/search.h"

// The reachability graph as far as somebody has looked at it.  States are
// numbered as they are found, the initial one is 0; the arcs of a state are
// found when they are asked for, and kept: four bytes an arc and twelve a
// state, beside the store.
//
// What it costs to look is counted, so that somebody who looks for an answer
// can be told to give up.

#define TL_SPACE_CLOSED UINT32_MAX // as the degree: not asked for so far

typedef struct tl_space {
  tl_search *search;
  tl_mem *mem;
  tl_store *store;
  uint64_t *first;  // [states] where the arcs of the state begin
  uint32_t *degree; // [states] how many these are
  uint32_t *target; // of the arcs, in the order of the enabled transitions
  size_t first_room, degree_room, target_room, arcs;

  // The state at hand.
  uint64_t at; // its number
  uint64_t *state, *key;
  uint32_t *enabled; // [transitions]
  uint32_t enabled_count;
  uint64_t *keys; // of successors
  uint32_t state_words, key_words;

  uint64_t work, most; // steps so far, and how many are allowed
  bool may_widen;      // fields that are too small; else it ends there
  bool lost;           // that failed, and the search is over
} tl_space;

// On the means of a search that has not begun.
tl_status tl_space_open (tl_space *, tl_search *);
void tl_space_close (tl_space *);

// Makes the state the one at hand.
void tl_space_load (tl_space *, uint64_t number);

// Finds the arcs of the state.  TL_E_NOMEM; TL_E_LIMIT: see tl_space_step.
tl_status tl_space_expand (tl_space *, uint64_t number);

// Counts a step.  TL_E_LIMIT: these were too many, or search->stop says what
// ended the search.
static inline tl_status tl_space_step (tl_space *s) {
  enum { POLL = 1024 };
  if (++s->work > s->most)
    return TL_E_LIMIT;
  return s->work % POLL ? TL_OK : tl_search_poll (s->search);
}

#endif
