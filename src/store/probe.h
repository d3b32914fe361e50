#ifndef TL_STORE_PROBE_H
#define TL_STORE_PROBE_H

#include "store/quotient.h"

// Looking up keys in a quotient table, a group at a time: all addresses are
// computed together, and while one group is looked up, the memory of the next
// is on the way.

enum { TL_GROUP = 32 };

// Calls for the blocks of all TL_GROUP spots.
void tl_probe_start (const tl_table *, const tl_spots *);

// Which of the `n` keys, at most TL_GROUP, are not in their blocks: their
// indices, ascending, and how many.  On the way calls for the blocks of `next`.
size_t tl_probe_find (const tl_table *, const uint64_t *keys, size_t n,
                      const tl_spots *, const tl_spots *next, uint8_t *missing);

#endif
