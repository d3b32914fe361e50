#ifndef TL_MEASURE_ROUND_H
#define TL_MEASURE_ROUND_H

#include "measure/measure.h"

// Small integers in the same proportion as these values: exactly where they are
// fractions with small denominators, else rounded.  False: all would be 0.
bool tl_round_values (const double *value, uint32_t count, int64_t *weight);

// Adds a measure of one part.  Adds nothing where all offsets would be 0, the
// same as those of a measure that is there already, or too large.
tl_status tl_measures_add_new (tl_measures *, const char *name,
                               const int64_t *weight);

// The same with weights that are rounded first; value[places].
tl_status tl_measures_add_values (tl_measures *, const char *name,
                                  const double *value);

#endif
