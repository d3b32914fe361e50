#ifndef TL_STORE_PLAIN_H
#define TL_STORE_PLAIN_H

#include "store/slots.h"
#include "store/store.h"

#include <string.h>
#include <xxhash.h>

// The plain store, for those who put keys into it.
//
// Keys of one word lie in the table itself, sent through a bijection so that
// they spread: 8 bytes / load, one cache line a probe.
//
// Longer keys, and those that get numbers, lie side by side in one array in the
// order of their numbers; the table holds numbers, with hash bits beside them
// so that a probe compares hardly ever a key in vain: 8 bytes a word of the
// key + 8 / load.
//
//     slot   | 30 bits of hash | number + 1, 34 bits |
typedef struct tl_plain {
  tl_store base;
  tl_slots slots;
  uint64_t salt; // see tl_store_spec
  bool has_zero; // one word: the key whose mixed form is 0 is in the set
  tl_map keys;   // long keys, by number
} tl_plain;

enum { TL_NUMBER_BITS = 34 };
#define TL_NUMBER_MASK (((uint64_t)1 << TL_NUMBER_BITS) - 1)

static inline uint64_t tl_plain_hash (const uint64_t *key, size_t words) {
  return words == 1 ? tl_mix (*key) : XXH3_64bits (key, words * sizeof *key);
}

// The hash bits of a slot.
static inline uint64_t tl_plain_tag (const uint64_t *key, size_t words) {
  return tl_plain_hash (key, words) & ~TL_NUMBER_MASK;
}

static inline uint64_t *tl_plain_key (const tl_plain *s, uint64_t number) {
  return (uint64_t *)s->keys.base + number * s->base.spec.key_words;
}

static inline bool tl_plain_equal (const uint64_t *a, const uint64_t *b,
                                   size_t words) {
  return *a == *b &&
         (words == 1 || !memcmp (a + 1, b + 1, (words - 1) * sizeof *a));
}

// Room for so many keys by number.
tl_status tl_plain_room (tl_plain *, uint64_t count);

#endif
