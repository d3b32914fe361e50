#ifndef TL_STUBBORN_COARSE_H
#define TL_STUBBORN_COARSE_H

#include "colour/evaluate.h"

// Stubborn sets that keep dead states, for coloured nets that are not unfolded:
// by transitions and places, whatever the values of tokens; but a token that an
// arc names with a constant part is none that another names with another one.
//
// The set consists of all enabled bindings of some transitions.  No run of
// other bindings takes a token that one of them takes:
//
// - Let t be in the set, and let t' take from a place p that t takes from.  The
//   enabled bindings of t' are in the set, too.
// - A binding of t' that is disabled and would take a token that is there from
//   p needs something of another place.  If one of these has no token that
//   could be it, somebody has to put one there first; else, somebody has to put
//   one into any of them (or take one from a place that inhibits t').  All
//   transitions that could do that are *blocked*.
// - A transition is blocked when its enabled bindings are in the set, and those
//   that could enable its others are blocked.  So the first binding of a
//   blocked transition in any run is in the set.
// - What puts tokens where t is inhibited is blocked, and so is what is
//   inhibited where t puts tokens.
//
// Hence a binding of the set stays enabled as long as none of the set fires,
// and can fire before the others to the same end.  A run to a dead state has
// one of the set, which can move to its front.
//
// Two transitions that both give back what they take from a place are not in
// each other's way there.
typedef struct tl_coarse tl_coarse;

// Can it be done?  Not where priorities make that bindings disable others.
bool tl_coarse_is_for (const tl_coloured *);

// For states with so many enabled bindings at most.
tl_status tl_coarse_open (tl_coarse **, tl_mem *, const tl_coloured *,
                          uint32_t most_enabled);
void tl_coarse_close (tl_coarse *);

// Room for the transition of each binding that is enabled, which `reduce` wants
// to know.
uint32_t *tl_coarse_transitions (tl_coarse *);

// Takes the bindings that are not in the set off the list; how many are left.
// The tokens are those of the state.
uint32_t tl_coarse_reduce (tl_coarse *, const tl_tokens *, uint32_t *events,
                           uint32_t count);

#endif
