#ifndef TL_BASE_BITS_H
#define TL_BASE_BITS_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

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

// The same inside the b-bit words, 1 <= b <= 64.
static inline uint64_t tl_mix_bits (uint64_t x, unsigned b) {
  const unsigned half = (b + 1) / 2;
  x ^= x >> half;
  x = x * 0xd6e8feb86659fd93u & tl_low_bits (b);
  x ^= x >> half;
  x = x * 0xd6e8feb86659fd93u & tl_low_bits (b);
  return x ^ x >> half;
}

static inline uint64_t tl_unmix_bits (uint64_t x, unsigned b) {
  const unsigned half = (b + 1) / 2;
  for (int round = 0; round < 2; round++) {
    x ^= x >> half; // undoes itself: what is shifted twice is gone
    x = x * 0xcfee444d8b59a89bu & tl_low_bits (b);
  }
  return x ^ x >> half;
}

// The position of the set bit number n (from 0) of x, which has more than n.
static inline unsigned tl_select (uint64_t x, unsigned n) {
#ifdef __BMI2__
  return (unsigned)__builtin_ctzll (_pdep_u64 ((uint64_t)1 << n, x));
#else
  while (n--)
    x &= x - 1;
  return (unsigned)__builtin_ctzll (x);
#endif
}

// `width` bits (1 to 64) from bit `at` of an array of words on.  Both may read
// the word after the last one they touch, but write none that they need not.
static inline uint64_t tl_get_bits (const uint64_t *words, uint64_t at,
                                    unsigned width) {
  const uint64_t *w = words + at / 64;
  const unsigned shift = at % 64;
  uint64_t value = *w >> shift;
  if (shift + width > 64)
    value |= w[1] << (64 - shift);
  return value & tl_low_bits (width);
}

static inline void tl_set_bits (uint64_t *words, uint64_t at, unsigned width,
                                uint64_t value) {
  uint64_t *w = words + at / 64;
  const unsigned shift = at % 64;
  *w = (*w & ~(tl_low_bits (width) << shift)) | value << shift;
  if (shift + width > 64) {
    const unsigned rest = shift + width - 64;
    w[1] = (w[1] & ~tl_low_bits (rest)) | value >> (64 - shift);
  }
}

// Words among bytes, the lowest byte first on any machine.  Where less than a
// word is meant, what comes next is written over the rest, and read with it.
static inline void tl_write_word (unsigned char *at, uint64_t word) {
  word = htole64 (word);
  memcpy (at, &word, sizeof word);
}

static inline uint64_t tl_read_word (const unsigned char *at) {
  uint64_t word;
  memcpy (&word, at, sizeof word);
  return le64toh (word);
}

// Copies some words, so few that a call would take longer; without `restrict`
// the compiler makes none of it.
static inline void tl_copy_words (uint64_t *to, const uint64_t *from,
                                  size_t words) {
  for (size_t w = 0; w < words; w++)
    to[w] = from[w];
}

// Words as bytes, the lowest first, of which only the first `bytes` matter: up
// to seven more are written, and may be read.
static inline void tl_write_words (unsigned char *at, const uint64_t *word,
                                   size_t words) {
  for (size_t w = 0; w < words; w++)
    tl_write_word (at + 8 * w, word[w]);
}

static inline void tl_read_words (const unsigned char *at, size_t bytes,
                                  uint64_t *word, size_t words) {
  for (size_t w = 0; w < words; w++)
    word[w] = tl_read_word (at + 8 * w);
  word[words - 1] &= tl_low_bits ((unsigned)(bytes - 8 * (words - 1)) * 8);
}

// The first of the bytes from..end that is not 0, or the end.  Where most are
// 0, eight at a time.
static inline size_t tl_next_marked (const uint8_t *bytes, size_t from,
                                     size_t end) {
  for (; from + 8 <= end; from += 8) {
    const uint64_t eight = tl_read_word (bytes + from);
    if (eight)
      return from + (size_t)__builtin_ctzll (eight) / 8;
  }
  while (from < end && !bytes[from])
    from++;
  return from;
}

#endif
