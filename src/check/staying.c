#include "check/staying.h"

#include "base/clock.h"
#include "logic/bracket.h"
#include "logic/ending.h"
#include "logic/lowering.h"
#include "structure/ranking.h"

// For one transition, or for dead markings.
#define CASE_SECONDS 0.003
// Part of the time that is left for one formula.
#define SHARE 0.5
// FIREABLE of more transitions is not looked at after a step.
#define MANY 32

// ---- After a step ----------------------------------------------------------

// Of a place: it has at least so many tokens after the step.
static tl_formula *compare_after (tl_staying *s, uint32_t t, uint32_t place,
                                  int64_t least, bool at_most) {
  const tl_net *net = s->facts->net;
  bool overflow;
  const int64_t now = least - tl_net_change_of (net, t, place);
  const tl_summand term = {place, at_most ? 1 : -1};
  return tl_formula_compare (s->arena, &term, 1, at_most ? now : -now,
                             &overflow);
}

static tl_formula *enabled_after (tl_staying *s, uint32_t t, uint32_t other) {
  const tl_net *net = s->facts->net;
  const tl_arcs pre = tl_net_pre (net, other),
                inhibitors = tl_net_inhibitors (net, other);
  tl_formula *all = tl_formula_constant (s->arena, true);
  for (uint32_t i = 0; i < pre.count; i++)
    all = tl_formula_binary (
        s->arena, TL_AND, all,
        compare_after (s, t, pre.arc[i].place, pre.arc[i].weight, false));
  for (uint32_t i = 0; i < inhibitors.count; i++)
    all = tl_formula_binary (
        s->arena, TL_AND, all,
        compare_after (s, t, inhibitors.arc[i].place,
                       (int64_t)inhibitors.arc[i].weight - 1, true));
  return all;
}

static tl_formula *sum_after (tl_staying *s, uint32_t t, const tl_formula *f) {
  const tl_net *net = s->facts->net;
  const __int128 bound = f->bound - tl_sum_change (f, net, t);
  bool overflow;
  return bound > INT64_MAX / 2 || bound < INT64_MIN / 2
             ? 0
             : tl_formula_compare (s->arena, f->term, f->count, (int64_t)bound,
                                   &overflow);
}

// What the marking before a step must satisfy so that the one after it
// satisfies the formula.  Null: that is too much to say.
static tl_formula *after (tl_staying *s, uint32_t t, const tl_formula *f) {
  tl_formula *all = 0;
  switch (f->op) {
  case TL_TRUE:
  case TL_FALSE: return tl_formula_constant (s->arena, f->op == TL_TRUE);
  case TL_COMPARE: return sum_after (s, t, f);
  case TL_NOT:
    return tl_formula_unary (s->arena, TL_NOT, after (s, t, f->operand[0]));
  case TL_AND:
  case TL_OR:
    all = tl_formula_constant (s->arena, f->op == TL_AND);
    for (uint32_t i = 0; i < f->count; i++)
      all =
          tl_formula_binary (s->arena, f->op, all, after (s, t, f->operand[i]));
    return all;
  case TL_FIREABLE:
    all = f->count > MANY ? 0 : tl_formula_constant (s->arena, false);
    for (uint32_t i = 0; all && i < f->count; i++)
      all = tl_formula_binary (s->arena, TL_OR, all,
                               enabled_after (s, t, f->transition[i]));
    return all;
  default: return 0;
  }
}

// ---- Staying ---------------------------------------------------------------

static bool is_excluded (tl_staying *s, const tl_formula *f) {
  tl_refuter *r = &s->facts->refuter;
  const double kept = r->seconds;
  r->seconds = CASE_SECONDS;
  const bool excluded = f && tl_refuter_verdict (r, f) == TL_VERDICT_FALSE;
  r->seconds = kept;
  return excluded;
}

// Of what is enabled nothing is left to be distinguished in a dead marking.
static bool has_dead (tl_staying *s, tl_formula *where) {
  tl_formula *dead = tl_formula_when_dead (s->arena, where);
  return !dead ||
         (dead->op != TL_FALSE &&
          !is_excluded (s, tl_formula_binary (s->arena, TL_AND, dead,
                                              tl_formula_deadlock (s->arena))));
}

// May the transition lead from a marking of that kind to another one?
static bool may_stay (tl_staying *s, tl_formula *where, uint32_t t) {
  tl_formula *now = tl_formula_binary (s->arena, TL_AND, where,
                                       tl_formula_fireable (s->arena, &t, 1)),
             *then = after (s, t, where);
  return !is_excluded (s, then ? tl_formula_binary (s->arena, TL_AND, now, then)
                               : now);
}

// Marks the places that the formula looks at.
static void mark_places (const tl_net *net, const tl_formula *f,
                         uint8_t *mark) {
  for (uint32_t i = 0; f->op == TL_COMPARE && i < f->count; i++)
    mark[f->term[i].place] = 1;
  for (uint32_t i = 0; f->op == TL_FIREABLE && i < f->count; i++) {
    const tl_arcs pre = tl_net_pre (net, f->transition[i]);
    for (uint32_t k = 0; k < pre.count; k++)
      mark[pre.arc[k].place] = 1;
  }
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    mark_places (net, f->operand[i], mark);
}

// Does the transition take from such a place, or change it?
static bool is_near (const tl_net *net, uint32_t t, const uint8_t *mark) {
  const tl_arcs pre = tl_net_pre (net, t);
  bool near = false;
  for (uint32_t i = 0; i < pre.count; i++)
    near |= mark[pre.arc[i].place];
  for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
    near |= mark[c.place];
  return near;
}

// What is being proven.
typedef struct proof {
  tl_staying *staying;
  tl_formula *where;
  tl_ranking ranking;
  uint8_t *places; // [places] that it looks at
  uint8_t *tried;  // [transitions]
  double end;
} proof;

// Leaves out transitions that are in the way; false: none.
static bool leave_out (proof *p, bool near) {
  const tl_net *net = p->staying->facts->net;
  bool fewer = false;
  for (uint32_t t = 0; t < net->transitions && tl_clock_busy () < p->end; t++) {
    if (p->tried[t] || !tl_ranking_counts (&p->ranking, t) ||
        (near && !is_near (net, t, p->places)))
      continue;
    p->tried[t] = 1;
    if (may_stay (p->staying, p->where, t))
      continue;
    tl_ranking_drop (&p->ranking, t);
    fewer = true;
  }
  return fewer;
}

// First those near to what the formula looks at, which are few.
static bool find_end (proof *p) {
  do
    if (tl_ranking_ends (&p->ranking, p->end - tl_clock_busy ()))
      return true;
  while (tl_clock_busy () < p->end &&
         (leave_out (p, true) || leave_out (p, false)));
  return false;
}

static bool prove (proof *p, tl_mem *mem) {
  const tl_facts *facts = p->staying->facts;
  if (tl_ranking_open (&p->ranking, mem, facts->structure))
    return false;
  mark_places (facts->net, p->where, p->places);
  const bool proven = find_end (p);
  tl_ranking_close (&p->ranking);
  return proven;
}

// Does every run of the net end?
static bool all_end (tl_staying *s) {
  tl_facts *f = s->facts;
  const double start = tl_clock_busy ();
  tl_ranking ranking;
  if (f->asked_all_end || s->seconds <= CASE_SECONDS)
    return f->all_end;
  f->asked_all_end = true;
  f->all_end = tl_net_runs_dry (f->structure, f->assumed.mem);
  if (!f->all_end &&
      !tl_ranking_open (&ranking, f->assumed.mem, f->structure)) {
    f->all_end = tl_ranking_ends (&ranking, s->seconds * SHARE);
    tl_ranking_close (&ranking);
  }
  s->seconds -= tl_clock_busy () - start;
  return f->all_end;
}

// No run stays for ever where `formula` holds, and none ends where `dead` does,
// too.
static bool none_stays (tl_staying *s, const tl_formula *formula,
                        tl_formula *dead) {
  const tl_net *net = s->facts->net;
  tl_mem *mem = s->facts->assumed.mem;
  const double start = tl_clock_busy ();
  proof p = {.staying = s,
             .where = (tl_formula *)(uintptr_t)formula,
             .end = start + s->seconds * SHARE};
  const bool ends = all_end (s);
  const bool proven =
      (ends || p.where->op != TL_TRUE) && s->seconds > CASE_SECONDS &&
      !has_dead (s, dead) &&
      (ends || (TL_NEW (mem, p.places, net->places) &&
                TL_NEW (mem, p.tried, net->transitions) && prove (&p, mem)));
  TL_DEL (mem, p.places, net->places);
  TL_DEL (mem, p.tried, net->transitions);
  s->seconds -= tl_clock_busy () - start;
  return proven;
}

bool tl_staying_ends (tl_staying *s, const tl_formula *formula) {
  return none_stays (s, formula, (tl_formula *)(uintptr_t)formula);
}

// ---- CTL -------------------------------------------------------------------

// AF or EG.
static bool is_about_staying (const tl_staying *s, const tl_formula *f) {
  const tl_op wanted = f->op == TL_ALL      ? TL_FINALLY
                       : f->op == TL_EXISTS ? TL_GLOBALLY
                                            : TL_TRUE;
  return wanted != TL_TRUE && f->operand[0]->op == wanted &&
         !(s->linear && tl_formula_has_temporal (f->operand[0]->operand[0]));
}

// A state formula that holds wherever the formula of CTL does; in a dead
// marking it is the same.
static tl_formula *most_of (tl_staying *s, tl_formula *f) {
  if (!tl_formula_has_temporal (f))
    return f;
  tl_formula *dead = tl_formula_when_dead (s->arena, f),
             *above = tl_formula_above (s->arena, f, TL_NEXT_CTL),
             *lives = tl_formula_unary (s->arena, TL_NOT,
                                        tl_formula_deadlock (s->arena));
  return tl_formula_binary (s->arena, TL_AND, above,
                            tl_formula_binary (s->arena, TL_OR, lives, dead));
}

static tl_formula *look_at (tl_staying *s, tl_formula *f) {
  tl_formula *where = f->operand[0]->operand[0];
  where = f->op == TL_ALL ? tl_formula_negate (s->arena, where)
                          : tl_formula_simplify (s->arena, where);
  where = where ? most_of (s, where) : 0;
  where = where ? tl_formula_simplify (s->arena, where) : 0;
  if (!where)
    return 0;
  return tl_staying_ends (s, where)
             ? tl_formula_constant (s->arena, f->op == TL_ALL)
             : f;
}

tl_formula *tl_staying_apply (tl_staying *s, tl_formula *f) {
  if (!tl_formula_has_temporal (f))
    return f;
  tl_formula **operand;
  if (!TL_ARENA_NEW (s->arena, operand, f->count))
    return 0;
  bool same = true;
  for (uint32_t i = 0; i < f->count; i++) {
    operand[i] = tl_staying_apply (s, f->operand[i]);
    if (!operand[i])
      return 0;
    same &= operand[i] == f->operand[i];
  }
  f = same ? f : tl_formula_with (s->arena, f, operand);
  return f && is_about_staying (s, f) ? look_at (s, f) : f;
}

// ---- Automata --------------------------------------------------------------

static tl_formula *label_of (tl_staying *s, const tl_sat *sat,
                             const tl_edge *e) {
  tl_formula *all = tl_formula_constant (s->arena, true);
  for (uint32_t i = 0; i < sat->parts; i++) {
    const uint64_t bit = (uint64_t)1 << i;
    tl_formula *atom = (tl_formula *)(uintptr_t)sat->part[i]->formula;
    if (e->holds & bit)
      all = tl_formula_binary (s->arena, TL_AND, all, atom);
    if (e->fails & bit)
      all = tl_formula_binary (s->arena, TL_AND, all,
                               tl_formula_unary (s->arena, TL_NOT, atom));
  }
  return all;
}

// Where a run may stay in the component: one of its edges may be taken.
static tl_formula *places_of (tl_staying *s, const tl_sat *sat,
                              const tl_automaton *a, uint32_t component) {
  tl_formula *any = tl_formula_constant (s->arena, false);
  for (uint32_t q = 0; q < a->states; q++)
    for (uint32_t e = a->first[q];
         a->component[q] == component && e < a->first[q + 1]; e++)
      if (a->component[a->edge[e].to] == component)
        any = tl_formula_binary (s->arena, TL_OR, any,
                                 label_of (s, sat, a->edge + e));
  return any ? tl_formula_simplify_as (s->arena, any, TL_NEXT_LTL) : 0;
}

// Where an edge of the component may be taken that is in the set.
static tl_formula *marks_of (tl_staying *s, const tl_sat *sat,
                             const tl_automaton *a, uint32_t component,
                             uint64_t set) {
  tl_formula *any = tl_formula_constant (s->arena, false);
  for (uint32_t q = 0; q < a->states; q++)
    for (uint32_t e = a->first[q];
         a->component[q] == component && e < a->first[q + 1]; e++)
      if (a->component[a->edge[e].to] == component && a->edge[e].sets & set)
        any = tl_formula_binary (s->arena, TL_OR, any,
                                 label_of (s, sat, a->edge + e));
  return any;
}

// Where a run that ends may be accepted in the component: what holds there
// holds for ever, and edges of all sets are taken.
static tl_formula *dead_ends_of (tl_staying *s, const tl_sat *sat,
                                 const tl_automaton *a, uint32_t component,
                                 tl_formula *where) {
  for (uint32_t i = 0; where && i < a->sets; i++)
    where =
        tl_formula_binary (s->arena, TL_AND, where,
                           marks_of (s, sat, a, component, (uint64_t)1 << i));
  return where ? tl_formula_simplify_as (s->arena, where, TL_NEXT_LTL) : 0;
}

bool tl_staying_accepts_none (tl_staying *s, const tl_sat *sat) {
  const tl_automaton *a = &sat->automaton->general;
  for (uint32_t i = 0; i < sat->parts; i++)
    if (sat->part[i]->kind != TL_SAT_LABEL)
      return false;
  for (uint32_t c = 0; c < a->components; c++) {
    if (a->kind[c] == TL_REJECTING)
      continue;
    tl_formula *where =
        a->kind[c] == TL_TERMINAL ? 0 : places_of (s, sat, a, c);
    tl_formula *dead = where ? dead_ends_of (s, sat, a, c, where) : 0;
    if (!dead || !none_stays (s, where, dead))
      return false;
  }
  return true;
}
