#include "store/quotient.h"

static tl_divider make_divider (uint64_t n) {
  const unsigned shift = (unsigned)__builtin_clzll (n);
  const uint64_t d = n << shift;
  return (tl_divider){d, (uint64_t)(~(unsigned __int128)0 / d), shift};
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

// The unit of tl_head_at, or 0 if it does not fit a word.
static uint64_t unit_of (const tl_table *t) {
  const unsigned idle = 64 - t->head_bits;
  return idle + tl_bits_for (t->positions) <= 64 ? t->positions << idle : 0;
}

unsigned tl_read_heads (const tl_table *t, uint64_t number,
                        const uint64_t *block, uint64_t *head) {
  const tl_divider by = t->by_unit;
  const uint64_t unit = unit_of (t);
  const unsigned idle = 64 - t->head_bits;
  unsigned n = 0;
  for (unsigned w = 0; w < 2; w++)
    for (uint64_t ones = block[w]; ones; n++, ones &= ones - 1) {
      const unsigned at = 64 * w + (unsigned)__builtin_ctzll (ones);
      const tl_spot s = {
          number, at - n,
          tl_get_bits (block, tl_block_entry_bit (&t->shape, n), t->remainder)};
      // As tl_head_at, with a reciprocal.
      head[n] = unit ? divide (&by, tl_spot_start (t, s) + (unit - 1)) << idle
                     : tl_head_at (t, s);
    }
  return n;
}

bool tl_add_entry (const tl_table *t, uint64_t *block, tl_bucket bucket,
                   uint64_t remainder, const uint64_t *tail) {
  const unsigned count = tl_block_count (block);
  if (count == t->shape.capacity)
    return false;
  const unsigned end = bucket.first + bucket.count;
  unsigned at = bucket.first;
  while (at < end && tl_get_bits (block, tl_block_entry_bit (&t->shape, at),
                                  t->remainder) < remainder)
    at++;
  tl_block_open_gap (&t->shape, block, bucket, at, count);
  tl_write_entry (t, block, at, remainder, tail);
  return true;
}

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
  t->by_unit = make_divider (unit_of (t) ? unit_of (t) : 1);
  t->fields = make_fields (t->remainder);
}

size_t tl_table_bytes (const tl_table *t, uint64_t blocks) {
  // One word more: entries are read in pieces of up to a word.
  return (size_t)(blocks * t->shape.words + 1) * sizeof (uint64_t);
}
