#ifndef TL_EXPLORE_ARCHIVE_H
#define TL_EXPLORE_ARCHIVE_H

#include "explore/merge.h"

// How many different states there were, for a search that forgets states and
// may visit some of them again: an external sort.  Every visit is a record, the
// key and the number of enabled transitions.  Records are gathered in a buffer;
// when it is full they are sorted and each is kept once, and if they still fill
// more than half of it they are written as a run (explore/merge.h).  At the end
// the runs are merged, and what comes out is counted.
//
// A visit costs the bytes of its key and four more while it is in the buffer,
// and a few bytes on the disk afterwards.  The buffer takes a sixteenth of the
// memory that the run may have, within limits.
//
// TL_E_NOMEM (neither memory nor disk) and TL_E_IO (what was written cannot be
// read back) end it: the number is then not known, and only close is left.  So
// it is when the states were handed over or counted.
typedef struct tl_archive tl_archive;

// Of keys of so many words, of which only the lowest `key_bits` are ever set.
tl_status tl_archive_open (tl_archive **, tl_mem *, tl_packer *,
                           uint32_t key_words, uint32_t key_bits);
void tl_archive_close (tl_archive *); // may be null

// A state is visited that has so many successors, the same at every visit.
tl_status tl_archive_add (tl_archive *, const uint64_t *key,
                          uint32_t successors);

// Hands every state over, once each and in the order of the keys.  Where the
// layout of keys changes, what is there moves to a new archive this way.
tl_status tl_archive_drain (tl_archive *, tl_merge_take, void *context);

// The different states, the sum of their successors, and how many have none.
tl_status tl_archive_settle (tl_archive *, uint64_t *states, uint64_t *arcs,
                             uint64_t *deadlocks);

uint64_t tl_archive_spilled (const tl_archive *); // bytes written to the disk

#endif
