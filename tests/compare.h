#ifndef TL_TESTS_RANDOM_COMPARE_H
#define TL_TESTS_RANDOM_COMPARE_H

#include "net/net.h"

// Everything the library says about a net against the brute-force explorer:
// every order with every store, budgets, traces, questions.  The choices that
// are made at random depend on `seed` alone.  False: `why` says what differs.
bool compare_net (const tl_net *, uint64_t seed, uint64_t cap, char *why,
                  size_t size);

#endif
