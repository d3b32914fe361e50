#include "explore/attic.h"

#include "base/bits.h"

#include <string.h>

enum {
  BLOCK = 1 << 16, // bytes
  PART = 16,       // of the memory of the run the blocks may take one part
  BATCH = TL_ATTIC_BATCH
};

struct tl_attic {
  tl_mem *mem;
  tl_pool_kind kind;
  size_t size;    // bytes of a key
  uint64_t *keys; // [BATCH] on the way
  tl_spill blocks;
  unsigned char *tail; // the block being filled
  size_t used;
  unsigned char *read; // the block read last
  uint64_t number;     // of that, + 1; 0: none
};

void tl_attic_close (tl_attic *a) {
  if (!a)
    return;
  tl_mem *mem = a->mem;
  tl_spill_close (&a->blocks);
  if (a->tail)
    TL_DEL (mem, a->tail, BLOCK);
  if (a->read)
    TL_DEL (mem, a->read, BLOCK);
  if (a->keys)
    TL_DEL (mem, a->keys, (size_t)BATCH * a->kind.spec.key_words);
  TL_DEL (mem, a, 1);
}

tl_status tl_attic_open (tl_attic **out, tl_mem *mem,
                         const tl_pool_kind *kind) {
  const uint32_t bits = kind->spec.key_bits ? kind->spec.key_bits : 1;
  *out = 0;
  tl_attic *a;
  if (!TL_NEW (mem, a, 1))
    return TL_E_NOMEM;
  *a = (tl_attic){.mem = mem, .kind = *kind, .size = (bits + 7) / 8};
  tl_spill_open (&a->blocks, mem, 0, PART);
  a->blocks.raw = true;
  if (!TL_NEW (mem, a->tail, BLOCK) || !TL_NEW (mem, a->read, BLOCK) ||
      !TL_NEW (mem, a->keys, (size_t)BATCH * kind->spec.key_words)) {
    tl_attic_close (a);
    return TL_E_NOMEM;
  }
  *out = a;
  return TL_OK;
}

bool tl_attic_flush (tl_attic *a) {
  return tl_spill_flush (&a->blocks);
}

uint64_t tl_attic_spilled (const tl_attic *a) {
  return a->blocks.written;
}

// ---- The stream ------------------------------------------------------------

static tl_status append (tl_attic *a, const unsigned char *bytes, size_t size) {
  while (size) {
    const size_t room = BLOCK - a->used, n = size < room ? size : room;
    memcpy (a->tail + a->used, bytes, n);
    a->used += n;
    bytes += n;
    size -= n;
    if (a->used < BLOCK)
      continue;
    const tl_status rc = tl_spill_append (&a->blocks, a->tail, BLOCK);
    if (rc)
      return rc;
    a->used = 0;
  }
  return TL_OK;
}

static tl_status read_at (tl_attic *a, uint64_t at, unsigned char *bytes,
                          size_t size) {
  while (size) {
    const uint64_t number = at / BLOCK;
    const unsigned char *block = a->tail;
    if (number < a->blocks.count) {
      size_t got;
      const tl_status rc =
          a->number == number + 1
              ? TL_OK
              : tl_spill_read (&a->blocks, number, a->read, BLOCK, &got);
      if (rc)
        return rc;
      a->number = number + 1;
      block = a->read;
    }
    const size_t from = (size_t)(at % BLOCK), room = BLOCK - from,
                 n = size < room ? size : room;
    memcpy (bytes, block + from, n);
    bytes += n;
    at += n;
    size -= n;
  }
  return TL_OK;
}

// ---- Keys ------------------------------------------------------------------

// Words become bytes in the same memory, from the first to the last; and back,
// from the last to the first.
static unsigned char *squeeze (const tl_attic *a, size_t keys) {
  const uint32_t words = a->kind.spec.key_words;
  unsigned char *bytes = (unsigned char *)a->keys;
  for (size_t i = 0; i < keys; i++)
    for (uint32_t w = 0; w < words; w++)
      tl_write_word (bytes + i * a->size + 8 * w, a->keys[i * words + w]);
  return bytes;
}

static void spread (const tl_attic *a, size_t keys) {
  const uint32_t words = a->kind.spec.key_words, last = words - 1;
  const unsigned char *bytes = (unsigned char *)a->keys;
  const uint64_t mask = tl_low_bits ((unsigned)(a->size - 8 * last) * 8);
  for (size_t i = keys; i--;)
    for (uint32_t w = words; w--;)
      a->keys[i * words + w] = tl_read_word (bytes + i * a->size + 8 * w) &
                               (w == last ? mask : UINT64_MAX);
}

// A piece begins with where the one before it is, and how many keys that has.
enum { HEAD = 16 };

tl_status tl_attic_begin (tl_attic *a, tl_stowed *stowed) {
  unsigned char head[HEAD];
  tl_write_word (head, stowed->at);
  tl_write_word (head + 8, stowed->count);
  stowed->at = a->blocks.count * BLOCK + a->used;
  stowed->count = 0;
  return append (a, head, HEAD);
}

static tl_status add_keys (tl_attic *a, tl_stowed *stowed, size_t n) {
  stowed->count += n;
  stowed->total += n;
  return append (a, squeeze (a, n), n * a->size);
}

tl_status tl_attic_add (tl_attic *a, tl_stowed *stowed, const uint64_t *keys,
                        size_t n) {
  memcpy (a->keys, keys, n * a->kind.spec.key_words * sizeof *keys);
  return add_keys (a, stowed, n);
}

tl_status tl_attic_stow (tl_attic *a, const tl_pool *pool, tl_stowed *stowed) {
  uint64_t cursor = 0;
  *stowed = (tl_stowed){0};
  tl_status rc = tl_attic_begin (a, stowed);
  for (size_t n;
       !rc && (n = tl_pool_each (pool, &a->kind, &cursor, BATCH, a->keys));)
    rc = add_keys (a, stowed, n);
  return rc;
}

static tl_status next_piece (tl_attic *a, tl_attic_cursor *c) {
  unsigned char head[HEAD];
  const tl_status rc = read_at (a, c->next.at, head, HEAD);
  if (rc)
    return rc;
  c->at = c->next.at + HEAD;
  c->left = c->next.count;
  c->next.total -= c->next.count;
  c->next.at = tl_read_word (head);
  c->next.count = tl_read_word (head + 8);
  return TL_OK;
}

tl_status tl_attic_read (tl_attic *a, tl_attic_cursor *c, size_t *n) {
  tl_status rc = TL_OK;
  *n = 0;
  while (!rc && !c->left && c->next.total)
    rc = next_piece (a, c);
  if (rc)
    return rc;
  const size_t some = c->left < BATCH ? (size_t)c->left : BATCH;
  if ((rc = read_at (a, c->at, (unsigned char *)a->keys, some * a->size)))
    return rc;
  spread (a, some);
  c->at += some * a->size;
  c->left -= some;
  *n = some;
  return TL_OK;
}

const uint64_t *tl_attic_keys (const tl_attic *a) {
  return a->keys;
}
