#ifndef TL_STRUCTURE_BOUNDS_H
#define TL_STRUCTURE_BOUNDS_H

#include "structure/semiflow.h"

// Upper bounds on the tokens of each place.  All but the claims are proven:
// behind each stands a semiflow that was added up in integers (or the place is
// never changed).  Inhibitor arcs are not looked at; they only forbid firings,
// so the bounds hold with them too.
//
// Semiflows are guessed first (grow.h), then asked of the LP solver: for a
// small net the best possible one for each place, for a large net the best one
// inside a neighbourhood of the place.  How far this goes is limited by counts
// of work, so that the same net has the same bounds in every run; the clock
// ends it only on a machine far slower than usual.

#define TL_NO_BOUND UINT64_MAX

typedef enum tl_bound_source {
  TL_BOUND_NONE,
  TL_BOUND_CONSTANT, // no transition that can fire changes the place
  TL_BOUND_SEMIFLOW, // a semiflow found by growing
  TL_BOUND_LP,       // a semiflow found by the solver
  TL_BOUND_CLAIM     // the file says so (NUPN), nothing proves it
} tl_bound_source;

const char *tl_bound_source_text (tl_bound_source);

typedef struct tl_bounds {
  tl_mem *mem;
  uint32_t places;
  uint64_t *bound; // [places], or TL_NO_BOUND
  uint8_t *source; // [places], a tl_bound_source
  bool cut_short;  // the clock ended it: another run may find more
} tl_bounds;

// `semiflows` is open and empty; it receives the semiflows the bounds came
// from. `seconds` is about how long it may take.
tl_status tl_bounds_open (tl_bounds *, tl_mem *, const tl_net *, tl_semiflows *,
                          double seconds);
void tl_bounds_close (tl_bounds *);

#endif
