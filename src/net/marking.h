#ifndef TL_NET_MARKING_H
#define TL_NET_MARKING_H

#include "net/net.h"

// Single markings, as the tokens of each place, and firing straight from the
// definition: for traces, samples and pictures.  Searches have their own way.

void tl_marking_initial (const tl_net *, uint64_t *marking);
bool tl_marking_enables (const tl_net *, const uint64_t *marking,
                         uint32_t transition);
// Number n (from 0) of the transitions that it enables, in ascending order; the
// number of transitions of the net: there are no more.
uint32_t tl_marking_enabled (const tl_net *, const uint64_t *marking,
                             uint64_t n);
void tl_marking_fire (const tl_net *, uint64_t *marking, uint32_t transition);
// Fires transitions one after the other; false where one is not enabled.
bool tl_marking_run (const tl_net *, uint64_t *marking, const uint32_t *list,
                     uint64_t count);

// What gets a marking in words: a place that people see (net/origin.h), its id,
// in a coloured net with a colour, and how many tokens it holds.  Not TL_OK
// ends it.
typedef tl_status tl_marking_told (void *context, uint32_t place,
                                   const char *id, uint64_t tokens);

#endif
