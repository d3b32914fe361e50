#ifndef TL_CHECK_FLY_H
#define TL_CHECK_FLY_H

#include "check/goals.h"

// Questions that visiting markings one by one does not decide, decided on the
// fly: without the whole graph, one after the other, each until it is decided
// or has had its share of the effort (check/local.h).  Many formulas are
// decided within some thousand states of millions.  What was found of the graph
// for one question is there for the next, except with stubborn sets: these
// depend on what the question is about.
typedef struct tl_fly {
  tl_goals *goals;
  uint64_t effort; // steps for each question
  bool last;       // no other engine comes before or after this one
  bool widens;     // goes on where a place outgrows its field
  bool reduced;    // with stubborn sets: all formulas allow them
  bool nested;     // by nested depth-first search where that can be done
  size_t left;     // questions it did not decide
  tl_stop stop;    // why the last of these was not decided
  uint64_t states; // in the largest graph that it looked at
  bool lost;       // what the search needs got lost for lack of memory
  tl_status rc;    // a fault
} tl_fly;

// For the visitor: before the search, of those that have a->temporal.
tl_visit_verdict tl_fly_begin (void *fly, tl_search *);

// The net is unbounded, which is known before the search: each question gets as
// much effort as it ever gets, and no more than that.
void tl_fly_limit (tl_fly *);

// After a search that a budget has ended: once more, with about as much effort
// as that took.  What is still undecided stays so.
void tl_fly_again (tl_fly *, tl_mem *root, const tl_options *,
                   tl_exploration *);

#endif
