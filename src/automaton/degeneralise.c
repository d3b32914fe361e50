#include "automaton/automaton_reduce.h"

#include "automaton/buchi.h"
#include "automaton/components.h"
#include "base/bits.h"

// A state of the result is a state and a level: how many of the sets were seen
// since the last time that all of them were.  On the highest level the state is
// accepting and the count begins again.
typedef struct copy {
  uint32_t state, level;
} copy;

typedef struct maker {
  const tl_automaton *from;
  tl_automaton *out;
  const tl_components *components;
  copy *made; // by state of the result
  size_t made_room;
  uint32_t count;
  uint32_t *number; // + 1, by state and level
} maker;

static tl_status number_of (maker *m, copy c, uint32_t *number) {
  uint32_t *known = m->number + (size_t)c.state * (m->from->sets + 1) + c.level;
  if (!*known) {
    if (m->count == TL_BUCHI_STATES)
      return TL_E_LIMIT;
    if (!TL_ROOM (m->out->mem, m->made, &m->made_room, m->count + 1u))
      return TL_E_NOMEM;
    m->made[m->count] = c;
    *known = ++m->count;
  }
  *number = *known - 1;
  return TL_OK;
}

// The level to begin with in the component of a state: where every edge is in
// every set, one level is enough.
static uint32_t entry (const maker *m, uint32_t state) {
  return m->components->kind[m->components->component[state]] == TL_WEAK
             ? m->from->sets
             : 0;
}

static uint32_t next_level (const maker *m, const copy *c, const tl_edge *e) {
  const uint32_t *component = m->components->component, sets = m->from->sets;
  if (component[c->state] != component[e->to])
    return entry (m, e->to);
  uint32_t level = c->level == sets ? 0 : c->level;
  while (level < sets && e->sets >> level & 1)
    level++;
  return level;
}

static tl_status make (maker *m) {
  const tl_automaton *a = m->from;
  uint32_t number;
  tl_status rc = number_of (m, (copy){0, entry (m, 0)}, &number);
  for (uint32_t n = 0; !rc && n < m->count; n++) {
    const copy c = m->made[n];
    rc = tl_automaton_add_state (m->out);
    for (uint32_t i = a->first[c.state]; !rc && i < a->first[c.state + 1];
         i++) {
      tl_edge e = a->edge[i];
      rc = number_of (m, (copy){e.to, next_level (m, &c, &e)}, &e.to);
      e.sets = c.level == a->sets;
      if (!rc)
        rc = tl_automaton_add_edge (m->out, &e);
    }
  }
  return rc;
}

tl_status tl_automaton_degeneralise (const tl_automaton *a, tl_automaton *out) {
  tl_components c;
  tl_status rc = tl_components_find (&c, a);
  if (rc)
    return rc;
  maker m = {.from = a, .out = out, .components = &c};
  const size_t numbers = (size_t)a->states * (a->sets + 1);
  out->sets = 1;
  out->by_state = true;
  rc = TL_NEW (out->mem, m.number, numbers) ? make (&m) : TL_E_NOMEM;
  TL_DEL (out->mem, m.number, numbers);
  TL_DEL (out->mem, m.made, m.made_room);
  tl_components_close (&c);
  return rc;
}
