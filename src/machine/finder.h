#ifndef TL_MACHINE_FINDER_H
#define TL_MACHINE_FINDER_H

#include "colour/evaluate.h"

// Finds bindings in a marking by looking at the net term by term, in the order
// of a schedule.
typedef struct tl_finder tl_finder;

// Gets a frame that holds the variables of a binding, lets included.
typedef tl_status tl_found (void *context, uint32_t transition, tl_cell *frame);

// The evaluation and the net are borrowed.
tl_status tl_finder_open (tl_finder **, tl_mem *, const tl_coloured *,
                          tl_evaluation *);
void tl_finder_close (tl_finder *);

// Calls `found` for every binding whose input tuples have their tokens in the
// marking and whose guard holds; perhaps more than once.  How many tokens of a
// value there are, and inhibitors, are left to the caller.
tl_status tl_finder_find (tl_finder *, uint32_t transition,
                          const tl_tokens *marking, tl_found *, void *context);

#endif
