#ifndef TL_SYMBOLIC_GIVEN_ORDER_H
#define TL_SYMBOLIC_GIVEN_ORDER_H

#include "symbolic/variables.h"

// An order of the variables that somebody has written down: a file with the ids
// of places, one after the other, divided by blanks or lines; # begins a
// comment.  The first is at the top of the diagram.  A place that divisions its
// variable with others stands for all of them, a place of a coloured net for
// those that it is unfolded into.  Places that are not named come below, as
// they are in the net.

// Writes the order: [variables] from the lowest level on.  TL_E_IO, TL_E_MODEL:
// there is no such place.
tl_status tl_given_order (tl_mem *, const tl_variables *, const char *path,
                          uint32_t *order, tl_error *);

#endif
