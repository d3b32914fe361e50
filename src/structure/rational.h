#ifndef TL_STRUCTURE_RATIONAL_H
#define TL_STRUCTURE_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

// A fraction with a small denominator within `tolerance` of x >= 0;
// false when the denominator would exceed `limit` or x is too large.
bool tl_rational_near (double x, double tolerance, int64_t limit,
                       int64_t *numerator, int64_t *denominator);

#endif
