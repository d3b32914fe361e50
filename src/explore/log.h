#ifndef TL_EXPLORE_LOG_H
#define TL_EXPLORE_LOG_H

#include "base/mem.h"

// How every state was found, for traces: a sequential log of bits.  For each
// expanded state, in the order of expansion, the transitions to its new
// successors:
//
//     1 transition  1 transition  ...  0
//
// so 2 + log2 |T| bits a state.  When states are expanded in the order in
// which they were found (breadth-first), this tells the parent of each: state
// n > 0 is the n-th child in the log.  A trace is read backwards through a
// sparse index.
typedef struct tl_log tl_log;

tl_status tl_log_open (tl_log **, tl_mem *, uint32_t transitions);
void tl_log_close (tl_log *);

// One new successor of the state being expanded; and that it has no more.
tl_status tl_log_child (tl_log *, uint32_t transition);
tl_status tl_log_end (tl_log *);

// The way to state `number`; the trace is made with malloc.
tl_status tl_log_trace (const tl_log *, uint64_t number, tl_trace *);

#endif
