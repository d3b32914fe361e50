#ifndef TL_TESTS_REFUTING_H
#define TL_TESTS_REFUTING_H

#include "base/mem.h"

// Random state formulas about a random net are to be proven by its structure to
// hold in every reachable marking, or in none; and it, that from each of them
// the initial one can be reached, or a dead one, or one that satisfies them.
typedef struct refuting {
  uint64_t constant; // formulas of which that is true
  uint64_t proven;
  uint64_t returning, returns; // nets that can always return, and are proven to
  uint64_t ending, ends;       // the same of nets that can always end
  uint64_t leading, leads; // formulas, not always true, that they can get to
  uint64_t wrong; // proven although some reachable marking says otherwise
} refuting;

// Adds what was seen on the net of that seed.
void refuting_add (refuting *, tl_mem *, uint64_t seed);

#endif
