#include "reduce/watched.h"

tl_status tl_watched_open (tl_watched *w, tl_mem *mem, const tl_net *net) {
  *w = (tl_watched){.mem = mem, .net = net};
  return TL_NEW (mem, w->up, net->places) && TL_NEW (mem, w->down, net->places)
             ? TL_OK
             : TL_E_NOMEM;
}

void tl_watched_close (tl_watched *w) {
  if (!w->mem)
    return;
  TL_DEL (w->mem, w->up, w->net->places);
  TL_DEL (w->mem, w->down, w->net->places);
}

// Which way: that the formula holds, or that it does not.
enum { HOLDS = 1, FAILS = 2, BOTH = 3 };

static void add_place (tl_watched *w, uint32_t place, bool more, unsigned way) {
  if (way & (more ? HOLDS : FAILS))
    w->up[place] = 1;
  if (way & (more ? FAILS : HOLDS))
    w->down[place] = 1;
}

static void add_firing (tl_watched *w, uint32_t t, unsigned way) {
  const tl_arcs pre = tl_net_pre (w->net, t),
                inhibitors = tl_net_inhibitors (w->net, t);
  for (uint32_t i = 0; i < pre.count; i++)
    add_place (w, pre.arc[i].place, true, way);
  for (uint32_t i = 0; i < inhibitors.count; i++)
    add_place (w, inhibitors.arc[i].place, false, way);
}

static void add (tl_watched *w, const tl_formula *f, unsigned way) {
  switch (f->op) {
  case TL_TRUE:
  case TL_FALSE:
  case TL_DEADLOCK: break;
  case TL_COMPARE:
    for (uint32_t i = 0; i < f->count; i++)
      add_place (w, f->term[i].place, f->term[i].coefficient < 0, way);
    break;
  case TL_FIREABLE:
    for (uint32_t i = 0; i < f->count; i++)
      add_firing (w, f->transition[i], way);
    break;
  case TL_NOT:
    add (w, f->operand[0], way == HOLDS ? FAILS : way == FAILS ? HOLDS : BOTH);
    break;
  default:
    for (uint32_t i = 0; i < f->count; i++)
      add (w, f->operand[i], f->op >= TL_EXISTS ? BOTH : way);
  }
}

void tl_watched_add (tl_watched *w, const tl_formula *f) {
  add (w, f, HOLDS);
}

static bool speaks_of_deadlocks (const tl_formula *f) {
  if (f->op == TL_DEADLOCK)
    return true;
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    if (speaks_of_deadlocks (f->operand[i]))
      return true;
  return false;
}

// Does only a dead marking satisfy it?
static bool wants_deadlock (const tl_formula *f) {
  if (f->op != TL_AND && f->op != TL_OR)
    return f->op == TL_DEADLOCK;
  for (uint32_t i = 0; i < f->count; i++)
    if (wants_deadlock (f->operand[i]) == (f->op == TL_AND))
      return f->op == TL_AND;
  return f->op == TL_OR;
}

static bool has_next (const tl_formula *f) {
  bool found = f->op == TL_NEXT;
  for (uint32_t i = 0; !found && i < tl_formula_operands (f); i++)
    found = has_next (f->operand[i]);
  return found;
}

// Is there a quantifier inside of another one?
static bool branches (const tl_formula *f, bool inside) {
  const bool quantifier = f->op == TL_EXISTS || f->op == TL_ALL;
  bool found = quantifier && inside;
  for (uint32_t i = 0; !found && i < tl_formula_operands (f); i++)
    found = branches (f->operand[i], inside || quantifier);
  return found;
}

tl_keep tl_watched_keep (tl_formula *const *formula, size_t count) {
  size_t dead = 0, alive = 0, temporal = 0;
  bool next = false, branching = false;
  for (size_t i = 0; i < count; i++) {
    next |= has_next (formula[i]);
    branching |= branches (formula[i], false);
    temporal += tl_formula_has_temporal (formula[i]);
    dead += wants_deadlock (formula[i]);
    alive += !speaks_of_deadlocks (formula[i]);
  }
  if (dead == count && count && !temporal)
    return TL_KEEP_DEADLOCKS;
  if (next || alive < count)
    return TL_KEEP_RUNS;
  return branching  ? TL_KEEP_BRANCHES
         : temporal ? TL_KEEP_STUTTER
                    : TL_KEEP_REACH;
}
