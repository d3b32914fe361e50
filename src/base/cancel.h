#ifndef TL_BASE_CANCEL_H
#define TL_BASE_CANCEL_H

#include <stdbool.h>

// Was the flag of `cancel` in tl_options set, by whatever thread or handler?
// Null: there is none.
static inline bool tl_cancelled (const volatile int *flag) {
  return flag && __atomic_load_n (flag, __ATOMIC_RELAXED);
}

#endif
