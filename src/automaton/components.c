#include "automaton/components.h"

#include "base/bits.h"

// ---- Tarjan's algorithm ----------------------------------------------------

typedef struct search {
  const tl_automaton *a;
  uint64_t skip;         // edges in any of these sets are not there
  uint32_t *component;   // TL_NO_STATE: not decided
  uint32_t *order;       // states, by component; may be null
  uint32_t *number;      // in the order of the visits; 0: not visited
  uint32_t *low;         // the smallest number known to be reached
  uint32_t *next;        // edge to look at
  uint32_t *path, *open; // stacks of states: to return to, and not decided
  uint32_t on_path, opened, visited, decided, count;
} search;

static void enter (search *x, uint32_t s) {
  x->number[s] = x->low[s] = ++x->visited;
  x->next[s] = x->a->first[s];
  x->path[x->on_path++] = s;
  x->open[x->opened++] = s;
}

static void leave (search *x) {
  const uint32_t s = x->path[--x->on_path];
  if (x->low[s] == x->number[s]) {
    uint32_t t;
    do {
      t = x->open[--x->opened];
      x->component[t] = x->count;
      if (x->order)
        x->order[x->decided++] = t;
    } while (t != s);
    x->count++;
  } else {
    const uint32_t before = x->path[x->on_path - 1];
    if (x->low[s] < x->low[before])
      x->low[before] = x->low[s];
  }
}

static void visit (search *x, uint32_t root) {
  const tl_automaton *a = x->a;
  enter (x, root);
  while (x->on_path) {
    const uint32_t s = x->path[x->on_path - 1];
    if (x->next[s] == a->first[s + 1]) {
      leave (x);
      continue;
    }
    const tl_edge *e = a->edge + x->next[s]++;
    if (e->sets & x->skip)
      continue;
    if (!x->number[e->to])
      enter (x, e->to);
    else if (x->component[e->to] == TL_NO_STATE && x->low[e->to] < x->low[s])
      x->low[s] = x->low[e->to];
  }
}

// Components when the edges in the sets of `skip` are left out.
static tl_status find (const tl_automaton *a, uint64_t skip,
                       uint32_t *component, uint32_t *order, uint32_t *count) {
  uint32_t *room;
  const size_t n = a->states;
  if (!TL_NEW (a->mem, room, 5 * n))
    return TL_E_NOMEM;
  search x = {.a = a,
              .skip = skip,
              .component = component,
              .order = order,
              .number = room,
              .low = room + n,
              .next = room + 2 * n,
              .path = room + 3 * n,
              .open = room + 4 * n};
  for (uint32_t s = 0; s < n; s++)
    component[s] = TL_NO_STATE;
  for (uint32_t s = 0; s < n; s++)
    if (!x.number[s])
      visit (&x, s);
  *count = x.count;
  TL_DEL (a->mem, room, 5 * n);
  return TL_OK;
}

// ---- Kinds of components ---------------------------------------------------

// Is the edge of state s within a component?
static bool inside (const uint32_t *component, uint32_t s, const tl_edge *e) {
  return component[s] == component[e->to];
}

// Components where a cycle avoids one of the sets are STRONG.
static tl_status find_strong (tl_components *c, const tl_automaton *a) {
  uint32_t *part, parts;
  tl_status rc = TL_OK;
  if (!TL_NEW (a->mem, part, a->states))
    return TL_E_NOMEM;
  for (uint32_t set = 0; !rc && set < a->sets; set++) {
    const uint64_t skip = (uint64_t)1 << set;
    rc = find (a, skip, part, 0, &parts);
    for (uint32_t s = 0; !rc && s < a->states; s++)
      for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
        if (!(a->edge[i].sets & skip) && inside (part, s, a->edge + i) &&
            c->kind[c->component[s]] == TL_WEAK)
          c->kind[c->component[s]] = TL_STRONG;
  }
  TL_DEL (a->mem, part, a->states);
  return rc;
}

static tl_status find_kinds (tl_components *c, const tl_automaton *a) {
  uint64_t *seen; // sets met in the component
  bool *cycle;
  tl_status rc = TL_E_NOMEM;
  TL_NEW (a->mem, cycle, c->count);
  if (cycle && TL_NEW (a->mem, seen, c->count)) {
    for (uint32_t s = 0; s < a->states; s++)
      for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
        if (inside (c->component, s, a->edge + i)) {
          seen[c->component[s]] |= a->edge[i].sets;
          cycle[c->component[s]] = true;
        }
    for (uint32_t k = 0; k < c->count; k++)
      c->kind[k] =
          cycle[k] && seen[k] == tl_low_bits (a->sets) ? TL_WEAK : TL_REJECTING;
    TL_DEL (a->mem, seen, c->count);
    rc = find_strong (c, a);
  }
  TL_DEL (a->mem, cycle, c->count);
  return rc;
}

tl_status tl_components_find (tl_components *c, const tl_automaton *a) {
  *c = (tl_components){.mem = a->mem, .states = a->states};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (a->mem, c->component, a->states) &&
      TL_NEW (a->mem, c->order, a->states))
    rc = find (a, 0, c->component, c->order, &c->count);
  if (!rc)
    rc = TL_NEW (a->mem, c->kind, c->count) ? find_kinds (c, a) : TL_E_NOMEM;
  if (rc)
    tl_components_close (c);
  return rc;
}

void tl_components_close (tl_components *c) {
  TL_DEL (c->mem, c->component, c->states);
  TL_DEL (c->mem, c->order, c->states);
  TL_DEL (c->mem, c->kind, c->count);
}

// ---- Simpler automata ------------------------------------------------------

tl_status tl_components_trim (const tl_components *c, tl_automaton *a) {
  bool *useful; // by component
  if (!TL_NEW (a->mem, useful, c->count))
    return TL_E_NOMEM;
  for (uint32_t n = 0; n < a->states; n++) {
    const uint32_t s = c->order[n], k = c->component[s];
    useful[k] |= c->kind[k] != TL_REJECTING;
    for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
      useful[k] |= useful[c->component[a->edge[i].to]];
  }
  for (uint32_t i = 0; i < a->first[a->states]; i++)
    if (!useful[c->component[a->edge[i].to]])
      a->edge[i].to = TL_NO_STATE;
  TL_DEL (a->mem, useful, c->count);
  return TL_OK;
}

// Which sets a component needs, if within[i] are the sets that have all the
// edges of set i: none that has all the edges of another one.
static uint64_t needed (uint64_t sets, const uint64_t *within) {
  uint64_t keep = sets;
  for (uint64_t rest = sets; rest; rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctzll (rest);
    for (uint64_t more = within[i] & sets & ~((uint64_t)1 << i); more;
         more &= more - 1) {
      const unsigned k = (unsigned)__builtin_ctzll (more);
      if (i < k || !(within[k] >> i & 1))
        keep &= ~((uint64_t)1 << k);
    }
  }
  return keep;
}

// Writes for each component the sets it needs.
static void find_needed (const tl_components *c, const tl_automaton *a,
                         uint64_t *keep, uint64_t *within) {
  for (size_t i = 0; i < (size_t)c->count * a->sets; i++)
    within[i] = ~(uint64_t)0;
  for (uint32_t s = 0; s < a->states; s++)
    for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++) {
      const tl_edge *e = a->edge + i;
      const uint32_t k = c->component[s];
      if (c->kind[k] != TL_STRONG || !inside (c->component, s, e))
        continue;
      keep[k] |= ~e->sets & tl_low_bits (a->sets); // not all edges are in it
      for (uint64_t rest = e->sets; rest; rest &= rest - 1)
        within[(size_t)k * a->sets + (unsigned)__builtin_ctzll (rest)] &=
            e->sets;
    }
  for (uint32_t k = 0; k < c->count; k++)
    keep[k] = needed (keep[k], within + (size_t)k * a->sets);
}

// How many sets there have to be.  A cycle that is not accepting needs one to
// stay out of.
static uint32_t count_needed (const tl_components *c, const tl_automaton *a,
                              const uint64_t *keep) {
  uint32_t most = 0;
  for (uint32_t s = 0; s < a->states; s++) {
    const uint32_t k = c->component[s];
    const uint32_t count = (uint32_t)__builtin_popcountll (keep[k]);
    most = count > most ? count : most;
    for (uint32_t i = a->first[s]; !most && i < a->first[s + 1]; i++)
      most =
          c->kind[k] == TL_REJECTING && inside (c->component, s, a->edge + i);
  }
  return most;
}

// The sets that a component needs become its first ones, and it is as if all
// its edges were in the others.
static void renumber_sets (const tl_components *c, tl_automaton *a,
                           const uint64_t *keep) {
  const uint32_t most = count_needed (c, a, keep);
  a->sets = most;
  for (uint32_t s = 0; s < a->states; s++)
    for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++) {
      tl_edge *e = a->edge + i;
      const uint32_t k = c->component[s];
      if (c->kind[k] == TL_REJECTING || !inside (c->component, s, e))
        e->sets = 0;
      else
        e->sets = (tl_gather (e->sets, keep[k]) |
                   ~tl_low_bits ((unsigned)__builtin_popcountll (keep[k]))) &
                  tl_low_bits (most);
    }
}

// The same for accepting states: all edges of a state are treated alike.
static void normalise_states (const tl_components *c, tl_automaton *a) {
  for (uint32_t s = 0; s < a->states; s++)
    for (uint32_t i = a->first[s]; i < a->first[s + 1]; i++)
      if (c->kind[c->component[s]] != TL_STRONG)
        a->edge[i].sets = c->kind[c->component[s]] == TL_WEAK;
}

tl_status tl_components_normalise (const tl_components *c, tl_automaton *a) {
  if (a->by_state) {
    normalise_states (c, a);
    return TL_OK;
  }
  uint64_t *keep, *within;
  const size_t count = (size_t)c->count * a->sets;
  if (!TL_NEW (a->mem, keep, c->count))
    return TL_E_NOMEM;
  const bool room = TL_NEW (a->mem, within, count);
  if (room) {
    find_needed (c, a, keep, within);
    renumber_sets (c, a, keep);
    TL_DEL (a->mem, within, count);
  }
  TL_DEL (a->mem, keep, c->count);
  return room ? TL_OK : TL_E_NOMEM;
}
