#ifndef TL_STORE_QUOTIENT_H
#define TL_STORE_QUOTIENT_H

#include "store/block.h"
#include "store/kinds.h"

#include <xxhash.h>

// The arithmetic of the quotient table: where a key belongs, what is stored of
// it there, and back.  See table.c for the whole.

// Division by a number that stays the same: of two words by one, after Moeller
// and Granlund (2011), and of one word where the quotient is short.
typedef struct tl_divider {
  uint64_t divisor, reciprocal; // the divisor shifted to the top
  unsigned shift;
  bool is_short; // the second way can be used
  uint64_t short_reciprocal;
  unsigned drop, keep; // bits below those of the numerator that are looked at,
                       // and of the product that are no part of the quotient
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
  uint64_t salt;      // see tl_store_spec
  uint64_t positions; // blocks * buckets
  tl_divider by;      // positions
  tl_fields fields;
  unsigned level;     // 0, or of an overflow table that of its table + 1
  tl_store *overflow; // keys that found their block full; null: none so far
  uint64_t room;      // grow when that many are in `overflow`
  double fills;       // entries, as a share of its room, when it was last full
  unsigned believed;  // how often it has grown by what was foreseen
  bool patient;       // of the batch being put
  bool waits;         // it is full and patient, and is to grow first
  bool broken;        // a key was lost while growing: no more may be put
} tl_table;

// The overflow table of this level is a plain store, which is fast, but never
// small.
static inline unsigned tl_last_level (const tl_table *t) {
  return t->base.spec.lean ? 2 : 1;
}

// Where keys belong and what is left of them: arrays, as that is what compilers
// make vectors of.
enum { TL_MOST_ENTRIES = 128 };
typedef struct tl_spots {
  uint64_t block[TL_MOST_ENTRIES], bucket[TL_MOST_ENTRIES],
      remainder[TL_MOST_ENTRIES];
} tl_spots;

static inline uint64_t tl_tail_hash (const tl_table *t, const uint64_t *tail) {
  const uint32_t words = t->base.spec.key_words - 1;
  return words == 1 ? tl_mix (*tail + 0x9e3779b97f4a7c15u)
                    : XXH3_64bits (tail, words * sizeof *tail);
}

// An overflow table mixes once more: these keys come from few blocks and must
// spread anew.
static inline uint64_t tl_head_of (const tl_table *t, const uint64_t *key) {
  uint64_t head =
      *key ^ t->salt ^ (t->tail_bits ? tl_tail_hash (t, key + 1) : 0);
  head = tl_mix_bits (head, t->head_bits);
  for (unsigned level = t->level; level; level--)
    head = tl_mix_bits (head, t->head_bits);
  return head;
}

// Writes the key with that head; the tail is in key[1..] already.
static inline void tl_key_of (const tl_table *t, uint64_t head, uint64_t *key) {
  head = tl_unmix_bits (head, t->head_bits);
  for (unsigned level = t->level; level; level--)
    head = tl_unmix_bits (head, t->head_bits);
  *key = head ^ t->salt ^ (t->tail_bits ? tl_tail_hash (t, key + 1) : 0);
}

// Where up to TL_MOST_ENTRIES heads belong; and keys.
void tl_find_spots (const tl_table *, const uint64_t *head, size_t n,
                    tl_spots *);
void tl_aim (const tl_table *, const uint64_t *keys, size_t n, tl_spots *);

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
                        const uint64_t *block,
                        uint64_t *head /* [TL_MOST_ENTRIES] */);

bool tl_has_entry (const tl_table *, const uint64_t *block, tl_bucket,
                   uint64_t remainder, const uint64_t *tail);
// Adds an entry to its bucket, whose entries ascend, unless it is there.
typedef enum tl_added { TL_ADDED, TL_THERE, TL_FULL } tl_added;
tl_added tl_add_entry (const tl_table *, uint64_t *block, unsigned bucket,
                       uint64_t remainder, const uint64_t *tail);

// The shape for so many blocks: the fewest remainder bits that tell all heads
// of a bucket apart.
void tl_choose_shape (tl_table *, uint64_t blocks);
size_t tl_table_bytes (const tl_table *, uint64_t blocks);

// A store for the keys that find their block full.
tl_status tl_open_overflow (const tl_table *, tl_store **);
tl_status tl_put_overflow (tl_table *, const uint64_t *key, uint8_t *isnew);

// Are too many keys in the overflow table?
static inline bool tl_table_is_full (const tl_table *t) {
  return t->overflow && t->overflow->count >= t->room;
}
// Makes the table larger, or else allows more keys in the overflow table.
// TL_E_NOMEM: it is patient and remains full, or keys were lost.
tl_status tl_table_grow (tl_table *);
// See tl_store_kind.
double tl_table_fill (const tl_store *, uint64_t more);
void tl_table_prepare (tl_store *);

#endif
