// Terms whose values lie within bounds, and values that are known.

#include "lna/typing.h"

// Does the value lie within the bounds of a discrete type, whatever happens?
static bool is_within (const tl_term *t, const tl_type *type) {
  switch (t->kind) {
  case TL_TERM_CONSTANT:
    return *t->value >= type->first && *t->value <= type->last;
  case TL_TERM_CHOOSE:
    return is_within (t->operand[1], type) && is_within (t->operand[2], type);
  case TL_TERM_SUCC:
  case TL_TERM_PRED: // wrap at the bounds, not beyond
    if (t->type->kind == TL_TYPE_RANGE || !is_within (t->operand[0], t->type))
      return false;
    break;
  case TL_TERM_MINUS:
  case TL_TERM_ADD:
  case TL_TERM_SUBTRACT:
  case TL_TERM_MULTIPLY:
  case TL_TERM_DIVIDE:
  case TL_TERM_MODULO:
    if (t->type->kind == TL_TYPE_RANGE)
      return false;
    break;
  case TL_TERM_SIZE:
  case TL_TERM_CAPACITY:
  case TL_TERM_SPACE:
  case TL_TERM_LAST_INDEX:
  case TL_TERM_PLACE_CARD:
  case TL_TERM_PLACE_MULT:
  case TL_TERM_CARD:
  case TL_TERM_MULT:
  case TL_TERM_SUM:
  case TL_TERM_PRODUCT:
  case TL_TERM_MIN:
  case TL_TERM_MAX: return false;
  default: break;
  }
  return t->type->first >= type->first && t->type->last <= type->last;
}

tl_term *tl_lna_use (tl_lna_checker *c, tl_lna_node *n, const tl_type *type) {
  tl_term *t = tl_lna_term (c, n, type);
  return t && tl_type_is_discrete (type) && !is_within (t, type)
             ? tl_lna_make_one (c, TL_TERM_CHECK, n->where, type, t)
             : t;
}

// Values that depend on no variable

typedef struct view {
  const tl_lna_variable *scope;
  bool marking;
} view;

static view hide_variables (tl_lna_checker *c) {
  const view old = {c->scope, c->marking};
  c->scope = 0;
  c->marking = false;
  return old;
}

static void show_variables (tl_lna_checker *c, view old) {
  c->scope = old.scope;
  c->marking = old.marking;
}

static bool remember (tl_lna_checker *c, tl_status status) {
  if (status && !c->source->status)
    c->source->status = status;
  return !status;
}

bool tl_lna_value (tl_lna_checker *c, tl_lna_node *n, const tl_type *type,
                   tl_cell *value) {
  const view old = hide_variables (c);
  const tl_term *t = tl_lna_use (c, n, type);
  show_variables (c, old);
  return t && remember (c, tl_evaluate (&c->evaluation, t, 0, value));
}

bool tl_lna_number (tl_lna_checker *c, tl_lna_node *n, int64_t *value) {
  const view old = hide_variables (c);
  const tl_term *t = tl_lna_numeric (c, n);
  show_variables (c, old);
  return t && remember (c, tl_evaluate_number (&c->evaluation, t, 0, value));
}

bool tl_lna_number_of (tl_lna_checker *c, tl_lna_node *n, const tl_type *type,
                       int64_t *value) {
  const view old = hide_variables (c);
  const tl_term *t = tl_lna_term (c, n, type);
  show_variables (c, old);
  return t && remember (c, tl_evaluate_number (&c->evaluation, t, 0, value));
}
