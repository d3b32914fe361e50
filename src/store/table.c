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
  AHEAD = 32 // keys whose memory is on the way at the same time
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
    if (tl_get_bits (block, bit, t->remainder) == remainder &&
        (!t->tail_bits || tail_equals (t, block, bit + t->remainder, tail)))
      return true;
  return false;
}

// The same for short entries without a tail, several at a time and without a
// branch: which of them it is cannot be predicted.
static inline bool in_short_bucket (const tl_table *t, const uint64_t *block,
                                    tl_bucket b, uint64_t remainder) {
  const tl_fields *f = &t->fields;
  const unsigned width = t->remainder;
  for (;;) {
    const uint64_t bit = tl_block_entry_bit (&t->shape, b.first);
    const unsigned n = b.count < f->count ? b.count : f->count;
    uint64_t x;
    memcpy (&x, (const unsigned char *)block + bit / 8, sizeof x);
    x = (x >> bit % 8) ^ remainder * f->lowest;
    x |= ~(uint64_t)0 << n * width; // fields that are not in the bucket
    // A field that is 0 borrows; so may the one above, but only then.
    if ((x - f->lowest) & ~x & f->highest)
      return true;
    if (b.count <= f->count)
      return false;
    b.first += n;
    b.count -= n;
  }
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

static __attribute__ ((noinline)) tl_status
add_one (tl_table *t, tl_spot s, const uint64_t *key, uint8_t *isnew) {
  uint64_t *block = tl_block_at (t, s.block);
  if (!tl_add_entry (t, block, tl_block_bucket (block, s.bucket), s.remainder,
                     key + 1))
    return put_outside (t, key, isnew);
  *isnew = 1;
  t->base.count++;
  return TL_OK;
}

static inline __attribute__ ((always_inline)) bool
find_one (const tl_table *t, tl_spot s, const uint64_t *key, bool is_short) {
  const uint64_t *block = tl_block_at (t, s.block);
  const tl_bucket b = tl_block_bucket (block, s.bucket);
  return is_short ? in_short_bucket (t, block, b, s.remainder)
                  : in_bucket (t, block, b, s.remainder, key + 1);
}

// ---- The kind --------------------------------------------------------------

// Where a key belongs, and its block on the way.
static inline tl_spot start_one (const tl_table *t, const uint64_t *key) {
  const tl_spot spot = tl_find_spot (t, tl_head_of (t, key));
  __builtin_prefetch (tl_block_at (t, spot.block));
  return spot;
}

// Where the block is longer than a line: its entry on the way.
static inline void aim_one (const tl_table *t, tl_spot spot) {
  const uint64_t *block = tl_block_at (t, spot.block);
  const tl_bucket b = tl_block_bucket (block, spot.bucket);
  const uint64_t bit = tl_block_entry_bit (&t->shape, b.first);
  __builtin_prefetch (block + bit / 64);
  __builtin_prefetch (block + (bit + t->shape.width) / 64);
}

static inline __attribute__ ((always_inline)) tl_status
put_all (tl_table *t, tl_batch *batch, bool is_short) {
  const uint32_t words = is_short ? 1 : t->base.spec.key_words;
  const uint64_t *keys = batch->keys;
  const size_t count = batch->count;
  tl_table now = *t; // a copy that no store through a pointer changes
  tl_spot spots[AHEAD];
  size_t started = 0, aimed = 0;
  for (size_t i = 0; i < count; i++) {
    for (; started < count && started < i + AHEAD; started++)
      spots[started % AHEAD] = start_one (&now, keys + started * words);
    if (now.shape.words > 8)
      for (; aimed < count && aimed < i + AHEAD / 2; aimed++)
        aim_one (&now, spots[aimed % AHEAD]);
    const tl_spot spot = spots[i % AHEAD];
    const uint64_t *key = keys + i * words;
    batch->isnew[i] = 0;
    if (find_one (&now, spot, key, is_short))
      continue;
    batch->done = i;
    const tl_status rc = add_one (t, spot, key, batch->isnew + i);
    if (rc)
      return rc;
    if (t->blocks != now.blocks) { // it has grown: what was started is void
      now = *t;
      started = aimed = i + 1;
    }
  }
  batch->done = count;
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

// The keys of a block from entry number `from` on, at most `most`.
static size_t read_keys (const tl_table *t, uint64_t number, unsigned from,
                         size_t most, uint64_t *keys) {
  const uint32_t words = t->base.spec.key_words;
  const uint64_t *block = tl_block_at (t, number);
  uint64_t head[128];
  const size_t left = tl_read_heads (t, number, block, head) - from,
               n = left < most ? left : most;
  for (unsigned i = from; i < from + n; i++, keys += words) {
    const uint64_t bit = tl_block_entry_bit (&t->shape, i);
    tl_copy_tail (t, block, bit + t->remainder, keys + 1);
    tl_key_of (t, head[i], keys);
  }
  return n;
}

static size_t table_each (tl_store *base, uint64_t *cursor, size_t most,
                          uint64_t *keys, bool drain) {
  tl_table *t = (tl_table *)base;
  const uint32_t words = base->spec.key_words;
  size_t n = 0;
  while (n < most && !(*cursor & OUTSIDE (t))) {
    const uint64_t number = *cursor / 128;
    if (number == t->blocks) {
      *cursor = OUTSIDE (t);
      break;
    }
    const size_t read =
        read_keys (t, number, *cursor % 128, most - n, keys + n * words);
    n += read;
    *cursor += read;
    if (n < most) { // that was the whole block
      *cursor = (number + 1) * 128;
      if (drain)
        tl_map_discard (&t->map,
                        (size_t)(number * t->shape.words) * sizeof (uint64_t));
    }
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
