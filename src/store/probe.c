#include "store/probe.h"

void tl_probe_start (const tl_table *t, const tl_spots *p) {
  for (size_t i = 0; i < TL_GROUP; i++)
    __builtin_prefetch (tl_block_at (t, p->block[i]));
}

// Short entries without a tail are compared several at a time and without a
// branch: which of them it is cannot be predicted.
static inline uint64_t in_short_bucket (const uint64_t *block, tl_bucket b,
                                        uint64_t remainder, unsigned width,
                                        tl_fields f) {
  uint64_t hit = 0;
  for (;;) {
    const unsigned bit = 128 + b.first * width;
    const unsigned n = b.count < f.count ? b.count : f.count;
    uint64_t x;
    memcpy (&x, (const unsigned char *)block + bit / 8, sizeof x);
    x = (x >> bit % 8) ^ remainder * f.lowest;
    x |= ~(uint64_t)0 << n * width; // fields that are not in the bucket
    // A field that is 0 borrows; so may the one above, but only then.
    hit |= (x - f.lowest) & ~x & f.highest;
    if (__builtin_expect (b.count <= f.count, 1))
      return hit;
    b.first += n;
    b.count -= n;
  }
}

static size_t find_short (const tl_table *t, size_t n, const tl_spots *p,
                          const tl_spots *next, uint8_t *missing) {
  const uint64_t *words = t->words;
  const unsigned step = t->shape.words, width = t->remainder;
  const tl_fields fields = t->fields;
  size_t misses = 0;
  for (size_t i = 0; i < n; i++) {
    __builtin_prefetch (words + next->block[i] * step);
    const uint64_t *block = words + p->block[i] * step;
    const tl_bucket b = tl_block_bucket (block, (unsigned)p->bucket[i]);
    missing[misses] = (uint8_t)i;
    misses += !in_short_bucket (block, b, p->remainder[i], width, fields);
  }
  return misses;
}

// Where a block is longer than a line: the entries on the way.
static void call_entries (const tl_table *t, size_t n, const tl_spots *p) {
  for (size_t i = 0; i < n; i++) {
    const uint64_t *block = tl_block_at (t, p->block[i]);
    const tl_bucket b = tl_block_bucket (block, (unsigned)p->bucket[i]);
    const uint64_t bit = tl_block_entry_bit (&t->shape, b.first);
    __builtin_prefetch (block + bit / 64);
    __builtin_prefetch (block + (bit + t->shape.width) / 64);
  }
}

static size_t find_long (const tl_table *t, const uint64_t *keys, size_t n,
                         const tl_spots *p, const tl_spots *next,
                         uint8_t *missing) {
  const uint32_t words = t->base.spec.key_words;
  size_t misses = 0;
  for (size_t i = 0; i < n; i++, keys += words) {
    __builtin_prefetch (tl_block_at (t, next->block[i]));
    const uint64_t *block = tl_block_at (t, p->block[i]);
    missing[misses] = (uint8_t)i;
    misses += !tl_has_entry (t, block,
                             tl_block_bucket (block, (unsigned)p->bucket[i]),
                             p->remainder[i], keys + 1);
  }
  return misses;
}

size_t tl_probe_find (const tl_table *t, const uint64_t *keys, size_t n,
                      const tl_spots *p, const tl_spots *next,
                      uint8_t *missing) {
  if (t->shape.words > 8)
    call_entries (t, n, p);
  // 28 bits at most, so that two fields fit.
  return !t->tail_bits && t->remainder <= 28
             ? find_short (t, n, p, next, missing)
             : find_long (t, keys, n, p, next, missing);
}
