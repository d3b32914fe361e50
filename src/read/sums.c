#include "read/sums.h"

#define LARGEST ((__int128)1 << 63)

static bool too_large (__int128 n) {
  return n > LARGEST || n < -LARGEST;
}

tl_status tl_sums_push (tl_sums *sums, tl_node_range places) {
  if (!TL_ROOM (sums->mem, sums->term, &sums->capacity,
                sums->count + places.count))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < places.count; i++)
    sums->term[sums->count++] = (tl_summand){places.first + i, 1};
  return TL_OK;
}

tl_status tl_sums_scale (tl_sums *sums, tl_sum *last, __int128 factor) {
  // Neither factor is above 2^63 in size: the products fit.
  last->constant *= factor;
  if (too_large (last->constant))
    return TL_E_LIMIT;
  for (size_t i = last->first; i < sums->count; i++) {
    const __int128 product = factor * sums->term[i].coefficient;
    if (product > INT64_MAX || product < -INT64_MAX)
      return TL_E_LIMIT;
    sums->term[i].coefficient = (int64_t)product;
  }
  return TL_OK;
}

tl_status tl_sums_add (tl_sum *left, const tl_sum *last) {
  left->constant += last->constant;
  return too_large (left->constant) ? TL_E_LIMIT : TL_OK;
}

tl_formula *tl_sums_at_most (const tl_sums *sums, size_t first, int64_t bound,
                             tl_arena *arena, bool *overflow) {
  const size_t count = sums->count - first;
  return tl_formula_compare (arena, count ? sums->term + first : 0, count,
                             bound, overflow);
}

// terms <= bound
static tl_status at_most (const tl_sums *sums, size_t first, __int128 bound,
                          tl_arena *arena, tl_formula **f) {
  bool overflow = bound > INT64_MAX || bound < INT64_MIN;
  *f = overflow
           ? 0
           : tl_sums_at_most (sums, first, (int64_t)bound, arena, &overflow);
  return overflow ? TL_E_LIMIT : *f ? TL_OK : TL_E_NOMEM;
}

static bool is_negative (const tl_formula *f) {
  for (uint32_t i = 0; i < f->count; i++)
    if (f->term[i].coefficient > 0)
      return false;
  return true;
}

// terms = bound or terms != bound, from the two comparisons that make it up.
// A sum with a positive term comes first, as in the text that is printed.
static tl_status both_ways (tl_sums *sums, tl_sum *sum, __int128 bound,
                            bool equal, tl_arena *arena, tl_formula **f) {
  const __int128 gap = equal ? 0 : 1;
  tl_formula *low, *high;
  tl_status rc = at_most (sums, sum->first, bound - gap, arena, &low);
  if (!rc && low->op != TL_COMPARE) {
    *f = tl_formula_constant (arena, (bound == 0) == equal);
    return *f ? TL_OK : TL_E_NOMEM;
  }
  if (rc || (rc = tl_sums_scale (sums, sum, -1)) ||
      (rc = at_most (sums, sum->first, -bound - gap, arena, &high)))
    return rc;
  const bool turn = is_negative (low);
  *f = tl_formula_binary (arena, equal ? TL_AND : TL_OR, turn ? high : low,
                          turn ? low : high);
  return *f ? TL_OK : TL_E_NOMEM;
}

tl_status tl_sums_compare (tl_sums *sums, const tl_sum *left, tl_sum *last,
                           tl_comparison relation, tl_arena *arena,
                           tl_formula **f) {
  // left R last  is  left - last R 0, with the constants on the other side.
  const __int128 bound = last->constant - left->constant;
  tl_sum sum = {.first = left->first};
  last->constant = 0;
  tl_status rc = tl_sums_scale (sums, last, -1);
  if (rc)
    return rc;
  if (relation == TL_EQUAL || relation == TL_UNEQUAL)
    rc = both_ways (sums, &sum, bound, relation == TL_EQUAL, arena, f);
  else if (relation == TL_LESS_EQUAL || relation == TL_LESS)
    rc = at_most (sums, sum.first, bound - (relation == TL_LESS), arena, f);
  else if (!(rc = tl_sums_scale (sums, &sum, -1)))
    rc = at_most (sums, sum.first, -bound - (relation == TL_GREATER), arena, f);
  sums->count = left->first;
  return rc;
}

void tl_sums_close (tl_sums *sums) {
  TL_DEL (sums->mem, sums->term, sums->capacity);
}
