#ifndef TL_CHECK_PRODUCT_PARTS_H
#define TL_CHECK_PRODUCT_PARTS_H

#include "check/product.h"

// What the search in the product and the making of a run share.

// A node on the path of the search, and which edge is next: one of the
// automaton, with one arc of the graph.
typedef struct tl_product_frame {
  uint64_t node;
  uint64_t values; // of the atoms there
  uint64_t arc;    // position in the list of the state
  uint32_t edge;
} tl_product_frame;

// A component on the path that is not complete.
typedef struct tl_product_root {
  uint32_t order;   // of the first of its nodes
  bool good;        // an accepted run begins in it
  uint64_t entered; // sets of the edge that led into it
  uint64_t sets;    // of the edges inside
} tl_product_root;

// The atoms that hold at the node, as far as its automaton state reads them.
uint64_t tl_product_values (const tl_product *, uint64_t node);

static inline tl_product_frame tl_product_begin (const tl_product *p,
                                                 uint64_t node) {
  return (tl_product_frame){
      .node = node,
      .values = tl_product_values (p, node),
      .edge = p->automaton->first[node % p->automaton->states]};
}

// The next successor of the frame's node, which the edge is in the sets of;
// false: there are no more.  A dead state is its own successor.
static inline bool tl_product_next (const tl_product *p, tl_product_frame *f,
                                    uint64_t *to, uint64_t *sets) {
  const tl_automaton *a = p->automaton;
  const uint32_t at = (uint32_t)(f->node % a->states);
  const uint64_t state = f->node / a->states, first = p->graph->first[state],
                 degree = p->graph->first[state + 1] - first;
  if (f->arc >= (degree ? degree : 1)) {
    f->arc = 0;
    f->edge++;
  }
  if (!f->arc)
    f->edge = tl_automaton_next (a, at, f->edge, f->values);
  if (f->edge == a->first[at + 1])
    return false;
  const uint64_t target = degree ? p->graph->target[first + f->arc] : state;
  *to = target * a->states + a->edge[f->edge].to;
  *sets = a->edge[f->edge].sets;
  f->arc++;
  return true;
}

// Is everything accepted from the node on?
static inline bool tl_product_is_terminal (const tl_product *p, uint64_t node) {
  const tl_automaton *a = p->automaton;
  return a->kind[a->component[node % a->states]] == TL_TERMINAL;
}

static inline bool tl_product_is_dead (const tl_product *p, uint64_t node) {
  const uint64_t state = node / p->automaton->states;
  return p->graph->first[state] == p->graph->first[state + 1];
}

// The way to the accepting component that was found; `home` is the node where
// it arrives: in the component, or at a dead state on the way there.
tl_status tl_product_stem (tl_product *, tl_run *, uint64_t *home);

#endif
