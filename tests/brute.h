#ifndef TL_TESTS_BRUTE_H
#define TL_TESTS_BRUTE_H

#include "net/net.h"

// The reference that everything else is compared with: an explorer that keeps
// whole markings in a list, tries every transition at every state and is
// obviously right.  It shares nothing with the library but the net.  It ends
// the program when there is no memory.

typedef struct brute {
  const tl_net *net;
  bool complete;     // false: the cap was reached, all else is a lower bound
  uint64_t *marking; // [states][places], in the order of discovery
  uint64_t states, arcs, deadlocks, dead_transitions;
  uint64_t max_in_place, max_per_marking;
  uint64_t *place_max, *place_min; // [places]
  uint8_t *fired;                  // [transitions]
  uint64_t *slot, slots;           // state numbers plus one, by hash
  uint64_t room;
} brute;

// Visits at most `cap` states.
brute brute_explore (const tl_net *, uint64_t cap);
void brute_close (brute *);

const uint64_t *brute_marking (const brute *, uint64_t state);
// The number of the state with that marking, or BRUTE_NONE.
uint64_t brute_find (const brute *, const uint64_t *marking);
#define BRUTE_NONE UINT64_MAX

void brute_initial (const tl_net *, uint64_t *marking);
bool brute_enabled (const tl_net *, const uint64_t *marking, uint32_t t);
bool brute_dead (const tl_net *, const uint64_t *marking);
void brute_fire (const tl_net *, uint64_t *marking, uint32_t t);

// Fires the transitions from the initial marking and leaves the last marking
// in `marking`; false: one of them was not enabled.
bool brute_replay (const tl_net *, const uint32_t *transition, uint64_t length,
                   uint64_t *marking);

#endif
