#include "check/diagram_product.h"

#include "symbolic/backward.h"

static tl_diagram *diagram_of (const tl_diagram_product *p) {
  return &p->sets->reach->diagram;
}

static uint32_t edges (const tl_automaton *a) {
  return a->first[a->states];
}

// ---- Families --------------------------------------------------------------

static tl_held *open_held (tl_diagram_product *p, uint32_t count) {
  tl_held *h;
  if (!TL_NEW (p->sets->mem, h, count + 1))
    return 0;
  for (uint32_t i = 0; i < count; i++)
    tl_diagram_hold (diagram_of (p), h + i, TL_EMPTY_SET);
  return h;
}

static void close_held (tl_diagram_product *p, tl_held *h, uint32_t count) {
  for (uint32_t i = 0; h && i < count; i++)
    tl_diagram_let_go (h + i);
  TL_DEL (p->sets->mem, h, count + 1);
}

tl_held *tl_family_open (tl_diagram_product *p) {
  return open_held (p, p->automaton->states);
}

void tl_family_close (tl_diagram_product *p, tl_held *family) {
  close_held (p, family, p->automaton->states);
}

// ---- Labels ----------------------------------------------------------------

static tl_set label_of (tl_diagram_product *p, const tl_edge *e,
                        tl_state_set *const *atom) {
  tl_diagram *d = diagram_of (p);
  tl_held set;
  tl_diagram_hold (d, &set, p->sets->reach->reached);
  for (uint64_t atoms = e->holds | e->fails; atoms && !d->status;
       atoms &= atoms - 1) {
    const unsigned a = (unsigned)__builtin_ctzll (atoms);
    const tl_set there = ((const tl_held *)atom[a])->set;
    set.set = (e->holds >> a & 1 ? tl_intersection : tl_difference) (d, set.set,
                                                                     there);
  }
  const tl_set result = set.set;
  tl_diagram_let_go (&set);
  return d->status ? TL_EMPTY_SET : result;
}

static void fill_labels (tl_diagram_product *p, tl_state_set *const *atom) {
  const tl_automaton *a = p->automaton;
  for (uint32_t s = 0; s < a->states; s++)
    for (uint32_t e = a->first[s]; e < a->first[s + 1]; e++) {
      p->label[e].set = label_of (p, a->edge + e, atom);
      if (a->edge[e].to == s)
        tl_held_unite (diagram_of (p), p->loop + s, p->label[e].set);
    }
}

tl_status tl_diagram_product_open (tl_diagram_product *p, tl_diagram_sets *sets,
                                   const tl_automaton *a,
                                   tl_state_set *const *atom) {
  *p = (tl_diagram_product){.sets = sets, .automaton = a};
  tl_diagram *d = diagram_of (p);
  tl_diagram_hold (d, &p->dead, TL_EMPTY_SET);
  if (!(p->label = open_held (p, edges (a))) ||
      !(p->from = tl_family_open (p)) || !(p->hull = tl_family_open (p)) ||
      !(p->fair = tl_family_open (p)) || !(p->loop = tl_family_open (p)))
    return TL_E_NOMEM;
  fill_labels (p, atom);
  p->dead.set = tl_dead (d, &sets->reach->events, sets->reach->reached);
  return d->status;
}

void tl_diagram_product_close (tl_diagram_product *p) {
  close_held (p, p->label, edges (p->automaton));
  tl_family_close (p, p->from);
  tl_family_close (p, p->hull);
  tl_family_close (p, p->fair);
  tl_family_close (p, p->loop);
  tl_diagram_let_go (&p->dead);
}

// ---- Steps -----------------------------------------------------------------

tl_set tl_diagram_product_step (tl_diagram_product *p, uint32_t edge,
                                tl_set within, tl_set to) {
  tl_diagram *d = diagram_of (p);
  tl_held here, result;
  if (!to)
    return TL_EMPTY_SET;
  tl_diagram_hold (d, &here, tl_intersection (d, within, p->label[edge].set));
  tl_diagram_hold (d, &result, TL_EMPTY_SET);
  result.set = tl_before (d, &p->sets->reach->events, here.set, to);
  here.set = tl_intersection (d, here.set, p->dead.set);
  tl_held_unite (d, &result, tl_intersection (d, here.set, to));
  const tl_set set = result.set;
  tl_diagram_let_go (&result);
  tl_diagram_let_go (&here);
  return d->status ? TL_EMPTY_SET : set;
}

// ---- Components ------------------------------------------------------------

// Some edges of a state: to other components, or inside of its own.
typedef struct choice {
  bool stays;
  bool moves;    // to another state
  uint64_t sets; // of which an edge must have one; 0: it need not
} choice;

static bool fits (const tl_automaton *a, uint32_t state, uint32_t edge,
                  choice c) {
  return tl_edge_stays (a, state, edge) == c.stays &&
         (!c.moves || a->edge[edge].to != state) &&
         (!c.sets || a->edge[edge].sets & c.sets);
}

// The markings of `within` from which such edges of the state lead into the
// family, as `result`.
static void lead (tl_diagram_product *p, uint32_t state, choice c,
                  tl_set within, const tl_held *family, tl_held *result) {
  const tl_automaton *a = p->automaton;
  result->set = TL_EMPTY_SET;
  for (uint32_t e = a->first[state]; e < a->first[state + 1]; e++)
    if (fits (a, state, e, c))
      tl_held_unite (
          diagram_of (p), result,
          tl_diagram_product_step (p, e, within, family[a->edge[e].to].set));
}

// Grows a set of the family along the loops of its state, as long as they stay
// in `inside`.
static void grow_along (tl_diagram_product *p, uint32_t state, tl_held *family,
                        tl_set inside) {
  tl_diagram *d = diagram_of (p);
  tl_held along;
  tl_diagram_hold (d, &along, TL_EMPTY_SET);
  along.set = tl_intersection (d, p->loop[state].set, inside);
  tl_held_unite (d, &along, family[state].set);
  if (!d->status)
    family[state].set =
        tl_backward (d, &p->sets->reach->events, along.set, family[state].set);
  tl_diagram_let_go (&along);
}

tl_status tl_diagram_product_grow (tl_diagram_product *p, uint32_t component,
                                   tl_held *family, const tl_held *inside) {
  const tl_automaton *a = p->automaton;
  tl_diagram *d = diagram_of (p);
  const choice others = {.stays = true, .moves = true};
  tl_held more;
  tl_diagram_hold (d, &more, TL_EMPTY_SET);
  for (bool again = true; again && !d->status;) {
    again = false;
    for (uint32_t s = 0; s < a->states && !d->status; s++) {
      if (a->component[s] != component)
        continue;
      const tl_set old = family[s].set,
                   within = inside ? inside[s].set : p->sets->reach->reached;
      lead (p, s, others, within, family, &more);
      tl_held_unite (d, family + s, more.set);
      grow_along (p, s, family, within);
      again |= family[s].set != old;
    }
  }
  tl_diagram_let_go (&more);
  return d->status;
}

// Where edges inside of the component can be taken at all.
static void begin_hull (tl_diagram_product *p, uint32_t state) {
  const tl_automaton *a = p->automaton;
  for (uint32_t e = a->first[state]; e < a->first[state + 1]; e++)
    if (tl_edge_stays (a, state, e))
      tl_held_unite (diagram_of (p), p->hull + state, p->label[e].set);
}

// Leaves of the hull what goes on inside of it.  Has it changed?
static bool shrink (tl_diagram_product *p, uint32_t component) {
  const tl_automaton *a = p->automaton;
  tl_diagram *d = diagram_of (p);
  bool changed = false;
  for (uint32_t s = 0; s < a->states && !d->status; s++)
    if (a->component[s] == component) {
      lead (p, s, (choice){.stays = true}, p->hull[s].set, p->hull,
            p->fair + s);
      changed |= p->fair[s].set != p->hull[s].set;
      p->hull[s].set = p->fair[s].set;
    }
  return changed;
}

// Leaves of it what can take edges of the set inside of it.
static bool shrink_to_set (tl_diagram_product *p, uint32_t component,
                           uint32_t set) {
  const tl_automaton *a = p->automaton;
  const choice of_set = {.stays = true, .sets = (uint64_t)1 << set};
  bool changed = false;
  for (uint32_t s = 0; s < a->states; s++)
    if (a->component[s] == component)
      lead (p, s, of_set, p->hull[s].set, p->hull, p->fair + s);
  tl_diagram_product_grow (p, component, p->fair, p->hull);
  for (uint32_t s = 0; s < a->states; s++)
    if (a->component[s] == component) {
      changed |= p->fair[s].set != p->hull[s].set;
      p->hull[s].set = p->fair[s].set;
    }
  return changed;
}

static void find_hull (tl_diagram_product *p, uint32_t component) {
  const tl_automaton *a = p->automaton;
  const tl_component kind = a->kind[component];
  if (kind != TL_WEAK && kind != TL_STRONG)
    return;
  for (uint32_t s = 0; s < a->states; s++)
    if (a->component[s] == component)
      begin_hull (p, s);
  for (bool again = true; again && !diagram_of (p)->status;) {
    again = kind == TL_WEAK && shrink (p, component);
    for (uint32_t i = 0; kind == TL_STRONG && i < a->sets; i++)
      again |= shrink_to_set (p, component, i);
  }
}

static void find_from (tl_diagram_product *p, uint32_t component) {
  const tl_automaton *a = p->automaton;
  const bool terminal = a->kind[component] == TL_TERMINAL;
  const tl_set all = p->sets->reach->reached;
  for (uint32_t s = 0; s < a->states; s++)
    if (a->component[s] == component) {
      lead (p, s, (choice){.stays = false}, all, p->from, p->from + s);
      tl_held_unite (diagram_of (p), p->from + s,
                     terminal ? all : p->hull[s].set);
    }
  if (!terminal)
    tl_diagram_product_grow (p, component, p->from, 0);
}

tl_status tl_diagram_product_find (tl_diagram_product *p) {
  tl_diagram *d = diagram_of (p);
  for (uint32_t c = 0; c < p->automaton->components && !d->status; c++) {
    find_hull (p, c);
    find_from (p, c);
  }
  return d->status;
}
