#ifndef TL_CHECK_DIAGRAM_PRODUCT_H
#define TL_CHECK_DIAGRAM_PRODUCT_H

#include "automaton/automaton.h"
#include "check/diagram_sets.h"

// The product of the markings that can be reached and an automaton: for each
// state of the automaton a set of markings, together called a family.
//
// Where accepted runs begin is found component by component of the automaton,
// those that nothing leaves first.  The hull of a component are the pairs from
// which a run can stay there and be accepted: in a weak one all that can stay,
// in a strong one those from which edges of each accepting set can be taken
// again and again (Emerson and Lei 1986).  A run that ends in a dead marking
// stays there for ever.

typedef struct tl_diagram_product {
  tl_diagram_sets *sets;
  const tl_automaton *automaton;
  tl_held *label; // [edges] where each may be taken
  tl_held *from;  // [states] where accepted runs begin
  tl_held *hull;  // [states] of its component
  tl_held *fair;  // [states] for making hulls
  tl_held *loop;  // [states] where a run may stay in the state
  tl_held dead;   // markings that enable nothing
} tl_diagram_product;

// `atom`: where each atom of the automaton holds.  It can be closed whatever
// comes back.
tl_status tl_diagram_product_open (tl_diagram_product *, tl_diagram_sets *,
                                   const tl_automaton *,
                                   tl_state_set *const *atom);
void tl_diagram_product_close (tl_diagram_product *);

// Finds the hulls and where accepted runs begin.
tl_status tl_diagram_product_find (tl_diagram_product *);

// The markings of `within` where the edge may be taken and a step leads into
// `to`.
tl_set tl_diagram_product_step (tl_diagram_product *, uint32_t edge,
                                tl_set within, tl_set to);

// Grows the family, in one component, to where ways inside of it lead there;
// `inside` [states]: the pairs that these pass, null: any.
tl_status tl_diagram_product_grow (tl_diagram_product *, uint32_t component,
                                   tl_held *family, const tl_held *inside);

// Families, as long as the automaton has states; the sets are empty first.
tl_held *tl_family_open (tl_diagram_product *);
void tl_family_close (tl_diagram_product *, tl_held *); // or null

// Does the edge of the state stay in its component?
static inline bool tl_edge_stays (const tl_automaton *a, uint32_t state,
                                  uint32_t edge) {
  return a->component[a->edge[edge].to] == a->component[state];
}

#endif
