#include "store/runs.h"

#include "base/tuning.h"

#include <string.h>

enum {
  FIRST_BLOCKS = 8,
  LEAST_SLOTS = 40,
  MOST_ROUNDED = 40,    // bits of a head that doubles can tell by rounding
  MOST_OFFSET = 1 << 22 // what the bits of an offset can tell
};

// Per cent of the slots that are filled before the table grows, if runs are not
// long, and in any case.
static const unsigned usual_load = 95, largest_load = 98;

// ---- Bits ------------------------------------------------------------------

static unsigned piece (uint64_t bits) {
  return bits < 64 ? (unsigned)bits : 64;
}

static void copy_bits (uint64_t *to, uint64_t to_bit, const uint64_t *from,
                       uint64_t from_bit, uint64_t count) {
  for (unsigned n; count; count -= n, to_bit += n, from_bit += n) {
    n = piece (count);
    tl_set_bits (to, to_bit, n, tl_get_bits (from, from_bit, n));
  }
}

// Word number `i` of what the words are when all bits move up by `by` places.
static inline uint64_t moved_word (const uint64_t *words, uint64_t i,
                                   unsigned by) {
  const uint64_t *from = words + i - by / 64;
  return from[0] << by % 64 | from[-1] >> 1 >> (63 - by % 64);
}

// The bits under the mask become those of `value`.
static inline void blend (uint64_t *word, uint64_t mask, uint64_t value) {
  *word ^= (*word ^ value) & mask;
}

// Moves the bits [from, to), which are not in the first word, up by `by`
// places; what they leave is not cleared.
static void shift_up (uint64_t *words, uint64_t from, uint64_t to,
                      unsigned by) {
  if (from == to)
    return;
  const uint64_t first = (from + by) / 64, last = (to + by - 1) / 64;
  const uint64_t low = ~tl_low_bits ((from + by) % 64),
                 high = ~(uint64_t)0 >> (-(to + by) % 64);
  if (first == last) {
    blend (words + last, low & high, moved_word (words, last, by));
    return;
  }
  blend (words + last, high, moved_word (words, last, by));
  for (uint64_t i = last - 1; i > first; i--)
    words[i] = moved_word (words, i, by);
  blend (words + first, low, moved_word (words, first, by));
}

static bool equal_bits (const uint64_t *a, uint64_t a_bit, const uint64_t *b,
                        uint64_t count) {
  for (unsigned n; count; count -= n, a_bit += n, b++) {
    n = piece (count);
    if (tl_get_bits (a, a_bit, n) != *b)
      return false;
  }
  return true;
}

// ---- Shape -----------------------------------------------------------------

// The slots a block has: as many as waste no word, in whole cache lines where
// that costs little.
static void choose_block (tl_runs *r) {
  double least = 0;
  for (unsigned slots = TL_RUNS_SLOTS; slots >= LEAST_SLOTS; slots--) {
    const unsigned words = (TL_RUNS_META + slots * r->width + 63) / 64;
    const double cost = (double)words / slots * (words % 8 ? 1.03 : 1);
    if (slots == TL_RUNS_SLOTS || cost < least) {
      least = cost;
      r->slots = slots;
      r->block_words = words;
    }
  }
}

static void choose_shape (tl_runs *r, uint64_t blocks, unsigned head_bits) {
  const unsigned __int128 heads = (unsigned __int128)1 << head_bits;
  r->head_bits = head_bits;
  r->blocks = blocks;
  for (r->remainder = 1;; r->remainder++) {
    r->width = r->remainder + r->payload_bits;
    choose_block (r);
    // A little more than it takes, so that heads can be told by rounding.
    if ((unsigned __int128)blocks * r->slots << r->remainder >=
        heads + heads / 64)
      break;
  }
  r->room = blocks * r->slots / 100 * usual_load;
  r->heads_apart = (double)heads / ((double)blocks * r->slots);
  r->remainder_unit = 1 / (double)((uint64_t)1 << r->remainder);
}

static size_t block_bytes (const tl_runs *r) {
  return r->block_words * sizeof (uint64_t);
}

// Blocks with those behind the last home.
static uint64_t all_blocks (const tl_runs *r) {
  return r->blocks + TL_RUNS_TAIL / r->slots + 3;
}

static size_t table_bytes (const tl_runs *r) {
  return (size_t)all_blocks (r) * block_bytes (r);
}

tl_status tl_runs_open (tl_runs *r, tl_mem *mem, unsigned head_bits,
                        unsigned payload_bits) {
  *r = (tl_runs){.payload_bits = payload_bits};
  choose_shape (r, FIRST_BLOCKS, head_bits);
  tl_status rc = tl_map_open (&r->map, mem);
  if (!rc && (rc = tl_map_grow (&r->map, table_bytes (r))))
    tl_map_close (&r->map);
  r->words = (uint64_t *)r->map.base;
  return rc;
}

void tl_runs_close (tl_runs *r) {
  tl_map_close (&r->map);
  *r = (tl_runs){0};
}

// The head is the only number whose product with homes is in the range that
// home and remainder leave, and that is less than one head wide.
uint64_t tl_runs_head (const tl_runs *r, tl_home h) {
  const uint64_t home = h.block * r->slots + h.slot;
  if (r->head_bits <= MOST_ROUNDED) {
    const double middle = (double)h.remainder + .5;
    return (uint64_t)(((double)home + middle * r->remainder_unit) *
                          r->heads_apart +
                      .5);
  }
  const unsigned __int128 low =
      (unsigned __int128)home << 64 | h.remainder << (64 - r->remainder);
  const unsigned __int128 unit = (unsigned __int128)(r->blocks * r->slots)
                                 << (64 - r->head_bits);
  return (uint64_t)((low + unit - 1) / unit);
}

// ---- Reading ---------------------------------------------------------------

void tl_runs_payload (const tl_runs *r, tl_spot at, uint64_t *payload) {
  uint64_t bit = tl_runs_bit (r, at) + r->remainder;
  unsigned left = r->payload_bits;
  for (unsigned n; left; left -= n, bit += n) {
    n = piece (left);
    *payload++ = tl_get_bits (at.block, bit, n);
  }
}

bool tl_runs_has (const tl_runs *r, uint64_t head, const uint64_t *payload) {
  const tl_home h = tl_runs_home (r, head);
  uint64_t *block = tl_runs_block (r, h.block);
  tl_spot at;
  if (!tl_runs_find (r, head, &at))
    return false;
  do {
    const uint64_t bit = tl_runs_bit (r, at);
    if (tl_get_bits (at.block, bit, r->remainder) != h.remainder)
      return false;
    if (equal_bits (at.block, bit + r->remainder, payload, r->payload_bits))
      return true;
  } while (tl_runs_back (r, block, h.slot, &at));
  return false;
}

// Most entries are shorter than a word.
static inline __attribute__ ((always_inline)) void
write_entry (const tl_runs *r, tl_spot at, uint64_t remainder,
             const uint64_t *from, uint64_t payload_bit) {
  const uint64_t bit = tl_runs_bit (r, at);
  if (r->width > 64) {
    tl_set_bits (at.block, bit, r->remainder, remainder);
    copy_bits (at.block, bit + r->remainder, from, payload_bit,
               r->payload_bits);
    return;
  }
  if (r->payload_bits)
    remainder |= tl_get_bits (from, payload_bit, r->payload_bits)
                 << r->remainder;
  tl_set_bits (at.block, bit, r->width, remainder);
}

static uint64_t homes_of (const uint64_t *block) {
  return block[0] & tl_low_bits (TL_RUNS_SLOTS);
}

// Inlined where all pairs are read: what the cursor says then stays in
// registers.
static inline __attribute__ ((always_inline)) bool
next_entry (const tl_runs *r, tl_runs_cursor *c) {
  if (!c->begun) {
    c->begun = true;
    c->left = homes_of (r->words);
  }
  if (!c->in_run) {
    while (!c->left) {
      if (++c->block >= r->blocks)
        return false;
      c->left = homes_of (tl_runs_block (r, c->block));
    }
    c->home.block = c->block;
    c->home.slot = (unsigned)__builtin_ctzll (c->left);
    c->left &= c->left - 1;
    if (c->next_block < c->block ||
        (c->next_block == c->block && c->next_slot < c->home.slot)) {
      c->next_block = c->block;
      c->next_slot = c->home.slot;
    }
  }
  c->at = (tl_spot){tl_runs_block (r, c->next_block), c->next_slot};
  c->home.remainder =
      tl_get_bits (c->at.block, tl_runs_bit (r, c->at), r->remainder);
  c->in_run = !(c->at.block[1] >> c->next_slot & 1);
  if (++c->next_slot == r->slots) {
    c->next_slot = 0;
    c->next_block++;
  }
  return true;
}

bool tl_runs_next (const tl_runs *r, tl_runs_cursor *c) {
  return next_entry (r, c);
}

// ---- Places ----------------------------------------------------------------

static tl_spot normal (const tl_runs *r, tl_spot at) {
  while (at.slot >= r->slots) {
    at.slot -= r->slots;
    at.block += r->block_words;
  }
  return at;
}

static tl_spot after (const tl_runs *r, tl_spot at) {
  at.slot++;
  return normal (r, at);
}

static bool before (tl_spot a, tl_spot b) {
  return a.block < b.block || (a.block == b.block && a.slot < b.slot);
}

// The slot behind all runs whose homes are before home number `home` of the
// block.
static tl_spot behind (const tl_runs *r, uint64_t *block, unsigned home) {
  const unsigned runs =
      (unsigned)__builtin_popcountll (block[0] & tl_low_bits (home));
  return runs ? after (r, tl_runs_end (r, block, runs))
              : normal (r, (tl_spot){block, tl_block_offset (block)});
}

void tl_runs_seek (const tl_runs *r, uint64_t head, tl_runs_cursor *c) {
  const tl_home h = tl_runs_home (r, head);
  uint64_t *block = tl_runs_block (r, h.block);
  const tl_spot at = behind (r, block, h.slot);
  *c = (tl_runs_cursor){.begun = true,
                        .block = h.block,
                        .left = homes_of (block) & ~tl_low_bits (h.slot),
                        .next_block =
                            (uint64_t)(at.block - r->words) / r->block_words,
                        .next_slot = at.slot};
}

// The first empty slot from `at` on.
static tl_spot first_empty (const tl_runs *r, tl_spot at) {
  for (tl_spot next;
       next = behind (r, at.block, at.slot + 1), before (at, next);)
    at = next;
  return at;
}

// ---- Adding ----------------------------------------------------------------

static void find_gap (const tl_runs *r, uint64_t head, tl_gap *g) {
  g->home = tl_runs_home (r, head);
  uint64_t *block = tl_runs_block (r, g->home.block);
  const tl_spot home = {block, g->home.slot};
  g->new_run = !(block[0] >> home.slot & 1);
  g->last_of_run = true;
  g->at = behind (r, block, home.slot + 1);
  if (g->new_run) {
    if (before (g->at, home))
      g->at = home;
  } else {
    tl_spot last = tl_runs_end (r, block,
                                (unsigned)__builtin_popcountll (
                                    block[0] & tl_low_bits (home.slot + 1)));
    do {
      if (tl_get_bits (last.block, tl_runs_bit (r, last), r->remainder) <=
          g->home.remainder)
        break;
      g->at = last;
      g->last_of_run = false;
    } while (tl_runs_back (r, block, home.slot, &last));
  }
  g->empty = first_empty (r, g->at);
}

// Is the slot one that may be used, and have blocks bits for their offsets?
static bool gap_fits (const tl_runs *r, const tl_gap *g) {
  const uint64_t block = (uint64_t)(g->empty.block - r->words) / r->block_words;
  return (block < r->blocks ||
          (block - r->blocks) * r->slots + g->empty.slot < TL_RUNS_TAIL) &&
         r->furthest + 1 < MOST_OFFSET;
}

static tl_status enlarge (tl_runs *, unsigned more_bits, const uint64_t *low);

tl_status tl_runs_gap (tl_runs *r, uint64_t head, tl_gap *g) {
  tl_status rc = tl_runs_full (r) ? tl_runs_grow (r, 0, 0) : TL_OK;
  while (!rc) {
    find_gap (r, head, g);
    if (gap_fits (r, g))
      break;
    rc = enlarge (r, 0, 0);
  }
  return rc;
}

// Moves the entries [from, to) of a block one slot up.
static void move_up (const tl_runs *r, uint64_t *block, unsigned from,
                     unsigned to) {
  shift_up (block, tl_runs_bit (r, (tl_spot){block, from}),
            tl_runs_bit (r, (tl_spot){block, to}), r->width);
  const uint64_t moved = block[1] & tl_low_bits (to) & ~tl_low_bits (from);
  block[1] = (block[1] & ~(moved | (uint64_t)1 << to)) | moved << 1;
}

static void set_offset (uint64_t *block, uint64_t offset) {
  const unsigned low = 64 - TL_RUNS_SLOTS;
  block[0] = homes_of (block) | (offset & tl_low_bits (low)) << TL_RUNS_SLOTS;
  block[1] = tl_block_ends (block) | offset >> low << TL_RUNS_SLOTS;
}

static void count_offsets (tl_runs *r, const tl_gap *g) {
  uint64_t *block = tl_runs_block (r, g->home.block);
  while ((block += r->block_words) <= g->empty.block) {
    const uint64_t offset = tl_block_offset (block) + 1;
    set_offset (block, offset);
    if (offset > r->furthest)
      r->furthest = offset;
  }
}

// Makes the empty slot of the gap the one where the entry belongs.
static void open_gap (const tl_runs *r, const tl_gap *g) {
  tl_spot at = g->empty;
  while (at.block > g->at.block) {
    uint64_t *below = at.block - r->block_words;
    const unsigned last = r->slots - 1;
    move_up (r, at.block, 0, at.slot);
    copy_bits (at.block, TL_RUNS_META, below,
               tl_runs_bit (r, (tl_spot){below, last}), r->width);
    at.block[1] |= below[1] >> last & 1;
    at = (tl_spot){below, last};
  }
  move_up (r, at.block, g->at.slot, at.slot);
}

void tl_runs_fill (tl_runs *r, const tl_gap *g, const uint64_t *payload) {
  open_gap (r, g);
  count_offsets (r, g);
  write_entry (r, g->at, g->home.remainder, payload, 0);
  const uint64_t mark = (uint64_t)1 << g->at.slot;
  g->at.block[1] &= ~mark;
  if (g->last_of_run) {
    g->at.block[1] |= mark;
    if (!g->new_run) { // the one before it was the last
      const bool first = !g->at.slot;
      uint64_t *block = g->at.block - (first ? r->block_words : 0);
      block[1] &= ~((uint64_t)1 << ((first ? r->slots : g->at.slot) - 1));
    }
  }
  tl_runs_block (r, g->home.block)[0] |= (uint64_t)1 << g->home.slot;
  r->count++;
}

// ---- Growing ---------------------------------------------------------------

// Writes a table from its lower end on.
typedef struct writer {
  tl_runs runs;
  uint64_t clean; // blocks that were prepared
  uint64_t begun; // blocks whose offset is known
  uint64_t block; // the next free slot
  unsigned slot;
  uint64_t last_block; // home of the entry written last, and
  unsigned last_slot;
  tl_spot last; // where it is
} writer;

static void prepare (writer *w, uint64_t blocks) {
  for (; w->clean < blocks; w->clean++)
    memset (tl_runs_block (&w->runs, w->clean), 0, block_bytes (&w->runs));
}

// All homes of the blocks before `blocks` are done.
static void begin_blocks (writer *w, uint64_t blocks) {
  tl_runs *r = &w->runs;
  prepare (w, blocks);
  for (; w->begun < blocks; w->begun++) {
    if (w->block < w->begun)
      continue;
    const uint64_t offset = (w->block - w->begun) * r->slots + w->slot;
    set_offset (tl_runs_block (r, w->begun), offset);
    if (offset > r->furthest)
      r->furthest = offset;
  }
}

static inline __attribute__ ((always_inline)) void
append (writer *w, uint64_t head, const uint64_t *from, uint64_t payload_bit) {
  const tl_runs *r = &w->runs;
  const tl_home h = tl_runs_home (r, head);
  if (w->begun <= h.block)
    begin_blocks (w, h.block + 1);
  if (w->block < h.block || (w->block == h.block && w->slot < h.slot)) {
    w->block = h.block;
    w->slot = h.slot;
  }
  if (w->clean <= w->block)
    prepare (w, w->block + 1);
  const tl_spot at = {tl_runs_block (r, w->block), w->slot};
  write_entry (r, at, h.remainder, from, payload_bit);
  if (w->last_block == h.block && w->last_slot == h.slot)
    w->last.block[1] &= ~((uint64_t)1 << w->last.slot);
  at.block[1] |= (uint64_t)1 << at.slot;
  tl_runs_block (r, h.block)[0] |= (uint64_t)1 << h.slot;
  w->last_block = h.block;
  w->last_slot = h.slot;
  w->last = at;
  if (++w->slot == r->slots) {
    w->slot = 0;
    w->block++;
  }
}

// How far up the old table must move so that writing the new one never comes
// near what is still to be read.  The distance of an entry from its home grows
// by two slots at most, as homes only move away from each other; so the entry
// at fraction x of the table is written before x * new size + (furthest + 2 +
// three blocks) slots, and read behind x * old size - a block, plus this.
static size_t lift (const tl_runs *old, const tl_runs *new) {
  const size_t old_size = (size_t)old->blocks * block_bytes (old),
               new_size = (size_t) new->blocks *block_bytes (new);
  const size_t reach =
      (size_t)((old->furthest + 2) / new->slots + 4) * block_bytes (new) +
      2 * block_bytes (old);
  return (new_size > old_size ? new_size - old_size : 0) + reach;
}

// The shape with at least so many homes.
static tl_runs shape_for (const tl_runs *r, uint64_t homes,
                          unsigned head_bits) {
  tl_runs new = *r;
  new.furthest = 0;
  uint64_t blocks = r->blocks;
  do {
    choose_shape (&new, blocks, head_bits);
    blocks = homes / new.slots + 1;
  } while (new.blocks *new.slots < homes);
  return new;
}

// The payload that takes the place of the one there.
static const uint64_t *changed_payload (const tl_payload_change *change,
                                        const tl_runs *old, tl_spot at) {
  const size_t words = (change->bits + 63) / 64;
  memset (change->new, 0, words * sizeof *change->new);
  tl_runs_payload (old, at, change->convert ? change->old : change->new);
  if (change->convert)
    change->convert (change->context, change->old, change->new);
  return change->new;
}

// What is to become of the pairs.
typedef struct rewriting {
  unsigned more_bits; // of heads
  const uint64_t *low;
  const tl_payload_change *change; // or null
} rewriting;

// Reads the old table and writes the new one, which begins further down.
static void rewrite (const tl_runs *from, tl_runs *to, const rewriting *how) {
  const tl_runs old = *from;
  const unsigned more_bits = how->more_bits;
  const uint64_t *low = how->low;
  writer w = {.runs = *to, .last_block = UINT64_MAX};
  tl_runs_cursor c = {0};
  for (uint64_t n = 0; next_entry (&old, &c); n++) {
    uint64_t head = tl_runs_head (&old, c.home);
    if (more_bits)
      head = head << more_bits | tl_get_bits (low, n * more_bits, more_bits);
    const uint64_t *payload = c.at.block;
    uint64_t bit = tl_runs_bit (&old, c.at) + old.remainder;
    if (how->change) {
      payload = changed_payload (how->change, &old, c.at);
      bit = 0;
    }
    append (&w, head, payload, bit);
  }
  begin_blocks (&w, all_blocks (to));
  to->furthest = w.runs.furthest;
}

static tl_status rebuild (tl_runs *r, uint64_t homes, const rewriting *how) {
  tl_runs old = *r, new = *r;
  if (how->change)
    new.payload_bits = how->change->bits;
  new = shape_for (&new, homes, r->head_bits + how->more_bits);
  const size_t up = lift (&old, &new), old_bytes = table_bytes (&old);
  size_t need = table_bytes (&new);
  if (need < up + old_bytes)
    need = up + old_bytes;
  const tl_status rc = tl_map_grow (&r->map, need);
  if (rc)
    return rc;
  new.map = r->map;
  memmove (r->map.base + up, r->map.base, old_bytes);
  old.words = (uint64_t *)(r->map.base + up);
  rewrite (&old, &new, how);
  *r = new;
  return TL_OK;
}

tl_status tl_runs_change_payloads (tl_runs *r,
                                   const tl_payload_change *change) {
  return rebuild (r, r->blocks * r->slots, &(rewriting){.change = change});
}

// Doubles while that is cheap, then grows by parts, smaller ones where the
// account is nearly spent.
static tl_status enlarge (tl_runs *r, unsigned more_bits, const uint64_t *low) {
  static const struct {
    size_t up_to; // bytes
    unsigned part;
  } step[] = {{1 << 20, 1},   {32 << 20, 4},  {SIZE_MAX, 8},
              {SIZE_MAX, 16}, {SIZE_MAX, 32}, {SIZE_MAX, 64}};
  const uint64_t homes = r->blocks * r->slots;
  const size_t bytes = table_bytes (r);
  tl_status rc = TL_E_NOMEM;
  for (size_t i = 0; rc && i < sizeof step / sizeof *step; i++)
    if (bytes <= step[i].up_to)
      rc = rebuild (r, homes + homes / step[i].part,
                    &(rewriting){.more_bits = more_bits, .low = low});
  return rc;
}

tl_status tl_runs_grow (tl_runs *r, unsigned more_bits, const uint64_t *low) {
  const uint64_t homes = r->blocks * r->slots,
                 most = homes / 100 * largest_load;
  // Where homes are spread evenly, hardly a pair is far from its own.
  const bool is_even = r->furthest < TL_RUNS_EVEN;
  tl_status rc = TL_OK;
  if (more_bits || !is_even || r->count >= most)
    rc = enlarge (r, more_bits, low);
  else
    r->room = r->count + homes / 100;
  // No memory: the table can be filled further, if not quickly.
  if (!rc || more_bits || r->count >= most)
    return rc;
  r->room = most;
  return TL_OK;
}
