#ifndef TL_STRUCTURE_TRAP_H
#define TL_STRUCTURE_TRAP_H

#include "structure/structure.h"

// A trap is a set of places such that whatever takes from it also gives to it.
// Once it has a token it has one for ever, whatever the weights are.  So a
// marking that empties a trap which is marked at the start is not reachable.
typedef struct tl_traps {
  tl_mem *mem;
  const tl_net *net;
  uint64_t *giver_start; // [places + 1]
  uint32_t *giver;       // transitions that give to each place
  uint8_t *dead;         // [transitions] never enabled, by proven bounds
  uint8_t *member;       // [places] of the set at hand
  uint32_t *gives;       // [transitions] to how many members
  uint32_t *place;       // [places] the members, or those that left
  uint64_t work;         // arcs looked at
} tl_traps;

// The structure is borrowed.
tl_status tl_traps_open (tl_traps *, tl_mem *, const tl_structure *);
void tl_traps_close (tl_traps *);

// A trap with a token at the start among the places that are set in `member`,
// a small one if `tries` allow looking for it; its number of places, which
// `place` lists in order.  0: there is none.
uint32_t tl_traps_find (tl_traps *, uint32_t tries);

#endif
