#include "automaton/simulation.h"

#include <string.h>

// A round compares each edge with each; this many comparisons are worth it.
#define MOST_EDGES 4096u
#define EFFORT ((uint64_t)1 << 26)

typedef struct relation {
  tl_automaton *a;
  const uint32_t *component; // null: components do not matter
  bool *simulates;           // [s * states + t]: t simulates s
  uint64_t effort;
} relation;

static bool *at (const relation *r, uint32_t s, uint32_t t) {
  return r->simulates + (size_t)s * r->a->states + t;
}

static bool leaves (const relation *r, uint32_t s, const tl_edge *e) {
  return r->component && r->component[e->to] != r->component[s];
}

// Has t an edge for this one of s?
static bool matched (const relation *r, uint32_t s, const tl_edge *e,
                     uint32_t t) {
  const tl_automaton *a = r->a;
  tl_edge want = *e;
  if (leaves (r, s, e))
    want.sets = 0;
  for (uint32_t i = a->first[t]; i < a->first[t + 1]; i++) {
    tl_edge have = a->edge[i];
    if (leaves (r, t, &have))
      have.sets = want.sets;
    if (tl_edge_covers (&have, &want) && *at (r, e->to, have.to))
      return true;
  }
  return false;
}

// The largest simulation; false when it takes too long.
static bool simulate (relation *r) {
  const tl_automaton *a = r->a;
  const size_t size = (size_t)a->states * a->states;
  memset (r->simulates, 1, size * sizeof *r->simulates);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t s = 0; s < a->states; s++)
      for (uint32_t t = 0; t < a->states; t++) {
        const uint64_t pairs = (uint64_t)(a->first[s + 1] - a->first[s]) *
                                   (a->first[t + 1] - a->first[t]) +
                               1;
        if (s == t || !*at (r, s, t))
          continue;
        if (r->effort < pairs)
          return false;
        r->effort -= pairs;
        for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
          if (!matched (r, s, a->edge + i, t)) {
            *at (r, s, t) = false;
            changed = true;
            break;
          }
      }
  }
  return true;
}

// May edge e of state s go because f stays?
static bool dispensable (const relation *r, uint32_t s, const tl_edge *e,
                         const tl_edge *f) {
  tl_edge have = *f;
  if (r->component) {
    if (!leaves (r, s, f))
      return false;
    have.sets = e->sets;
  }
  return tl_edge_covers (&have, e) && *at (r, e->to, f->to);
}

static void drop_edges (const relation *r) {
  tl_automaton *a = r->a;
  for (uint32_t s = 0; s < a->states; s++)
    for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
      for (uint32_t k = a->first[s]; k < a->first[s + 1]; k++)
        if (i != k && a->edge[k].to != TL_NO_STATE &&
            dispensable (r, s, a->edge + i, a->edge + k)) {
          a->edge[i].to = TL_NO_STATE;
          break;
        }
}

// Of states that simulate each other the first takes the place of all; or,
// where components matter, the first in the lowest component, of those in other
// components.
static void map_states (const relation *r, uint32_t *map) {
  const uint32_t *c = r->component;
  for (uint32_t s = 0; s < r->a->states; s++) {
    uint32_t best = s;
    for (uint32_t t = 0; t < r->a->states; t++)
      if (*at (r, s, t) && *at (r, t, s) &&
          (c ? c[t] < c[best] || (c[t] == c[best] && c[t] != c[s] && t < best)
             : t < best))
        best = t;
    map[s] = best;
  }
}

static tl_status reduce (tl_automaton *a, const uint32_t *component) {
  const size_t states = a->states, size = states * states;
  relation r = {.a = a, .component = component, .effort = EFFORT};
  uint32_t *map;
  if (!TL_NEW (a->mem, map, states))
    return TL_E_NOMEM;
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (a->mem, r.simulates, size)) {
    rc = TL_OK;
    if (simulate (&r)) {
      map_states (&r, map);
      drop_edges (&r);
      rc = tl_automaton_rebuild (a, map);
    }
    TL_DEL (a->mem, r.simulates, size);
  }
  TL_DEL (a->mem, map, states);
  return rc;
}

tl_status tl_simulation_reduce (tl_automaton *a) {
  if (a->first[a->states] > MOST_EDGES || a->states > MOST_EDGES)
    return TL_OK;
  tl_components c;
  tl_status rc = reduce (a, 0);
  if (rc || (rc = tl_components_find (&c, a)))
    return rc;
  rc = reduce (a, c.component);
  tl_components_close (&c);
  return rc;
}
