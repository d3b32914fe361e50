#ifndef TL_STRUCTURE_RATIONAL_H
#define TL_STRUCTURE_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

// A fraction with a small denominator within `tolerance` of x >= 0;
// false when the denominator would exceed `limit` or x is too large.
bool tl_rational_near (double x, double tolerance, int64_t limit,
                       int64_t *numerator, int64_t *denominator);

// Values of a solver, none of them negative, as integers over one denominator:
// the first makes *common a multiple of the value's own denominator, beginning
// with 1, and the second then tells the numerator.  What is nearly 0 is taken
// for 0.  False: the numbers would be too large.
bool tl_rational_join (double value, int64_t *common);
bool tl_rational_over (double value, int64_t common, int64_t *numerator);

#endif
