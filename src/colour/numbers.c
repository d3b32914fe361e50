#include "colour/evaluate_parts.h"

#include <string.h>

// Terms of discrete types: arithmetic, comparisons, logic.

static tl_status overflow (tl_evaluation *e, const tl_term *t) {
  return TL_WRONG (e, t->where, "overflow: the result needs more than 64 bits");
}

// Operators of a modulo type wrap.
static int64_t wrap (const tl_type *type, int64_t n) {
  if (type->kind != TL_TYPE_MOD)
    return n;
  const int64_t modulus = type->root->last + 1, rest = n % modulus;
  return rest < 0 ? rest + modulus : rest;
}

static tl_status divide (tl_evaluation *e, const tl_term *t, int64_t a,
                         int64_t b, int64_t *value) {
  if (!b)
    return TL_WRONG (e, t->where, "division by 0");
  if (a == INT64_MIN && b == -1)
    return overflow (e, t);
  *value = wrap (t->type, t->kind == TL_TERM_DIVIDE ? a / b : a % b);
  return TL_OK;
}

static tl_status arithmetic (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                             int64_t *value) {
  int64_t a, b;
  tl_status s;
  if ((s = tl_term_number (e, t->operand[0], frame, &a)) ||
      (s = tl_term_number (e, t->operand[1], frame, &b)))
    return s;
  bool over;
  switch (t->kind) {
  case TL_TERM_ADD: over = __builtin_add_overflow (a, b, value); break;
  case TL_TERM_SUBTRACT: over = __builtin_sub_overflow (a, b, value); break;
  case TL_TERM_MULTIPLY: over = __builtin_mul_overflow (a, b, value); break;
  default: return divide (e, t, a, b, value);
  }
  *value = wrap (t->type, *value);
  return over ? overflow (e, t) : TL_OK;
}

static bool holds (tl_term_kind kind, int order) {
  switch (kind) {
  case TL_TERM_EQUAL: return order == 0;
  case TL_TERM_UNEQUAL: return order != 0;
  case TL_TERM_LESS: return order < 0;
  case TL_TERM_LESS_EQUAL: return order <= 0;
  case TL_TERM_GREATER: return order > 0;
  default: return order >= 0;
  }
}

static tl_status compare_cells (tl_evaluation *e, const tl_term *t,
                                tl_cell *frame, int64_t *value) {
  const tl_scratch_mark mark = tl_scratch_now (e);
  const tl_cell *a, *b;
  tl_status s;
  if (!(s = tl_term_cells (e, t->operand[0], frame, &a)) &&
      !(s = tl_term_cells (e, t->operand[1], frame, &b)))
    *value =
        holds (t->kind, tl_value_compare (a, b, t->operand[0]->type->cells));
  tl_scratch_back (e, mark);
  return s;
}

static tl_status compare (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                          int64_t *value) {
  int64_t a, b;
  tl_status s;
  if (!tl_type_is_discrete (t->operand[0]->type))
    return t->kind <= TL_TERM_UNEQUAL
               ? compare_cells (e, t, frame, value)
               : tl_container_number (e, t, frame, value);
  if ((s = tl_term_number (e, t->operand[0], frame, &a)) ||
      (s = tl_term_number (e, t->operand[1], frame, &b)))
    return s;
  *value = holds (t->kind, (a > b) - (a < b));
  return TL_OK;
}

static tl_status bounded (tl_evaluation *e, const tl_term *t, int64_t n) {
  const tl_type *type = t->type;
  if (n >= type->first && n <= type->last)
    return TL_OK;
  const char *why =
      t->kind == TL_TERM_CAST ? "cast failed" : "expression out of range";
  if (type->kind == TL_TYPE_ENUM)
    return TL_WRONG (e, t->where, "%s: the value is not one of type %s", why,
                     type->name);
  return TL_WRONG (e, t->where, "%s: %lld is not in %lld..%lld (type %s)", why,
                   (long long)n, (long long)type->first, (long long)type->last,
                   type->name);
}

static int64_t neighbour (const tl_term *t, int64_t n) {
  const tl_type *type = t->type;
  const bool up = t->kind == TL_TERM_SUCC;
  if (type->kind != TL_TYPE_RANGE && n == (up ? type->last : type->first))
    return up ? type->first : type->last;
  return up ? n + 1 : n - 1;
}

static tl_status unary (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                        int64_t *value) {
  int64_t n;
  const tl_status s = tl_term_number (e, t->operand[0], frame, &n);
  if (s)
    return s;
  *value = n;
  switch (t->kind) {
  case TL_TERM_MINUS:
    if (n == INT64_MIN)
      return overflow (e, t);
    *value = wrap (t->type, -n);
    return TL_OK;
  case TL_TERM_NOT: *value = !n; return TL_OK;
  case TL_TERM_SUCC:
  case TL_TERM_PRED:
    if (n == INT64_MIN || n == INT64_MAX)
      return overflow (e, t);
    *value = neighbour (t, n);
    return TL_OK;
  default: return bounded (e, t, n);
  }
}

// AND and OR may be those of booleans only; sets have kinds of their own.
static tl_status logic (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                        int64_t *value) {
  const tl_status s = tl_term_number (e, t->operand[0], frame, value);
  if (s || *value == (t->kind == TL_TERM_OR))
    return s;
  return tl_term_number (e, t->operand[1], frame, value);
}

static tl_status choose (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                         int64_t *value) {
  int64_t condition;
  const tl_status s = tl_term_number (e, t->operand[0], frame, &condition);
  return s ? s
           : tl_term_number (e, t->operand[condition ? 1 : 2], frame, value);
}

static tl_status call (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                       int64_t *value) {
  tl_cell result = 0;
  const tl_status s = tl_call (e, t, frame, &result);
  *value = result;
  return s;
}

tl_status tl_term_number (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                          int64_t *value) {
  if (t->kind == TL_TERM_VARIABLE || t->kind == TL_TERM_CONSTANT) {
    *value = t->kind == TL_TERM_VARIABLE ? frame[t->offset] : *t->value;
    return TL_OK;
  }
  const tl_status s = tl_evaluation_step (e, t->where);
  if (s)
    return s;
  if (t->kind <= TL_TERM_PRED)
    return unary (e, t, frame, value);
  if (t->kind <= TL_TERM_MODULO)
    return arithmetic (e, t, frame, value);
  if (t->kind <= TL_TERM_GREATER_EQUAL)
    return compare (e, t, frame, value);
  if (t->kind <= TL_TERM_OR)
    return logic (e, t, frame, value);
  if (t->kind == TL_TERM_CHOOSE)
    return choose (e, t, frame, value);
  if (t->kind == TL_TERM_CALL)
    return call (e, t, frame, value);
  if (t->kind >= TL_TERM_PLACE_CARD)
    return tl_iterator_number (e, t, frame, value);
  return tl_container_number (e, t, frame, value);
}
