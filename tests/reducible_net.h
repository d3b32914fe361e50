#ifndef TL_TESTS_REDUCIBLE_NET_H
#define TL_TESTS_REDUCIBLE_NET_H

#include "random_net.h"

// Adds to a small net some of what rules that make nets smaller look for
// (reduce/rules.h), or what nearly is that.
void reducible_net_decorate (random_net *, uint64_t seed);

// Adds a place that has as many tokens as two others together, or one of them
// twice, or nearly.
void reducible_net_add_sum (random_net *, uint64_t seed);

#endif
