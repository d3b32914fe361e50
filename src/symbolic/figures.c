#include "symbolic/figures.h"

#include "base/budget.h"

// ---- Listing ---------------------------------------------------------------

static tl_status append (tl_listing *l, tl_set set) {
  tl_set_node *n = tl_diagram_node (l->d, set);
  if (n->marked)
    return TL_OK;
  if (!TL_ROOM (l->mem, l->node, &l->room, l->count + 1))
    return TL_E_NOMEM;
  n->marked = true;
  n->number = (uint32_t)l->count;
  l->node[l->count++] = set;
  return TL_OK;
}

static tl_status list_nodes (tl_listing *l, tl_set root) {
  tl_status rc = root > TL_ALL_SET ? append (l, root) : TL_OK;
  size_t i = 0;
  for (uint32_t level = l->levels; level > 1 && !rc; level--) {
    l->start[level - 1] = l->count;
    for (const size_t end = l->count; i < end && !rc; i++) {
      const tl_set_node *n = tl_diagram_node (l->d, l->node[i]);
      for (uint32_t k = 0; k < n->count && !rc; k++)
        rc = append (l, n->edge[k].to);
    }
  }
  l->start[0] = l->count;
  for (i = 0; i < l->count; i++)
    tl_diagram_node (l->d, l->node[i])->marked = false;
  return rc;
}

// ---- Counting --------------------------------------------------------------

static tl_natural one (void) {
  static uint64_t limb = 1;
  return (tl_natural){&limb, 1};
}

static tl_natural below_of (const tl_listing *l, tl_set set) {
  return set == TL_ALL_SET ? one ()
                           : l->below[tl_diagram_node (l->d, set)->number];
}

// A number that grows in an arena.
typedef struct growing {
  tl_natural *sum;
  tl_arena *arena;
  size_t room;
} growing;

static bool reserve (growing *g, size_t limbs) {
  const tl_natural old = *g->sum;
  const size_t need = (old.count > limbs ? old.count : limbs) + 1;
  if (need <= g->room)
    return true;
  *g->sum = (tl_natural){0};
  g->room = need + 1;
  if (!TL_ARENA_NEW (g->arena, g->sum->limb, g->room))
    return false;
  tl_natural_add (g->sum, old);
  return true;
}

static bool add_product (growing *g, tl_natural more, tl_natural times) {
  if (!more.count || !times.count)
    return true;
  if (!reserve (g, more.count + times.count))
    return false;
  tl_natural_add_product (g->sum, more, times);
  return true;
}

static bool add_to (growing *g, tl_natural more) {
  if (!more.count)
    return true;
  if (!reserve (g, more.count))
    return false;
  tl_natural_add (g->sum, more);
  return true;
}

// Adds the ways below an edge as often as it counts; `t`: of a guard, or null.
static bool add_edge (const tl_listing *l, growing *g, const tl_set_node *n,
                      uint32_t edge, const tl_tail *t, tl_natural below) {
  return l->divisions ? add_product (g, below,
                                     tl_divisions_of (l->divisions, n->level,
                                                      n->edge[edge].value, t))
                      : add_to (g, below);
}

static tl_status count_below (tl_listing *l) {
  for (size_t i = l->count; i-- > 0;) {
    const tl_set_node *n = tl_diagram_node (l->d, l->node[i]);
    growing g = {l->below + i, &l->limbs, 0};
    for (uint32_t k = 0; k < n->count; k++)
      if (!add_edge (l, &g, n, k, 0, below_of (l, n->edge[k].to)))
        return TL_E_NOMEM;
    if (i % 4096 == 0 && tl_budget_look (l->mem))
      return tl_budget_look (l->mem);
  }
  return TL_OK;
}

// above * below of a node is no more than the number of markings.
static bool make_room_above (tl_listing *l) {
  const uint64_t all = tl_natural_bits (tl_listing_states (l));
  for (size_t i = 0; i < l->count; i++) {
    const uint64_t bits = all - tl_natural_bits (l->below[i]) + 2;
    // A product may have a limb more than it needs.
    if (!TL_ARENA_NEW (&l->limbs, l->above[i].limb, bits / 64 + 4))
      return false;
  }
  return true;
}

static tl_status count_above (tl_listing *l) {
  if (!l->count)
    return TL_OK;
  if (!make_room_above (l))
    return TL_E_NOMEM;
  tl_natural_add (l->above, one ());
  for (size_t i = 0; i < l->count; i++) {
    const tl_set_node *n = tl_diagram_node (l->d, l->node[i]);
    for (uint32_t k = 0; k < n->count && n->level > 1; k++)
      tl_natural_add_product (
          l->above + tl_diagram_node (l->d, n->edge[k].to)->number, l->above[i],
          tl_divisions_of (l->divisions, n->level, n->edge[k].value, 0));
    if (i % 4096 == 0 && tl_budget_look (l->mem))
      return tl_budget_look (l->mem);
  }
  return TL_OK;
}

tl_natural tl_listing_states (const tl_listing *l) {
  return l->count ? l->below[0] : one ();
}

tl_status tl_listing_open (tl_listing *l, tl_mem *mem, const tl_diagram *d,
                           uint32_t levels, tl_set set,
                           const tl_divisions *divisions) {
  *l = (tl_listing){.mem = mem,
                    .d = d,
                    .divisions = divisions,
                    .levels = levels,
                    .limbs = TL_ARENA (mem)};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, l->start, levels + 2) && !(rc = list_nodes (l, set))) {
    rc = TL_E_NOMEM;
    if (TL_NEW (mem, l->below, l->room) && TL_NEW (mem, l->above, l->room) &&
        !(rc = count_below (l)))
      rc = count_above (l);
  }
  if (rc)
    tl_listing_close (l);
  return rc;
}

void tl_listing_close (tl_listing *l) {
  if (!l->mem)
    return;
  TL_DEL (l->mem, l->start, l->levels + 2);
  TL_DEL (l->mem, l->node, l->room);
  TL_DEL (l->mem, l->below, l->room);
  TL_DEL (l->mem, l->above, l->room);
  tl_arena_close (&l->limbs);
  *l = (tl_listing){0};
}

// ---- Arcs ------------------------------------------------------------------

// How many markings enable a transition, for the nodes from its lowest level to
// its topmost.
typedef struct enabling {
  tl_listing *l;
  const tl_events *e;
  tl_natural *ways; // [nodes]
  tl_arena limbs;   // of these
  growing arcs;
} enabling;

static bool count_node (enabling *x, size_t i, const tl_tail *t, bool lowest) {
  const tl_listing *l = x->l;
  const tl_set_node *n = tl_diagram_node (l->d, l->node[i]);
  growing g = {x->ways + i, &x->limbs, 0};
  x->ways[i] = (tl_natural){0};
  for (uint32_t k = 0; k < n->count; k++) {
    const tl_branch edge = n->edge[k];
    if (t && (edge.value < t->least || edge.value >= t->end))
      continue;
    const tl_natural more =
        lowest ? below_of (l, edge.to)
               : x->ways[tl_diagram_node (l->d, edge.to)->number];
    if (!add_edge (l, &g, n, k, t, more))
      return false;
  }
  return true;
}

// From the lowest level up, so the tail is gone through from its end.
static bool count_levels (enabling *x, uint32_t tail) {
  const tl_tail *t = x->e->tail + tail;
  if (t->next && !count_levels (x, t->next))
    return false;
  uint32_t level = t->next ? x->e->tail[t->next].level + 1 : t->level;
  for (; level <= t->level; level++)
    for (size_t i = x->l->start[level]; i < x->l->start[level - 1]; i++)
      if (!count_node (x, i, level == t->level ? t : 0, !t->next))
        return false;
  return true;
}

static bool add_all (enabling *x, uint32_t level, bool *some) {
  const tl_listing *l = x->l;
  for (size_t i = l->start[level]; i < l->start[level - 1]; i++) {
    const tl_natural above = l->above[i], ways = x->ways[i];
    if (!ways.count)
      continue;
    if (!reserve (&x->arcs, above.count + ways.count))
      return false;
    tl_natural_add_product (x->arcs.sum, above, ways);
    *some = true;
  }
  return true;
}

static tl_status count_transition (enabling *x, uint32_t guard, bool *some) {
  bool ok = true;
  *some = false;
  if (guard == TL_NEVER)
    return TL_OK;
  if (guard == TL_NO_TAIL) {
    *some = true;
    ok = add_to (&x->arcs, tl_listing_states (x->l));
  } else {
    ok = count_levels (x, guard) && add_all (x, x->e->tail[guard].level, some);
    tl_arena_close (&x->limbs);
  }
  return ok ? tl_budget_look (x->l->mem) : TL_E_NOMEM;
}

tl_status tl_listing_arcs (tl_listing *l, const tl_events *e, uint8_t *fired,
                           tl_natural *sum) {
  enabling x = {
      .l = l, .e = e, .limbs = TL_ARENA (l->mem), .arcs = {sum, &l->limbs, 0}};
  tl_status rc = TL_OK;
  *sum = (tl_natural){0};
  if (!TL_NEW (l->mem, x.ways, l->count + 1))
    return TL_E_NOMEM;
  for (uint32_t t = 0; t < e->variables->net->transitions && !rc; t++) {
    bool some;
    rc = count_transition (&x, e->guard[t], &some);
    fired[t] = some;
  }
  tl_arena_close (&x.limbs);
  TL_DEL (l->mem, x.ways, l->count + 1);
  return rc;
}

// ---- Tokens ----------------------------------------------------------------

// What an edge adds to the tokens of a marking.
static uint64_t tokens_of (const tl_variables *v, const uint64_t *factor,
                           uint32_t variable, uint32_t value) {
  const uint32_t *place = v->place + v->variable[variable].first;
  if (!tl_variable_is_group (v, variable))
    return factor ? factor[*place] * value : value;
  return factor && value ? factor[place[value - 1]] : value > 0;
}

static void see_value (const tl_variables *v, uint32_t variable, uint32_t value,
                       uint64_t *place_max) {
  const uint32_t *place = v->place + v->variable[variable].first;
  if (!tl_variable_is_group (v, variable))
    place_max[*place] = value > place_max[*place] ? value : place_max[*place];
  else if (value)
    place_max[place[value - 1]] = 1;
}

tl_status tl_listing_tokens (const tl_listing *l, const tl_events *e,
                             const uint64_t *factor, uint64_t *place_max,
                             uint64_t *per_marking) {
  const tl_variables *v = e->variables;
  uint64_t *most, constant = 0;
  if (!TL_NEW (l->mem, most, l->count + 1))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < v->net->places; p++) {
    const bool stays = v->of[p] == TL_NO_NAME;
    place_max[p] = stays ? v->net->initial[p] : 0;
    constant += factor ? factor[p] * place_max[p] : place_max[p];
  }
  for (size_t i = l->count; i-- > 0;) {
    const tl_set_node *n = tl_diagram_node (l->d, l->node[i]);
    for (uint32_t k = 0; k < n->count; k++) {
      const tl_branch edge = n->edge[k];
      const uint64_t sum =
          tokens_of (v, factor, e->at[n->level], edge.value) +
          (n->level > 1 ? most[tl_diagram_node (l->d, edge.to)->number] : 0);
      most[i] = sum > most[i] ? sum : most[i];
      see_value (v, e->at[n->level], edge.value, place_max);
    }
  }
  *per_marking = constant + most[0];
  TL_DEL (l->mem, most, l->count + 1);
  return TL_OK;
}
