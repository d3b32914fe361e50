#ifndef TL_CHECK_STAYING_H
#define TL_CHECK_STAYING_H

#include "check/facts.h"
#include "check/sat.h"

// Runs that stay for ever among markings of some kind, and proofs that there
// are none.  A transition is left out if no reachable marking of that kind
// enables it and is left by it for another one of that kind, by cases
// (check/refute.h); then weights show that the others cannot fire for ever
// (structure/ranking.h).  And no dead marking may be of that kind.
//
// So A F f holds, everywhere, if no run stays where f does not hold; and a path
// formula holds of no run if, for each component of its automaton by which runs
// are accepted, no run stays where one of its edges may be taken.  A run that
// ends is accepted there only if edges of all sets may be taken where it ends:
// where all runs end, that decides formulas such as A G F f.

typedef struct tl_staying {
  tl_facts *facts;
  tl_arena *arena; // for formulas
  double seconds;  // that are left
  bool linear;     // formulas are not, or not only, of CTL
} tl_staying;

// Is it proven that no run stays where the state formula holds?
bool tl_staying_ends (tl_staying *, const tl_formula *);

// A formula without those parts AF and EG of which that is proven; it has the
// same value in all reachable markings.  Of CTL, parts may have others inside:
// where these may hold (logic/bracket.h, logic/ending.h) no run stays.  Null
// when the arena has no memory.
tl_formula *tl_staying_apply (tl_staying *, tl_formula *);

// Is it proven that the automaton of a formula about runs accepts none?
bool tl_staying_accepts_none (tl_staying *, const tl_sat *);

#endif
