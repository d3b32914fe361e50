#include "read/symmetric.h"

#include "read/symmetric_terms.h"

#include <string.h>

typedef struct node {
  bool is_place;
  uint32_t index;
} node;

typedef struct symmetric {
  tl_document *document;
  tl_coloured *net;
  tl_sorts sorts;
  tl_terms terms;
  tl_names ids; // of places, then transitions, then references
  node *node;   // what each of these is, in the end
  size_t nodes;
  node (*end)[2];       // of each arc
  uint32_t *arc_start;  // [transitions + 1]
  const uint32_t *arcs; // sorted by transition
} symmetric;

static tl_status no_memory (const symmetric *s) {
  return tl_document_no_memory (s->document);
}

static const char *copy (symmetric *s, const char *text) {
  return tl_arena_text (&s->net->arena, text, strlen (text));
}

// ---- Ids -------------------------------------------------------------------

static tl_status add_id (symmetric *s, const char *id, tl_where where,
                         node means) {
  uint32_t number = (uint32_t)s->nodes;
  bool added;
  if (s->nodes >= TL_NO_NAME || tl_names_add (&s->ids, id, &number, &added))
    return no_memory (s);
  if (!added)
    return tl_document_fail (s->document, where, TL_E_SYNTAX,
                             "a second node '%.80s'", id);
  s->node[s->nodes++] = means;
  return TL_OK;
}

// Follows references from the n-th one; as many steps as there are references
// lead to a node, or round in a circle.
static bool follow (const symmetric *s, size_t n, node *end) {
  const tl_document *d = s->document;
  const size_t first = d->places + d->transitions;
  for (size_t steps = 0; steps <= d->references; steps++) {
    const uint32_t to = tl_names_find (&s->ids, d->reference[n].target);
    if (to == TL_NO_NAME)
      return false;
    *end = s->node[to];
    if (to < first || end->index != UINT32_MAX)
      return true;
    n = to - first;
  }
  return false;
}

static tl_status add_ids (symmetric *s) {
  const tl_document *d = s->document;
  const size_t first = d->places + d->transitions;
  tl_status status = TL_OK;
  if (!TL_ARENA_NEW (&s->document->arena, s->node, first + d->references + 1))
    return no_memory (s);
  for (size_t i = 0; !status && i < d->places; i++)
    status = add_id (s, d->place[i].id, d->place[i].where,
                     (node){true, (uint32_t)i});
  for (size_t i = 0; !status && i < d->transitions; i++)
    status = add_id (s, d->transition[i].id, d->transition[i].where,
                     (node){false, (uint32_t)i});
  for (size_t i = 0; !status && i < d->references; i++)
    status = add_id (s, d->reference[i].id, d->reference[i].where,
                     (node){false, UINT32_MAX});
  for (size_t i = 0; !status && i < d->references; i++)
    if (!follow (s, i, s->node + first + i))
      status = tl_document_fail (d, d->reference[i].where, TL_E_SYNTAX,
                                 "reference '%.80s' does not lead to a node",
                                 d->reference[i].id);
  return status;
}

// ---- Places ----------------------------------------------------------------

static tl_status make_domain (symmetric *s, const tl_xml_place *from,
                              tl_cplace *p) {
  tl_sort sort = {0};
  const tl_status status =
      from->sort ? tl_sorts_resolve (&s->sorts, from->sort, &sort) : TL_OK;
  if (status)
    return status;
  p->part = sort.part;
  p->parts = p->cells = sort.parts;
  if (!sort.parts)
    return TL_OK;
  if (!TL_ARENA_NEW (&s->net->arena, p->part_offset, sort.parts))
    return no_memory (s);
  for (uint32_t i = 0; i < sort.parts; i++) // a part is one cell
    p->part_offset[i] = i;
  return TL_OK;
}

static tl_status make_places (symmetric *s) {
  const tl_document *d = s->document;
  tl_coloured *net = s->net;
  if (d->places && !TL_ARENA_NEW (&net->arena, net->place, d->places))
    return no_memory (s);
  for (; net->places < d->places; net->places++) {
    const tl_xml_place *from = d->place + net->places;
    tl_cplace *p = net->place + net->places;
    p->id = copy (s, from->id);
    p->name = from->name && *from->name ? copy (s, from->name) : p->id;
    p->where = from->where;
    p->capacity = TL_NO_CAPACITY;
    if (!p->id || !p->name)
      return no_memory (s);
    const tl_status status = make_domain (s, from, p);
    if (status)
      return status;
  }
  return TL_OK;
}

static tl_status mark_places (symmetric *s) {
  tl_status status = TL_OK;
  for (uint32_t i = 0; !status && i < s->net->places; i++) {
    const tl_element *marking = s->document->place[i].marking;
    tl_cplace *p = s->net->place + i;
    tl_terms_begin (&s->terms, UINT32_MAX);
    if (marking)
      status = tl_terms_label (&s->terms, marking, p, false, &p->initial);
    p->initial_frame = s->terms.frame;
  }
  return status;
}

// ---- Arcs and transitions --------------------------------------------------

static tl_status find_end (symmetric *s, const tl_xml_arc *a, const char *id,
                           const char *verb, node *end) {
  const uint32_t n = tl_names_find (&s->ids, id);
  if (n == TL_NO_NAME)
    return tl_document_fail (s->document, a->where, TL_E_SYNTAX,
                             "this arc %s unknown node '%.80s'", verb, id);
  *end = s->node[n];
  return TL_OK;
}

static tl_status find_ends (symmetric *s) {
  const tl_document *d = s->document;
  if (d->arcs > UINT32_MAX / 2 ||
      !TL_ARENA_NEW (&s->document->arena, s->end, d->arcs + 1))
    return no_memory (s);
  tl_status status = TL_OK;
  for (size_t i = 0; !status && i < d->arcs; i++) {
    const tl_xml_arc *a = d->arc + i;
    node *end = s->end[i];
    status = find_end (s, a, a->from, "begins at", end);
    if (!status)
      status = find_end (s, a, a->to, "ends at", end + 1);
    if (!status && a->inhibits && end[1].is_place)
      status = tl_document_fail (d, a->where, TL_E_SYNTAX,
                                 "this inhibitor arc leads to a place");
    if (!status && end[0].is_place == end[1].is_place)
      status = tl_document_fail (d, a->where, TL_E_SYNTAX,
                                 "this arc connects two %s",
                                 end[0].is_place ? "places" : "transitions");
  }
  return status;
}

static uint32_t transition_of (const symmetric *s, size_t arc) {
  const node *end = s->end[arc];
  return end[end[0].is_place].index;
}

// Sorts the arcs by transition, in the order of the file.
static tl_status sort_arcs (symmetric *s) {
  const tl_document *d = s->document;
  uint32_t *start, *sorted;
  if (!TL_ARENA_NEW (&s->document->arena, start, d->transitions + 2) ||
      !TL_ARENA_NEW (&s->document->arena, sorted, d->arcs + 1))
    return no_memory (s);
  // Counted two further on, they end up where each transition begins.
  for (size_t i = 0; i < d->arcs; i++)
    start[transition_of (s, i) + 2]++;
  for (size_t i = 1; i < d->transitions + 2; i++)
    start[i] += start[i - 1];
  for (size_t i = 0; i < d->arcs; i++)
    sorted[start[transition_of (s, i) + 1]++] = (uint32_t)i;
  s->arc_start = start;
  s->arcs = sorted;
  return TL_OK;
}

static tl_status make_arc (symmetric *s, uint32_t number, tl_carc *arc) {
  const tl_xml_arc *from = s->document->arc + number;
  const node *end = s->end[number];
  arc->place = end[!end[0].is_place].index;
  arc->where = from->where;
  const tl_cplace *place = s->net->place + arc->place;
  if (from->label)
    return tl_terms_label (&s->terms, from->label, place, end[0].is_place,
                           &arc->label);
  if (place->parts)
    return tl_document_fail (s->document, from->where, TL_E_SYNTAX,
                             "this arc has no inscription");
  if (!TL_ARENA_NEW (&s->net->arena, arc->label.tuple, 1))
    return no_memory (s);
  arc->label.tuples = 1;
  *arc->label.tuple = (tl_tuple){.where = from->where, .factor = 1};
  return TL_OK;
}

static tl_status make_arcs (symmetric *s, uint32_t t, tl_ctransition *to) {
  const uint32_t *first = s->arcs + s->arc_start[t];
  const uint32_t count = s->arc_start[t + 1] - s->arc_start[t];
  if (!TL_ARENA_NEW (&s->net->arena, to->in, count + 1) ||
      !TL_ARENA_NEW (&s->net->arena, to->out, count + 1) ||
      !TL_ARENA_NEW (&s->net->arena, to->inhibit, count + 1))
    return no_memory (s);
  tl_status status = TL_OK;
  for (uint32_t i = 0; !status && i < count; i++) {
    const bool inhibits = s->document->arc[first[i]].inhibits,
               in = s->end[first[i]][0].is_place;
    status = make_arc (s, first[i],
                       inhibits ? to->inhibit + to->inhibits++
                       : in     ? to->in + to->ins++
                                : to->out + to->outs++);
  }
  to->inhibits_each = to->inhibits;
  return status;
}

// A tuple binds the variables that it has as parts, if what it asks for must be
// there: nothing is taken away from the label, and it does not make a loop.
static void bind_variables (tl_variable *variable, uint32_t variables,
                            const tl_cplace *place, const tl_label *label) {
  for (uint32_t i = 0; i < label->tuples; i++)
    if (label->tuple[i].factor < 0)
      return;
  for (uint32_t i = 0; i < label->tuples; i++)
    for (uint32_t p = 0; p < place->parts && !label->tuple[i].loops; p++)
      for (uint32_t v = 0; v < variables; v++)
        if (label->tuple[i].part[p]->kind == TL_TERM_VARIABLE &&
            label->tuple[i].part[p]->offset == variable[v].offset)
          variable[v].kind = TL_VARIABLE_ARC;
}

static tl_status make_variables (symmetric *s, tl_ctransition *t) {
  const size_t count = s->terms.variables;
  if (!count)
    return TL_OK;
  if (!TL_ARENA_NEW (&s->net->arena, t->variable, count))
    return no_memory (s);
  memcpy (t->variable, s->terms.variable, count * sizeof *t->variable);
  t->variables = (uint32_t)count;
  for (uint32_t i = 0; i < t->ins; i++)
    bind_variables (t->variable, t->variables, s->net->place + t->in[i].place,
                    &t->in[i].label);
  for (uint32_t i = 0; i < t->variables; i++) {
    tl_variable *v = t->variable + i;
    if (v->kind == TL_VARIABLE_PICK)
      v->pick = (tl_loop){.kind = TL_LOOP_TYPE,
                          .name = v->name,
                          .type = v->type,
                          .offset = v->offset};
  }
  return TL_OK;
}

static tl_status make_transition (symmetric *s, uint32_t i, tl_ctransition *t) {
  const tl_xml_transition *from = s->document->transition + i;
  t->id = copy (s, from->id);
  t->name = from->name && *from->name ? copy (s, from->name) : t->id;
  t->where = from->where;
  if (!t->id || !t->name)
    return no_memory (s);
  tl_terms_begin (&s->terms, i);
  tl_status status = make_arcs (s, i, t);
  if (!status && from->condition)
    status = tl_terms_guard (&s->terms, from->condition, &t->guard);
  if (!status)
    status = make_variables (s, t);
  t->frame = s->terms.frame;
  return status;
}

static tl_status make_transitions (symmetric *s) {
  const size_t count = s->document->transitions;
  tl_coloured *net = s->net;
  if (count && !TL_ARENA_NEW (&net->arena, net->transition, count))
    return no_memory (s);
  tl_status status = TL_OK;
  for (; !status && net->transitions < count; net->transitions++)
    status = make_transition (s, net->transitions,
                              net->transition + net->transitions);
  return status;
}

// ---- The net ---------------------------------------------------------------

static tl_status make (symmetric *s) {
  static const char *values[] = {"false", "true"};
  s->net->boolean = tl_type_enum (&s->net->arena, "bool", values, 2);
  s->net->path = copy (s, s->document->file);
  s->net->format = "pnml";
  if (!s->net->boolean || !s->net->path)
    return no_memory (s);
  static tl_status (*const steps[]) (symmetric *) = {
      add_ids,   make_places, mark_places,
      find_ends, sort_arcs,   make_transitions};
  tl_status status = tl_sorts_open (&s->sorts, s->document, s->net);
  for (size_t i = 0; !status && i < sizeof steps / sizeof *steps; i++)
    status = steps[i](s);
  tl_terms_close (&s->terms);
  tl_sorts_close (&s->sorts);
  return status;
}

tl_status tl_symmetric_make (tl_document *document, tl_mem *mem,
                             tl_coloured **out) {
  symmetric s = {.document = document, .ids = TL_NAMES (document->mem)};
  *out = 0;
  if (!TL_NEW (mem, s.net, 1))
    return tl_document_no_memory (document);
  s.net->mem = mem;
  s.net->arena = TL_ARENA (mem);
  s.terms = (tl_terms){.sorts = &s.sorts, .arena = &s.net->arena};
  const tl_status status = make (&s);
  tl_names_close (&s.ids);
  if (status)
    tl_coloured_close (s.net);
  else
    *out = s.net;
  return status;
}
