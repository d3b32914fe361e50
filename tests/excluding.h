#ifndef TL_TESTS_EXCLUDING_H
#define TL_TESTS_EXCLUDING_H

#include "base/mem.h"

// The state equation of a random net is asked whether it excludes random lists
// of inequalities, and for the least values of sums.
typedef struct excluding {
  uint64_t impossible; // lists that no reachable marking satisfies
  uint64_t excluded;
  uint64_t wrong; // excluded although one does, or least values undercut
} excluding;

// Adds what was seen on the net of that seed.
void excluding_add (excluding *, tl_mem *, uint64_t seed);

#endif
