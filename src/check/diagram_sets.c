#include "check/diagram_sets.h"

#include "symbolic/backward.h"

static const tl_set_kind diagrams;

tl_status tl_diagram_sets_open (tl_diagram_sets *s, tl_mem *mem,
                                tl_reachable *reach) {
  *s = (tl_diagram_sets){
      .sets = {.kind = &diagrams}, .mem = mem, .reach = reach};
  const tl_status rc = tl_events_turn (&reach->events);
  return rc ? rc : tl_weighing_open (&s->weighing, reach);
}

void tl_diagram_sets_close (tl_diagram_sets *s) {
  tl_weighing_close (&s->weighing);
}

void tl_diagram_sets_go_on (tl_diagram_sets *s) {
  tl_diagram *d = &s->reach->diagram;
  d->status = TL_OK;
  d->slots = 1; // what can be reached
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
  (void)state; // the initial one
  return tl_set_has (&r->diagram, &r->events, in (set), r->variables.initial);
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

// Markings that are left because all that follows them was left.
static tl_status stay (tl_sets *s, tl_state_set *result) {
  const tl_reachable *r = of (s)->reach;
  tl_diagram *d = diagram_of (s);
  tl_held dead;
  tl_diagram_hold (d, &dead, tl_dead (d, &r->events, in (result)));
  for (tl_set old = TL_EMPTY_SET; !d->status && old != in (result);) {
    old = in (result);
    const tl_set go_on = tl_before (d, &r->events, old, old);
    if (tl_diagram_push (d, go_on, 0)) {
      become (s, result, tl_union (d, go_on, dead.set));
      d->slots--;
    }
  }
  tl_diagram_let_go (&dead);
  return d->status;
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
                                     .stay = stay};
