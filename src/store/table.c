// The quotient table: exact, and close to the fewest bits a set can have
// (J. G. Cleary, "Compact hash tables using bidirectional linear probing",
// 1984).
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
// is full goes to an overflow table, thirty times smaller, and from there to a
// plain store; when these become too many, the table grows.
//
// Cost: (r + tail + 128 / entries of a block) / load bits, load 0.85 to 0.95;
// one cache line a lookup for short keys, two for long ones.

#include "base/tuning.h"
#include "store/probe.h"

// Blocks are as long as it takes to hold some forty entries, counted for a
// table of some ten million keys: shorter ones are often full while others are
// half empty.  Entries of 17 to 24 bits are the exception: a line takes 16 of
// them, which costs a twelfth more memory and saves the second line, a quarter
// of the time.  Several threads ask for the same memory: there a line is all of
// a block whenever it takes that many.  A shard has fewer bits of a key, but
// fewer keys, too: what counts are the bits and keys of all shards.
static uint32_t choose_words (const tl_store_spec *spec) {
  const uint32_t bits = spec->key_bits + spec->owner_bits,
                 width = bits > 26 ? bits - 24 : 2;
  const bool lean = spec->lean;
  uint32_t lines = 1;
  if (!lean && (width > 16 || spec->owner_bits) && width <= 24)
    return 8;
  while ((512 * lines - 128) / width < (lean ? 64 : 40))
    lines++;
  return 8 * lines;
}

static void table_close (tl_store *base) {
  tl_table *t = (tl_table *)base;
  if (!t)
    return;
  if (t->overflow)
    t->overflow->kind->close (t->overflow);
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
  t->salt = tl_mix (spec->salt) & tl_low_bits (t->head_bits);
  t->shape.words = choose_words (spec);
  const uint64_t blocks = spec->lean ? 1 : TL_TABLE_BLOCKS;
  tl_choose_shape (t, blocks);
  t->room = 8;
  tl_status rc = TL_OK;
  if (spec->lean || spec->owner_bits)
    tl_map_open_small (&t->map, mem);
  else
    rc = tl_map_open (&t->map, mem);
  if (!rc)
    rc = tl_map_grow (&t->map, tl_table_bytes (t, blocks));
  if (rc) {
    table_close (&t->base);
    return rc;
  }
  t->words = (uint64_t *)t->map.base;
  *out = &t->base;
  return TL_OK;
}

tl_status tl_open_overflow (const tl_table *t, tl_store **out) {
  return t->level == tl_last_level (t)
             ? tl_store_plain.open (out, t->base.mem, &t->base.spec)
             : open_level (out, t->base.mem, &t->base.spec, t->level + 1);
}

// What the overflow table has lost, this one has lost, too.
tl_status tl_put_overflow (tl_table *t, const uint64_t *key, uint8_t *isnew) {
  tl_status rc = t->overflow ? TL_OK : tl_open_overflow (t, &t->overflow);
  if (rc)
    return rc;
  rc = t->overflow->kind->put (
      t->overflow, &(tl_batch){.count = 1, .keys = key, .isnew = isnew});
  t->broken |= rc && t->level < tl_last_level (t) &&
               ((const tl_table *)t->overflow)->broken;
  return rc;
}

static tl_status table_open (tl_store **out, tl_mem *mem,
                             const tl_store_spec *spec) {
  return open_level (out, mem, spec, 0);
}

// ---- Looking up ------------------------------------------------------------

static tl_status put_overflow (tl_table *t, const uint64_t *key,
                               uint8_t *isnew) {
  if (tl_table_is_full (t)) // there was no memory to grow
    return TL_E_NOMEM;
  const tl_status rc = tl_put_overflow (t, key, isnew);
  if (rc)
    return rc;
  t->base.count += *isnew;
  // The key is there in any case: a patient table tells with the next one.
  t->waits = tl_table_is_full (t) && tl_table_grow (t);
  return t->broken ? TL_E_NOMEM : TL_OK;
}

// The key number i of the spots, which may be there.
static inline tl_status add_one (tl_table *t, const tl_spots *s, size_t i,
                                 const uint64_t *key, uint8_t *isnew) {
  const tl_added added =
      tl_add_entry (t, tl_block_at (t, s->block[i]), (unsigned)s->bucket[i],
                    s->remainder[i], key + 1);
  if (added == TL_FULL)
    return put_overflow (t, key, isnew);
  *isnew = added == TL_ADDED;
  t->base.count += added == TL_ADDED;
  return TL_OK;
}

// Of a batch, the group of up to TL_GROUP keys from `from` on.
typedef struct group {
  size_t from, count;
  const uint64_t *keys;
  tl_spots spots;
} group;

// Fewer keys are filled up with block 0: no branch is needed where the memory
// is called for.
static void aim (const tl_table *t, group *g) {
  tl_aim (t, g->keys, g->count, &g->spots);
  for (size_t i = g->count; i < TL_GROUP; i++)
    g->spots.block[i] = 0;
}

static void aim_next (const tl_table *t, const tl_batch *batch, size_t from,
                      group *g) {
  const size_t left = batch->count - from;
  g->from = from;
  g->count = left < TL_GROUP ? left : TL_GROUP;
  g->keys = batch->keys + from * t->base.spec.key_words;
  aim (t, g);
}

// Adds those that were not there a moment ago; one of them may have been added
// since, as it may be twice in the group.
static tl_status add_missing (tl_table *t, tl_batch *batch,
                              const uint8_t *missing, size_t count, group *here,
                              group *next) {
  const uint32_t words = t->base.spec.key_words;
  for (size_t k = 0; k < count; k++) {
    const size_t i = missing[k];
    const uint64_t blocks = t->blocks;
    batch->done = here->from + i;
    const tl_status rc = add_one (t, &here->spots, i, here->keys + i * words,
                                  batch->isnew + here->from + i);
    if (rc)
      return rc;
    if (t->blocks != blocks) { // it has grown: what was computed is void
      aim (t, here);
      aim (t, next);
    }
  }
  return TL_OK;
}

// Looks in the overflow table for those that are not in their blocks.
static void look_overflow (const tl_table *t, tl_batch *batch,
                           const uint8_t *missing, size_t count,
                           const group *here) {
  const uint32_t words = t->base.spec.key_words;
  for (size_t k = 0; k < count; k++) {
    uint8_t *isnew = batch->isnew + here->from + missing[k];
    *isnew = 1;
    if (t->overflow)
      t->overflow->kind->put (
          t->overflow, &(tl_batch){.count = 1,
                                   .keys = here->keys + missing[k] * words,
                                   .look = true,
                                   .isnew = isnew});
  }
}

static tl_status put_groups (tl_table *t, tl_batch *batch) {
  group groups[2];
  uint8_t missing[TL_GROUP];
  memset (batch->isnew, 0, batch->count);
  aim_next (t, batch, 0, groups);
  tl_probe_start (t, &groups->spots);
  tl_status rc = TL_OK;
  for (size_t from = 0; !rc && from < batch->count; from += TL_GROUP) {
    group *here = groups + from / TL_GROUP % 2,
          *next = groups + !(from / TL_GROUP % 2);
    aim_next (t, batch, from + here->count, next);
    const size_t misses = tl_probe_find (t, here->keys, here->count,
                                         &here->spots, &next->spots, missing);
    if (batch->look)
      look_overflow (t, batch, missing, misses, here);
    else
      rc = add_missing (t, batch, missing, misses, here, next);
  }
  return rc;
}

static tl_status put_single (tl_table *t, tl_batch *batch) {
  tl_spots spot;
  *batch->isnew = 0; // no memset: what is read next may wait for that
  tl_aim (t, batch->keys, 1, &spot);
  return add_one (t, &spot, 0, batch->keys, batch->isnew);
}

// ---- The kind --------------------------------------------------------------

static tl_status table_put (tl_store *base, tl_batch *batch) {
  tl_table *t = (tl_table *)base;
  batch->done = 0;
  if (t->broken)
    return TL_E_NOMEM;
  if (!batch->look) {
    t->patient = batch->patient;
    if (t->waits && tl_table_is_full (t) && tl_table_grow (t))
      return TL_E_NOMEM;
    t->waits = false;
  }
  const tl_status rc = batch->count == 1 && !batch->look
                           ? put_single (t, batch)
                           : put_groups (t, batch);
  if (!rc)
    batch->done = batch->count;
  return rc;
}

static void table_call (const tl_store *base, const uint64_t *keys,
                        size_t count) {
  const tl_table *t = (const tl_table *)base;
  const size_t n = count < TL_GROUP ? count : TL_GROUP;
  tl_spots spots;
  tl_aim (t, keys, n, &spots);
  for (size_t i = 0; i < n; i++)
    __builtin_prefetch (tl_block_at (t, spots.block[i]));
}

// Cursor: block * 128 + entry, then with an upper bit set that of `overflow`,
// which has the next bit for its own.
#define OVERFLOW(T) ((uint64_t)1 << (63 - (T)->level))

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
  while (n < most && !(*cursor & OVERFLOW (t))) {
    const uint64_t number = *cursor / 128;
    if (number == t->blocks) {
      *cursor = OVERFLOW (t);
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
  if (t->overflow && *cursor & OVERFLOW (t)) {
    uint64_t inner = *cursor & ~OVERFLOW (t);
    n += t->overflow->kind->each (t->overflow, &inner, most - n,
                                  keys + n * words, drain);
    *cursor = inner | OVERFLOW (t);
  }
  return n;
}

const tl_store_kind tl_store_table = {.name = "table",
                                      .unit = 8,
                                      .steps = 16,
                                      .longest = TL_TABLE_LONGEST,
                                      .looks = true,
                                      .open = table_open,
                                      .put = table_put,
                                      .each = table_each,
                                      .close = table_close,
                                      .fill = tl_table_fill,
                                      .grow = tl_table_prepare,
                                      .call = table_call};
