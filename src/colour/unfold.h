#ifndef TL_COLOUR_UNFOLD_H
#define TL_COLOUR_UNFOLD_H

#include "colour/coloured.h"
#include "net/origin.h"

// Unfolds a coloured net: each token that a place can hold becomes a place,
// each binding that can become enabled a transition.  Which ones these are is
// a fixpoint: tokens of the initial marking; bindings whose input tokens are
// all known; their output tokens.  How many there are of each token does not
// matter here.  Bindings that have the same effect remain different.
//
// A net with an error of the model in some binding that may never be enabled
// cannot be unfolded, nor one with priorities that differ, nor one where
// several inhibitor tuples must be there together.

typedef struct tl_unfold_limits {
  uint64_t places, transitions, arcs; // 0: none
  double seconds;                     // 0: none
} tl_unfold_limits;

// The coloured net must outlive the unfolded one; set origin->close where it
// should be closed with it.  TL_E_MODEL: it cannot be unfolded, the message
// says why; TL_E_LIMIT: it would be too large, or the time is over;
// TL_E_CANCEL; TL_E_NOMEM.
//
// Unfolded places are waiting(3), sent(1,2), turn (without a domain);
// transitions are receive{r=2,s=0}, or receive without variables.
tl_status tl_unfold (const tl_coloured *, const tl_unfold_limits *, tl_mem *,
                     tl_net **, tl_error *);

#endif
