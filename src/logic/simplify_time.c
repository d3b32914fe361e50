// F, G, U, R, E and A of simple formulas.  Every rule is given for F, U, E and
// OR, and holds for G, R, A and AND as well: these are the same with
// everything negated.

#include "logic/simplify_parts.h"

static tl_op finally_or_globally (bool all) {
  return all ? TL_GLOBALLY : TL_FINALLY;
}

// Is it `quantifier` `temporal` of something?
static bool begins_with (const tl_formula *f, tl_op quantifier,
                         tl_op temporal) {
  return f->op == quantifier && f->operand[0]->op == temporal;
}

// The last operand of F or of U: what comes to pass in the end.
static tl_formula *outcome (const tl_formula *f) {
  return f->operand[f->count - 1];
}

// ---- State formulas that are true before they come true --------------------

// Does it hold, if it holds at some state of a run, at all states before: EF f,
// and what AND and OR make of such formulas?  With `all`: does AG f ... hold at
// all states behind?
static bool persists (const tl_formula *f, bool all) {
  if (f->op != TL_AND && f->op != TL_OR)
    return begins_with (f, all ? TL_ALL : TL_EXISTS, finally_or_globally (all));
  for (uint32_t i = 0; i < f->count; i++)
    if (!persists (f->operand[i], all))
      return false;
  return true;
}

// Parts of an OR, those that persist and the others; null: there are none.
typedef struct parts {
  tl_formula *persistent, *other;
} parts;

// False when there is no memory.
static bool part (tl_arena *arena, tl_formula *f, bool all, parts *out) {
  const tl_op op = all ? TL_AND : TL_OR;
  *out = (parts){0};
  if (f->op != op || persists (f, all)) {
    *(persists (f, all) ? &out->persistent : &out->other) = f;
    return true;
  }
  tl_members kept = {.arena = arena, .op = op}, rest = kept;
  if (!TL_ARENA_NEW (arena, kept.member, f->count) ||
      !TL_ARENA_NEW (arena, rest.member, f->count))
    return false;
  for (uint32_t i = 0; i < f->count; i++) {
    tl_members *to = persists (f->operand[i], all) ? &kept : &rest;
    to->member[to->count++] = f->operand[i];
  }
  return (!kept.count || (out->persistent = tl_simple_join (&kept))) &&
         (!rest.count || (out->other = tl_simple_join (&rest)));
}

static tl_formula *join_two (tl_arena *arena, tl_op op, tl_formula *l,
                             tl_formula *r) {
  tl_formula *both[] = {l, r};
  tl_members list = {.arena = arena, .op = op, .member = both, .count = 2};
  return tl_simple_join (&list);
}

// ---- F and G ---------------------------------------------------------------

// What is left of f under an F: F F f and F (g U f) are F f.
static tl_formula *under_path (tl_formula *f, bool all) {
  const tl_op until = all ? TL_RELEASE : TL_UNTIL;
  while (f->op == finally_or_globally (all) || f->op == until)
    f = outcome (f);
  return f;
}

// The same under EF, or with `same` not set under AF: EF EF f, EF E (g U f), EF
// AF f and EF A (g U f) are EF f; AF AF f and AF A (g U f) are AF f.
static tl_formula *under_quantified (tl_formula *f, bool all, bool same) {
  const tl_op until = all ? TL_RELEASE : TL_UNTIL;
  const tl_op other = all ? TL_EXISTS : TL_ALL;
  for (;;) {
    f = under_path (f, all);
    if ((f->op != TL_EXISTS && f->op != TL_ALL) || (!same && f->op != other))
      return f;
    const tl_formula *path = f->operand[0];
    if ((path->op != finally_or_globally (all) && path->op != until) ||
        tl_formula_is_path (outcome (path)) ||
        tl_formula_is_path (path->operand[0]))
      return f;
    f = outcome (path);
  }
}

// What an F leaves of its operand, or of each member if that is an OR.  With a
// quantifier it is EF or AF.
static tl_formula *strip (tl_arena *arena, tl_op temporal, tl_formula *f,
                          tl_op quantifier) {
  const bool all = temporal == TL_GLOBALLY;
  tl_members l = {.arena = arena, .op = all ? TL_AND : TL_OR};
  const bool many = f->op == l.op;
  l.count = many ? f->count : 1;
  if (!TL_ARENA_NEW (arena, l.member, l.count))
    return 0;
  for (size_t i = 0; i < l.count; i++) {
    tl_formula *member = many ? f->operand[i] : f;
    l.member[i] =
        quantifier == TL_NOT
            ? under_path (member, all)
            : under_quantified (member, all, (quantifier == TL_ALL) == all);
  }
  return tl_simple_join (&l);
}

tl_formula *tl_simple_temporal (tl_arena *arena, tl_op op, tl_formula *f) {
  f = f ? strip (arena, op, f, TL_NOT) : 0;
  if (!f || tl_formula_is_constant (f))
    return f;
  const bool all = op == TL_GLOBALLY;
  // F G F f is G F f.
  if (f->op == finally_or_globally (!all) && f->operand[0]->op == op)
    return f;
  parts p;
  if (!part (arena, f, all, &p))
    return 0;
  if (!p.persistent)
    return tl_formula_unary (arena, op, f);
  return p.other ? join_two (arena, all ? TL_AND : TL_OR, p.persistent,
                             tl_simple_temporal (arena, op, p.other))
                 : p.persistent;
}

// ---- U and R ---------------------------------------------------------------

static bool is_equal (const tl_formula *l, const tl_formula *r) {
  return !tl_formula_order (l, r);
}

tl_formula *tl_simple_until (tl_arena *arena, tl_op op, tl_formula *left,
                             tl_formula *right) {
  if (!left || !right)
    return 0;
  const bool all = op == TL_RELEASE;
  // What makes left say nothing; left U F f is F f, and left U (left U f) is
  // left U f.
  if (tl_formula_is_constant (right) ||
      left->op == (all ? TL_TRUE : TL_FALSE) || is_equal (left, right) ||
      right->op == finally_or_globally (all) ||
      (right->op == op && is_equal (right->operand[0], left)))
    return right;
  // (f U right) U right is f U right.
  if (left->op == op && is_equal (left->operand[1], right))
    return left;
  if (left->op == (all ? TL_FALSE : TL_TRUE))
    return tl_simple_temporal (arena, finally_or_globally (all), right);
  parts p;
  if (!part (arena, right, all, &p))
    return 0;
  if (!p.persistent)
    return tl_formula_binary (arena, op, left, right);
  return p.other ? join_two (arena, all ? TL_AND : TL_OR, p.persistent,
                             tl_simple_until (arena, op, left, p.other))
                 : p.persistent;
}

// ---- E and A ---------------------------------------------------------------

static tl_formula *spread (tl_arena *arena, tl_op op, const tl_formula *f) {
  tl_members l = {.arena = arena, .op = f->op, .count = f->count};
  if (!TL_ARENA_NEW (arena, l.member, l.count))
    return 0;
  for (size_t i = 0; i < l.count; i++)
    l.member[i] = tl_simple_quantified (arena, op, f->operand[i]);
  return tl_simple_join (&l);
}

// E (f AND g), where f speaks of one state, is f AND E g.
static tl_formula *divide (tl_arena *arena, tl_op op, tl_formula *f) {
  tl_members state = {.arena = arena, .op = f->op}, path = state;
  if (!TL_ARENA_NEW (arena, state.member, (size_t)f->count + 1) ||
      !TL_ARENA_NEW (arena, path.member, f->count))
    return 0;
  for (uint32_t i = 0; i < f->count; i++) {
    tl_members *to = tl_formula_is_path (f->operand[i]) ? &path : &state;
    to->member[to->count++] = f->operand[i];
  }
  if (!state.count)
    return tl_formula_unary (arena, op, f);
  state.member[state.count++] =
      tl_simple_quantified (arena, op, tl_simple_join (&path));
  return tl_simple_join (&state);
}

// E (g U E (g U f)) is E (g U f), and so for A.
static bool repeats (const tl_formula *path, tl_op quantifier) {
  const tl_formula *right = outcome (path);
  return right->op == quantifier && right->operand[0]->op == path->op &&
         is_equal (right->operand[0]->operand[0], path->operand[0]);
}

tl_formula *tl_simple_quantified (tl_arena *arena, tl_op op, tl_formula *f) {
  if (!f || !tl_formula_is_path (f))
    return f;
  if (f->op == (op == TL_EXISTS ? TL_OR : TL_AND))
    return spread (arena, op, f);
  if (f->op == TL_AND || f->op == TL_OR)
    return divide (arena, op, f);
  if (f->op == TL_FINALLY || f->op == TL_GLOBALLY) {
    tl_formula *rest = strip (arena, f->op, f->operand[0], op);
    if (!rest)
      return 0;
    if (!is_equal (rest, f->operand[0]))
      return tl_simple_quantified (arena, op,
                                   tl_simple_temporal (arena, f->op, rest));
  }
  if ((f->op == TL_UNTIL || f->op == TL_RELEASE) && repeats (f, op))
    return outcome (f);
  return tl_formula_unary (arena, op, f);
}
