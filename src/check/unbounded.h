#ifndef TL_CHECK_UNBOUNDED_H
#define TL_CHECK_UNBOUNDED_H

#include "check/goals.h"

// Questions about a net that turns out to be unbounded.  Its states cannot all
// be visited, so a search decides only what some markings show by themselves.
// That some marking can be reached (EF, and AG if it is violated) is worth
// looking for as long as the budgets last.  Sums below a proven bound,
// transitions that have not fired and places that have not changed are looked
// for in a million states more.  What is about all of the states at once (live,
// a home state, AG EF) is given up: the answer is unknown, and why.

// For the visitor: part of the run can be repeated for ever.
tl_visit_verdict tl_unbounded_known (void *goals, const tl_trace *run);

// After a visit, where the net is known to be unbounded and some question is
// open: is it worth going on?
tl_visit_verdict tl_unbounded_verdict (tl_goals *);

// May the answer to an open question be found in one more marking?
bool tl_unbounded_may_show (const tl_goals *, const tl_asked *);

#endif
