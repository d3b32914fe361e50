#ifndef TL_STORE_QUOTIENT_H
#define TL_STORE_QUOTIENT_H

#include "store/block.h"
#include "store/kinds.h"

#include <xxhash.h>

// The arithmetic of the quotient table: where a key belongs, what is stored of
// it there, and back.  See table.c for the whole.

// Division by a number that stays the same, after Moeller and Granlund (2011):
// the quotient of two words by one with a reciprocal.
typedef struct tl_divider {
  uint64_t divisor, reciprocal; // the divisor shifted to the top
  unsigned shift;
} tl_divider;

// Several entries without a tail are compared at a time, as many as are sure
// to be in the eight bytes from the one on in which the first begins.
typedef struct tl_fields {
  unsigned count;
  uint64_t lowest, highest; // bits of each field
} tl_fields;

typedef struct tl_table {
  tl_store base;
  tl_map map;
  uint64_t *words;
  uint64_t blocks;
  tl_block_shape shape;
  unsigned head_bits; // min (key bits, 64)
  unsigned remainder; // bits of an entry that come from the head, not 0
  unsigned tail_bits;
  uint64_t positions; // blocks * buckets
  tl_divider by_unit; // see tl_read_heads
  tl_fields fields;
  unsigned level;    // 0, or 1 for a table of keys outside another
  tl_store *outside; // keys that found their block full
  uint64_t room;     // grow when that many are outside
  bool broken;       // a key was lost while growing: no more may be put
} tl_table;

// Where a key belongs and what is left of it.
typedef struct tl_spot {
  uint64_t block;
  unsigned bucket;
  uint64_t remainder;
} tl_spot;

static inline tl_spot tl_find_spot (const tl_table *t, uint64_t head) {
  const unsigned __int128 in_table = (unsigned __int128)head * t->blocks;
  const unsigned __int128 in_block =
      (unsigned __int128)(uint64_t)in_table * t->shape.buckets;
  return (tl_spot){.block = (uint64_t)(in_table >> 64),
                   .bucket = (unsigned)(in_block >> 64),
                   .remainder = (uint64_t)in_block >> (64 - t->remainder)};
}

// The least head times positions that a spot stands for.
static inline unsigned __int128 tl_spot_start (const tl_table *t, tl_spot s) {
  return (unsigned __int128)(s.block * t->shape.buckets + s.bucket) << 64 |
         s.remainder << (64 - t->remainder);
}

// The head at a spot: heads are multiples of 2^(64 - head bits), and the range
// of a spot holds only one.
static inline uint64_t tl_head_at (const tl_table *t, tl_spot s) {
  const unsigned idle = 64 - t->head_bits;
  const unsigned __int128 unit = (unsigned __int128)t->positions << idle;
  return (uint64_t)((tl_spot_start (t, s) + unit - 1) / unit) << idle;
}

static inline uint64_t tl_tail_hash (const tl_table *t, const uint64_t *tail) {
  const uint32_t words = t->base.spec.key_words - 1;
  return words == 1 ? tl_mix (*tail + 0x9e3779b97f4a7c15u)
                    : XXH3_64bits (tail, words * sizeof *tail);
}

// Heads are kept at the upper end of a word.  A table of keys outside another
// mixes once more: these keys come from few blocks and must spread anew.
static inline uint64_t tl_head_of (const tl_table *t, const uint64_t *key) {
  uint64_t head = *key ^ (t->tail_bits ? tl_tail_hash (t, key + 1) : 0);
  head = tl_mix_bits (head, t->head_bits);
  if (t->level)
    head = tl_mix_bits (head, t->head_bits);
  return head << (64 - t->head_bits);
}

// Writes the key with that head; the tail is in key[1..] already.
static inline void tl_key_of (const tl_table *t, uint64_t head, uint64_t *key) {
  head >>= 64 - t->head_bits;
  head = tl_unmix_bits (head, t->head_bits);
  if (t->level)
    head = tl_unmix_bits (head, t->head_bits);
  *key = head ^ (t->tail_bits ? tl_tail_hash (t, key + 1) : 0);
}

static inline uint64_t *tl_block_at (const tl_table *t, uint64_t number) {
  return t->words + number * t->shape.words;
}

static inline void tl_copy_tail (const tl_table *t, const uint64_t *block,
                                 uint64_t bit, uint64_t *tail) {
  unsigned left = t->tail_bits;
  for (; left > 64; left -= 64, bit += 64)
    *tail++ = tl_get_bits (block, bit, 64);
  if (left)
    *tail = tl_get_bits (block, bit, left);
}

static inline void tl_write_entry (const tl_table *t, uint64_t *block,
                                   unsigned entry, uint64_t remainder,
                                   const uint64_t *tail) {
  uint64_t bit = tl_block_entry_bit (&t->shape, entry);
  tl_set_bits (block, bit, t->remainder, remainder);
  bit += t->remainder;
  for (unsigned left = t->tail_bits; left;) {
    const unsigned n = left < 64 ? left : 64;
    tl_set_bits (block, bit, n, *tail++);
    bit += n;
    left -= n;
  }
}

// The heads of a block in ascending order; returns how many.
unsigned tl_read_heads (const tl_table *, uint64_t number,
                        const uint64_t *block, uint64_t *head /* [128] */);

// Adds an entry to its bucket, whose entries ascend; false: the block is full.
bool tl_add_entry (const tl_table *, uint64_t *block, tl_bucket,
                   uint64_t remainder, const uint64_t *tail);

// The shape for so many blocks: the fewest remainder bits that tell all heads
// of a bucket apart.
void tl_choose_shape (tl_table *, uint64_t blocks);
size_t tl_table_bytes (const tl_table *, uint64_t blocks);

// A store for the keys that find their block full.
tl_status tl_open_outside (const tl_table *, tl_store **);

// Makes the table larger, or else allows more keys outside.  TL_E_NOMEM only
// if keys were lost.
tl_status tl_table_grow (tl_table *);

#endif
