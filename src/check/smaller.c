#include "check/smaller.h"

static bool is_constant (const tl_formula *f) {
  return f->op == TL_TRUE || f->op == TL_FALSE;
}

tl_status tl_smaller_open (tl_smaller *s, tl_mem *parent, tl_arena *arena,
                           const tl_net *net, tl_structure *structure,
                           tl_formula *formula, double seconds) {
  *s = (tl_smaller){.mem = TL_MEM (parent, "reduction"),
                    .budget = tl_budget_part (parent, seconds),
                    .formula = formula,
                    .net = net,
                    .structure = structure};
  s->mem.budget = &s->budget;
  const tl_reducing how = {.net = net,
                           .structure = structure,
                           .formula = &formula,
                           .formulas = 1,
                           .rules = TL_ALL_RULES};
  tl_reduced *r;
  tl_status rc = tl_reduced_open (&r, &s->mem, &how);
  if (rc)
    return rc;
  tl_formula *now = tl_reduced_formula (r, arena, formula);
  if (!now || r->same || is_constant (now)) {
    tl_reduced_close (r);
    return now ? TL_OK : TL_E_NOMEM;
  }
  s->reduced = r;
  s->net = r->net;
  s->formula = now;
  s->structure = 0;
  if (!structure) // the search finds what it can
    return TL_OK;
  rc = tl_structure_open (&s->own, &s->mem, r->net, 0, 0);
  if (rc)
    return rc;
  tl_structure_adopt (s->own, structure, r->place);
  s->structure = s->own;
  return TL_OK;
}

void tl_smaller_close (tl_smaller *s) {
  tl_structure_close (s->own);
  tl_reduced_close (s->reduced);
}
