#ifndef TL_CHECK_GOALS_SAVE_H
#define TL_CHECK_GOALS_SAVE_H

#include "check/goals.h"
#include "checkpoint/parcel.h"

// Questions in a checkpoint: what was answered, and of open questions what the
// states have shown so far.  What a state shows stays true, so it does not
// matter whether some of these states are visited again.
//
// An open formula is saved as it was looked for: proofs may leave another one
// of it the next time, which nobody has looked for among the states before.

void tl_goals_save (void *goals, tl_parcel *);
// Before the first visit.  TL_E_ARG: these are other questions; TL_E_NOMEM.
// Answers are told again.
tl_status tl_goals_restore (void *goals, tl_unparcel *);

#endif
