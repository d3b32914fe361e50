#ifndef TL_MEASURE_CANDIDATES_H
#define TL_MEASURE_CANDIDATES_H

#include "measure/measure.h"

// Where measures come from when nobody gives one.  Each function appends what
// it finds to the list, best first, perhaps nothing: where numbers become too
// large or the work too much, a candidate is left out.  All weights are
// integers; whatever a solver said, the offsets are computed from them.
// The functions return TL_OK or TL_E_NOMEM, with what was added before.

// "schmidt": transitions, in their order, whose change is no combination of
// those before have offset 1 (or, so that the weights are integers, one and
// the same number); all other offsets follow from these.
tl_status tl_candidates_schmidt (tl_measures *, const tl_structure *);

#endif
