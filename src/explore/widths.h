#ifndef TL_EXPLORE_WIDTHS_H
#define TL_EXPLORE_WIDTHS_H

#include "net/net.h"

// How many bits each place gets, from the bounds that the structure of the
// net gives.  A place without a known bound starts with 8 bits and is widened
// when it needs more.

// *bounded: every place has a proven bound.
tl_status tl_widths_choose (tl_mem *, const tl_net *, uint8_t *width,
                            bool *bounded, tl_error *);

// The next larger width; 0: there is none.
uint8_t tl_widths_wider (uint8_t width);

#endif
