#include "check/facts.h"

#include "logic/bracket.h"
#include "net/origin.h"

// For all that is tried by cases: what is proven is proven soon, on 144 nets of
// the contest nearly always within 10 ms.  More for each node of the net, up to
// a limit.  Whether the net can always return, or end, takes longer and is
// worth more.
#define CASES_SECONDS 0.02
#define NODE_SECONDS 0.00005
#define MOST_SECONDS 1.0
#define FOR_RETURNS 12
// In haste: a moment for nets up to so many nodes.
#define HASTY_SECONDS 0.001
#define HASTY_NODES 200

static double seconds_for_cases (const tl_net *net, double most, bool hasty) {
  const double nodes = (double)net->places + net->transitions;
  if (hasty)
    return nodes <= HASTY_NODES ? HASTY_SECONDS : 0;
  const double wanted = CASES_SECONDS + NODE_SECONDS * nodes;
  most = most < MOST_SECONDS ? most : MOST_SECONDS;
  return wanted < most ? wanted : most;
}

static double seconds_for_returns (const tl_net *net, double most, bool hasty) {
  const double wanted = FOR_RETURNS * seconds_for_cases (net, most, hasty);
  most = most < MOST_SECONDS ? most : MOST_SECONDS;
  return hasty ? 0 : wanted < most ? wanted : most;
}

tl_status tl_facts_open (tl_facts *f, tl_mem *mem,
                         const tl_structure *structure, double seconds,
                         bool hasty) {
  *f = (tl_facts){.net = structure->net,
                  .structure = structure,
                  .sights = {.mem = mem, .net = structure->net}};
  f->assumed = (tl_assumptions){
      .mem = mem, .structure = structure, .sights = &f->sights};
  const double share = seconds_for_cases (structure->net, seconds / 2, hasty);
  tl_status rc =
      tl_equation_open (&f->assumed.equation, mem, structure->incidence,
                        structure->net->initial, seconds);
  if (!rc && share > 0)
    rc = tl_equation_open (&f->for_cases, mem, structure->incidence,
                           structure->net->initial, seconds);
  f->refuter = (tl_refuter){
      .mem = mem,
      .structure = structure,
      .equation = f->for_cases,
      .sights = &f->sights,
      .seconds = share,
      .for_returns = seconds_for_returns (structure->net, seconds / 2, hasty),
      .for_leads = hasty ? 0 : share};
  return rc == TL_E_LIMIT ? TL_OK : rc; // then by the bounds alone
}

void tl_facts_close (tl_facts *f) {
  tl_refuter_close (&f->refuter);
  tl_equation_close (f->for_cases);
  tl_assumptions_close (&f->assumed);
  tl_sights_close (&f->sights);
}

// ---- Literals --------------------------------------------------------------

static bool is_literal (const tl_formula *f) {
  if (f->op == TL_NOT)
    f = f->operand[0];
  return f->op > TL_FALSE && f->op < TL_NOT;
}

// Is the literal (or its negation) excluded by what is assumed?
static bool is_excluded (tl_facts *f, const tl_formula *literal, bool negated) {
  tl_assumptions *a = &f->assumed;
  const size_t before = a->count;
  tl_assume (a, literal, negated);
  const bool excluded =
      a->count > before && tl_assumptions_excluded (a, f->base);
  tl_assumptions_cut (a, before);
  return excluded;
}

static bool is_disabled (tl_facts *f, uint32_t transition) {
  tl_assumptions *a = &f->assumed;
  const size_t before = a->count;
  tl_assume_enabled (a, transition);
  const bool disabled =
      a->count > before && tl_assumptions_excluded (a, f->base);
  tl_assumptions_cut (a, before);
  return disabled;
}

// FIREABLE without transitions that are not enabled.
static tl_formula *filter (tl_facts *f, tl_formula *fireable) {
  uint32_t *left, count = 0;
  if (!TL_ARENA_NEW (f->arena, left, fireable->count))
    return 0;
  for (uint32_t i = 0; i < fireable->count; i++)
    if (!is_disabled (f, fireable->transition[i]))
      left[count++] = fireable->transition[i];
  return count == fireable->count ? fireable
                                  : tl_formula_fireable (f->arena, left, count);
}

static tl_formula *reduce_literal (tl_facts *f, tl_formula *literal) {
  const bool negated = literal->op == TL_NOT;
  tl_formula *atom = negated ? literal->operand[0] : literal;
  if (atom->op == TL_FIREABLE && !(atom = filter (f, atom)))
    return 0;
  if (atom->op != TL_FALSE && is_excluded (f, atom, false))
    atom = tl_formula_constant (f->arena, false);
  else if (atom->op != TL_FALSE && is_excluded (f, atom, true))
    atom = tl_formula_constant (f->arena, true);
  if (!atom || !negated)
    return atom;
  return atom == literal->operand[0]
             ? literal
             : tl_formula_unary (f->arena, TL_NOT, atom);
}

// ---- Formulas --------------------------------------------------------------

static tl_formula *reduce (tl_facts *, tl_formula *);

// Assumes that the literals in an AND hold, or that those in an OR do not: only
// then the rest of it matters.  True: that cannot be.
static bool assume_literals (tl_facts *f, tl_op op, tl_formula *const *member,
                             uint32_t count) {
  uint32_t literals = 0;
  for (uint32_t i = 0; i < count; i++)
    if (is_literal (member[i])) {
      tl_assume (&f->assumed, member[i], op == TL_OR);
      literals++;
    }
  return literals > 1 && tl_assumptions_excluded (&f->assumed, f->base);
}

static tl_formula *reduce_list (tl_facts *f, const tl_formula *list) {
  tl_formula **member;
  const size_t before = f->assumed.count;
  if (!TL_ARENA_NEW (f->arena, member, list->count))
    return 0;
  for (uint32_t i = 0; i < list->count; i++) {
    member[i] = list->operand[i];
    if (is_literal (member[i]) && !(member[i] = reduce_literal (f, member[i])))
      return 0;
  }
  bool ok = true;
  const bool decided = assume_literals (f, list->op, member, list->count);
  for (uint32_t i = 0; ok && !decided && i < list->count; i++)
    if (!is_literal (member[i]))
      ok = (member[i] = reduce (f, member[i]));
  tl_assumptions_cut (&f->assumed, before);
  return !ok       ? 0
         : decided ? tl_formula_constant (f->arena, list->op == TL_OR)
                   : tl_formula_nary (f->arena, list->op, member, list->count);
}

// What is behind NOT, E or A is still about the marking at hand; behind a
// temporal operator it is about any.
static tl_formula *reduce_operands (tl_facts *f, const tl_formula *of) {
  const size_t base = f->base;
  if (of->op >= TL_NEXT)
    f->base = f->assumed.count;
  tl_formula *left = reduce (f, of->operand[0]);
  tl_formula *right = of->count == 2 ? reduce (f, of->operand[1]) : 0;
  f->base = base;
  return of->count == 2 ? tl_formula_binary (f->arena, of->op, left, right)
                        : tl_formula_unary (f->arena, of->op, left);
}

static tl_formula *reduce_part (tl_facts *f, tl_formula *formula) {
  switch (formula->op) {
  case TL_TRUE:
  case TL_FALSE: return formula;
  case TL_AND:
  case TL_OR: return reduce_list (f, formula);
  default:
    return is_literal (formula) ? reduce_literal (f, formula)
                                : reduce_operands (f, formula);
  }
}

static bool is_constant (const tl_formula *f) {
  return f->op == TL_TRUE || f->op == TL_FALSE;
}

// Is the state formula proven to be always (or never) true?
static bool is_always (tl_facts *f, const tl_formula *state, bool value) {
  return is_constant (state) ? (state->op == TL_TRUE) == value
                             : tl_refuter_verdict (&f->refuter, state) ==
                                   (value ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
}

// What is never above it, or always below it, decides a formula about what
// comes.  Of OR and AND the parts were tried one by one.
static tl_formula *reduce_bracket (tl_facts *f, tl_formula *formula) {
  const bool quantified = formula->op == TL_EXISTS || formula->op == TL_ALL;
  tl_formula *above = quantified || formula->op == TL_AND
                          ? tl_formula_above (f->arena, formula, f->next)
                          : tl_formula_constant (f->arena, true),
             *below = quantified || formula->op == TL_OR
                          ? tl_formula_below (f->arena, formula, f->next)
                          : tl_formula_constant (f->arena, false);
  if (!above || !below)
    return 0;
  return is_always (f, above, false)  ? tl_formula_constant (f->arena, false)
         : is_always (f, below, true) ? tl_formula_constant (f->arena, true)
                                      : formula;
}

// Of what speaks of one marking all is tried, once it is as small as it gets.
static tl_formula *reduce (tl_facts *f, tl_formula *formula) {
  const bool whole = !f->inside && !tl_formula_has_temporal (formula);
  f->inside |= whole;
  formula = reduce_part (f, formula);
  if (formula && !f->inside && !is_constant (formula) &&
      tl_formula_has_temporal (formula) && !tl_formula_is_path (formula))
    return reduce_bracket (f, formula);
  if (!whole)
    return formula;
  f->inside = false;
  if (!formula || is_constant (formula))
    return formula;
  const tl_verdict verdict = tl_refuter_verdict (&f->refuter, formula);
  return verdict == TL_VERDICT_UNKNOWN
             ? formula
             : tl_formula_constant (f->arena, verdict == TL_VERDICT_TRUE);
}

tl_formula *tl_facts_apply (tl_facts *f, tl_arena *arena, tl_formula *formula,
                            tl_next next) {
  f->arena = arena;
  f->next = next;
  return reduce (f, formula);
}

// ---- Other questions -------------------------------------------------------

bool tl_facts_never_enabled (tl_facts *f, uint32_t transition) {
  const tl_node_range range = tl_shown_transition (f->net, transition);
  for (uint32_t i = 0; i < range.count; i++)
    if (!is_disabled (f, range.first + i))
      return false;
  return true;
}

bool tl_facts_one_safe (const tl_facts *f) {
  for (uint32_t p = 0; p < tl_shown_places (f->net); p++) {
    const tl_node_range range = tl_shown_place (f->net, p);
    uint64_t most = 0;
    for (uint32_t i = 0; i < range.count && most <= 1; i++) {
      const uint64_t one = tl_proven_bound (f->structure, range.first + i);
      most = one > 1 ? one : most + one;
    }
    if (most > 1)
      return false;
  }
  return true;
}

bool tl_facts_stable_place (const tl_facts *f, uint32_t place) {
  const tl_node_range range = tl_shown_place (f->net, place);
  for (uint32_t i = 0; i < range.count; i++)
    if (!tl_incidence_constant (f->structure->incidence, range.first + i))
      return false;
  return true;
}

bool tl_facts_return (tl_facts *f) {
  return tl_refuter_returns (&f->refuter);
}

// Is the sum always at most that, by cases?
static bool is_at_most (tl_facts *f, const tl_summand *term, uint32_t count,
                        int64_t bound) {
  tl_arena arena = TL_ARENA (f->assumed.mem);
  bool overflow;
  const tl_formula *sum =
      tl_formula_compare (&arena, term, count, bound, &overflow);
  const bool proven =
      sum && tl_refuter_verdict (&f->refuter, sum) == TL_VERDICT_TRUE;
  tl_arena_close (&arena);
  return proven;
}

bool tl_facts_kept_place (tl_facts *f, uint32_t place) {
  const tl_node_range range = tl_shown_place (f->net, place);
  tl_summand *term;
  uint64_t tokens = 0;
  if (!range.count || !TL_NEW (f->assumed.mem, term, range.count))
    return false;
  for (uint32_t i = 0; i < range.count; i++) {
    term[i] = (tl_summand){range.first + i, 1};
    tokens += f->net->initial[range.first + i];
  }
  bool kept = is_at_most (f, term, range.count, (int64_t)tokens);
  for (uint32_t i = 0; i < range.count; i++)
    term[i].coefficient = -1;
  kept = kept && is_at_most (f, term, range.count, -(int64_t)tokens);
  TL_DEL (f->assumed.mem, term, range.count);
  return kept;
}

// The least bound that cases prove, between what is at the start and what is
// known: steps get longer as long as it is proven, then shorter.
static uint64_t tighten (tl_facts *f, const tl_summand *term, uint32_t count,
                         uint64_t most) {
  __int128 least = 0;
  for (uint32_t i = 0; i < count; i++)
    least += (__int128)term[i].coefficient * f->net->initial[term[i].place];
  uint64_t step = 1;
  bool longer = true;
  while (step && most > least && most <= INT64_MAX) {
    step = step > most - least ? (uint64_t)(most - least) : step;
    const bool proven = is_at_most (f, term, count, (int64_t)(most - step));
    most -= proven ? step : 0;
    longer &= proven;
    step = longer ? step * 2 : step / 2;
  }
  return most;
}

bool tl_facts_most (tl_facts *f, const tl_summand *term, uint32_t count,
                    uint64_t *most) {
  tl_assumptions *a = &f->assumed;
  tl_entry *minus;
  int64_t least;
  if (!a->equation || !TL_NEW (a->mem, minus, count))
    return false;
  for (uint32_t i = 0; i < count; i++)
    minus[i] = (tl_entry){term[i].place, -term[i].coefficient};
  const bool known =
      tl_equation_least (a->equation, (tl_vector){minus, count}, &least);
  TL_DEL (a->mem, minus, count);
  *most = known && least <= 0 ? (uint64_t)-least : 0;
  if (!known || least > 0)
    return false;
  *most = tighten (f, term, count, *most);
  return true;
}
