#ifndef TL_CHECK_PORTFOLIO_H
#define TL_CHECK_PORTFOLIO_H

#include "check/guided.h"
#include "check/review.h"
#include "check/symbolic_engine.h"

// Several methods for the same questions.  The search through all markings is
// the one that decides everything if it comes to its end, so it goes first, and
// small nets see nothing else.  When it has visited some states it makes
// interludes: each open question in turn gets a slice of time for what may
// decide it alone (check/guided.h, check/fly.h), the set of all markings is
// looked for as a decision diagram (check/symbolic_engine.h), and slices grow
// from round to round. Where such a diagram is small it answers all that is
// asked at once: it has a turn of its own when the search has gone on for some
// seconds.  As long as the search may come to its end, interludes take a small
// part of the time; when it seems that it will not, most of it; and all that is
// left when it has ended for want of memory.  Which it is is estimated from how
// much wider each level of the search is than the one before
// (explore/estimate.h).  Proofs that may take long are the first of them
// (check/review.h).

typedef struct tl_portfolio {
  tl_checking *checking; // what is decided in interludes
  tl_checking *first;    // what the search decides
  tl_review review;      // if these are not the same
  bool drawn;            // diagrams had their first turn
  bool reviewed;         // no proofs are left to be tried
  bool soon;             // the search will come to its end before long
  bool flown;            // formulas on the fly, for the first time
  tl_guided guided;
  tl_symbolic_turns symbolic;
  uint64_t visits; // made so far
  uint64_t next;   // look at the clock: visits and states found by then
  double begun;    // the search, at that time
  double spent;    // seconds in interludes
  double earned;   // these may have taken so many
  double counted;  // seconds of the search that are in this
  double slice;    // seconds of a turn
  size_t turn;     // the next question; behind the last come others
  size_t idle;     // turns since one had something to try
  // Seconds of the turns of this round, the last one, and the one before.
  double round, round_last, round_before;
} tl_portfolio;

// May other methods decide questions beside the search?  And do proofs that may
// take long wait for interludes?
bool tl_portfolio_is_used (const tl_checking *);
bool tl_portfolio_waits (const tl_checking *);

// Are formulas, all but what a glance decides, tried on the fly when the search
// has gone on for a while?
bool tl_portfolio_flies (const tl_checking *);

void tl_portfolio_open (tl_portfolio *, tl_checking *);
void tl_portfolio_close (tl_portfolio *);

// For the visitor of the search, at every state.  Not TL_VISIT_CONTINUE: all is
// decided, or something failed.
tl_visit_verdict tl_portfolio_visit (tl_portfolio *, const tl_visit *);

// The same in two parts, for a search with several threads: by one of them,
// after some states.
bool tl_portfolio_is_due (tl_portfolio *, const tl_search *);
tl_visit_verdict tl_portfolio_turn (tl_portfolio *, const tl_search *);

// The search is over, and questions are open: the proofs that are left.
tl_status tl_portfolio_prove (tl_portfolio *);

// The search is over, or there is none, and questions are open.  0: for as long
// as there is something to try.
tl_status tl_portfolio_finish (tl_portfolio *, double seconds);

#endif
