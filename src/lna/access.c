// Types of literals, elements, components, changed copies and attributes.

#include "lna/typing.h"

#include <string.h>

static bool may_hold (const tl_lna_node *n, uint32_t first, uint32_t end,
                      const tl_type *element) {
  for (uint32_t i = first; i < end; i++)
    if (!tl_lna_has (tl_lna_types_of (n->kid[i]), element->root))
      return false;
  return true;
}

// Literals

static bool may_be_structure (const tl_lna_node *n, const tl_type *r) {
  if (r->kind != TL_TYPE_STRUCT || r->component_count != n->kids)
    return false;
  for (uint32_t i = 0; i < n->kids; i++)
    if (!may_hold (n, i, i + 1, r->component[i].type))
      return false;
  return true;
}

static bool is_aggregate (tl_lna_checker *c, const tl_type *r, void *with) {
  (void)c;
  const tl_lna_node *n = with;
  switch (n->kind) {
  case TL_LNA_IS_STRUCTURE: return may_be_structure (n, r);
  case TL_LNA_IS_VECTOR:
    return r->kind == TL_TYPE_VECTOR && r->elements >= n->kids &&
           may_hold (n, 0, n->kids, r->element);
  default: // elements, or none
    return tl_type_is_container (r) && may_hold (n, 0, n->kids, r->element);
  }
}

bool tl_lna_resolve_aggregate (tl_lna_checker *c, tl_lna_node *n) {
  tl_lna_types *s = &n->meaning->types;
  if (!tl_lna_select (c, s, is_aggregate, n))
    return false;
  static const char *const what[] = {"structure", "vector", "list or set"};
  return s->count ||
         tl_lna_fail (c->source, n->where, "no %s type has such values",
                      what[n->kind == TL_LNA_IS_STRUCTURE ? 0
                           : n->kind == TL_LNA_IS_VECTOR  ? 1
                                                          : 2]);
}

// Accesses

const tl_member *tl_lna_component (const tl_type *t, const char *name) {
  if (t->kind == TL_TYPE_STRUCT)
    for (uint32_t i = 0; i < t->component_count; i++)
      if (!strcmp (t->component[i].name, name))
        return t->component + i;
  return 0;
}

static bool may_index (const tl_lna_node *n, uint32_t indices,
                       const tl_type *r) {
  if ((r->kind != TL_TYPE_VECTOR && r->kind != TL_TYPE_LIST) ||
      r->index_count != indices)
    return false;
  for (uint32_t i = 0; i < indices; i++)
    if (!may_hold (n, i + 1, i + 2, r->index[i]))
      return false;
  return true;
}

static const tl_type *attribute_type (tl_lna_attribute a, const tl_type *r) {
  if (r->kind != TL_TYPE_LIST)
    return 0;
  switch (a) {
  case TL_LNA_FIRST:
  case TL_LNA_LAST: return r->element;
  case TL_LNA_PREFIX:
  case TL_LNA_SUFFIX: return r;
  default: return r->index[0];
  }
}

const tl_type *tl_lna_access (const tl_lna_node *n, const tl_type *r) {
  const uint32_t last = n->kids - 1;
  const tl_member *component;
  switch (n->kind) {
  case TL_LNA_IS_ELEMENT: return may_index (n, last, r) ? r->element : 0;
  case TL_LNA_IS_SLICE:
    return r->kind == TL_TYPE_LIST && may_hold (n, 1, 3, r->index[0]) ? r : 0;
  case TL_LNA_IS_COMPONENT:
    component = tl_lna_component (r, n->word[0].text);
    return component ? component->type : 0;
  case TL_LNA_IS_WITH_COMPONENT:
    component = tl_lna_component (r, n->word[0].text);
    return component && may_hold (n, 1, 2, component->type) ? r : 0;
  case TL_LNA_IS_WITH_ELEMENT:
    return may_index (n, last - 1, r) &&
                   may_hold (n, last, last + 1, r->element)
               ? r
               : 0;
  default: return attribute_type (tl_lna_attribute_of (n), r);
  }
}

static bool may_result (tl_lna_checker *c, const tl_type *root, void *with) {
  (void)c;
  const tl_lna_node *n = with;
  const tl_lna_types *of = tl_lna_types_of (n->kid[0]);
  for (uint32_t i = 0; i < of->count; i++) {
    const tl_type *type = tl_lna_access (n, of->type[i]);
    if (type && type->root == root)
      return true;
  }
  return false;
}

const tl_type *tl_lna_accessed (tl_lna_checker *c, const tl_lna_node *n,
                                const tl_type *root) {
  const tl_lna_types *of = tl_lna_types_of (n->kid[0]);
  const tl_type *only = 0;
  for (uint32_t i = 0; i < of->count; i++) {
    const tl_type *type = tl_lna_access (n, of->type[i]);
    if (!type || type->root != root)
      continue;
    if (only) {
      tl_lna_fail (c->source, n->kid[0]->where,
                   "this is ambiguous: it may be %.80s or %.80s", only->name,
                   of->type[i]->name);
      return 0;
    }
    only = of->type[i];
  }
  return only;
}

// Why a node does not fit where a value of a type is wanted
static bool unfit (tl_lna_checker *c, const tl_lna_node *n,
                   const tl_type *type) {
  char text[TL_LNA_DESCRIPTION];
  return tl_lna_fail (c->source, n->where,
                      "expected a value of type %.80s, not %s", type->name,
                      tl_lna_describe (tl_lna_types_of (n), text, sizeof text));
}

static bool explain_element (tl_lna_checker *c, const tl_lna_node *n,
                             const tl_type *r) {
  const uint32_t indices = n->kind == TL_LNA_IS_ELEMENT ? n->kids - 1
                           : n->kind == TL_LNA_IS_SLICE ? 1
                                                        : n->kids - 2;
  if (r->kind == TL_TYPE_VECTOR || r->kind == TL_TYPE_LIST) {
    if (r->index_count != indices)
      return tl_lna_fail (c->source, n->where,
                          "an element of type %.80s has %u %s, not %u", r->name,
                          r->index_count,
                          r->index_count == 1 ? "index" : "indices", indices);
    for (uint32_t i = 0; i < indices; i++)
      if (!may_hold (n, i + 1, i + 2, r->index[i]))
        return unfit (c, n->kid[i + 1], r->index[i]);
    if (n->kind == TL_LNA_IS_WITH_ELEMENT)
      return unfit (c, n->kid[n->kids - 1], r->element);
    if (r->kind == TL_TYPE_LIST)
      return unfit (c, n->kid[2], r->index[0]);
  }
  return tl_lna_fail (c->source, n->where,
                      n->kind == TL_LNA_IS_SLICE
                          ? "the type %.80s has no slices"
                          : "the type %.80s has no such elements",
                      r->name);
}

static bool explain (tl_lna_checker *c, const tl_lna_node *n) {
  const tl_lna_types *of = tl_lna_types_of (n->kid[0]);
  const tl_type *only = of->count == 1 ? of->type[0] : 0;
  const tl_member *component =
      only && n->words ? tl_lna_component (only, n->word[0].text) : 0;
  if (only && !n->words)
    return explain_element (c, n, only);
  if (component && n->kind == TL_LNA_IS_WITH_COMPONENT)
    return unfit (c, n->kid[1], component->type);
  char text[TL_LNA_DESCRIPTION];
  tl_lna_describe (of, text, sizeof text);
  return n->words
             ? tl_lna_fail (c->source, n->where, "%s has no %s '%.80s'", text,
                            n->kind == TL_LNA_IS_ATTRIBUTE ? "attribute"
                                                           : "component",
                            n->word[0].text)
             : tl_lna_fail (c->source, n->where, "%s has no such elements",
                            text);
}

bool tl_lna_resolve_access (tl_lna_checker *c, tl_lna_node *n) {
  return tl_lna_select (c, &n->meaning->types, may_result, n) &&
         (n->meaning->types.count || explain (c, n));
}

// Attributes

tl_lna_attribute tl_lna_attribute_of (const tl_lna_node *n) {
  static const char *const name[] = {
      [TL_LNA_FIRST] = "first",
      [TL_LNA_LAST] = "last",
      [TL_LNA_PREFIX] = "prefix",
      [TL_LNA_SUFFIX] = "suffix",
      [TL_LNA_FIRST_INDEX] = "first_index",
      [TL_LNA_LAST_INDEX] = "last_index",
      [TL_LNA_SIZE] = "size",
      [TL_LNA_ROOM] = "capacity",
      [TL_LNA_SPACE] = "space",
      [TL_LNA_IS_VOID] = "empty",
      [TL_LNA_IS_FULL] = "full",
      [TL_LNA_CARDINAL] = "card",
      [TL_LNA_TOKENS] = "mult",
  };
  unsigned a = 0;
  while (a < TL_LNA_NO_ATTRIBUTE && strcmp (name[a], n->word[0].text))
    a++;
  return (tl_lna_attribute)a;
}

static bool of_place (tl_lna_checker *c, tl_lna_node *n, uint32_t place) {
  if (!c->marking)
    return tl_lna_fail (c->source, n->where,
                        "the marking may be asked for in propositions, "
                        "priorities, progress and initial markings only");
  n->meaning->of_place = true;
  n->meaning->place = place;
  tl_lna_all_numbers (&n->meaning->types);
  return true;
}

static bool of_type (tl_lna_checker *c, tl_lna_node *n, tl_lna_attribute a,
                     const tl_type *type) {
  if (!tl_type_is_discrete (type))
    return tl_lna_fail (c->source, n->where,
                        "the type %.80s has no attribute '%.80s'", type->name,
                        n->word[0].text);
  n->meaning->type = type;
  if (a != TL_LNA_CARDINAL)
    return tl_lna_one_type (c, &n->meaning->types, type);
  if (tl_type_values (type) > INT32_MAX)
    return tl_lna_fail (c->source, n->where,
                        "the type %.80s has more than 2147483647 values",
                        type->name);
  tl_lna_all_numbers (&n->meaning->types);
  return true;
}

static bool is_container (tl_lna_checker *c, const tl_type *r, void *with) {
  (void)c;
  return tl_type_is_container (r) && tl_lna_has (with, r);
}

static bool of_value (tl_lna_checker *c, tl_lna_node *n, tl_lna_attribute a) {
  if (!tl_lna_resolve (c, n->kid[0]))
    return false;
  if (a <= TL_LNA_LAST_INDEX)
    return tl_lna_resolve_access (c, n);
  tl_lna_types containers;
  if (!tl_lna_select (c, &containers, is_container, &n->kid[0]->meaning->types))
    return false;
  if (!containers.count || a >= TL_LNA_CARDINAL)
    return explain (c, n);
  if (!(n->meaning->type = tl_lna_choose (c, &containers, n->where)))
    return false;
  if (a >= TL_LNA_IS_VOID)
    return tl_lna_one_type (c, &n->meaning->types, c->net->boolean);
  tl_lna_all_numbers (&n->meaning->types);
  return true;
}

// What to say about a name that is not a value; `type`: its number, if it has
// one.
static bool of_nothing (tl_lna_checker *c, const tl_lna_node *n,
                        uint32_t type) {
  const char *name = n->kid[0]->word[0].text;
  return type == TL_NO_NAME
             ? tl_lna_fail (c->source, n->kid[0]->where,
                            "there is no place, type or variable '%.80s'", name)
             : tl_lna_fail (c->source, n->where,
                            "the type %.80s has no attribute '%.80s'", name,
                            n->word[0].text);
}

// Places are first, then types, then values.
bool tl_lna_resolve_attribute (tl_lna_checker *c, tl_lna_node *n) {
  const tl_lna_attribute a = tl_lna_attribute_of (n);
  if (a == TL_LNA_NO_ATTRIBUTE)
    return tl_lna_fail (c->source, n->where, "there is no attribute '%.80s'",
                        n->word[0].text);
  if (n->kid[0]->kind == TL_LNA_IS_NAME) {
    const char *name = n->kid[0]->word[0].text;
    const uint32_t place = tl_names_find (&c->place_name, name);
    if (place != TL_NO_NAME && (a == TL_LNA_CARDINAL || a == TL_LNA_TOKENS))
      return of_place (c, n, place);
    const uint32_t type = tl_names_find (&c->type_name, name);
    if (type != TL_NO_NAME && (a <= TL_LNA_LAST || a == TL_LNA_CARDINAL))
      return of_type (c, n, a, c->net->type[type]);
    if (!tl_lna_find_variable (c, name) && !tl_lna_is_constant (c, name))
      return of_nothing (c, n, type);
  }
  return of_value (c, n, a);
}
