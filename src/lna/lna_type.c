// Definitions of types.

#include "lna/typing.h"

#include <string.h>

#define DEEPEST 64
#define LARGEST 65536 // elements of vectors, lists and sets

static bool add (tl_lna_checker *c, const tl_lna_word *name,
                 const tl_type *type, uint32_t depth) {
  uint32_t number;
  if (!type)
    return tl_lna_no_memory (c->source);
  if (depth > DEEPEST)
    return tl_lna_fail (c->source, name->where, "types nest at most %d deep",
                        DEEPEST);
  if (!tl_lna_name (c, &c->type_name, name, "type", &number))
    return false;
  c->net->type[number] = type;
  c->net->types = number + 1;
  c->type_depth[number] = depth;
  if (type->root == type)
    c->root[c->roots++] = type;
  return true;
}

static uint32_t depth_of (const tl_lna_checker *c, const char *name) {
  return c->type_depth[tl_names_find (&c->type_name, name)];
}

// Discrete types

static bool bound (tl_lna_checker *c, tl_lna_node *n, int64_t *value) {
  if (!tl_lna_number (c, n, value))
    return false;
  return (*value >= INT32_MIN && *value <= INT32_MAX) ||
         tl_lna_fail (c->source, n->where,
                      "the bound %lld needs more than 32 bits",
                      (long long)*value);
}

static bool define_range (tl_lna_checker *c, const tl_lna_node *n) {
  int64_t first, last;
  if (!bound (c, n->kid[0], &first) || !bound (c, n->kid[1], &last))
    return false;
  if (first > last)
    return tl_lna_fail (c->source, n->kid[0]->where,
                        "the range %lld .. %lld is empty", (long long)first,
                        (long long)last);
  return add (c, n->word,
              tl_type_range (&c->net->arena, n->word[0].text, first, last), 0);
}

static bool define_mod (tl_lna_checker *c, const tl_lna_node *n) {
  int64_t modulus;
  if (!bound (c, n->kid[0], &modulus))
    return false;
  if (modulus < 1)
    return tl_lna_fail (c->source, n->kid[0]->where,
                        "a modulus is at least 1, not %lld",
                        (long long)modulus);
  return add (c, n->word,
              tl_type_mod (&c->net->arena, n->word[0].text, modulus), 0);
}

static bool add_enumerator (tl_lna_checker *c, const tl_lna_word *w,
                            const tl_type *type, uint32_t value) {
  uint32_t number = (uint32_t)c->enumerator_name.count;
  bool added;
  tl_lna_enumerator *e;
  if (tl_names_add (&c->enumerator_name, w->text, &number, &added))
    return tl_lna_no_memory (c->source);
  if (!added && c->enumerator[number]->type == type)
    return tl_lna_fail (c->source, w->where, "a second constant '%.80s'",
                        w->text);
  if (!TL_LNA_NEW (c->source, e, 1))
    return false;
  *e = (tl_lna_enumerator){type, (tl_cell)value,
                           added ? 0 : c->enumerator[number]};
  c->enumerator[number] = e;
  return true;
}

static bool define_enum (tl_lna_checker *c, const tl_lna_node *n) {
  const uint32_t count = n->words - 1;
  const char **constant;
  if (!TL_LNA_NEW (c->source, constant, count))
    return false;
  for (uint32_t i = 0; i < count; i++)
    constant[i] = n->word[i + 1].text;
  const tl_type *type =
      tl_type_enum (&c->net->arena, n->word[0].text, constant, count);
  if (!add (c, n->word, type, 0))
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (!add_enumerator (c, n->word + i + 1, type, i))
      return false;
  return true;
}

static bool define_subtype (tl_lna_checker *c, const tl_lna_node *n) {
  const tl_type *parent = tl_lna_find_type (c, n->word + 1);
  if (!parent)
    return false;
  int64_t first = parent->first, last = parent->last;
  if (n->kids) {
    if (!tl_type_is_discrete (parent))
      return tl_lna_fail (c->source, n->word[1].where,
                          "the type %.80s has no ranges", parent->name);
    if (!tl_lna_number_of (c, n->kid[0], parent->root, &first) ||
        !tl_lna_number_of (c, n->kid[1], parent->root, &last))
      return false;
    if (first > last)
      return tl_lna_fail (c->source, n->kid[0]->where, "the range is empty");
    if (first < parent->first || last > parent->last)
      return tl_lna_fail (c->source,
                          n->kid[first < parent->first ? 0 : 1]->where,
                          "the range is not part of type %.80s", parent->name);
  }
  return add (
      c, n->word,
      tl_type_sub (&c->net->arena, n->word[0].text, parent, first, last),
      depth_of (c, parent->name));
}

// Others

static bool too_large (tl_lna_checker *c, const tl_lna_node *n) {
  return tl_lna_fail (c->source, n->word[0].where,
                      "values of type '%.80s' are too large", n->word[0].text);
}

// Index types from word `first` on
static const tl_type **index_types (tl_lna_checker *c, const tl_lna_node *n,
                                    uint32_t first, uint64_t *elements) {
  const tl_type **index;
  *elements = 1;
  if (!TL_LNA_NEW (c->source, index, n->words - first))
    return 0;
  for (uint32_t i = first; i < n->words; i++) {
    const tl_type *t = index[i - first] = tl_lna_find_type (c, n->word + i);
    if (!t)
      return 0;
    if (!tl_type_is_discrete (t)) {
      tl_lna_fail (c->source, n->word[i].where,
                   "the type %.80s cannot be an index", t->name);
      return 0;
    }
    // At most LARGEST before, at most 2^32 values
    if (*elements <= LARGEST)
      *elements *= tl_type_values (t);
  }
  return index;
}

static bool define_vector (tl_lna_checker *c, const tl_lna_node *n) {
  uint64_t elements;
  bool limit = false;
  const tl_type *element = tl_lna_find_type (c, n->word + 1);
  const tl_type **index = element ? index_types (c, n, 2, &elements) : 0;
  if (!index)
    return false;
  if (elements > LARGEST)
    return tl_lna_fail (c->source, n->word[0].where,
                        "a vector has at most %d elements", LARGEST);
  const tl_type *type = tl_type_vector (&c->net->arena, n->word[0].text, index,
                                        n->words - 2, element, &limit);
  return limit ? too_large (c, n)
               : add (c, n->word, type, depth_of (c, n->word[1].text) + 1);
}

static bool define_struct (tl_lna_checker *c, const tl_lna_node *n) {
  const uint32_t count = (n->words - 1) / 2;
  tl_member *component;
  uint32_t depth = 0;
  bool limit = false;
  if (!TL_LNA_NEW (c->source, component, count))
    return false;
  for (uint32_t i = 0; i < count; i++) {
    const tl_lna_word *w = n->word + 1 + 2 * (size_t)i;
    component[i].name = w[1].text;
    if (!(component[i].type = tl_lna_find_type (c, w)))
      return false;
    for (uint32_t k = 0; k < i; k++)
      if (!strcmp (component[k].name, w[1].text))
        return tl_lna_fail (c->source, w[1].where, "a second component '%.80s'",
                            w[1].text);
    const uint32_t d = depth_of (c, w->text);
    depth = d > depth ? d : depth;
  }
  const tl_type *type = tl_type_struct (&c->net->arena, n->word[0].text,
                                        component, count, &limit);
  return limit ? too_large (c, n) : add (c, n->word, type, depth + 1);
}

static bool define_container (tl_lna_checker *c, const tl_lna_node *n) {
  const bool list = n->kind == TL_LNA_IS_LIST_TYPE;
  const tl_type *element = tl_lna_find_type (c, n->word + 1);
  const tl_type **index = 0;
  uint64_t elements;
  int64_t capacity;
  bool limit = false;
  if (!element || (list && !(index = index_types (c, n, 2, &elements))) ||
      !tl_lna_number (c, n->kid[0], &capacity))
    return false;
  if (n->words > 3)
    return tl_lna_fail (c->source, n->word[3].where, "a list has one index");
  if (capacity < 1 || capacity > LARGEST)
    return tl_lna_fail (c->source, n->kid[0]->where,
                        "a capacity is 1 to %d, not %lld", LARGEST,
                        (long long)capacity);
  const tl_type *type = tl_type_container (
      &c->net->arena, n->word[0].text, list ? TL_TYPE_LIST : TL_TYPE_SET,
      list ? index[0] : 0, element, (uint32_t)capacity, &limit);
  return limit ? too_large (c, n)
               : add (c, n->word, type, depth_of (c, n->word[1].text) + 1);
}

bool tl_lna_define_type (tl_lna_checker *c, const tl_lna_node *n) {
  switch (n->kind) {
  case TL_LNA_IS_RANGE_TYPE: return define_range (c, n);
  case TL_LNA_IS_MOD_TYPE: return define_mod (c, n);
  case TL_LNA_IS_ENUM_TYPE: return define_enum (c, n);
  case TL_LNA_IS_VECTOR_TYPE: return define_vector (c, n);
  case TL_LNA_IS_STRUCT_TYPE: return define_struct (c, n);
  case TL_LNA_IS_SUBTYPE: return define_subtype (c, n);
  default: return define_container (c, n);
  }
}

static bool predefine_part (tl_lna_checker *c, const char *name, int64_t first,
                            int64_t last) {
  const tl_lna_word w = {.text = name};
  return add (c, &w,
              tl_type_sub (&c->net->arena, name, c->integer, first, last), 0);
}

bool tl_lna_predefine (tl_lna_checker *c) {
  static const tl_lna_word integer = {.text = "int"};
  static tl_lna_word boolean[] = {
      {.text = "bool"}, {.text = "false"}, {.text = "true"}};
  const tl_lna_node enumeration = {
      .kind = TL_LNA_IS_ENUM_TYPE, .word = boolean, .words = 3};
  c->integer =
      tl_type_range (&c->net->arena, integer.text, INT32_MIN, INT32_MAX);
  if (!add (c, &integer, c->integer, 0) ||
      !predefine_part (c, "nat", 0, INT32_MAX) ||
      !predefine_part (c, "short", INT16_MIN, INT16_MAX) ||
      !predefine_part (c, "ushort", 0, UINT16_MAX) ||
      !define_enum (c, &enumeration))
    return false;
  c->natural = c->net->type[1];
  c->net->boolean = c->net->type[c->net->types - 1];
  return true;
}
