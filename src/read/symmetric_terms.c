#include "read/symmetric_bag.h"

#include <string.h>

#define FAIL(T, E, ...)                                                        \
  tl_document_fail ((T)->sorts->document, (E)->where, TL_E_SYNTAX, __VA_ARGS__)

static tl_status no_memory (const tl_terms *t) {
  return tl_document_no_memory (t->sorts->document);
}

void tl_terms_begin (tl_terms *t, uint32_t user) {
  t->user = user;
  t->frame = 0;
  t->variables = 0;
}

void tl_terms_close (tl_terms *t) {
  TL_DEL (t->sorts->document->mem, t->variable, t->variable_room);
}

// ---- Labels ----------------------------------------------------------------

// A value of a wider sort than the place holds is checked when it is put there.
static tl_status fit (tl_terms *t, tl_where where, const tl_type *domain,
                      bool taken, tl_term **part) {
  const tl_type *type = (*part)->type;
  if (!tl_types_mix (type, domain))
    return tl_document_fail (t->sorts->document, where, TL_E_SYNTAX,
                             "a value of the sort '%.80s', where the place has "
                             "'%.80s'",
                             type->name, domain->name);
  if (taken || (type->first >= domain->first && type->last <= domain->last))
    return TL_OK;
  *part = tl_bag_term (t, TL_TERM_CHECK, where, domain, 1, *part);
  return *part ? TL_OK : no_memory (t);
}

static tl_status make_tuple (tl_terms *t, const tl_item *item,
                             const tl_cplace *place, bool taken,
                             tl_tuple *tuple) {
  *tuple = (tl_tuple){.where = item->where,
                      .loop = item->loop,
                      .loops = item->loops,
                      .factor = item->factor,
                      .part = item->part};
  if (item->parts != place->parts)
    return tl_document_fail (t->sorts->document, item->where, TL_E_SYNTAX,
                             "a token of %u parts for place '%.80s', which has "
                             "%u",
                             item->parts, place->id, place->parts);
  tl_status status = TL_OK;
  for (uint32_t i = 0; !status && i < item->parts; i++)
    status = fit (t, item->where, place->part[i], taken, tuple->part + i);
  return status;
}

tl_status tl_terms_label (tl_terms *t, const tl_element *e,
                          const tl_cplace *place, bool taken, tl_label *label) {
  tl_bag bag = {0};
  tl_status status = tl_bag_read (t, e, &bag);
  if (status)
    return status;
  if (bag.count && !TL_ARENA_NEW (t->arena, label->tuple, bag.count))
    return no_memory (t);
  for (const tl_item *i = bag.first; !status && i; i = i->next)
    if (i->factor) // 0 of something is nothing
      status = make_tuple (t, i, place, taken, label->tuple + label->tuples++);
  return status;
}

// ---- Conditions ------------------------------------------------------------

// The operands' conjunction or disjunction, as flat as it can be.
static tl_term *fold (tl_terms *t, tl_term_kind kind, tl_where where,
                      tl_term *const *term, size_t count) {
  if (count == 1)
    return *term;
  const size_t half = count / 2;
  return tl_bag_term (t, kind, where, t->sorts->net->boolean, 2,
                      fold (t, kind, where, term, half),
                      fold (t, kind, where, term + half, count - half));
}

static tl_status read_several (tl_terms *t, const tl_element *e,
                               tl_term **out) {
  const tl_term_kind kind = e->tag == TL_TAG_AND ? TL_TERM_AND : TL_TERM_OR;
  size_t count = 0;
  for (const tl_element *c = e->inside; c; c = c->next)
    count++;
  if (!count)
    return FAIL (t, e, "a <%s> without conditions", tl_tag_name (e->tag));
  tl_term **term;
  if (!TL_ARENA_NEW (&t->sorts->document->arena, term, count))
    return no_memory (t);
  tl_status status = TL_OK;
  size_t i = 0;
  for (const tl_element *c = e->inside; !status && c; c = c->next)
    status = tl_terms_guard (t, c, term + i++);
  if (status)
    return status;
  *out = fold (t, kind, e->where, term, count);
  return *out ? TL_OK : no_memory (t);
}

static tl_status read_not (tl_terms *t, const tl_element *e, tl_term **out) {
  tl_term *term;
  if (!e->inside || e->inside->next)
    return FAIL (t, e, "<not> needs one condition");
  const tl_status status = tl_terms_guard (t, e->inside, &term);
  if (status)
    return status;
  *out =
      tl_bag_term (t, TL_TERM_NOT, e->where, t->sorts->net->boolean, 1, term);
  return *out ? TL_OK : no_memory (t);
}

static tl_status read_imply (tl_terms *t, const tl_element *e, tl_term **out) {
  const tl_type *boolean = t->sorts->net->boolean;
  tl_term *left, *right;
  if (!e->inside || !e->inside->next || e->inside->next->next)
    return FAIL (t, e, "<imply> needs two conditions");
  tl_status status = tl_terms_guard (t, e->inside, &left);
  if (!status)
    status = tl_terms_guard (t, e->inside->next, &right);
  if (status)
    return status;
  *out = tl_bag_term (t, TL_TERM_OR, e->where, boolean, 2,
                      tl_bag_term (t, TL_TERM_NOT, e->where, boolean, 1, left),
                      right);
  return *out ? TL_OK : no_memory (t);
}

// A term that is a value, not a multi-set.
static tl_status read_value (tl_terms *t, const tl_element *e, tl_item **item) {
  tl_bag bag = {0};
  const tl_status status = tl_bag_read (t, e, &bag);
  if (status)
    return status;
  *item = bag.first;
  return bag.count == 1 && bag.first->factor == 1 && !bag.first->loops
             ? TL_OK
             : FAIL (t, e, "a multi-set where a value is needed");
}

// Compares part by part; several are equal if all are.
static tl_status compare_parts (tl_terms *t, const tl_element *e,
                                tl_term_kind kind, const tl_item *left,
                                const tl_item *right, tl_term **out) {
  const tl_type *boolean = t->sorts->net->boolean;
  const bool equal = kind == TL_TERM_EQUAL;
  tl_term *part[TL_MOST_PARTS];
  if (left->parts != right->parts)
    return FAIL (t, e, "the two sides of <%s> are of different sorts",
                 tl_tag_name (e->tag));
  if (left->parts != 1 && !equal && kind != TL_TERM_UNEQUAL)
    return FAIL (t, e, "<%s> compares single values", tl_tag_name (e->tag));
  for (uint32_t i = 0; i < left->parts; i++) {
    const tl_type *l = left->part[i]->type, *r = right->part[i]->type;
    // Numbers compare whatever their ranges are.
    if (!tl_types_mix (l, r) &&
        (l->kind != TL_TYPE_RANGE || r->kind != TL_TYPE_RANGE))
      return FAIL (t, e, "'%.80s' and '%.80s' are different sorts", l->name,
                   r->name);
    part[i] = tl_bag_term (t, kind, e->where, boolean, 2, left->part[i],
                           right->part[i]);
    if (!part[i])
      return no_memory (t);
  }
  *out = left->parts ? fold (t, equal ? TL_TERM_AND : TL_TERM_OR, e->where,
                             part, left->parts)
                     : tl_bag_constant (t, e->where, boolean, equal);
  return *out ? TL_OK : no_memory (t);
}

static tl_status read_comparison (tl_terms *t, const tl_element *e,
                                  tl_term_kind kind, tl_term **out) {
  tl_item *left, *right;
  if (!e->inside || !e->inside->next || e->inside->next->next)
    return FAIL (t, e, "<%s> needs two terms", tl_tag_name (e->tag));
  tl_status status = read_value (t, e->inside, &left);
  if (!status)
    status = read_value (t, e->inside->next, &right);
  return status ? status : compare_parts (t, e, kind, left, right, out);
}

static tl_status read_boolean (tl_terms *t, const tl_element *e,
                               tl_term **out) {
  tl_item *item;
  const tl_status status = read_value (t, e, &item);
  if (status)
    return status;
  if (item->parts != 1 || item->part[0]->type->root != t->sorts->net->boolean)
    return FAIL (t, e, "this <%s> is not a condition", tl_tag_name (e->tag));
  *out = item->part[0];
  return TL_OK;
}

tl_status tl_terms_guard (tl_terms *t, const tl_element *e, tl_term **out) {
  if (!(e = tl_bag_unwrap (t, e)))
    return TL_E_SYNTAX;
  switch (e->tag) {
  case TL_TAG_AND:
  case TL_TAG_OR: return read_several (t, e, out);
  case TL_TAG_NOT: return read_not (t, e, out);
  case TL_TAG_IMPLY: return read_imply (t, e, out);
  case TL_TAG_EQUALITY: return read_comparison (t, e, TL_TERM_EQUAL, out);
  case TL_TAG_INEQUALITY: return read_comparison (t, e, TL_TERM_UNEQUAL, out);
  case TL_TAG_LESS:
  case TL_TAG_PARTITION_LESS: return read_comparison (t, e, TL_TERM_LESS, out);
  case TL_TAG_LESS_EQUAL:
    return read_comparison (t, e, TL_TERM_LESS_EQUAL, out);
  case TL_TAG_GREATER:
  case TL_TAG_PARTITION_GREATER:
    return read_comparison (t, e, TL_TERM_GREATER, out);
  case TL_TAG_GREATER_EQUAL:
    return read_comparison (t, e, TL_TERM_GREATER_EQUAL, out);
  default: return read_boolean (t, e, out);
  }
}
