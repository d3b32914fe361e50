// The first look at expressions: what names mean, and what types are possible.

#include "lna/typing.h"

#include <string.h>

static bool complain (tl_lna_checker *c, const tl_lna_node *n,
                      const char *wants, const tl_lna_node *of) {
  char text[TL_LNA_DESCRIPTION];
  return tl_lna_fail (
      c->source, n->where, "%s, not %s", wants,
      tl_lna_describe (tl_lna_types_of (of), text, sizeof text));
}

// Names

static bool use_constant (tl_lna_checker *c, tl_lna_meaning *m,
                          uint32_t number) {
  m->type = c->constant[number].type;
  m->value = c->constant[number].value;
  return tl_lna_one_type (c, &m->types, m->type);
}

static bool is_among (tl_lna_checker *c, const tl_type *root, void *with) {
  (void)c;
  for (const tl_lna_enumerator *e = with; e; e = e->next)
    if (e->type == root)
      return true;
  return false;
}

static bool resolve_name (tl_lna_checker *c, tl_lna_node *n) {
  const char *name = n->word[0].text;
  tl_lna_meaning *m = n->meaning;
  m->variable = tl_lna_find_variable (c, name);
  if (m->variable && !m->variable->type)
    return tl_lna_fail (c->source, n->where,
                        "'%.80s' is a token: write %.80s->1 for its first part",
                        name, name);
  if (m->variable)
    return tl_lna_one_type (c, &m->types, m->variable->type);
  uint32_t number = tl_names_find (&c->constant_name, name);
  if (number != TL_NO_NAME)
    return use_constant (c, m, number);
  number = tl_names_find (&c->enumerator_name, name);
  if (number == TL_NO_NAME)
    return tl_lna_fail (c->source, n->where,
                        "there is no variable or constant '%.80s'", name);
  return tl_lna_select (c, &m->types, is_among, c->enumerator[number]);
}

static bool resolve_part (tl_lna_checker *c, tl_lna_node *n) {
  const char *name = n->word[0].text;
  const tl_lna_variable *v = tl_lna_find_variable (c, name);
  if (!v || v->type)
    return tl_lna_fail (c->source, n->where,
                        "'%.80s' is not a token of a place", name);
  const tl_cplace *p = c->net->place + v->place;
  if (!n->number || n->number > p->parts)
    return tl_lna_fail (c->source, n->where,
                        "a token of '%.80s' has no part %u", p->name,
                        n->number);
  n->meaning->variable = v;
  return tl_lna_one_type (c, &n->meaning->types, p->part[n->number - 1]);
}

static bool resolve_call (tl_lna_checker *c, tl_lna_node *n,
                          const tl_function *f) {
  n->meaning->function = f;
  if (n->kids != f->parameters)
    return tl_lna_fail (c->source, n->where,
                        "function '%.80s' has %u parameter%s, not %u", f->name,
                        f->parameters, f->parameters == 1 ? "" : "s", n->kids);
  return tl_lna_one_type (c, &n->meaning->types, f->type);
}

static bool resolve_apply (tl_lna_checker *c, tl_lna_node *n) {
  const char *name = n->word[0].text;
  const uint32_t f = tl_names_find (&c->function_name, name);
  if (f != TL_NO_NAME)
    return resolve_call (c, n, c->net->function[f]);
  const uint32_t t = tl_names_find (&c->type_name, name);
  if (t == TL_NO_NAME)
    return tl_lna_fail (c->source, n->where,
                        "there is no function or type '%.80s'", name);
  if (n->kids != 1)
    return tl_lna_fail (c->source, n->where, "a cast has one operand");
  const tl_type *type = n->meaning->type = c->net->type[t];
  if (!tl_lna_has (tl_lna_types_of (n->kid[0]), type->root) &&
      !(tl_type_is_numeric (type) &&
        tl_lna_has_numbers (tl_lna_types_of (n->kid[0]))))
    return complain (c, n, "a cast needs a number or a value of its type",
                     n->kid[0]);
  return tl_lna_one_type (c, &n->meaning->types, type);
}

// Operators

static bool is_numeric (tl_lna_checker *c, const tl_type *root, void *with) {
  (void)c;
  return tl_type_is_numeric (root) && tl_lna_has (with, root);
}

static bool is_discrete (tl_lna_checker *c, const tl_type *root, void *with) {
  (void)c;
  return tl_type_is_discrete (root) && tl_lna_has (with, root);
}

// The numeric, or discrete, types of an operand
static bool narrow (tl_lna_checker *c, tl_lna_node *n, const tl_lna_node *kid,
                    bool numeric, const char *wants) {
  tl_lna_types *s = &n->meaning->types;
  tl_lna_types *of = &kid->meaning->types;
  if (of->numbers)
    tl_lna_all_numbers (s);
  else if (!tl_lna_select (c, s, numeric ? is_numeric : is_discrete, of))
    return false;
  return s->numbers || s->count || complain (c, n, wants, kid);
}

static bool resolve_unary (tl_lna_checker *c, tl_lna_node *n) {
  if (n->op == TL_LNA_NOT)
    return tl_lna_has (tl_lna_types_of (n->kid[0]), c->net->boolean)
               ? tl_lna_one_type (c, &n->meaning->types, c->net->boolean)
               : complain (c, n, "'not' needs a condition", n->kid[0]);
  const bool sign = n->op == TL_LNA_PLUS || n->op == TL_LNA_MINUS;
  return narrow (c, n, n->kid[0], sign,
                 sign ? "a sign needs a number"
                      : "'succ' and 'pred' need a number or an enumeration");
}

typedef struct operands {
  tl_lna_token op;
  const tl_lna_types *a, *b;
} operands;

static bool has_or_element (const tl_lna_types *s, const tl_type *root) {
  return tl_lna_has (s, root) || tl_lna_has (s, root->element->root);
}

// Is it the type of the result of an operator?
static bool suits (tl_lna_checker *c, const tl_type *r, void *with) {
  const operands *o = with;
  const bool both = tl_lna_has (o->a, r) && tl_lna_has (o->b, r);
  switch (o->op) {
  case TL_LNA_MINUS:
    if (r->kind == TL_TYPE_SET)
      return tl_lna_has (o->a, r) && has_or_element (o->b, r);
    // FALLTHROUGH
  case TL_LNA_PLUS:
  case TL_LNA_TIMES:
  case TL_LNA_DIVIDE:
  case TL_LNA_MOD: return both && tl_type_is_numeric (r);
  case TL_LNA_AND:
  case TL_LNA_OR:
    if (r == c->net->boolean)
      return both;
    if (r->kind != TL_TYPE_SET)
      return false;
    break;
  case TL_LNA_AMPERSAND:
    if (r->kind != TL_TYPE_LIST)
      return false;
    break;
  case TL_LNA_EQUAL:
  case TL_LNA_UNEQUAL: return both;
  default: // an order
    return both && (tl_type_is_discrete (r) || r->kind == TL_TYPE_SET);
  }
  return (tl_lna_has (o->a, r) || tl_lna_has (o->b, r)) &&
         has_or_element (o->a, r) && has_or_element (o->b, r);
}

static bool is_comparison (tl_lna_token op) {
  switch (op) {
  case TL_LNA_EQUAL:
  case TL_LNA_UNEQUAL:
  case TL_LNA_LESS:
  case TL_LNA_LESS_EQUAL:
  case TL_LNA_GREATER:
  case TL_LNA_GREATER_EQUAL: return true;
  default: return false;
  }
}

// Containers of whose elements the first operand may be
static bool may_contain (tl_lna_checker *c, const tl_type *r, void *with) {
  (void)c;
  const operands *o = with;
  return tl_type_is_container (r) && tl_lna_has (o->b, r) &&
         tl_lna_has (o->a, r->element->root);
}

static bool mismatch (tl_lna_checker *c, const tl_lna_node *n) {
  char a[TL_LNA_DESCRIPTION], b[TL_LNA_DESCRIPTION];
  return tl_lna_fail (
      c->source, n->where, "'%s' does not fit its operands: %s and %s",
      tl_lna_token_text (n->op),
      tl_lna_describe (tl_lna_types_of (n->kid[0]), a, sizeof a),
      tl_lna_describe (tl_lna_types_of (n->kid[1]), b, sizeof b));
}

// The operands of comparisons and `in` have a type of their own: that of the
// container, or that of both operands.
static bool resolve_binary (tl_lna_checker *c, tl_lna_node *n) {
  operands o = {n->op, tl_lna_types_of (n->kid[0]),
                tl_lna_types_of (n->kid[1])};
  tl_lna_types *s = &n->meaning->types;
  const bool numbers =
      o.a->numbers && o.b->numbers && n->op != TL_LNA_AND && n->op != TL_LNA_OR;
  if (n->op == TL_LNA_IN) {
    if (!tl_lna_select (c, s, may_contain, &o))
      return false;
  } else if (numbers && n->op != TL_LNA_AMPERSAND)
    tl_lna_all_numbers (s);
  else if (!tl_lna_select (c, s, suits, &o))
    return false;
  if (!s->numbers && !s->count)
    return mismatch (c, n);
  if (n->op != TL_LNA_IN && !is_comparison (n->op))
    return true;
  n->meaning->type = tl_lna_choose (c, s, n->where);
  return n->meaning->type && tl_lna_one_type (c, s, c->net->boolean);
}

static bool resolve_choice (tl_lna_checker *c, tl_lna_node *n) {
  tl_lna_types *s = &n->meaning->types;
  if (!tl_lna_has (tl_lna_types_of (n->kid[0]), c->net->boolean))
    return complain (c, n, "'?' needs a condition", n->kid[0]);
  if (!tl_lna_both (c, s, tl_lna_types_of (n->kid[1]),
                    tl_lna_types_of (n->kid[2])))
    return false;
  char a[TL_LNA_DESCRIPTION], b[TL_LNA_DESCRIPTION];
  return s->numbers || s->count ||
         tl_lna_fail (
             c->source, n->where,
             "the two values are of different types: %s "
             "and %s",
             tl_lna_describe (tl_lna_types_of (n->kid[1]), a, sizeof a),
             tl_lna_describe (tl_lna_types_of (n->kid[2]), b, sizeof b));
}

// Iterators

// What `for all`, `exists` and the like need
static bool check_iterator (tl_lna_checker *c, const tl_lna_node *n) {
  if (!c->marking)
    return tl_lna_fail (c->source, n->where,
                        "'%s' is for propositions, priorities, progress and "
                        "initial markings",
                        tl_lna_token_text (n->op));
  const tl_loop *loop = n->meaning->loop;
  return n->op != TL_LNA_MULT ||
         (n->kid[0]->kids == 1 && loop && loop->kind == TL_LOOP_PLACE) ||
         tl_lna_fail (c->source, n->where,
                      "'mult' needs one variable, over a place");
}

static bool resolve_values (tl_lna_checker *c, tl_lna_node *n) {
  tl_lna_types *s = &n->meaning->types;
  switch (n->op) {
  case TL_LNA_EXISTS: return tl_lna_one_type (c, s, c->net->boolean);
  case TL_LNA_CARD:
  case TL_LNA_MULT: tl_lna_all_numbers (s); return true;
  case TL_LNA_FORALL:
    if (!tl_lna_has (tl_lna_types_of (n->kid[2]), c->net->boolean))
      return complain (c, n, "'forall' needs a condition", n->kid[2]);
    return tl_lna_one_type (c, s, c->net->boolean);
  case TL_LNA_SUM:
  case TL_LNA_PRODUCT:
    return narrow (c, n, n->kid[2], true, "this needs a number");
  default:
    return narrow (c, n, n->kid[2], false,
                   "'min' and 'max' need a number or an enumeration");
  }
}

static bool resolve_iterator (tl_lna_checker *c, tl_lna_node *n) {
  const tl_lna_variable *outer = c->scope;
  tl_lna_meaning *m = n->meaning;
  if (!c->marking)
    return check_iterator (c, n);
  m->loop =
      tl_lna_loops (c, n->kid[0], TL_LNA_OVER_CONTAINERS | TL_LNA_OVER_PLACES);
  bool good = m->loop && check_iterator (c, n) &&
              (!n->kid[1] || tl_lna_resolve (c, n->kid[1])) &&
              (n->kids < 3 || tl_lna_resolve (c, n->kid[2]));
  c->scope = outer;
  if (good && n->kid[1] &&
      !tl_lna_has (tl_lna_types_of (n->kid[1]), c->net->boolean))
    good = complain (c, n, "'|' needs a condition", n->kid[1]);
  return good && resolve_values (c, n);
}

static bool resolve_kids (tl_lna_checker *c, tl_lna_node *n) {
  for (uint32_t i = 0; i < n->kids; i++)
    if (!tl_lna_resolve (c, n->kid[i]))
      return false;
  return true;
}

static bool resolve (tl_lna_checker *c, tl_lna_node *n) {
  switch (n->kind) {
  case TL_LNA_IS_NUMBER: tl_lna_all_numbers (&n->meaning->types); return true;
  case TL_LNA_IS_NAME: return resolve_name (c, n);
  case TL_LNA_IS_PART: return resolve_part (c, n);
  case TL_LNA_IS_ATTRIBUTE: return tl_lna_resolve_attribute (c, n);
  case TL_LNA_IS_ITERATOR: return resolve_iterator (c, n);
  default: break;
  }
  if (!resolve_kids (c, n))
    return false;
  switch (n->kind) {
  case TL_LNA_IS_APPLY: return resolve_apply (c, n);
  case TL_LNA_IS_UNARY: return resolve_unary (c, n);
  case TL_LNA_IS_BINARY: return resolve_binary (c, n);
  case TL_LNA_IS_CHOICE: return resolve_choice (c, n);
  case TL_LNA_IS_STRUCTURE:
  case TL_LNA_IS_VECTOR:
  case TL_LNA_IS_CONTAINER:
  case TL_LNA_IS_EMPTY: return tl_lna_resolve_aggregate (c, n);
  default: return tl_lna_resolve_access (c, n);
  }
}

bool tl_lna_resolve (tl_lna_checker *c, tl_lna_node *n) {
  if (n->meaning)
    return true;
  return TL_LNA_NEW (c->source, n->meaning, 1) && resolve (c, n);
}
