#include "logic/stepless.h"

#include "logic/lowering.h"

// Larger nets and formulas are left as they are; of so many kinds are
// transitions at most.
enum { TRANSITIONS = 256, SIZE = 400, KINDS = 48 };

typedef struct stepless {
  tl_arena *arena;
  const tl_net *net;
  uint8_t *watched; // [places] by the formula behind X
} stepless;

// EX f or AX f where f is about one marking, without dead ones: these would
// need a word for each transition.
static bool has_dead (const tl_formula *f) {
  if (f->op == TL_DEADLOCK)
    return true;
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    if (has_dead (f->operand[i]))
      return true;
  return false;
}

static bool is_step (const tl_formula *f) {
  return (f->op == TL_EXISTS || f->op == TL_ALL) &&
         f->operand[0]->op == TL_NEXT &&
         !tl_formula_has_temporal (f->operand[0]->operand[0]) &&
         !has_dead (f->operand[0]->operand[0]);
}

static bool find_step (const tl_formula *f, bool behind) {
  if (behind && is_step (f))
    return true;
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    if (find_step (f->operand[i], behind || f->op >= TL_NEXT))
      return true;
  return false;
}

bool tl_formula_has_step (const tl_formula *f) {
  return find_step (f, false);
}

static size_t size_of (const tl_formula *f) {
  size_t size = 1;
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    size += size_of (f->operand[i]);
  return size;
}

// ---- What is watched -------------------------------------------------------

static void watch (stepless *s, const tl_formula *f) {
  for (uint32_t i = 0; f->op == TL_COMPARE && i < f->count; i++)
    s->watched[f->term[i].place] = 1;
  for (uint32_t i = 0; f->op == TL_FIREABLE && i < f->count; i++) {
    const tl_arcs pre = tl_net_pre (s->net, f->transition[i]),
                  inhibitors = tl_net_inhibitors (s->net, f->transition[i]);
    for (uint32_t k = 0; k < pre.count; k++)
      s->watched[pre.arc[k].place] = 1;
    for (uint32_t k = 0; k < inhibitors.count; k++)
      s->watched[inhibitors.arc[k].place] = 1;
  }
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    watch (s, f->operand[i]);
}

static bool next_watched (const stepless *s, tl_change *c) {
  while (tl_net_change_next (c))
    if (s->watched[c->place])
      return true;
  return false;
}

// Do both do the same to what is watched?
static bool are_alike (const stepless *s, uint32_t t, uint32_t u) {
  tl_change a = tl_net_change (s->net, t), b = tl_net_change (s->net, u);
  for (;;) {
    const bool more = next_watched (s, &a);
    if (more != next_watched (s, &b))
      return false;
    if (!more)
      return true;
    if (a.place != b.place || a.amount != b.amount)
      return false;
  }
}

// ---- Before a transition ---------------------------------------------------

static tl_formula *compare (stepless *s, const tl_summand *term, uint32_t count,
                            __int128 bound) {
  bool overflow = bound > INT64_MAX / 2 || bound < INT64_MIN / 2;
  return overflow ? 0
                  : tl_formula_compare (s->arena, term, count, (int64_t)bound,
                                        &overflow);
}

static tl_formula *comparison_before (stepless *s, const tl_formula *f,
                                      uint32_t t) {
  return compare (s, f->term, f->count,
                  f->bound - tl_sum_change (f, s->net, t));
}

// u is enabled after t.
static tl_formula *enabled_before (stepless *s, uint32_t u, uint32_t t) {
  const tl_arcs pre = tl_net_pre (s->net, u),
                inhibitors = tl_net_inhibitors (s->net, u);
  tl_formula *all = tl_formula_constant (s->arena, true);
  for (uint32_t i = 0; i < pre.count; i++) {
    const tl_summand term = {pre.arc[i].place, -1};
    const int64_t more = tl_net_change_of (s->net, t, term.place);
    if (more < (int64_t)pre.arc[i].weight)
      all = tl_formula_binary (
          s->arena, TL_AND, all,
          compare (s, &term, 1, (__int128)more - pre.arc[i].weight));
  }
  for (uint32_t i = 0; i < inhibitors.count; i++) {
    const tl_summand term = {inhibitors.arc[i].place, 1};
    const int64_t more = tl_net_change_of (s->net, t, term.place);
    all = tl_formula_binary (
        s->arena, TL_AND, all,
        compare (s, &term, 1, (__int128)inhibitors.arc[i].weight - 1 - more));
  }
  return all;
}

static tl_formula *fireable_before (stepless *s, const tl_formula *f,
                                    uint32_t t) {
  tl_formula *any = tl_formula_constant (s->arena, false);
  for (uint32_t i = 0; i < f->count; i++)
    any = tl_formula_binary (s->arena, TL_OR, any,
                             enabled_before (s, f->transition[i], t));
  return any;
}

// What holds before the transition where f holds after it.
static tl_formula *before (stepless *s, tl_formula *f, uint32_t t) {
  tl_formula **operand;
  if (f->op == TL_COMPARE)
    return comparison_before (s, f, t);
  if (f->op == TL_FIREABLE)
    return fireable_before (s, f, t);
  if (!tl_formula_operands (f))
    return f;
  if (!TL_ARENA_NEW (s->arena, operand, f->count))
    return 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (!(operand[i] = before (s, f->operand[i], t)))
      return 0;
  return tl_formula_with (s->arena, f, operand);
}

// ---- Before any ------------------------------------------------------------

// The transitions that are like the first of those not in a list so far.
static uint32_t take_alike (const stepless *s, uint8_t *taken, uint32_t *list) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < s->net->transitions; t++)
    if (!taken[t] && (!count || are_alike (s, list[0], t))) {
      taken[t] = 1;
      list[count++] = t;
    }
  return count;
}

// EX f; null: it gets too large, or there is no memory.
static tl_formula *before_any (stepless *s, tl_formula *f) {
  const tl_net *net = s->net;
  uint8_t *taken;
  uint32_t *list, count;
  tl_formula *any = tl_formula_constant (s->arena, false);
  if (!TL_ARENA_NEW (s->arena, s->watched, net->places) ||
      !TL_ARENA_NEW (s->arena, taken, net->transitions) ||
      !TL_ARENA_NEW (s->arena, list, net->transitions))
    return 0;
  watch (s, f);
  for (int kinds = 0; any && (count = take_alike (s, taken, list)); kinds++)
    any = kinds == KINDS ? 0
                         : tl_formula_binary (
                               s->arena, TL_OR, any,
                               tl_formula_binary (
                                   s->arena, TL_AND,
                                   tl_formula_fireable (s->arena, list, count),
                                   before (s, f, list[0])));
  any = any ? tl_formula_simplify (s->arena, any) : 0;
  return any && size_of (any) <= SIZE ? any : 0;
}

static tl_formula *without_step (stepless *s, tl_formula *f) {
  const bool all = f->op == TL_ALL;
  tl_formula *next = f->operand[0]->operand[0];
  next = all ? tl_formula_negate (s->arena, next) : next;
  tl_formula *any = next ? before_any (s, next) : 0;
  any = any && all ? tl_formula_negate (s->arena, any) : any;
  return any ? any : f;
}

static tl_formula *apply (stepless *s, tl_formula *f, bool behind) {
  tl_formula **operand;
  const uint32_t count = tl_formula_operands (f);
  if (!tl_formula_has_temporal (f))
    return f;
  if (!TL_ARENA_NEW (s->arena, operand, count))
    return 0;
  for (uint32_t i = 0; i < count; i++)
    if (!(operand[i] = apply (s, f->operand[i], behind || f->op >= TL_NEXT)))
      return 0;
  f = tl_formula_with (s->arena, f, operand);
  return f && behind && is_step (f) ? without_step (s, f) : f;
}

tl_formula *tl_formula_stepless (tl_arena *arena, const tl_net *net,
                                 tl_formula *f) {
  stepless s = {.arena = arena, .net = net};
  if (net->transitions > TRANSITIONS)
    return f;
  f = apply (&s, f, false);
  return f ? tl_formula_simplify_as (arena, f, TL_NEXT_CTL) : 0;
}
