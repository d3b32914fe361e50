#ifndef TL_CHECK_FLY_H
#define TL_CHECK_FLY_H

#include "check/engine.h"
#include "check/smaller.h"

// Questions that visiting markings one by one does not decide, decided on the
// fly: without the whole graph, one after the other, each until it is decided
// or has had its share of the effort (check/local.h).  Many formulas are
// decided within some thousand states of millions.  What was found of the graph
// for one question is there for the next, except with stubborn sets: these
// depend on what the question is about.
//
// Or one question alone, in a net that is made smaller for it, with stubborn
// sets if these keep the answer.  The run that shows it is told in the net.
typedef struct tl_fly {
  const tl_checking *checking;
  tl_goals *goals;
  tl_asked *only;   // null: all that are open
  tl_smaller small; // for this
  tl_method method;
  tl_allowance share;
  double seconds;  // for this in three values
  bool widens;     // goes on where a place outgrows its field
  size_t left;     // questions it did not decide
  tl_stop stop;    // why the last of these was not decided
  uint64_t states; // in the largest graph that it looked at
  tl_status rc;    // a fault
} tl_fly;

// Tries one question alone; for so many seconds in three values.  Not TL_OK: a
// fault.
tl_status tl_fly_alone (tl_checking *, tl_asked *, tl_structure *,
                        const tl_allowance *, double seconds);

#endif
