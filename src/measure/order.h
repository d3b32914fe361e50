#ifndef TL_MEASURE_ORDER_H
#define TL_MEASURE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

// The order of transitions for the sleep sets of a sweep (structure/sleep.h).
// A state to which several ways lead is found by the one whose last step comes
// last.  That should be a step that gains little: the state is then found late,
// and stored for a short time.
//
// Where every state is visited once, transitions that lose progress come first:
// they fire as early as they can, and what follows from them is found from
// behind, in the next sweep, and not stored once more for each state on the
// line.  Where sweeps visit states again they come last: the more of what is
// behind is found in one sweep, the fewer follow.
//
// `offset` [transitions * parts] is what firing adds to the progress.
void tl_measure_order (const int64_t *offset, uint32_t parts,
                       uint32_t transitions, bool losing_first,
                       uint32_t *order);

#endif
