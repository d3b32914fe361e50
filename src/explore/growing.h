#ifndef TL_EXPLORE_GROWING_H
#define TL_EXPLORE_GROWING_H

#include "store/shards.h"

// Which shards grow when a level begins.  While one grows nobody can put to it,
// so it is best done when all threads have something else to do.
typedef struct tl_growing {
  tl_mem *mem;
  uint32_t shards;
  double *fill;   // [shards] how full each would be
  uint16_t *full; // [shards] those that grow
  uint32_t count; // how many
  uint32_t taken; // of these, by all threads
} tl_growing;

tl_status tl_growing_open (tl_growing *, tl_mem *, const tl_shards *);
void tl_growing_close (tl_growing *);

// A level of so many states begins, for so many threads: chooses the shards
// that are too small for as many new ones.  In a narrow level who grows none
// has soon nothing to do: so others grow as well that would have to before
// long, as many as there are threads.
void tl_growing_choose (tl_growing *, const tl_shards *, uint64_t width,
                        unsigned threads);
// Grows one after the other until all have; by each thread.
void tl_growing_help (tl_growing *, tl_shards *);

#endif
