#ifndef TL_CHECK_DEVICE_TEST_H
#define TL_CHECK_DEVICE_TEST_H

#include "check/goals.h"

// What tl_goals_skips finds out (check/glance.c), as an expression in C that a
// device evaluates at every state, and the numbers that it looks at: which
// goals are open, how large bounds are, what was seen to change.

// Can it be written?  Sums are to stay within 64 bits.
bool tl_device_test_is_exact (const tl_goals *);
void tl_device_test_write (void *goals, FILE *);
size_t tl_device_test_limits (const tl_goals *);
void tl_device_test_set (void *goals, uint64_t *limit);

#endif
