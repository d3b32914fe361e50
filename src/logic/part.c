#include "logic/part.h"

static bool is_joined (const tl_formula *f) {
  return f->op == TL_AND || f->op == TL_OR;
}

bool tl_parts_return (const tl_formula *f) {
  if (!is_joined (f))
    return tl_clue_returns (f);
  for (uint32_t i = 0; i < f->count; i++)
    if (tl_parts_return (f->operand[i]))
      return true;
  return false;
}

static uint32_t count_parts (const tl_formula *f) {
  uint32_t count = 0;
  if (!is_joined (f))
    return tl_formula_has_temporal (f);
  for (uint32_t i = 0; i < f->count; i++)
    count += count_parts (f->operand[i]);
  return count;
}

static void list_parts (tl_formula *f, tl_part *part, uint32_t *count) {
  if (!is_joined (f)) {
    if (tl_formula_has_temporal (f))
      part[(*count)++].formula = f;
    return;
  }
  for (uint32_t i = 0; i < f->count; i++)
    list_parts (f->operand[i], part, count);
}

static void remember (tl_part *part, const tl_parts *before) {
  for (uint32_t i = 0; i < before->count; i++)
    if (!tl_formula_order (before->part[i].formula, part->formula)) {
      part->missed = before->part[i].missed;
      part->met = before->part[i].met;
    }
}

tl_status tl_parts_find (tl_parts *p, tl_arena *arena, tl_formula *f,
                         tl_next next, bool returns) {
  const tl_parts before = *p;
  const uint32_t all = count_parts (f);
  tl_status rc = TL_OK;
  *p = (tl_parts){0};
  if (!TL_ARENA_NEW (arena, p->part, all))
    return TL_E_NOMEM;
  list_parts (f, p->part, &p->count);
  for (uint32_t i = 0; !rc && i < all; i++) {
    tl_part *part = p->part + i;
    rc = tl_clue_find (arena, part->formula, next, returns, &part->clue);
    remember (part, &before);
  }
  return rc;
}

static tl_formula *put (tl_arena *arena, tl_formula *f, const tl_formula *part,
                        tl_formula *constant) {
  tl_formula **operand;
  if (!is_joined (f))
    return tl_formula_order (f, part) ? f : constant;
  if (!TL_ARENA_NEW (arena, operand, f->count))
    return 0;
  for (uint32_t i = 0; i < f->count; i++)
    if (!(operand[i] = put (arena, f->operand[i], part, constant)))
      return 0;
  return tl_formula_nary (arena, f->op, operand, f->count);
}

tl_formula *tl_parts_settle (tl_arena *arena, tl_formula *f,
                             const tl_part *part, tl_next next, bool holds) {
  tl_formula *constant = tl_formula_constant (arena, holds);
  f = constant ? put (arena, f, part->formula, constant) : 0;
  return f ? tl_formula_simplify_as (arena, f, next) : 0;
}
