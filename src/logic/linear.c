#include "logic/linear.h"

static tl_formula *with_operands (tl_arena *arena, tl_formula *f) {
  tl_formula *copy;
  if (!TL_ARENA_NEW (arena, copy, 1))
    return 0;
  *copy = *f;
  if (!TL_ARENA_NEW (arena, copy->operand, f->count))
    return 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (!(copy->operand[i] = tl_formula_linear (arena, f->operand[i], false)))
      return 0;
  return copy;
}

tl_formula *tl_formula_linear (tl_arena *arena, tl_formula *f, bool linear) {
  if (!tl_formula_has_temporal (f))
    return f;
  tl_formula *same = with_operands (arena, f);
  const bool exists = f->op == TL_EXISTS;
  if (!same || linear || (!exists && f->op != TL_ALL) ||
      f->operand[0]->op != TL_NEXT ||
      tl_formula_is_path (f->operand[0]->operand[0]))
    return same;
  tl_formula *dead = tl_formula_deadlock (arena);
  return exists
             ? tl_formula_binary (arena, TL_AND,
                                  tl_formula_unary (arena, TL_NOT, dead), same)
             : tl_formula_binary (arena, TL_OR, dead, same);
}
