#include "automaton/automaton_reduce.h"

#include "automaton/components.h"
#include "automaton/simulation.h"

// Joins two labels that differ in that one atom holds here and not there, if
// that is all the difference between the edges.
static bool join (tl_edge *e, const tl_edge *f) {
  const uint64_t atom = e->holds ^ f->holds;
  if (e->to != f->to || e->sets != f->sets || atom != (e->fails ^ f->fails) ||
      __builtin_popcountll (atom) != 1)
    return false;
  e->holds &= ~atom;
  e->fails &= ~atom;
  return true;
}

static bool join_some (tl_edge *edge, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = i + 1; k < count; k++)
      if (edge[i].to != TL_NO_STATE && join (edge + i, edge + k)) {
        edge[k].to = TL_NO_STATE;
        return true;
      }
  return false;
}

// What does not need to know of other states: dead ends, sets and labels.
static tl_status tidy (tl_automaton *a) {
  tl_components c;
  uint32_t *map;
  const uint32_t states = a->states;
  tl_status rc = tl_components_find (&c, a);
  if (rc)
    return rc;
  if (!TL_NEW (a->mem, map, states)) {
    tl_components_close (&c);
    return TL_E_NOMEM;
  }
  for (uint32_t s = 0; s < states; s++)
    map[s] = s;
  rc = tl_components_normalise (&c, a);
  if (!rc)
    rc = tl_components_trim (&c, a);
  for (uint32_t s = 0; !rc && s < states; s++)
    while (join_some (a->edge + a->first[s], a->first[s + 1] - a->first[s]))
      ;
  if (!rc)
    rc = tl_automaton_rebuild (a, map);
  TL_DEL (a->mem, map, states);
  tl_components_close (&c);
  return rc;
}

tl_status tl_automaton_reduce (tl_automaton *a) {
  tl_status rc = tidy (a);
  uint32_t states, edges, sets;
  do {
    states = a->states;
    edges = a->first[a->states];
    sets = a->sets;
    if (!rc)
      rc = tl_simulation_reduce (a);
    if (!rc)
      rc = tidy (a);
  } while (!rc && (a->states < states || a->first[a->states] < edges ||
                   a->sets < sets));
  return rc;
}
