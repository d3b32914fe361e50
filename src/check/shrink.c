#include "check/shrink.h"

#include "logic/initial.h"
#include "logic/linear.h"
#include "logic/reach.h"

static tl_next next_of (const tl_shrunk *s) {
  return s->linear ? TL_NEXT_LTL : TL_NEXT_CTL;
}

// False when there is no memory.
static bool rewrite (tl_shrinker *k, tl_shrunk *s) {
  return s->formula && (s->formula = tl_formula_simplify_as (
                            k->arena, s->formula, next_of (s)));
}

static bool look_at_initial (tl_shrinker *k, tl_shrunk *s) {
  s->formula =
      tl_formula_at (k->arena, s->formula, k->net, k->initial, next_of (s));
  return rewrite (k, s);
}

static bool is_decided (tl_shrunk *s, const char *engine) {
  if (s->formula->op == TL_TRUE || s->formula->op == TL_FALSE)
    s->engine = engine;
  return s->engine;
}

tl_status tl_shrink (tl_shrinker *k, const tl_question *q, tl_shrunk *s) {
  *s = (tl_shrunk){.formula = q->formula,
                   .linear = q->linear ||
                             tl_formula_shape (q->formula) > TL_SHAPE_CTL};
  if (s->linear)
    s->formula = tl_formula_linear (k->arena, s->formula, q->linear);
  if (!rewrite (k, s))
    return TL_E_NOMEM;
  if (is_decided (s, "rewrite"))
    return TL_OK;
  if (!look_at_initial (k, s))
    return TL_E_NOMEM;
  is_decided (s, "initial");
  return TL_OK;
}
