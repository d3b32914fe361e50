#ifndef TL_EXPLORE_CAPACITY_H
#define TL_EXPLORE_CAPACITY_H

#include "encode/layout.h"
#include "structure/structure.h"

// The places of a coloured net may have capacities, and a token more is an
// error of the model, which ends a search.  Of most places of an unfolded net
// the bounds show that this cannot be; the others are looked at in every state.
typedef struct tl_capacities {
  tl_mem *mem;
  const tl_net *net;
  uint32_t *place; // [room] those to look at
  uint32_t count, room;
} tl_capacities;

tl_status tl_capacities_open (tl_capacities *, tl_mem *, const tl_net *,
                              const tl_structure *);
void tl_capacities_close (tl_capacities *);

// False: a place holds too much, and the error says which.
bool tl_capacities_kept (const tl_capacities *, const tl_layout *,
                         const uint64_t *state, tl_error *);

#endif
