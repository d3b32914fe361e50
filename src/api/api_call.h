#ifndef TL_API_API_CALL_H
#define TL_API_API_CALL_H

#include "base/budget.h"

// What every call that works for long begins with.
typedef struct tl_api_call {
  tl_options options; // whole, every name is set
  tl_mem root;        // with the budgets
  tl_budget budget;   // of time
  int cancel;         // the flag where the caller has none
} tl_api_call;

// Takes over the options, null for none, and makes the caller's result empty.
// TL_E_ARG: one of them is not as it should be.  The call may not be moved.
tl_status tl_api_open (tl_api_call *, const tl_options *, void *result,
                       tl_error *);

// A pointer is missing; says whose.
tl_status tl_api_lacks (const char *function, const char *what, tl_error *);

#endif
