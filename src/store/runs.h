#ifndef TL_STORE_RUNS_H
#define TL_STORE_RUNS_H

#include "base/bits.h"
#include "base/mem.h"

// A table of pairs (head, payload) in hardly more bits than they are worth.
// Heads are numbers of up to 64 bits that look random; payloads are strings of
// bits, all of one length, that the table only keeps.  Pairs are never removed.
// (A quotient filter with rank and select: Pandey, Bender, Johnson and Patro,
// "A general-purpose counting filter", 2017; the quotienting is Cleary's.)
//
// The home of a head is head * homes >> head bits, a map that keeps the order.
// The home says most of the head; only the rest of that product, as many bits
// as it takes to tell the heads of one home apart, is stored: the remainder.
// Pairs stand in the order of their heads, each at its home or, where that is
// taken, as near behind it as there is room.  Those of one home are a run.
//
//     block   | 53 bits: homes with a run | offset, low  |
//             | 53 bits: ends of runs     | offset, high |
//             | entry | entry | ...                      |   up to 53 of them
//     entry   | remainder | payload |
//
// Runs stand in the order of their homes, so the n-th bit of the first row
// that is set belongs to the n-th of the second; `offset` says how many slots
// of the block and of those behind it are taken by runs from blocks before it.
// So a run is found by one popcount and one selection.
//
// Because the order never changes, growing is to move all to the upper end of
// the grown memory and to write it again from the lower end on: in place, by
// any factor, and nothing can fail half way.
//
// Cost: (remainder + payload + 2.4) / load bits, load 0.84 to 0.95; a lookup
// reads one or two cache lines for short payloads.

enum {
  TL_RUNS_SLOTS = 53, // of a block, at most
  TL_RUNS_META = 128  // bits of a block before its entries
};

typedef struct tl_runs {
  tl_map map;
  uint64_t *words;
  unsigned head_bits, payload_bits;
  unsigned remainder, width; // bits of an entry: of the head, in all
  unsigned slots;            // of a block
  unsigned block_words;
  uint64_t blocks;       // that have homes; some more follow for the last runs
  uint64_t count;        // pairs
  uint64_t room;         // grow before count exceeds this
  uint64_t furthest;     // largest offset of a block
  double heads_apart;    // heads / homes
  double remainder_unit; // 1 / remainders
} tl_runs;

// Where a head belongs.
typedef struct tl_home {
  uint64_t block;
  unsigned slot;
  uint64_t remainder;
} tl_home;

// Where an entry is.
typedef struct tl_spot {
  uint64_t *block;
  unsigned slot;
} tl_spot;

tl_status tl_runs_open (tl_runs *, tl_mem *, unsigned head_bits,
                        unsigned payload_bits);
void tl_runs_close (tl_runs *);

// Gives every payload another length, and where `convert` is not null another
// content; new bits are zero.  TL_E_NOMEM leaves the table as it was.
typedef struct tl_payload_change {
  unsigned bits;
  uint64_t *old, *new; // room for a payload of each length
  const void *context;
  void (*convert) (const void *context, const uint64_t *old, uint64_t *new);
} tl_payload_change;

tl_status tl_runs_change_payloads (tl_runs *, const tl_payload_change *);

// Makes room for more pairs.  With `more_bits` heads become longer by as many
// bits: those of the n-th pair in the order of the cursor are the n-th group
// of bits in `low`.  TL_E_NOMEM leaves the table as it was.
tl_status tl_runs_grow (tl_runs *, unsigned more_bits, const uint64_t *low);

// Adding a pair: first finds its place, growing where needed, which may fail;
// then puts it there, which cannot.  Nothing may be added between the two.
typedef struct tl_gap {
  tl_home home;
  tl_spot at;    // the entry's place
  tl_spot empty; // the slot that is used up
  bool new_run, last_of_run;
} tl_gap;

tl_status tl_runs_gap (tl_runs *, uint64_t head, tl_gap *);
void tl_runs_fill (tl_runs *, const tl_gap *, const uint64_t *payload);

// Is the very pair there?
bool tl_runs_has (const tl_runs *, uint64_t head, const uint64_t *payload);

// All pairs in the order of their heads.  Start with {0} or at a head.
typedef struct tl_runs_cursor {
  bool begun;
  uint64_t block; // of the home
  uint64_t left;  // homes of the block that are not done
  uint64_t next_block;
  unsigned next_slot; // the entry to come
  bool in_run;
  tl_home home; // of the entry at hand, and
  tl_spot at;   // where it is
} tl_runs_cursor;

bool tl_runs_next (const tl_runs *, tl_runs_cursor *); // false: no more
void tl_runs_seek (const tl_runs *, uint64_t head, tl_runs_cursor *);
uint64_t tl_runs_head (const tl_runs *, tl_home);

void tl_runs_payload (const tl_runs *, tl_spot, uint64_t *payload);

static inline bool tl_runs_full (const tl_runs *r) {
  return r->count >= r->room;
}

static inline tl_home tl_runs_home (const tl_runs *r, uint64_t head) {
  const unsigned __int128 in_table =
      (unsigned __int128)(head << (64 - r->head_bits)) * r->blocks;
  const unsigned __int128 in_block =
      (unsigned __int128)(uint64_t)in_table * r->slots;
  return (tl_home){.block = (uint64_t)(in_table >> 64),
                   .slot = (unsigned)(in_block >> 64),
                   .remainder = (uint64_t)in_block >> (64 - r->remainder)};
}

static inline uint64_t *tl_runs_block (const tl_runs *r, uint64_t number) {
  return r->words + number * r->block_words;
}

static inline void tl_runs_prefetch (const tl_runs *r, uint64_t head) {
  // gcc takes a function that only fetches ahead for one without effect and
  // drops the calls; an empty statement that it must keep prevents that.
  __asm__ volatile("");
  const tl_home h = tl_runs_home (r, head);
  const uint64_t *block = tl_runs_block (r, h.block);
  __builtin_prefetch (block);
  __builtin_prefetch (block + (TL_RUNS_META + h.slot * r->width) / 64);
}

static inline uint64_t tl_runs_bit (const tl_runs *r, tl_spot at) {
  return TL_RUNS_META + (uint64_t)at.slot * r->width;
}

static inline unsigned tl_block_offset (const uint64_t *block) {
  return (unsigned)(block[0] >> TL_RUNS_SLOTS |
                    block[1] >> TL_RUNS_SLOTS << (64 - TL_RUNS_SLOTS));
}

static inline uint64_t tl_block_ends (const uint64_t *block) {
  return block[1] & tl_low_bits (TL_RUNS_SLOTS);
}

// Where run number `number`, from 1, of those with homes in the block ends.
static inline tl_spot tl_runs_end (const tl_runs *r, uint64_t *block,
                                   unsigned number) {
  unsigned from = tl_block_offset (block);
  for (;; block += r->block_words) {
    if (from >= r->slots) {
      from -= r->slots;
      continue;
    }
    const uint64_t ends = tl_block_ends (block) >> from;
    const unsigned here = (unsigned)__builtin_popcountll (ends);
    if (number <= here)
      return (tl_spot){block, from + tl_select (ends, number - 1)};
    number -= here;
    from = 0;
  }
}

// One entry back in a run; false: it was the first.
static inline bool tl_runs_back (const tl_runs *r, const uint64_t *home_block,
                                 unsigned home, tl_spot *at) {
  if (at->block == home_block && at->slot == home)
    return false;
  if (!at->slot) {
    at->block -= r->block_words;
    at->slot = r->slots;
  }
  at->slot--;
  return !(at->block[1] >> at->slot & 1);
}

// The last entry of a head, whose payload then starts at tl_runs_bit +
// remainder; false: there is none.
static inline bool tl_runs_find (const tl_runs *r, uint64_t head, tl_spot *at) {
  const tl_home h = tl_runs_home (r, head);
  uint64_t *block = tl_runs_block (r, h.block);
  if (!(block[0] >> h.slot & 1))
    return false;
  *at = tl_runs_end (
      r, block,
      (unsigned)__builtin_popcountll (block[0] & tl_low_bits (h.slot + 1)));
  do {
    const uint64_t remainder =
        tl_get_bits (at->block, tl_runs_bit (r, *at), r->remainder);
    if (remainder <= h.remainder)
      return remainder == h.remainder;
  } while (tl_runs_back (r, block, h.slot, at));
  return false;
}

#endif
