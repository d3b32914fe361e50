#ifndef TL_TESTS_FAILING_H
#define TL_TESTS_FAILING_H

#include "brute.h"

// Searches whose memory fails: they end with what is known.

// Explores the net while allocation number n fails.  True: the run never asked
// for that.
bool survives (const tl_net *, const tl_options *, const brute *, long n);

#endif
