#ifndef TL_STUBBORN_SET_H
#define TL_STUBBORN_SET_H

#include "stubborn/stubborn.h"

// A set in the making, as the files of this folder see it.  Marks of a state
// are stamps: nothing is cleared between states.

// A node of the graph of needs: a transition, or behind them a list.
typedef struct tl_need_frame {
  uint32_t node;
  size_t next, end; // edges: lists of a transition, members of a list
} tl_need_frame;

// For the search for components; a node's numbers count if its `order` is
// larger than `before`.
typedef struct tl_stubborn_components {
  uint32_t before, last; // order of the last node of the last state, and now
  uint32_t *order, *low; // [nodes]
  uint8_t *leads;        // [nodes] to enabled transitions of other components
  uint32_t *stack;       // [nodes] of components that are not finished
  tl_need_frame *path;   // [nodes]
  size_t stacked, depth;
} tl_stubborn_components;

// A set of transitions in the making.
typedef struct tl_marks {
  uint32_t round;   // the stamp of those that are in it
  uint32_t *in;     // [transitions] stamps
  uint32_t *whole;  // [lists] all of it is in the set
  uint32_t *work;   // [transitions] in the set, their needs are not
  uint32_t working; // of these
  uint32_t chosen;  // enabled transitions in the set
} tl_marks;

struct tl_stubborn {
  tl_mem *mem;
  const tl_layout *layout;
  const tl_interference *interference;
  uint32_t nodes; // transitions and lists

  const uint64_t *state;
  const uint32_t *list; // of enabled transitions
  uint32_t count;
  uint32_t round;    // the stamp of this state
  uint32_t *enabled; // [transitions] stamps
  tl_marks set, trial;
  uint32_t *smallest; // [transitions] of the smallest set found
  tl_stubborn_components components;
};

static inline bool tl_is_enabled (const tl_stubborn *s, uint32_t transition) {
  return s->enabled[transition] == s->round;
}

static inline bool tl_is_in (const tl_marks *m, uint32_t transition) {
  return m->in[transition] == m->round;
}

// Where the members of a list end that count in this state.
size_t tl_list_end (const tl_stubborn *, uint32_t list);

// What adding these transitions to the set would cost: those that are enabled
// count most.
uint64_t tl_marks_cost (const tl_stubborn *, const tl_marks *,
                        const uint32_t *transition, size_t count);

// For what a disabled transition is taken to wait: the list that costs least.
uint32_t tl_marks_awaited (const tl_stubborn *, const tl_marks *,
                           uint32_t transition);

// An empty set.
void tl_marks_clear (const tl_stubborn *, tl_marks *);
void tl_marks_add (const tl_stubborn *, tl_marks *, uint32_t transition);
void tl_marks_add_list (const tl_stubborn *, tl_marks *, uint32_t list);
// Adds an enabled transition and all its conflicts, so that it stays enabled
// outside of the set.
void tl_marks_add_key (const tl_stubborn *, tl_marks *, uint32_t transition);
// Adds what the transitions of the set need; false: that are `most` enabled
// ones or more.
bool tl_marks_close (const tl_stubborn *, tl_marks *, uint32_t most);

// The enabled transitions of a small closed set with one at least that stays
// enabled, in s->smallest; how many.
uint32_t tl_smallest_set (tl_stubborn *);
// The same where none of them may be visible; 0: no such set was found.
uint32_t tl_smallest_hidden_set (tl_stubborn *, const uint8_t *visible);

#endif
