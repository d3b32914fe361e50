#ifndef TL_FIRE_COMPILE_H
#define TL_FIRE_COMPILE_H

#include "encode/layout.h"

// What a transition asks of the words of a working state and does to them.
//
// Enabled iff on every word asked about
//
//     (((word | raise) - take) & look) == want
//
// where `raise` sets the guards of the counted places looked at, `take` the
// weights of their arcs; after the subtraction a guard still stands iff there
// were enough tokens.  For one-token places `look` and `want` are masks of the
// word itself.  An inhibitor arc wants its bit clear.
//
// Firing adds `add`.  It would overflow iff `word & contact` (a one-token
// place that is full and gets another) or a guard of the sum is set.
typedef struct tl_ask {
  uint32_t word;
  uint64_t raise, take, look, want;
} tl_ask;

typedef struct tl_act {
  uint32_t word;
  uint64_t add, contact;
} tl_act;

// The asks and acts of all transitions.  Acts of a transition: one per word at
// most.  Asks: one per word, and a second one for a word on which a place has
// both an input and an inhibitor arc.
typedef struct tl_firing {
  tl_mem *mem;
  uint32_t transitions;
  uint64_t *ask_start, *act_start; // [transitions + 1]
  tl_ask *ask;
  tl_act *act;
  size_t ask_room, act_room;
  bool doubled; // some transition asks twice about one word
} tl_firing;

tl_status tl_firing_open (tl_firing *, tl_mem *, const tl_layout *);
void tl_firing_close (tl_firing *);

static inline bool tl_ask_holds (const tl_ask *a, const uint64_t *state) {
  return (((state[a->word] | a->raise) - a->take) & a->look) == a->want;
}

#endif
