#include "measure/order.h"

#include "measure/measure.h"

#include <stdlib.h>

typedef struct gains {
  const int64_t *offset;
  uint32_t parts;
  bool losing_first;
} gains;

static bool loses (const int64_t *gain, uint32_t parts) {
  static const int64_t nothing[TL_MEASURE_PARTS];
  return tl_progress_compare (gain, nothing, parts) < 0;
}

// Ascending in the order wanted.  Of two that gain the same, the one with the
// larger number.
static int compare (const void *a, const void *b, void *context) {
  const gains *g = context;
  const uint32_t t = *(const uint32_t *)a, u = *(const uint32_t *)b;
  const int64_t *left = g->offset + (size_t)t * g->parts,
                *right = g->offset + (size_t)u * g->parts;
  const bool first = loses (left, g->parts), second = loses (right, g->parts);
  if (first != second)
    return first == g->losing_first ? -1 : 1;
  const int by = tl_progress_compare (right, left, g->parts);
  return by ? by : (t < u) - (t > u);
}

void tl_measure_order (const int64_t *offset, uint32_t parts,
                       uint32_t transitions, bool losing_first,
                       uint32_t *order) {
  gains g = {offset, parts, losing_first};
  for (uint32_t t = 0; t < transitions; t++)
    order[t] = t;
  qsort_r (order, transitions, sizeof *order, compare, &g);
}
