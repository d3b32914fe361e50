#ifndef TL_STUBBORN_STUBBORN_H
#define TL_STUBBORN_STUBBORN_H

#include "encode/layout.h"
#include "stubborn/interference.h"

// Stubborn sets: which of the enabled transitions of a state it is enough to
// fire, because the others can as well fire later.
//
// A set U of transitions is stubborn at a state when this holds for every run
// of transitions outside of U: if after it a transition of U can fire, then
// that one can fire at once, and the run after it, to the same state.  (One
// that is disabled is thus not enabled by any such run.)  Take a run to a dead
// state, or to something looked for.  If it has a transition of U, the first of
// them can move to the front: the search may follow that one, and the rest is
// shorter by one.  That the run has a transition of U is seen to in two ways:
//
// - For dead states, U has a key: an enabled transition that no run outside of
//   U disables.  As long as nothing of U fires, the state is not dead.  So all
//   reachable dead states are found.
// - For a property, U has transitions of which every run to it has one
//   (attract.h).  Then nothing needs to be enabled: if nothing is, the property
//   cannot be reached from here.
//
// - For runs as a whole, as far as visible transitions tell them apart, U has a
//   key and no enabled transition of U is visible.  The first transition of U
//   in a run moves to the front, or the key is put there if there is none, and
//   what is visible happens as before.  That it happens at all, and not
//   something else for ever instead, is for the search to see to: on every
//   cycle there has to be a state where nothing is left out.
//
// What a transition needs in U for this is in interference.h.
typedef struct tl_stubborn tl_stubborn;

// What is needed to make sets in one thread; what interferes with what is the
// same for all of them.  The layout may change between calls of `begin`, at the
// same address.
tl_status tl_stubborn_open (tl_stubborn **, tl_mem *, const tl_interference *,
                            const tl_layout *);
void tl_stubborn_close (tl_stubborn *);

// Begins a set for a state and its enabled transitions, which are ascending.
void tl_stubborn_begin (tl_stubborn *, const uint64_t *state,
                        const uint32_t *enabled, uint32_t count);
// Adds a stubborn set that keeps dead states, with few enabled transitions.
void tl_stubborn_add_some (tl_stubborn *);
// Adds a transition.
void tl_stubborn_add (tl_stubborn *, uint32_t transition);
// Adds those that can put tokens into the place, or take some from it, before
// any other does.
void tl_stubborn_add_adders (tl_stubborn *, uint32_t place);
void tl_stubborn_add_takers (tl_stubborn *, uint32_t place);
// Adds all that can disable an enabled transition, itself among them.
void tl_stubborn_add_disablers (tl_stubborn *, uint32_t transition);
// Of a set for whole runs, leaves only the enabled transitions on the list; or
// all of them where there is no such set that is smaller.  Returns how many are
// left.  `visible` is by transition.
uint32_t tl_stubborn_hidden (tl_stubborn *, const uint8_t *visible,
                             const uint64_t *state, uint32_t *enabled,
                             uint32_t count);
// Adds what else is needed and takes the transitions that are not in the set
// off the list.  Returns how many are left.
uint32_t tl_stubborn_end (tl_stubborn *, uint32_t *enabled, uint32_t count);

#endif
