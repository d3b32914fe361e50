#include "compile/kernel.h"

// How states and bindings of a net are packed.

enum {
  MOST_TOKENS = 4096,   // of a place
  MOST_WORDS = 256,     // of a state
  MOST_CELLS = 64,      // of a token or a binding
  MOST_RANKS = 1 << 20, // of the bindings of all transitions
  MOST_FACTOR = 1 << 16 // of a token on an arc
};

// The cells of a type, from `at` on; how many there are then, MOST_CELLS + 1:
// too many, or some that have no end.
static uint32_t flatten (const tl_type *t, tl_leaf *leaf, uint32_t at) {
  if (at >= MOST_CELLS || tl_type_is_container (t))
    return MOST_CELLS + 1;
  if (tl_type_is_discrete (t)) {
    leaf[at] = (tl_leaf){.first = t->first, .values = tl_type_values (t)};
    return at + 1;
  }
  if (t->kind == TL_TYPE_VECTOR)
    for (uint32_t i = 0; i < t->elements && at <= MOST_CELLS; i++)
      at = flatten (t->element, leaf, at);
  else
    for (uint32_t i = 0; i < t->component_count && at <= MOST_CELLS; i++)
      at = flatten (t->component[i].type, leaf, at);
  return at;
}

// How many values the cells have together; 0: more than `most`.
static uint64_t set_strides (tl_leaf *leaf, uint32_t cells, uint64_t most) {
  uint64_t all = 1;
  for (uint32_t i = cells; i-- > 0;) {
    leaf[i].stride = all;
    if (__builtin_mul_overflow (all, leaf[i].values, &all) || all > most)
      return 0;
  }
  return all;
}

static bool keep (tl_arena *arena, const tl_leaf *leaf, uint32_t cells,
                  tl_leaf **out) {
  if (!TL_ARENA_NEW (arena, *out, (size_t)cells + 1))
    return false;
  for (uint32_t i = 0; i < cells; i++)
    (*out)[i] = leaf[i];
  return true;
}

static bool plan_place (tl_kernel_plan *plan, tl_arena *arena,
                        const tl_cplace *place, tl_kernel_place *out) {
  tl_leaf leaf[MOST_CELLS + 1];
  uint32_t cells = 0;
  for (uint32_t i = 0; i < place->parts && cells <= MOST_CELLS; i++)
    cells = flatten (place->part[i], leaf, cells);
  if (cells != place->cells || !place->capacity || place->timed ||
      place->derived)
    return false;
  const uint64_t values = set_strides (leaf, cells, MOST_TOKENS);
  out->word = plan->words;
  out->words = (uint32_t)(values + 63) / 64;
  plan->words += out->words;
  return values && plan->words <= MOST_WORDS &&
         keep (arena, leaf, cells, &out->leaf);
}

static bool factors_fit (const tl_carc *arc, uint32_t arcs) {
  for (uint32_t i = 0; i < arcs; i++)
    for (uint32_t k = 0; k < arc[i].label.tuples; k++)
      if (arc[i].label.tuple[k].factor < 0 ||
          arc[i].label.tuple[k].factor > MOST_FACTOR)
        return false;
  return true;
}

static bool plan_event (tl_arena *arena, const tl_ctransition *t,
                        tl_kernel_event *out) {
  tl_leaf leaf[MOST_CELLS + 1];
  if (t->tick || !factors_fit (t->in, t->ins) ||
      !factors_fit (t->out, t->outs) ||
      !TL_ARENA_NEW (arena, out->offset, MOST_CELLS))
    return false;
  for (uint32_t i = 0; i < t->variables; i++) {
    const tl_variable *v = t->variable + i;
    if (!tl_variable_is_bound (v))
      continue;
    const uint32_t end = flatten (v->type, leaf, out->cells);
    if (end > MOST_CELLS)
      return false;
    for (uint32_t k = out->cells; k < end; k++)
      out->offset[k] = v->offset + k - out->cells;
    out->cells = end;
  }
  out->ranks = (uint32_t)set_strides (leaf, out->cells, MOST_RANKS);
  return out->ranks && keep (arena, leaf, out->cells, &out->leaf);
}

bool tl_kernel_plan_open (tl_kernel_plan *plan, tl_arena *arena,
                          const tl_coloured *net, const tl_place_code *code,
                          const bool *follows) {
  *plan = (tl_kernel_plan){.code = code};
  if (!TL_ARENA_NEW (arena, plan->place, (size_t)net->places + 1) ||
      !TL_ARENA_NEW (arena, plan->event, (size_t)net->transitions + 1))
    return false;
  for (uint32_t p = 0; p < net->places; p++) {
    plan->place[p].follows = follows[p];
    if (!plan_place (plan, arena, net->place + p, plan->place + p))
      return false;
  }
  uint64_t ranks = 0;
  for (uint32_t t = 0; t < net->transitions; t++) {
    if (!plan_event (arena, net->transition + t, plan->event + t) ||
        (ranks += plan->event[t].ranks) > MOST_RANKS)
      return false;
    if (plan->event[t].ranks > plan->most_ranks)
      plan->most_ranks = plan->event[t].ranks;
  }
  return TL_ARENA_NEW (arena, plan->constant, 64 * (size_t)plan->words + 1);
}

uint64_t tl_leaf_rank (const tl_leaf *leaf, const tl_cell *value,
                       uint32_t cells) {
  uint64_t rank = 0;
  for (uint32_t i = 0; i < cells; i++) {
    const uint64_t at = (uint64_t)(value[i] - leaf[i].first);
    if (at >= leaf[i].values)
      return UINT64_MAX;
    rank += at * leaf[i].stride;
  }
  return rank;
}

tl_cell tl_leaf_cell (const tl_leaf *leaf, uint64_t rank) {
  return (tl_cell)(leaf->first + (int64_t)(rank / leaf->stride % leaf->values));
}
