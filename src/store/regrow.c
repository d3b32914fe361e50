// Growing a quotient table in place.  The map from heads to blocks is
// monotone, so with more blocks every entry belongs to its old block or to a
// later one: taking the blocks apart from the last to the first, the new
// blocks are finished from the last to the first as well, and each is written
// when nothing is left in its place.

#include "store/quotient.h"

// One in so many keys may be outside its block: many where the store for them
// is itself a table.
static const unsigned outside_share[] = {48, 128};

enum { MOST_ENTRIES = 128 };

typedef struct regrowth {
  tl_table *table, old;
  size_t tail_words;
  tl_entries from; // of an old block
  // For the new block being filled, in descending order.
  uint64_t number;
  unsigned count;
  tl_spot *spot;  // [MOST_ENTRIES]
  uint64_t *tail; // [MOST_ENTRIES][tail_words]
  uint64_t *key;  // room for one
} regrowth;

static void put_outside (regrowth *r, const uint64_t *key) {
  tl_table *t = r->table;
  uint8_t isnew;
  if (t->outside->kind->put (
          t->outside, &(tl_batch){.count = 1, .keys = key, .isnew = &isnew}))
    t->broken = true;
}

static void write_block (regrowth *r) {
  const tl_table *t = r->table;
  uint64_t *block = tl_block_at (t, r->number);
  for (unsigned k = 0; k < r->count; k++) {
    const unsigned at = r->count - 1 - k; // ascending
    const unsigned mark = r->spot[at].bucket + k;
    block[mark / 64] |= (uint64_t)1 << mark % 64;
    tl_write_entry (t, block, k, r->spot[at].remainder,
                    r->tail + at * r->tail_words);
  }
  r->count = 0;
}

static void place (regrowth *r, uint64_t head, const uint64_t *tail) {
  const tl_table *t = r->table;
  const tl_spot spot = tl_find_spot (t, head);
  if (spot.block != r->number)
    write_block (r);
  r->number = spot.block;
  if (r->count == t->shape.capacity) {
    memcpy (r->key + 1, tail, r->tail_words * sizeof *tail);
    tl_key_of (t, head, r->key);
    put_outside (r, r->key);
    return;
  }
  r->spot[r->count] = spot;
  memcpy (r->tail + r->count * r->tail_words, tail,
          r->tail_words * sizeof *tail);
  r->count++;
}

static void move_blocks (regrowth *r) {
  const tl_table *old = &r->old;
  r->number = r->table->blocks - 1;
  for (uint64_t i = old->blocks; i-- > 0;) {
    uint64_t *block = old->words + i * old->shape.words;
    if (!(block[0] | block[1]))
      continue;
    tl_take_apart (old, i, block, &r->from);
    memset (block, 0, old->shape.words * sizeof *block);
    for (unsigned k = r->from.count; k-- > 0;)
      place (r, r->from.head[k], r->from.tail + k * r->tail_words);
  }
  write_block (r);
}

// Puts the keys that were outside where they belong now.
static void gather_outside (regrowth *r) {
  tl_table *t = r->table;
  tl_store *outside = r->old.outside;
  uint64_t cursor = 0;
  while (outside->kind->each (outside, &cursor, 1, r->key, true)) {
    const tl_spot s = tl_find_spot (t, tl_head_of (t, r->key));
    uint64_t *block = tl_block_at (t, s.block);
    if (!tl_add_entry (t, block, tl_block_bucket (block, s.bucket), s.remainder,
                       r->key + 1))
      put_outside (r, r->key);
  }
  outside->kind->close (outside);
}

static tl_status spread (regrowth *r, uint64_t blocks) {
  tl_table *t = r->table;
  tl_store *outside;
  tl_status rc = tl_open_outside (t, &outside);
  if (rc)
    return rc;
  if ((rc = tl_map_grow (&t->map, tl_table_bytes (t, blocks)))) {
    outside->kind->close (outside);
    return rc;
  }
  r->old = *t;
  t->outside = outside;
  tl_choose_shape (t, blocks);
  move_blocks (r);
  gather_outside (r);
  return TL_OK;
}

// The fewest blocks that hold `entries`; more blocks need fewer bits an entry.
static uint64_t blocks_for (const tl_table *t, uint64_t entries) {
  tl_table trial = *t;
  uint64_t blocks = t->blocks;
  do {
    blocks += t->blocks / 64 + 1;
    tl_choose_shape (&trial, blocks);
  } while (blocks * trial.shape.capacity < entries);
  return blocks;
}

// Doubles while small, then grows an eighth at a time, less where memory is
// short.
static tl_status try_sizes (regrowth *r) {
  static const unsigned parts[] = {1, 8, 16, 32, 64};
  const tl_table *t = r->table;
  const uint64_t holds = t->blocks * t->shape.capacity;
  tl_status rc = TL_E_NOMEM;
  for (size_t i = t->base.count >> 18 ? 1 : 0;
       rc && i < sizeof parts / sizeof *parts; i++)
    rc = spread (r, blocks_for (t, holds + holds / parts[i]));
  return rc;
}

static tl_status with_room (regrowth *r) {
  tl_mem *mem = r->table->base.mem;
  const size_t tails = MOST_ENTRIES * r->tail_words + 1,
               key_words = r->tail_words + 1;
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, r->from.head, MOST_ENTRIES) &&
      TL_NEW (mem, r->from.tail, tails) &&
      TL_NEW (mem, r->spot, MOST_ENTRIES) && TL_NEW (mem, r->tail, tails) &&
      TL_NEW (mem, r->key, key_words))
    rc = try_sizes (r);
  if (r->from.head)
    TL_DEL (mem, r->from.head, MOST_ENTRIES);
  if (r->from.tail)
    TL_DEL (mem, r->from.tail, tails);
  if (r->spot)
    TL_DEL (mem, r->spot, MOST_ENTRIES);
  if (r->tail)
    TL_DEL (mem, r->tail, tails);
  if (r->key)
    TL_DEL (mem, r->key, key_words);
  return rc;
}

tl_status tl_table_grow (tl_table *t) {
  regrowth r = {.table = t, .tail_words = t->base.spec.key_words - 1};
  const tl_status rc = with_room (&r);
  // Without memory to grow more keys go outside, as long as that can grow.
  const uint64_t allowed = t->base.count / outside_share[t->level] + 8,
                 more = rc ? t->base.count / 64 + 8 : allowed / 2;
  t->room = t->outside->count + more;
  if (t->room < allowed)
    t->room = allowed;
  return t->broken ? TL_E_NOMEM : TL_OK;
}
