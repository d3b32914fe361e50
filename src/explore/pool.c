#include "explore/pool.h"

#include "base/bits.h"

#include <string.h>
#include <xxhash.h>

enum {
  FIRST_ROOM = 16,
  LAST_ROOM = 4096, // a table takes about as much memory from the beginning
  MOVE_BATCH = 64
};

static uint32_t bytes_of (const tl_pool_kind *kind) {
  return (kind->spec.key_bits + 7) / 8 + !kind->spec.key_bits;
}

// Keys lie in memory as bytes, the lowest first; `packed` has room for whole
// words.
static void pack (const uint64_t *key, uint32_t words, unsigned char *packed) {
  for (uint32_t w = 0; w < words; w++)
    tl_write_word (packed + 8 * w, key[w]);
}

static uint32_t hash_of (const unsigned char *packed, uint32_t bytes) {
  return (uint32_t)(XXH3_64bits (packed, bytes) >> 32);
}

// Where the key is in the index, or the free place where it belongs.
static uint32_t find (const tl_pool *p, const unsigned char *packed) {
  const uint32_t mask = p->places - 1;
  uint32_t at = hash_of (packed, p->bytes) & mask;
  for (; p->index[at]; at = (at + 1) & mask)
    if (!memcmp (p->keys + (size_t)(p->index[at] - 1) * p->bytes, packed,
                 p->bytes))
      break;
  return at;
}

static void release (tl_pool *p, tl_mem *mem) {
  if (p->keys)
    TL_DEL (mem, p->keys, (size_t)p->room * p->bytes);
  if (p->index)
    TL_DEL (mem, p->index, p->places);
  p->room = p->places = 0;
}

void tl_pool_clear (tl_pool *p, tl_mem *mem) {
  release (p, mem);
  if (p->name)
    TL_DEL (mem, p->name, p->name_room);
  if (p->store)
    p->store->kind->close (p->store);
  *p = (tl_pool){0};
}

// By half; the index is at most four fifths full.
static tl_status enlarge (tl_pool *p, const tl_pool_kind *kind) {
  tl_pool more = *p;
  more.bytes = bytes_of (kind);
  more.room = p->room ? p->room + p->room / 2 : FIRST_ROOM;
  more.places = 16;
  more.keys = 0;
  more.index = 0;
  while (more.places < more.room + more.room / 4)
    more.places *= 2;
  if (!TL_NEW (kind->mem, more.keys, (size_t)more.room * more.bytes) ||
      !TL_NEW (kind->mem, more.index, more.places)) {
    release (&more, kind->mem);
    return TL_E_NOMEM;
  }
  if (p->count)
    memcpy (more.keys, p->keys, p->count * more.bytes);
  for (uint32_t i = 0; i < p->count; i++)
    more.index[find (&more, more.keys + (size_t)i * more.bytes)] =
        (uint16_t)(i + 1);
  release (p, kind->mem);
  *p = more;
  return TL_OK;
}

// The keys from number `from` on, as words.
static size_t read_small (const tl_pool *p, uint32_t words, uint64_t from,
                          size_t most, uint64_t *keys) {
  const uint64_t left = p->count - from;
  const size_t n = left < most ? (size_t)left : most;
  for (size_t i = 0; i < n; i++) {
    unsigned char packed[8 * words];
    memset (packed, 0, sizeof packed);
    memcpy (packed, p->keys + (from + i) * p->bytes, p->bytes);
    for (uint32_t w = 0; w < words; w++)
      keys[i * words + w] = tl_read_word (packed + 8 * w);
  }
  return n;
}

// It has become large: from now on it is a store.
static tl_status become_store (tl_pool *p, const tl_pool_kind *kind) {
  const uint32_t words = kind->spec.key_words;
  tl_store *store;
  uint64_t *keys;
  uint8_t isnew[MOVE_BATCH];
  tl_status rc = kind->store->open (&store, kind->mem, &kind->spec);
  if (rc)
    return rc;
  if (!TL_NEW (kind->mem, keys, (size_t)MOVE_BATCH * words))
    rc = TL_E_NOMEM;
  for (size_t from = 0, n; !rc && from < p->count; from += n) {
    n = read_small (p, words, from, MOVE_BATCH, keys);
    rc = kind->store->put (
        store, &(tl_batch){.count = n, .keys = keys, .isnew = isnew});
  }
  if (keys)
    TL_DEL (kind->mem, keys, (size_t)MOVE_BATCH * words);
  if (rc) {
    kind->store->close (store);
    return rc;
  }
  release (p, kind->mem);
  p->store = store;
  return TL_OK;
}

// Puts the next key of a batch.
static tl_status put_small (tl_pool *p, const tl_pool_kind *kind,
                            tl_batch *batch) {
  const uint64_t *key = batch->keys + batch->done * kind->spec.key_words;
  uint8_t *isnew = batch->isnew + batch->done;
  const bool look = batch->look;
  unsigned char packed[8 * kind->spec.key_words];
  pack (key, kind->spec.key_words, packed);
  *isnew = 1;
  if (!p->room && !look && enlarge (p, kind))
    return TL_E_NOMEM;
  uint32_t at = p->room ? find (p, packed) : 0;
  *isnew = !p->room || !p->index[at];
  if (*isnew && !look) {
    if (p->count == p->room) {
      if (enlarge (p, kind))
        return TL_E_NOMEM;
      at = find (p, packed);
    }
    memcpy (p->keys + p->count * p->bytes, packed, p->bytes);
    p->index[at] = (uint16_t)++p->count;
  }
  if (batch->numbers && !(*isnew && look))
    batch->numbers[batch->done] = p->index[at] - 1u;
  batch->done++;
  return TL_OK;
}

// Puts what is left of a batch.
static tl_status put_stored (tl_pool *p, tl_batch *batch) {
  const size_t done = batch->done;
  tl_batch rest = *batch;
  rest.count -= done;
  rest.keys += done * p->store->spec.key_words;
  rest.isnew += done;
  if (rest.numbers)
    rest.numbers += done;
  const tl_status rc = p->store->kind->put (p->store, &rest);
  batch->done += rest.done;
  p->count = p->store->count;
  return rc;
}

tl_status tl_pool_put (tl_pool *p, const tl_pool_kind *kind, tl_batch *batch) {
  batch->done = 0;
  tl_status rc = TL_OK;
  while (!rc && batch->done < batch->count) {
    if (p->store)
      return put_stored (p, batch);
    rc = p->count >= LAST_ROOM && !batch->look ? become_store (p, kind)
                                               : put_small (p, kind, batch);
  }
  return rc;
}

size_t tl_pool_each (const tl_pool *p, const tl_pool_kind *kind,
                     uint64_t *cursor, size_t most, uint64_t *keys) {
  if (p->store)
    return p->store->kind->each (p->store, cursor, most, keys, false);
  const size_t n = read_small (p, kind->spec.key_words, *cursor, most, keys);
  *cursor += n;
  return n;
}
