#ifndef TL_EXPLORE_QUEUE_H
#define TL_EXPLORE_QUEUE_H

#include "base/mem.h"

// A queue of records of equal size, first in, first out, in blocks that are
// given back as they are read.
typedef struct tl_queue {
  tl_mem *mem;
  size_t words; // of a record
  struct tl_queue_block *first, *last, *spare;
  size_t per_block, head, tail; // records read of the first, in the last
  uint64_t count;
} tl_queue;

void tl_queue_init (tl_queue *, tl_mem *, uint32_t words);
tl_status tl_queue_push (tl_queue *, const uint64_t *record);
// The oldest record, borrowed until the next call; null when there is none.
const uint64_t *tl_queue_pop (tl_queue *);
void tl_queue_close (tl_queue *);

#endif
