#ifndef TL_MEASURE_SAMPLED_H
#define TL_MEASURE_SAMPLED_H

#include "measure/measure.h"

// Measures chosen by what they cost.  Candidates come from the structure of
// the net and from annealing small integers on small samples; all of them are
// tried with several windows by pilot sweeps, and the best by pilot sweeps on
// larger, fresh samples: annealing finds what suits one sample.
//
// Adds the candidates to an empty list, the best first, with windows and
// estimates.  The work is counted, and the clock is that of the thread, so the
// same seed gives the same measures unless the processor is so slow that
// several times `request->seconds` pass.
tl_status tl_measures_sample (tl_measures *, tl_structure *,
                              const tl_measure_request *, tl_error *);

#endif
