#ifndef TL_TESTS_COMPARE_HOME_H
#define TL_TESTS_COMPARE_HOME_H

#include "brute.h"

// Asks what can be reached from everywhere (home, live, AG EF, EF AG) in every
// order of search, and compares with what `b` says.  A net that `b` has not
// seen all states of is not asked.  On a difference says which.
bool compare_home (const brute *b, uint64_t seed, char *why, size_t size);

#endif
