#ifndef TL_SWEEP_POOL_H
#define TL_SWEEP_POOL_H

#include "store/store.h"

// A set of keys that may stay small: a sweep has thousands of them at a time,
// one for each progress value, and most hold a few hundred states.  A small
// one is two plain arrays, taken and given back in no time; beyond some
// thousand keys it becomes a store.
//
//     keys:  | key | key | key | ...      whole bytes, in the order they came
//     index: numbers of keys by hash, + 1; 0 is free
//
// Where states have numbers in a graph, these are beside the keys: name[n] is
// that of the n-th key.

typedef struct tl_pool_kind {
  tl_mem *mem;
  const tl_store_kind *store;
  tl_store_spec spec;
} tl_pool_kind;

static inline uint32_t tl_pool_key_bytes (const tl_pool_kind *kind) {
  return (kind->spec.key_bits + 7) / 8 + !kind->spec.key_bits;
}

typedef struct tl_pool {
  tl_store *store; // null while it is small
  unsigned char *keys;
  uint16_t *index;
  uint32_t bytes;  // of a key, while it has room
  uint32_t room;   // keys
  uint32_t places; // of the index, a power of two
  uint64_t count;
  uint64_t *name; // for whoever puts keys to fill; null: not numbered
  size_t name_room;
} tl_pool;

// As of a store: on TL_E_NOMEM the first batch->done keys were put.  It can
// look if the store can.  Numbers count from 0 in each pool.
tl_status tl_pool_put (tl_pool *, const tl_pool_kind *, tl_batch *);

// It becomes a store, though it is small.
tl_status tl_pool_enlarge (tl_pool *, const tl_pool_kind *);

// Looks for keys, with a store that looks.  Several threads may do that at the
// same time.
void tl_pool_look (const tl_pool *, const tl_pool_kind *, const uint64_t *keys,
                   size_t count, uint8_t *isnew);

// As of a store.
size_t tl_pool_each (const tl_pool *, const tl_pool_kind *, uint64_t *cursor,
                     size_t most, uint64_t *keys);

// Empties it.
void tl_pool_clear (tl_pool *, tl_mem *);

#endif
