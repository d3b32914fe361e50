#ifndef TL_STRUCTURE_GROUP_H
#define TL_STRUCTURE_GROUP_H

#include "structure/semiflow.h"

// Sets of places of which at most one is marked, and that with one token: it
// is enough to store which.  No place is in two of them.
//
// They come from semiflows: if the weighted sum is at most s, the places whose
// weight is more than s/2 share at most one token.  And from the units of a
// net whose file promises that they are safe; those are only claimed.
typedef struct tl_group {
  uint64_t start;
  uint32_t count;
  bool full;    // exactly one of the places is marked, always
  bool claimed; // by the file; nothing proves it
} tl_group;

typedef struct tl_groups {
  tl_mem *mem;
  tl_group *group;
  size_t count, capacity;
  uint32_t *place;
  size_t places, place_capacity;
} tl_groups;

// Picks groups from the semiflows and the units, always the one that saves most
// bits next.
tl_status tl_groups_open (tl_groups *, tl_mem *, const tl_net *,
                          const tl_semiflows *);
void tl_groups_close (tl_groups *);

static inline const uint32_t *tl_group_places (const tl_groups *g, size_t i) {
  return g->place + g->group[i].start;
}

// Bits saved by storing which of `count` places is marked.
uint32_t tl_group_saving (uint32_t count, bool full);

#endif
