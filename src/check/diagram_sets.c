#include "check/diagram_sets.h"

#include "check/diagram_run.h"
#include "net/marking.h"
#include "symbolic/backward.h"
#include "symbolic/route.h"

#include <string.h>

static const tl_set_kind diagrams;

tl_status tl_diagram_sets_open (tl_diagram_sets *s, tl_mem *mem,
                                tl_reachable *reach) {
  *s = (tl_diagram_sets){
      .sets = {.kind = &diagrams}, .mem = mem, .reach = reach};
  const tl_status rc = tl_events_turn (&reach->events);
  if (rc || !TL_NEW (mem, s->value, reach->variables.count + 1))
    return TL_E_NOMEM;
  return tl_weighing_open (&s->weighing, reach);
}

void tl_diagram_sets_close (tl_diagram_sets *s) {
  if (!s->reach)
    return; // it was never opened
  tl_weighing_close (&s->weighing);
  TL_DEL (s->mem, s->known, s->known_room);
  TL_DEL (s->mem, s->value, s->reach->variables.count + 1);
}

void tl_diagram_sets_go_on (tl_diagram_sets *s) {
  tl_diagram *d = &s->reach->diagram;
  d->status = TL_OK;
  d->slots = 1; // what can be reached
}

// ---- Numbers ---------------------------------------------------------------

void tl_diagram_sets_marking (const tl_diagram_sets *s, uint64_t state,
                              uint64_t *marking) {
  const tl_net *net = s->reach->net;
  if (state)
    memcpy (marking, s->known + (state - 1) * net->places,
            net->places * sizeof *marking);
  else
    tl_marking_initial (net, marking);
}

tl_status tl_diagram_sets_number (tl_diagram_sets *s, const uint64_t *marking,
                                  uint64_t *state) {
  const size_t places = s->reach->net->places;
  if (!TL_ROOM (s->mem, s->known, &s->known_room, (s->count + 1) * places + 1))
    return TL_E_NOMEM;
  memcpy (s->known + s->count * places, marking, places * sizeof *marking);
  *state = ++s->count;
  return TL_OK;
}

// ---- Sets ------------------------------------------------------------------

static tl_diagram_sets *of (tl_sets *s) {
  return (tl_diagram_sets *)s;
}

static tl_diagram *diagram_of (tl_sets *s) {
  return &of (s)->reach->diagram;
}

static tl_held *held (tl_state_set *set) {
  return (tl_held *)set;
}

static tl_set in (const tl_state_set *set) {
  return ((const tl_held *)set)->set;
}

static tl_state_set *hold (tl_sets *s, tl_set set) {
  tl_held *h;
  if (diagram_of (s)->status || !TL_NEW (of (s)->mem, h, 1))
    return 0;
  tl_diagram_hold (diagram_of (s), h, set);
  return (tl_state_set *)h;
}

// The result of an operation, in place of the set.
static tl_status become (tl_sets *s, tl_state_set *set, tl_set result) {
  if (!diagram_of (s)->status)
    held (set)->set = result;
  return diagram_of (s)->status;
}

static tl_state_set *open_set (tl_sets *s) {
  return hold (s, TL_EMPTY_SET);
}

static tl_state_set *copy (tl_sets *s, const tl_state_set *set) {
  return hold (s, in (set));
}

static tl_state_set *label (tl_sets *s, const tl_formula *f) {
  return hold (s, tl_set_where (&of (s)->weighing, f, of (s)->reach->reached));
}

static void close_set (tl_sets *s, tl_state_set *set) {
  tl_held *h = held (set);
  if (h)
    tl_diagram_let_go (h);
  TL_DEL (of (s)->mem, h, 1);
}

static bool has (tl_sets *s, const tl_state_set *set, uint64_t state) {
  const tl_reachable *r = of (s)->reach;
  uint32_t *value = r->variables.initial;
  if (state)
    tl_reachable_values (r, of (s)->known + (state - 1) * r->net->places,
                         value = of (s)->value);
  return tl_set_has (&r->diagram, &r->events, in (set), value);
}

static tl_status complement (tl_sets *s, tl_state_set *set) {
  return become (
      s, set, tl_difference (diagram_of (s), of (s)->reach->reached, in (set)));
}

static tl_status intersect (tl_sets *s, tl_state_set *a,
                            const tl_state_set *b) {
  return become (s, a, tl_intersection (diagram_of (s), in (a), in (b)));
}

static tl_status unite (tl_sets *s, tl_state_set *a, const tl_state_set *b) {
  return become (s, a, tl_union (diagram_of (s), in (a), in (b)));
}

// ---- Fixpoints -------------------------------------------------------------

static tl_status before (tl_sets *s, const tl_state_set *set,
                         tl_state_set *result) {
  const tl_reachable *r = of (s)->reach;
  return become (s, result,
                 tl_before (diagram_of (s), &r->events, r->reached, in (set)));
}

static tl_status until (tl_sets *s, const tl_state_set *along,
                        tl_state_set *result) {
  const tl_reachable *r = of (s)->reach;
  tl_diagram *d = diagram_of (s);
  const size_t base = d->slots;
  const tl_set through =
      along ? tl_union (d, in (along), in (result)) : r->reached;
  if (tl_diagram_push (d, through, 0) && !d->status) {
    const tl_set all = tl_backward (d, &r->events, through, in (result));
    d->slots = base;
    return become (s, result, all);
  }
  return d->status;
}

tl_status tl_diagram_sets_stay (tl_diagram_sets *s, tl_held *set) {
  const tl_events *e = &s->reach->events;
  tl_diagram *d = &s->reach->diagram;
  tl_held dead;
  tl_diagram_hold (d, &dead, tl_dead (d, e, set->set));
  for (tl_set old = TL_EMPTY_SET; !d->status && old != set->set;) {
    old = set->set; // what is left is left because all that follows it was
    const tl_set go_on = tl_before (d, e, old, old);
    if (tl_diagram_push (d, go_on, 0)) {
      const tl_set rest = tl_union (d, go_on, dead.set);
      d->slots--;
      set->set = rest;
    }
  }
  tl_diagram_let_go (&dead);
  return d->status;
}

static tl_status stay (tl_sets *s, tl_state_set *result) {
  return tl_diagram_sets_stay (of (s), held (result));
}

// ---- Automata --------------------------------------------------------------

static tl_status accepted (tl_sets *s, const tl_automaton *automaton,
                           tl_state_set *const *atom, uint32_t atoms,
                           tl_state_set *result) {
  tl_diagram_product p;
  (void)atoms; // the automaton reads no others
  tl_status rc = tl_diagram_product_open (&p, of (s), automaton, atom);
  if (!rc)
    rc = tl_diagram_product_find (&p);
  if (!rc)
    held (result)->set = p.from[0].set;
  tl_diagram_product_close (&p);
  return rc;
}

static tl_status run (tl_sets *s, const tl_automaton *automaton,
                      tl_state_set *const *atom, uint32_t atoms,
                      uint64_t *state, bool *begins, tl_run *found,
                      tl_reason *why) {
  tl_diagram_product p;
  (void)atoms;
  tl_status rc = tl_diagram_product_open (&p, of (s), automaton, atom);
  if (!rc)
    rc = tl_diagram_product_find (&p);
  *begins = !rc && has (s, (const tl_state_set *)p.from, *state);
  if (*begins && tl_diagram_run (&p, state, found, why) == TL_E_INTERNAL)
    rc = TL_E_INTERNAL;
  tl_diagram_product_close (&p);
  return rc;
}

static const tl_set_kind diagrams = {.open = open_set,
                                     .copy = copy,
                                     .label = label,
                                     .close = close_set,
                                     .has = has,
                                     .complement = complement,
                                     .intersect = intersect,
                                     .unite = unite,
                                     .before = before,
                                     .until = until,
                                     .stay = stay,
                                     .accepted = accepted,
                                     .run = run,
                                     .witness = tl_diagram_witness};
