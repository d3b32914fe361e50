#ifndef TL_CHECK_HOME_H
#define TL_CHECK_HOME_H

#include "check/goals.h"

// Goals that are to be reachable from every reachable marking, and liveness:
// that every transition can be enabled again from every reachable marking.
// Wherever a run goes, it can go on into a terminal component
// (explore/terminal.h), and from there only to markings of that component.  So
// a goal is reachable from everywhere if and only if every terminal component
// has a marking that satisfies it, and a transition is live if and only if
// every terminal component has a marking that enables it.  There is a home
// state if and only if there is one terminal component: all of its markings
// are.

// Is anything of the kind asked?
bool tl_home_is_asked (const tl_goals *);

// Is anything of that left to be decided, and can it be?
bool tl_home_is_open (const tl_goals *);

// Can all of it be decided on a graph by the equations of CTL (check/sat.h),
// which takes less time?  Then components are not looked for.
bool tl_home_leave (tl_goals *);

// The search visits a state that enables nothing: a terminal component, of
// which all is known.  So what is not reachable from there is decided at once.
tl_status tl_home_dead (tl_goals *, const tl_visit *);

// For the visitor.
tl_visit_verdict tl_home_again (void *goals);
tl_visit_verdict tl_home_finalised (void *goals, tl_search *,
                                    const tl_finalised *);

// Does the marking satisfy the goal?  The set of enabled transitions is that of
// the visit.
bool tl_home_holds (tl_goals *, const tl_goal *, const tl_visit *);

// Finds the traces to markings from where a goal is out of reach, by a second
// search: when the component was known, the way to it was not.  Without memory
// or time for that there is no trace.
void tl_home_show (tl_goals *, tl_mem *root, const tl_options *,
                   tl_exploration *run);

#endif
