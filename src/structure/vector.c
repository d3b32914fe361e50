#include "structure/vector.h"

#include <stdlib.h>

static int by_index (const void *left, const void *right) {
  const tl_entry *l = left, *r = right;
  return (l->index > r->index) - (l->index < r->index);
}

void tl_vector_sort (tl_entry *terms, size_t count) {
  if (count)
    qsort (terms, count, sizeof *terms, by_index);
}

int64_t tl_gcd (int64_t a, int64_t b) {
  while (b) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

int64_t tl_terms_divisor (const tl_entry *terms, size_t count) {
  int64_t divisor = 0;
  for (size_t i = 0; i < count && divisor != 1; i++)
    divisor = tl_gcd (divisor, terms[i].factor);
  return divisor;
}
