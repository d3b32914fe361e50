#ifndef TL_BASE_HASH_H
#define TL_BASE_HASH_H

#include "base/bits.h"

// A hash of some words, for tables in memory.  Who has another table of the
// same keys takes another seed: else keys that stand together in one would
// crowd in the other.
static inline uint64_t tl_hash_words (const uint64_t *word, uint32_t words,
                                      uint64_t seed) {
  for (uint32_t i = 0; i < words; i++)
    seed = tl_mix (seed ^ word[i]);
  return seed;
}

#endif
