#ifndef TL_LOGIC_EFFORT_H
#define TL_LOGIC_EFFORT_H

#include "logic/lowering.h"
#include "logic/prices.h"

// How many steps a marking is away from one that satisfies a state formula, for
// a search that goes to the nearest first; where the tokens that are missing in
// front of the goal (logic/distance.h) say nothing of what has to happen before
// they come there.
//
// It is the length of a plan that is made without trying it.  The goal wants
// tokens at places, and some transitions to fire so many times; what is not
// there is brought by the step that does it at the least price
// (logic/prices.h), which wants tokens in turn.  Nothing is wanted twice: what
// steps of the plan use up is added up, and so is what they bring.  After the
// relaxed plans of Hoffmann and Nebel, "The FF planning system", JAIR 14, 2001.
//
// Of a disjunction the cheapest part is planned for.  For dead states, and for
// transitions that are to be disabled, the number of those that are enabled
// counts.
typedef struct tl_effort {
  tl_mem *mem;
  const tl_net *net;
  const tl_formula *formula;
  bool reads_enabled; // how many are enabled, or which
  tl_prices prices;
  tl_lowerings lowerings;
  struct tl_bargain *bargain; // for each sum of these
  uint64_t plan, begun;       // counts changes of plans; that of this one
  uint32_t costs;             // that it may still ask for
  uint32_t *start;            // [places + 2] of `giver`
  uint32_t *giver;            // transitions that add to a place
  size_t givers;
  int64_t *used;   // [places] by the plan, less what it brings
  uint64_t *held;  // [places] to be there beside that
  uint32_t *list;  // [places] of those where something is wanted
  uint8_t *listed; // [places]
  uint32_t head, count;
} tl_effort;

#define TL_EFFORT_MOST ((uint64_t)1 << 40)

// Of a simplified formula without temporal operators.  TL_E_NOMEM; then, too,
// it may be closed.
tl_status tl_effort_open (tl_effort *, tl_mem *, const tl_net *,
                          const tl_formula *);
void tl_effort_close (tl_effort *);

// `marking` has the tokens of all places; `enabled` the `count` enabled
// transitions, ascending.  0 where the formula holds; at most TL_EFFORT_MOST.
uint64_t tl_effort_of (tl_effort *, const uint64_t *marking,
                       const uint32_t *enabled, uint32_t count);

#endif
