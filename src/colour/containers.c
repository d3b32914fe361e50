#include "colour/evaluate_parts.h"

#include <string.h>

// Terms on lists, sets, vectors and structures.

static tl_status empty_list (tl_evaluation *e, const tl_term *t) {
  return TL_WRONG (e, t->where, "the list is empty");
}

static const tl_cell *element_at (const tl_type *t, const tl_cell *list,
                                  size_t i) {
  return list + 1 + i * t->element->cells;
}

// Is it an operand that is a container of the type itself, not an element?
static bool is_whole (const tl_term *operand, const tl_type *type) {
  return operand->type->root == type->root;
}

tl_status tl_element_offset (tl_evaluation *e, const tl_type *type,
                             const tl_cell *value, tl_term *const *index,
                             tl_where where, tl_cell *frame, size_t *offset) {
  size_t at = 0;
  for (uint32_t i = 0; i < type->index_count; i++) {
    const tl_type *it = type->index[i];
    int64_t n;
    const tl_status s = tl_term_number (e, index[i], frame, &n);
    if (s)
      return s;
    if (n < it->first || n > it->last)
      return TL_WRONG (e, index[i]->where, "index out of range: %lld",
                       (long long)n);
    at = at * tl_type_values (it) + (size_t)(n - it->first);
  }
  if (type->kind == TL_TYPE_LIST && at >= (size_t)value[0])
    return TL_WRONG (e, where, "invalid list index: the list has %d elements",
                     value[0]);
  *offset = at * type->element->cells + (type->kind == TL_TYPE_LIST);
  return TL_OK;
}

// The place of a value in a sorted set, or where it would be.
static bool find (const tl_type *t, const tl_cell *set, const tl_cell *value,
                  size_t *where) {
  size_t low = 0, high = (size_t)set[0];
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = tl_value_compare (element_at (t, set, middle), value,
                                        t->element->cells);
    if (!order) {
      *where = middle;
      return true;
    }
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  *where = low;
  return false;
}

// Adds a value to a list, or to a set.
static tl_status add (tl_evaluation *e, const tl_term *t, tl_cell *to,
                      const tl_cell *value) {
  const tl_type *type = t->type;
  const uint32_t cells = type->element->cells;
  size_t at = (size_t)to[0];
  if (type->kind == TL_TYPE_SET && find (type, to, value, &at))
    return TL_OK;
  if ((uint32_t)to[0] >= type->elements)
    return TL_WRONG (e, t->where,
                     "container capacity exceeded: type %s has room for %u "
                     "elements",
                     type->name, type->elements);
  tl_cell *const place = to + 1 + at * cells;
  memmove (place + cells, place, ((size_t)to[0] - at) * cells * sizeof *place);
  memcpy (place, value, cells * sizeof *place);
  to[0]++;
  return TL_OK;
}

static bool contains (const tl_type *t, const tl_cell *container,
                      const tl_cell *value) {
  size_t at;
  if (t->kind == TL_TYPE_SET)
    return find (t, container, value, &at);
  for (at = 0; at < (size_t)container[0]; at++)
    if (!tl_value_compare (element_at (t, container, at), value,
                           t->element->cells))
      return true;
  return false;
}

// A new value of the type, all zero: an empty container.
static tl_cell *fresh (tl_evaluation *e, const tl_type *type) {
  tl_cell *const value = tl_scratch_take (e, type->cells);
  if (value)
    memset (value, 0, type->cells * sizeof *value);
  return value;
}

// An operand as a list of elements: its own, or one.
typedef struct items {
  const tl_cell *cell;
  size_t count;
} items;

static tl_status operand_items (tl_evaluation *e, const tl_term *t, uint32_t i,
                                tl_cell *frame, items *list) {
  const tl_status s = tl_term_cells (e, t->operand[i], frame, &list->cell);
  if (s)
    return s;
  list->count = 1;
  if (is_whole (t->operand[i], t->type))
    list->count = (size_t)*list->cell++;
  return TL_OK;
}

static bool among (const tl_type *t, items list, const tl_cell *value) {
  const uint32_t cells = t->element->cells;
  for (size_t i = 0; i < list.count; i++)
    if (!tl_value_compare (list.cell + i * cells, value, cells))
      return true;
  return false;
}

// JOIN, UNION, INTERSECT, REMOVE.
static tl_status combine (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                          tl_cell *to) {
  items a, b;
  tl_status s;
  if ((s = operand_items (e, t, 0, frame, &a)) ||
      (s = operand_items (e, t, 1, frame, &b)))
    return s;
  const uint32_t cells = t->type->element->cells;
  const bool both = t->kind == TL_TERM_JOIN || t->kind == TL_TERM_UNION;
  for (size_t i = 0; i < a.count && !s; i++) {
    const tl_cell *value = a.cell + i * cells;
    if (both || among (t->type, b, value) == (t->kind == TL_TERM_INTERSECT))
      s = add (e, t, to, value);
  }
  for (size_t i = 0; both && i < b.count && !s; i++)
    s = add (e, t, to, b.cell + i * cells);
  return s;
}

static tl_status make (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                       tl_cell *to) {
  const tl_type *type = t->type;
  tl_status s = TL_OK;
  if (type->kind == TL_TYPE_STRUCT) {
    for (uint32_t i = 0; i < t->operands && !s; i++)
      s = tl_term_copy (e, t->operand[i], frame,
                        to + type->component[i].offset);
    return s;
  }
  const uint32_t cells = type->element->cells;
  if (type->kind == TL_TYPE_VECTOR) {
    for (uint32_t i = 0; i < type->elements && !s; i++)
      if (i < t->operands)
        s = tl_term_copy (e, t->operand[i], frame, to + (size_t)i * cells);
      else
        memcpy (to + (size_t)i * cells, to + (size_t)(i - 1) * cells,
                cells * sizeof *to);
    return s;
  }
  for (uint32_t i = 0; i < t->operands && !s; i++) {
    const tl_cell *value;
    if (!(s = tl_term_cells (e, t->operand[i], frame, &value)))
      s = add (e, t, to, value);
  }
  return s;
}

static tl_status slice (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                        tl_cell *to) {
  const tl_cell *list;
  size_t first, last;
  tl_status s;
  if ((s = tl_term_cells (e, t->operand[0], frame, &list)) ||
      (s = tl_element_offset (e, t->operand[0]->type, list, t->operand + 1,
                              t->where, frame, &first)) ||
      (s = tl_element_offset (e, t->operand[0]->type, list, t->operand + 2,
                              t->where, frame, &last)))
    return s;
  if (first > last)
    return TL_OK;
  const uint32_t cells = t->type->element->cells;
  to[0] = (tl_cell)((last - first) / cells + 1);
  memcpy (to + 1, list + first, (last - first + cells) * sizeof *to);
  return TL_OK;
}

// PREFIX and SUFFIX.
static tl_status shorten (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                          tl_cell *to) {
  const tl_cell *list;
  const tl_status s = tl_term_cells (e, t->operand[0], frame, &list);
  if (s)
    return s;
  if (!list[0])
    return empty_list (e, t);
  to[0] = list[0] - 1;
  memcpy (to + 1, element_at (t->type, list, t->kind == TL_TERM_SUFFIX),
          (size_t)to[0] * t->type->element->cells * sizeof *to);
  return TL_OK;
}

// A copy of the first operand in which another value stands at some cells.
static tl_status replace (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                          tl_cell *to) {
  size_t offset = t->offset;
  tl_status s = tl_term_copy (e, t->operand[0], frame, to);
  if (!s && t->kind == TL_TERM_WITH_ELEMENT)
    s = tl_element_offset (e, t->type, to, t->operand + 1, t->where, frame,
                           &offset);
  if (s)
    return s;
  return tl_term_copy (e, t->operand[t->operands - 1], frame, to + offset);
}

// Those whose result is a part of their first operand.
static tl_status part (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                       const tl_cell **cells) {
  const tl_cell *whole;
  const tl_type *type = t->operand[0]->type;
  tl_status s = tl_term_cells (e, t->operand[0], frame, &whole);
  if (s)
    return s;
  size_t offset = 0;
  switch (t->kind) {
  case TL_TERM_COMPONENT: offset = t->offset; break;
  case TL_TERM_ELEMENT:
    s = tl_element_offset (e, type, whole, t->operand + 1, t->where, frame,
                           &offset);
    break;
  default:
    if (!whole[0])
      return empty_list (e, t);
    offset = 1;
    if (t->kind == TL_TERM_LAST)
      offset += (size_t)(whole[0] - 1) * type->element->cells;
  }
  *cells = whole + offset;
  return s;
}

static bool is_part (const tl_term *t) {
  return t->kind == TL_TERM_COMPONENT || t->kind == TL_TERM_ELEMENT ||
         t->kind == TL_TERM_FIRST || t->kind == TL_TERM_LAST;
}

tl_status tl_container_cells (tl_evaluation *e, const tl_term *t,
                              tl_cell *frame, const tl_cell **cells) {
  if (is_part (t))
    return part (e, t, frame, cells);
  tl_cell *const to = fresh (e, t->type);
  *cells = to;
  if (!to)
    return TL_NO_SCRATCH (e);
  switch (t->kind) {
  case TL_TERM_JOIN:
  case TL_TERM_UNION:
  case TL_TERM_INTERSECT:
  case TL_TERM_REMOVE: return combine (e, t, frame, to);
  case TL_TERM_MAKE: return make (e, t, frame, to);
  case TL_TERM_SLICE: return slice (e, t, frame, to);
  case TL_TERM_PREFIX:
  case TL_TERM_SUFFIX: return shorten (e, t, frame, to);
  case TL_TERM_WITH_ELEMENT:
  case TL_TERM_WITH_COMPONENT: return replace (e, t, frame, to);
  default: return TL_WRONG (e, t->where, "this has no value");
  }
}

static bool is_subset (const tl_type *t, const tl_cell *a, const tl_cell *b) {
  for (size_t i = 0; i < (size_t)a[0]; i++)
    if (!contains (t, b, element_at (t, a, i)))
      return false;
  return true;
}

static tl_status compare_sets (tl_evaluation *e, const tl_term *t,
                               tl_cell *frame, int64_t *value) {
  const tl_cell *a, *b;
  tl_status s;
  if ((s = tl_term_cells (e, t->operand[0], frame, &a)) ||
      (s = tl_term_cells (e, t->operand[1], frame, &b)))
    return s;
  const bool upwards = t->kind == TL_TERM_LESS || t->kind == TL_TERM_LESS_EQUAL;
  const bool strict = t->kind == TL_TERM_LESS || t->kind == TL_TERM_GREATER;
  const tl_cell *small = upwards ? a : b, *large = upwards ? b : a;
  *value = is_subset (t->operand[0]->type, small, large) &&
           (!strict || small[0] < large[0]);
  return TL_OK;
}

static tl_status member (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                         int64_t *value) {
  const tl_cell *element, *container;
  tl_status s;
  if ((s = tl_term_cells (e, t->operand[0], frame, &element)) ||
      (s = tl_term_cells (e, t->operand[1], frame, &container)))
    return s;
  *value = contains (t->operand[1]->type, container, element);
  return TL_OK;
}

// The attributes of containers that are numbers.
static tl_status attribute (tl_evaluation *e, const tl_term *t, tl_cell *frame,
                            int64_t *value) {
  const tl_type *type = t->operand[0]->type;
  const tl_cell *list;
  const tl_status s = tl_term_cells (e, t->operand[0], frame, &list);
  if (s)
    return s;
  const int64_t size = list[0], capacity = type->elements;
  switch (t->kind) {
  case TL_TERM_SIZE: *value = size; break;
  case TL_TERM_CAPACITY: *value = capacity; break;
  case TL_TERM_SPACE: *value = capacity - size; break;
  case TL_TERM_IS_EMPTY: *value = size == 0; break;
  case TL_TERM_IS_FULL: *value = size == capacity; break;
  case TL_TERM_FIRST_INDEX: *value = type->index[0]->first; break;
  case TL_TERM_LAST_INDEX:
    *value = type->index[0]->first + size - 1;
    return size ? TL_OK : empty_list (e, t);
  default: return TL_WRONG (e, t->where, "this is not a number");
  }
  return TL_OK;
}

tl_status tl_container_number (tl_evaluation *e, const tl_term *t,
                               tl_cell *frame, int64_t *value) {
  const tl_scratch_mark mark = tl_scratch_now (e);
  tl_status s;
  if (is_part (t)) {
    const tl_cell *cell = 0;
    if (!(s = part (e, t, frame, &cell)))
      *value = *cell;
  } else if (t->kind == TL_TERM_MEMBER) {
    s = member (e, t, frame, value);
  } else if (t->kind <= TL_TERM_GREATER_EQUAL) {
    s = compare_sets (e, t, frame, value);
  } else {
    s = attribute (e, t, frame, value);
  }
  tl_scratch_back (e, mark);
  return s;
}
