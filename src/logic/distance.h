#ifndef TL_LOGIC_DISTANCE_H
#define TL_LOGIC_DISTANCE_H

#include "logic/formula.h"

// How far a marking is from one that satisfies a state formula, in tokens, for
// a search that goes to the nearest first.  It is 0 where the formula holds,
// and a guess elsewhere:
//
// - of a sum that is too large, by how much it is;
// - of transitions that are to be enabled, the tokens that are missing for the
//   one that misses least;
// - of a conjunction the sum over its parts, of a disjunction the least.
//
// For dead states, and for transitions that are to be disabled, the number of
// those that are enabled counts.
typedef struct tl_distance {
  tl_mem *mem;
  const tl_net *net;
  const tl_formula *formula;
  uint32_t *place; // that it looks at, ascending
  size_t places, place_room;
  bool reads_enabled; // how many are enabled, or which
} tl_distance;

#define TL_DISTANCE_MOST ((uint64_t)1 << 40)

// How many of the transitions of FIREABLE are in a list of the enabled ones,
// which ascends.
uint64_t tl_distance_disable (const tl_formula *, const uint32_t *enabled,
                              uint32_t count);

// Of a simplified formula without temporal operators.  TL_E_NOMEM; then, too,
// it may be closed.
tl_status tl_distance_open (tl_distance *, tl_mem *, const tl_net *,
                            const tl_formula *);
void tl_distance_close (tl_distance *);

// `marking` has the tokens of the places listed above; `enabled` the `count`
// enabled transitions, ascending.  At most TL_DISTANCE_MOST.
uint64_t tl_distance_of (const tl_distance *, const uint64_t *marking,
                         const uint32_t *enabled, uint32_t count);

#endif
