#ifndef TL_CHECK_LED_H
#define TL_CHECK_LED_H

#include "explore/search.h"
#include "logic/formula.h"

// Walks to where a simplified state formula holds, each as the state equation
// leads it (check/leader.h), until the search is to end, with its visitor.
tl_status tl_led_run (tl_search *, tl_mem *, const tl_formula *, uint64_t seed);

#endif
