#include "check/reaching.h"

#include "logic/bracket.h"
#include "logic/ending.h"

typedef struct reaching {
  tl_facts *facts;
  tl_arena *arena;
  bool shown;
} reaching;

static tl_formula *join (const reaching *r, tl_op op, tl_formula *a,
                         tl_formula *b) {
  tl_formula *f = tl_formula_binary (r->arena, op, a, b);
  return f ? tl_formula_simplify (r->arena, f) : 0;
}

// Is it proven that no dead marking violates the formula, and that there is one
// to be reached from everywhere?
static bool ends (const reaching *r, tl_formula *dead) {
  tl_formula *bad = tl_formula_negate (r->arena, dead);
  bad = bad ? join (r, TL_AND, bad, tl_formula_deadlock (r->arena)) : 0;
  return bad &&
         (bad->op == TL_FALSE ||
          tl_refuter_verdict (&r->facts->refuter, bad) == TL_VERDICT_FALSE) &&
         tl_refuter_ends (&r->facts->refuter);
}

// Is EF f proven to hold everywhere?
static bool is_reached (const reaching *r, tl_formula *f) {
  tl_formula *below = tl_formula_below (r->arena, f, TL_NEXT_CTL),
             *dead = tl_formula_when_dead (r->arena, f);
  if (!below || !dead)
    return false;
  if (below->op == TL_TRUE)
    return true;
  if (dead->op != TL_FALSE && ends (r, dead))
    return true;
  below = join (r, TL_OR, below,
                join (r, TL_AND, dead, tl_formula_deadlock (r->arena)));
  return below && below->op != TL_FALSE &&
         tl_refuter_leads (&r->facts->refuter, below);
}

static tl_formula *apply (const reaching *r, tl_formula *f, bool behind) {
  if (!tl_formula_has_temporal (f))
    return f;
  tl_formula **operand;
  if (!TL_ARENA_NEW (r->arena, operand, f->count))
    return 0;
  const bool deep = behind || f->op >= TL_NEXT;
  for (uint32_t i = 0; i < f->count; i++)
    if (!(operand[i] = apply (r, f->operand[i], deep)))
      return 0;
  f = tl_formula_with (r->arena, f, operand);
  if (!f || !tl_formula_is_reach (f))
    return f;
  tl_formula *goal = f->operand[0]->operand[0];
  if (!behind && (r->shown || !tl_formula_has_temporal (goal)))
    return f;
  goal = f->op == TL_ALL ? tl_formula_negate (r->arena, goal)
                         : tl_formula_simplify (r->arena, goal);
  if (!goal)
    return 0;
  return is_reached (r, goal)
             ? tl_formula_constant (r->arena, f->op == TL_EXISTS)
             : f;
}

tl_formula *tl_reaching_apply (tl_facts *facts, tl_arena *arena, tl_formula *f,
                               bool shown) {
  const reaching r = {facts, arena, shown};
  return apply (&r, f, false);
}
