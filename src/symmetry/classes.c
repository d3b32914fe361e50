#include "symmetry/classes.h"

#include "base/budget.h"

#include <stdlib.h>
#include <string.h>

// ---- Classes ---------------------------------------------------------------

static int by_value (const void *left, const void *right) {
  const tl_cell *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

typedef struct values {
  tl_cell *value;
  size_t count, room;
} values;

// The values of a type that occur in tokens, each once, ascending.
static tl_status gather (const tl_classes *c, const tl_type *type, values *v) {
  const tl_origin *o = c->net->origin;
  v->count = 0;
  for (uint32_t of = 0; of < o->places; of++) {
    const tl_cplace *place = o->coloured->place + of;
    for (uint32_t i = 0; i < place->parts; i++)
      for (uint32_t p = o->place_first[of];
           tl_swapper_type (place, i) == type && p < o->place_first[of + 1];
           p++) {
        if (!TL_ROOM (c->mem, v->value, &v->room, v->count + 1))
          return TL_E_NOMEM;
        v->value[v->count++] =
            tl_swapper_token (c->net, of, p)[place->part_offset[i]];
      }
  }
  if (v->count)
    qsort (v->value, v->count, sizeof *v->value, by_value);
  size_t kept = 0;
  for (size_t i = 0; i < v->count; i++)
    if (!kept || v->value[i] != v->value[kept - 1])
      v->value[kept++] = v->value[i];
  v->count = kept;
  return TL_OK;
}

static tl_status add_item (tl_classes *c, tl_cell value) {
  if (!TL_ROOM (c->mem, c->value, &c->value_room, (size_t)c->items + 1) ||
      !TL_ROOM (c->mem, c->class_of, &c->class_of_room, (size_t)c->items + 1))
    return TL_E_NOMEM;
  c->value[c->items] = value;
  c->class_of[c->items++] = c->classes;
  return TL_OK;
}

// The class of the first value that is left: those that it can be swapped with.
// What can be swapped with one of a class can be with all of them.
static tl_status take_class (tl_classes *c, tl_swapper *s, const tl_type *type,
                             values *v) {
  const uint32_t first = c->items;
  const tl_cell one = v->value[0];
  size_t left = 0;
  tl_status rc = add_item (c, one);
  for (size_t i = 1; !rc && i < v->count; i++) {
    if ((rc = tl_budget_look (c->mem)))
      break;
    if (tl_can_swap (s, type, one, v->value[i]))
      rc = add_item (c, v->value[i]);
    else
      v->value[left++] = v->value[i];
  }
  v->count = left;
  if (rc || c->items - first < 2) {
    c->items = first;
    return rc;
  }
  if (!TL_ROOM (c->mem, c->class, &c->class_room, (size_t)c->classes + 1))
    return TL_E_NOMEM;
  c->class[c->classes++] = (tl_value_class){type, first, c->items - first};
  return TL_OK;
}

// Is it the first time that a part of tokens has this type?
static bool is_first (const tl_coloured *net, uint32_t of, uint32_t part) {
  const tl_type *type = tl_swapper_type (net->place + of, part);
  for (uint32_t q = 0; type && q <= of; q++)
    for (uint32_t i = 0; i < net->place[q].parts; i++) {
      if (q == of && i == part)
        return true;
      if (tl_swapper_type (net->place + q, i) == type)
        return false;
    }
  return false;
}

static tl_status find_classes (tl_classes *c) {
  const tl_coloured *net = c->net->origin->coloured;
  tl_swapper s;
  values v = {0};
  tl_status rc = tl_swapper_open (&s, c->mem, c->net);
  for (uint32_t of = 0; of < net->places; of++)
    for (uint32_t i = 0; !rc && i < net->place[of].parts; i++)
      if (is_first (net, of, i)) {
        const tl_type *type = tl_swapper_type (net->place + of, i);
        rc = gather (c, type, &v);
        while (!rc && v.count)
          rc = take_class (c, &s, type, &v);
      }
  TL_DEL (c->mem, v.value, v.room);
  tl_swapper_close (&s);
  return rc;
}

// ---- Frames ----------------------------------------------------------------

// The item of a part of a token, or TL_NO_NAME.
static uint32_t item_of (const tl_classes *c, const tl_type *type,
                         tl_cell value) {
  for (uint32_t k = 0; type && k < c->classes; k++) {
    const tl_value_class *class = c->class + k;
    if (class->type != type)
      continue;
    const tl_cell *found = bsearch (&value, c->value + class->first,
                                    class->values, sizeof value, by_value);
    if (found)
      return (uint32_t)(found - c->value);
  }
  return TL_NO_NAME;
}

static tl_status list_parts (tl_classes *c) {
  const tl_origin *o = c->net->origin;
  uint32_t count = 0;
  for (uint32_t of = 0; of < o->places; of++)
    for (uint32_t p = o->place_first[of]; p < o->place_first[of + 1]; p++) {
      const tl_cplace *place = o->coloured->place + of;
      c->part_from[p] = count;
      for (uint32_t i = 0; i < place->parts; i++) {
        const tl_type *type = tl_swapper_type (place, i);
        const uint32_t item =
            type ? item_of (
                       c, type,
                       tl_swapper_token (c->net, of, p)[place->part_offset[i]])
                 : TL_NO_NAME;
        if (item == TL_NO_NAME)
          continue;
        if (!TL_ROOM (c->mem, c->part, &c->part_room, (size_t)count + 1))
          return TL_E_NOMEM;
        c->part[count++] = item;
      }
      if (count - c->part_from[p] > c->widest)
        c->widest = count - c->part_from[p];
    }
  c->part_from[c->net->places] = count;
  return TL_OK;
}

// Tokens of a coloured place, by what is not an item; of items the class
// counts.
typedef struct order {
  const tl_classes *classes;
  uint32_t of;
} order;

static int compare_frames (const order *by, uint32_t a, uint32_t b) {
  const tl_classes *c = by->classes;
  const tl_cplace *place = c->net->origin->coloured->place + by->of;
  const tl_cell *x = tl_swapper_token (c->net, by->of, a),
                *y = tl_swapper_token (c->net, by->of, b);
  uint32_t i = 0, from = 0;
  for (; i < place->parts; i++) {
    const uint32_t at = place->part_offset[i];
    const tl_type *type = tl_swapper_type (place, i);
    const uint32_t p = type ? item_of (c, type, x[at]) : TL_NO_NAME,
                   q = type ? item_of (c, type, y[at]) : TL_NO_NAME;
    const uint32_t j = p == TL_NO_NAME ? p : c->class_of[p],
                   k = q == TL_NO_NAME ? q : c->class_of[q];
    if (j != k)
      return j < k ? -1 : 1;
    from = at;
    const uint32_t to =
        i + 1 < place->parts ? place->part_offset[i + 1] : place->cells;
    for (; j == TL_NO_NAME && from < to; from++)
      if (x[from] != y[from])
        return x[from] < y[from] ? -1 : 1;
  }
  return 0;
}

static int by_frame (const void *left, const void *right, void *context) {
  const uint32_t *a = left, *b = right;
  return compare_frames (context, *a, *b);
}

static uint64_t table_size (const tl_classes *c, uint32_t place) {
  uint64_t size = 1;
  for (uint32_t i = c->part_from[place]; i < c->part_from[place + 1]; i++)
    if (__builtin_mul_overflow (size, c->class[c->class_of[c->part[i]]].values,
                                &size))
      return UINT64_MAX >> 8;
  return size;
}

// Numbers the frames of the listed places, which are in order.
static void number_frames (tl_classes *c, const order *by,
                           const uint32_t *place, uint32_t count,
                           uint32_t *frames) {
  for (uint32_t i = 0; i < count; i++) {
    if (!i || compare_frames (by, place[i - 1], place[i])) {
      c->table_from[*frames + 1] =
          c->table_from[*frames] + table_size (c, place[i]);
      ++*frames;
    }
    c->frame[place[i]] = *frames - 1;
  }
}

static tl_status find_frames (tl_classes *c) {
  const tl_origin *o = c->net->origin;
  uint32_t *list, frames = 0;
  if (!TL_NEW (c->mem, list, c->net->places + 1))
    return TL_E_NOMEM;
  for (uint32_t of = 0; of < o->places; of++) {
    const uint32_t first = o->place_first[of],
                   count = o->place_first[of + 1] - first;
    order by = {c, of};
    for (uint32_t i = 0; i < count; i++)
      list[i] = first + i;
    qsort_r (list, count, sizeof *list, by_frame, &by);
    number_frames (c, &by, list, count, &frames);
  }
  TL_DEL (c->mem, list, c->net->places + 1);
  const uint64_t size = c->table_from[frames];
  if (size >= SIZE_MAX / sizeof *c->table ||
      !TL_NEW (c->mem, c->table, (size_t)size + 1))
    return TL_E_NOMEM;
  c->table_room = (size_t)size + 1;
  memset (c->table, 0xff, c->table_room * sizeof *c->table);
  return TL_OK;
}

static uint64_t position (const tl_classes *c, uint32_t place) {
  uint64_t at = 0;
  for (uint32_t i = c->part_from[place]; i < c->part_from[place + 1]; i++) {
    const tl_value_class *class = c->class + c->class_of[c->part[i]];
    at = at * class->values + (c->part[i] - class->first);
  }
  return at;
}

static void fill_tables (tl_classes *c) {
  for (uint32_t p = 0; p < c->net->places; p++)
    c->table[c->table_from[c->frame[p]] + position (c, p)] = p;
}

// ---- The places of an item -------------------------------------------------

static bool had_before (const tl_classes *c, uint32_t from, uint32_t i) {
  for (uint32_t j = from; j < i; j++)
    if (c->part[j] == c->part[i])
      return true;
  return false;
}

static tl_status list_places (tl_classes *c) {
  uint32_t *from;
  if (!TL_NEW (c->mem, c->at_from, (size_t)c->items + 2) ||
      !TL_NEW (c->mem, c->at, c->part_room + 1))
    return TL_E_NOMEM;
  c->at_room = c->part_room + 1;
  from = c->at_from + 1; // one behind, until it is filled
  for (uint32_t p = 0; p < c->net->places; p++)
    for (uint32_t i = c->part_from[p]; i < c->part_from[p + 1]; i++)
      from[c->part[i]] += !had_before (c, c->part_from[p], i);
  for (uint32_t i = 0, sum = 0; i <= c->items; i++) {
    const uint32_t here = from[i];
    from[i] = sum;
    sum += here;
  }
  for (uint32_t p = 0; p < c->net->places; p++)
    for (uint32_t i = c->part_from[p]; i < c->part_from[p + 1]; i++)
      if (!had_before (c, c->part_from[p], i))
        c->at[from[c->part[i]]++] = p;
  return TL_OK;
}

// ---- All of it -------------------------------------------------------------

tl_status tl_classes_open (tl_classes *c, tl_mem *mem, const tl_net *net) {
  *c = (tl_classes){.mem = mem, .net = net};
  if (!TL_NEW (mem, c->part_from, net->places + 1) ||
      !TL_NEW (mem, c->frame, net->places + 1) ||
      !TL_NEW (mem, c->table_from, net->places + 1))
    return TL_E_NOMEM;
  tl_status rc = find_classes (c);
  if (!rc)
    rc = list_parts (c);
  if (!rc && !(rc = find_frames (c))) {
    fill_tables (c);
    rc = list_places (c);
  }
  return rc;
}

void tl_classes_close (tl_classes *c) {
  if (!c->mem)
    return;
  TL_DEL (c->mem, c->class, c->class_room);
  TL_DEL (c->mem, c->value, c->value_room);
  TL_DEL (c->mem, c->class_of, c->class_of_room);
  TL_DEL (c->mem, c->part_from, c->net->places + 1);
  TL_DEL (c->mem, c->part, c->part_room);
  TL_DEL (c->mem, c->frame, c->net->places + 1);
  TL_DEL (c->mem, c->table_from, c->net->places + 1);
  TL_DEL (c->mem, c->table, c->table_room);
  if (c->at_from)
    TL_DEL (c->mem, c->at_from, (size_t)c->items + 2);
  TL_DEL (c->mem, c->at, c->at_room);
}
