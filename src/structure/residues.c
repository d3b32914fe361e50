#include "structure/residues.h"

typedef unsigned __int128 u128;

const tl_prime tl_residue_prime[2] = {{1, ((uint64_t)1 << 61) - 1},
                                      {31, ((uint64_t)1 << 61) - 31}};

#define PRIME tl_residue_prime

tl_residues tl_residues_one (const tl_echelon *echelon) {
  tl_residues r = {.primes = 1, .modulus = PRIME[0].p, .limit = (u128)1 << 29};
  r.value[0] = tl_echelon_combination (echelon, &r.count);
  return r;
}

bool tl_residues_two (tl_residues *r, const tl_echelon *first,
                      const tl_echelon *second) {
  uint32_t count;
  *r = (tl_residues){.primes = 2,
                     .modulus = (u128)PRIME[0].p * PRIME[1].p,
                     .limit = (u128)1 << 60};
  r->value[0] = tl_echelon_combination (first, &r->count);
  r->value[1] = tl_echelon_combination (second, &count);
  bool same = count == r->count;
  for (uint32_t i = 0; same && i < count; i++)
    same = r->value[0][i].name == r->value[1][i].name;
  return same;
}

// The one number below both primes' product that leaves a and b.
static u128 join_residues (uint64_t a, uint64_t b) {
  const uint64_t p = PRIME[0].p % PRIME[1].p;
  const uint64_t difference = tl_mod_minus (PRIME[1], b, a % PRIME[1].p);
  const uint64_t k =
      tl_mod_times (PRIME[1], difference, tl_mod_inverse (PRIME[1], p));
  return a + (u128)PRIME[0].p * k;
}

// The smallest d with d * x = n modulo m and |n| <= limit (Wang).
static u128 denominator_of (u128 x, u128 m, u128 limit) {
  u128 r0 = m, r1 = x, d0 = 0, d1 = 1;
  while (r1 > limit) {
    const u128 q = r0 / r1, r2 = r0 - q * r1, d2 = d0 + q * d1;
    r0 = r1, r1 = r2, d0 = d1, d1 = d2;
  }
  return d1;
}

// denominator * value, between -modulus/2 and modulus/2.
static __int128 scaled (const tl_residues *r, uint32_t i,
                        uint64_t denominator) {
  uint64_t x[2] = {0};
  for (int k = 0; k < r->primes; k++)
    x[k] =
        tl_mod_times (PRIME[k], r->value[k][i].value, denominator % PRIME[k].p);
  const u128 y = r->primes == 2 ? join_residues (x[0], x[1]) : x[0];
  return y > r->modulus / 2 ? -(__int128)(r->modulus - y) : (__int128)y;
}

static bool exceeds (__int128 x, u128 limit) {
  return (x < 0 ? -(u128)x : (u128)x) > limit;
}

// Finds a common denominator; false when the numbers are too large.
static bool find_denominator (const tl_residues *r, uint64_t *denominator) {
  u128 d = 1;
  for (uint32_t i = 0; i < r->count; i++) {
    const __int128 x = scaled (r, i, (uint64_t)d);
    if (!exceeds (x, r->limit))
      continue;
    const u128 more = denominator_of (x < 0 ? r->modulus - (u128)-x : (u128)x,
                                      r->modulus, r->limit);
    if (more > r->limit / d)
      return false;
    d *= more;
  }
  *denominator = (uint64_t)d;
  return true;
}

bool tl_residues_fractions (const tl_residues *r, tl_entry *term,
                            int64_t *denominator) {
  uint64_t common;
  if (!find_denominator (r, &common))
    return false;
  for (uint32_t i = 0; i < r->count; i++) {
    const __int128 x = scaled (r, i, common);
    if (exceeds (x, r->limit))
      return false;
    term[i] = (tl_entry){r->value[0][i].name, (int64_t)x};
  }
  const int64_t divisor =
      tl_gcd ((int64_t)common, tl_terms_divisor (term, r->count));
  for (uint32_t i = 0; i < r->count; i++)
    term[i].factor /= divisor;
  *denominator = (int64_t)common / divisor;
  return true;
}
