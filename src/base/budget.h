#ifndef TL_BASE_BUDGET_H
#define TL_BASE_BUDGET_H

#include "base/mem.h"

// How long work may take: until some time, and until somebody wants it to end.
//
// A budget hangs on a memory account, and counts for the accounts below it.
// Whatever takes long draws on an account, and so it finds there, wherever it
// is, when it has to give up.  It looks now and then: often enough that nobody
// waits, some tenths of a second at most, and so rarely that it costs nothing.

typedef struct tl_budget {
  double deadline;            // by tl_clock; 0: none
  const volatile int *cancel; // ends the work when it is not 0; or null
} tl_budget;

// `seconds` from now on; 0: no limit.
tl_budget tl_budget_of (double seconds, const volatile int *cancel);

// The budget that counts for an account, or null.
static inline const tl_budget *tl_mem_budget (const tl_mem *mem) {
  while (mem->parent && !mem->budget)
    mem = mem->parent;
  return mem->budget;
}

// TL_E_LIMIT: the time is over; TL_E_CANCEL.
tl_status tl_budget_look (const tl_mem *);

// So many seconds, or those that are left if these are fewer.
double tl_budget_left (const tl_mem *, double seconds);

// A budget for part of the work: as above, but for so many seconds at most.
tl_budget tl_budget_part (const tl_mem *, double seconds);

// The status at the end of some work; where a budget ended it, that is told:
// of which file, and what was going on.
tl_status tl_budget_end (tl_status, const tl_mem *, const char *path,
                         const char *doing, tl_error *);

#endif
