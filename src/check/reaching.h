#ifndef TL_CHECK_REACHING_H
#define TL_CHECK_REACHING_H

#include "check/facts.h"

// Parts EF f of formulas of CTL that hold in every reachable marking, and AG f
// that hold in none, behind other temporal operators: from everywhere a marking
// can be reached that is below f, or below NOT f (logic/bracket.h), or that is
// dead and satisfies it (logic/ending.h).  That is proven by the structure of
// the net (check/refute.h).
//
// Of most nets it is easy to say that they can get to where some transitions
// are not enabled; and many can always end: from everywhere a dead marking can
// be reached, where all is known of what is enabled.

// The formula without such parts, with the same value in all reachable
// markings; simplify it again.  Where a run is to be shown, parts that are
// behind no other stay, for which one may be found; those about single markings
// stay anyway.  Null when the arena has no memory.
tl_formula *tl_reaching_apply (tl_facts *, tl_arena *, tl_formula *,
                               bool shown);

#endif
