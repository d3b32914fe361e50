#ifndef TL_STORE_BLOCK_H
#define TL_STORE_BLOCK_H

#include "base/bits.h"

#include <stdbool.h>
#include <string.h>

// A block of the quotient table: a bag of short entries, sorted into buckets.
//
//     | 128 bits: entries per bucket, in unary | entry | entry | ... | unused |
//
// Bucket after bucket, a 1 for each of its entries and then a 0; the entries
// stand in the same order.  So the entries of a bucket are found by two
// selections in 128 bits, and an entry need not say which bucket it is in.
// What is behind the last entry means nothing.
//
// The shape is the same for all blocks of a table.
typedef struct tl_block_shape {
  uint32_t words;    // of a block
  uint32_t width;    // bits of an entry
  uint32_t capacity; // entries that fit
  uint32_t buckets;  // capacity + buckets <= 128
} tl_block_shape;

// The entries [first, first + count) of a bucket; `mark` is where the next
// one's 1 goes.
typedef struct tl_bucket {
  unsigned first, count, mark;
} tl_bucket;

static inline unsigned tl_block_count (const uint64_t *block) {
  return (unsigned)(__builtin_popcountll (block[0]) +
                    __builtin_popcountll (block[1]));
}

static inline tl_bucket tl_block_bucket (const uint64_t *block,
                                         unsigned number) {
  const uint64_t low = block[0], high = block[1];
  // Just behind the 0 that ends the bucket before; the first one is behind a 0
  // that is not written.  In which word that 0 is cannot be predicted: a mask,
  // as compilers make branches of conditions.
  const uint64_t first = ~(low << 1), second = ~(high << 1 | low >> 63);
  const unsigned zeros = (unsigned)__builtin_popcountll (first);
  const uint64_t above = -(uint64_t)(number >= zeros);
  const unsigned from =
      (64 & (unsigned)above) + tl_select (first ^ ((first ^ second) & above),
                                          number - (zeros & (unsigned)above));
  // The ones from there on: at least 57 bits of that are right.
  uint64_t rest;
  memcpy (&rest, (const unsigned char *)block + from / 8, sizeof rest);
  rest = ~(rest >> from % 8);
  unsigned count = rest ? (unsigned)__builtin_ctzll (rest) : 64;
  if (__builtin_expect (count >= 57, 0)) {
    const unsigned __int128 all = ~((unsigned __int128)high << 64 | low);
    for (count = 0; !(all >> (from + count) & 1);)
      count++;
  }
  return (tl_bucket){from - number, count, from + count};
}

static inline uint64_t tl_block_entry_bit (const tl_block_shape *s,
                                           unsigned entry) {
  return 128 + (uint64_t)entry * s->width;
}

// Makes room for one more entry of a bucket, number `at` of the `count` that
// are in the block, which is not full; the caller writes it.
void tl_block_open_gap (const tl_block_shape *, uint64_t *block, tl_bucket,
                        unsigned at, unsigned count);

#endif
