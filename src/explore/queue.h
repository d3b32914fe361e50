#ifndef TL_EXPLORE_QUEUE_H
#define TL_EXPLORE_QUEUE_H

#include "base/spill.h"

// A queue of keys, first in, first out.  A key is written as its difference,
// word by word, to the key before it: in the order in which a search finds
// them, keys differ by the same few numbers again and again.
//
//     head: block being read | middle: compressed, maybe on disk | tail:
//     written
//
// Differences compress to a few bits a key; a state in the queue costs far
// less than one in any store.
typedef struct tl_queue {
  tl_mem *mem;
  uint32_t words;       // of a key
  unsigned last_bytes;  // of its last word
  size_t record;        // bytes of a difference
  size_t per_block;     // records
  unsigned char *block; // the two blocks at hand, room for both
  unsigned char *head, *tail;
  size_t read, filled;     // records read of the head, and that it has
  size_t written;          // in the tail
  uint64_t *popped, *last; // the keys that the next differences are to
  tl_spill middle;
  uint64_t count;
} tl_queue;

// Of keys of so many words, of which only the lowest `bits` bits are ever set.
void tl_queue_init (tl_queue *, tl_mem *, tl_packer *, uint32_t words,
                    uint32_t bits);
// On failure the queue is as it was.
tl_status tl_queue_push (tl_queue *, const uint64_t *key);
// The oldest key; there must be one.  TL_E_IO: it cannot be read back from the
// disk.
tl_status tl_queue_pop (tl_queue *, uint64_t *key);
// Moves to the disk what it can; false: that gave no memory back.
bool tl_queue_flush (tl_queue *);
void tl_queue_close (tl_queue *);

#endif
