#ifndef TL_STRUCTURE_SLEEP_H
#define TL_STRUCTURE_SLEEP_H

#include "net/net.h"

// Sleep sets of one step: which arcs a search need not follow, because others
// lead to the same states (after Godefroid, Partial-Order Methods, 1996).
//
// Where t and u can fire in either order, both orders lead to the same state:
//
//           u
//       s ----> .         A search comes to y from s, by t.  If u can fire at
//       |       |         y, and whenever that is so it could fire at s, too,
//     t |       | t       and t after it, then the state below on the right is
//       v       v         found without the arc from y: it can be pruned.
//       y - - > .         u is in the sleep set of y if it comes before t in
//           u             some order on the transitions.
//
// All states are found.  Suppose that of all arcs whose targets are not found
// we look at those of the transition u that comes last in the order, and among
// these at the one whose source y was expanded first.  The search did not
// follow it: it came to y from some s by some t, and u was pruned.  The arc of
// u at s has a source that was expanded earlier, so its target is found; t,
// which comes later in the order, fires there, so what that leads to is found,
// which is the target of the arc at y.
//
// Nothing is remembered for a state but by what it was found, it does not
// matter in which order states are expanded, and breadth-first finds every
// state at its depth: the other way round is as long.  Many arcs need not be
// looked up then, mostly so many that few more are left than there are states.
//
// When may u be pruned after t?  At every place, let t take `pre` tokens and
// put `post`, and be inhibited from `inhibitor` tokens on, and u the same with
// pre', post', inhibitor'.
//
// - u can fire before t: t does not put what u takes (post <= pre, or pre' <=
//   pre), nor takes what inhibits u (post >= pre, or inhibitor <= inhibitor').
// - t can fire after u: u leaves what t takes (post' >= pre', or post' >= post:
//   since u can fire after t, at least pre + pre' - post are there), and does
//   not put what inhibits t (post' <= pre').

typedef struct tl_sleep {
  tl_mem *mem;
  uint32_t transitions;
  size_t words;  // of a row
  uint64_t *row; // [transitions] the sleep set after t; null: nothing is pruned
} tl_sleep;

// What may be pruned after each transition, whatever the order.  Nothing if
// there are very many transitions.  TL_E_NOMEM: there is nothing to be closed.
tl_status tl_sleep_open (tl_sleep *, tl_mem *, const tl_net *);
void tl_sleep_close (tl_sleep *);

// Puts the transitions in order, null: the last first.  Only those that come
// before a transition are in its sleep set from then on.
void tl_sleep_order (tl_sleep *, const uint32_t *order);

static inline bool tl_sleep_has (const tl_sleep *z, uint32_t found_by,
                                 uint32_t transition) {
  return z->row[found_by * z->words + transition / 64] >> transition % 64 & 1;
}

// How many transitions are in the sleep set.
static inline uint32_t tl_sleep_size (const tl_sleep *z, uint32_t found_by) {
  const uint64_t *row = z->row + found_by * z->words;
  int size = 0;
  for (size_t w = 0; w < z->words; w++)
    size += __builtin_popcountll (row[w]);
  return (uint32_t)size;
}

// Prunes a list of enabled transitions; returns how many are left.  Which are
// is hard to predict: no branch.
static inline uint32_t tl_sleep_prune (const tl_sleep *z, uint32_t found_by,
                                       uint32_t *list, uint32_t count) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t transition = list[i];
    list[left] = transition;
    left += !tl_sleep_has (z, found_by, transition);
  }
  return left;
}

#endif
