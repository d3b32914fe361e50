#ifndef TL_BASE_RANDOM_H
#define TL_BASE_RANDOM_H

#include "base/bits.h"

// Random numbers that depend on the seed alone (splitmix64).
typedef struct tl_random {
  uint64_t state;
} tl_random;

static inline uint64_t tl_random_next (tl_random *r) {
  uint64_t x = r->state += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

// A number below n (n > 0).
static inline uint64_t tl_random_below (tl_random *r, uint64_t n) {
  return tl_range (tl_random_next (r), n);
}

#endif
