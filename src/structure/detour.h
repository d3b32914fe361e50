#ifndef TL_STRUCTURE_DETOUR_H
#define TL_STRUCTURE_DETOUR_H

#include "net/net.h"

// A run from a marking to one that is nearer to the initial marking, where no
// single step does it.  Nearer are those with a smaller weighted sum, and of
// those with the same sum those where fewer tokens, counted place by place, are
// too many or too few.  It is found by a small search that goes where the sum
// is smallest first.
//
// What the run does in one marking it does in others: if it makes the sum
// smaller, then wherever there are enough tokens for it.  If not, also wherever
// the places it takes from have at least so many more, and those it gives to so
// many fewer, than at the start.

typedef struct tl_detour {
  int64_t *least, *most; // [places] markings between these have the run
} tl_detour;

#define TL_DETOUR_ANY INT64_MAX // as `most`

// False: none is found, or there is no memory.  Of nets with inhibitor arcs
// there is none.  Visits `states` at most, fewer in large nets.
bool tl_detour_find (tl_detour *, tl_mem *, const tl_net *,
                     const int64_t *weight, const int64_t *from,
                     uint32_t states);

#endif
