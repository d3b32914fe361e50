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

// A level of so many states begins, for so many threads, and so many more will
// be found in all, as far as one can tell: chooses the shards that are too
// small for as many new ones as the level has.  In a narrow level who grows
// none has soon nothing to do: so others grow as well that would have to before
// long, as many as there are threads.  What is large enough for all that will
// come need not grow any more.
void tl_growing_choose (tl_growing *, const tl_shards *, uint64_t width,
                        uint64_t left, unsigned threads);
// Grows one after the other until all have; by each thread.
void tl_growing_help (tl_growing *, tl_shards *);

#endif
