#include "store/quotient.h"

// Division by a number that stays the same, after Moeller and Granlund (2011):
// the quotient of two words by one with a reciprocal.
typedef struct divider {
  uint64_t divisor, reciprocal; // the divisor shifted to the top
  unsigned shift;
} divider;

static divider make_divider (uint64_t n) {
  const unsigned shift = (unsigned)__builtin_clzll (n);
  const uint64_t d = n << shift;
  return (divider){d, (uint64_t)(~(unsigned __int128)0 / d), shift};
}

// high < divisor
static uint64_t divide (const divider *v, unsigned __int128 n) {
  n <<= v->shift;
  const uint64_t high = (uint64_t)(n >> 64), low = (uint64_t)n;
  unsigned __int128 q = (unsigned __int128)v->reciprocal * high + n;
  uint64_t quotient = (uint64_t)(q >> 64) + 1;
  uint64_t rest = low - quotient * v->divisor;
  if (rest > (uint64_t)q) {
    quotient--;
    rest += v->divisor;
  }
  return quotient + (rest >= v->divisor);
}

// Insertion sort: the entries of a bucket are in no order, the buckets are.
static void sort_entries (tl_entries *e, size_t tail_words) {
  for (unsigned i = 1; i < e->count; i++)
    for (unsigned k = i; k && e->head[k - 1] > e->head[k]; k--) {
      const uint64_t head = e->head[k];
      e->head[k] = e->head[k - 1];
      e->head[k - 1] = head;
      for (size_t w = 0; w < tail_words; w++) {
        uint64_t *left = e->tail + (k - 1) * tail_words + w;
        const uint64_t tail = left[tail_words];
        left[tail_words] = *left;
        *left = tail;
      }
    }
}

void tl_take_apart (const tl_table *t, uint64_t number, const uint64_t *block,
                    tl_entries *e) {
  const unsigned idle = 64 - t->head_bits;
  const size_t tail_words = t->base.spec.key_words - 1;
  // As tl_head_at, with a reciprocal; units of 2^64 are left to that.
  const bool fits = idle + tl_bits_for (t->positions) <= 64;
  const uint64_t unit = fits ? t->positions << idle : 1;
  const divider by = make_divider (unit);
  unsigned __int128 ones = (unsigned __int128)block[1] << 64 | block[0];
  for (e->count = 0; ones; e->count++, ones &= ones - 1) {
    const uint64_t low = (uint64_t)ones;
    const unsigned at =
        low ? (unsigned)__builtin_ctzll (low)
            : 64 + (unsigned)__builtin_ctzll ((uint64_t)(ones >> 64));
    const uint64_t bit = tl_block_entry_bit (&t->shape, e->count);
    const tl_spot s = {number, at - e->count,
                       tl_block_piece (block, bit, t->remainder)};
    e->head[e->count] = fits ? divide (&by, tl_spot_start (t, s) + (unit - 1))
                                   << idle
                             : tl_head_at (t, s);
    tl_copy_tail (t, block, bit + t->remainder,
                  e->tail + e->count * tail_words);
  }
  sort_entries (e, tail_words);
}

bool tl_add_entry (const tl_table *t, uint64_t *block, tl_bucket bucket,
                   uint64_t remainder, const uint64_t *tail) {
  const unsigned count = tl_block_count (block);
  if (count == t->shape.capacity)
    return false;
  tl_block_open_gap (&t->shape, block, bucket, count);
  tl_write_entry (t, block, bucket.first + bucket.count, remainder, tail);
  return true;
}

void tl_choose_shape (tl_table *t, uint64_t blocks) {
  const unsigned __int128 heads = (unsigned __int128)1 << t->head_bits;
  tl_block_shape *s = &t->shape;
  for (t->remainder = 0;; t->remainder++) {
    s->width = t->remainder + t->tail_bits;
    s->capacity = s->width ? (64 * s->words - 128) / s->width : 96;
    if (s->capacity > 96)
      s->capacity = 96;
    s->buckets = 128 - s->capacity;
    if ((unsigned __int128)blocks * s->buckets << t->remainder >= heads)
      break;
  }
  t->blocks = blocks;
  t->positions = blocks * s->buckets;
}

size_t tl_table_bytes (const tl_table *t, uint64_t blocks) {
  // One word more: entries are read in pieces of up to a word.
  return (size_t)(blocks * t->shape.words + 1) * sizeof (uint64_t);
}
