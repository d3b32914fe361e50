#ifndef TL_API_API_RANKS_H
#define TL_API_API_RANKS_H

#include "explore/explore.h"

// The ranks of the options, for a search; what was not said of threads and
// memory is what a rank has.  False: there are no others.
bool tl_ranks_fleet (tl_options *, tl_fleet *);

#endif
