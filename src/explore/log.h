#ifndef TL_EXPLORE_LOG_H
#define TL_EXPLORE_LOG_H

#include "base/spill.h"

// How every state was found, for traces: a sequential log.  For each expanded
// state, in the order of expansion, the transitions to its new successors:
//
//     transition + 1,  transition + 1,  ...,  0
//
// in as few groups of seven bits as each number takes.  When states are
// expanded in the order in which they were found (breadth-first), this tells
// the parent of each: state n > 0 is the n-th child in the log.  The log is
// kept in pieces; all but the last are compressed, to some two bits a state,
// and go to the disk when there are many.
//
// A trace is read backwards.  A parent stands before its child, so no piece is
// fetched twice.
typedef struct tl_log tl_log;

tl_status tl_log_open (tl_log **, tl_mem *, tl_packer *);
void tl_log_close (tl_log *);

// One new successor of the state being expanded; and that it has no more.
tl_status tl_log_child (tl_log *, uint32_t transition);
tl_status tl_log_end (tl_log *);

// Reads the log while it is written: by which transition the next state was
// found, from state 1 on.  There is one if it was told.  Not TL_OK: it cannot
// be followed any further.
tl_status tl_log_follow (tl_log *, uint32_t *transition);

// The way to state `number`; the trace is made with malloc.
tl_status tl_log_trace (tl_log *, uint64_t number, tl_trace *);

// Moves what can be moved to the disk; false: that gave no memory back.
bool tl_log_flush (tl_log *);
uint64_t tl_log_spilled (const tl_log *); // bytes written to the disk

#endif
