#ifndef TL_MEASURE_BY_TRAITS_H
#define TL_MEASURE_BY_TRAITS_H

#include "measure/measure.h"

// Measures for a coloured net that is not unfolded.  What arcs of samples
// change of the traits of states (measure/traits.h) makes up an abstract net,
// with traits for places and changes for transitions.  Its measures are found
// and judged as those of any net (measure/sampled.h), by pilot sweeps on these
// samples: they are weighted sums of traits.  A change that no sample has may
// lose progress; a sweep takes that as it is.

// Adds candidates to an empty list, the best first; perhaps none.
tl_status tl_measures_by_traits (tl_measures *, const tl_measure_request *,
                                 tl_error *);

#endif
