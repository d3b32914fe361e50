#include "automaton/general.h"

#include "automaton/alternating.h"
#include "automaton/buchi.h"
#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

#define EFFORT ((uint64_t)1 << 27)

// An edge while its sets are being found.
typedef struct step {
  tl_move move;
  uint64_t unmet; // the sets that it is not in
} step;

typedef struct builder {
  tl_alternating alternating;
  tl_automaton *out;
  tl_mem *mem;
  tl_team *team; // of a state; not for state 0, if several sets are initial
  size_t team_room;
  uint32_t *same; // a state with the same edges
  size_t same_room;
  uint32_t teams;
  uint32_t *slot; // hash tables of states + 1: by set, and by edges
  uint32_t *slot_by_edges;
  size_t slots;
  step *step; // the edges of the state at hand
  size_t steps, step_room;
  uint8_t set_of[TL_ALTERNATING_STATES]; // + 1, of a U that is unmet somewhere
  uint32_t sets;
} builder;

static tl_status spend (builder *b, uint64_t steps) {
  if (b->alternating.effort <= steps)
    return TL_E_LIMIT;
  b->alternating.effort -= steps;
  return TL_OK;
}

// ---- Edges -----------------------------------------------------------------

// Could state u, which goes on, have been finished by this move?
static bool could_finish (const tl_alternating *a, uint32_t u,
                          const tl_move *m) {
  const tl_moves *moves = a->moves + u;
  for (size_t i = 0; i < moves->count; i++) {
    const tl_move *n = moves->move + i;
    if (!(n->holds & ~m->holds) && !(n->fails & ~m->fails) &&
        !tl_team_has (&n->to, u) && tl_team_within (&n->to, &m->to))
      return true;
  }
  return false;
}

static tl_status find_unmet (builder *b, step *s) {
  tl_alternating *a = &b->alternating;
  for (uint32_t u = tl_team_next (&s->move.to, 0); u < TL_ALTERNATING_STATES;
       u = tl_team_next (&s->move.to, u + 1)) {
    tl_status rc;
    if (!tl_alternating_is_until (a, u))
      continue;
    if ((rc = tl_alternating_ready (a, u)) ||
        (rc = spend (b, a->moves[u].count)))
      return rc;
    if (could_finish (a, u, &s->move))
      continue;
    if (!b->set_of[u]) {
      if (b->sets == TL_BUCHI_SETS)
        return TL_E_LIMIT;
      b->set_of[u] = (uint8_t)++b->sets;
    }
    s->unmet |= (uint64_t)1 << (b->set_of[u] - 1);
  }
  return TL_OK;
}

// Whatever is accepted after l is accepted after r.
static bool follows (const step *l, const step *r) {
  return !(r->move.holds & ~l->move.holds) &&
         !(r->move.fails & ~l->move.fails) && !(r->unmet & ~l->unmet) &&
         tl_team_within (&r->move.to, &l->move.to);
}

static tl_status add_step (builder *b, const tl_move *m) {
  step s = {.move = *m};
  tl_status rc = spend (b, b->steps + 1);
  if (rc || (rc = find_unmet (b, &s)))
    return rc;
  for (size_t i = 0; i < b->steps; i++)
    if (follows (&s, b->step + i))
      return TL_OK;
  size_t n = 0;
  for (size_t i = 0; i < b->steps; i++)
    if (!follows (b->step + i, &s))
      b->step[n++] = b->step[i];
  b->steps = n;
  if (!TL_ROOM (b->mem, b->step, &b->step_room, n + 1))
    return TL_E_NOMEM;
  b->step[b->steps++] = s;
  return TL_OK;
}

// Adds the edges that do `m` and a move of each member of the set from state
// `from` on.
static tl_status add_steps (builder *b, const tl_team *team, uint32_t from,
                            const tl_move *m) {
  tl_alternating *a = &b->alternating;
  const uint32_t s = tl_team_next (team, from);
  if (s == TL_ALTERNATING_STATES)
    return add_step (b, m);
  tl_status rc = tl_alternating_ready (a, s);
  const tl_moves *moves = a->moves + s;
  if (!rc)
    rc = spend (b, moves->count);
  for (size_t i = 0; !rc && i < moves->count; i++) {
    tl_move both = *m;
    both.holds |= moves->move[i].holds;
    both.fails |= moves->move[i].fails;
    if (both.holds & both.fails)
      continue;
    tl_team_add (&both.to, &moves->move[i].to);
    rc = add_steps (b, team, s + 1, &both);
  }
  return rc;
}

// ---- States ----------------------------------------------------------------

static uint64_t hash_team (const tl_team *t) {
  uint64_t h = 0;
  for (unsigned i = 0; i < TL_TEAM_WORDS; i++)
    h = tl_mix (h ^ t->word[i]);
  return h;
}

// The number of the state of a set, a new one if need be.
static tl_status find_state (builder *b, const tl_team *team,
                             uint32_t *number) {
  size_t i = tl_range (hash_team (team), b->slots);
  for (; b->slot[i]; i = i + 1 == b->slots ? 0 : i + 1)
    if (!memcmp (b->team + b->slot[i] - 1, team, sizeof *team)) {
      *number = b->slot[i] - 1;
      return TL_OK;
    }
  if (b->teams == TL_BUCHI_STATES)
    return TL_E_LIMIT;
  if (!TL_ROOM (b->mem, b->team, &b->team_room, b->teams + 1u) ||
      !TL_ROOM (b->mem, b->same, &b->same_room, b->teams + 1u))
    return TL_E_NOMEM;
  b->team[b->teams] = *team;
  b->same[b->teams] = b->teams;
  *number = b->teams;
  b->slot[i] = ++b->teams;
  return TL_OK;
}

static int by_edge (const void *left, const void *right) {
  const tl_edge *l = left, *r = right;
  if (l->to != r->to)
    return l->to < r->to ? -1 : 1;
  if (l->holds != r->holds)
    return l->holds < r->holds ? -1 : 1;
  if (l->fails != r->fails)
    return l->fails < r->fails ? -1 : 1;
  return (l->sets > r->sets) - (l->sets < r->sets);
}

// Finds an earlier state with the same edges as the last one.
static void find_same (builder *b) {
  const tl_automaton *a = b->out;
  const uint32_t state = a->states - 1;
  tl_edge *edge = a->edge + a->first[state];
  const uint32_t count = a->first[state + 1] - a->first[state];
  qsort (edge, count, sizeof *edge, by_edge);
  uint64_t h = count;
  for (uint32_t i = 0; i < count; i++)
    h = tl_mix (h ^ edge[i].to) ^ tl_mix (edge[i].holds) ^
        tl_mix (~edge[i].fails) ^ edge[i].sets;
  size_t i = tl_range (tl_mix (h), b->slots);
  for (; b->slot_by_edges[i]; i = i + 1 == b->slots ? 0 : i + 1) {
    const uint32_t other = b->slot_by_edges[i] - 1;
    const tl_edge *theirs = a->edge + a->first[other];
    uint32_t k = 0;
    if (a->first[other + 1] - a->first[other] != count)
      continue;
    while (k < count && !by_edge (edge + k, theirs + k))
      k++;
    if (k == count) {
      b->same[state] = other;
      return;
    }
  }
  b->slot_by_edges[i] = state + 1;
}

// Ends the state at hand.  Its edges are given the sets they are not in, as
// there may be more sets to come.
static tl_status end_state (builder *b) {
  tl_status rc = tl_automaton_add_state (b->out);
  for (size_t i = 0; !rc && i < b->steps; i++) {
    const step *s = b->step + i;
    tl_edge e = {
        .holds = s->move.holds, .fails = s->move.fails, .sets = s->unmet};
    if (!(rc = find_state (b, &s->move.to, &e.to)))
      rc = tl_automaton_add_edge (b->out, &e);
  }
  b->steps = 0;
  if (!rc)
    find_same (b);
  return rc;
}

static tl_status build (builder *b, tl_path f) {
  tl_moves initial = {0};
  uint32_t number;
  tl_status rc = tl_alternating_initial (&b->alternating, f, &initial);
  if (!rc && initial.count == 1)
    rc = find_state (b, &initial.move[0].to, &number);
  else if (!rc) { // a state of its own, with a set that no other has
    tl_team all;
    memset (&all, -1, sizeof all);
    rc = find_state (b, &all, &number);
  }
  for (size_t i = 0; !rc && i < initial.count; i++)
    rc = add_steps (b, &initial.move[i].to, 0, &(tl_move){0});
  if (!rc)
    rc = end_state (b);
  tl_moves_close (b->mem, &initial);
  while (!rc && b->out->states < b->teams) {
    const tl_team team = b->team[b->out->states];
    if (!(rc = add_steps (b, &team, 0, &(tl_move){0})))
      rc = end_state (b);
  }
  return rc;
}

tl_status tl_general_build (tl_automaton *out, tl_paths *paths, tl_path f) {
  builder *b;
  tl_mem *mem = paths->mem;
  if (!TL_NEW (mem, b, 1))
    return TL_E_NOMEM;
  b->mem = mem;
  b->out = out;
  b->slots = 2 * TL_BUCHI_STATES;
  tl_alternating_open (&b->alternating, paths, EFFORT);
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, b->slot, b->slots) &&
      TL_NEW (mem, b->slot_by_edges, b->slots))
    rc = build (b, f);
  out->sets = b->sets;
  for (uint32_t e = 0; !rc && e < out->first[out->states]; e++) {
    out->edge[e].to = b->same[out->edge[e].to];
    out->edge[e].sets = ~out->edge[e].sets & tl_low_bits (b->sets);
  }
  tl_alternating_close (&b->alternating);
  TL_DEL (mem, b->team, b->team_room);
  TL_DEL (mem, b->same, b->same_room);
  TL_DEL (mem, b->slot, b->slots);
  TL_DEL (mem, b->slot_by_edges, b->slots);
  TL_DEL (mem, b->step, b->step_room);
  TL_DEL (mem, b, 1);
  return rc;
}
