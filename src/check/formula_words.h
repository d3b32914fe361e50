#ifndef TL_CHECK_FORMULA_WORDS_H
#define TL_CHECK_FORMULA_WORDS_H

#include "logic/formula.h"

// Formulas as words of 64 bits: for other ranks (check/watch.h), and for other
// runs (check/goals_save.h).

typedef struct tl_packing {
  tl_mem *mem;
  uint64_t **words;
  size_t *count, *room;
  bool failed; // there was no memory
} tl_packing;

void tl_pack (tl_packing *, uint64_t word);
void tl_pack_terms (tl_packing *, const tl_summand *, uint32_t count);
void tl_pack_formula (tl_packing *, const tl_formula *);

// Reading.  Words that are missing are 0, and `failed` is set.
typedef struct tl_unpacking {
  tl_arena *arena; // of what is made
  const tl_net *net;
  const uint64_t *at, *end;
  bool failed; // it is not of this net, or there was no memory
} tl_unpacking;

uint64_t tl_unpack (tl_unpacking *);
tl_summand *tl_unpack_terms (tl_unpacking *, uint32_t *count); // null: failed
tl_formula *tl_unpack_formula (tl_unpacking *);                // null: failed

#endif
