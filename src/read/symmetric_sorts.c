#include "read/symmetric_sorts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Sorts may name each other so deep.
#define DEEPEST 100

// Values of a sort that is partitioned.
#define MOST_PARTITIONED (1u << 16)

static tl_status no_memory (const tl_sorts *s) {
  return tl_document_no_memory (s->document);
}

#define FAIL(S, E, ...)                                                        \
  tl_document_fail ((S)->document, (E)->where, TL_E_SYNTAX, __VA_ARGS__)

tl_status tl_sorts_number (const tl_sorts *s, const tl_element *e,
                           const char *text, int64_t first, int64_t last,
                           int64_t *value) {
  char *end;
  errno = 0;
  *value = strtoll (text, &end, 10);
  end += strspn (end, " \t\r\n");
  if (end == text || *end)
    return FAIL (s, e, "'%.40s' is not a number", text);
  if (errno || *value < first || *value > last)
    return FAIL (s, e, "the number %.40s is out of range", text);
  return TL_OK;
}

bool tl_types_mix (const tl_type *a, const tl_type *b) {
  return a->root == b->root ||
         (a->kind == TL_TYPE_RANGE && b->kind == TL_TYPE_RANGE &&
          a->root->first == b->root->first && a->root->last == b->root->last);
}

// ---- Declarations ----------------------------------------------------------

tl_declaration *tl_sorts_find (tl_sorts *s, tl_declared kind,
                               const tl_element *e) {
  static const char *const words[] = {"sort", "variable", "constant"};
  const uint32_t found = tl_names_find (s->ids + kind, e->first);
  if (found != TL_NO_NAME)
    return s->declaration + found;
  FAIL (s, e, "unknown %s '%.80s'", words[kind], e->first);
  return 0;
}

static tl_status declare (tl_sorts *s, tl_declared kind, const tl_element *e,
                          tl_declaration **out) {
  uint32_t index = (uint32_t)s->count;
  bool added;
  if (s->count >= TL_NO_NAME ||
      !TL_ROOM (s->document->mem, s->declaration, &s->room, s->count + 1) ||
      tl_names_add (s->ids + kind, e->first, &index, &added))
    return no_memory (s);
  if (!added)
    return FAIL (s, e, "a second declaration of '%.80s'", e->first);
  s->count++;
  tl_declaration *d = s->declaration + index;
  *d = (tl_declaration){.id = e->first,
                        .name = e->second ? e->second : e->first,
                        .element = e,
                        .user = UINT32_MAX};
  if (out)
    *out = d;
  return TL_OK;
}

static tl_status declare_partition (tl_sorts *s, const tl_element *e) {
  tl_status status = declare (s, TL_DECLARED_SORT, e, 0);
  for (const tl_element *i = e->inside; !status && i; i = i->next)
    if (i->tag == TL_TAG_PARTITION_ELEMENT)
      status = declare (s, TL_DECLARED_SORT, i, 0);
  return status;
}

static tl_status declare_any (tl_sorts *s, const tl_element *e) {
  switch (e->tag) {
  case TL_TAG_NAMED_SORT: return declare (s, TL_DECLARED_SORT, e, 0);
  case TL_TAG_VARIABLE_DECLARATION:
    return declare (s, TL_DECLARED_VARIABLE, e, 0);
  case TL_TAG_PARTITION: return declare_partition (s, e);
  default:
    return FAIL (s, e, "this <%s> is not a declaration", tl_tag_name (e->tag));
  }
}

// ---- Types -----------------------------------------------------------------

// Appends the type to those of the net and makes it the sort's only part.
static tl_status give (tl_sorts *s, const tl_type *t, tl_sort *sort) {
  tl_arena *arena = &s->net->arena;
  if (!t || !TL_ARENA_NEW (arena, sort->part, 1))
    return no_memory (s);
  sort->part[0] = t;
  sort->parts = 1;
  if (s->net->types == s->type_room) { // the arena has no way to grow a block
    const size_t room = 2 * s->type_room + 8;
    const tl_type **more;
    if (!TL_ARENA_NEW (arena, more, room))
      return no_memory (s);
    if (s->net->types)
      memcpy (more, s->net->type, s->net->types * sizeof *more);
    s->net->type = more;
    s->type_room = room;
  }
  s->net->type[s->net->types++] = t;
  return TL_OK;
}

// Constants are called by their names where these tell them apart.
static tl_status name_constants (tl_sorts *s, const tl_element *first,
                                 const char **name, uint32_t count) {
  tl_names seen = TL_NAMES (s->document->mem);
  tl_status status = TL_OK;
  bool added = true;
  const tl_element *e = first;
  for (uint32_t i = 0; !status && added && i < count; i++, e = e->next) {
    name[i] = e->second ? e->second : e->first;
    uint32_t value = i;
    status = tl_names_add (&seen, name[i], &value, &added);
  }
  tl_names_close (&seen);
  e = first;
  for (uint32_t i = 0; !added && i < count; i++, e = e->next)
    name[i] = e->first;
  return status ? no_memory (s) : TL_OK;
}

static tl_status make_enumeration (tl_sorts *s, const tl_element *e,
                                   const char *name, tl_sort *sort) {
  uint32_t count = 0;
  for (const tl_element *c = e->inside; c; c = c->next, count++)
    if (c->tag != TL_TAG_ENUMERATION_CONSTANT)
      return FAIL (s, c, "this <%s> is not a constant", tl_tag_name (c->tag));
    else if (count == INT32_MAX)
      return FAIL (s, c, "too many constants");
  if (!count)
    return FAIL (s, e, "an enumeration without constants");
  const char **names;
  if (!TL_ARENA_NEW (&s->document->arena, names, count))
    return no_memory (s);
  tl_status status = name_constants (s, e->inside, names, count);
  if (!status)
    status = give (s,
                   tl_type_enum (&s->net->arena, name ? name : "enumeration",
                                 names, count),
                   sort);
  tl_cell value = 0;
  for (const tl_element *c = e->inside; !status && c; c = c->next) {
    tl_declaration *d;
    if ((status = declare (s, TL_DECLARED_CONSTANT, c, &d)))
      return status;
    d->sort = *sort;
    d->value = value++;
  }
  return status;
}

static tl_status make_range (tl_sorts *s, const tl_element *e, const char *name,
                             tl_sort *sort) {
  int64_t first, last;
  tl_status status =
      tl_sorts_number (s, e, e->first, INT32_MIN, INT32_MAX, &first);
  if (!status)
    status = tl_sorts_number (s, e, e->second, first, INT32_MAX, &last);
  if (status)
    return status;
  // Constants name their range anew each time.
  for (uint32_t i = 0; !name && i < s->net->types; i++) {
    const tl_type *const *t = s->net->type + i;
    if ((*t)->kind == TL_TYPE_RANGE && (*t)->first == first &&
        (*t)->last == last) {
      *sort = (tl_sort){(const tl_type **)t, 1};
      return TL_OK;
    }
  }
  return give (s,
               tl_type_range (&s->net->arena, name ? name : "finiteintrange",
                              first, last),
               sort);
}

// The sort that stands there; what is made for it gets the name (or null).
static tl_status resolve (tl_sorts *, const tl_element *, const char *name,
                          tl_sort *);

static tl_status make_product (tl_sorts *s, const tl_element *e,
                               tl_sort *sort) {
  const tl_type *part[TL_MOST_PARTS];
  uint32_t parts = 0;
  for (const tl_element *c = e->inside; c; c = c->next) {
    tl_sort more = {0};
    const tl_status status = resolve (s, c, 0, &more);
    if (status)
      return status;
    if (more.parts > TL_MOST_PARTS - parts)
      return FAIL (s, e, "a product of more than %u sorts", TL_MOST_PARTS);
    for (uint32_t i = 0; i < more.parts; i++)
      part[parts++] = more.part[i];
  }
  if (!TL_ARENA_NEW (&s->net->arena, sort->part, parts + 1))
    return no_memory (s);
  memcpy (sort->part, part, parts * sizeof *part);
  sort->parts = parts;
  return TL_OK;
}

static tl_status resolve_user (tl_sorts *, tl_declaration *);

static tl_status resolve (tl_sorts *s, const tl_element *e, const char *name,
                          tl_sort *sort) {
  tl_status status;
  tl_declaration *d;
  switch (e->tag) {
  case TL_TAG_USER_SORT:
    if (!(d = tl_sorts_find (s, TL_DECLARED_SORT, e)))
      return TL_E_SYNTAX;
    const size_t index = (size_t)(d - s->declaration);
    if ((status = resolve_user (s, d)))
      return status;
    *sort = s->declaration[index].sort;
    return TL_OK;
  case TL_TAG_DOT: *sort = (tl_sort){0}; return TL_OK;
  case TL_TAG_BOOL: return give (s, s->net->boolean, sort);
  case TL_TAG_RANGE: return make_range (s, e, name, sort);
  case TL_TAG_CYCLIC_ENUMERATION:
  case TL_TAG_FINITE_ENUMERATION: return make_enumeration (s, e, name, sort);
  case TL_TAG_PRODUCT_SORT: return make_product (s, e, sort);
  default: return FAIL (s, e, "this <%s> is not a sort", tl_tag_name (e->tag));
  }
}

tl_status tl_sorts_resolve (tl_sorts *s, const tl_element *e, tl_sort *sort) {
  return resolve (s, e, 0, sort);
}

// ---- Partitions ------------------------------------------------------------

static tl_status value_of (tl_sorts *s, const tl_element *e, const tl_type *t,
                           int64_t *value) {
  if (e->tag == TL_TAG_SUBTERM && e->inside)
    e = e->inside;
  if (e->tag == TL_TAG_RANGE_CONSTANT && t->kind == TL_TYPE_RANGE)
    return tl_sorts_number (s, e, e->first, t->first, t->last, value);
  if (e->tag != TL_TAG_USER_OPERATOR)
    return FAIL (s, e, "this <%s> is not a constant of the sort '%.80s'",
                 tl_tag_name (e->tag), t->name);
  const tl_declaration *d = tl_sorts_find (s, TL_DECLARED_CONSTANT, e);
  if (!d)
    return TL_E_SYNTAX;
  *value = d->value;
  return d->sort.part[0]->root == t->root
             ? TL_OK
             : FAIL (s, e, "'%.80s' is not of the sort '%.80s'", d->id,
                     t->name);
}

// An element of a partition as a subtype, and its constant.
static tl_status make_element (tl_sorts *s, const tl_element *e,
                               const tl_type *carrier, uint32_t *element_of,
                               uint32_t number, const tl_sort *partition) {
  int64_t value, first = INT64_MAX, last = INT64_MIN, count = 0;
  for (const tl_element *c = e->inside; c; c = c->next, count++) {
    const tl_status status = value_of (s, c, carrier, &value);
    if (status)
      return status;
    if (element_of[value - carrier->first] != UINT32_MAX)
      return FAIL (s, c, "a value in two elements of a partition");
    element_of[value - carrier->first] = number;
    first = value < first ? value : first;
    last = value > last ? value : last;
  }
  if (!count)
    return FAIL (s, e, "an element of a partition without values");
  tl_declaration *constant;
  tl_status status = declare (s, TL_DECLARED_CONSTANT, e, &constant);
  if (status)
    return status;
  constant->sort = *partition;
  constant->value = (tl_cell)number;
  tl_declaration *d = tl_sorts_find (s, TL_DECLARED_SORT, e);
  d->progress = TL_KNOWN;
  if (last - first + 1 != count) // no sort, but a constant
    return TL_OK;
  return give (s, tl_type_sub (&s->net->arena, d->name, carrier, first, last),
               &d->sort);
}

static tl_status make_partition (tl_sorts *s, size_t index) {
  const tl_declaration own = s->declaration[index];
  const tl_element *e = own.element->inside;
  tl_sort carrier = {0}, sort = {0};
  if (!e)
    return FAIL (s, own.element, "a partition of no sort");
  tl_status status = resolve (s, e, 0, &carrier);
  if (status)
    return status;
  if (carrier.parts != 1 || carrier.part[0]->root != carrier.part[0] ||
      tl_type_values (*carrier.part) > MOST_PARTITIONED)
    return FAIL (s, e, "this sort cannot be partitioned");
  uint32_t count = 0, *element_of;
  for (const tl_element *c = e->next; c; c = c->next, count++)
    if (c->tag != TL_TAG_PARTITION_ELEMENT)
      return FAIL (s, c, "this <%s> is not an element of a partition",
                   tl_tag_name (c->tag));
  const uint64_t values = tl_type_values (*carrier.part);
  const char **name;
  if (!count)
    return FAIL (s, e, "a partition without elements");
  if (!TL_ARENA_NEW (&s->document->arena, element_of, values) ||
      !TL_ARENA_NEW (&s->document->arena, name, count))
    return no_memory (s);
  memset (element_of, 0xff, values * sizeof *element_of);
  status = name_constants (s, e->next, name, count);
  if (!status)
    status =
        give (s, tl_type_enum (&s->net->arena, own.name, name, count), &sort);
  uint32_t number = 0;
  for (const tl_element *c = e->next; !status && c; c = c->next)
    status = make_element (s, c, *carrier.part, element_of, number++, &sort);
  for (uint64_t v = 0; !status && v < values; v++)
    if (element_of[v] == UINT32_MAX)
      status = FAIL (s, own.element, "a value in no element of the partition");
  s->declaration[index].sort = sort;
  s->declaration[index].carrier = carrier.part[0];
  s->declaration[index].element_of = element_of;
  return status;
}

// ---- All of them -----------------------------------------------------------

static tl_status resolve_declared (tl_sorts *s, size_t index) {
  const tl_declaration own = s->declaration[index];
  const tl_element *e = own.element;
  if (e->tag == TL_TAG_PARTITION)
    return make_partition (s, index);
  if (!e->inside || e->inside->next)
    return FAIL (s, e, "'%.80s' needs one sort", own.id);
  tl_sort sort = {0};
  const tl_status status = resolve (s, e->inside, own.name, &sort);
  s->declaration[index].sort = sort;
  return status;
}

static tl_status resolve_user (tl_sorts *s, tl_declaration *d) {
  const size_t index = (size_t)(d - s->declaration);
  if (d->progress == TL_KNOWN)
    return d->element->tag == TL_TAG_PARTITION_ELEMENT && !d->sort.part
               ? FAIL (s, d->element,
                       "the values of '%.80s' are not consecutive, so it is "
                       "not supported as a sort",
                       d->id)
               : TL_OK;
  if (d->element->tag == TL_TAG_PARTITION_ELEMENT)
    return FAIL (s, d->element,
                 "'%.80s' is used as a sort before its partition is declared",
                 d->id);
  if (d->progress == TL_LOOKED_AT || s->depth == DEEPEST)
    return FAIL (s, d->element, "the sort '%.80s' is nested too deep", d->id);
  d->progress = TL_LOOKED_AT;
  s->depth++;
  const tl_status status = resolve_declared (s, index);
  s->depth--;
  s->declaration[index].progress = TL_KNOWN;
  return status;
}

static tl_status resolve_all (tl_sorts *s, tl_tag tag) {
  tl_status status = TL_OK;
  for (size_t i = 0; !status && i < s->count; i++)
    if (s->declaration[i].element->tag == tag)
      status = resolve_user (s, s->declaration + i);
  return status;
}

tl_status tl_sorts_open (tl_sorts *s, tl_document *document, tl_coloured *net) {
  *s = (tl_sorts){.document = document, .net = net};
  for (int i = 0; i < TL_DECLARED_KINDS; i++)
    s->ids[i] = TL_NAMES (document->mem);
  tl_status status = TL_OK;
  for (const tl_element *e = document->declarations; !status && e; e = e->next)
    status = declare_any (s, e);
  // Sorts and variables may be of the elements of a partition.
  static const tl_tag order[] = {TL_TAG_PARTITION, TL_TAG_NAMED_SORT,
                                 TL_TAG_VARIABLE_DECLARATION};
  for (size_t i = 0; !status && i < sizeof order / sizeof *order; i++)
    status = resolve_all (s, order[i]);
  return status;
}

void tl_sorts_close (tl_sorts *s) {
  for (int i = 0; i < TL_DECLARED_KINDS; i++)
    tl_names_close (s->ids + i);
  TL_DEL (s->document->mem, s->declaration, s->room);
}
