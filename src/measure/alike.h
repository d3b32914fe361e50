#ifndef TL_MEASURE_ALIKE_H
#define TL_MEASURE_ALIKE_H

#include "structure/incidence.h"

// Sets of places that play the same part in a net, such as the same place of
// many equal processes.  They are found by refining colours: all places begin
// alike, and stay so as long as the transitions around them look alike.  Early
// rounds give coarse sets, later ones fine sets; all of them are listed, and
// every single place as well.  Weights that are to be changed together are
// changed by whole sets.
typedef struct tl_alike {
  tl_mem *mem;
  uint32_t singles; // the first sets are single places
  uint32_t count;   // of sets
  uint64_t *start;  // [count + 1]
  uint32_t *place;
  size_t start_room, place_room;
} tl_alike;

// Only places that some transition changes are in any set.
tl_status tl_alike_open (tl_alike *, tl_mem *, const tl_net *,
                         const tl_incidence *);
void tl_alike_close (tl_alike *);

#endif
