#include "sweep/pool.h"

#include "base/hash.h"
#include "base/tuning.h"

enum { FIRST_ROOM = 16, MOVE_BATCH = 64 };

// Keys lie in memory as bytes, the lowest first.  There is room for a word
// behind the last, so that they can be read by words.
static inline size_t key_room (const tl_pool *p) {
  return (size_t)p->room * p->bytes + sizeof (uint64_t);
}

static inline uint64_t last_mask (uint32_t bytes, uint32_t words) {
  return tl_low_bits ((bytes - 8 * (words - 1)) * 8);
}

static inline bool equal (const unsigned char *packed, const uint64_t *key,
                          uint32_t words, uint64_t mask) {
  for (uint32_t w = 0; w + 1 < words; w++)
    if (tl_read_word (packed + 8 * w) != key[w])
      return false;
  return (tl_read_word (packed + 8 * (words - 1)) & mask) == key[words - 1];
}

// Where the key is in the index, or the free place where it belongs.
static inline uint32_t find (const tl_pool *p, const uint64_t *key,
                             uint32_t words) {
  const uint32_t mask = p->places - 1;
  const uint64_t last = last_mask (p->bytes, words);
  uint32_t at = (uint32_t)(tl_hash_words (key, words, 0) >> 32) & mask;
  for (; p->index[at]; at = (at + 1) & mask)
    if (equal (p->keys + (size_t)(p->index[at] - 1) * p->bytes, key, words,
               last))
      break;
  return at;
}

static void read_key (const tl_pool *p, uint64_t number, uint64_t *key,
                      uint32_t words) {
  tl_read_words (p->keys + number * p->bytes, p->bytes, key, words);
}

static void release (tl_pool *p, tl_mem *mem) {
  TL_DEL (mem, p->keys, key_room (p));
  TL_DEL (mem, p->index, p->places);
  p->room = p->places = 0;
}

void tl_pool_clear (tl_pool *p, tl_mem *mem) {
  release (p, mem);
  TL_DEL (mem, p->name, p->name_room);
  if (p->store)
    p->store->kind->close (p->store);
  *p = (tl_pool){0};
}

// Fits the index to the room; it is at most four fifths full.
static tl_status enlarge_index (tl_pool *p, const tl_pool_kind *kind,
                                uint32_t room) {
  const uint32_t words = kind->spec.key_words;
  tl_pool more = *p;
  more.places = p->places ? p->places : 16;
  while (more.places < room + room / 4)
    more.places *= 2;
  if (more.places == p->places)
    return TL_OK;
  if (!TL_NEW (kind->mem, more.index, more.places))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < p->count; i++) {
    uint64_t key[words];
    read_key (p, i, key, words);
    more.index[find (&more, key, words)] = (uint16_t)(i + 1);
  }
  TL_DEL (kind->mem, p->index, p->places);
  *p = more;
  return TL_OK;
}

// By half.
static tl_status enlarge (tl_pool *p, const tl_pool_kind *kind) {
  tl_pool more = *p;
  more.bytes = p->bytes = tl_pool_key_bytes (kind);
  more.room = p->room ? p->room + p->room / 2 : FIRST_ROOM;
  if (enlarge_index (p, kind, more.room))
    return TL_E_NOMEM;
  unsigned char *keys =
      tl_mem_resize (kind->mem, p->keys, p->keys ? key_room (p) : 0,
                     key_room (&more), sizeof *p->keys);
  if (!keys)
    return TL_E_NOMEM;
  p->keys = keys;
  p->room = more.room;
  return TL_OK;
}

// The keys from number `from` on, as words.
static size_t read_small (const tl_pool *p, uint32_t words, uint64_t from,
                          size_t most, uint64_t *keys) {
  const uint64_t left = p->count - from;
  const size_t n = left < most ? (size_t)left : most;
  for (size_t i = 0; i < n; i++)
    read_key (p, from + i, keys + i * words, words);
  return n;
}

tl_status tl_pool_enlarge (tl_pool *p, const tl_pool_kind *kind) {
  const uint32_t words = kind->spec.key_words;
  tl_store *store;
  uint64_t *keys;
  uint8_t isnew[MOVE_BATCH];
  tl_status rc = tl_store_open (&store, kind->store, kind->mem, &kind->spec);
  if (rc)
    return rc;
  if (!TL_NEW (kind->mem, keys, (size_t)MOVE_BATCH * words))
    rc = TL_E_NOMEM;
  for (size_t from = 0, n; !rc && from < p->count; from += n) {
    n = read_small (p, words, from, MOVE_BATCH, keys);
    rc = store->kind->put (
        store, &(tl_batch){.count = n, .keys = keys, .isnew = isnew});
  }
  TL_DEL (kind->mem, keys, (size_t)MOVE_BATCH * words);
  if (rc) {
    store->kind->close (store);
    return rc;
  }
  release (p, kind->mem);
  p->store = store;
  return TL_OK;
}

// Puts a key; TL_E_NOMEM: there is no room for it.
static inline tl_status put_key (tl_pool *p, const tl_pool_kind *kind,
                                 tl_batch *batch, uint32_t words) {
  const uint64_t *key = batch->keys + batch->done * words;
  uint8_t *isnew = batch->isnew + batch->done;
  const bool look = batch->look;
  *isnew = 1;
  if (!p->room && !look && enlarge (p, kind))
    return TL_E_NOMEM;
  uint32_t at = p->room ? find (p, key, words) : 0;
  *isnew = !p->room || !p->index[at];
  if (*isnew && !look) {
    if (p->count == p->room) {
      if (enlarge (p, kind))
        return TL_E_NOMEM;
      at = find (p, key, words);
    }
    tl_write_words (p->keys + p->count * p->bytes, key, words);
    p->index[at] = (uint16_t)++p->count;
  }
  if (batch->numbers && !(*isnew && look))
    batch->numbers[batch->done] = p->index[at] - 1u;
  batch->done++;
  return TL_OK;
}

// Puts keys of a batch while it stays small.
static inline tl_status put_words (tl_pool *p, const tl_pool_kind *kind,
                                   tl_batch *batch, uint32_t words) {
  tl_status rc = TL_OK;
  while (!rc && batch->done < batch->count &&
         (p->count < TL_POOL_ROOM || batch->look))
    rc = put_key (p, kind, batch, words);
  return rc;
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
  const uint32_t words = kind->spec.key_words;
  tl_status rc = TL_OK;
  batch->done = 0;
  // Short keys are most of them, and loops of known length are none.
  if (!p->store)
    rc = words == 1 ? put_words (p, kind, batch, 1)
                    : put_words (p, kind, batch, words);
  if (rc || batch->done == batch->count)
    return rc;
  rc = p->store ? TL_OK : tl_pool_enlarge (p, kind);
  return rc ? rc : put_stored (p, batch);
}

void tl_pool_look (const tl_pool *p, const tl_pool_kind *kind,
                   const uint64_t *keys, size_t count, uint8_t *isnew) {
  const uint32_t words = kind->spec.key_words;
  if (p->store) {
    p->store->kind->put (p->store, &(tl_batch){.count = count,
                                               .keys = keys,
                                               .look = true,
                                               .isnew = isnew});
    return;
  }
  for (size_t i = 0; i < count; i++)
    isnew[i] = !p->room || !p->index[find (p, keys + i * words, words)];
}

size_t tl_pool_each (const tl_pool *p, const tl_pool_kind *kind,
                     uint64_t *cursor, size_t most, uint64_t *keys) {
  if (p->store)
    return p->store->kind->each (p->store, cursor, most, keys, false);
  const size_t n = read_small (p, kind->spec.key_words, *cursor, most, keys);
  *cursor += n;
  return n;
}
