#include "explore/queue.h"

#include "base/bits.h"
#include "base/tuning.h"

#include <assert.h>

enum { BLOCK_BYTES = 1 << 16 };

void tl_queue_init (tl_queue *q, tl_mem *mem, tl_packer *packer, uint32_t words,
                    uint32_t bits) {
  assert (bits <= 64 * words && bits >= 64 * (words - 1));
  const unsigned last_bits = bits - 64 * (words - 1);
  *q = (tl_queue){.mem = mem, .words = words};
  q->last_bytes = last_bits ? (last_bits + 7) / 8 : 1;
  q->record = 8 * (size_t)(words - 1) + q->last_bytes;
  q->per_block = BLOCK_BYTES / q->record;
  if (!q->per_block)
    q->per_block = 1;
  tl_spill_open (&q->middle, mem, packer, TL_QUEUE_PART);
}

// Bytes of a block, and a word that is written beyond its last record.
static size_t block_room (const tl_queue *q) {
  return q->per_block * q->record + sizeof (uint64_t);
}

static tl_status take_memory (tl_queue *q) {
  if (q->block)
    return TL_OK;
  if (!TL_NEW (q->mem, q->block, 2 * block_room (q)))
    return TL_E_NOMEM;
  if (!TL_NEW (q->mem, q->last, 2 * q->words)) {
    TL_DEL (q->mem, q->block, 2 * block_room (q));
    return TL_E_NOMEM;
  }
  q->popped = q->last + q->words;
  q->head = q->block;
  q->tail = q->block + block_room (q);
  return TL_OK;
}

void tl_queue_close (tl_queue *q) {
  tl_spill_close (&q->middle);
  TL_DEL (q->mem, q->block, 2 * block_room (q));
  TL_DEL (q->mem, q->last, 2 * q->words);
  *q = (tl_queue){0};
}

bool tl_queue_flush (tl_queue *q) {
  return tl_spill_flush (&q->middle);
}

tl_status tl_queue_push (tl_queue *q, const uint64_t *key) {
  if (!q->block || q->written == q->per_block) {
    tl_status rc = take_memory (q);
    if (!rc && q->written)
      rc = tl_spill_append (&q->middle, q->tail, q->written * q->record);
    if (rc)
      return rc;
    q->written = 0;
  }
  unsigned char *at = q->tail + q->written++ * q->record;
  for (uint32_t w = 0; w < q->words; w++, at += sizeof *key) {
    tl_write_word (at, key[w] - q->last[w]);
    q->last[w] = key[w];
  }
  q->count++;
  return TL_OK;
}

// All of the head was read: what comes next?
static tl_status next_block (tl_queue *q) {
  const uint64_t next = q->middle.first;
  size_t size;
  if (next == q->middle.count) {
    unsigned char *read = q->head;
    q->head = q->tail;
    q->filled = q->written;
    q->tail = read;
    q->written = 0;
  } else {
    const tl_status rc =
        tl_spill_read (&q->middle, next, q->head, block_room (q), &size);
    if (rc)
      return rc;
    q->filled = size / q->record;
    tl_spill_forget (&q->middle, next + 1);
  }
  q->read = 0;
  return TL_OK;
}

tl_status tl_queue_pop (tl_queue *q, uint64_t *key) {
  assert (q->count);
  tl_status rc;
  if (q->read == q->filled && (rc = next_block (q)))
    return rc;
  const unsigned char *at = q->head + q->read++ * q->record;
  const uint32_t last = q->words - 1;
  for (uint32_t w = 0; w <= last; w++, at += sizeof *key)
    key[w] = q->popped[w] += tl_read_word (at);
  key[last] = q->popped[last] &= tl_low_bits (8 * q->last_bytes);
  q->count--;
  return TL_OK;
}
