#ifndef TL_CHECK_PUMP_H
#define TL_CHECK_PUMP_H

#include "logic/formula.h"
#include "net/net.h"

// A run of which a part can be repeated for ever and adds to a sum of tokens
// each time (Karp and Miller, "Parallel program schemata", JCSS 3, 1969).  How
// often each transition fires in such a part a linear program says, wherever it
// begins: it takes from no place in all, and adds to the sum.  To a marking
// from where all of it can be fired leads the state equation
// (check/leader.h), and chance.

// Looks for about so many seconds.  Found: the part is from run->loop_from on.
// TL_E_LIMIT: there is no such part, whatever the way, or the net is too large.
tl_status tl_pump_find (tl_mem *, const tl_net *, const tl_summand *,
                        uint32_t count, uint64_t seed, double seconds,
                        tl_trace *run, bool *found);

#endif
