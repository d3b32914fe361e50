#ifndef TL_STORE_SHARDS_H
#define TL_STORE_SHARDS_H

#include "store/store.h"

// One set of keys in many stores, the shards, so that several threads may put
// keys at the same time (tl_store_spec.owner_bits).  A shard is an ordinary
// store, which knows nothing of threads, behind a lock of its own: whoever has
// claimed it may put.  There are many more shards than threads, and a thread
// that finds one claimed goes on with another.
//
// To which shard a key belongs is said by some bits of it, after it went
// through a bijection; the shard holds the rest.  So shards take no more memory
// than one store would:
//
//     key, b bits  -- mix -->  | shard, k bits | part, b - k bits |
//
// But for the tree, which lives of what keys have in common, and for keys of
// many lengths (store/lengths.h): there a key is kept whole, and a hash says
// where.
//
// Several processes may share the shards, too: each has a part of them, one
// after the other, and nothing of the rest (tl_store_spec.parts).
//
// As a store it is used by one thread at a time, like any other; keys whose
// shard is not here are left out, as if they had been there.
typedef struct tl_shards tl_shards;

tl_status tl_shards_open (tl_store **, const tl_store_kind *, tl_mem *,
                          const tl_store_spec *);

uint32_t tl_shards_count (const tl_shards *); // those that are here
uint32_t tl_shards_words (const tl_shards *); // of a part
// The shard that each key belongs to, and what is left of the key there.
void tl_shards_split (const tl_shards *, const uint64_t *keys, size_t count,
                      uint16_t *shard, uint64_t *parts);

// The part of the shards that each key belongs to.  All but those of the part
// that is here are for others, and have no shard to be told by the function
// above.
void tl_shards_owners (const tl_shards *, const uint64_t *keys, size_t count,
                       uint16_t *part);

// Claims a shard for this thread; if somebody else has it, false, or waits.
bool tl_shards_try (tl_shards *, uint32_t shard);
void tl_shards_claim (tl_shards *, uint32_t shard);
void tl_shards_release (tl_shards *, uint32_t shard);
// Calls for what parts that are put next into a shard that is claimed will look
// at: it comes while something else is done.
void tl_shards_call (const tl_shards *, uint32_t shard, const uint64_t *parts,
                     size_t count);
// Puts parts into a shard that is claimed.
tl_status tl_shards_put (tl_shards *, uint32_t shard, tl_batch *);
// How full a shard would be with its part of so many new keys, from 1 on it is
// to grow; and has one grow that is claimed.
double tl_shards_fill (const tl_shards *, uint32_t shard, uint64_t more);
void tl_shards_grow (tl_shards *, uint32_t shard);
// So many keys there will be in all, as far as one can tell; 0: nobody can.
void tl_shards_foresee (tl_shards *, uint64_t keys);
// So many of those that were put so were new.
void tl_shards_add (tl_shards *, uint64_t count);

#endif
