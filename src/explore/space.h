#ifndef TL_EXPLORE_SPACE_H
#define TL_EXPLORE_SPACE_H

#include "base/number_list.h"
#include "base/random.h"
#include "explore/worker.h"

// The order of whoever asks: the reachability graph as far as somebody has
// looked at it.  States are numbered as they are found, the initial one is 0;
// the arcs of a state are found when they are asked for, and kept: four bytes
// an arc and twelve a state, beside the store.
//
// With stubborn sets for whole runs (stubborn/stubborn.h) it is a smaller
// graph, in which arcs are missing.  But a state may be left without some arcs
// only if that closes no cycle of such states; so on every cycle there is a
// state where nothing is left out.
//
// What it costs to look is counted, so that somebody who looks for an answer
// can be told to give up.

#define TL_SPACE_CLOSED UINT32_MAX // as the degree: not asked for so far

typedef struct tl_space {
  tl_search *search;
  tl_mem *mem;
  tl_store *store;
  uint64_t *first;   // [states] where the arcs of the state begin
  uint32_t *degree;  // [states] how many these are
  tl_numbers target; // of the arcs, in the order of the enabled transitions
  size_t first_room, degree_room, arcs;

  const uint8_t *visible; // [transitions] null: no stubborn sets
  uint32_t *by;           // with stubborn sets: transitions of the arcs
  uint32_t *chosen;       // [transitions] the same: some that are enabled
  // The same, by state: 0 where no arcs are missing, else when it was last
  // looked at in search of a cycle.
  uint32_t *partial;
  uint32_t looks;
  size_t by_room, partial_room;

  // The state at hand.
  uint64_t at; // its number
  tl_worker worker;

  uint64_t work, most; // steps so far, and how many are allowed
  uint64_t polled;     // steps when the clock was looked at
  uint32_t poll;       // and after how many it is again
  bool may_widen;      // fields that are too small; else it ends there
  bool lost;           // that failed, and the search is over
} tl_space;

// On the means of a search that has not begun.  With `visible` transitions,
// arcs may be missing: those runs are there that differ in what these do.
tl_status tl_space_open (tl_space *, tl_search *, const uint8_t *visible);
void tl_space_close (tl_space *);

// Makes the state the one at hand.
void tl_space_load (tl_space *, uint64_t number);

// Finds the arcs of the state.  TL_E_NOMEM; TL_E_LIMIT: see tl_space_step.
tl_status tl_space_expand (tl_space *, uint64_t number);

// Goes from the state at random, so many steps or until nothing is enabled, and
// keeps nothing but where that ends.
tl_status tl_space_wander (tl_space *, uint64_t number, uint64_t steps,
                           tl_random *, uint64_t *end);

// The transition of an arc of the state, which is number `arc` of these.
uint32_t tl_space_transition (tl_space *, uint64_t number, uint64_t arc);

// Counts a step.  TL_E_LIMIT: these were too many, or search->stop says what
// ended the search.
static inline tl_status tl_space_step (tl_space *s) {
  if (++s->work > s->most)
    return TL_E_LIMIT;
  if (s->work - s->polled < s->poll)
    return TL_OK;
  s->polled = s->work;
  return tl_search_poll (s->search);
}

#endif
