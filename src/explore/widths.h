#ifndef TL_EXPLORE_WIDTHS_H
#define TL_EXPLORE_WIDTHS_H

#include "structure/structure.h"

// How many bits each place gets, from the bounds that the structure of the
// net gives.  A place without a known bound starts with 8 bits and is widened
// when it needs more.

// Sets width[] and most[], the largest number of tokens that must be told
// apart.  Places that never change have width 0.
tl_status tl_widths_choose (tl_mem *, const tl_structure *, uint8_t *width,
                            uint64_t *most);

// The next larger width; 0: there is none.
uint8_t tl_widths_wider (uint8_t width);

#endif
