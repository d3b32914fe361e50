#ifndef TL_EXPLORE_ROSTER_H
#define TL_EXPLORE_ROSTER_H

#include "base/spill.h"
#include "explore/search.h"

// The roster: every state that was visited, with its distance from the initial
// one, in the order of keys.  It is for what is written about all states when
// the search is complete (certify.h).
//
// States come as they are visited, from several threads in portions.  When a
// buffer is full it is sorted and put away as a run (store/ascending.h), on
// disk beyond a part of the memory.  In the end the runs are merged.
//
//     entry   depth | words of the key         so sorted by key, then by depth

typedef struct tl_roster tl_roster;

tl_status tl_roster_open (tl_roster **, tl_mem *parent, uint32_t key_words,
                          uint32_t key_bits);
void tl_roster_close (tl_roster *); // may be null

// What one worker has noted and not handed over.
typedef struct tl_roster_part {
  uint64_t *entry;
  size_t count;
  uint32_t words; // of an entry
} tl_roster_part;

// Notes a state, once.  Any failure is one of the roster.
tl_status tl_roster_note (tl_roster *, tl_roster_part *, const uint64_t *key,
                          uint64_t depth);
// Hands over what was noted; a failure is told later.
void tl_roster_hand_over (tl_roster *, tl_roster_part *);

// Keys get longer: another roster takes the place of this one.  All parts were
// handed over.
tl_status tl_roster_move (tl_roster **, const tl_widening *);

// All states are there: they are read in ascending order.
tl_status tl_roster_begin (tl_roster *);
// The next one; *there is false at the end.
tl_status tl_roster_next (tl_roster *, uint64_t *key, uint64_t *depth,
                          bool *there);
uint64_t tl_roster_spilled (const tl_roster *); // bytes written to the disk
const tl_mem *tl_roster_account (const tl_roster *);

#endif
