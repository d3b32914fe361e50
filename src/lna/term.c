// The second look at expressions: the term of the type that is wanted.

#include "lna/typing.h"

tl_term *tl_lna_make_term (tl_lna_checker *c, tl_term_kind kind, tl_where where,
                           const tl_type *type, uint32_t operands) {
  tl_term *t;
  if (!TL_LNA_NET_NEW (c, t, 1))
    return 0;
  t->kind = kind;
  t->where = where;
  t->type = type;
  t->operands = operands;
  return !operands || TL_LNA_NET_NEW (c, t->operand, operands) ? t : 0;
}

tl_term *tl_lna_constant_term (tl_lna_checker *c, tl_where where,
                               const tl_type *type, const tl_cell *value) {
  tl_term *t = tl_lna_make_term (c, TL_TERM_CONSTANT, where, type, 0);
  if (t)
    t->value = value;
  return t;
}

tl_term *tl_lna_variable_term (tl_lna_checker *c, tl_where where,
                               const tl_lna_variable *v) {
  tl_term *t = tl_lna_make_term (c, TL_TERM_VARIABLE, where, v->type, 0);
  if (t)
    t->offset = v->offset;
  return t;
}

static tl_term *number (tl_lna_checker *c, tl_where where, const tl_type *type,
                        int64_t value) {
  tl_cell *cell;
  if (!TL_LNA_NET_NEW (c, cell, 1))
    return 0;
  *cell = (tl_cell)value;
  return tl_lna_constant_term (c, where, type->root, cell);
}

tl_term *tl_lna_make_one (tl_lna_checker *c, tl_term_kind kind, tl_where where,
                          const tl_type *type, tl_term *operand) {
  tl_term *t = operand ? tl_lna_make_term (c, kind, where, type, 1) : 0;
  if (t)
    t->operand[0] = operand;
  return t;
}

static tl_term *two (tl_lna_checker *c, tl_term_kind kind, tl_where where,
                     const tl_type *type, tl_term *a, tl_term *b) {
  tl_term *t = a && b ? tl_lna_make_term (c, kind, where, type, 2) : 0;
  if (t) {
    t->operand[0] = a;
    t->operand[1] = b;
  }
  return t;
}

// Names

static tl_term *name_term (tl_lna_checker *c, const tl_lna_node *n,
                           const tl_type *root) {
  const tl_lna_meaning *m = n->meaning;
  if (m->variable)
    return tl_lna_variable_term (c, n->where, m->variable);
  if (m->value)
    return tl_lna_constant_term (c, n->where, m->type, m->value);
  const uint32_t e = tl_names_find (&c->enumerator_name, n->word[0].text);
  for (const tl_lna_enumerator *x = c->enumerator[e]; x; x = x->next)
    if (x->type == root)
      return number (c, n->where, root, x->value);
  return 0;
}

static tl_term *part_term (tl_lna_checker *c, const tl_lna_node *n) {
  const tl_lna_variable *v = n->meaning->variable;
  const tl_cplace *p = c->net->place + v->place;
  tl_term *t = tl_lna_make_term (c, TL_TERM_VARIABLE, n->where,
                                 p->part[n->number - 1], 0);
  if (t)
    t->offset = v->offset + p->part_offset[n->number - 1];
  return t;
}

static tl_term *call_term (tl_lna_checker *c, const tl_lna_node *n) {
  const tl_function *f = n->meaning->function;
  tl_term *t = tl_lna_make_term (c, TL_TERM_CALL, n->where, f->type, n->kids);
  if (t)
    t->function = f;
  for (uint32_t i = 0; t && i < n->kids; i++)
    if (!(t->operand[i] = tl_lna_use (c, n->kid[i], f->parameter[i])))
      return 0;
  return t;
}

static tl_term *cast_term (tl_lna_checker *c, const tl_lna_node *n) {
  const tl_type *type = n->meaning->type;
  tl_lna_node *kid = n->kid[0];
  if (tl_type_is_numeric (type))
    return tl_lna_make_one (c, TL_TERM_CAST, n->where, type,
                            tl_lna_numeric (c, kid));
  tl_term *t = tl_lna_term (c, kid, type->root);
  return tl_type_is_discrete (type)
             ? tl_lna_make_one (c, TL_TERM_CAST, n->where, type, t)
             : t;
}

// Operators

static tl_term *unary_term (tl_lna_checker *c, const tl_lna_node *n,
                            const tl_type *type) {
  tl_lna_node *kid = n->kid[0];
  switch (n->op) {
  case TL_LNA_PLUS: return tl_lna_term (c, kid, type->root);
  case TL_LNA_MINUS:
    return tl_lna_make_one (c, TL_TERM_MINUS, n->where, type->root,
                            tl_lna_term (c, kid, type->root));
  case TL_LNA_NOT:
    return tl_lna_make_one (c, TL_TERM_NOT, n->where, type->root,
                            tl_lna_term (c, kid, type->root));
  default:
    return tl_lna_make_one (c,
                            n->op == TL_LNA_SUCC ? TL_TERM_SUCC : TL_TERM_PRED,
                            n->where, type, tl_lna_term (c, kid, type));
  }
}

static tl_term_kind operator_kind (tl_lna_token op, const tl_type *type) {
  const bool set = type->kind == TL_TYPE_SET;
  switch (op) {
  case TL_LNA_PLUS: return TL_TERM_ADD;
  case TL_LNA_MINUS: return set ? TL_TERM_REMOVE : TL_TERM_SUBTRACT;
  case TL_LNA_TIMES: return TL_TERM_MULTIPLY;
  case TL_LNA_DIVIDE: return TL_TERM_DIVIDE;
  case TL_LNA_MOD: return TL_TERM_MODULO;
  case TL_LNA_AND: return set ? TL_TERM_INTERSECT : TL_TERM_AND;
  case TL_LNA_OR: return set ? TL_TERM_UNION : TL_TERM_OR;
  case TL_LNA_AMPERSAND: return TL_TERM_JOIN;
  case TL_LNA_EQUAL: return TL_TERM_EQUAL;
  case TL_LNA_UNEQUAL: return TL_TERM_UNEQUAL;
  case TL_LNA_LESS: return TL_TERM_LESS;
  case TL_LNA_LESS_EQUAL: return TL_TERM_LESS_EQUAL;
  case TL_LNA_GREATER: return TL_TERM_GREATER;
  default: return TL_TERM_GREATER_EQUAL;
  }
}

// A container, or else an element of it
static tl_term *container_operand (tl_lna_checker *c, tl_lna_node *n,
                                   const tl_type *type) {
  return tl_lna_has (tl_lna_types_of (n), type)
             ? tl_lna_term (c, n, type)
             : tl_lna_use (c, n, type->element);
}

static tl_term *binary_term (tl_lna_checker *c, const tl_lna_node *n,
                             const tl_type *type) {
  const tl_type *compared = n->meaning->type;
  tl_lna_node *a = n->kid[0], *b = n->kid[1];
  const tl_type *root = type->root;
  if (n->op == TL_LNA_IN)
    return two (c, TL_TERM_MEMBER, n->where, root,
                tl_lna_use (c, a, compared->element->root),
                tl_lna_term (c, b, compared));
  if (compared)
    return two (c, operator_kind (n->op, compared), n->where, root,
                tl_lna_term (c, a, compared), tl_lna_term (c, b, compared));
  const tl_term_kind kind = operator_kind (n->op, root);
  if (tl_type_is_container (root))
    return two (c, kind, n->where, root, container_operand (c, a, root),
                container_operand (c, b, root));
  return two (c, kind, n->where, root, tl_lna_term (c, a, root),
              tl_lna_term (c, b, root));
}

static tl_term *choice_term (tl_lna_checker *c, const tl_lna_node *n,
                             const tl_type *type) {
  tl_term *t = tl_lna_make_term (c, TL_TERM_CHOOSE, n->where, type->root, 3);
  return t && (t->operand[0] = tl_lna_condition (c, n->kid[0])) &&
                 (t->operand[1] = tl_lna_term (c, n->kid[1], type)) &&
                 (t->operand[2] = tl_lna_term (c, n->kid[2], type))
             ? t
             : 0;
}

// Structures, vectors and containers

static tl_term *aggregate_term (tl_lna_checker *c, const tl_lna_node *n,
                                const tl_type *type) {
  tl_term *t = tl_lna_make_term (c, TL_TERM_MAKE, n->where, type, n->kids);
  for (uint32_t i = 0; t && i < n->kids; i++)
    if (!(t->operand[i] =
              tl_lna_use (c, n->kid[i],
                          type->kind == TL_TYPE_STRUCT ? type->component[i].type
                                                       : type->element)))
      return 0;
  return t;
}

// Elements and slices, and copies with another element: what is accessed,
// indices, perhaps the new value.
static tl_term *element_term (tl_lna_checker *c, const tl_lna_node *n,
                              const tl_type *of) {
  const bool with = n->kind == TL_LNA_IS_WITH_ELEMENT;
  const bool slice = n->kind == TL_LNA_IS_SLICE;
  tl_term *t =
      tl_lna_make_term (c,
                        with    ? TL_TERM_WITH_ELEMENT
                        : slice ? TL_TERM_SLICE
                                : TL_TERM_ELEMENT,
                        n->where, with || slice ? of : of->element, n->kids);
  if (!t || !(t->operand[0] = tl_lna_term (c, n->kid[0], of)))
    return 0;
  for (uint32_t i = 1; i < n->kids; i++) {
    const tl_type *type =
        with && i + 1 == n->kids ? of->element : of->index[slice ? 0 : i - 1];
    if (!(t->operand[i] = tl_lna_use (c, n->kid[i], type)))
      return 0;
  }
  return t;
}

static tl_term *component_term (tl_lna_checker *c, const tl_lna_node *n,
                                const tl_type *of) {
  const tl_member *component = tl_lna_component (of, n->word[0].text);
  const bool with = n->kind == TL_LNA_IS_WITH_COMPONENT;
  tl_term *t =
      tl_lna_make_term (c, with ? TL_TERM_WITH_COMPONENT : TL_TERM_COMPONENT,
                        n->where, with ? of : component->type, n->kids);
  if (!t || !(t->operand[0] = tl_lna_term (c, n->kid[0], of)))
    return 0;
  t->offset = component->offset;
  return !with || (t->operand[1] = tl_lna_use (c, n->kid[1], component->type))
             ? t
             : 0;
}

static tl_term *access_term (tl_lna_checker *c, const tl_lna_node *n,
                             const tl_type *root) {
  const tl_type *of = tl_lna_accessed (c, n, root);
  if (!of)
    return 0;
  return n->kind == TL_LNA_IS_COMPONENT || n->kind == TL_LNA_IS_WITH_COMPONENT
             ? component_term (c, n, of)
             : element_term (c, n, of);
}

static tl_term *attribute_term (tl_lna_checker *c, const tl_lna_node *n,
                                const tl_type *type) {
  static const tl_term_kind kind[] = {
      [TL_LNA_FIRST] = TL_TERM_FIRST,
      [TL_LNA_LAST] = TL_TERM_LAST,
      [TL_LNA_PREFIX] = TL_TERM_PREFIX,
      [TL_LNA_SUFFIX] = TL_TERM_SUFFIX,
      [TL_LNA_FIRST_INDEX] = TL_TERM_FIRST_INDEX,
      [TL_LNA_LAST_INDEX] = TL_TERM_LAST_INDEX,
      [TL_LNA_SIZE] = TL_TERM_SIZE,
      [TL_LNA_ROOM] = TL_TERM_CAPACITY,
      [TL_LNA_SPACE] = TL_TERM_SPACE,
      [TL_LNA_IS_VOID] = TL_TERM_IS_EMPTY,
      [TL_LNA_IS_FULL] = TL_TERM_IS_FULL,
      [TL_LNA_CARDINAL] = TL_TERM_PLACE_CARD,
      [TL_LNA_TOKENS] = TL_TERM_PLACE_MULT,
  };
  const tl_lna_attribute a = tl_lna_attribute_of (n);
  const tl_lna_meaning *m = n->meaning;
  if (m->of_place) {
    tl_term *t = tl_lna_make_term (c, kind[a], n->where, type->root, 0);
    if (t)
      t->place = m->place;
    return t;
  }
  if (m->type && tl_type_is_discrete (m->type))
    return number (c, n->where, type,
                   a == TL_LNA_FIRST  ? m->type->first
                   : a == TL_LNA_LAST ? m->type->last
                                      : (int64_t)tl_type_values (m->type));
  const tl_type *of = m->type ? m->type : tl_lna_accessed (c, n, type->root);
  if (!of)
    return 0;
  const tl_type *result = m->type ? type->root : tl_lna_access (n, of);
  return tl_lna_make_one (c, kind[a], n->where, result,
                          tl_lna_term (c, n->kid[0], of));
}

// Iterators

static tl_term_kind iterator_kind (tl_lna_token op) {
  switch (op) {
  case TL_LNA_FORALL: return TL_TERM_FORALL;
  case TL_LNA_EXISTS: return TL_TERM_EXISTS;
  case TL_LNA_CARD: return TL_TERM_CARD;
  case TL_LNA_MULT: return TL_TERM_MULT;
  case TL_LNA_SUM: return TL_TERM_SUM;
  case TL_LNA_PRODUCT: return TL_TERM_PRODUCT;
  case TL_LNA_MIN: return TL_TERM_MIN;
  default: return TL_TERM_MAX;
  }
}

static tl_term *iterator_term (tl_lna_checker *c, const tl_lna_node *n,
                               const tl_type *type) {
  const bool extreme = n->op == TL_LNA_MIN || n->op == TL_LNA_MAX;
  tl_term *t = tl_lna_make_term (c, iterator_kind (n->op), n->where,
                                 extreme ? type : type->root, n->kids - 1);
  if (!t)
    return 0;
  t->loop = n->meaning->loop;
  t->loops = n->kid[0]->kids;
  if (n->kid[1] && !(t->operand[0] = tl_lna_condition (c, n->kid[1])))
    return 0;
  return n->kids < 3 || (t->operand[1] = tl_lna_term (c, n->kid[2], type)) ? t
                                                                           : 0;
}

// All of them

static tl_term *make (tl_lna_checker *c, const tl_lna_node *n,
                      const tl_type *type) {
  switch (n->kind) {
  case TL_LNA_IS_NUMBER: return number (c, n->where, type, n->number);
  case TL_LNA_IS_NAME: return name_term (c, n, type->root);
  case TL_LNA_IS_PART: return part_term (c, n);
  case TL_LNA_IS_APPLY:
    return n->meaning->function ? call_term (c, n) : cast_term (c, n);
  case TL_LNA_IS_UNARY: return unary_term (c, n, type);
  case TL_LNA_IS_BINARY: return binary_term (c, n, type);
  case TL_LNA_IS_CHOICE: return choice_term (c, n, type);
  case TL_LNA_IS_STRUCTURE:
  case TL_LNA_IS_VECTOR:
  case TL_LNA_IS_CONTAINER:
  case TL_LNA_IS_EMPTY: return aggregate_term (c, n, type->root);
  case TL_LNA_IS_ATTRIBUTE: return attribute_term (c, n, type);
  case TL_LNA_IS_ITERATOR: return iterator_term (c, n, type);
  default: return access_term (c, n, type->root);
  }
}

tl_term *tl_lna_term (tl_lna_checker *c, tl_lna_node *n, const tl_type *type) {
  if (!tl_lna_resolve (c, n))
    return 0;
  if (tl_lna_has (tl_lna_types_of (n), type->root))
    return make (c, n, type);
  char text[TL_LNA_DESCRIPTION];
  tl_lna_fail (c->source, n->where, "expected a value of type %.80s, not %s",
               type->name,
               tl_lna_describe (tl_lna_types_of (n), text, sizeof text));
  return 0;
}

tl_term *tl_lna_numeric (tl_lna_checker *c, tl_lna_node *n) {
  if (!tl_lna_resolve (c, n))
    return 0;
  const tl_lna_types *s = tl_lna_types_of (n);
  if (tl_lna_has_numbers (s)) {
    const tl_type *type = tl_lna_choose (c, s, n->where);
    return type ? tl_lna_term (c, n, type) : 0;
  }
  char text[TL_LNA_DESCRIPTION];
  tl_lna_fail (c->source, n->where, "expected a number, not %s",
               tl_lna_describe (s, text, sizeof text));
  return 0;
}

tl_term *tl_lna_condition (tl_lna_checker *c, tl_lna_node *n) {
  return tl_lna_term (c, n, c->net->boolean);
}
