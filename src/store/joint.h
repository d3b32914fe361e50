#ifndef TL_STORE_JOINT_H
#define TL_STORE_JOINT_H

#include "base/threads.h"
#include "store/store.h"

// Several threads put keys into one plain store that numbers them, and each key
// gets the number that one thread would have given it.
//
// They do that in rounds.  The keys of a round stand in lists, which come one
// after the other: that is the order in which one thread would put them.
//
//     look     a list by each thread: a key is there, or it takes an empty slot
//              and is a candidate, or it repeats one.  Of equal ones the first
//              in the order has the slot in the end, whoever came first.
//     settle   a list by each thread, after all have looked: which candidates
//              have kept their slots.  These are new.
//     number   the same, after it is known how many are new before each list.
//
// What is behind a key that does not count may be dropped, and then was never
// put.  Slots are taken by compare-and-swap, all else is written by one thread;
// between the steps, all wait.  The table grows before a round only: where
// there is no more room in one, a thread stops looking.

enum {
  TL_JOINT_LIST_BITS = 13, // lists of a round
  TL_JOINT_KEY_BITS = 20,  // keys of a list
  TL_JOINT_LISTS = 1 << TL_JOINT_LIST_BITS,
  TL_JOINT_KEYS = 1 << TL_JOINT_KEY_BITS
};

// Most keys of a list are known: what else there is to be said of some stands
// apart, so that a round is not much more than the numbers.
typedef struct tl_joint_list {
  size_t count;         // keys
  const uint64_t *keys; // while they are looked for
  uint64_t *number;     // of each, in the end
  size_t looked;        // so many keys were looked for
  // Those that repeat a candidate: [count].  Until candidates have numbers,
  // that of a repeat says where its candidate stands.
  size_t repeats;
  uint32_t *repeat; // which of the keys
  // Candidates: [count] as all that follows.
  size_t candidates;
  uint32_t *which; // of the keys
  uint64_t *key;   // the same, and these do not move
  uint64_t *at;    // its slot; of one that is not the first, which that is
  uint32_t *rank;  // among the new ones
  bool *isnew;     // it is the first
  size_t found;    // new ones
  uint64_t first;  // number of the first of them
} tl_joint_list;

typedef struct tl_joint {
  tl_store *store;
  tl_threads *team; // who makes memory ready where the table grows
  tl_joint_list *list;
  uint64_t room;     // slots that may be taken
  size_t keys_ready; // bytes of the keys whose memory is ready
} tl_joint;

// What a thread has for itself in a round.
typedef struct tl_joint_share {
  uint64_t room;     // slots that it may take
  uint64_t furthest; // distance of a key from its home
} tl_joint_share;

// Is this a store for that?
bool tl_joint_suits (const tl_store *);
// Begins a round, of about so many new keys.  TL_E_NOMEM: they do not fit, or
// the store does not suit any more.
tl_status tl_joint_begin (tl_joint *, uint64_t expected);
// Makes memory ready for so many new keys, if there is any.
void tl_joint_prepare (tl_joint *, uint64_t found);

// Looks for the keys of a list; not for all, where there is no room.
void tl_joint_look (tl_joint *, uint32_t list, tl_joint_share *);
void tl_joint_settle (const tl_joint *, uint32_t list);
// Room for so many new keys, before any of them is numbered.
tl_status tl_joint_room (const tl_joint *, uint64_t found);
// Numbers the keys of the list from `first` on, that of all lists is known.
void tl_joint_number (const tl_joint *, uint32_t list);
// After that, by one thread: the keys that were looked for, from `count` on,
// were not put.
void tl_joint_drop (const tl_joint *, uint32_t list);
// Ends a round: so many are new.
void tl_joint_end (tl_joint *, uint64_t found, const tl_joint_share *,
                   unsigned threads);

#endif
