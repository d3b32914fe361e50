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

#include "store/block.h"
#include "store/kinds.h"

#include <xxhash.h>

enum {
  FIRST_BLOCKS = 16,
  GROUP = 32 // keys whose memory is on the way at the same time
};

// One in so many keys may be outside its block: many where the store for them
// is itself a table.
static const unsigned outside_share[] = {32, 128};

typedef struct table {
  tl_store base;
  tl_map map;
  uint64_t *words;
  uint64_t blocks;
  tl_block_shape shape;
  unsigned head_bits; // min (key bits, 64)
  unsigned remainder; // bits of an entry that come from the head
  unsigned tail_bits;
  uint64_t positions; // blocks * buckets
  unsigned level;     // 0, or 1 for a table of keys outside another
  tl_store *outside;  // keys that found their block full
  uint64_t room;      // grow when that many are outside
  bool broken;        // a key was lost while growing: no more may be put
} table;

// Where a key belongs and what is left of it.
typedef struct spot {
  uint64_t block;
  unsigned bucket;
  uint64_t remainder;
} spot;

static spot find_spot (const table *t, uint64_t head) {
  const unsigned __int128 in_table = (unsigned __int128)head * t->blocks;
  const unsigned __int128 in_block =
      (unsigned __int128)(uint64_t)in_table * t->shape.buckets;
  return (spot){.block = (uint64_t)(in_table >> 64),
                .bucket = (unsigned)(in_block >> 64),
                .remainder = t->remainder
                                 ? (uint64_t)in_block >> (64 - t->remainder)
                                 : 0};
}

// The head at a spot: the only multiple of its unit that the spot's range
// holds.
static uint64_t head_at (const table *t, spot s) {
  const unsigned __int128 low =
      (unsigned __int128)(s.block * t->shape.buckets + s.bucket) << 64 |
      (t->remainder ? s.remainder << (64 - t->remainder) : 0);
  const unsigned idle = 64 - t->head_bits;
  const unsigned __int128 unit = (unsigned __int128)t->positions << idle;
  return (uint64_t)((low + unit - 1) / unit) << idle;
}

static uint64_t tail_hash (const table *t, const uint64_t *tail) {
  const uint32_t words = t->base.spec.key_words - 1;
  return words == 1 ? tl_mix (*tail + 0x9e3779b97f4a7c15u)
                    : XXH3_64bits (tail, words * sizeof *tail);
}

// Heads are kept at the upper end of a word.  A table of keys outside another
// mixes once more: these keys come from few blocks and must spread anew.
static uint64_t head_of (const table *t, const uint64_t *key) {
  uint64_t head = *key ^ (t->tail_bits ? tail_hash (t, key + 1) : 0);
  for (unsigned i = 0; i <= t->level; i++)
    head = tl_mix_bits (head, t->head_bits);
  return head << (64 - t->head_bits);
}

// Writes the key with that head; the tail is in key[1..] already.
static void key_of (const table *t, uint64_t head, uint64_t *key) {
  head >>= 64 - t->head_bits;
  for (unsigned i = 0; i <= t->level; i++)
    head = tl_unmix_bits (head, t->head_bits);
  *key = head ^ (t->tail_bits ? tail_hash (t, key + 1) : 0);
}

// ---- Shape -----------------------------------------------------------------

// The shape for so many blocks: the fewest remainder bits that tell all heads
// of a bucket apart.
static void choose_shape (table *t, uint64_t blocks) {
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
  table *t = (table *)base;
  if (!t)
    return;
  if (t->outside)
    t->outside->kind->close (t->outside);
  tl_map_close (&t->map);
  tl_mem *mem = base->mem;
  TL_DEL (mem, t, 1);
}

static size_t bytes_for (const table *t, uint64_t blocks) {
  return (size_t)(blocks * t->shape.words + 1) * sizeof (uint64_t);
}

static tl_status open_level (tl_store **, tl_mem *, const tl_store_spec *,
                             unsigned level);

// A store for the keys that find their block full.
static tl_status open_outside (const table *t, tl_store **out) {
  return t->level ? tl_store_plain.open (out, t->base.mem, &t->base.spec)
                  : open_level (out, t->base.mem, &t->base.spec, 1);
}

static tl_status open_level (tl_store **out, tl_mem *mem,
                             const tl_store_spec *spec, unsigned level) {
  *out = 0;
  table *t;
  if (!TL_NEW (mem, t, 1))
    return TL_E_NOMEM;
  const unsigned bits = spec->key_bits ? spec->key_bits : 1;
  t->base = (tl_store){.kind = &tl_store_table, .mem = mem, .spec = *spec};
  t->level = level;
  t->head_bits = bits < 64 ? bits : 64;
  t->tail_bits = bits - t->head_bits;
  t->shape.words = choose_words (bits);
  choose_shape (t, FIRST_BLOCKS);
  t->room = 8;
  tl_status rc = tl_map_open (&t->map, mem);
  if (!rc)
    rc = tl_map_grow (&t->map, bytes_for (t, FIRST_BLOCKS));
  if (!rc)
    rc = open_outside (t, &t->outside);
  if (rc) {
    table_close (&t->base);
    return rc;
  }
  t->words = (uint64_t *)t->map.base;
  *out = &t->base;
  return TL_OK;
}

static tl_status table_open (tl_store **out, tl_mem *mem,
                             const tl_store_spec *spec) {
  return open_level (out, mem, spec, 0);
}

// ---- Entries ---------------------------------------------------------------

static uint64_t *block_at (const table *t, uint64_t number) {
  return t->words + number * t->shape.words;
}

static bool tail_equals (const table *t, const uint64_t *block, uint64_t bit,
                         const uint64_t *tail) {
  unsigned left = t->tail_bits;
  for (; left > 64; left -= 64, bit += 64, tail++)
    if (tl_get_bits (block, bit, 64) != *tail)
      return false;
  return tl_get_bits (block, bit, left) == *tail;
}

static void copy_tail (const table *t, const uint64_t *block, uint64_t bit,
                       uint64_t *tail) {
  unsigned left = t->tail_bits;
  for (; left > 64; left -= 64, bit += 64)
    *tail++ = tl_get_bits (block, bit, 64);
  if (left)
    *tail = tl_get_bits (block, bit, left);
}

static bool entry_equals (const table *t, const uint64_t *block, unsigned entry,
                          uint64_t remainder, const uint64_t *key) {
  const uint64_t bit = tl_block_entry_bit (&t->shape, entry);
  if (tl_block_piece (block, bit, t->remainder) != remainder)
    return false;
  return !t->tail_bits || tail_equals (t, block, bit + t->remainder, key + 1);
}

static void write_entry (const table *t, uint64_t *block, unsigned entry,
                         uint64_t remainder, const uint64_t *key) {
  uint64_t bit = tl_block_entry_bit (&t->shape, entry);
  if (t->remainder)
    tl_set_bits (block, bit, t->remainder, remainder);
  bit += t->remainder;
  for (unsigned left = t->tail_bits; left;) {
    const unsigned n = left < 64 ? left : 64;
    tl_set_bits (block, bit, n, *++key);
    bit += n;
    left -= n;
  }
}

// Adds an entry at the end of its bucket; false: the block is full.
static bool add_entry (const table *t, uint64_t *block, tl_bucket bucket,
                       uint64_t remainder, const uint64_t *key) {
  const unsigned count = tl_block_count (block);
  if (count == t->shape.capacity)
    return false;
  tl_block_open_gap (&t->shape, block, bucket, count);
  write_entry (t, block, bucket.first + bucket.count, remainder, key);
  return true;
}

static tl_status put_outside (table *t, const uint64_t *key, uint8_t *isnew) {
  return t->outside->kind->put (
      t->outside, &(tl_batch){.count = 1, .keys = key, .isnew = isnew});
}

// ---- Growing ---------------------------------------------------------------

// Adds a key that is known to be new while the table is being rebuilt.
static void put_again (table *t, uint64_t head, const uint64_t *key) {
  const spot s = find_spot (t, head);
  uint64_t *block = block_at (t, s.block);
  uint8_t isnew;
  if (!add_entry (t, block, tl_block_bucket (block, s.bucket), s.remainder,
                  key) &&
      put_outside (t, key, &isnew))
    t->broken = true;
}

// Takes the entries out of a copy of a block of the old table and puts them
// where they belong now.
static void scatter (table *t, const table *old, uint64_t number,
                     const uint64_t *block, uint64_t *key) {
  unsigned entry = 0;
  const unsigned count = tl_block_count (block);
  for (unsigned bucket = 0; entry < count; bucket++) {
    const tl_bucket b = tl_block_bucket (block, bucket);
    for (; entry < b.first + b.count; entry++) {
      const uint64_t bit = tl_block_entry_bit (&old->shape, entry);
      const spot s = {number, bucket,
                      tl_block_piece (block, bit, old->remainder)};
      const uint64_t head = head_at (old, s);
      copy_tail (old, block, bit + old->remainder, key + 1);
      key_of (old, head, key);
      put_again (t, head, key);
    }
  }
}

// Puts the keys that were outside where they belong now.
static void gather_outside (table *t, tl_store *outside, uint64_t *key) {
  uint64_t cursor = 0;
  while (outside->kind->each (outside, &cursor, 1, key, true))
    put_again (t, head_of (t, key), key);
  outside->kind->close (outside);
}

// Memory that growing needs for a moment: a block and a key.
typedef struct scratch {
  uint64_t *block, *key;
} scratch;

static tl_status spread (table *t, uint64_t blocks, scratch room) {
  tl_store *outside;
  tl_status rc = open_outside (t, &outside);
  if (rc)
    return rc;
  if ((rc = tl_map_grow (&t->map, bytes_for (t, blocks)))) {
    outside->kind->close (outside);
    return rc;
  }
  const table old = *t;
  t->outside = outside;
  choose_shape (t, blocks);
  // The new place of an entry is never below its old one, so a block is free
  // once it has been copied out.
  for (uint64_t i = old.blocks; i-- > 0;) {
    uint64_t *block = old.words + i * old.shape.words;
    if (!(block[0] | block[1]))
      continue;
    memcpy (room.block, block, old.shape.words * sizeof *block);
    memset (block, 0, old.shape.words * sizeof *block);
    scatter (t, &old, i, room.block, room.key);
  }
  gather_outside (t, old.outside, room.key);
  return TL_OK;
}

// The fewest blocks that hold `entries`; more blocks need fewer bits an entry.
static uint64_t blocks_for (const table *t, uint64_t entries) {
  table trial = *t;
  uint64_t blocks = t->blocks;
  do {
    blocks += t->blocks / 64 + 1;
    choose_shape (&trial, blocks);
  } while (blocks * trial.shape.capacity < entries);
  return blocks;
}

// Makes room for more keys; doubles while small, then an eighth at a time,
// less where memory is short.
static tl_status try_to_grow (table *t, scratch room) {
  static const unsigned parts[] = {1, 8, 16, 32, 64};
  tl_status rc = TL_E_NOMEM;
  const uint64_t holds = t->blocks * t->shape.capacity;
  for (size_t i = t->base.count >> 18 ? 1 : 0;
       rc && i < sizeof parts / sizeof *parts; i++)
    rc = spread (t, blocks_for (t, holds + holds / parts[i]), room);
  return rc;
}

static tl_status grow (table *t) {
  tl_mem *mem = t->base.mem;
  scratch room = {0};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, room.block, t->shape.words + 1) &&
      TL_NEW (mem, room.key, t->base.spec.key_words))
    rc = try_to_grow (t, room);
  if (room.block)
    TL_DEL (mem, room.block, t->shape.words + 1);
  if (room.key)
    TL_DEL (mem, room.key, t->base.spec.key_words);
  // Without memory to grow more keys go outside, as long as that can grow.
  const uint64_t allowed = t->base.count / outside_share[t->level] + 8,
                 more = rc ? t->base.count / 64 + 8 : allowed / 2;
  t->room = t->outside->count + more;
  if (t->room < allowed)
    t->room = allowed;
  return t->broken ? TL_E_NOMEM : TL_OK;
}

// ---- The kind --------------------------------------------------------------

static tl_status put_one (table *t, uint64_t head, const uint64_t *key,
                          uint8_t *isnew) {
  const spot s = find_spot (t, head);
  uint64_t *block = block_at (t, s.block);
  const tl_bucket bucket = tl_block_bucket (block, s.bucket);
  for (unsigned i = 0; i < bucket.count; i++)
    if (entry_equals (t, block, bucket.first + i, s.remainder, key)) {
      *isnew = 0;
      return TL_OK;
    }
  if (add_entry (t, block, bucket, s.remainder, key)) {
    *isnew = 1;
    t->base.count++;
    return TL_OK;
  }
  const tl_status rc = put_outside (t, key, isnew);
  if (rc)
    return rc;
  t->base.count += *isnew;
  if (t->outside->count < t->room)
    return TL_OK;
  return grow (t);
}

static tl_status table_put (tl_store *base, tl_batch *batch) {
  table *t = (table *)base;
  const uint32_t words = base->spec.key_words;
  uint64_t head[GROUP];
  batch->done = 0;
  if (t->broken)
    return TL_E_NOMEM;
  for (size_t from = 0; from < batch->count; from += GROUP) {
    const size_t left = batch->count - from, n = left < GROUP ? left : GROUP;
    const uint64_t *keys = batch->keys + from * words;
    for (size_t i = 0; i < n; i++) {
      head[i] = head_of (t, keys + i * words);
      const spot s = find_spot (t, head[i]);
      const uint64_t *block = block_at (t, s.block);
      __builtin_prefetch (block);
      if (t->shape.words > 8) // where the entry is, if the block is half full
        __builtin_prefetch (block + t->shape.words * s.bucket * 3 /
                                        (4 * t->shape.buckets));
    }
    for (size_t i = 0; i < n; i++, batch->done++) {
      const tl_status rc =
          put_one (t, head[i], keys + i * words, batch->isnew + from + i);
      if (rc)
        return rc;
    }
  }
  return TL_OK;
}

// Cursor: block * 128 + entry, then with an upper bit set that of `outside`,
// which has the next bit for its own.
#define OUTSIDE(T) ((uint64_t)1 << (63 - (T)->level))

static size_t table_each (tl_store *base, uint64_t *cursor, size_t most,
                          uint64_t *keys, bool drain) {
  table *t = (table *)base;
  const uint32_t words = base->spec.key_words;
  size_t n = 0;
  while (n < most && !(*cursor & OUTSIDE (t))) {
    const uint64_t number = *cursor / 128;
    const unsigned entry = *cursor % 128;
    if (number == t->blocks) {
      *cursor = OUTSIDE (t);
      break;
    }
    const uint64_t *block = block_at (t, number);
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
    const spot s = {number, bucket, tl_block_piece (block, bit, t->remainder)};
    copy_tail (t, block, bit + t->remainder, keys + n * words + 1);
    key_of (t, head_at (t, s), keys + n * words);
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
