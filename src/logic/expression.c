#include "logic/expression.h"

#include <string.h>

// x op y.  TL_E_ARG: y is zero; TL_E_LIMIT: it does not fit.
static tl_status compute (tl_step_op op, int64_t x, int64_t y, int64_t *value) {
  bool overflow = false;
  switch (op) {
  case TL_STEP_ADD: overflow = __builtin_add_overflow (x, y, value); break;
  case TL_STEP_SUBTRACT: overflow = __builtin_sub_overflow (x, y, value); break;
  case TL_STEP_DIVIDE:
  case TL_STEP_MODULO:
    if (!y)
      return TL_E_ARG;
    if (y == -1) { // the one quotient that may not fit
      const bool divides = op == TL_STEP_DIVIDE;
      overflow = __builtin_sub_overflow (0, divides ? x : 0, value);
    } else {
      const bool down = x % y && (x < 0) != (y < 0);
      *value = op == TL_STEP_DIVIDE ? x / y - down : x % y + (down ? y : 0);
    }
    break;
  default: overflow = __builtin_mul_overflow (x, y, value); break;
  }
  return overflow ? TL_E_LIMIT : TL_OK;
}

// ---- Putting together ------------------------------------------------------

static tl_status push (tl_expression *e, tl_step step) {
  if (!TL_ROOM (e->mem, e->step, &e->room, e->count + 1))
    return TL_E_NOMEM;
  e->step[e->count++] = step;
  return TL_OK;
}

tl_status tl_expression_number (tl_expression *e, int64_t number) {
  return push (e, (tl_step){.op = TL_STEP_NUMBER, .number = number});
}

tl_status tl_expression_place (tl_expression *e, uint32_t place) {
  return push (e, (tl_step){.op = TL_STEP_PLACE, .place = place});
}

void tl_expression_close (tl_expression *e) {
  TL_DEL (e->mem, e->step, e->room);
  *e = (tl_expression){.mem = e->mem};
}

// Is the operand of these steps one number?
static bool is_number (const tl_expression *e, size_t start, size_t end) {
  return end - start == 1 && e->step[start].op == TL_STEP_NUMBER;
}

tl_status tl_expression_scale (tl_expression *e, size_t operand,
                               int64_t factor) {
  tl_step *last = e->step + e->count - 1;
  if (is_number (e, operand, e->count))
    return compute (TL_STEP_MULTIPLY, last->number, factor, &last->number);
  return factor == 1
             ? TL_OK
             : push (e, (tl_step){.op = TL_STEP_SCALE, .number = factor});
}

tl_status tl_expression_apply (tl_expression *e, tl_step_op op, size_t left,
                               size_t right) {
  const bool constant = is_number (e, right, e->count);
  const int64_t x = e->step[left].number, y = e->step[right].number;
  if (constant && is_number (e, left, right)) {
    e->count--;
    return compute (op, x, y, &e->step[left].number);
  }
  if (constant && !y && (op == TL_STEP_DIVIDE || op == TL_STEP_MODULO))
    return TL_E_ARG;
  if (op == TL_STEP_MULTIPLY && constant) {
    e->count--;
    return tl_expression_scale (e, left, y);
  }
  if (op == TL_STEP_MULTIPLY && is_number (e, left, right)) {
    e->count--;
    memmove (e->step + left, e->step + right,
             (e->count - left) * sizeof *e->step);
    return tl_expression_scale (e, left, x);
  }
  return push (e, (tl_step){.op = op});
}

// ---- Values ----------------------------------------------------------------

tl_status tl_expression_value (const tl_expression *e, const uint64_t *marking,
                               int64_t *value) {
  int64_t stack[TL_EXPRESSION_DEPTH];
  size_t top = 0; // operands on the stack
  for (const tl_step *s = e->step; s < e->step + e->count; s++) {
    tl_status rc = TL_OK;
    if (s->op == TL_STEP_NUMBER) {
      stack[top++] = s->number;
    } else if (s->op == TL_STEP_PLACE) {
      stack[top++] = (int64_t)marking[s->place];
      rc = marking[s->place] > INT64_MAX ? TL_E_LIMIT : TL_OK;
    } else if (s->op == TL_STEP_SCALE) {
      rc = compute (s->op, stack[top - 1], s->number, stack + top - 1);
    } else {
      top--;
      rc = compute (s->op, stack[top - 1], stack[top], stack + top - 1);
    }
    if (rc)
      return rc;
  }
  *value = stack[0];
  return TL_OK;
}

// Read backwards, an operator comes before its operands: it hands its own
// factor on to them.
bool tl_expression_is_linear (const tl_expression *e, int64_t *weight,
                              int64_t *constant) {
  int64_t factor[TL_EXPRESSION_DEPTH] = {1}, product;
  size_t top = 1;
  for (size_t i = e->count; i--;) {
    const tl_step *s = e->step + i;
    int64_t *f = factor + top - 1;
    bool overflow = false;
    switch (s->op) {
    case TL_STEP_NUMBER:
      top--;
      overflow = __builtin_mul_overflow (*f, s->number, &product) ||
                 __builtin_add_overflow (*constant, product, constant);
      break;
    case TL_STEP_PLACE:
      top--;
      overflow =
          __builtin_add_overflow (weight[s->place], *f, weight + s->place);
      break;
    case TL_STEP_SCALE:
      overflow = __builtin_mul_overflow (*f, s->number, f);
      break;
    case TL_STEP_ADD: factor[top++] = *f; break;
    case TL_STEP_SUBTRACT:
      overflow = __builtin_sub_overflow (0, *f, factor + top++);
      break;
    default: return false;
    }
    if (overflow)
      return false;
  }
  return true;
}
