// Walks in the product that are led: by random steps a walk in a large net
// never comes back to where it was, so that it closes no cycle.

#include "check/product_parts.h"

#include "base/random.h"

#include <string.h>

enum {
  LENGTH = 1 << 16, // of a walk
  FAILURES = 12     // plans in a row that lead nowhere
};

// Successors of the last node of the path, one of which is taken.
typedef struct choice {
  uint64_t count, to, sets;
  uint32_t transition;
  tl_product_frame by;
} choice;

typedef struct walk {
  tl_product *p;
  const tl_product_lead *lead;
  tl_random random;
  uint64_t *times; // [transitions] each is to fire
  uint8_t *avoid;  // [transitions] has led out of the component
  uint32_t transitions;
  enum { LEAVES, MARKS, MARKED, RETURNS } phase;
  const tl_edge *aim; // that is to be taken; null: the walk is to come home
  uint64_t home;      // state where it began to look for a cycle
  uint32_t failures;
} walk;

static uint32_t component_of (const walk *w, uint64_t node) {
  const tl_automaton *a = w->p->automaton;
  return a->component[node % a->states];
}

static void consider (walk *w, choice *c, const tl_product_frame *by,
                      uint64_t to, uint64_t sets, uint32_t t) {
  if (!tl_random_below (&w->random, ++c->count))
    *c = (choice){c->count, to, sets, t, *by};
}

// Is there an edge that may be taken from the node?
static bool goes_on (walk *w, uint64_t node) {
  tl_product_frame f = tl_product_begin (w->p, node);
  return tl_product_next_edge (w->p, &f);
}

// Those that are planned, that leave the component, that are in a set that the
// walk wants, and any.
typedef struct choices {
  choice planned, leaving, marked, any;
} choices;

static void sort_in (walk *w, choices *c, const tl_product_frame *f,
                     uint64_t to, uint64_t sets, uint32_t t) {
  if (component_of (w, to) != component_of (w, f->node)) {
    consider (w, &c->leaving, f, to, sets, t);
    return;
  }
  const bool planned = t < w->transitions && w->times[t];
  if (planned && !goes_on (w, to)) {
    w->avoid[t] = 1;
    return;
  }
  if (planned)
    consider (w, &c->planned, f, to, sets, t);
  if (w->phase == MARKS && sets & w->aim->sets)
    consider (w, &c->marked, f, to, sets, t);
  consider (w, &c->any, f, to, sets, t);
}

static void look_around (walk *w, choices *c) {
  tl_product *p = w->p;
  tl_product_frame f = p->path[p->depth - 1];
  uint64_t to, sets;
  while (!p->accepted && tl_product_next (p, &f, &to, &sets)) {
    const bool moves = f.first != TL_PRODUCT_NO_ARC;
    if (tl_product_order (p, to))
      tl_product_close_cycle (p, to, sets);
    else
      sort_in (w, c, &f, to, sets,
               moves ? tl_space_transition (p->space, f.state, f.arc - 1)
                     : w->transitions);
  }
}

// ---- Plans -----------------------------------------------------------------

// Out of the component, or round a cycle, by an edge that is in sets if not all
// are.
static void choose_aim (walk *w, uint64_t node) {
  const tl_automaton *a = w->p->automaton;
  const uint32_t here = component_of (w, node);
  const bool back = w->phase == MARKED,
             leaves = a->kind[here] == TL_REJECTING ||
                      tl_random_below (&w->random, 2);
  w->phase = RETURNS;
  w->aim = 0;
  if (back)
    return;
  if (leaves && (w->aim = tl_automaton_any_edge (a, here, true, &w->random))) {
    w->phase = LEAVES;
    return;
  }
  w->home = node / a->states;
  if (a->kind[here] == TL_STRONG &&
      (w->aim = tl_automaton_any_edge (a, here, false, &w->random)))
    w->phase = MARKS;
}

static bool plan (walk *w, uint64_t node) {
  const uint64_t state = node / w->p->automaton->states;
  if (w->lead->detour (w->lead->context, state, w->times))
    return true;
  memset (w->times, 0, w->transitions * sizeof *w->times);
  choose_aim (w, node);
  return w->lead->plan (w->lead->context, state, w->aim, w->home, w->avoid,
                        w->times);
}

// ---- Steps -----------------------------------------------------------------

static const choice none;

// The next step; `none`: there is a new plan.  Null: there is no step.
static const choice *choose (walk *w, choices *c, uint64_t node) {
  if (w->phase == LEAVES && w->aim && c->leaving.count) {
    w->aim = 0;
    memset (w->times, 0, w->transitions * sizeof *w->times);
    return &c->leaving;
  }
  if (c->planned.count) {
    w->failures = 0;
    w->times[c->planned.transition]--;
    return &c->planned;
  }
  if (w->failures++ == FAILURES)
    return 0;
  if (c->marked.count) {
    w->phase = MARKED;
    return &c->marked;
  }
  if (plan (w, node))
    return &none;
  return c->any.count ? &c->any : c->leaving.count ? &c->leaving : 0;
}

static tl_status walk_once (walk *w) {
  tl_product *p = w->p;
  memset (w->times, 0, w->transitions * sizeof *w->times);
  memset (w->avoid, 0, w->transitions);
  w->aim = 0;
  w->phase = LEAVES;
  w->failures = 0;
  tl_status rc = tl_product_enter (p, p->start * p->automaton->states, 0);
  while (!rc && !p->accepted && p->depth < LENGTH) {
    const uint64_t node = p->path[p->depth - 1].node;
    choices c = {0};
    look_around (w, &c);
    if ((rc = p->rc) || p->accepted || (rc = tl_product_step (p)))
      break;
    const choice *next = choose (w, &c, node);
    if (!next)
      break;
    if (!next->count)
      continue;
    p->path[p->depth - 1] = next->by;
    rc = tl_product_enter (p, next->to, next->sets);
  }
  return rc;
}

tl_status tl_product_walk_led (tl_product *p, bool *accepted) {
  walk w = {.p = p,
            .lead = p->lead,
            .random = {p->lead->seed},
            .transitions = p->space->search->net->transitions};
  tl_status rc = TL_OK;
  p->first_only = true;
  *accepted = false;
  if (p->automaton->worst == TL_REJECTING)
    return TL_E_LIMIT;
  if (!TL_NEW (p->mem, w.times, w.transitions) ||
      !TL_NEW (p->mem, w.avoid, w.transitions))
    rc = TL_E_NOMEM;
  while (!rc && !p->accepted) {
    tl_product_forget (p);
    rc = walk_once (&w);
    if (!rc && !p->accepted)
      rc = tl_product_step (p);
  }
  TL_DEL (p->mem, w.times, w.transitions);
  TL_DEL (p->mem, w.avoid, w.transitions);
  *accepted = p->accepted;
  return p->accepted ? TL_OK : rc;
}
