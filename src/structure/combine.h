#ifndef TL_STRUCTURE_COMBINE_H
#define TL_STRUCTURE_COMBINE_H

#include "structure/incidence.h"

// Adds up rows of the incidence matrix in exact integers.  Every claim that
// this folder makes about all reachable markings goes through here.
typedef struct tl_combiner {
  tl_mem *mem;
  const tl_incidence *incidence;
  __int128 *sum; // [transitions]; all 0 between calls
  uint32_t *touched;
  size_t touched_capacity;
} tl_combiner;

tl_status tl_combiner_open (tl_combiner *, tl_mem *, const tl_incidence *);
void tl_combiner_close (tl_combiner *);

typedef enum tl_sign {
  TL_SIGN_ZERO, // every entry of the sum is 0
  TL_SIGN_DOWN, // some are negative, none is positive
  TL_SIGN_UP    // some are positive
} tl_sign;

// The sign of the sum of factor * row over the terms.  Factors below 2^62:
// 2^32 products with entries below 2^33 do not overflow.
tl_status tl_combine (tl_combiner *, const tl_entry *, uint32_t count,
                      tl_sign *);

#endif
