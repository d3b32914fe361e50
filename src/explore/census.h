#ifndef TL_EXPLORE_CENSUS_H
#define TL_EXPLORE_CENSUS_H

#include "model/model.h"

// The figures every exploration reports, kept up to date state by state:
// largest number of tokens in each place and in a whole marking, transitions
// that were enabled, dead states.  Places of a word are compared all at once,
// unless there is more to a state than tokens.  Each worker counts for itself,
// and the search adds them up.
typedef struct tl_census {
  tl_mem *mem;
  const tl_net *net;
  const tl_generator *generator;
  uint64_t states, arcs, deadlocks, max_tokens;
  uint64_t followed;   // arcs that were not pruned
  uint64_t *place_max; // [places], up to date after tl_census_settle
  uint8_t *fired;      // [transitions]
  // For the layout in use: maxima packed as a state is; for each word the
  // masks of the bits that count 1, 2, 4, ... tokens; the bits of places that
  // have a guard.
  const tl_layout *layout;
  uint64_t *top;
  uint64_t *plane;
  uint64_t *counted;
  unsigned planes;
  uint64_t constant_tokens; // in places that are not in the state
} tl_census;

tl_status tl_census_open (tl_census *, tl_mem *, const tl_generator *);
void tl_census_close (tl_census *);

// From now on states have this layout; null settles the figures for good.
tl_status tl_census_settle (tl_census *, const tl_layout *);

void tl_census_count (tl_census *, const uint64_t *state,
                      const uint32_t *enabled, uint32_t count);

// All that was counted will be counted again; what was seen was seen.
void tl_census_forget (tl_census *);

// Adds the figures of another one, which are settled for good.
void tl_census_add (tl_census *, const tl_census *);

// The largest number of tokens in a place so far.
uint64_t tl_census_most (const tl_census *, uint32_t place);

// Counts the markings of a run that no search has visited, each once; returns
// how many these are.  Not of a net without arcs.  0: no memory, only what
// fires is noted.
uint64_t tl_census_run (tl_census *, const tl_trace *);

#endif
