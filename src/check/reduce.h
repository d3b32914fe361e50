#ifndef TL_CHECK_REDUCE_H
#define TL_CHECK_REDUCE_H

#include "check/goals.h"
#include "explore/how.h"

// Questions under stubborn sets: which of them can be asked, and what a
// search that leaves states out must still find.

// TL_E_ARG: such stubborn sets do not keep the answer to one of the questions.
tl_status tl_goals_reduce (tl_goals *, tl_reduction, tl_error *);

// For the visitor.
void tl_goals_attract (void *goals, const tl_visit *, tl_stubborn *);

#endif
