#include "logic/formula.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static tl_formula *leaf (tl_arena *arena, tl_op op) {
  tl_formula *f;
  if (TL_ARENA_NEW (arena, f, 1))
    f->op = op;
  return f;
}

tl_formula *tl_formula_constant (tl_arena *arena, bool value) {
  return leaf (arena, value ? TL_TRUE : TL_FALSE);
}

tl_formula *tl_formula_deadlock (tl_arena *arena) {
  return leaf (arena, TL_DEADLOCK);
}

static int by_place (const void *left, const void *right) {
  const tl_summand *l = left, *r = right;
  return (l->place > r->place) - (l->place < r->place);
}

// Joins sorted terms of the same place and drops those that come to nothing.
static size_t join_terms (tl_summand *term, size_t count, bool *overflow) {
  __int128 size = 0; // of all coefficients together
  size_t n = 0;
  for (size_t i = 0, next; i < count; i = next) {
    __int128 sum = 0;
    for (next = i; next < count && term[next].place == term[i].place; next++)
      sum += term[next].coefficient;
    size += sum < 0 ? -sum : sum;
    if ((*overflow = size > INT64_MAX))
      return 0;
    if (sum)
      term[n++] = (tl_summand){term[i].place, (int64_t)sum};
  }
  return n;
}

tl_formula *tl_formula_compare (tl_arena *arena, const tl_summand *terms,
                                size_t count, int64_t bound, bool *overflow) {
  *overflow = false;
  tl_summand *copy;
  if (!TL_ARENA_NEW (arena, copy, count))
    return 0;
  if (count) {
    memcpy (copy, terms, count * sizeof *copy);
    qsort (copy, count, sizeof *copy, by_place);
    count = join_terms (copy, count, overflow);
  }
  if (*overflow)
    return 0;
  if (!count)
    return tl_formula_constant (arena, 0 <= bound);
  tl_formula *f = leaf (arena, TL_COMPARE);
  if (!f)
    return 0;
  f->count = (uint32_t)count;
  f->term = copy;
  f->bound = bound;
  return f;
}

int64_t tl_formula_coefficient (const tl_formula *f, uint32_t place) {
  const tl_summand key = {.place = place},
                   *found =
                       bsearch (&key, f->term, f->count, sizeof key, by_place);
  return found ? found->coefficient : 0;
}

static int by_number (const void *left, const void *right) {
  const uint32_t *l = left, *r = right;
  return (*l > *r) - (*l < *r);
}

tl_formula *tl_formula_fireable (tl_arena *arena, const uint32_t *transitions,
                                 size_t count) {
  if (!count)
    return tl_formula_constant (arena, false);
  tl_formula *f = leaf (arena, TL_FIREABLE);
  if (!f || !TL_ARENA_NEW (arena, f->transition, count))
    return 0;
  memcpy (f->transition, transitions, count * sizeof *transitions);
  qsort (f->transition, count, sizeof *transitions, by_number);
  for (size_t i = 0; i < count; i++)
    if (!f->count || f->transition[f->count - 1] != f->transition[i])
      f->transition[f->count++] = f->transition[i];
  return f;
}

static tl_formula *node (tl_arena *arena, tl_op op, tl_formula *const *operands,
                         size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!operands[i])
      return 0;
  tl_formula *f = leaf (arena, op);
  if (!f || !TL_ARENA_NEW (arena, f->operand, count))
    return 0;
  memcpy (f->operand, operands, count * sizeof *operands);
  f->count = (uint32_t)count;
  return f;
}

tl_formula *tl_formula_unary (tl_arena *arena, tl_op op, tl_formula *operand) {
  assert (op == TL_NOT || (op >= TL_EXISTS && op <= TL_GLOBALLY));
  return node (arena, op, &operand, 1);
}

tl_formula *tl_formula_binary (tl_arena *arena, tl_op op, tl_formula *left,
                               tl_formula *right) {
  assert (op == TL_AND || op == TL_OR || op == TL_UNTIL || op == TL_RELEASE);
  return node (arena, op, (tl_formula *const[]){left, right}, 2);
}

tl_formula *tl_formula_nary (tl_arena *arena, tl_op op,
                             tl_formula *const *operands, size_t count) {
  assert (op == TL_AND || op == TL_OR);
  if (!count)
    return tl_formula_constant (arena, op == TL_AND);
  return count == 1 ? operands[0] : node (arena, op, operands, count);
}

tl_formula *tl_formula_with (tl_arena *arena, const tl_formula *f,
                             tl_formula *const *operand) {
  return f->op == TL_AND || f->op == TL_OR
             ? tl_formula_nary (arena, f->op, operand, f->count)
         : f->count == 2
             ? tl_formula_binary (arena, f->op, operand[0], operand[1])
             : tl_formula_unary (arena, f->op, operand[0]);
}

bool tl_formula_has_temporal (const tl_formula *f) {
  if (f->op >= TL_EXISTS)
    return true;
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    if (tl_formula_has_temporal (f->operand[i]))
      return true;
  return false;
}

bool tl_formula_is_path (const tl_formula *f) {
  if (f->op >= TL_NEXT)
    return true;
  if (f->op == TL_EXISTS || f->op == TL_ALL)
    return false;
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    if (tl_formula_is_path (f->operand[i]))
      return true;
  return false;
}

static bool is_quantified (const tl_formula *f) {
  return f->op == TL_EXISTS || f->op == TL_ALL;
}

static bool has_quantifier (const tl_formula *f) {
  bool found = is_quantified (f);
  for (uint32_t i = 0; !found && i < tl_formula_operands (f); i++)
    found = has_quantifier (f->operand[i]);
  return found;
}

bool tl_formula_is_about_runs (const tl_formula *f) {
  return is_quantified (f) && !has_quantifier (f->operand[0]);
}

bool tl_formula_is_reach (const tl_formula *f) {
  return (f->op == TL_EXISTS && f->operand[0]->op == TL_FINALLY) ||
         (f->op == TL_ALL && f->operand[0]->op == TL_GLOBALLY);
}

#define ORDER(LEFT, RIGHT) (((LEFT) > (RIGHT)) - ((LEFT) < (RIGHT)))

static int order_comparisons (const tl_formula *l, const tl_formula *r) {
  for (uint32_t i = 0; i < l->count; i++) {
    const tl_summand *s = l->term + i, *t = r->term + i;
    if (s->place != t->place)
      return ORDER (s->place, t->place);
    if (s->coefficient != t->coefficient)
      return ORDER (s->coefficient, t->coefficient);
  }
  return ORDER (l->bound, r->bound);
}

int tl_formula_order (const tl_formula *l, const tl_formula *r) {
  if (l == r)
    return 0;
  if (l->op != r->op)
    return ORDER (l->op, r->op);
  if (l->count != r->count)
    return ORDER (l->count, r->count);
  if (l->op == TL_COMPARE)
    return order_comparisons (l, r);
  for (uint32_t i = 0; l->op == TL_FIREABLE && i < l->count; i++)
    if (l->transition[i] != r->transition[i])
      return ORDER (l->transition[i], r->transition[i]);
  for (uint32_t i = 0; i < tl_formula_operands (l); i++) {
    const int order = tl_formula_order (l->operand[i], r->operand[i]);
    if (order)
      return order;
  }
  return 0;
}

tl_formula *tl_formula_put (tl_arena *arena, tl_formula *f,
                            const tl_formula *part, tl_formula *instead) {
  tl_formula **operand;
  const uint32_t count = tl_formula_operands (f);
  if (f->op == part->op && !tl_formula_order (f, part))
    return instead;
  if (!count)
    return f;
  if (!TL_ARENA_NEW (arena, operand, count))
    return 0;
  for (uint32_t i = 0; i < count; i++)
    if (!(operand[i] = tl_formula_put (arena, f->operand[i], part, instead)))
      return 0;
  return tl_formula_with (arena, f, operand);
}

tl_question *tl_questions_add (tl_questions *q, const char *name) {
  char *copy = tl_arena_text (&q->arena, name, strlen (name));
  if (!copy || !TL_ROOM (&q->mem, q->question, &q->capacity, q->count + 1))
    return 0;
  tl_question *question = q->question + q->count++;
  *question = (tl_question){.name = copy};
  return question;
}
