#ifndef TL_STUBBORN_ATTRACT_H
#define TL_STUBBORN_ATTRACT_H

#include "logic/formula.h"
#include "stubborn/stubborn.h"

// What leads to a marking that satisfies a formula.  At a marking that does
// not, it adds transitions to a stubborn set of which every run to one that
// does has at least one:
//
// - for a sum that is too large, all that lower it;
// - for transitions that are to be enabled, these transitions: a stubborn set
//   has what they wait for;
// - for transitions that are to be disabled, all that disable one of them that
//   is enabled;
// - for a dead state, a set that keeps dead states;
// - for a disjunction what is needed for each of its parts, and for a
//   conjunction what is needed for one part that does not hold, that which
//   needs least.
typedef struct tl_attractor tl_attractor;

// Of a simplified formula without temporal operators.  It lives in the arena.
tl_status tl_attractor_open (tl_attractor **, tl_arena *, const tl_net *,
                             const tl_formula *);

// Adds to a set that was begun.
void tl_attract (tl_attractor *, tl_stubborn *);

#endif
