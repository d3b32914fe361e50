#include "measure/round.h"

#include "structure/rational.h"

#include <math.h>

// Values below NOISE, as shares of the largest, are taken for 0.
#define NOISE 1e-9
#define TOLERANCE 1e-7

// Weights are at most this large, unless the values are whole numbers.
#define LARGEST 1000000

static double largest_of (const double *value, uint32_t count) {
  double largest = 0;
  for (uint32_t p = 0; p < count; p++)
    if (fabs (value[p]) > largest)
      largest = fabs (value[p]);
  return largest;
}

// The common denominator; 0: it is too large.
static int64_t denominator_of (const double *value, uint32_t count,
                               double noise) {
  int64_t common = 1, n, d;
  for (uint32_t p = 0; p < count; p++) {
    const double x = fabs (value[p]);
    if (x <= noise)
      continue;
    if (!tl_rational_near (x, TOLERANCE * x, LARGEST, &n, &d))
      return 0;
    common = common / tl_gcd (common, d) * d;
    if (common > LARGEST)
      return 0;
  }
  return common;
}

bool tl_round_values (const double *value, uint32_t count, int64_t *weight) {
  const double largest = largest_of (value, count), noise = NOISE * largest;
  if (!(largest > 0 && largest < 1e15))
    return false;
  double factor = (double)denominator_of (value, count, noise);
  if (factor == 0 || factor * largest > LARGEST)
    factor = LARGEST / largest;
  int64_t divisor = 0;
  for (uint32_t p = 0; p < count; p++) {
    weight[p] = llround (value[p] * factor);
    divisor = tl_gcd (divisor, weight[p]);
  }
  for (uint32_t p = 0; divisor && p < count; p++)
    weight[p] /= divisor;
  return divisor != 0;
}

static bool same_offsets (const tl_measure *a, const tl_measure *b,
                          uint32_t transitions) {
  if (!b->offset || a->parts != b->parts)
    return false;
  for (uint32_t t = 0; t < transitions * a->parts; t++)
    if (a->offset[t] != b->offset[t])
      return false;
  return true;
}

static bool is_new (const tl_measures *list) {
  const tl_measure *last = list->measure + list->count - 1;
  bool some = false;
  for (uint32_t t = 0; t < list->net->transitions; t++)
    some = some || last->offset[t];
  for (const tl_measure *m = list->measure; some && m < last; m++)
    some = !same_offsets (last, m, list->net->transitions);
  return some;
}

tl_status tl_measures_add_new (tl_measures *list, const char *name,
                               const int64_t *weight) {
  const tl_status rc = tl_measures_add (list, name, 1, weight);
  if (!rc && !is_new (list))
    tl_measures_drop_last (list);
  return rc == TL_E_LIMIT ? TL_OK : rc;
}

tl_status tl_measures_add_values (tl_measures *list, const char *name,
                                  const double *value) {
  int64_t *weight;
  if (!TL_NEW (list->mem, weight, list->net->places))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  if (tl_round_values (value, list->net->places, weight))
    rc = tl_measures_add_new (list, name, weight);
  TL_DEL (list->mem, weight, list->net->places);
  return rc;
}
