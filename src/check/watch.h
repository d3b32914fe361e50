#ifndef TL_CHECK_WATCH_H
#define TL_CHECK_WATCH_H

#include "check/goals.h"

// What other ranks look for (explore/together.h).  The rank that has the
// questions packs what is left of them into words: the formulas of goals that
// were not reached, sums with the largest values so far, and which transitions
// and places were not seen to be enabled or to change.  The others make goals
// of that, in which a state that shows something new is visited as usual: so
// each of them shows it once.  Answers are found by the first rank alone.

tl_status tl_goals_brief (void *goals, tl_mem *, uint64_t **words,
                          size_t *count, size_t *room);
extern const tl_lookout tl_watch;

#endif
