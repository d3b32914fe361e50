#ifndef TL_LOGIC_LOWERING_H
#define TL_LOGIC_LOWERING_H

#include "base/arena.h"
#include "logic/formula.h"
#include "net/net.h"

// Which transitions lower the sums that a formula compares, and by how much.
// FIREABLE of many transitions becomes as many comparisons of few sums, so each
// sum is looked at once.

// By how much a transition changes the sum of a comparison.
__int128 tl_sum_change (const tl_formula *comparison, const tl_net *,
                        uint32_t transition);

typedef struct tl_lowering {
  uint32_t *transition; // [count] ascending
  int64_t *drop;        // [count] above 0
  uint32_t count;
} tl_lowering;

typedef struct tl_lowerings {
  tl_mem *mem;
  tl_arena arena;
  tl_lowering *lowering; // of each sum
  size_t sums, comparisons;
  struct tl_lowered *of; // [comparisons] by address
} tl_lowerings;

// TL_E_NOMEM; then, too, it may be closed.
tl_status tl_lowerings_open (tl_lowerings *, tl_mem *, const tl_net *,
                             const tl_formula *);
void tl_lowerings_close (tl_lowerings *);

// The sum of a comparison of that formula, as an index of `lowering`.
size_t tl_lowerings_find (const tl_lowerings *, const tl_formula *comparison);

#endif
