#include "structure/rational.h"

#include "structure/vector.h"

#include <math.h>

// Values of a solver below NOISE are taken for 0, others are right to within
// TOLERANCE of themselves.
#define NOISE 1e-11
#define TOLERANCE 1e-9
#define MAX_DENOMINATOR ((int64_t)1 << 36)

// Continued fraction; the convergents are n1/d1 and before it n0/d0.
bool tl_rational_near (double x, double tolerance, int64_t limit,
                       int64_t *numerator, int64_t *denominator) {
  int64_t n0 = 0, d0 = 1, n1 = 1, d1 = 0;
  double rest = x;
  for (int step = 0; step < 40; step++) {
    const double whole = floor (rest);
    int64_t n2, d2;
    if (!(whole >= 0 && whole < 0x1p53) ||
        __builtin_mul_overflow ((int64_t)whole, n1, &n2) ||
        __builtin_add_overflow (n2, n0, &n2) ||
        __builtin_mul_overflow ((int64_t)whole, d1, &d2) ||
        __builtin_add_overflow (d2, d0, &d2) || d2 > limit)
      return false;
    n0 = n1, d0 = d1, n1 = n2, d1 = d2;
    if (fabs (x - (double)n1 / (double)d1) <= tolerance) {
      *numerator = n1;
      *denominator = d1;
      return true;
    }
    rest = 1 / (rest - whole);
  }
  return false;
}

static bool read_fraction (double x, int64_t *numerator, int64_t *denominator) {
  return tl_rational_near (x, TOLERANCE * x, MAX_DENOMINATOR, numerator,
                           denominator);
}

bool tl_rational_join (double x, int64_t *common) {
  int64_t n, d;
  return x <= NOISE ||
         (read_fraction (x, &n, &d) &&
          !__builtin_mul_overflow (*common, d / tl_gcd (*common, d), common));
}

bool tl_rational_over (double x, int64_t common, int64_t *numerator) {
  int64_t n, d;
  *numerator = 0;
  return x <= NOISE || (read_fraction (x, &n, &d) &&
                        !__builtin_mul_overflow (n, common / d, numerator));
}
