#ifndef TL_AUTOMATON_COMPONENTS_H
#define TL_AUTOMATON_COMPONENTS_H

#include "automaton/automaton.h"

// The strongly connected components of an automaton, and the accepting sets
// looked at component by component: what counts is only which edges a run can
// take infinitely often.

typedef struct tl_components {
  tl_mem *mem;
  uint32_t states, count;
  uint32_t *component; // by state; edges lead to the same or a smaller number
  uint32_t *order;     // the states, in the order of their components
  tl_component *kind;  // by component: REJECTING, WEAK or STRONG
} tl_components;

// TL_E_NOMEM: there is nothing to close.
tl_status tl_components_find (tl_components *, const tl_automaton *);
void tl_components_close (tl_components *);

// Takes edges that can be taken only finitely often out of all sets, puts all
// edges of a component into all sets where every cycle is accepting, and then
// drops the sets that no component needs.
tl_status tl_components_normalise (const tl_components *, tl_automaton *);

// Deletes (see tl_automaton_rebuild) the edges from where nothing is accepted.
tl_status tl_components_trim (const tl_components *, tl_automaton *);

// Does the first edge allow as much as the second, if what comes after does?
static inline bool tl_edge_covers (const tl_edge *e, const tl_edge *other) {
  return !((e->holds & ~other->holds) | (e->fails & ~other->fails) |
           (other->sets & ~e->sets));
}

#endif
