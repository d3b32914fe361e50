#ifndef TL_STRUCTURE_MODULAR_H
#define TL_STRUCTURE_MODULAR_H

#include <stdint.h>

// Arithmetic modulo a prime 2^61 - c with c < 64.  Arguments and results are
// below the prime.
typedef struct tl_prime {
  uint64_t c, p;
} tl_prime;

static inline uint64_t tl_mod_times (tl_prime m, uint64_t a, uint64_t b) {
  const uint64_t mask = ((uint64_t)1 << 61) - 1;
  const unsigned __int128 x = (unsigned __int128)a * b;
  const unsigned __int128 y =
      (x & mask) + (unsigned __int128)(uint64_t)(x >> 61) * m.c;
  const uint64_t z = ((uint64_t)y & mask) + (uint64_t)(y >> 61) * m.c;
  return z >= m.p ? z - m.p : z;
}

static inline uint64_t tl_mod_minus (tl_prime m, uint64_t a, uint64_t b) {
  return a >= b ? a - b : a + m.p - b;
}

static inline uint64_t tl_mod_inverse (tl_prime m, uint64_t a) {
  uint64_t power = 1;
  for (uint64_t n = m.p - 2; n; n >>= 1, a = tl_mod_times (m, a, a))
    if (n & 1)
      power = tl_mod_times (m, power, a);
  return power;
}

static inline uint64_t tl_mod_of (tl_prime m, int64_t x) {
  const uint64_t r = (x < 0 ? -(uint64_t)x : (uint64_t)x) % m.p;
  return x < 0 && r ? m.p - r : r;
}

#endif
