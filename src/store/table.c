// The quotient table: exact, and close to the fewest bits a set can have
// (Cleary 1984; FRONTIER of the field: quotienting after an invertible mix).
//
// The key goes through a bijection; the position in the table tells most of
// the result and only the rest, the remainder, is stored.
//
//     key of b <= 64 bits  -- mix -->  head, b bits
//     longer key: head = mix (first word ^ hash of the others), tail = others
//
//     head * blocks * buckets = | which block | which bucket | remainder ... |
//
// An entry is the r upper bits of what is left of that product, r just large
// enough that no two heads of a bucket get the same, followed by the tail.
// The map is monotone, so any number of blocks will do and growing is one
// pass from the top to the bottom inside the same memory.  A key whose block
// is full goes to a second table, thirty times smaller, and from there to a
// plain store; when these become too many, the table grows.
//
// Cost: (r + tail + 128 / entries of a block) / load bits, load 0.85 to 0.95;
// one cache line a lookup for short keys, two for long ones.

#include "store/quotient.h"

enum {
  FIRST_BLOCKS = 16,
  GROUP = 32 // keys whose memory is on the way at the same time
};

// Blocks are as long as it takes to hold some forty entries, counted for a
// table of some ten million keys: shorter ones are often full while others are
// half empty.
static uint32_t choose_words (uint32_t key_bits) {
  const uint32_t width = key_bits > 26 ? key_bits - 24 : 2;
  uint32_t lines = 1;
  while ((512 * lines - 128) / width < 40)
    lines++;
  return 8 * lines;
}

static void table_close (tl_store *base) {
  tl_table *t = (tl_table *)base;
  if (!t)
    return;
  if (t->outside)
    t->outside->kind->close (t->outside);
  tl_map_close (&t->map);
  tl_mem *mem = base->mem;
  TL_DEL (mem, t, 1);
}

static tl_status open_level (tl_store **out, tl_mem *mem,
                             const tl_store_spec *spec, unsigned level) {
  *out = 0;
  tl_table *t;
  if (!TL_NEW (mem, t, 1))
    return TL_E_NOMEM;
  const unsigned bits = spec->key_bits ? spec->key_bits : 1;
  t->base = (tl_store){.kind = &tl_store_table, .mem = mem, .spec = *spec};
  t->level = level;
  t->head_bits = bits < 64 ? bits : 64;
  t->tail_bits = bits - t->head_bits;
  t->shape.words = choose_words (bits);
  tl_choose_shape (t, FIRST_BLOCKS);
  t->room = 8;
  tl_status rc = tl_map_open (&t->map, mem);
  if (!rc)
    rc = tl_map_grow (&t->map, tl_table_bytes (t, FIRST_BLOCKS));
  if (!rc)
    rc = tl_open_outside (t, &t->outside);
  if (rc) {
    table_close (&t->base);
    return rc;
  }
  t->words = (uint64_t *)t->map.base;
  *out = &t->base;
  return TL_OK;
}

tl_status tl_open_outside (const tl_table *t, tl_store **out) {
  return t->level ? tl_store_plain.open (out, t->base.mem, &t->base.spec)
                  : open_level (out, t->base.mem, &t->base.spec, 1);
}

static tl_status table_open (tl_store **out, tl_mem *mem,
                             const tl_store_spec *spec) {
  return open_level (out, mem, spec, 0);
}

// ---- Looking up ------------------------------------------------------------

static bool tail_equals (const tl_table *t, const uint64_t *block, uint64_t bit,
                         const uint64_t *tail) {
  unsigned left = t->tail_bits;
  for (; left > 64; left -= 64, bit += 64, tail++)
    if (tl_get_bits (block, bit, 64) != *tail)
      return false;
  return tl_get_bits (block, bit, left) == *tail;
}

static bool in_bucket (const tl_table *t, const uint64_t *block, tl_bucket b,
                       uint64_t remainder, const uint64_t *tail) {
  uint64_t bit = tl_block_entry_bit (&t->shape, b.first);
  for (unsigned i = 0; i < b.count; i++, bit += t->shape.width)
    if (tl_block_piece (block, bit, t->remainder) == remainder &&
        (!t->tail_bits || tail_equals (t, block, bit + t->remainder, tail)))
      return true;
  return false;
}

// The same for entries of at most 28 bits without a tail, two at a time and
// without a branch: which of them it is cannot be predicted.
static inline bool in_short_bucket (const tl_table *t, const uint64_t *block,
                                    tl_bucket b, uint64_t remainder) {
  const unsigned width = t->remainder;
  const uint64_t bit = tl_block_entry_bit (&t->shape, b.first),
                 mask = tl_low_bits (width);
  uint64_t two;
  memcpy (&two, (const unsigned char *)block + bit / 8, sizeof two);
  two = (two >> bit % 8) ^ (remainder | remainder << width);
  const bool first = (!(two & mask)) & (b.count > 0),
             second = (!(two >> width & mask)) & (b.count > 1);
  if (first | second)
    return true;
  if (b.count <= 2)
    return false;
  b.first += 2;
  b.count -= 2;
  return in_bucket (t, block, b, remainder, 0);
}

static tl_status put_outside (tl_table *t, const uint64_t *key,
                              uint8_t *isnew) {
  const tl_status rc = t->outside->kind->put (
      t->outside, &(tl_batch){.count = 1, .keys = key, .isnew = isnew});
  if (rc)
    return rc;
  t->base.count += *isnew;
  return t->outside->count < t->room ? TL_OK : tl_table_grow (t);
}

static inline __attribute__ ((always_inline)) tl_status
put_one (tl_table *t, tl_spot s, const uint64_t *key, uint8_t *isnew,
         bool is_short) {
  uint64_t *block = tl_block_at (t, s.block);
  const tl_bucket bucket = tl_block_bucket (block, s.bucket);
  *isnew = 0;
  if (is_short ? in_short_bucket (t, block, bucket, s.remainder)
               : in_bucket (t, block, bucket, s.remainder, key + 1))
    return TL_OK;
  if (!tl_add_entry (t, block, bucket, s.remainder, key + 1))
    return put_outside (t, key, isnew);
  *isnew = 1;
  t->base.count++;
  return TL_OK;
}

// ---- The kind --------------------------------------------------------------

static inline __attribute__ ((always_inline)) tl_status
put_all (tl_table *t, tl_batch *batch, bool is_short) {
  const uint32_t words = is_short ? 1 : t->base.spec.key_words;
  tl_spot spot[GROUP];
  for (size_t from = 0; from < batch->count; from += GROUP) {
    const size_t left = batch->count - from, n = left < GROUP ? left : GROUP;
    const uint64_t *keys = batch->keys + from * words;
    for (size_t i = 0; i < n; i++) {
      spot[i] = tl_find_spot (t, tl_head_of (t, keys + i * words));
      const uint64_t *block = tl_block_at (t, spot[i].block);
      __builtin_prefetch (block);
      if (t->shape.words > 8) // where the entry is in a block nearly full
        __builtin_prefetch (block +
                            t->shape.words * spot[i].bucket / t->shape.buckets);
    }
    const uint64_t blocks = t->blocks;
    for (size_t i = 0; i < n; i++, batch->done++) {
      const uint64_t *key = keys + i * words;
      if (t->blocks != blocks) // it has grown meanwhile
        spot[i] = tl_find_spot (t, tl_head_of (t, key));
      const tl_status rc =
          put_one (t, spot[i], key, batch->isnew + from + i, is_short);
      if (rc)
        return rc;
    }
  }
  return TL_OK;
}

static tl_status table_put (tl_store *base, tl_batch *batch) {
  tl_table *t = (tl_table *)base;
  batch->done = 0;
  if (t->broken)
    return TL_E_NOMEM;
  // 28 bits at most from the first: growing only makes entries shorter.
  return !t->tail_bits && t->remainder <= 28 ? put_all (t, batch, true)
                                             : put_all (t, batch, false);
}

// Cursor: block * 128 + entry, then with an upper bit set that of `outside`,
// which has the next bit for its own.
#define OUTSIDE(T) ((uint64_t)1 << (63 - (T)->level))

static size_t table_each (tl_store *base, uint64_t *cursor, size_t most,
                          uint64_t *keys, bool drain) {
  tl_table *t = (tl_table *)base;
  const uint32_t words = base->spec.key_words;
  size_t n = 0;
  while (n < most && !(*cursor & OUTSIDE (t))) {
    const uint64_t number = *cursor / 128;
    const unsigned entry = *cursor % 128;
    if (number == t->blocks) {
      *cursor = OUTSIDE (t);
      break;
    }
    const uint64_t *block = tl_block_at (t, number);
    if (entry == tl_block_count (block)) {
      *cursor = (number + 1) * 128;
      if (drain)
        tl_map_discard (&t->map,
                        (size_t)(number * t->shape.words) * sizeof (uint64_t));
      continue;
    }
    unsigned bucket = 0;
    for (tl_bucket b;
         b = tl_block_bucket (block, bucket), entry >= b.first + b.count;)
      bucket++;
    const uint64_t bit = tl_block_entry_bit (&t->shape, entry);
    const tl_spot s = {number, bucket,
                       tl_block_piece (block, bit, t->remainder)};
    tl_copy_tail (t, block, bit + t->remainder, keys + n * words + 1);
    tl_key_of (t, tl_head_at (t, s), keys + n * words);
    n++;
    ++*cursor;
  }
  if (*cursor & OUTSIDE (t)) {
    uint64_t inner = *cursor & ~OUTSIDE (t);
    n += t->outside->kind->each (t->outside, &inner, most - n, keys + n * words,
                                 drain);
    *cursor = inner | OUTSIDE (t);
  }
  return n;
}

const tl_store_kind tl_store_table = {
    .name = "table",
    .open = table_open,
    .put = table_put,
    .each = table_each,
    .close = table_close,
};
