#include "symbolic/route.h"

#include "base/arena.h"
#include "net/marking.h"
#include "symbolic/backward.h"

#include <stdlib.h>
#include <string.h>

// Markings before the set: those of so many steps, or after so many rounds.
typedef struct layer {
  tl_held held;
  struct layer *nearer;
} layer;

typedef struct layers {
  tl_reachable *reach;
  tl_arena arena;
  layer *last;
  tl_held seen; // all of them
  uint64_t *marking, *next;
  uint32_t *value;
  tl_trace way;
  size_t room; // of the way
} layers;

void tl_reachable_values (const tl_reachable *r, const uint64_t *marking,
                          uint32_t *value) {
  const tl_variables *v = &r->variables;
  for (uint32_t i = 0; i < v->count; i++) {
    const uint32_t *place = v->place + v->variable[i].first;
    value[i] = tl_variable_is_group (v, i) ? 0 : (uint32_t)marking[*place];
    for (uint32_t k = 0; v->variable[i].count > 1 && k < v->variable[i].count;
         k++)
      if (marking[place[k]])
        value[i] = k + 1;
  }
}

static bool has (layers *l, const layer *x, const uint64_t *marking) {
  tl_reachable_values (l->reach, marking, l->value);
  return tl_set_has (&l->reach->diagram, &l->reach->events, x->held.set,
                     l->value);
}

// Holds a set as the next of some layers.
static tl_status add (layers *l, layer **last, tl_set set) {
  layer *x;
  if (!TL_ARENA_NEW (&l->arena, x, 1))
    return TL_E_NOMEM;
  tl_diagram_hold (&l->reach->diagram, &x->held, set);
  x->nearer = *last;
  *last = x;
  return TL_OK;
}

static void let_go (layer *x) {
  for (; x; x = x->nearer)
    tl_diagram_let_go (&x->held);
}

static bool arrived (layers *l) {
  return has (l, l->last, l->marking);
}

// ---- Steps -----------------------------------------------------------------

static tl_status append (layers *l, uint32_t transition) {
  tl_trace *way = &l->way;
  if (way->length == l->room) {
    const size_t room = 2 * l->room + 16;
    uint32_t *more = realloc (way->transition, room * sizeof *more);
    if (!more)
      return TL_E_NOMEM;
    way->transition = more;
    l->room = room;
  }
  way->transition[way->length++] = transition;
  return TL_OK;
}

// From the marking at hand into the layer.
static tl_status step (layers *l, const layer *x) {
  const tl_net *net = l->reach->net;
  const size_t size = net->places * sizeof *l->next;
  for (uint32_t t = 0; t < net->transitions; t++) {
    if (!tl_marking_enables (net, l->marking, t))
      continue;
    memcpy (l->next, l->marking, size);
    tl_marking_fire (net, l->next, t);
    if (has (l, x, l->next)) {
      memcpy (l->marking, l->next, size);
      return append (l, t);
    }
  }
  return TL_E_INTERNAL;
}

// ---- Layers ----------------------------------------------------------------

// The markings one step before the last layer that are in none.
static tl_status add_before (layers *l) {
  tl_diagram *d = &l->reach->diagram;
  const tl_set before =
      tl_before (d, &l->reach->events, l->reach->reached, l->last->held.set);
  if (d->status || !tl_diagram_push (d, before, 0))
    return d->status;
  const tl_set fresh = tl_difference (d, before, l->seen.set);
  d->slots--;
  if (d->status)
    return d->status;
  tl_status rc = fresh ? add (l, &l->last, fresh) : TL_E_INTERNAL;
  const tl_set all = rc ? TL_EMPTY_SET : tl_union (d, l->seen.set, fresh);
  if (!rc && !(rc = d->status))
    l->seen.set = all;
  return rc;
}

static tl_status walk_layers (layers *l) {
  tl_status rc = TL_OK;
  while (!rc && !arrived (l))
    rc = add_before (l);
  for (const layer *x = l->last; !rc && x->nearer; x = x->nearer)
    rc = step (l, x->nearer);
  return rc;
}

// ---- Rounds ----------------------------------------------------------------

// Fires the events backwards, each on what those before have found, until the
// marking at hand is among it.  The sets on the way are held as layers where
// `all` is not null.
static tl_status go_round (layers *l, tl_set from, layer **all, tl_held *end) {
  tl_diagram *d = &l->reach->diagram;
  const tl_events *e = &l->reach->events;
  tl_status rc = TL_OK;
  end->set = from;
  for (uint32_t i = 0; !rc && i < e->backs.count; i++) {
    const tl_set more = tl_before_event (d, e, l->reach->reached, end->set, i);
    if (d->status || !tl_diagram_push (d, more, 0))
      return d->status;
    const tl_set both = tl_union (d, end->set, more);
    d->slots--;
    if ((rc = d->status) || both == end->set)
      continue;
    end->set = both;
    rc = all ? add (l, all, both) : TL_OK;
    if (tl_set_has (d, e, both, l->value))
      break;
  }
  return rc;
}

// From the marking at hand back to where a round began.
static tl_status walk_round (layers *l, const layer *began) {
  layer *all = 0;
  tl_status rc = add (l, &all, began->held.set);
  tl_reachable_values (l->reach, l->marking, l->value);
  if (!rc)
    rc = go_round (l, began->held.set, &all, &l->seen);
  for (const layer *x = all; !rc && x->nearer; x = x->nearer)
    if (!has (l, x->nearer, l->marking))
      rc = step (l, x->nearer);
  let_go (all);
  return rc;
}

static tl_status walk_rounds (layers *l) {
  tl_status rc = TL_OK;
  while (!rc && !arrived (l)) {
    const tl_set from = l->last->held.set;
    rc = go_round (l, from, 0, &l->seen);
    if (!rc)
      rc = l->seen.set == from ? TL_E_INTERNAL : add (l, &l->last, l->seen.set);
  }
  for (const layer *x = l->last; !rc && x->nearer; x = x->nearer)
    if (!has (l, x->nearer, l->marking))
      rc = walk_round (l, x->nearer);
  return rc;
}

// ---- Ways ------------------------------------------------------------------

static tl_status find (tl_reachable *r, tl_set set,
                       tl_status (*walk) (layers *), tl_trace *trace) {
  const uint32_t places = r->net->places, count = r->variables.count;
  layers l = {.reach = r, .arena = TL_ARENA (&r->engine)};
  tl_diagram_hold (&r->diagram, &l.seen, set);
  tl_status rc = TL_E_NOMEM;
  if (TL_ARENA_NEW (&l.arena, l.marking, places + 1) &&
      TL_ARENA_NEW (&l.arena, l.next, places + 1) &&
      TL_ARENA_NEW (&l.arena, l.value, count + 1))
    rc = add (&l, &l.last, set);
  if (!rc) {
    tl_marking_initial (r->net, l.marking);
    rc = walk (&l);
  }
  if (!rc && !l.way.transition &&
      !(l.way.transition = calloc (1, sizeof *l.way.transition)))
    rc = TL_E_NOMEM;
  let_go (l.last);
  tl_diagram_let_go (&l.seen);
  tl_arena_close (&l.arena);
  if (rc)
    free (l.way.transition);
  else
    *trace = l.way;
  return rc;
}

tl_status tl_route_shortest (tl_reachable *r, tl_set set, tl_trace *trace) {
  return find (r, set, walk_layers, trace);
}

tl_status tl_route_any (tl_reachable *r, tl_set set, tl_trace *trace) {
  return find (r, set, walk_rounds, trace);
}
