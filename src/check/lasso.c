#include "check/lasso.h"

#include "check/leader.h"
#include "logic/simplify.h"

typedef struct lasso {
  tl_leader leader;
  tl_arena arena;
  tl_space *space;
  uint64_t *home; // [places]
  // Atoms of the automaton, and their opposites.
  uint32_t atoms;
  tl_formula *is[TL_BUCHI_ATOMS], *is_not[TL_BUCHI_ATOMS];
} lasso;

static void unpack (lasso *l, uint64_t state, uint64_t *marking) {
  const tl_layout *layout = &l->space->search->layout;
  tl_space_load (l->space, state);
  for (uint32_t p = 0; p < l->leader.net->places; p++)
    marking[p] = tl_layout_tokens (layout, l->space->worker.state, p);
}

static void look_from (lasso *l, uint64_t state) {
  unpack (l, state, l->leader.marking);
  l->leader.enabled = l->space->worker.enabled;
  l->leader.count = l->space->worker.count;
}

static bool plan (void *context, uint64_t state, const tl_edge *e,
                  uint64_t home, const uint8_t *avoid, uint64_t *times) {
  lasso *l = context;
  tl_formula *all[2 * TL_BUCHI_ATOMS];
  uint32_t count = 0;
  if (!e)
    unpack (l, home, l->home);
  look_from (l, state);
  l->leader.avoid = avoid;
  if (!e)
    return tl_leader_return (&l->leader, l->home, 0, times);
  for (uint32_t i = 0; i < l->atoms; i++) {
    if (e->holds >> i & 1)
      all[count++] = l->is[i];
    if (e->fails >> i & 1)
      all[count++] = l->is_not[i];
  }
  return tl_leader_plan_all (&l->leader, all, count, times);
}

static bool detour (void *context, uint64_t state, uint64_t *times) {
  lasso *l = context;
  bool left;
  look_from (l, state);
  return tl_leader_detour (&l->leader, times, &left);
}

// TL_E_LIMIT: an atom is no state formula.
static tl_status take_atoms (lasso *l, const tl_sat *sat) {
  l->atoms = sat->parts;
  for (uint32_t i = 0; i < sat->parts; i++) {
    tl_formula *atom = (tl_formula *)(uintptr_t)sat->part[i]->formula;
    if (sat->part[i]->kind != TL_SAT_LABEL)
      return TL_E_LIMIT;
    l->is[i] = tl_formula_simplify (&l->arena, atom);
    l->is_not[i] = tl_formula_negate (&l->arena, atom);
    if (!l->is[i] || !l->is_not[i])
      return TL_E_NOMEM;
  }
  return TL_OK;
}

tl_status tl_lasso_walk (tl_local *local, uint64_t seed, bool *holds,
                         tl_run *run) {
  tl_space *space = local->space;
  const tl_net *net = space->search->net;
  if (!tl_sat_is_linear (local->sat) || !tl_net_has_arcs (net))
    return TL_E_LIMIT;
  lasso l = {.arena = TL_ARENA (space->mem), .space = space};
  const tl_product_lead lead = {&l, seed, plan, detour};
  tl_status rc = tl_leader_open (&l.leader, space->mem, net, seed);
  if (!rc)
    rc = TL_NEW (space->mem, l.home, net->places) ? take_atoms (&l, local->sat)
                                                  : TL_E_NOMEM;
  if (!rc)
    rc = tl_local_walk_led (local, &lead, holds, run);
  TL_DEL (space->mem, l.home, net->places);
  tl_leader_close (&l.leader);
  tl_arena_close (&l.arena);
  return rc;
}
