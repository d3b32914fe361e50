#include "logic/ending.h"

static tl_formula *dead (tl_arena *arena, tl_formula *f) {
  tl_formula **part;
  switch (f->op) {
  case TL_TRUE:
  case TL_FALSE:
  case TL_COMPARE: return f;
  case TL_FIREABLE: return tl_formula_constant (arena, false);
  case TL_DEADLOCK: return tl_formula_constant (arena, true);
  case TL_NOT:
    return tl_formula_unary (arena, TL_NOT, dead (arena, f->operand[0]));
  case TL_EXISTS:
  case TL_ALL:
    return f->operand[0]->op == TL_NEXT
               ? tl_formula_constant (arena, f->op == TL_ALL)
               : dead (arena, f->operand[0]);
  case TL_AND:
  case TL_OR:
    if (!TL_ARENA_NEW (arena, part, f->count))
      return 0;
    for (uint32_t i = 0; i < f->count; i++)
      if (!(part[i] = dead (arena, f->operand[i])))
        return 0;
    return tl_formula_nary (arena, f->op, part, f->count);
  default: return dead (arena, f->operand[f->count - 1]);
  }
}

tl_formula *tl_formula_when_dead (tl_arena *arena, tl_formula *f) {
  tl_formula *d = dead (arena, f);
  return d ? tl_formula_simplify (arena, d) : 0;
}
