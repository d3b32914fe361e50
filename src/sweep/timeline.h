#ifndef TL_SWEEP_TIMELINE_H
#define TL_SWEEP_TIMELINE_H

#include "tideline.h"

// The course of a sweep, for a picture: a few thousand timeline, whatever its
// length.  When there are too many, of two neighbours the one with more states
// stays, so the peak is always among them.
typedef struct tl_timeline {
  tl_sweep_point *point; // made with malloc
  size_t count;
  uint64_t stride;  // so many timeline share a point
  uint64_t in_last; // of these, seen for the last point
} tl_timeline;

void tl_timeline_add (tl_timeline *, const tl_sweep_point *);

#endif
