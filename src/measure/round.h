#ifndef TL_MEASURE_ROUND_H
#define TL_MEASURE_ROUND_H

#include "measure/measure.h"

// Adds the measure with weights in the same proportion as these values
// [places], as small integers: exactly where they are fractions with small
// denominators, else rounded.  Adds nothing where all offsets would be 0, or
// the same as those of a measure that is there already.
tl_status tl_measures_add_values (tl_measures *, const char *name,
                                  const double *value);

#endif
