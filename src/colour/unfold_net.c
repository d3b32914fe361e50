#include "base/error.h"
#include "colour/unfold_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Makes the place/transition net of what was found.  Tokens of a place and
// bindings of a transition are put in the order of their values, so that the
// net does not depend on how they were found.

// Bindings are named and put in the net so many at a time.
#define LOOK_EVERY 1024u

typedef struct text {
  char *at;
  size_t length, room;
} text;

typedef struct maker {
  tl_unfolder *unfolder;
  tl_builder *builder;
  text id, name, value;
  uint32_t **order, **rank; // [places][tokens]: number of rank; rank of number
  uint32_t *place_first;    // [places + 1]
  uint32_t **binding_order; // [transitions][bindings]
  uint32_t *transition_first;
  tl_links list; // of one binding
} maker;

// Order.

typedef struct values {
  const tl_cell *cell;
  uint32_t cells;
} values;

static int by_value (const void *left, const void *right, void *with) {
  const values *v = with;
  const uint32_t *a = left, *b = right;
  return tl_value_compare (v->cell + (size_t)*a * v->cells,
                           v->cell + (size_t)*b * v->cells, v->cells);
}

static uint32_t *sort_values (tl_unfolder *u, const tl_cell *cell,
                              uint32_t cells, uint32_t count) {
  uint32_t *order;
  values with = {cell, cells};
  if (!TL_ARENA_NEW (&u->arena, order, count))
    return 0;
  for (uint32_t i = 0; i < count; i++)
    order[i] = i;
  if (count > 1)
    qsort_r (order, count, sizeof *order, by_value, &with);
  return order;
}

static bool sort_all (maker *m) {
  tl_unfolder *const u = m->unfolder;
  const tl_coloured *net = u->net;
  if (!TL_ARENA_NEW (&u->arena, m->order, net->places) ||
      !TL_ARENA_NEW (&u->arena, m->rank, net->places) ||
      !TL_ARENA_NEW (&u->arena, m->place_first, (size_t)net->places + 1) ||
      !TL_ARENA_NEW (&u->arena, m->binding_order, net->transitions) ||
      !TL_ARENA_NEW (&u->arena, m->transition_first,
                     (size_t)net->transitions + 1))
    return false;
  for (uint32_t p = 0; p < net->places; p++) {
    const tl_token_set *set = u->set + p;
    m->order[p] = sort_values (u, set->token, net->place[p].cells, set->count);
    if (!m->order[p] || !TL_ARENA_NEW (&u->arena, m->rank[p], set->count))
      return false;
    for (uint32_t i = 0; i < set->count; i++)
      m->rank[p][m->order[p][i]] = i;
    m->place_first[p + 1] = m->place_first[p] + set->count;
  }
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_bindings *b = u->bindings + t;
    m->binding_order[t] = sort_values (u, b->binding, b->cells, b->count);
    if (!m->binding_order[t])
      return false;
  }
  return true;
}

// Names.

static bool append (maker *m, text *to, const char *what, size_t length) {
  if (!TL_ROOM (m->unfolder->mem, to->at, &to->room, to->length + length + 1))
    return false;
  memcpy (to->at + to->length, what, length);
  to->length += length;
  to->at[to->length] = 0;
  return true;
}

static bool append_both (maker *m, const char *what) {
  return append (m, &m->id, what, strlen (what)) &&
         append (m, &m->name, what, strlen (what));
}

static bool append_value (maker *m, const tl_type *type, const tl_cell *cell) {
  text *const v = &m->value;
  const size_t length = tl_value_print (type, cell, v->at, v->room);
  if (length >= v->room) {
    if (!TL_ROOM (m->unfolder->mem, v->at, &v->room, length + 1))
      return false;
    tl_value_print (type, cell, v->at, v->room);
  }
  return append (m, &m->id, v->at, length) &&
         append (m, &m->name, v->at, length);
}

static bool begin_names (maker *m, const char *id, const char *name) {
  m->id.length = m->name.length = 0;
  return append (m, &m->id, id, strlen (id)) &&
         append (m, &m->name, name, strlen (name));
}

static bool name_place (maker *m, const tl_cplace *place,
                        const tl_cell *token) {
  if (!begin_names (m, place->id, place->name))
    return false;
  for (uint32_t i = 0; i < place->parts; i++)
    if (!append_both (m, i ? "," : "(") ||
        !append_value (m, place->part[i], token + place->part_offset[i]))
      return false;
  return !place->parts || append_both (m, ")");
}

static bool name_transition (maker *m, const tl_ctransition *t,
                             const tl_cell *binding) {
  // In traces a transition bears its id, as in those of other nets.
  if (!begin_names (m, t->id, t->id))
    return false;
  bool first = true;
  for (uint32_t v = 0; v < t->variables; v++) {
    const tl_variable *variable = t->variable + v;
    if (!tl_is_part_of_binding (variable))
      continue;
    const char *space = first ? " {" : ", ";
    if (!append (m, &m->id, first ? "{" : ",", 1) ||
        !append (m, &m->name, space, 2) || !append_both (m, variable->name) ||
        !append_both (m, "=") || !append_value (m, variable->type, binding))
      return false;
    binding += variable->type->cells;
    first = false;
  }
  return first || append_both (m, "}");
}

// Nodes and arcs.

static tl_status add_places (maker *m) {
  tl_unfolder *const u = m->unfolder;
  for (uint32_t p = 0; p < u->net->places; p++)
    for (uint32_t i = 0; i < u->set[p].count; i++) {
      const tl_cell *token = tl_token_at (u->set + p, m->order[p][i]);
      tl_status s;
      if (!name_place (m, u->net->place + p, token))
        return TL_E_NOMEM;
      // Names that are taken are made different.
      while ((s = tl_builder_place (m->builder, m->id.at, m->name.at, 0, 0)) ==
             TL_E_ARG)
        if (!append_both (m, "'"))
          return TL_E_NOMEM;
      if (s)
        return s;
    }
  for (size_t i = 0; i < u->initial.count; i++) {
    const tl_link *f = u->initial.link + i;
    tl_builder_set_initial (
        m->builder, m->place_first[f->place] + m->rank[f->place][f->token],
        f->weight);
  }
  return TL_OK;
}

static int by_place (const void *left, const void *right) {
  const tl_link *a = left, *b = right;
  return (a->place > b->place) - (a->place < b->place);
}

// The arcs of one kind, in the order of the places.
static tl_status add_arcs (maker *m, tl_arc_kind kind, const tl_link *link,
                           size_t count, uint32_t transition) {
  m->list.count = 0;
  tl_status s = TL_OK;
  for (size_t i = 0; i < count && !s; i++) {
    const tl_link *f = link + i;
    const uint32_t place =
        m->place_first[f->place] + m->rank[f->place][f->token];
    s = tl_links_add (m->unfolder, &m->list, (tl_link){place, 0, f->weight});
  }
  if (!s && count > 1)
    qsort (m->list.link, count, sizeof *m->list.link, by_place);
  for (size_t i = 0; i < count && !s; i++)
    s = tl_builder_arc (m->builder, kind, m->list.link[i].place, transition,
                        m->list.link[i].weight);
  return s;
}

static tl_status add_binding (maker *m, tl_bindings *b, uint32_t n,
                              tl_links *inhibitors, bool *added) {
  tl_unfolder *const u = m->unfolder;
  const tl_cell *binding = b->binding + (size_t)n * b->cells;
  inhibitors->count = 0;
  bool never = *added = false;
  tl_status s = TL_OK;
  if (b->transition->inhibits &&
      ((s = tl_unfold_restore (u, b, binding)) ||
       (s = tl_unfold_inhibitors (u, b, inhibitors, &never))))
    return tl_unfold_refuse (u, s, "transition", b->transition->name);
  if (never)
    return TL_OK;
  if (!name_transition (m, b->transition, binding))
    return TL_E_NOMEM;
  uint32_t number;
  while ((s = tl_builder_transition (m->builder, m->id.at, m->name.at,
                                     &number)) == TL_E_ARG)
    if (!append_both (m, "'"))
      return TL_E_NOMEM;
  *added = true;
  const size_t begin = n ? b->end[2 * (size_t)n - 1] : 0,
               middle = b->end[2 * (size_t)n], end = b->end[2 * (size_t)n + 1];
  const tl_link *link = b->links.link; // null: it has no arcs
  if (!s && link)
    s = add_arcs (m, TL_ARC_PRE, link + begin, middle - begin, number);
  if (!s && link)
    s = add_arcs (m, TL_ARC_POST, link + middle, end - middle, number);
  if (s)
    return s;
  return add_arcs (m, TL_ARC_INHIBITOR, inhibitors->link, inhibitors->count,
                   number);
}

// Those that can never be enabled are left out of the order.
static tl_status add_transitions (maker *m, tl_links *inhibitors) {
  tl_unfolder *const u = m->unfolder;
  for (uint32_t t = 0; t < u->net->transitions; t++) {
    tl_bindings *const b = u->bindings + t;
    uint32_t *const order = m->binding_order[t], count = 0;
    for (uint32_t i = 0; i < b->count; i++) {
      bool added;
      tl_status s =
          i % LOOK_EVERY ? TL_OK : tl_evaluation_look (&u->evaluation);
      if (!s)
        s = add_binding (m, b, order[i], inhibitors, &added);
      if (s)
        return s;
      order[count] = order[i];
      count += added;
    }
    m->transition_first[t + 1] = m->transition_first[t] + count;
  }
  return TL_OK;
}

// Where it comes from.

// The cells of all values in order, in the arena of the net.
static const int32_t *keep_values (tl_arena *arena, const tl_cell *cell,
                                   uint32_t cells, const uint32_t *order,
                                   uint32_t count) {
  tl_cell *kept;
  if (!TL_ARENA_NEW (arena, kept, (size_t)count * cells))
    return 0;
  for (uint32_t i = 0; cells && i < count; i++)
    memcpy (kept + (size_t)i * cells, cell + (size_t)order[i] * cells,
            cells * sizeof *cell);
  return kept;
}

static bool keep_capacities (maker *m, tl_net *net) {
  const tl_coloured *coloured = m->unfolder->net;
  bool any = false;
  for (uint32_t p = 0; p < coloured->places; p++)
    any |= coloured->place[p].capacity != TL_NO_CAPACITY;
  uint32_t *capacity;
  if (!any)
    return true;
  if (!TL_ARENA_NEW (&net->arena, capacity, net->places))
    return false;
  for (uint32_t p = 0; p < coloured->places; p++)
    for (uint32_t i = m->place_first[p]; i < m->place_first[p + 1]; i++)
      capacity[i] = coloured->place[p].capacity;
  net->origin->capacity = capacity;
  return true;
}

static const char *keep_name (tl_arena *arena, const char *name) {
  return tl_arena_text (arena, name, strlen (name));
}

static bool keep_place (maker *m, tl_net *net, uint32_t p) {
  const tl_unfolder *u = m->unfolder;
  const tl_cplace *place = u->net->place + p;
  tl_origin *const o = net->origin;
  bool added;
  uint32_t number = p;
  o->place_id[p] = keep_name (&net->arena, place->id);
  o->place_name[p] = keep_name (&net->arena, place->name);
  o->token[p] = keep_values (&net->arena, u->set[p].token, place->cells,
                             m->order[p], u->set[p].count);
  return o->place_id[p] && o->place_name[p] && o->token[p] &&
         !tl_names_add (&o->place_ids, o->place_id[p], &number, &added);
}

static bool keep_transition (maker *m, tl_net *net, uint32_t t) {
  const tl_bindings *b = m->unfolder->bindings + t;
  tl_origin *const o = net->origin;
  bool added;
  uint32_t number = t;
  o->transition_id[t] = keep_name (&net->arena, b->transition->id);
  o->transition_name[t] = keep_name (&net->arena, b->transition->name);
  o->binding[t] =
      keep_values (&net->arena, b->binding, b->cells, m->binding_order[t],
                   m->transition_first[t + 1] - m->transition_first[t]);
  o->arcs += (uint64_t)b->transition->ins + b->transition->outs +
             b->transition->inhibits;
  return o->transition_id[t] && o->transition_name[t] && o->binding[t] &&
         !tl_names_add (&o->transition_ids, o->transition_id[t], &number,
                        &added);
}

static const uint32_t *keep_firsts (tl_arena *arena, const uint32_t *first,
                                    uint32_t count) {
  uint32_t *kept;
  if (TL_ARENA_NEW (arena, kept, (size_t)count + 1))
    memcpy (kept, first, ((size_t)count + 1) * sizeof *kept);
  return kept;
}

static bool keep_origin (maker *m, tl_net *net) {
  const tl_coloured *coloured = m->unfolder->net;
  const uint32_t places = coloured->places, transitions = coloured->transitions;
  tl_arena *const a = &net->arena;
  tl_origin *o;
  if (!TL_ARENA_NEW (a, o, 1))
    return false;
  net->origin = o;
  *o = (tl_origin){.places = places,
                   .transitions = transitions,
                   .place_ids = TL_NAMES (net->mem),
                   .transition_ids = TL_NAMES (net->mem),
                   .types = coloured->types,
                   .coloured = (tl_coloured *)coloured};
  if (!TL_ARENA_NEW (a, o->place_id, places) ||
      !TL_ARENA_NEW (a, o->place_name, places) ||
      !TL_ARENA_NEW (a, o->token, places) ||
      !TL_ARENA_NEW (a, o->transition_id, transitions) ||
      !TL_ARENA_NEW (a, o->transition_name, transitions) ||
      !TL_ARENA_NEW (a, o->binding, transitions) ||
      !(o->place_first = keep_firsts (a, m->place_first, places)) ||
      !(o->transition_first =
            keep_firsts (a, m->transition_first, transitions)) ||
      !keep_capacities (m, net))
    return false;
  for (uint32_t p = 0; p < places; p++)
    if (!keep_place (m, net, p))
      return false;
  for (uint32_t t = 0; t < transitions; t++)
    if (!keep_transition (m, net, t))
      return false;
  return true;
}

static tl_status make (maker *m, tl_net **out) {
  tl_unfolder *const u = m->unfolder;
  tl_links inhibitors = {0};
  tl_status s = TL_E_NOMEM;
  if (sort_all (m) && !(s = tl_builder_open (&m->builder, u->mem)) &&
      !(s = add_places (m)))
    s = add_transitions (m, &inhibitors);
  TL_DEL (u->mem, inhibitors.link, inhibitors.room);
  if (s == TL_E_NOMEM || s == TL_E_LIMIT)
    tl_unfold_no_memory (u);
  if (s)
    return s;
  s = tl_builder_finish (m->builder, u->net->name, u->net->format, out,
                         u->error);
  m->builder = 0;
  if (s || keep_origin (m, *out))
    return s;
  tl_net_close (*out);
  *out = 0;
  return tl_unfold_no_memory (u);
}

tl_status tl_unfold_build (tl_unfolder *u, tl_net **out) {
  maker m = {.unfolder = u};
  const tl_status s = make (&m, out);
  tl_builder_close (m.builder);
  TL_DEL (u->mem, m.id.at, m.id.room);
  TL_DEL (u->mem, m.name.at, m.name.room);
  TL_DEL (u->mem, m.value.at, m.value.room);
  TL_DEL (u->mem, m.list.link, m.list.room);
  return s;
}
