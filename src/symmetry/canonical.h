#ifndef TL_SYMMETRY_CANONICAL_H
#define TL_SYMMETRY_CANONICAL_H

#include "symmetry/classes.h"

// One marking for all that permuting the classes makes of it, its orbit, and
// how many these are.
//
// Each item has a sign, computed from the tokens of the places that have it: a
// number that moves with the item when items are permuted.  In each class items
// are put in the order of their signs.  Where signs are equal, items that can
// be swapped without a change (twins) may stand in any order; for others all
// orders are tried, and the least marking counts.  That is exact: equal signs
// of different items only mean more orders to try.
//
// Permutations that lead to the least marking are as many as those that leave
// the marking as it is, and all permutations divided by these are the orbit.

enum { TL_MOST_ARRANGEMENTS = 100000 }; // of a marking

typedef struct tl_canonical {
  tl_mem *mem;
  const tl_classes *classes;
  uint64_t *sign, *next_sign; // [items]
  uint32_t *order;            // [items] by class and sign
  uint32_t *twins;            // [items] of those in `order`: which twins
  uint32_t *cell_from;        // [items + 1] items of the same sign
  uint32_t cells;
  uint32_t *to;            // [items]
  uint32_t *swap;          // [items] itself, but while two are swapped
  uint64_t *image, *least; // [places]
} tl_canonical;

// To be closed in any case.
tl_status tl_canonical_open (tl_canonical *, tl_mem *, const tl_classes *);
void tl_canonical_close (tl_canonical *);

// Makes the marking that of its orbit.  TL_E_LIMIT: there are more arrangements
// than are tried, or the orbit has 2^64 markings or more.
tl_status tl_canonical_of (tl_canonical *, uint64_t *tokens, uint64_t *orbit);

#endif
