#ifndef TL_MEASURE_TRAITS_H
#define TL_MEASURE_TRAITS_H

#include "colour/evaluate.h"

#include <stdio.h>

// Numbers that the tokens of a coloured net show: how many there are in a
// place, the sum of a part of them, how many have a certain value there.  A
// weighted sum of these is a measure of progress for a net that is not
// unfolded; it is what a sum over places is for others, and as traits are few,
// it can be found in the same way (measure/by_traits.h).  A binding always
// changes a trait by the same number.

typedef enum tl_trait_kind {
  TL_TRAIT_MULT, // tokens
  TL_TRAIT_SUM,  // of a part, over all of these
  TL_TRAIT_VALUE // how many of them have this value there
} tl_trait_kind;

typedef struct tl_trait {
  tl_trait_kind kind;
  uint32_t place, part;
  tl_cell value;
} tl_trait;

typedef struct tl_traits {
  tl_mem *mem;
  const tl_coloured *net;
  tl_trait *trait;
  size_t count, room;
} tl_traits;

// Those of a net; of one with very many some are left out.  Or one alone.
tl_status tl_traits_open (tl_traits *, tl_mem *, const tl_coloured *);
tl_status tl_traits_open_one (tl_traits *, tl_mem *, const tl_coloured *,
                              tl_trait);
void tl_traits_close (tl_traits *);

int64_t tl_trait_value (const tl_traits *, size_t trait,
                        const tl_tokens *marking);
// What one token of a place is to a trait.
int64_t tl_trait_of (const tl_traits *, size_t trait, uint32_t place,
                     const tl_cell *token);
// As Helena's language has it: sum (x in sent : int (x->1)).
void tl_trait_write (const tl_traits *, size_t trait, FILE *);

#endif
