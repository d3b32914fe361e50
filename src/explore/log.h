#ifndef TL_EXPLORE_LOG_H
#define TL_EXPLORE_LOG_H

#include "base/spill.h"

// How every state was found, for traces: a sequential log with a record of each
// state, from state 1 on (state 0 is the initial one).  A record is the number
// of the parent, which is smaller (or, of a log that stands beside others,
// whatever tells the parent), and the transition that led from there.
// Parents are told by how far they are from the parent of the record before:
//
//     0 0 ... 0  transition + 2      so many states further, none as a rule
//     1  change  transition + 2      further than that, or back
//
// in as few groups of seven bits as each number takes.  In whatever order
// states are numbered, all is there; when states are expanded in the order in
// which they are numbered (breadth-first), parents come one after the other,
// and a record takes two bytes.  The log is kept in pieces; all but the last
// are compressed, to some two bits a state then, and go to the disk when there
// are many.
//
// A trace is read backwards.  A parent stands before its child, so no piece is
// fetched twice.
typedef struct tl_log tl_log;

tl_status tl_log_open (tl_log **, tl_mem *, tl_packer *);
void tl_log_close (tl_log *);
// There are so many logs: each keeps that part of what one would in memory.
void tl_log_share (tl_log *, unsigned logs);

// The record of the next state.  On failure the log is as it was.
tl_status tl_log_add (tl_log *, uint64_t parent, uint32_t transition);

// Reads the log while it is written: by which transition the next state was
// found, from state 1 on.  There is one if it was told.  Not TL_OK: it cannot
// be followed any further.
tl_status tl_log_follow (tl_log *, uint32_t *transition);

// The parent of state `number`, which is not 0, and the transition that led
// from there.  Where states were added since one was looked for, that is to be
// said first.
void tl_log_look_again (tl_log *);
tl_status tl_log_find (tl_log *, uint64_t number, uint64_t *parent,
                       uint32_t *transition);

// The way to state `number`; the trace is made with malloc.
tl_status tl_log_trace (tl_log *, uint64_t number, tl_trace *);

// Moves what can be moved to the disk; false: that gave no memory back.
bool tl_log_flush (tl_log *);
uint64_t tl_log_spilled (const tl_log *); // bytes written to the disk

#endif
