// Growing a quotient table in place.  The map from heads to blocks is
// monotone, so with more blocks every entry belongs to its old block or to a
// later one: taking the blocks apart from the last to the first, the new
// blocks are finished from the last to the first as well, and each is written
// when nothing is left in its place.

#include "base/tuning.h"
#include "store/quotient.h"
#include "store/slots.h"

// One in so many keys may be in the overflow table: many where that is itself a
// quotient table.
static unsigned overflow_share (const tl_table *t) {
  return t->level == tl_last_level (t) ? 128 : t->base.spec.lean ? 24 : 48;
}

typedef struct regrowth {
  tl_table *table, old;
  size_t tail_words;
  // For the new block being filled, in descending order.
  uint64_t number;
  unsigned count;
  unsigned bucket[TL_MOST_ENTRIES];
  uint64_t remainder[TL_MOST_ENTRIES];
  uint64_t *tail; // [TL_MOST_ENTRIES][tail_words]
  uint64_t *keys; // room for TL_REGROW_GATHER
} regrowth;

static void put_overflow (regrowth *r, const uint64_t *key) {
  uint8_t isnew;
  if (tl_put_overflow (r->table, key, &isnew))
    r->table->broken = true;
}

// The marks of the entries, and the entries if they have no tail: packed word
// by word.
static void write_short (regrowth *r, uint64_t *block) {
  const unsigned width = r->table->remainder;
  uint64_t *out = block + 2, low = 0, high = 0, packed = 0;
  unsigned filled = 0;
  for (unsigned k = 0; k < r->count; k++) {
    const unsigned at = r->count - 1 - k; // ascending
    const unsigned mark = r->bucket[at] + k;
    const uint64_t bit = (uint64_t)1 << mark % 64;
    low |= mark < 64 ? bit : 0;
    high |= mark < 64 ? 0 : bit;
    const uint64_t remainder = r->remainder[at];
    packed |= remainder << filled;
    filled += width;
    if (filled >= 64) {
      filled -= 64;
      *out++ = packed;
      packed = remainder >> 1 >> (width - filled - 1);
    }
  }
  if (filled) // else this may be the next block
    *out = packed;
  block[0] = low;
  block[1] = high;
}

static void write_block (regrowth *r) {
  const tl_table *t = r->table;
  uint64_t *block = tl_block_at (t, r->number);
  for (unsigned k = 0; k < r->count; k++) {
    const unsigned at = r->count - 1 - k; // ascending
    const unsigned mark = r->bucket[at] + k;
    block[mark / 64] |= (uint64_t)1 << mark % 64;
    tl_write_entry (t, block, k, r->remainder[at],
                    r->tail + at * r->tail_words);
  }
}

static void finish_block (regrowth *r) {
  const tl_table *t = r->table;
  if (!t->tail_bits && r->count)
    write_short (r, tl_block_at (t, r->number));
  else
    write_block (r);
  r->count = 0;
}

// The entry is number `entry` of an old block.
static void move_overflow (regrowth *r, uint64_t head, const uint64_t *block,
                           unsigned entry) {
  const tl_table *t = r->table;
  tl_copy_tail (t, block,
                tl_block_entry_bit (&r->old.shape, entry) + r->old.remainder,
                r->keys + 1);
  tl_key_of (t, head, r->keys);
  put_overflow (r, r->keys);
}

// Appends entry number `entry` of an old block, or moves it to the overflow
// table.
static void place (regrowth *r, const tl_spots *spots, const uint64_t *head,
                   const uint64_t *block, unsigned entry) {
  const tl_table *t = r->table;
  if (spots->block[entry] != r->number)
    finish_block (r);
  r->number = spots->block[entry];
  if (r->count == t->shape.capacity) {
    move_overflow (r, head[entry], block, entry);
    return;
  }
  r->bucket[r->count] = (unsigned)spots->bucket[entry];
  r->remainder[r->count] = spots->remainder[entry];
  if (t->tail_bits)
    tl_copy_tail (t, block,
                  tl_block_entry_bit (&r->old.shape, entry) + r->old.remainder,
                  r->tail + r->count * r->tail_words);
  r->count++;
}

static void move_blocks (regrowth *r) {
  const tl_table *old = &r->old;
  uint64_t head[TL_MOST_ENTRIES];
  tl_spots spots;
  r->number = r->table->blocks - 1;
  for (uint64_t i = old->blocks; i-- > 0;) {
    uint64_t *block = tl_block_at (old, i);
    const unsigned n = tl_read_heads (old, i, block, head);
    tl_find_spots (r->table, head, n, &spots);
    for (unsigned k = n; k-- > 0;)
      place (r, &spots, head, block, k);
    block[0] = block[1] = 0;
  }
  finish_block (r);
}

// Puts the keys of the overflow table where they belong now.
static void gather_overflow (regrowth *r) {
  tl_table *t = r->table;
  tl_store *overflow = r->old.overflow;
  const size_t words = r->tail_words + 1;
  tl_spots spots;
  uint64_t cursor = 0;
  for (size_t n; overflow &&
                 (n = overflow->kind->each (overflow, &cursor, TL_REGROW_GATHER,
                                            r->keys, true));) {
    tl_aim (t, r->keys, n, &spots);
    for (size_t i = 0; i < n; i++)
      __builtin_prefetch (tl_block_at (t, spots.block[i]));
    for (size_t i = 0; i < n; i++) {
      const uint64_t *key = r->keys + i * words;
      if (tl_add_entry (t, tl_block_at (t, spots.block[i]),
                        (unsigned)spots.bucket[i], spots.remainder[i],
                        key + 1) == TL_FULL)
        put_overflow (r, key);
    }
  }
  if (overflow)
    overflow->kind->close (overflow);
}

// Bytes for so many keys in a plain store; maps are whole pages, which is less
// than `ROUNDING` in all.
static size_t plain_bytes (const tl_table *t, uint64_t keys) {
  enum { ROUNDING = 8 << 10 };
  const size_t each = (2 + t->base.spec.key_words) * sizeof (uint64_t);
  return TL_SLOTS_BYTES + ROUNDING + (size_t)keys * each;
}

// Bytes for the new overflow table of so many blocks, a generous guess.  One
// that grows on the way has two plain stores for a moment.
static size_t overflow_bytes (const tl_table *t) {
  const uint64_t count = t->base.count, holds = t->blocks * t->shape.capacity,
                 fits = holds / 10 * 9,
                 over = count / 32 + (count > fits ? count - fits : 0);
  const size_t each = tl_table_bytes (t, t->blocks) / holds + 2;
  return t->level ? plain_bytes (t, over)
                  : over * each / 4 * 5 + 2 * plain_bytes (t, over / 32);
}

// Once entries are being moved there is no way back: what that takes must be
// there before.  And as much again as the table gets larger should be left to
// others.
static bool has_memory (const tl_table *t, uint64_t blocks) {
  tl_table trial = *t;
  tl_choose_shape (&trial, blocks);
  const size_t bytes = tl_table_bytes (t, blocks),
               more = bytes > t->map.size ? bytes - t->map.size : 0,
               need = 2 * more + overflow_bytes (&trial);
  return tl_mem_has (t->base.mem, need);
}

static tl_status spread (regrowth *r, uint64_t blocks) {
  tl_table *t = r->table;
  tl_store *overflow = 0;
  if (!has_memory (t, blocks))
    return TL_E_NOMEM;
  tl_status rc = t->level ? TL_OK : tl_open_overflow (t, &overflow);
  if (rc)
    return rc;
  if ((rc = tl_map_grow (&t->map, tl_table_bytes (t, blocks)))) {
    if (overflow)
      overflow->kind->close (overflow);
    return rc;
  }
  t->words = (uint64_t *)t->map.base;
  r->old = *t;
  t->overflow = overflow;
  tl_choose_shape (t, blocks);
  move_blocks (r);
  gather_overflow (r);
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

// Doubles while small, then grows by a quarter and at last an eighth at a time,
// less where memory is short and nobody gives any.  Where a line takes few
// entries a pass moves fewer of them for its time: then it remains a quarter.
// So it does for shards: each has grown at another time, and on an average an
// eighth is empty, for half of the passes.  What counts are the keys of all.
static size_t first_part (const tl_table *t) {
  const bool few = t->shape.words == 8 && t->shape.width > 16,
             quarter = few || t->base.spec.owner_bits;
  const uint64_t count = t->base.count << t->base.spec.owner_bits;
  if (t->base.spec.lean)
    return 2;
  return !(count >> 16) ? 0 : !(count >> 18) || quarter ? 1 : 2;
}

// Entries for which there is to be room: a part more than now, but not more
// than will come, which is told with some error.  Where that was wrong before
// it is believed less.
static uint64_t enough (const tl_table *t, uint64_t now, unsigned part) {
  enum { LEAST = 16, ERROR = 64 };
  const uint64_t more = now + now / part,
                 least = now + (now / LEAST << t->believed);
  if (!t->base.foreseen || t->fills <= 0)
    return more;
  const double all = (double)t->base.foreseen / t->fills * (1 + 1.0 / ERROR);
  const uint64_t size = all > (double)least ? (uint64_t)all : least;
  return size < more ? size : more;
}

static tl_status try_sizes (regrowth *r) {
  static const unsigned parts[] = {1, 4, 8, 16, 32, 64};
  tl_table *t = r->table;
  const uint64_t full = t->blocks * t->shape.capacity,
                 most = full > t->base.count ? full : t->base.count;
  const size_t count = sizeof parts / sizeof *parts - (t->patient ? 2 : 0);
  tl_status rc = TL_E_NOMEM;
  for (size_t i = first_part (t); rc && i < count; i++) {
    const uint64_t size = enough (t, most, parts[i]);
    rc = spread (r, blocks_for (t, size));
    t->believed += !rc && size < most + most / parts[i];
  }
  return rc;
}

static tl_status with_room (regrowth *r) {
  tl_mem *mem = r->table->base.mem;
  const size_t tails = TL_MOST_ENTRIES * r->tail_words + 1,
               keys = TL_REGROW_GATHER * (r->tail_words + 1);
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, r->tail, tails) && TL_NEW (mem, r->keys, keys))
    rc = try_sizes (r);
  TL_DEL (mem, r->tail, tails);
  TL_DEL (mem, r->keys, keys);
  return rc;
}

// Without memory to grow more keys go overflow, as long as that can grow.
static void allow_overflow (tl_table *t, bool grown) {
  const uint64_t allowed = t->base.count / overflow_share (t) + 8,
                 more = grown ? allowed / 2 : t->base.count / 64 + 8;
  t->room = (t->overflow ? t->overflow->count : 0) + more;
  if (t->room < allowed)
    t->room = allowed;
}

static uint64_t holds (const tl_table *t) {
  return t->blocks * t->shape.capacity;
}

tl_status tl_table_grow (tl_table *t) {
  regrowth r = {.table = t, .tail_words = t->base.spec.key_words - 1};
  t->fills = (double)t->base.count / (double)holds (t);
  const tl_status rc = with_room (&r);
  if (rc && t->patient)
    return rc;
  allow_overflow (t, !rc);
  return t->broken ? TL_E_NOMEM : TL_OK;
}

double tl_table_fill (const tl_store *base, uint64_t more) {
  const tl_table *t = (const tl_table *)base;
  return t->broken || t->fills <= 0
             ? 0
             : (double)(base->count + more) / (t->fills * (double)holds (t));
}

void tl_table_prepare (tl_store *base) {
  tl_table *t = (tl_table *)base;
  regrowth r = {.table = t, .tail_words = base->spec.key_words - 1};
  t->patient = true;
  if (!t->broken && !with_room (&r))
    allow_overflow (t, true);
}
