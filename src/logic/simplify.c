#include "logic/simplify.h"

#include "logic/simplify_parts.h"

// ---- Atoms -----------------------------------------------------------------

static int64_t gcd (int64_t a, int64_t b) {
  while (b) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

static int64_t divide_down (int64_t n, int64_t by) {
  return n / by - (n % by < 0);
}

// A sum that is at most, or with `negated` more than, its bound.  Common
// factors go; tokens are never negative, so the signs may decide it.
static tl_formula *comparison (tl_arena *arena, const tl_formula *f,
                               bool negated) {
  int64_t factor = 0;
  bool positive = false, negative = false;
  for (uint32_t i = 0; i < f->count; i++) {
    factor = gcd (factor, f->term[i].coefficient);
    *((f->term[i].coefficient < 0) != negated ? &negative : &positive) = true;
  }
  // not s <= b  is  -s <= -b - 1
  const int64_t bound = divide_down (negated ? ~f->bound : f->bound, factor);
  if (!positive && bound >= 0)
    return tl_formula_constant (arena, true);
  if (!negative && bound < 0)
    return tl_formula_constant (arena, false);
  tl_summand *term;
  if (!TL_ARENA_NEW (arena, term, f->count))
    return 0;
  for (uint32_t i = 0; i < f->count; i++)
    term[i] = (tl_summand){f->term[i].place, f->term[i].coefficient / factor *
                                                 (negated ? -1 : 1)};
  bool overflow; // not possible with smaller coefficients
  return tl_formula_compare (arena, term, f->count, bound, &overflow);
}

// ---- All of it -------------------------------------------------------------

static tl_op dual (tl_op op) {
  switch (op) {
  case TL_AND: return TL_OR;
  case TL_OR: return TL_AND;
  case TL_EXISTS: return TL_ALL;
  case TL_ALL: return TL_EXISTS;
  case TL_FINALLY: return TL_GLOBALLY;
  case TL_GLOBALLY: return TL_FINALLY;
  case TL_UNTIL: return TL_RELEASE;
  case TL_RELEASE: return TL_UNTIL;
  default: return op;
  }
}

typedef struct simplifier {
  tl_arena *arena;
  tl_next next;
} simplifier;

static tl_formula *simple (const simplifier *, tl_formula *, bool negated);

static tl_formula *simple_list (const simplifier *s, tl_op op, tl_formula *f,
                                bool negated) {
  tl_members l = {.arena = s->arena, .op = op, .count = f->count};
  if (!TL_ARENA_NEW (s->arena, l.member, l.count))
    return 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (!(l.member[i] = simple (s, f->operand[i], negated)))
      return 0;
  return tl_simple_join (&l);
}

// Does it say the same of a run and of the rest of it, whatever is left out:
// GF f, FG f, and what AND and OR make of such formulas?
static bool is_about_the_end (const tl_formula *f) {
  if (f->op == TL_FINALLY || f->op == TL_GLOBALLY)
    return f->operand[0]->op == dual (f->op);
  bool all = f->op == TL_AND || f->op == TL_OR;
  for (uint32_t i = 0; all && i < f->count; i++)
    all = is_about_the_end (f->operand[i]);
  return all || tl_formula_is_constant (f);
}

// X of a simple formula, as in LTL.
static tl_formula *next_of (tl_arena *arena, tl_formula *f) {
  return !f || is_about_the_end (f) ? f : tl_formula_unary (arena, TL_NEXT, f);
}

// F or G of a simple formula.  F X f is X F f in LTL, so that G X G f is X G f,
// and G X F f is G F f.
static tl_formula *temporal (const simplifier *s, tl_op op, tl_formula *f) {
  if (f && f->op == TL_NEXT && s->next == TL_NEXT_LTL)
    return next_of (s->arena, temporal (s, op, f->operand[0]));
  return tl_simple_temporal (s->arena, op, f);
}

// EX f and AX f, unless the X is known to be that of LTL: EX FALSE is FALSE
// with either of them, but EX TRUE of CTL says that the state is not dead.
static tl_formula *quantified_next (const simplifier *s, tl_op op,
                                    tl_formula *f) {
  const bool all = op == TL_ALL;
  if (!f || f->op == (all ? TL_TRUE : TL_FALSE))
    return f;
  if (tl_formula_is_constant (f) && s->next == TL_NEXT_CTL) {
    tl_formula *dead = tl_formula_deadlock (s->arena);
    return all ? dead : tl_formula_unary (s->arena, TL_NOT, dead);
  }
  return tl_formula_unary (s->arena, op,
                           tl_formula_unary (s->arena, TL_NEXT, f));
}

static tl_formula *simple (const simplifier *s, tl_formula *f, bool negated) {
  tl_arena *arena = s->arena;
  const tl_op op = negated ? dual (f->op) : f->op;
  switch (f->op) {
  case TL_TRUE:
  case TL_FALSE:
    return tl_formula_constant (arena, (f->op == TL_TRUE) != negated);
  case TL_COMPARE: return comparison (arena, f, negated);
  case TL_FIREABLE:
  case TL_DEADLOCK: return negated ? tl_formula_unary (arena, TL_NOT, f) : f;
  case TL_NOT: return simple (s, f->operand[0], !negated);
  case TL_AND:
  case TL_OR: return simple_list (s, op, f, negated);
  case TL_EXISTS:
  case TL_ALL:
    if (f->operand[0]->op == TL_NEXT && s->next != TL_NEXT_LTL)
      return quantified_next (s, op,
                              simple (s, f->operand[0]->operand[0], negated));
    return tl_simple_quantified (arena, op, simple (s, f->operand[0], negated));
  case TL_NEXT:
    if (s->next == TL_NEXT_LTL)
      return next_of (arena, simple (s, f->operand[0], negated));
    f = tl_formula_unary (arena, TL_NEXT, simple (s, f->operand[0], false));
    return negated ? tl_formula_unary (arena, TL_NOT, f) : f;
  case TL_FINALLY:
  case TL_GLOBALLY: return temporal (s, op, simple (s, f->operand[0], negated));
  case TL_UNTIL:
  case TL_RELEASE:
    return tl_simple_until (arena, op, simple (s, f->operand[0], negated),
                            simple (s, f->operand[1], negated));
  }
  return 0;
}

tl_formula *tl_formula_simplify_as (tl_arena *arena, tl_formula *f,
                                    tl_next next) {
  return simple (&(simplifier){arena, next}, f, false);
}

tl_formula *tl_formula_simplify (tl_arena *arena, tl_formula *f) {
  return tl_formula_simplify_as (arena, f, TL_NEXT_EITHER);
}

tl_formula *tl_formula_negate (tl_arena *arena, tl_formula *f) {
  return simple (&(simplifier){arena, TL_NEXT_EITHER}, f, true);
}
