#ifndef TL_MEASURE_GATHER_H
#define TL_MEASURE_GATHER_H

#include "base/intern.h"
#include "measure/sample.h"
#include "measure/traits.h"

// Samples of a coloured net that is not unfolded: states that a machine finds,
// near the initial one or by walks that go far, and for each arc what it
// changes of the traits.  The transitions of such a sample are the numbers of
// these changes, each a list of 32-bit numbers, one for each trait; the same
// change has the same number in all samples.

// Fills a sample that has no net; `initial` [traits] are those of its first
// state.  What is wrong with the net ends it early.  TL_E_NOMEM: there is
// nothing to be closed.
tl_status tl_sample_gather (tl_sample *, tl_mem *, const tl_net *,
                            const tl_traits *, tl_intern *changes,
                            int32_t *initial, tl_sample_kind,
                            const tl_sample_limits *, uint64_t seed);

#endif
