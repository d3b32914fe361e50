#include "store/quotient.h"

#include <assert.h>

// ---- Where keys belong -----------------------------------------------------

// With wide products: any table.
static void find_far_spots (const tl_table *t, const uint64_t *head, size_t n,
                            tl_spots *out) {
  const uint64_t blocks = t->blocks, buckets = t->shape.buckets;
  const unsigned idle = 64 - t->head_bits, rest = 64 - t->remainder;
  for (size_t i = 0; i < n; i++) {
    const unsigned __int128 in_table =
        (unsigned __int128)(head[i] << idle) * blocks;
    const unsigned __int128 in_block =
        (unsigned __int128)(uint64_t)in_table * buckets;
    out->block[i] = (uint64_t)(in_table >> 64);
    out->bucket[i] = (uint64_t)(in_block >> 64);
    out->remainder[i] = (uint64_t)in_block >> rest;
  }
}

// The same where the products fit a word, which can be done for many at once.
static void find_near_spots (const tl_table *t, const uint64_t *head, size_t n,
                             tl_spots *out) {
  const uint64_t blocks = t->blocks, buckets = t->shape.buckets,
                 mask = tl_low_bits (t->head_bits);
  const unsigned bits = t->head_bits, rest = bits - t->remainder;
  for (size_t i = 0; i < n; i++) {
    const uint64_t in_table = head[i] * blocks,
                   in_block = (in_table & mask) * buckets;
    out->block[i] = in_table >> bits;
    out->bucket[i] = in_block >> bits;
    out->remainder[i] = (in_block & mask) >> rest;
  }
}

void tl_find_spots (const tl_table *t, const uint64_t *head, size_t n,
                    tl_spots *out) {
  if (t->head_bits + tl_bits_for (t->blocks | t->shape.buckets) <= 64)
    find_near_spots (t, head, n, out);
  else
    find_far_spots (t, head, n, out);
}

void tl_aim (const tl_table *t, const uint64_t *keys, size_t n, tl_spots *out) {
  const uint32_t words = t->base.spec.key_words;
  const unsigned bits = t->head_bits;
  const uint64_t salt = t->salt;
  uint64_t head[TL_MOST_ENTRIES];
  if (words > 1 || t->level)
    for (size_t i = 0; i < n; i++)
      head[i] = tl_head_of (t, keys + i * words);
  else
    for (size_t i = 0; i < n; i++)
      head[i] = tl_mix_bits (keys[i] ^ salt, bits);
  tl_find_spots (t, head, n, out);
}

// ---- And back --------------------------------------------------------------

// The way for quotients of one word by the divisor d, of fewer than SHORT bits:
// with 32 bits of the numerator and of the reciprocal it is right or one too
// small.
enum { SHORT = 28 };

static tl_divider make_divider (uint64_t d, unsigned __int128 most) {
  const unsigned shift = (unsigned)__builtin_clzll (d);
  tl_divider v = {.divisor = d << shift, .shift = shift};
  v.reciprocal = (uint64_t)(~(unsigned __int128)0 / v.divisor);
  if (most >> 63 || most / d >> SHORT)
    return v;
  const unsigned bits = tl_bits_for ((uint64_t)most), width = 64 - shift;
  v.is_short = true;
  v.drop = bits > 32 ? bits - 32 : 0;
  v.keep = width + 31 - v.drop;
  v.short_reciprocal = (uint64_t)(((unsigned __int128)1 << (width + 31)) / d);
  return v;
}

// high < divisor
static inline uint64_t divide (const tl_divider *v, unsigned __int128 n) {
  n <<= v->shift;
  const uint64_t high = (uint64_t)(n >> 64), low = (uint64_t)n;
  unsigned __int128 q = (unsigned __int128)v->reciprocal * high + n;
  uint64_t quotient = (uint64_t)(q >> 64) + 1;
  uint64_t rest = low - quotient * v->divisor;
  // No branches: which of them it is cannot be predicted.
  const bool above = rest > (uint64_t)q;
  quotient -= above;
  rest += above ? v->divisor : 0;
  return quotient + (rest >= v->divisor);
}

// Spots to heads: the least head h with h * positions >= start, where start is
// the spot as a number of head bits below the point.  Heads are whole, and the
// range of a spot holds only one.
static void find_heads (const tl_table *t, uint64_t number, size_t n,
                        const tl_spots *s, uint64_t *head) {
  const uint64_t positions = t->positions;
  const unsigned bits = t->head_bits, rest = bits - t->remainder;
  const unsigned __int128 block = (unsigned __int128)(number * t->shape.buckets)
                                  << bits;
  const tl_divider v = t->by;
  if (!v.is_short) {
    const unsigned __int128 first = block + (positions - 1);
    for (size_t i = 0; i < n; i++)
      head[i] = divide (&v, first + ((unsigned __int128)s->bucket[i] << bits) +
                                (s->remainder[i] << rest));
    return;
  }
  // Relative to the least head of the block, everything fits a word.
  const uint64_t least = divide (&v, block),
                 first = (uint64_t)block - least * positions + (positions - 1);
  for (size_t i = 0; i < n; i++) {
    const uint64_t start =
        first + (s->bucket[i] << bits) + (s->remainder[i] << rest);
    const uint64_t quotient = (start >> v.drop) * v.short_reciprocal >> v.keep;
    const uint64_t left = start - quotient * positions;
    // Not the first number of a head: that would be the last of positions
    // numbers from the spot's first one on.  A spot has no more than these, and
    // if it has as many its first one is a multiple, so that the last is none.
    assert (left != positions);
    head[i] = least + quotient + (left >= positions);
  }
}

unsigned tl_read_heads (const tl_table *t, uint64_t number,
                        const uint64_t *block, uint64_t *head) {
  tl_spots s;
  unsigned n = 0;
  for (unsigned w = 0; w < 2; w++)
    for (uint64_t ones = block[w]; ones; n++, ones &= ones - 1)
      s.bucket[n] = 64 * w + (unsigned)__builtin_ctzll (ones) - n;
  for (unsigned i = 0; i < n; i++)
    s.remainder[i] =
        tl_get_bits (block, tl_block_entry_bit (&t->shape, i), t->remainder);
  find_heads (t, number, n, &s, head);
  return n;
}

// ---- Entries ---------------------------------------------------------------

static bool tail_equals (const tl_table *t, const uint64_t *block, uint64_t bit,
                         const uint64_t *tail) {
  unsigned left = t->tail_bits;
  for (; left > 64; left -= 64, bit += 64, tail++)
    if (tl_get_bits (block, bit, 64) != *tail)
      return false;
  return !left || tl_get_bits (block, bit, left) == *tail;
}

bool tl_has_entry (const tl_table *t, const uint64_t *block, tl_bucket b,
                   uint64_t remainder, const uint64_t *tail) {
  uint64_t bit = tl_block_entry_bit (&t->shape, b.first);
  for (unsigned i = 0; i < b.count; i++, bit += t->shape.width)
    if (tl_get_bits (block, bit, t->remainder) == remainder &&
        tail_equals (t, block, bit + t->remainder, tail))
      return true;
  return false;
}

tl_added tl_add_entry (const tl_table *t, uint64_t *block, unsigned bucket,
                       uint64_t remainder, const uint64_t *tail) {
  const tl_bucket b = tl_block_bucket (block, bucket);
  const unsigned end = b.first + b.count;
  unsigned at = b.first;
  for (; at < end; at++) {
    const uint64_t bit = tl_block_entry_bit (&t->shape, at),
                   other = tl_get_bits (block, bit, t->remainder);
    if (other > remainder)
      break;
    if (other == remainder && tail_equals (t, block, bit + t->remainder, tail))
      return TL_THERE;
  }
  const unsigned count = tl_block_count (block);
  if (count == t->shape.capacity)
    return TL_FULL;
  tl_block_open_gap (&t->shape, block, b, at, count);
  tl_write_entry (t, block, at, remainder, tail);
  return TL_ADDED;
}

// ---- Shapes ---------------------------------------------------------------

static tl_fields make_fields (unsigned width) {
  tl_fields f = {.count = 57 / width};
  for (unsigned i = 0; i < f.count; i++)
    f.lowest |= (uint64_t)1 << i * width;
  f.highest = f.lowest << (width - 1);
  return f;
}

void tl_choose_shape (tl_table *t, uint64_t blocks) {
  const unsigned __int128 heads = (unsigned __int128)1 << t->head_bits;
  tl_block_shape *s = &t->shape;
  for (t->remainder = 1;; t->remainder++) {
    s->width = t->remainder + t->tail_bits;
    s->capacity = (64 * s->words - 128) / s->width;
    if (s->capacity > 96)
      s->capacity = 96;
    s->buckets = 128 - s->capacity;
    if ((unsigned __int128)blocks * s->buckets << t->remainder >= heads)
      break;
  }
  t->blocks = blocks;
  t->positions = blocks * s->buckets;
  // The largest number that is divided, see find_heads.
  t->by = make_divider (t->positions,
                        2 * (unsigned __int128)t->positions + (heads << 7));
  t->fields = make_fields (t->remainder);
}

size_t tl_table_bytes (const tl_table *t, uint64_t blocks) {
  // One word more: entries are read in pieces of up to a word.
  return (size_t)(blocks * t->shape.words + 1) * sizeof (uint64_t);
}
