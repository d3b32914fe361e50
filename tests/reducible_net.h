#ifndef TL_TESTS_REDUCIBLE_NET_H
#define TL_TESTS_REDUCIBLE_NET_H

#include "random_net.h"

// Adds to a small net some of what rules that make nets smaller look for
// (reduce/rules.h), or what nearly is that.
void reducible_net_decorate (random_net *, uint64_t seed);

#endif
