#ifndef TL_STRUCTURE_INVARIANT_H
#define TL_STRUCTURE_INVARIANT_H

#include "structure/semiflow.h"

// All minimal semiflows of a net by Farkas' algorithm.  There may be
// exponentially many, so it works to a limit and says when it was reached;
// what was found until then is right all the same.

// Rays and pairs of rays it may look at: some tenths of a second.
#define TL_SEMIFLOW_WORK 200000000

// Adds the minimal P-semiflows of the matrix of `semiflows` to it.  *complete
// is false when the limit was reached or a number would not fit 64 bits: there
// may then be others.
tl_status tl_semiflows_find (tl_semiflows *semiflows, uint64_t work,
                             bool *complete);

// The same matrix with places and transitions exchanged, so that T-semiflows
// are P-semiflows of it.  A view: it lives as long as the original and is not
// to be closed.
tl_incidence tl_incidence_transposed (const tl_incidence *);

#endif
