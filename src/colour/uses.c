#include "colour/uses.h"

uint32_t tl_variable_at (const tl_ctransition *t, uint32_t offset) {
  for (uint32_t v = 0; v < t->variables; v++)
    if (t->variable[v].offset == offset)
      return v;
  return UINT32_MAX;
}

void tl_loop_uses (const tl_ctransition *t, const tl_loop *l, bool *uses) {
  if (l->first)
    tl_term_uses (t, l->first, uses);
  if (l->last)
    tl_term_uses (t, l->last, uses);
  if (l->container)
    tl_term_uses (t, l->container, uses);
}

// The depth of terms is bounded by the readers.
void tl_term_uses (const tl_ctransition *t, const tl_term *term, bool *uses) {
  if (term->kind == TL_TERM_VARIABLE) {
    const uint32_t v = tl_variable_at (t, term->offset);
    if (v < t->variables)
      uses[v] = true;
    return;
  }
  for (uint32_t i = 0; i < term->operands; i++)
    if (term->operand[i])
      tl_term_uses (t, term->operand[i], uses);
  for (uint32_t i = 0; i < term->loops; i++)
    tl_loop_uses (t, term->loop + i, uses);
}

void tl_tuple_uses (const tl_ctransition *t, const tl_tuple *tuple,
                    const tl_cplace *place, bool *uses) {
  for (uint32_t i = 0; i < tuple->loops; i++)
    tl_loop_uses (t, tuple->loop + i, uses);
  if (tuple->condition)
    tl_term_uses (t, tuple->condition, uses);
  for (uint32_t i = 0; i < place->parts; i++)
    tl_term_uses (t, tuple->part[i], uses);
}

static bool within (const tl_type *inner, const tl_type *outer) {
  return tl_type_is_discrete (inner) && inner->first >= outer->first &&
         inner->last <= outer->last;
}

// Is the value within the bounds of a type, whatever it is?
static bool fits (const tl_term *t, const tl_type *type) {
  if (t->kind == TL_TERM_CONSTANT)
    return *t->value >= type->first && *t->value <= type->last;
  if (t->kind == TL_TERM_VARIABLE || t->kind == TL_TERM_CHECK)
    return within (t->type, type);
  // Operators of the circular types wrap.
  return t->type->kind != TL_TYPE_RANGE && within (t->type->root, type);
}

static bool operands_are_safe (const tl_term *t) {
  for (uint32_t i = 0; i < t->operands; i++)
    if (!tl_term_is_safe (t->operand[i]))
      return false;
  return true;
}

static bool indices_fit (const tl_term *t) {
  const tl_type *type = t->operand[0]->type;
  if (type->kind != TL_TYPE_VECTOR)
    return false;
  for (uint32_t i = 0; i < type->index_count; i++)
    if (!fits (t->operand[1 + i], type->index[i]))
      return false;
  return true;
}

bool tl_term_is_safe (const tl_term *t) {
  switch (t->kind) {
  case TL_TERM_CHECK:
  case TL_TERM_CAST:
    if (tl_type_is_discrete (t->type) && !fits (t->operand[0], t->type))
      return false;
    break;
  case TL_TERM_MULTIPLY:
    if (t->type->kind != TL_TYPE_MOD)
      return false;
    break;
  case TL_TERM_MAKE:
    if (tl_type_is_container (t->type) && t->operands > t->type->elements)
      return false;
    break;
  case TL_TERM_ELEMENT:
  case TL_TERM_WITH_ELEMENT:
    if (!indices_fit (t))
      return false;
    break;
  case TL_TERM_DIVIDE:
  case TL_TERM_MODULO:
  case TL_TERM_JOIN:
  case TL_TERM_UNION:
  case TL_TERM_CALL:
  case TL_TERM_SLICE:
  case TL_TERM_FIRST:
  case TL_TERM_LAST:
  case TL_TERM_PREFIX:
  case TL_TERM_SUFFIX:
  case TL_TERM_LAST_INDEX: return false;
  default:
    if (t->kind >= TL_TERM_PLACE_CARD)
      return false;
  }
  return operands_are_safe (t);
}

bool tl_term_reads_place (const tl_term *t, uint32_t place) {
  if ((t->kind == TL_TERM_PLACE_CARD || t->kind == TL_TERM_PLACE_MULT) &&
      (place == TL_ANY_PLACE || t->place == place))
    return true;
  for (uint32_t i = 0; i < t->loops; i++)
    if (t->loop[i].kind == TL_LOOP_PLACE &&
        (place == TL_ANY_PLACE || t->loop[i].place == place))
      return true;
  for (uint32_t i = 0; i < t->operands; i++)
    if (t->operand[i] && tl_term_reads_place (t->operand[i], place))
      return true;
  return false;
}

bool tl_label_reads_place (const tl_label *label, const tl_cplace *of,
                           uint32_t place) {
  for (uint32_t i = 0; i < label->tuples; i++) {
    const tl_tuple *t = label->tuple + i;
    if (t->condition && tl_term_reads_place (t->condition, place))
      return true;
    for (uint32_t k = 0; k < of->parts; k++)
      if (tl_term_reads_place (t->part[k], place))
        return true;
  }
  return false;
}
