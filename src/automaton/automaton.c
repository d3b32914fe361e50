#include "automaton/automaton.h"

#include "automaton/components.h"
#include "base/bits.h"

tl_status tl_automaton_add_state (tl_automaton *a) {
  if (!TL_ROOM (a->mem, a->first, &a->first_room, a->states + 2u) ||
      !TL_ROOM (a->mem, a->edge, &a->edge_room, 1)) // never null
    return TL_E_NOMEM;
  a->states++;
  a->first[a->states] = a->first[a->states - 1];
  return TL_OK;
}

tl_status tl_automaton_add_edge (tl_automaton *a, const tl_edge *e) {
  uint32_t *end = a->first + a->states;
  if (!TL_ROOM (a->mem, a->edge, &a->edge_room, *end + 1u))
    return TL_E_NOMEM;
  a->edge[(*end)++] = *e;
  return TL_OK;
}

void tl_automaton_close (tl_automaton *a) {
  TL_DEL (a->mem, a->first, a->first_room);
  TL_DEL (a->mem, a->edge, a->edge_room);
  TL_DEL (a->mem, a->reads, a->states);
  TL_DEL (a->mem, a->component, a->states);
  TL_DEL (a->mem, a->accepting, a->states);
  TL_DEL (a->mem, a->kind, a->components);
}

// ---- What is asked about one -----------------------------------------------

static bool is_wanted (const tl_automaton *a, uint32_t component, bool leaving,
                       const tl_edge *e) {
  const bool inside = a->component[e->to] == component;
  return leaving ? !inside : inside && e->sets;
}

const tl_edge *tl_automaton_any_edge (const tl_automaton *a, uint32_t component,
                                      bool leaving, tl_random *random) {
  const tl_edge *found = 0;
  uint64_t count = 0;
  for (uint32_t q = 0; q < a->states; q++)
    for (uint32_t e = a->first[q];
         a->component[q] == component && e < a->first[q + 1]; e++)
      if (is_wanted (a, component, leaving, a->edge + e) &&
          !tl_random_below (random, ++count))
        found = a->edge + e;
  return found;
}

// ---- Rebuilding ------------------------------------------------------------

// Adds an edge to the newest state, unless another one allows as much.
static tl_status add_new (tl_automaton *a, const tl_edge *e) {
  const uint32_t begin = a->first[a->states - 1];
  uint32_t *end = a->first + a->states;
  for (uint32_t i = begin; i < *end; i++)
    if (a->edge[i].to == e->to && tl_edge_covers (a->edge + i, e))
      return TL_OK;
  uint32_t n = begin;
  for (uint32_t i = begin; i < *end; i++)
    if (a->edge[i].to != e->to || !tl_edge_covers (e, a->edge + i))
      a->edge[n++] = a->edge[i];
  *end = n;
  return tl_automaton_add_edge (a, e);
}

typedef struct renumbering {
  const uint32_t *map;
  uint32_t *number; // of the old states, + 1; 0: not reached so far
  uint32_t *old;    // of the new states
  uint32_t count;
} renumbering;

static uint32_t renumber (renumbering *r, uint32_t state) {
  state = r->map[state];
  if (!r->number[state]) {
    r->old[r->count++] = state;
    r->number[state] = r->count;
  }
  return r->number[state] - 1;
}

static tl_status copy_reached (tl_automaton *to, const tl_automaton *from,
                               renumbering *r) {
  tl_status rc = TL_OK;
  renumber (r, 0);
  for (uint32_t s = 0; !rc && s < r->count; s++) {
    rc = tl_automaton_add_state (to);
    const uint32_t old = r->old[s];
    for (uint32_t i = from->first[old]; !rc && i < from->first[old + 1]; i++) {
      tl_edge e = from->edge[i];
      if (e.to == TL_NO_STATE)
        continue;
      e.to = renumber (r, e.to);
      rc = add_new (to, &e);
    }
  }
  return rc;
}

tl_status tl_automaton_rebuild (tl_automaton *a, const uint32_t *map) {
  tl_automaton out = {.mem = a->mem, .sets = a->sets, .by_state = a->by_state};
  renumbering r = {.map = map};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (a->mem, r.number, a->states) && TL_NEW (a->mem, r.old, a->states))
    rc = copy_reached (&out, a, &r);
  TL_DEL (a->mem, r.number, a->states);
  TL_DEL (a->mem, r.old, a->states);
  if (rc) {
    tl_automaton_close (&out);
    return rc;
  }
  tl_automaton_close (a);
  *a = out;
  return TL_OK;
}

// ---- What is told about an automaton ---------------------------------------

// A component that accepts what stays in it accepts everything, if every state
// can go on in it whatever is read.
static void find_terminal (tl_automaton *a, bool *goes_on) {
  for (uint32_t s = 0; s < a->states; s++)
    for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++) {
      const tl_edge *e = a->edge + i;
      a->reads[s] |= e->holds | e->fails;
      goes_on[s] |=
          !e->holds && !e->fails && a->component[e->to] == a->component[s];
    }
  for (uint32_t c = 0; c < a->components; c++)
    if (a->kind[c] == TL_WEAK)
      a->kind[c] = TL_TERMINAL;
  for (uint32_t s = 0; s < a->states; s++)
    if (a->kind[a->component[s]] == TL_TERMINAL && !goes_on[s])
      a->kind[a->component[s]] = TL_WEAK;
}

// By how many edges a terminal component can be reached, or with one more any
// other in which runs are accepted.
static void find_distances (const tl_automaton *a, uint32_t *distance) {
  static const uint32_t first[] = {[TL_TERMINAL] = 0,
                                   [TL_WEAK] = 1,
                                   [TL_STRONG] = 1,
                                   [TL_REJECTING] = UINT32_MAX};
  bool changed = true;
  for (uint32_t s = 0; s < a->states; s++)
    distance[s] = first[a->kind[a->component[s]]];
  while (changed) {
    changed = false;
    for (uint32_t s = 0; s < a->states; s++)
      for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++) {
        const uint32_t there = distance[a->edge[i].to];
        if (there == UINT32_MAX || there + 1 >= distance[s])
          continue;
        distance[s] = there + 1;
        changed = true;
      }
  }
}

static void sort_edges (tl_automaton *a, const uint32_t *distance) {
  for (uint32_t s = 0; s < a->states; s++)
    for (uint32_t i = a->first[s] + 1; i < a->first[s + 1]; i++) {
      const tl_edge e = a->edge[i];
      uint32_t k = i;
      for (; k > a->first[s] && distance[a->edge[k - 1].to] > distance[e.to];
           k--)
        a->edge[k] = a->edge[k - 1];
      a->edge[k] = e;
    }
}

// A search takes the first edge first: those that lead to where all is accepted
// by the shortest way.  Else it would wait for a later state, again and again,
// though the run that is looked for ends here.
static tl_status order_edges (tl_automaton *a) {
  uint32_t *distance;
  if (!TL_NEW (a->mem, distance, a->states))
    return TL_E_NOMEM;
  find_distances (a, distance);
  sort_edges (a, distance);
  TL_DEL (a->mem, distance, a->states);
  return TL_OK;
}

tl_status tl_automaton_finish (tl_automaton *a) {
  tl_components c;
  bool *goes_on;
  tl_status rc = tl_components_find (&c, a);
  if (rc)
    return rc;
  if (!TL_NEW (a->mem, goes_on, a->states) ||
      !TL_NEW (a->mem, a->reads, a->states) ||
      !TL_NEW (a->mem, a->accepting, a->states))
    rc = TL_E_NOMEM;
  else {
    a->component = c.component;
    a->components = c.count;
    a->kind = c.kind;
    c.component = 0;
    c.kind = 0;
    find_terminal (a, goes_on);
    for (uint32_t i = 0; i < a->components; i++)
      a->worst = a->kind[i] > a->worst ? a->kind[i] : a->worst;
    for (uint32_t s = 0; a->by_state && s < a->states; s++)
      a->accepting[s] =
          a->first[s] < a->first[s + 1] && (a->edge[a->first[s]].sets & 1);
    rc = order_edges (a);
  }
  TL_DEL (a->mem, goes_on, a->states);
  tl_components_close (&c);
  return rc;
}
