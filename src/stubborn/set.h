#ifndef TL_STUBBORN_SET_H
#define TL_STUBBORN_SET_H

#include "stubborn/relation.h"
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
typedef struct tl_components {
  uint32_t before, last; // order of the last node of the last state, and now
  uint32_t *order, *low; // [nodes]
  uint8_t *leads;        // [nodes] to enabled transitions of other components
  uint32_t *stack;       // [nodes] of components that are not finished
  tl_need_frame *path;   // [nodes]
  size_t stacked, depth;
} tl_components;

struct tl_stubborn {
  tl_mem *mem;
  const tl_layout *layout;
  tl_relation relation;
  uint32_t nodes; // transitions and lists

  const uint64_t *state;
  const uint32_t *list; // of enabled transitions
  uint32_t count;
  uint32_t round;     // the stamp of this state
  uint32_t *enabled;  // [transitions] stamps
  uint32_t *in;       // [transitions]
  uint32_t *whole;    // [lists] all of it is in the set
  uint32_t *work;     // [transitions] in the set, their needs are not
  uint32_t *smallest; // [transitions] of the best component
  uint32_t working;
  tl_components components;
};

static inline bool tl_is_enabled (const tl_stubborn *s, uint32_t transition) {
  return s->enabled[transition] == s->round;
}

// Where the members of a list end that count in this state.
size_t tl_list_end (const tl_stubborn *, uint32_t list);

void tl_stubborn_add_list (tl_stubborn *, uint32_t list);

// For what a disabled transition is taken to wait: the shortest list.
uint32_t tl_list_awaited (const tl_stubborn *, uint32_t transition);

// The enabled transitions of a smallest closed set with one at least, in
// s->smallest; how many.
uint32_t tl_smallest_set (tl_stubborn *);

#endif
