#include "check/diagram_run.h"

#include "net/marking.h"
#include "symbolic/algebra.h"
#include "symbolic/route.h"

#include <string.h>

// Families that were made one after the other, the nearest to the goal first
// made.
typedef struct layer {
  tl_held *family;
  struct layer *nearer;
} layer;

// Where a way may pass: edges inside of components only, or all; and the pairs.
typedef struct area {
  bool stays;
  const tl_held *inside; // [states]; null: any
} area;

typedef struct walk {
  tl_diagram_product *p;
  tl_reachable *reach;
  tl_mem *mem;
  tl_arena arena;
  uint64_t *marking, *next; // [places]
  uint32_t *value;          // [variables]
  tl_held *goal, *home, *back;
  uint32_t at;  // the state of the automaton
  uint64_t met; // accepting sets of the edges taken
  tl_run *run;
} walk;

// ---- Markings --------------------------------------------------------------

static bool has (walk *w, tl_set set, const uint64_t *marking) {
  tl_reachable_values (w->reach, marking, w->value);
  return tl_set_has (&w->reach->diagram, &w->reach->events, set, w->value);
}

static bool is_dead (walk *w) {
  return has (w, w->p->dead.set, w->marking);
}

static bool is_open (walk *w, area where, uint32_t edge) {
  return (!where.stays || tl_edge_stays (w->p->automaton, w->at, edge)) &&
         has (w, w->p->label[edge].set, w->marking);
}

// A step along the edge into a set; *made: there is one.
static tl_status fire_into (walk *w, uint32_t edge, tl_set into, bool *made) {
  const tl_net *net = w->reach->net;
  const size_t size = net->places * sizeof *w->marking;
  uint64_t arc = 0;
  for (uint32_t t = 0; t < net->transitions; t++) {
    if (!tl_marking_enables (net, w->marking, t))
      continue;
    memcpy (w->next, w->marking, size);
    tl_marking_fire (net, w->next, t);
    if (has (w, into, w->next)) {
      memcpy (w->marking, w->next, size);
      w->at = w->p->automaton->edge[edge].to;
      w->met |= w->p->automaton->edge[edge].sets;
      *made = true;
      return tl_run_add (w->run, arc) ? TL_OK : TL_E_NOMEM;
    }
    arc++;
  }
  return TL_OK;
}

// A step into the family, along an edge that has one of the sets (0: any).
static tl_status try_step (walk *w, area where, uint64_t sets,
                           const tl_held *into, bool *made) {
  const tl_automaton *a = w->p->automaton;
  const uint32_t from = w->at;
  tl_status rc = TL_OK;
  *made = false;
  for (uint32_t e = a->first[from]; !rc && !*made && e < a->first[from + 1];
       e++)
    if ((!sets || a->edge[e].sets & sets) && is_open (w, where, e))
      rc = fire_into (w, e, into[a->edge[e].to].set, made);
  return rc;
}

// The same where there has to be one.
static tl_status step (walk *w, area where, uint64_t sets,
                       const tl_held *into) {
  bool made;
  const tl_status rc = try_step (w, where, sets, into, &made);
  return rc || made ? rc : TL_E_INTERNAL;
}

// ---- Layers ----------------------------------------------------------------

static tl_status add_layer (walk *w, layer **last) {
  layer *x;
  if (!TL_ARENA_NEW (&w->arena, x, 1) || !(x->family = tl_family_open (w->p)))
    return TL_E_NOMEM;
  x->nearer = *last;
  *last = x;
  return TL_OK;
}

static void close_layers (walk *w, layer *x) {
  for (; x; x = x->nearer)
    tl_family_close (w->p, x->family);
}

// Adds the pairs one step before the last layer that were not seen; *more:
// there are some.
static tl_status add_before (walk *w, area where, layer **last, tl_held *seen,
                             bool *more) {
  const tl_automaton *a = w->p->automaton;
  tl_diagram *d = &w->reach->diagram;
  const tl_held *into = (*last)->family;
  const tl_status rc = add_layer (w, last);
  *more = false;
  for (uint32_t s = 0; !rc && s < a->states && !d->status; s++) {
    tl_held *fresh = (*last)->family + s;
    const tl_set within =
        where.inside ? where.inside[s].set : w->reach->reached;
    for (uint32_t e = a->first[s]; e < a->first[s + 1]; e++)
      if (!where.stays || tl_edge_stays (a, s, e))
        tl_held_unite (
            d, fresh,
            tl_diagram_product_step (w->p, e, within, into[a->edge[e].to].set));
    fresh->set = tl_difference (d, fresh->set, seen[s].set);
    tl_held_unite (d, seen + s, fresh->set);
    *more |= fresh->set != TL_EMPTY_SET;
  }
  return rc ? rc : d->status;
}

static tl_status begin_layers (walk *w, const tl_held *goal, layer **last,
                               tl_held **seen) {
  if (add_layer (w, last) || !(*seen = tl_family_open (w->p)))
    return TL_E_NOMEM;
  for (uint32_t s = 0; s < w->p->automaton->states; s++)
    (*last)->family[s].set = (*seen)[s].set = goal[s].set;
  return TL_OK;
}

// A shortest way from the pair at hand into the goal; *arrived: there is one.
static tl_status go (walk *w, area where, const tl_held *goal, bool *arrived) {
  layer *last = 0;
  tl_held *seen = 0;
  tl_status rc = begin_layers (w, goal, &last, &seen);
  bool more = true;
  *arrived = false;
  while (!rc && more &&
         !(*arrived = has (w, last->family[w->at].set, w->marking)))
    rc = add_before (w, where, &last, seen, &more);
  for (const layer *x = last; !rc && *arrived && x->nearer; x = x->nearer)
    rc = step (w, where, 0, x->nearer->family);
  tl_family_close (w->p, seen);
  close_layers (w, last);
  return rc;
}

// There has to be one.
static tl_status arrive (walk *w, area where, const tl_held *goal) {
  bool arrived;
  const tl_status rc = go (w, where, goal, &arrived);
  return rc || arrived ? rc : TL_E_INTERNAL;
}

// ---- Rounds ----------------------------------------------------------------

// Where an edge of the set leads from a part of the component at hand into it.
static tl_status find_edges (walk *w, uint64_t set, const tl_held *part,
                             tl_held *family) {
  const tl_automaton *a = w->p->automaton;
  tl_diagram *d = &w->reach->diagram;
  for (uint32_t s = 0; s < a->states && !d->status; s++) {
    family[s].set = TL_EMPTY_SET;
    for (uint32_t e = a->first[s]; e < a->first[s + 1]; e++)
      if (a->component[s] == a->component[w->at] && a->edge[e].sets & set &&
          tl_edge_stays (a, s, e))
        tl_held_unite (d, family + s,
                       tl_diagram_product_step (w->p, e, part[s].set,
                                                part[a->edge[e].to].set));
  }
  return d->status;
}

// Makes `home` the pair at hand, and `back` the pairs of the hull from which
// ways inside of it lead there.
static tl_status begin_round (walk *w) {
  tl_diagram *d = &w->reach->diagram;
  for (uint32_t s = 0; s < w->p->automaton->states; s++)
    w->home[s].set = w->back[s].set = TL_EMPTY_SET;
  tl_reachable_values (w->reach, w->marking, w->value);
  w->home[w->at].set = tl_single (d, &w->reach->events, w->value);
  w->back[w->at].set = w->home[w->at].set;
  return tl_diagram_product_grow (w->p, w->p->automaton->component[w->at],
                                  w->back, w->p->hull);
}

// Takes edges of all accepting sets among what leads back.  Where there is none
// of a set it goes on to where it can be taken, and *fair is false.
static tl_status meet_sets (walk *w, bool *fair) {
  const tl_automaton *a = w->p->automaton;
  const area back = {true, w->back}, hull = {true, w->p->hull};
  const bool strong = a->kind[a->component[w->at]] == TL_STRONG;
  tl_status rc = TL_OK;
  *fair = true;
  for (uint32_t i = 0; !rc && *fair && strong && i < a->sets; i++) {
    const uint64_t set = (uint64_t)1 << i;
    if (w->met & set)
      continue;
    rc = find_edges (w, set, w->back, w->goal);
    if (!rc)
      rc = go (w, back, w->goal, fair);
    if (!rc && *fair)
      rc = step (w, back, set, w->back);
    else if (!rc && !(rc = find_edges (w, set, w->p->hull, w->goal)))
      rc = arrive (w, hull, w->goal);
    if (!rc && !*fair && !is_dead (w))
      rc = step (w, hull, set, w->p->hull);
  }
  return rc;
}

// From a pair of a hull, for ever.
static tl_status go_round (walk *w) {
  const area back = {true, w->back}, hull = {true, w->p->hull};
  tl_status rc = TL_OK;
  for (bool closed = false; !rc && !closed && !is_dead (w);) {
    const uint64_t before = w->run->length;
    bool goes = false;
    w->met = 0;
    if (!(rc = begin_round (w)))
      rc = try_step (w, back, 0, w->back, &goes);
    if (!rc && !goes) // nothing that comes after leads back
      rc = step (w, hull, 0, w->p->hull);
    else if (!rc)
      rc = meet_sets (w, &closed);
    if (!rc && closed && !(rc = arrive (w, back, w->home)))
      w->run->loop_from = before;
  }
  if (!rc && is_dead (w))
    w->run->loop_from = w->run->length;
  return rc;
}

// ---- Accepted runs ---------------------------------------------------------

static tl_status open_walk (walk *w, tl_diagram_product *p, uint64_t state,
                            tl_run *run) {
  const uint32_t places = p->sets->reach->net->places;
  *w = (walk){.p = p,
              .reach = p->sets->reach,
              .mem = p->sets->mem,
              .arena = TL_ARENA (p->sets->mem),
              .run = run};
  if (!TL_ARENA_NEW (&w->arena, w->marking, places + 1) ||
      !TL_ARENA_NEW (&w->arena, w->next, places + 1) ||
      !TL_ARENA_NEW (&w->arena, w->value, w->reach->variables.count + 1) ||
      !(w->goal = tl_family_open (p)) || !(w->home = tl_family_open (p)) ||
      !(w->back = tl_family_open (p)))
    return TL_E_NOMEM;
  tl_diagram_sets_marking (p->sets, state, w->marking);
  return TL_OK;
}

static tl_status close_walk (walk *w, tl_status rc, uint64_t length,
                             uint64_t *state) {
  if (!rc)
    rc = tl_diagram_sets_number (w->p->sets, w->marking, state);
  if (rc)
    w->run->length = w->run->loop_from = length;
  else
    w->run->found = true;
  tl_family_close (w->p, w->goal);
  tl_family_close (w->p, w->home);
  tl_family_close (w->p, w->back);
  tl_arena_close (&w->arena);
  return rc;
}

static bool is_terminal (const tl_automaton *a, uint32_t state) {
  return a->kind[a->component[state]] == TL_TERMINAL;
}

// Where it is clear how a run goes on: hulls, dead markings, and what an edge
// to where all is accepted may be taken at.
static tl_status find_ends (tl_diagram_product *p, tl_held *goal) {
  const tl_automaton *a = p->automaton;
  tl_diagram *d = &p->sets->reach->diagram;
  for (uint32_t s = 0; s < a->states && !d->status; s++) {
    goal[s].set = tl_intersection (d, p->from[s].set, p->dead.set);
    tl_held_unite (d, goal + s, p->hull[s].set);
    for (uint32_t e = a->first[s]; e < a->first[s + 1]; e++)
      if (is_terminal (a, a->edge[e].to))
        tl_held_unite (d, goal + s, p->label[e].set);
  }
  return d->status;
}

// Is everything accepted from here on?  And why.
static bool may_end (walk *w, tl_reason *why) {
  const tl_automaton *a = w->p->automaton;
  if (is_terminal (a, w->at))
    return true;
  for (uint32_t e = a->first[w->at]; e < a->first[w->at + 1]; e++)
    if (is_terminal (a, a->edge[e].to) && is_open (w, (area){0}, e)) {
      *why = (tl_reason){a->edge[e].holds, a->edge[e].fails};
      return true;
    }
  return false;
}

static tl_status walk_accepted (walk *w, tl_reason *why) {
  tl_status rc = find_ends (w->p, w->goal);
  if (!rc && !is_terminal (w->p->automaton, w->at))
    rc = arrive (w, (area){0}, w->goal);
  w->run->loop_from = w->run->length;
  return rc || may_end (w, why) ? rc : go_round (w);
}

tl_status tl_diagram_run (tl_diagram_product *p, uint64_t *state, tl_run *run,
                          tl_reason *why) {
  const uint64_t before = run->length;
  walk w;
  tl_status rc = open_walk (&w, p, *state, run);
  *why = (tl_reason){0};
  if (!rc)
    rc = walk_accepted (&w, why);
  return close_walk (&w, rc, before, state);
}

// ---- Operators of CTL ------------------------------------------------------

static tl_status find (walk *w, tl_op op, bool *arrived) {
  tl_status rc = TL_OK;
  w->run->loop_from = w->run->length;
  if (op == TL_NEXT)
    rc = step (w, (area){0}, 0, w->goal);
  else if (op != TL_GLOBALLY)
    rc = go (w, (area){0}, w->goal, arrived);
  w->run->loop_from = w->run->length;
  if (rc || *arrived)
    return rc;
  if (op != TL_GLOBALLY && op != TL_RELEASE)
    return TL_E_INTERNAL;
  w->p->hull->set = w->p->label->set; // for ever
  rc = tl_diagram_sets_stay (w->p->sets, w->p->hull);
  return rc ? rc : go_round (w);
}

// What a way goes through, and into; of E (a R b): through b into a and b.
static tl_status set_goal (tl_diagram_product *p, tl_op op, const tl_held *a,
                           const tl_held *b, tl_held *goal) {
  tl_diagram *d = &p->sets->reach->diagram;
  p->label->set = op == TL_UNTIL ? a->set
                  : op == TL_RELEASE || op == TL_GLOBALLY
                      ? b->set
                      : p->sets->reach->reached;
  goal->set = op == TL_RELEASE ? tl_intersection (d, a->set, b->set) : b->set;
  return d->status;
}

tl_status tl_diagram_witness (tl_sets *s, tl_op op, tl_state_set *a,
                              tl_state_set *b, uint64_t *state, bool *arrived,
                              tl_run *run) {
  // An automaton of one state, which may go on as long as it is in one set.
  uint32_t first[] = {0, 1}, component[] = {0};
  tl_edge edge[] = {{0}};
  tl_component kind[] = {TL_WEAK};
  const tl_automaton stays = {.states = 1,
                              .first = first,
                              .edge = edge,
                              .component = component,
                              .components = 1,
                              .kind = kind};
  const uint64_t before = run->length;
  tl_diagram_product p;
  walk w;
  *arrived = op == TL_NEXT;
  tl_status rc = tl_diagram_product_open (&p, (tl_diagram_sets *)s, &stays, 0);
  if (!rc) {
    rc = open_walk (&w, &p, *state, run);
    if (!rc)
      rc = set_goal (&p, op, (const tl_held *)a, (const tl_held *)b, w.goal);
    if (!rc)
      rc = find (&w, op, arrived);
    rc = close_walk (&w, rc, before, state);
  }
  tl_diagram_product_close (&p);
  return rc;
}
