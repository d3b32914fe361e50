#include "symbolic/way.h"

#include "base/arena.h"
#include "net/marking.h"
#include "symbolic/backward.h"

#include <stdlib.h>
#include <string.h>

// Markings that are so many steps before the set.
typedef struct layer {
  tl_held held;
  struct layer *nearer; // one step less
} layer;

typedef struct layers {
  tl_reach *reach;
  tl_arena arena;
  layer *last;
  uint64_t count;
  tl_held seen; // all of them
  uint64_t *marking, *next;
  uint32_t *value;
} layers;

void tl_reach_values (const tl_reach *r, const uint64_t *marking,
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
  tl_reach_values (l->reach, marking, l->value);
  return tl_set_has (&l->reach->diagram, &l->reach->events, x->held.set,
                     l->value);
}

static tl_status add (layers *l, tl_set set) {
  layer *x;
  if (!TL_ARENA_NEW (&l->arena, x, 1))
    return TL_E_NOMEM;
  tl_diagram_hold (&l->reach->diagram, &x->held, set);
  x->nearer = l->last;
  l->last = x;
  l->count++;
  return TL_OK;
}

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
  if (!fresh)
    return TL_E_INTERNAL; // nothing leads into the set
  tl_status rc = add (l, fresh);
  const tl_set all = rc ? 0 : tl_union (d, l->seen.set, fresh);
  if (!rc && !(rc = d->status))
    l->seen.set = all;
  return rc;
}

// From the marking at hand into the layer.
static tl_status step (layers *l, const layer *x, uint32_t *transition) {
  const tl_net *net = l->reach->net;
  for (uint32_t t = 0; t < net->transitions; t++) {
    if (!tl_marking_enables (net, l->marking, t))
      continue;
    memcpy (l->next, l->marking, net->places * sizeof *l->next);
    tl_marking_fire (net, l->next, t);
    if (has (l, x, l->next)) {
      memcpy (l->marking, l->next, net->places * sizeof *l->next);
      *transition = t;
      return TL_OK;
    }
  }
  return TL_E_INTERNAL;
}

static tl_status walk (layers *l, tl_trace *trace) {
  tl_trace way = {.length = l->count - 1};
  tl_status rc = TL_OK;
  if (!(way.transition = calloc (way.length + 1, sizeof *way.transition)))
    return TL_E_NOMEM;
  const layer *x = l->last->nearer;
  for (uint64_t i = 0; !rc && i < way.length; i++, x = x->nearer)
    rc = step (l, x, way.transition + i);
  if (rc)
    free (way.transition);
  else
    *trace = way;
  return rc;
}

tl_status tl_way (tl_reach *r, tl_set set, tl_trace *trace) {
  tl_diagram *d = &r->diagram;
  const uint32_t places = r->net->places, count = r->variables.count;
  layers l = {.reach = r, .arena = TL_ARENA (&r->engine)};
  tl_diagram_hold (d, &l.seen, set);
  tl_status rc = TL_E_NOMEM;
  if (TL_ARENA_NEW (&l.arena, l.marking, places + 1) &&
      TL_ARENA_NEW (&l.arena, l.next, places + 1) &&
      TL_ARENA_NEW (&l.arena, l.value, count + 1))
    rc = add (&l, set);
  if (!rc)
    tl_marking_initial (r->net, l.marking);
  while (!rc && !has (&l, l.last, l.marking))
    rc = add_before (&l);
  if (!rc)
    rc = walk (&l, trace);
  for (layer *x = l.last; x; x = x->nearer)
    tl_diagram_let_go (&x->held);
  tl_diagram_let_go (&l.seen);
  tl_arena_close (&l.arena);
  return rc;
}
