#ifndef TL_COLOUR_FOLD_H
#define TL_COLOUR_FOLD_H

#include "colour/evaluate.h"
#include "net/folded.h"

// Makes the net of a coloured net that is not unfolded; it owns the coloured
// one, also when this fails.  TL_E_ARG: the initial marking is wrong.
tl_status tl_folded_net (tl_net **, tl_mem *, tl_coloured *, tl_error *);

// The cells of the largest frame of any transition, label or proposition.
uint32_t tl_folded_frame (const tl_coloured *);

#endif
