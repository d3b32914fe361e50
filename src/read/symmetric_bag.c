#include "read/symmetric_bag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FAIL(T, E, ...)                                                        \
  tl_document_fail ((T)->sorts->document, (E)->where, TL_E_SYNTAX, __VA_ARGS__)

static tl_status no_memory (const tl_terms *t) {
  return tl_document_no_memory (t->sorts->document);
}

static tl_arena *scratch (const tl_terms *t) {
  return &t->sorts->document->arena;
}

// ---- Terms -----------------------------------------------------------------

tl_term *tl_bag_term (tl_terms *t, tl_term_kind kind, tl_where where,
                      const tl_type *type, uint32_t operands, ...) {
  tl_term *term;
  if (!TL_ARENA_NEW (t->arena, term, 1) ||
      (operands && !TL_ARENA_NEW (t->arena, term->operand, operands)))
    return 0;
  term->kind = kind;
  term->where = where;
  term->type = type;
  term->operands = operands;
  va_list list;
  va_start (list, operands);
  for (uint32_t i = 0; term && i < operands; i++)
    if (!(term->operand[i] = va_arg (list, tl_term *)))
      term = 0;
  va_end (list);
  return term;
}

tl_term *tl_bag_constant (tl_terms *t, tl_where where, const tl_type *type,
                          int64_t value) {
  tl_term *term = tl_bag_term (t, TL_TERM_CONSTANT, where, type, 0);
  tl_cell *cell;
  if (!term || !TL_ARENA_NEW (t->arena, cell, 1))
    return 0;
  *cell = (tl_cell)value;
  term->value = cell;
  return term;
}

const tl_element *tl_bag_unwrap (const tl_terms *t, const tl_element *e) {
  while (e->tag == TL_TAG_SUBTERM) {
    if (!e->inside || e->inside->next) {
      FAIL (t, e, "a <subterm> holds one term");
      return 0;
    }
    e = e->inside;
  }
  return e;
}

// ---- Bags ------------------------------------------------------------------

static tl_item *new_item (tl_terms *t, tl_where where, uint32_t parts) {
  tl_item *item;
  if (!TL_ARENA_NEW (scratch (t), item, 1) ||
      (parts && !TL_ARENA_NEW (t->arena, item->part, parts)))
    return 0;
  item->where = where;
  item->factor = 1;
  item->parts = parts;
  return item;
}

static void append (tl_bag *bag, tl_item *item) {
  if (bag->last)
    bag->last->next = item;
  else
    bag->first = item;
  bag->last = item;
  bag->count++;
}

static tl_status one_item (tl_terms *t, tl_item *item, tl_bag *bag) {
  if (!item)
    return no_memory (t);
  append (bag, item);
  return TL_OK;
}

static tl_status one_part (tl_terms *t, tl_term *term, tl_bag *bag) {
  tl_item *item = term ? new_item (t, term->where, 1) : 0;
  if (item)
    item->part[0] = term;
  return one_item (t, item, bag);
}

static tl_status read_constant (tl_terms *t, const tl_element *e, tl_bag *bag) {
  const tl_declaration *d = tl_sorts_find (t->sorts, TL_DECLARED_CONSTANT, e);
  if (!d)
    return TL_E_SYNTAX;
  return one_part (t, tl_bag_constant (t, e->where, d->sort.part[0], d->value),
                   bag);
}

static tl_status read_number (tl_terms *t, const tl_element *e, tl_bag *bag) {
  tl_sort sort = {0};
  int64_t value;
  if (!e->inside || e->inside->tag != TL_TAG_RANGE)
    return FAIL (t, e, "this constant does not say of which range it is");
  tl_status status = tl_sorts_resolve (t->sorts, e->inside, &sort);
  if (!status)
    status = tl_sorts_number (t->sorts, e, e->first, sort.part[0]->first,
                              sort.part[0]->last, &value);
  return status
             ? status
             : one_part (t, tl_bag_constant (t, e->where, sort.part[0], value),
                         bag);
}

static tl_status read_boolean (tl_terms *t, const tl_element *e, tl_bag *bag) {
  const bool is_true = !strcmp (e->first, "true");
  if (!is_true && strcmp (e->first, "false"))
    return FAIL (t, e, "'%.40s' is neither true nor false", e->first);
  return one_part (
      t, tl_bag_constant (t, e->where, t->sorts->net->boolean, is_true), bag);
}

// The variables that are the parts of a declared one get cells in the frame
// when the transition uses it for the first time.
static tl_status use_variable (tl_terms *t, tl_declaration *d) {
  if (d->user == t->user)
    return TL_OK;
  d->user = t->user;
  d->slot = (uint32_t)t->variables;
  const uint32_t parts = d->sort.parts;
  if (!TL_ROOM (t->sorts->document->mem, t->variable, &t->variable_room,
                t->variables + parts))
    return no_memory (t);
  for (uint32_t i = 0; i < parts; i++) {
    char suffix[16] = "";
    if (parts > 1)
      snprintf (suffix, sizeof suffix, ".%u", i + 1);
    const size_t length = strlen (d->name);
    char *name;
    if (!TL_ARENA_NEW (t->arena, name, length + sizeof suffix))
      return no_memory (t);
    memcpy (name, d->name, length);
    strcpy (name + length, suffix);
    t->variable[t->variables++] = (tl_variable){.name = name,
                                                .kind = TL_VARIABLE_PICK,
                                                .type = d->sort.part[i],
                                                .offset = t->frame++};
  }
  return TL_OK;
}

static tl_status read_variable (tl_terms *t, const tl_element *e, tl_bag *bag) {
  tl_declaration *d = tl_sorts_find (t->sorts, TL_DECLARED_VARIABLE, e);
  if (!d)
    return TL_E_SYNTAX;
  if (t->user == UINT32_MAX)
    return FAIL (t, e, "the variable '%.80s' in an initial marking", d->id);
  const tl_status status = use_variable (t, d);
  if (status)
    return status;
  tl_item *item = new_item (t, e->where, d->sort.parts);
  for (uint32_t i = 0; item && i < d->sort.parts; i++) {
    const tl_variable *v = t->variable + d->slot + i;
    tl_term *term = tl_bag_term (t, TL_TERM_VARIABLE, e->where, v->type, 0);
    if (!term)
      return no_memory (t);
    term->offset = v->offset;
    item->part[i] = term;
  }
  return one_item (t, item, bag);
}

static tl_status read_all (tl_terms *t, const tl_element *e, tl_bag *bag) {
  tl_sort sort = {0};
  if (!e->inside || e->inside->next)
    return FAIL (t, e, "<all> needs one sort");
  const tl_status status = tl_sorts_resolve (t->sorts, e->inside, &sort);
  if (status)
    return status;
  tl_item *item = new_item (t, e->where, sort.parts);
  if (!item || (sort.parts && !TL_ARENA_NEW (t->arena, item->loop, sort.parts)))
    return no_memory (t);
  item->loops = sort.parts;
  for (uint32_t i = 0; i < sort.parts; i++) {
    tl_term *term =
        tl_bag_term (t, TL_TERM_VARIABLE, e->where, sort.part[i], 0);
    if (!term)
      return no_memory (t);
    term->offset = t->frame++;
    item->part[i] = term;
    item->loop[i] = (tl_loop){.kind = TL_LOOP_TYPE,
                              .name = "all",
                              .type = sort.part[i],
                              .offset = term->offset};
  }
  append (bag, item);
  return TL_OK;
}

// ---- Sums and products -----------------------------------------------------

static tl_status scale (tl_terms *t, const tl_element *e, int64_t factor,
                        tl_bag *bag) {
  for (tl_item *i = bag->first; i; i = i->next)
    if (__builtin_mul_overflow (i->factor, factor, &i->factor) ||
        i->factor > TL_MAX_TOKENS || i->factor < -(int64_t)TL_MAX_TOKENS)
      return FAIL (t, e, "the number of tokens is out of range");
  return TL_OK;
}

static tl_status read_sum (tl_terms *t, const tl_element *e, int64_t others,
                           tl_bag *bag) {
  for (const tl_element *c = e->inside; c; c = c->next) {
    tl_bag more = {0};
    tl_status status = tl_bag_read (t, c, &more);
    if (!status && c != e->inside)
      status = scale (t, c, others, &more);
    if (status)
      return status;
    if (!more.first)
      continue;
    if (bag->count + more.count > TL_MOST_TUPLES)
      return FAIL (t, e, "more than %u tuples in one sum", TL_MOST_TUPLES);
    if (bag->last)
      bag->last->next = more.first;
    else
      bag->first = more.first;
    bag->last = more.last;
    bag->count += more.count;
  }
  return e->inside ? TL_OK
                   : FAIL (t, e, "a <%s> without terms", tl_tag_name (e->tag));
}

static tl_status read_times (tl_terms *t, const tl_element *e, tl_bag *bag) {
  const tl_element *number = e->inside;
  int64_t factor = 1;
  if (!number || (number->next && number->next->next))
    return FAIL (t, e, "<%s> needs a number and a term", tl_tag_name (e->tag));
  const tl_element *term = number->next ? number->next : number;
  if (number->next) {
    if (!(number = tl_bag_unwrap (t, number)))
      return TL_E_SYNTAX;
    if (number->tag != TL_TAG_NUMBER)
      return FAIL (t, number, "this <%s> is not a number",
                   tl_tag_name (number->tag));
    const tl_status status = tl_sorts_number (t->sorts, number, number->first,
                                              0, TL_MAX_TOKENS, &factor);
    if (status)
      return status;
  }
  const tl_status status = tl_bag_read (t, term, bag);
  return status ? status : scale (t, e, factor, bag);
}

// The parts of one item after those of another.
static tl_item *join (tl_terms *t, const tl_element *e, const tl_item *a,
                      const tl_item *b) {
  tl_item *item = new_item (t, e->where, a->parts + b->parts);
  const uint32_t loops = a->loops + b->loops;
  if (!item || (loops && !TL_ARENA_NEW (t->arena, item->loop, loops)))
    return 0;
  item->loops = loops;
  if (a->parts)
    memcpy (item->part, a->part, a->parts * sizeof *a->part);
  if (b->parts)
    memcpy (item->part + a->parts, b->part, b->parts * sizeof *b->part);
  if (a->loops)
    memcpy (item->loop, a->loop, a->loops * sizeof *a->loop);
  if (b->loops)
    memcpy (item->loop + a->loops, b->loop, b->loops * sizeof *b->loop);
  return item;
}

static tl_status multiply (tl_terms *t, const tl_element *e, tl_bag *left,
                           const tl_bag *right) {
  tl_bag product = {0};
  if ((uint64_t)left->count * right->count > TL_MOST_TUPLES)
    return FAIL (t, e, "more than %u tuples in one product", TL_MOST_TUPLES);
  for (const tl_item *a = left->first; a; a = a->next)
    for (const tl_item *b = right->first; b; b = b->next) {
      if (a->parts + b->parts > TL_MOST_PARTS)
        return FAIL (t, e, "a tuple of more than %u parts", TL_MOST_PARTS);
      tl_item *item = join (t, e, a, b);
      if (!item)
        return no_memory (t);
      append (&product, item);
      if (__builtin_mul_overflow (a->factor, b->factor, &item->factor))
        return FAIL (t, e, "the number of tokens is out of range");
    }
  *left = product;
  return scale (t, e, 1, left);
}

static tl_status read_tuple (tl_terms *t, const tl_element *e, tl_bag *bag) {
  tl_status status = one_item (t, new_item (t, e->where, 0), bag);
  for (const tl_element *c = e->inside; !status && c; c = c->next) {
    tl_bag more = {0};
    status = tl_bag_read (t, c, &more);
    if (!status)
      status = multiply (t, e, bag, &more);
  }
  return status;
}

// ---- Functions of one value ------------------------------------------------

// The next or the previous value; after the last comes the first.
static tl_term *step (tl_terms *t, const tl_element *e, tl_term *of) {
  const tl_type *type = of->type->root;
  const bool up = e->tag == TL_TAG_SUCCESSOR;
  if (type->kind != TL_TYPE_RANGE)
    return tl_bag_term (t, up ? TL_TERM_SUCC : TL_TERM_PRED, e->where, type, 1,
                        of);
  const tl_term_kind kind = up ? TL_TERM_ADD : TL_TERM_SUBTRACT;
  tl_term *end =
      tl_bag_constant (t, e->where, type, up ? type->last : type->first);
  tl_term *start =
      tl_bag_constant (t, e->where, type, up ? type->first : type->last);
  tl_term *one = tl_bag_constant (t, e->where, type, 1);
  tl_term *at_end = tl_bag_term (t, TL_TERM_EQUAL, e->where,
                                 t->sorts->net->boolean, 2, of, end);
  tl_term *moved = tl_bag_term (t, kind, e->where, type, 2, of, one);
  return tl_bag_term (t, TL_TERM_CHOOSE, e->where, type, 3, at_end, start,
                      moved);
}

// The number of the element of the partition that has the value: a search
// among the runs of values of one element, from `first` to `last`.
static tl_term *look_up (tl_terms *t, const tl_element *e,
                         const tl_declaration *d, tl_term *of, int64_t first,
                         int64_t last) {
  const tl_type *type = of->type->root, *result = d->sort.part[0];
  const uint32_t *element = d->element_of;
  int64_t cut = first;
  // Where a run begins, as near to the middle as there is one
  for (int64_t i = first + 1; i <= last; i++)
    if (element[i - type->first] != element[i - 1 - type->first] &&
        (cut == first || i <= first + (last - first + 1) / 2))
      cut = i;
  if (cut == first)
    return tl_bag_constant (t, e->where, result, element[first - type->first]);
  tl_term *bound = tl_bag_constant (t, e->where, type, cut);
  return tl_bag_term (t, TL_TERM_CHOOSE, e->where, result, 3,
                      tl_bag_term (t, TL_TERM_LESS, e->where,
                                   t->sorts->net->boolean, 2, of, bound),
                      look_up (t, e, d, of, first, cut - 1),
                      look_up (t, e, d, of, cut, last));
}

static tl_status apply (tl_terms *t, const tl_element *e, tl_item *item) {
  if (item->parts != 1)
    return FAIL (t, e, "<%s> of a value that is not a single one",
                 tl_tag_name (e->tag));
  tl_term *of = item->part[0];
  if (e->tag != TL_TAG_PARTITION_ELEMENT_OF) {
    item->part[0] = step (t, e, of);
    return item->part[0] ? TL_OK : no_memory (t);
  }
  const tl_declaration *d = tl_sorts_find (t->sorts, TL_DECLARED_SORT, e);
  if (!d)
    return TL_E_SYNTAX;
  if (!d->element_of || d->carrier->root != of->type->root)
    return FAIL (t, e, "'%.80s' is not a partition of the sort '%.80s'", d->id,
                 of->type->root->name);
  item->part[0] =
      look_up (t, e, d, of, of->type->root->first, of->type->root->last);
  return item->part[0] ? TL_OK : no_memory (t);
}

static tl_status read_function (tl_terms *t, const tl_element *e, tl_bag *bag) {
  if (!e->inside || e->inside->next)
    return FAIL (t, e, "<%s> needs one term", tl_tag_name (e->tag));
  tl_status status = tl_bag_read (t, e->inside, bag);
  for (tl_item *i = bag->first; !status && i; i = i->next)
    status = apply (t, e, i);
  return status;
}

tl_status tl_bag_read (tl_terms *t, const tl_element *e, tl_bag *bag) {
  if (!(e = tl_bag_unwrap (t, e)))
    return TL_E_SYNTAX;
  switch (e->tag) {
  case TL_TAG_ADD: return read_sum (t, e, 1, bag);
  case TL_TAG_SUBTRACT: return read_sum (t, e, -1, bag);
  case TL_TAG_NUMBER_OF:
  case TL_TAG_SCALAR_PRODUCT: return read_times (t, e, bag);
  case TL_TAG_ALL: return read_all (t, e, bag);
  case TL_TAG_EMPTY: return TL_OK;
  case TL_TAG_TUPLE: return read_tuple (t, e, bag);
  case TL_TAG_VARIABLE: return read_variable (t, e, bag);
  case TL_TAG_USER_OPERATOR: return read_constant (t, e, bag);
  case TL_TAG_DOT_CONSTANT: return one_item (t, new_item (t, e->where, 0), bag);
  case TL_TAG_BOOL_CONSTANT: return read_boolean (t, e, bag);
  case TL_TAG_RANGE_CONSTANT: return read_number (t, e, bag);
  case TL_TAG_SUCCESSOR:
  case TL_TAG_PREDECESSOR:
  case TL_TAG_PARTITION_ELEMENT_OF: return read_function (t, e, bag);
  default: return FAIL (t, e, "<%s> cannot stand here", tl_tag_name (e->tag));
  }
}
