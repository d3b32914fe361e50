#ifndef TL_BASE_BITS_H
#define TL_BASE_BITS_H

#include <stdint.h>

#ifdef __BMI2__
#include <immintrin.h>
#endif

// Small things about 64-bit words.

// Bits needed to write the numbers 0..n: 0 for 0, 1 for 1, 2 for 2 and 3.
static inline unsigned tl_bits_for (uint64_t n) {
  return n ? 64u - (unsigned)__builtin_clzll (n) : 0;
}

// A word whose `width` lowest bits are set; width may be 64.
static inline uint64_t tl_low_bits (unsigned width) {
  return width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1;
}

// The upper half of a 128-bit product: maps a uniform `x` to 0..n-1, keeping
// the order of the x.
static inline uint64_t tl_range (uint64_t x, uint64_t n) {
  return (uint64_t)(((unsigned __int128)x * n) >> 64);
}

// Gathers the bits of `x` under `mask` at the low end, and scatters them back.
static inline uint64_t tl_gather (uint64_t x, uint64_t mask) {
#ifdef __BMI2__
  return _pext_u64 (x, mask);
#else
  uint64_t out = 0;
  for (unsigned n = 0; mask; n++, mask &= mask - 1)
    out |= (uint64_t)((x & mask & -mask) != 0) << n;
  return out;
#endif
}

static inline uint64_t tl_scatter (uint64_t x, uint64_t mask) {
#ifdef __BMI2__
  return _pdep_u64 (x, mask);
#else
  uint64_t out = 0;
  for (; mask; x >>= 1, mask &= mask - 1)
    out |= x & 1 ? mask & -mask : 0;
  return out;
#endif
}

// A bijection of the 64-bit words whose results look random, above all in the
// upper bits; and its inverse.
static inline uint64_t tl_mix (uint64_t x) {
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  x ^= x >> 32;
  x *= 0xd6e8feb86659fd93u;
  return x ^ x >> 32;
}

static inline uint64_t tl_unmix (uint64_t x) {
  x ^= x >> 32;
  x *= 0xcfee444d8b59a89bu; // the inverse of the factor above, mod 2^64
  x ^= x >> 32;
  x *= 0xcfee444d8b59a89bu;
  return x ^ x >> 32;
}

#endif
