#ifndef TL_MEASURE_ANNEAL_H
#define TL_MEASURE_ANNEAL_H

#include "base/random.h"
#include "measure/alike.h"
#include "measure/pilot.h"

// Simulated annealing of the weights of a measure and of the window: small
// random changes, kept when the pilot sweep gets cheaper by them and now and
// then when it does not.

typedef struct tl_anneal {
  tl_mem *mem;
  tl_pilot *pilot;               // borrowed
  const tl_incidence *incidence; // borrowed
  const tl_alike *alike;         // borrowed
  tl_random random;
  double share; // of visits in the cost; see tl_pilot_sweep
  // Transitions the sample says nothing about, and what each costs, in
  // markings, if it loses progress; borrowed.
  const uint32_t *unseen;
  uint32_t unseen_count;
  double risk;
  int64_t *weight; // [places]
  int64_t *offset; // [transitions]
  uint64_t window;
  double cost;
  int64_t *best; // [places] what had the least cost since the start
  uint64_t best_window;
  double best_cost;
} tl_anneal;

tl_status tl_anneal_open (tl_anneal *, tl_pilot *, const tl_incidence *,
                          const tl_alike *, double share, uint64_t seed);
void tl_anneal_close (tl_anneal *);

// Begins at these weights.
void tl_anneal_start (tl_anneal *, const int64_t *weight, uint64_t window);

// Changes until the pilot has done `work` more.  Heat is the rise of the cost,
// in markings, that is not unlikely to be accepted, at first and at the end.
// Sets of places are changed together as often as `together` says (0 to 1).
void tl_anneal_run (tl_anneal *, uint64_t work, double hot, double cold,
                    double together);

#endif
