#include "explore/queue.h"

#include <string.h>

enum { BLOCK_BYTES = 1 << 16 };

typedef struct tl_queue_block {
  struct tl_queue_block *next;
  uint64_t words[];
} block;

static size_t block_bytes (const tl_queue *q) {
  return sizeof (block) + q->per_block * q->words * sizeof (uint64_t);
}

void tl_queue_init (tl_queue *q, tl_mem *mem, uint32_t words) {
  *q = (tl_queue){.mem = mem, .words = words};
  q->per_block = BLOCK_BYTES / (words * sizeof (uint64_t));
  if (!q->per_block)
    q->per_block = 1;
}

tl_status tl_queue_push (tl_queue *q, const uint64_t *record) {
  if (!q->last || q->tail == q->per_block) {
    block *b = q->spare;
    q->spare = 0;
    if (!b && !(b = tl_mem_get (q->mem, block_bytes (q), 1)))
      return TL_E_NOMEM;
    b->next = 0;
    *(q->last ? &q->last->next : &q->first) = b;
    q->last = b;
    q->tail = 0;
  }
  memcpy (q->last->words + q->tail++ * q->words, record,
          q->words * sizeof *record);
  q->count++;
  return TL_OK;
}

const uint64_t *tl_queue_pop (tl_queue *q) {
  if (!q->count)
    return 0;
  if (q->head == q->per_block) {
    block *read = q->first;
    q->first = read->next;
    q->head = 0;
    if (q->spare)
      tl_mem_put (q->mem, read, block_bytes (q), 1);
    else
      q->spare = read;
  }
  q->count--;
  return q->first->words + q->head++ * q->words;
}

void tl_queue_close (tl_queue *q) {
  for (block *b = q->first, *next; b; b = next) {
    next = b->next;
    tl_mem_put (q->mem, b, block_bytes (q), 1);
  }
  if (q->spare)
    tl_mem_put (q->mem, q->spare, block_bytes (q), 1);
  *q = (tl_queue){0};
}
