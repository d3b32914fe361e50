#ifndef TL_TESTS_RANDOM_MEASURE_H
#define TL_TESTS_RANDOM_MEASURE_H

#include "base/random.h"
#include "tideline.h"

// Any measure and any window for a sweep of a random net: they decide about
// memory, and about what is visited again.
typedef struct random_measure {
  char text[400];
} random_measure;

// Sets `progress`, `window`, `bfs_memory` and `exact_count`; the measure must
// outlive these.
void random_measure_pick (random_measure *, tl_random *, uint32_t places,
                          tl_options *);

#endif
