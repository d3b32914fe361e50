#ifndef TL_STRUCTURE_REGION_H
#define TL_STRUCTURE_REGION_H

#include "structure/incidence.h"
#include "structure/lp.h"

// A part of a net and the linear program of its semiflows:
//
//   minimise  y * m0   with   y >= 0,   y * C <= 0,   y(p) >= 1
//
// over the weights y of the places of the region, all others having weight 0.
// The optimum is the best bound on p that a semiflow inside the region can
// give. If the region is closed, that is the best bound any semiflow can give,
// and also what the state equation gives (the dual program).
typedef struct tl_region {
  tl_mem *mem;
  const tl_incidence *incidence;
  const uint32_t *initial;
  uint32_t *place; // [places] those of the region
  uint32_t count;
  uint32_t *column;     // [places] index in `place` + 1, or 0
  uint32_t *row;        // [transitions] number in the program + 1, or 0
  uint32_t *transition; // [transitions] those with a row
  uint32_t rows;
  bool closed;
  bool busy; // places were left out that too many transitions change
  tl_lp *lp;
  tl_entry *weight; // [places] the last semiflow
  uint32_t weights;
  int iterations; // of the last program
} tl_region;

tl_status tl_region_open (tl_region *, tl_mem *, const tl_incidence *,
                          const uint32_t *initial);
void tl_region_close (tl_region *);

// The region becomes the whole net, or what lies behind a place: the places
// from which tokens of it may come, nearest first, `limit` places at most, none
// that more than `busiest` transitions change.
tl_status tl_region_all (tl_region *);
tl_status tl_region_behind (tl_region *, uint32_t place, uint32_t limit,
                            uint32_t busiest);

typedef enum tl_region_result {
  TL_REGION_SEMIFLOW, // `weight` holds what is probably a semiflow covering the
                      // place
  TL_REGION_NOTHING,  // there is none inside the region
  TL_REGION_STOPPED
} tl_region_result;

tl_region_result tl_region_solve (tl_region *, uint32_t place, int iterations,
                                  double seconds);

#endif
