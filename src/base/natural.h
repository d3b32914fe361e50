#ifndef TL_BASE_NATURAL_H
#define TL_BASE_NATURAL_H

#include "base/mem.h"

// Natural numbers of any size: limbs of 64 bits, the lowest first, none of
// which is 0 at the upper end; zero has none.  They are added and multiplied
// where diagrams are counted, and printed; that is all.
//
// Where a number grows the caller has seen to it that there is room.
typedef struct tl_natural {
  uint64_t *limb;
  size_t count;
} tl_natural;

// a += b; one more limb than the longer of the two has may be needed.
void tl_natural_add (tl_natural *a, tl_natural b);

// a += b * c; likewise one more than the longer of `a` and the product.
void tl_natural_add_product (tl_natural *a, tl_natural b, tl_natural c);

// Its bits: 0 for zero.
uint64_t tl_natural_bits (tl_natural);

// UINT64_MAX for larger ones.
uint64_t tl_natural_clipped (tl_natural);

// In decimal, made with malloc; null: no memory.
char *tl_natural_text (tl_natural);

#endif
