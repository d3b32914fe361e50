#ifndef TL_STRUCTURE_RESIDUES_H
#define TL_STRUCTURE_RESIDUES_H

#include "structure/echelon.h"

// From numbers modulo a prime back to fractions.  Numerators and denominators
// below 2^29 are found with one prime, below 2^60 with two.  What comes out
// leaves the right remainders but may be wrong all the same: callers check it.

extern const tl_prime tl_residue_prime[2];

typedef struct tl_residues {
  const tl_residue *value[2]; // modulo each prime; borrowed
  uint32_t count;
  int primes;
  unsigned __int128 modulus, limit;
} tl_residues;

// The last combination of an echelon modulo the first prime.
tl_residues tl_residues_one (const tl_echelon *);
// Of two, modulo each; false where they do not speak of the same rows.
bool tl_residues_two (tl_residues *, const tl_echelon *, const tl_echelon *);

// The fractions over one denominator >= 1, without a divisor common to all:
// `term` [count] has the names and the numerators.  False: the numbers are too
// large.
bool tl_residues_fractions (const tl_residues *, tl_entry *term,
                            int64_t *denominator);

#endif
