#ifndef TL_STRUCTURE_VECTOR_H
#define TL_STRUCTURE_VECTOR_H

#include <stddef.h>
#include <stdint.h>

// A sparse integer vector: what a transition does to places, the weights of an
// invariant, a linear function.  Sorted by index, no factor is 0.
typedef struct tl_entry {
  uint32_t index;
  int64_t factor;
} tl_entry;

// Part of an array of terms; borrowed.
typedef struct tl_vector {
  const tl_entry *term;
  uint32_t count;
} tl_vector;

void tl_vector_sort (tl_entry *, size_t count); // by index

// The greatest common divisor of the factors; 0 for no terms.
int64_t tl_terms_divisor (const tl_entry *, size_t count);

int64_t tl_gcd (int64_t, int64_t); // of their absolute values

#endif
