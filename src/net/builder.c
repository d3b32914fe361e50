// Collects a net in the order in which a file tells it and lays it out for
// use: arcs by transition, sorted by place, parallel arcs added up.

#include "base/error.h"
#include "net/net.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct raw_arc {
  uint32_t transition, place, weight;
} raw_arc;

typedef struct arc_list {
  raw_arc *arc;
  size_t count, capacity;
} arc_list;

struct tl_builder {
  tl_mem *mem;
  tl_arena arena; // becomes the net's
  tl_names place_ids, transition_ids;
  const char **place_id, **place_name, **transition_id, **transition_name;
  uint32_t *initial;
  size_t places, place_id_room, place_name_room, initial_room;
  size_t transitions, transition_id_room, transition_name_room;
  arc_list arcs[TL_ARC_READ + 1];
  tl_unit *unit;
  size_t units, unit_room;
  bool units_safe;
};

tl_status tl_builder_open (tl_builder **out, tl_mem *mem) {
  *out = 0;
  tl_builder *b;
  if (!TL_NEW (mem, b, 1))
    return TL_E_NOMEM;
  b->mem = mem;
  b->arena = TL_ARENA (mem);
  b->place_ids = b->transition_ids = TL_NAMES (mem);
  *out = b;
  return TL_OK;
}

void tl_builder_close (tl_builder *b) {
  if (!b)
    return;
  tl_mem *mem = b->mem;
  TL_DEL (mem, b->place_id, b->place_id_room);
  TL_DEL (mem, b->place_name, b->place_name_room);
  TL_DEL (mem, b->initial, b->initial_room);
  TL_DEL (mem, b->transition_id, b->transition_id_room);
  TL_DEL (mem, b->transition_name, b->transition_name_room);
  for (int kind = TL_ARC_PRE; kind <= TL_ARC_READ; kind++)
    TL_DEL (mem, b->arcs[kind].arc, b->arcs[kind].capacity);
  TL_DEL (mem, b->unit, b->unit_room);
  tl_names_close (&b->place_ids);
  tl_names_close (&b->transition_ids);
  tl_arena_close (&b->arena);
  TL_DEL (mem, b, 1);
}

// Adds `id` to `names` as number `next`; *index is its number either way.
static tl_status add_id (tl_builder *b, tl_names *names, const char *id,
                         size_t next, const char **copy, uint32_t *index) {
  const uint32_t known = tl_names_find (names, id);
  if (known != TL_NO_NAME) {
    *index = known;
    return TL_E_ARG;
  }
  if (next >= UINT32_MAX - 1)
    return TL_E_LIMIT;
  *index = (uint32_t)next;
  bool added;
  if (!(*copy = tl_arena_text (&b->arena, id, strlen (id))))
    return TL_E_NOMEM;
  return tl_names_add (names, *copy, index, &added);
}

static const char *copy_name (tl_builder *b, const char *name, const char *id) {
  return name && strcmp (name, id)
             ? tl_arena_text (&b->arena, name, strlen (name))
             : id;
}

tl_status tl_builder_place (tl_builder *b, const char *id, const char *name,
                            uint32_t initial, uint32_t *index) {
  uint32_t number;
  const char *copy = 0;
  if (!TL_ROOM (b->mem, b->place_id, &b->place_id_room, b->places + 1) ||
      !TL_ROOM (b->mem, b->place_name, &b->place_name_room, b->places + 1) ||
      !TL_ROOM (b->mem, b->initial, &b->initial_room, b->places + 1))
    return TL_E_NOMEM;
  const tl_status rc = add_id (b, &b->place_ids, id, b->places, &copy, &number);
  if (index && (!rc || rc == TL_E_ARG))
    *index = number;
  if (rc)
    return rc;
  b->place_id[b->places] = copy;
  if (!(b->place_name[b->places] = copy_name (b, name, copy)))
    return TL_E_NOMEM;
  b->initial[b->places++] = initial;
  return TL_OK;
}

tl_status tl_builder_transition (tl_builder *b, const char *id,
                                 const char *name, uint32_t *index) {
  uint32_t number;
  const char *copy = 0;
  if (!TL_ROOM (b->mem, b->transition_id, &b->transition_id_room,
                b->transitions + 1) ||
      !TL_ROOM (b->mem, b->transition_name, &b->transition_name_room,
                b->transitions + 1))
    return TL_E_NOMEM;
  const tl_status rc =
      add_id (b, &b->transition_ids, id, b->transitions, &copy, &number);
  if (index && (!rc || rc == TL_E_ARG))
    *index = number;
  if (rc)
    return rc;
  b->transition_id[b->transitions] = copy;
  if (!(b->transition_name[b->transitions] = copy_name (b, name, copy)))
    return TL_E_NOMEM;
  b->transitions++;
  return TL_OK;
}

void tl_builder_set_initial (tl_builder *b, uint32_t place, uint32_t initial) {
  assert (place < b->places);
  b->initial[place] = initial;
}

tl_status tl_builder_add_initial (tl_builder *b, uint32_t place,
                                  uint32_t more) {
  assert (place < b->places);
  return __builtin_add_overflow (b->initial[place], more, &b->initial[place])
             ? TL_E_LIMIT
             : TL_OK;
}

tl_status tl_builder_name_place (tl_builder *b, uint32_t place,
                                 const char *name) {
  const char *copy = copy_name (b, name, b->place_id[place]);
  if (copy)
    b->place_name[place] = copy;
  return copy ? TL_OK : TL_E_NOMEM;
}

tl_status tl_builder_name_transition (tl_builder *b, uint32_t transition,
                                      const char *name) {
  const char *copy = copy_name (b, name, b->transition_id[transition]);
  if (copy)
    b->transition_name[transition] = copy;
  return copy ? TL_OK : TL_E_NOMEM;
}

uint32_t tl_builder_find_place (const tl_builder *b, const char *id) {
  return tl_names_find (&b->place_ids, id);
}

uint32_t tl_builder_find_transition (const tl_builder *b, const char *id) {
  return tl_names_find (&b->transition_ids, id);
}

tl_status tl_builder_arc (tl_builder *b, tl_arc_kind kind, uint32_t place,
                          uint32_t transition, uint32_t weight) {
  assert (place < b->places && transition < b->transitions && weight);
  arc_list *list = b->arcs + kind;
  if (!TL_ROOM (b->mem, list->arc, &list->capacity, list->count + 1))
    return TL_E_NOMEM;
  list->arc[list->count++] = (raw_arc){transition, place, weight};
  return TL_OK;
}

tl_status tl_builder_unit (tl_builder *b, const char *id, uint32_t parent,
                           const uint32_t *places, uint32_t count) {
  assert (parent == TL_NO_UNIT || parent < b->units);
  if (!TL_ROOM (b->mem, b->unit, &b->unit_room, b->units + 1))
    return TL_E_NOMEM;
  uint32_t *copy;
  const char *text = tl_arena_text (&b->arena, id, strlen (id));
  if (!text || !TL_ARENA_NEW (&b->arena, copy, count))
    return TL_E_NOMEM;
  if (count)
    memcpy (copy, places, count * sizeof *copy);
  b->unit[b->units++] = (tl_unit){text, parent, copy, count};
  return TL_OK;
}

void tl_builder_units_safe (tl_builder *b, bool safe) {
  b->units_safe = safe;
}

static int by_transition_and_place (const void *left, const void *right) {
  const raw_arc *l = left, *r = right;
  if (l->transition != r->transition)
    return l->transition < r->transition ? -1 : 1;
  return (l->place > r->place) - (l->place < r->place);
}

static bool is_sorted (const arc_list *list) {
  for (size_t i = 1; i < list->count; i++)
    if (by_transition_and_place (list->arc + i - 1, list->arc + i) > 0)
      return false;
  return true;
}

// Sorts the arcs of one kind and joins parallel ones: the sum of the weights,
// for inhibitors the smallest, for read arcs the largest.
static tl_status join_parallel (tl_builder *b, tl_arc_kind kind,
                                tl_error *err) {
  arc_list *list = b->arcs + kind;
  if (!list->count)
    return TL_OK;
  if (!is_sorted (list))
    qsort (list->arc, list->count, sizeof *list->arc, by_transition_and_place);
  size_t n = 1;
  for (size_t i = 1; i < list->count; i++) {
    raw_arc *last = list->arc + n - 1;
    const raw_arc *arc = list->arc + i;
    if (by_transition_and_place (last, arc)) {
      list->arc[n++] = *arc;
      continue;
    }
    if (kind == TL_ARC_INHIBITOR) {
      if (arc->weight < last->weight)
        last->weight = arc->weight;
    } else if (kind == TL_ARC_READ) {
      if (arc->weight > last->weight)
        last->weight = arc->weight;
    } else if (__builtin_add_overflow (last->weight, arc->weight,
                                       &last->weight))
      return tl_fail (
          err, TL_E_LIMIT, "arcs between '%s' and '%s' add up to more than %u",
          b->place_id[arc->place], b->transition_id[arc->transition],
          (unsigned)TL_MAX_TOKENS);
  }
  list->count = n;
  return TL_OK;
}

// A read arc of weight r beside input arcs of weight a: r - a tokens more must
// be there, and stay.
static tl_status add_reads (tl_builder *b) {
  const arc_list *reads = b->arcs + TL_ARC_READ, *pre = b->arcs + TL_ARC_PRE;
  const size_t inputs = pre->count; // those added here are not looked at
  for (size_t i = 0; i < reads->count; i++) {
    const raw_arc *read = reads->arc + i;
    const raw_arc *beside = inputs
                                ? bsearch (read, pre->arc, inputs, sizeof *read,
                                           by_transition_and_place)
                                : 0;
    const uint32_t taken = beside ? beside->weight : 0;
    if (read->weight <= taken)
      continue;
    const uint32_t more = read->weight - taken;
    if (tl_builder_arc (b, TL_ARC_PRE, read->place, read->transition, more) ||
        tl_builder_arc (b, TL_ARC_POST, read->place, read->transition, more))
      return TL_E_NOMEM;
  }
  return TL_OK;
}

static tl_status join_arcs (tl_builder *b, tl_error *err) {
  if (b->arcs[TL_ARC_READ].count) {
    tl_status rc = join_parallel (b, TL_ARC_READ, err);
    if (rc || (rc = join_parallel (b, TL_ARC_PRE, err)))
      return rc;
    if (add_reads (b))
      return tl_fail (err, TL_E_NOMEM, "no memory for the net");
  }
  tl_status rc = TL_OK;
  for (tl_arc_kind kind = TL_ARC_PRE; !rc && kind <= TL_ARC_INHIBITOR; kind++)
    rc = join_parallel (b, kind, err);
  return rc;
}

static tl_status lay_out_arcs (tl_builder *b, tl_arc_kind kind,
                               const uint64_t **start_out,
                               const tl_arc **arc_out) {
  const arc_list *list = b->arcs + kind;
  uint64_t *start;
  tl_arc *arc;
  if (!TL_ARENA_NEW (&b->arena, start, b->transitions + 1) ||
      !TL_ARENA_NEW (&b->arena, arc, list->count))
    return TL_E_NOMEM;
  for (size_t i = 0; i < list->count; i++) {
    arc[i] = (tl_arc){list->arc[i].place, list->arc[i].weight};
    start[list->arc[i].transition + 1]++;
  }
  for (size_t t = 0; t < b->transitions; t++)
    start[t + 1] += start[t];
  *start_out = start;
  *arc_out = arc;
  return TL_OK;
}

// A copy that lives as long as the net.
static void *keep (tl_builder *b, const void *from, size_t count, size_t size) {
  void *copy = tl_arena_get (&b->arena, count, size);
  if (copy && count)
    memcpy (copy, from, count * size);
  return copy;
}

static tl_status lay_out (tl_builder *b, const char *name, const char *format,
                          tl_net **out, tl_error *err) {
  const tl_status rc = join_arcs (b, err);
  if (rc)
    return rc;
  tl_net *net;
  const size_t text = sizeof (char *);
  if (!TL_ARENA_NEW (&b->arena, net, 1) ||
      !(net->name = tl_arena_text (&b->arena, name, strlen (name))) ||
      !(net->place_id = keep (b, b->place_id, b->places, text)) ||
      !(net->place_name = keep (b, b->place_name, b->places, text)) ||
      !(net->initial = keep (b, b->initial, b->places, sizeof (uint32_t))) ||
      !(net->transition_id =
            keep (b, b->transition_id, b->transitions, text)) ||
      !(net->transition_name =
            keep (b, b->transition_name, b->transitions, text)) ||
      !(net->unit = keep (b, b->unit, b->units, sizeof (tl_unit))) ||
      lay_out_arcs (b, TL_ARC_PRE, &net->pre_start, &net->pre_arc) ||
      lay_out_arcs (b, TL_ARC_POST, &net->post_start, &net->post_arc) ||
      lay_out_arcs (b, TL_ARC_INHIBITOR, &net->inhibitor_start,
                    &net->inhibitor_arc))
    return tl_fail (err, TL_E_NOMEM, "no memory for the net");
  net->mem = b->mem;
  net->format = format;
  net->places = (uint32_t)b->places;
  net->transitions = (uint32_t)b->transitions;
  net->units = (uint32_t)b->units;
  net->units_safe = b->units_safe;
  for (int kind = TL_ARC_PRE; kind <= TL_ARC_INHIBITOR; kind++)
    net->arcs += b->arcs[kind].count;
  // The net takes over what the builder collected.
  net->place_ids = b->place_ids;
  net->transition_ids = b->transition_ids;
  net->arena = b->arena;
  b->place_ids = b->transition_ids = TL_NAMES (b->mem);
  b->arena = TL_ARENA (b->mem);
  *out = net;
  return TL_OK;
}

tl_status tl_builder_finish (tl_builder *b, const char *name,
                             const char *format, tl_net **out, tl_error *err) {
  *out = 0;
  const tl_status rc = lay_out (b, name, format, out, err);
  tl_builder_close (b);
  return rc;
}
