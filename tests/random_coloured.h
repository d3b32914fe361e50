#ifndef TL_TESTS_RANDOM_COLOURED_H
#define TL_TESTS_RANDOM_COLOURED_H

#include "colour/coloured.h"

// A small coloured net that depends on the seed alone: a few types, places with
// up to two parts, transitions with variables of arcs, picks and lets, guards,
// labels with loops, conditions and negative factors, inhibitors; propositions.
// Most have
// few states; some are unbounded, some have an error of the model.
tl_coloured *random_coloured (tl_mem *, uint64_t seed);

#endif
