#ifndef TL_CHECK_FLY_H
#define TL_CHECK_FLY_H

#include "check/goals.h"

// Questions that visiting markings one by one does not decide, decided on the
// fly: without the whole graph, one after the other, each until it is decided
// or has had its share of the effort (check/local.h).  Many formulas are
// decided within some thousand states of millions.  What was found of the graph
// for one question is there for the next.
typedef struct tl_fly {
  tl_goals *goals;
  uint64_t effort; // steps for each question
  bool last;       // no other engine comes after this one
  size_t left;     // questions it did not decide
  tl_stop stop;    // why the last of these was not decided
  tl_status rc;    // a fault
} tl_fly;

// For the visitor: before the search, of those that have a->temporal.
tl_wish tl_fly_begin (void *fly, tl_search *);

#endif
