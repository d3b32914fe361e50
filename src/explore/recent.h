#ifndef TL_EXPLORE_RECENT_H
#define TL_EXPLORE_RECENT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Keys of one word that were found lately.  Many arcs lead to states to which
// others led a moment ago: a third to nine tenths of them on real nets, if
// states are expanded in the order in which they were found.  Those need not be
// looked up in a store.  What is remembered is 64 KB; a key is forgotten when
// another one takes its place.

enum { TL_RECENT_BITS = 13 };

typedef struct tl_recent {
  uint64_t key[1 << TL_RECENT_BITS];
} tl_recent;

static inline size_t tl_recent_place (uint64_t key) {
  return (size_t)(key * 0x9e3779b97f4a7c15u >> (64 - TL_RECENT_BITS));
}

// Nothing was found: each place has a key that belongs to another.
static inline void tl_recent_forget (tl_recent *r) {
  memset (r, 0, sizeof *r);
  r->key[tl_recent_place (0)] = 1;
}

// Leaves only the keys that were not found lately; how many these are, and
// which they were.  Whether a key was is hard to predict: no branch.
static inline size_t tl_recent_leave (tl_recent *r, uint64_t *keys, size_t n,
                                      uint16_t *which) {
  size_t left = 0;
  for (size_t i = 0; i < n; i++) {
    const uint64_t key = keys[i];
    uint64_t *place = r->key + tl_recent_place (key);
    keys[left] = key;
    which[left] = (uint16_t)i;
    left += *place != key;
    *place = key;
  }
  return left;
}

#endif
