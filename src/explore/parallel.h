#ifndef TL_EXPLORE_PARALLEL_H
#define TL_EXPLORE_PARALLEL_H

#include "explore/search.h"

// Breadth-first search with several threads (docs/parallel.md).  It goes level
// by level, as with one: the states of a level are cut into blocks, and each
// thread takes the next block that nobody has, until there is none.  It expands
// the states with a worker of its own and puts what it has gathered into the
// shards of the store (explore/deal.h).  A state belongs to the thread that
// put it first: that one has it in its lane of the next level and in its log.
//
// What concerns all of them is done by one, while the others wait: at the end
// of a level fields are widened and another store is tried, and where memory is
// short the threads meet at once, and somebody makes room.

enum { TL_MOST_THREADS = 4096 };

// When several threads begin.
void tl_parallel_plan (tl_search *);
// Why this search has one thread only; null: it may have several.  And why it
// had, where more were asked for.
const char *tl_parallel_refusal (const tl_search *);
const char *tl_parallel_why (const tl_search *);
// Is it time to begin with them?  To be asked at the beginning of a level, of
// so many states.
bool tl_parallel_pays (const tl_search *, uint64_t width);

// How many there would be; 0: there is no memory for one.
unsigned tl_parallel_threads (const tl_search *);

// The states that wait to be expanded, numbered one by one from `first` on: all
// of one level, and behind them, where that was begun, `later` of the next.
typedef struct tl_handover {
  void *context;
  uint64_t first, count, later;
  // The next of them, and the event that it was found by, TL_NO_EVENT: that is
  // not known.  The store is that of the search before.
  tl_status (*next) (void *context, const tl_store *, uint64_t *key,
                     uint32_t *event);
} tl_handover;

// Goes on with a breadth-first search that has those in its queue and no worker
// open.  TL_E_ARG: there are no threads to begin with, search->one_thread says
// why, and nothing else has changed; with several ranks it is not returned.
tl_status tl_parallel_run (tl_search *, const tl_handover *);

#endif
