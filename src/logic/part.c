#include "logic/part.h"

enum { INNER = 6 }; // of those some are enough

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

static bool is_listed (const tl_parts *p, const tl_formula *f) {
  for (uint32_t i = 0; i < p->count; i++)
    if (p->part[i].inner && !tl_formula_order (p->part[i].formula, f))
      return true;
  return false;
}

static void list_inner (tl_parts *p, tl_formula *f, bool behind,
                        uint32_t *left) {
  if (behind && *left && (f->op == TL_EXISTS || f->op == TL_ALL) &&
      !is_listed (p, f)) {
    p->part[p->count++] = (tl_part){.formula = f, .inner = true};
    --*left;
  }
  for (uint32_t i = 0; *left && i < tl_formula_operands (f); i++)
    list_inner (p, f->operand[i], behind || f->op >= TL_NEXT, left);
}

// Of an inner part a clue says only what there would have to be.
static void look_everywhere (tl_clue *clue) {
  if (clue->decides) {
    clue->needed = clue->target;
    clue->without = !clue->holds;
  }
  clue->target = 0;
}

static void remember (tl_part *part, const tl_parts *before) {
  for (uint32_t i = 0; i < before->count; i++)
    if (before->part[i].inner == part->inner &&
        !tl_formula_order (before->part[i].formula, part->formula)) {
      part->missed = before->part[i].missed;
      part->met = before->part[i].met;
    }
}

tl_status tl_parts_find (tl_parts *p, tl_arena *arena, tl_formula *f,
                         tl_next next, bool returns) {
  const tl_parts before = *p;
  uint32_t inner = next == TL_NEXT_CTL ? INNER : 0;
  tl_status rc = TL_OK;
  *p = (tl_parts){0};
  if (!TL_ARENA_NEW (arena, p->part, count_parts (f) + inner))
    return TL_E_NOMEM;
  list_parts (f, p->part, &p->count);
  list_inner (p, f, false, &inner);
  for (uint32_t i = 0; !rc && i < p->count; i++) {
    tl_part *part = p->part + i;
    rc = tl_clue_find (arena, part->formula, next, returns, &part->clue);
    if (part->inner)
      look_everywhere (&part->clue);
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
  f = !constant     ? 0
      : part->inner ? tl_formula_put (arena, f, part->formula, constant)
                    : put (arena, f, part->formula, constant);
  return f ? tl_formula_simplify_as (arena, f, next) : 0;
}
