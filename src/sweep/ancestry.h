#ifndef TL_SWEEP_ANCESTRY_H
#define TL_SWEEP_ANCESTRY_H

#include "base/spill.h"

// How every expanded state was found, for searches that do not expand states
// in the order in which they find them.  States are numbered as they are
// expanded; each has one record, the number of the state it was found from
// (as a distance back) and the transition.  Records come in blocks of a fixed
// number, which are compressed and go to the disk when there are many, so that
// a trace is one fetch for each of its transitions at most.
//
// States may be gone from memory: the trace is still there.
typedef struct tl_ancestry tl_ancestry;

tl_status tl_ancestry_open (tl_ancestry **, tl_mem *, tl_packer *);
void tl_ancestry_close (tl_ancestry *);

// The record of the next number.  The first is that of the initial state, its
// own parent.
tl_status tl_ancestry_add (tl_ancestry *, uint64_t parent, uint32_t transition);

// The way to state `number`; the trace is made with malloc.
tl_status tl_ancestry_trace (tl_ancestry *, uint64_t number, tl_trace *);

// Moves what can be moved to the disk; false: that gave no memory back.
bool tl_ancestry_flush (tl_ancestry *);
uint64_t tl_ancestry_spilled (const tl_ancestry *); // bytes

#endif
