#include "logic/returning.h"

enum { PARTS = 6, LARGE = 4000 };

// A part behind a temporal operator, or null: one that has none of its kind
// inside.
static tl_formula *find_part (tl_formula *f, bool behind) {
  for (uint32_t i = 0; i < tl_formula_operands (f); i++) {
    tl_formula *part = find_part (f->operand[i], behind || f->op >= TL_NEXT);
    if (part)
      return part;
  }
  return behind && tl_formula_is_reach (f) &&
                 !tl_formula_is_path (f->operand[0]->operand[0])
             ? f
             : 0;
}

static size_t size_of (const tl_formula *f) {
  size_t size = 1;
  for (uint32_t i = 0; i < tl_formula_operands (f) && size < LARGE; i++)
    size += size_of (f->operand[i]);
  return size;
}

static tl_formula *take_out (tl_arena *arena, tl_formula *f, tl_formula *part) {
  tl_formula *yes = tl_formula_constant (arena, true),
             *no = tl_formula_constant (arena, false);
  if (!yes || !no)
    return 0;
  yes = tl_formula_put (arena, f, part, yes);
  no = tl_formula_put (arena, f, part, no);
  return tl_formula_binary (
      arena, TL_OR, tl_formula_binary (arena, TL_AND, part, yes),
      tl_formula_binary (arena, TL_AND, tl_formula_unary (arena, TL_NOT, part),
                         no));
}

bool tl_formula_may_return (const tl_formula *f) {
  return size_of (f) < LARGE && find_part ((tl_formula *)f, false);
}

tl_formula *tl_formula_returning (tl_arena *arena, tl_formula *f,
                                  tl_next next) {
  for (int i = 0; f && i < PARTS && tl_formula_may_return (f); i++) {
    f = take_out (arena, f, find_part (f, false));
    if (f)
      f = tl_formula_simplify_as (arena, f, next);
  }
  return f;
}
