#include "explore/pool.h"

#include "base/bits.h"

#include <string.h>
#include <xxhash.h>

enum {
  FIRST_ROOM = 16,
  LAST_ROOM = 4096, // a table takes about as much memory from the beginning
  MOVE_BATCH = 256
};

static uint32_t hash_of (const uint64_t *key, uint32_t words) {
  const uint64_t hash =
      words == 1 ? tl_mix (*key) : XXH3_64bits (key, words * sizeof *key);
  return (uint32_t)(hash >> 32);
}

// Where the key is in the index, or the free place where it belongs.
static uint32_t find (const tl_pool *p, const uint64_t *key, uint32_t words) {
  const uint32_t mask = 2 * p->room - 1;
  uint32_t at = hash_of (key, words) & mask;
  for (; p->index[at]; at = (at + 1) & mask)
    if (!memcmp (p->keys + (size_t)(p->index[at] - 1) * words, key,
                 words * sizeof *key))
      break;
  return at;
}

static void release (tl_pool *p, tl_mem *mem) {
  if (p->keys)
    TL_DEL (mem, p->keys, (size_t)p->room * p->words);
  if (p->index)
    TL_DEL (mem, p->index, 2 * (size_t)p->room);
  p->room = 0;
}

void tl_pool_clear (tl_pool *p, tl_mem *mem) {
  release (p, mem);
  if (p->store)
    p->store->kind->close (p->store);
  *p = (tl_pool){0};
}

static tl_status enlarge (tl_pool *p, const tl_pool_kind *kind) {
  const uint32_t words = kind->spec.key_words;
  tl_pool more = {.room = p->room ? 2 * p->room : FIRST_ROOM,
                  .words = words,
                  .count = p->count};
  if (!TL_NEW (kind->mem, more.keys, (size_t)more.room * words) ||
      !TL_NEW (kind->mem, more.index, 2 * (size_t)more.room)) {
    release (&more, kind->mem);
    return TL_E_NOMEM;
  }
  if (p->count)
    memcpy (more.keys, p->keys, p->count * words * sizeof *p->keys);
  for (uint32_t i = 0; i < p->count; i++)
    more.index[find (&more, more.keys + (size_t)i * words, words)] =
        (uint16_t)(i + 1);
  release (p, kind->mem);
  *p = more;
  return TL_OK;
}

// It has become large: from now on it is a store.
static tl_status become_store (tl_pool *p, const tl_pool_kind *kind) {
  const uint32_t words = kind->spec.key_words;
  tl_store *store;
  uint8_t isnew[MOVE_BATCH];
  tl_status rc = kind->store->open (&store, kind->mem, &kind->spec);
  if (rc)
    return rc;
  for (size_t from = 0, n; !rc && from < p->count; from += n) {
    n = p->count - from < MOVE_BATCH ? p->count - from : MOVE_BATCH;
    rc = kind->store->put (store, &(tl_batch){.count = n,
                                              .keys = p->keys + from * words,
                                              .isnew = isnew});
  }
  if (rc) {
    kind->store->close (store);
    return rc;
  }
  release (p, kind->mem);
  p->store = store;
  return TL_OK;
}

static tl_status put_small (tl_pool *p, const tl_pool_kind *kind,
                            const uint64_t *key, uint8_t *isnew) {
  const uint32_t words = kind->spec.key_words;
  if (!p->room && enlarge (p, kind))
    return TL_E_NOMEM;
  uint32_t at = find (p, key, words);
  *isnew = !p->index[at];
  if (!*isnew)
    return TL_OK;
  if (p->count == p->room) {
    if (enlarge (p, kind))
      return TL_E_NOMEM;
    at = find (p, key, words);
  }
  memcpy (p->keys + p->count * words, key, words * sizeof *key);
  p->index[at] = (uint16_t)++p->count;
  return TL_OK;
}

// Puts what is left of a batch.
static tl_status put_stored (tl_pool *p, tl_batch *batch) {
  const size_t done = batch->done;
  tl_batch rest = *batch;
  rest.count -= done;
  rest.keys += done * p->store->spec.key_words;
  rest.isnew += done;
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
    if (p->count >= LAST_ROOM)
      rc = become_store (p, kind);
    else if (!(rc = put_small (p, kind,
                               batch->keys + batch->done * kind->spec.key_words,
                               batch->isnew + batch->done)))
      batch->done++;
  }
  return rc;
}

size_t tl_pool_each (const tl_pool *p, const tl_pool_kind *kind,
                     uint64_t *cursor, size_t most, uint64_t *keys) {
  if (p->store)
    return p->store->kind->each (p->store, cursor, most, keys, false);
  const uint32_t words = kind->spec.key_words;
  const uint64_t left = p->count - *cursor;
  const size_t n = left < most ? (size_t)left : most;
  if (n)
    memcpy (keys, p->keys + *cursor * words, n * words * sizeof *keys);
  *cursor += n;
  return n;
}
