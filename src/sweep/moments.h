#ifndef TL_SWEEP_MOMENTS_H
#define TL_SWEEP_MOMENTS_H

#include "tideline.h"

// The course of a sweep, for a picture: a few thousand moments, whatever its
// length.  When there are too many, of two neighbours the one with more states
// stays, so the peak is always among them.
typedef struct tl_moments {
  tl_sweep_point *point; // made with malloc
  size_t count;
  uint64_t stride;  // so many moments share a point
  uint64_t in_last; // of these, seen for the last point
} tl_moments;

void tl_moments_add (tl_moments *, const tl_sweep_point *);

#endif
