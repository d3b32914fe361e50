#ifndef TL_CHECK_PRODUCT_PARTS_H
#define TL_CHECK_PRODUCT_PARTS_H

#include "check/product.h"

// What the searches in the product and the making of a run share.

// A node on the path of the search, and which edge is next: one of the
// automaton, with one arc of the graph.
typedef struct tl_product_frame {
  uint64_t node;
  uint64_t state;  // of the graph there
  uint64_t first;  // of its list of arcs; TL_PRODUCT_NO_ARC in a dead state
  uint64_t values; // of the atoms there
  uint64_t known;  // of which atoms
  uint32_t arc;    // position in the list of the state
  uint32_t degree; // length of that list; 1 in a dead state
  uint32_t edge;
} tl_product_frame;

#define TL_PRODUCT_NO_ARC UINT64_MAX

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
      .state = node / p->automaton->states,
      .values = p->space ? 0 : tl_product_values (p, node),
      .known = p->space ? 0 : ~(uint64_t)0,
      .edge = p->automaton->first[node % p->automaton->states]};
}

// For a graph that is found on the way: the next edge that may be taken, and
// the length of the list of arcs; asks for atoms as far as they are needed.  On
// failure, p->rc is set and there is no edge.
uint32_t tl_product_ask_edge (tl_product *, tl_product_frame *);
uint32_t tl_product_ask_degree (tl_product *, uint64_t state);

static inline uint32_t tl_product_degree (const tl_product *p, uint64_t state) {
  return p->space
             ? p->space->degree[state]
             : (uint32_t)(p->graph->first[state + 1] - p->graph->first[state]);
}

static inline uint64_t tl_product_first (const tl_product *p, uint64_t state) {
  return p->space ? p->space->first[state] : p->graph->first[state];
}

// Goes on to the next edge; false: there are no more.
static inline bool tl_product_next_edge (tl_product *p, tl_product_frame *f) {
  const tl_automaton *a = p->automaton;
  const uint32_t at = (uint32_t)(f->node - f->state * a->states);
  f->edge += f->arc > 0;
  f->arc = 0;
  f->edge = p->space ? tl_product_ask_edge (p, f)
                     : tl_automaton_next (a, at, f->edge, f->values);
  if (f->edge == a->first[at + 1])
    return false;
  const uint32_t degree = p->space ? tl_product_ask_degree (p, f->state)
                                   : tl_product_degree (p, f->state);
  f->degree = degree ? degree : 1;
  f->first = degree ? tl_product_first (p, f->state) : TL_PRODUCT_NO_ARC;
  return !p->rc;
}

enum { TL_PRODUCT_AHEAD = 4 }; // arcs

// The next successor of the frame's node, which the edge is in the sets of;
// false: there are no more, or p->rc says that they cannot be found.  A dead
// state is its own successor.
static inline bool tl_product_next (tl_product *p, tl_product_frame *f,
                                    uint64_t *to, uint64_t *sets) {
  const tl_automaton *a = p->automaton;
  if (f->arc == f->degree || !f->arc)
    if (!tl_product_next_edge (p, f))
      return false;
  const uint32_t next = a->edge[f->edge].to;
  uint64_t target = f->state;
  if (f->first != TL_PRODUCT_NO_ARC) {
    const tl_numbers *list = p->space ? &p->space->target : &p->graph->target;
    const uint64_t arc = f->first + f->arc;
    target = tl_numbers_get (list, arc);
    // Most arcs lead to where the search has been: what it knows of these is on
    // its way when they are followed.
    if (p->graph && p->order && f->arc + TL_PRODUCT_AHEAD < f->degree)
      __builtin_prefetch (
          p->order + tl_numbers_get (list, arc + TL_PRODUCT_AHEAD) * a->states +
          next);
  }
  *to = target * a->states + next;
  *sets = a->edge[f->edge].sets;
  f->arc++;
  return true;
}

// Of a search: goes on to a new node by an edge in these sets; closes a cycle
// by one that leads to a node on the path, or of a component that is not
// complete; and what is on the path is forgotten, if no run was accepted.
tl_status tl_product_enter (tl_product *, uint64_t node, uint64_t sets);
void tl_product_close_cycle (tl_product *, uint64_t node, uint64_t sets);
void tl_product_forget (tl_product *);

// Counts a step of the search.  TL_E_LIMIT: it is to end here.
tl_status tl_product_step (tl_product *);

// When it was found; 0: it was not.
static inline uint32_t tl_product_order (const tl_product *p, uint64_t node) {
  return node < p->nodes ? p->order[node] : 0;
}

// Is everything accepted from the node on?
static inline bool tl_product_is_terminal (const tl_product *p, uint64_t node) {
  const tl_automaton *a = p->automaton;
  return a->kind[a->component[node % a->states]] == TL_TERMINAL;
}

static inline bool tl_product_is_dead (const tl_product *p, uint64_t node) {
  return !tl_product_degree (p, node / p->automaton->states);
}

// The way to the accepting component that was found; `home` is the node where
// it arrives: in the component, the last one before it if that is terminal, or
// at a dead state on the way there.
tl_status tl_product_stem (tl_product *, tl_run *, uint64_t *home);

#endif
