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

// As few transitions as possible lose progress, that is, the sum of the prices
// of those that do is small; `price` [transitions], none negative, or null: 1
// each.  With the frequencies of firings as prices, few firings lose progress.
// Several solutions, the best first.  `seconds` is a limit that only large
// nets on slow machines come near to.
tl_status tl_candidates_maxfs (tl_measures *, const tl_structure *,
                               const char *name, const double *price,
                               double seconds);

// The price of a transition times what it lacks to an offset of 1 is as little
// as possible in sum: the first step of the above alone.
tl_status tl_candidates_elastic (tl_measures *, const tl_structure *,
                                 const char *name, const double *price,
                                 double seconds);

// No transition loses progress, and as many as possible gain some.  Nothing
// where that are none.
tl_status tl_candidates_monotone (tl_measures *, const tl_structure *,
                                  const char *name, double seconds);

// From places that share their tokens, which walk about in them like the state
// of a process: how far each place is from where the tokens are at the start,
// added up over all such processes.  For processes with a place where the token
// can go many ways: one way after the other, and only then what the others do;
// these come first.  And for those with the longest ways: each alone.  Some
// twenty measures.
tl_status tl_candidates_ranks (tl_measures *, tl_structure *, const char *name);

#endif
