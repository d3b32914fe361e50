#ifndef TL_READ_SUMS_H
#define TL_READ_SUMS_H

#include "logic/formula.h"
#include "read/resolve.h"

// Sums of places while a formula is read: c1*p1 + c2*p2 + ... + constant.
// The terms of all sums that are not used up yet lie on one stack, in the
// order in which the sums were begun, so that adding two neighbours moves
// nothing.

typedef struct tl_sums {
  tl_mem *mem;
  tl_summand *term;
  size_t count, capacity;
} tl_sums;

// One sum: its terms begin at `first` and end where the next sum begins.
typedef struct tl_sum {
  size_t first;
  __int128 constant; // at most 2^63 in size
} tl_sum;

typedef enum tl_comparison {
  TL_LESS_EQUAL,
  TL_LESS,
  TL_GREATER_EQUAL,
  TL_GREATER,
  TL_EQUAL,
  TL_UNEQUAL
} tl_comparison;

// All return TL_E_NOMEM, or TL_E_LIMIT: a number is too large.

// Adds places to the last sum, once each.
tl_status tl_sums_push (tl_sums *, tl_node_range places);
// Multiplies the last sum.
tl_status tl_sums_scale (tl_sums *, tl_sum *last, __int128 factor);
// left = left + last; then `left` is the last.
tl_status tl_sums_add (tl_sum *left, const tl_sum *last);
// Takes the last two sums off the stack and makes the formula `left R right`.
tl_status tl_sums_compare (tl_sums *, const tl_sum *left, tl_sum *last,
                           tl_comparison, tl_arena *, tl_formula **);
// The formula `terms from first on <= bound`; see tl_formula_compare.
tl_formula *tl_sums_at_most (const tl_sums *, size_t first, int64_t bound,
                             tl_arena *, bool *overflow);
void tl_sums_close (tl_sums *);

#endif
