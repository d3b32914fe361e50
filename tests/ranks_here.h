#ifndef TL_TESTS_RANKS_HERE_H
#define TL_TESTS_RANKS_HERE_H

#include "explore/cluster.h"

// Ranks that are threads of one process, as explore/cluster.h knows them: so a
// test can have one of them fail where it likes.  What would hang, or mix up
// messages, with a real MPI ends the process here: all ranks are to call the
// same functions in the same order.

enum {
  RANKS_ABANDONED = 3, // exit codes: a rank has ended all others,
  RANKS_DISAGREE = 99  // or one waits for what another one does not do
};

// Has each of so many ranks run by a thread of its own, until all are done.
void ranks_here_run (unsigned ranks, void (*rank) (tl_cluster *, void *context),
                     void *context);

#endif
