#ifndef TL_STORE_SLOTS_H
#define TL_STORE_SLOTS_H

#include "base/bits.h"
#include "base/mem.h"

// An open-addressing table of 64-bit slots, 0 for empty, that grows in place.
//
// The home of a slot value is tl_range (value & mask, homes): a map that keeps
// the order of the values.  So when `homes` grows, every value moves to a
// higher place, and one pass from the top to the bottom moves them all inside
// the same memory: no moment needs two tables, and any growth factor will do.
// Probing is linear and never wraps around; a tail of slots after the last
// home, as many as there are homes while these are few, takes what is pushed
// over the end.
//
//     | homes ............................................ | tail |
//
// Cost: 8 bytes / load, load between 1/2 and 3/4 (up to 15/16 when the memory
// account has no more to give).  A probe touches one or two cache lines.

enum {
  TL_SLOTS_TAIL = 4096, // at most
  TL_SLOTS_FIRST = 512, // homes of an empty table
  TL_SLOTS_FEW = 16,    // of one that is lean
  TL_SLOTS_BYTES = 2 * TL_SLOTS_FIRST * sizeof (uint64_t)
};

typedef struct tl_slots {
  tl_map map;
  uint64_t *slot;
  uint64_t mask;     // the bits of a value that decide its home
  uint64_t homes;    // table positions values are sent to
  uint64_t count;    // values in the table
  uint64_t room;     // grow before count exceeds this
  uint64_t furthest; // largest distance of a value from its home, ever
} tl_slots;

// Lean: one of many, most of which stay small.
tl_status tl_slots_open (tl_slots *, tl_mem *, uint64_t mask, bool lean);
void tl_slots_close (tl_slots *);

// Makes room for one more value; TL_E_NOMEM leaves the table as it was.
// Positions found before are void afterwards.
tl_status tl_slots_grow (tl_slots *);

// Takes the memory that growing will want, as far as there is any: from then on
// its pages may be touched.
void tl_slots_reserve (tl_slots *);

static inline bool tl_slots_full (const tl_slots *s) {
  return s->count >= s->room;
}

static inline uint64_t tl_slots_home (const tl_slots *s, uint64_t value) {
  return tl_range (value & s->mask, s->homes);
}

static inline uint64_t tl_slots_tail (uint64_t homes) {
  return homes < TL_SLOTS_TAIL ? homes : TL_SLOTS_TAIL;
}

static inline uint64_t tl_slots_end (const tl_slots *s) {
  return s->homes + tl_slots_tail (s->homes);
}

// Puts a value into the empty slot at `at`, which a probe from its home found.
static inline void tl_slots_fill (tl_slots *s, uint64_t home, uint64_t at,
                                  uint64_t value) {
  s->slot[at] = value;
  s->count++;
  if (at - home > s->furthest) {
    s->furthest = at - home;
    if (s->furthest > tl_slots_tail (s->homes) / 2)
      s->room = 0; // the tail might be too short soon: grow at the next chance
  }
}

#endif
