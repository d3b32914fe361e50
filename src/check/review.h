#ifndef TL_CHECK_REVIEW_H
#define TL_CHECK_REVIEW_H

#include "check/temporal.h"

// A second look at the questions, beside a search that was begun in haste.
// What is proven by cases may take as long as a small net takes as a whole, so
// such proofs wait until the search has gone on for a while.  They may leave
// other formulas to be decided, with other goals, which states that were
// visited before were not looked at for.  So the questions that are open are
// opened again, for themselves; who decides one of them writes it into the same
// answer.

typedef struct tl_review {
  tl_checking *first; // where the search goes on
  tl_checking second;
  tl_goals goals;
  tl_temporal temporal;
  tl_mem mem;
  bool open;
} tl_review;

// Proves what can be proven, and opens what is left.  Soon: the search will
// have decided all of it before long.  Not TL_OK: a fault; that there is no
// memory for it is none, it is not open then.
tl_status tl_review_open (tl_review *, tl_checking *first, bool soon);
void tl_review_close (tl_review *);

// Tells both what the other has found out.
void tl_review_exchange (tl_review *);

#endif
