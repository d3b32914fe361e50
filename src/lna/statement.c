// Statements and functions.

#include "lna/typing.h"

#include <string.h>

static tl_statement *make (tl_lna_checker *c, tl_statement_kind kind,
                           tl_where where, uint32_t bodies) {
  tl_statement *s;
  if (!TL_LNA_NET_NEW (c, s, 1))
    return 0;
  s->kind = kind;
  s->where = where;
  s->bodies = bodies;
  return !bodies || TL_LNA_NET_NEW (c, s->body, bodies) ? s : 0;
}

// What is assigned to

static bool target_variable (tl_lna_checker *c, const tl_lna_node *n,
                             tl_target *t, const tl_type **type) {
  const char *name = n->word[0].text;
  const tl_lna_variable *v = tl_lna_find_variable (c, name);
  if (!v)
    return tl_lna_fail (c->source, n->where, "there is no variable '%.80s'",
                        name);
  if (!v->assignable)
    return tl_lna_fail (c->source, n->where, "'%.80s' cannot be assigned to",
                        name);
  t->offset = v->offset;
  *type = t->type = v->type;
  return true;
}

static bool target_component (tl_lna_checker *c, const tl_lna_node *n,
                              struct tl_target_step *step,
                              const tl_type **type) {
  const tl_member *component = tl_lna_component (*type, n->word[0].text);
  if (!component)
    return tl_lna_fail (c->source, n->where,
                        "the type %.80s has no such component", (*type)->name);
  step->component = (uint32_t)(component - (*type)->component);
  *type = component->type;
  return true;
}

static bool target_element (tl_lna_checker *c, const tl_lna_node *n,
                            struct tl_target_step *step, const tl_type **type) {
  const tl_type *of = *type;
  if ((of->kind != TL_TYPE_VECTOR && of->kind != TL_TYPE_LIST) ||
      of->index_count != n->kids - 1)
    return tl_lna_fail (c->source, n->where,
                        "the type %.80s does not have such elements", of->name);
  if (!TL_LNA_NET_NEW (c, step->index, of->index_count))
    return false;
  for (uint32_t i = 0; i < of->index_count; i++)
    if (!(step->index[i] = tl_lna_use (c, n->kid[i + 1], of->index[i])))
      return false;
  *type = of->element;
  return true;
}

// The depth is that of the tree.
static bool target (tl_lna_checker *c, const tl_lna_node *n, tl_target *t,
                    const tl_type **type) {
  if (n->kind == TL_LNA_IS_NAME)
    return target_variable (c, n, t, type);
  if (n->kind != TL_LNA_IS_ELEMENT && n->kind != TL_LNA_IS_COMPONENT)
    return tl_lna_fail (c->source, n->where, "this cannot be assigned to");
  if (!target (c, n->kid[0], t, type))
    return false;
  struct tl_target_step *step = t->step + t->steps++;
  step->where = n->where;
  return n->kind == TL_LNA_IS_ELEMENT ? target_element (c, n, step, type)
                                      : target_component (c, n, step, type);
}

static tl_statement *assign (tl_lna_checker *c, const tl_lna_node *n) {
  tl_statement *s = make (c, TL_DO_ASSIGN, n->where, 0);
  const tl_type *type;
  return s && TL_LNA_NET_NEW (c, s->target.step, n->kid[0]->height + 1) &&
                 target (c, n->kid[0], &s->target, &type) &&
                 (s->term = tl_lna_use (c, n->kid[1], type))
             ? s
             : 0;
}

// A declaration: the first assignment
static tl_statement *local (tl_lna_checker *c, const tl_lna_node *n,
                            const tl_lna_variable *end) {
  const tl_type *type = tl_lna_find_type (c, n->word);
  tl_statement *s = type ? make (c, TL_DO_ASSIGN, n->where, 0) : 0;
  if (!s)
    return 0;
  if (n->kid[0])
    s->term = tl_lna_use (c, n->kid[0], type);
  else {
    tl_cell *value;
    if (!TL_LNA_NET_NEW (c, value, type->cells))
      return 0;
    tl_type_default (type, value);
    s->term = tl_lna_constant_term (c, n->where, type, value);
  }
  tl_lna_variable *v =
      s->term ? tl_lna_add_new_variable (c, n->word + 1, type, end) : 0;
  if (!v)
    return 0;
  v->assignable = n->op != TL_LNA_CONSTANT;
  s->target = (tl_target){.offset = v->offset, .type = type};
  return s;
}

// Control

static tl_statement *block (tl_lna_checker *c, const tl_lna_node *n,
                            const tl_type *result) {
  const tl_lna_variable *outer = c->scope;
  tl_statement *s = make (c, TL_DO_BLOCK, n->where, n->kids);
  for (uint32_t i = 0; s && i < n->kids; i++)
    if (!(s->body[i] = n->kid[i]->kind == TL_LNA_IS_LOCAL
                           ? local (c, n->kid[i], outer)
                           : tl_lna_statement (c, n->kid[i], result)))
      s = 0;
  c->scope = outer;
  return s;
}

// if and while
static tl_statement *conditional (tl_lna_checker *c, const tl_lna_node *n,
                                  tl_statement_kind kind,
                                  const tl_type *result) {
  tl_statement *s = make (c, kind, n->where, n->kids - 1);
  if (!s || !(s->term = tl_lna_condition (c, n->kid[0])))
    return 0;
  for (uint32_t i = 1; i < n->kids; i++)
    if (n->kid[i] &&
        !(s->body[i - 1] = tl_lna_statement (c, n->kid[i], result)))
      return 0;
  return s;
}

static tl_statement *loop (tl_lna_checker *c, const tl_lna_node *n,
                           const tl_type *result) {
  const tl_lna_variable *outer = c->scope;
  tl_statement *s = make (c, TL_DO_FOR, n->where, 1);
  if (!s)
    return 0;
  s->loops = n->kid[0]->kids;
  s->loop = tl_lna_loops (c, n->kid[0], TL_LNA_OVER_CONTAINERS);
  if (s->loop)
    s->body[0] = tl_lna_statement (c, n->kid[1], result);
  c->scope = outer;
  return s->body[0] ? s : 0;
}

static bool choice (tl_lna_checker *c, tl_lna_node *n, const tl_type *type,
                    tl_statement *s, uint32_t i) {
  if (!tl_lna_number_of (c, n, type, s->choice + i))
    return false;
  for (uint32_t k = 0; k < i; k++)
    if (s->choice[k] == s->choice[i])
      return tl_lna_fail (c->source, n->where, "a second case of this value");
  return true;
}

// expression, (choice, statement) ..., default
static tl_statement *cases (tl_lna_checker *c, const tl_lna_node *n,
                            const tl_type *result) {
  const uint32_t choices = (n->kids - 2) / 2;
  tl_lna_node *rest = n->kid[n->kids - 1];
  tl_statement *s = make (c, TL_DO_CASE, n->where, choices + (rest != 0));
  if (!s || !TL_LNA_NET_NEW (c, s->choice, choices) ||
      !tl_lna_resolve (c, n->kid[0]))
    return 0;
  s->choices = choices;
  const tl_type *type =
      tl_lna_choose (c, tl_lna_types_of (n->kid[0]), n->kid[0]->where);
  if (!type || !(s->term = tl_lna_term (c, n->kid[0], type)))
    return 0;
  if (!tl_type_is_discrete (type)) {
    tl_lna_fail (c->source, n->kid[0]->where,
                 "'case' needs a number or an enumeration, not %.80s",
                 type->name);
    return 0;
  }
  for (uint32_t i = 0; i < choices; i++)
    if (!choice (c, n->kid[1 + 2 * i], type, s, i) ||
        !(s->body[i] = tl_lna_statement (c, n->kid[2 + 2 * i], result)))
      return 0;
  return !rest || (s->body[choices] = tl_lna_statement (c, rest, result)) ? s
                                                                          : 0;
}

static tl_statement *simple (tl_lna_checker *c, const tl_lna_node *n,
                             tl_statement_kind kind, const tl_type *type) {
  tl_statement *s = make (c, kind, n->where, 0);
  return s && (s->term = tl_lna_use (c, n->kid[0], type)) ? s : 0;
}

tl_statement *tl_lna_statement (tl_lna_checker *c, tl_lna_node *n,
                                const tl_type *result) {
  switch (n->kind) {
  case TL_LNA_IS_ASSIGN: return assign (c, n);
  case TL_LNA_IS_IF: return conditional (c, n, TL_DO_IF, result);
  case TL_LNA_IS_WHILE: return conditional (c, n, TL_DO_WHILE, result);
  case TL_LNA_IS_CASE: return cases (c, n, result);
  case TL_LNA_IS_FOR: return loop (c, n, result);
  case TL_LNA_IS_RETURN: return simple (c, n, TL_DO_RETURN, result);
  case TL_LNA_IS_ASSERT: return simple (c, n, TL_DO_ASSERT, c->net->boolean);
  default: return block (c, n, result);
  }
}
