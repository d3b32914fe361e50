#include "random_coloured.h"

#include "base/random.h"
#include "terms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPES = 6, MOST_VARIABLES = 4, MOST_TUPLES = 3, PROPOSITIONS = 3 };

typedef struct maker {
  tl_random random;
  tl_arena *arena;
  tl_coloured *net;
  const tl_type *boolean, *type[TYPES]; // the first ones are discrete
  const tl_type *list;                  // of type[0]; only to pick from
  const tl_type *integer;
  uint32_t discrete, types;
  // Of the transition at hand.
  tl_variable variable[MOST_VARIABLES + 3];
  uint32_t variables, frame;
  bool input; // an input arc is being made
} maker;

static void *get (maker *m, size_t count, size_t size) {
  void *const at = tl_arena_get (m->arena, count ? count : 1, size);
  if (!at)
    abort ();
  return at;
}

static uint32_t below (maker *m, uint32_t n) {
  return (uint32_t)tl_random_below (&m->random, n);
}

static bool chance (maker *m, uint32_t percent) {
  return below (m, 100) < percent;
}

static const char *name (maker *m, char letter, uint32_t number) {
  char text[20];
  snprintf (text, sizeof text, "%c%u", letter, number);
  return tl_arena_text (m->arena, text, strlen (text));
}

static void make_types (maker *m) {
  const char *no_yes[] = {"false", "true"};
  const char *lights[] = {"red", "yellow", "green"};
  bool limit;
  m->boolean = tl_type_enum (m->arena, "bool", no_yes, 2);
  m->type[0] = tl_type_mod (m->arena, "ring", 2 + below (m, 2));
  m->type[1] = tl_type_enum (m->arena, "light", lights, 2 + below (m, 2));
  m->type[2] = tl_type_range (m->arena, "number", 1, 2 + below (m, 2));
  m->type[3] = m->boolean;
  m->types = m->discrete = 4;
  if (chance (m, 30))
    m->type[m->types++] = tl_type_container (m->arena, "set", TL_TYPE_SET, 0,
                                             m->type[0], 2, &limit);
  if (chance (m, 20)) {
    const tl_member parts[] = {{"a", m->type[0], 0}, {"b", m->boolean, 0}};
    m->type[m->types++] = tl_type_struct (m->arena, "pair", parts, 2, &limit);
  }
  m->list = tl_type_container (m->arena, "list", TL_TYPE_LIST, m->type[2],
                               m->type[0], 3, &limit);
  m->integer = tl_type_range (m->arena, "int", INT32_MIN, INT32_MAX);
  m->net->boolean = m->boolean;
}

static tl_term *value (maker *m, const tl_type *t) {
  if (tl_type_is_discrete (t))
    return term_number (m->arena, t,
                        t->first + below (m, (uint32_t)tl_type_values (t)));
  if (t->kind == TL_TYPE_STRUCT)
    return term_of (m->arena, TL_TERM_MAKE, t, 2,
                    value (m, t->component[0].type),
                    value (m, t->component[1].type));
  return term_of (m->arena, TL_TERM_MAKE, t, below (m, 3),
                  value (m, t->element), value (m, t->element));
}

// A variable of the type, or null.
static tl_term *variable_of (maker *m, const tl_type *t) {
  if (!m->variables)
    return 0;
  const uint32_t start = below (m, m->variables);
  for (uint32_t i = 0; i < m->variables; i++) {
    const tl_variable *v = m->variable + (start + i) % m->variables;
    if (v->type == t)
      return term_variable (m->arena, t, v->offset);
  }
  return 0;
}

static tl_term *term (maker *m, const tl_type *t, int depth);

static tl_term *operation (maker *m, const tl_type *t, int depth) {
  if (t->kind == TL_TYPE_SET)
    return term_of (m->arena,
                    chance (m, 20)   ? TL_TERM_UNION
                    : chance (m, 50) ? TL_TERM_REMOVE
                                     : TL_TERM_INTERSECT,
                    t, 2, term (m, t, depth - 1),
                    term (m, chance (m, 50) ? t : t->element, depth - 1));
  if (t->kind == TL_TYPE_STRUCT)
    return term_of (m->arena, TL_TERM_MAKE, t, 2,
                    term (m, t->component[0].type, depth - 1),
                    term (m, t->component[1].type, depth - 1));
  if (chance (m, 20))
    return term_of (m->arena, TL_TERM_CHOOSE, t, 3,
                    term (m, m->boolean, depth - 1), term (m, t, depth - 1),
                    term (m, t, depth - 1));
  if (t->kind == TL_TYPE_MOD && chance (m, 50))
    return term_of (m->arena, chance (m, 50) ? TL_TERM_ADD : TL_TERM_MULTIPLY,
                    t, 2, term (m, t, depth - 1), term (m, t, depth - 1));
  tl_term *const next =
      term_of (m->arena, chance (m, 50) ? TL_TERM_SUCC : TL_TERM_PRED, t, 1,
               term (m, t, depth - 1));
  if (t->kind != TL_TYPE_RANGE)
    return next;
  // Numbers stay in their range, or now and then they do not.
  return chance (m, 5)
             ? term_of (m->arena, TL_TERM_CHECK, t, 1, next)
             : term_of (m->arena, TL_TERM_CHOOSE, t, 3,
                        term_of (m->arena, TL_TERM_LESS, m->boolean, 2, next,
                                 term_number (m->arena, t, t->last)),
                        value (m, t), value (m, t));
}

static tl_term *term (maker *m, const tl_type *t, int depth) {
  tl_term *const v = variable_of (m, t);
  if (v && chance (m, depth > 0 ? 60 : 80))
    return v;
  return depth > 0 && chance (m, 60) ? operation (m, t, depth) : value (m, t);
}

static tl_term *condition (maker *m, int depth) {
  static const tl_term_kind compare[] = {TL_TERM_EQUAL, TL_TERM_EQUAL,
                                         TL_TERM_UNEQUAL, TL_TERM_LESS,
                                         TL_TERM_GREATER_EQUAL};
  if (depth > 0 && chance (m, 50))
    return term_of (m->arena, chance (m, 70) ? TL_TERM_AND : TL_TERM_OR,
                    m->boolean, 2, condition (m, depth - 1),
                    condition (m, depth - 1));
  if (chance (m, 10))
    return term_of (m->arena, TL_TERM_NOT, m->boolean, 1,
                    condition (m, depth - 1));
  const tl_type *t = m->type[below (m, m->types)];
  if (t->kind == TL_TYPE_SET && chance (m, 50))
    return term_of (m->arena, TL_TERM_MEMBER, m->boolean, 2,
                    term (m, t->element, 0), term (m, t, 1));
  return term_of (m->arena,
                  t->kind == TL_TYPE_STRUCT ? TL_TERM_EQUAL
                                            : compare[below (m, 5)],
                  m->boolean, 2, term (m, t, 1), term (m, t, 1));
}

// Labels.

// A loop for the part, of a variable that the frame gets.
static void loop_part (maker *m, const tl_cplace *place, tl_tuple *tuple,
                       uint32_t part, uint32_t *frame) {
  tuple->loop = loop_over (m->arena, place->part[part], (*frame)++);
  tuple->loops = 1;
  tuple->part[part] =
      term_variable (m->arena, place->part[part], tuple->loop->offset);
}

static tl_variable *add_variable (maker *m, const tl_type *type) {
  tl_variable *const v = m->variable + m->variables;
  *v = (tl_variable){.name = name (m, 'x', m->variables),
                     .kind = TL_VARIABLE_INHIBITOR, // for the time being
                     .type = type,
                     .offset = m->frame};
  m->frame += type->cells;
  m->variables++;
  return v;
}

// A part of a tuple; on input arcs often a variable that is new.
static tl_term *part_of (maker *m, const tl_type *type, int depth) {
  tl_term *const known = variable_of (m, type);
  if (known && chance (m, 60))
    return known;
  if (m->input && m->variables < MOST_VARIABLES && chance (m, 85))
    return term_variable (m->arena, type, add_variable (m, type)->offset);
  return term (m, type, depth);
}

static tl_tuple tuple_of (maker *m, const tl_cplace *place, int depth) {
  tl_tuple t = {.factor = 1 + chance (m, 10),
                .part = get (m, place->parts, sizeof *t.part)};
  for (uint32_t i = 0; i < place->parts; i++)
    t.part[i] = part_of (m, place->part[i], depth);
  return t;
}

// Everything but one value.
static void all_but_one (maker *m, const tl_cplace *place, tl_label *l,
                         uint32_t *frame) {
  l->tuples = 2;
  l->tuple[0] = tuple_of (m, place, 0);
  l->tuple[0].factor = 1;
  loop_part (m, place, l->tuple, 0, frame);
  l->tuple[1] = tuple_of (m, place, 0);
  l->tuple[1].factor = -1;
}

static tl_label label_of (maker *m, const tl_cplace *place, uint32_t most,
                          int depth, uint32_t *frame) {
  tl_label l = {.tuple = get (m, MOST_TUPLES, sizeof *l.tuple)};
  const bool initial = !m->variables && !m->frame;
  const bool loops = place->parts && tl_type_is_discrete (place->part[0]);
  if (place->parts == 1 && loops && chance (m, 5)) {
    all_but_one (m, place, &l, frame);
    return l;
  }
  l.tuples = initial ? 1 + below (m, most) : most;
  for (uint32_t i = 0; i < l.tuples; i++) {
    l.tuple[i] = tuple_of (m, place, depth);
    if (loops && chance (m, m->input ? 8 : initial ? 40 : 5))
      loop_part (m, place, l.tuple + i, 0, frame);
    if (chance (m, 8))
      l.tuple[i].condition = condition (m, 1);
  }
  return l;
}

static void make_place (maker *m, uint32_t number) {
  tl_cplace *const p = m->net->place + number;
  p->id = p->name = name (m, 'p', number);
  // With as many as 4 it is often proven that there are never more.
  p->capacity = chance (m, 6)    ? 1
                : chance (m, 20) ? 2 + below (m, 3)
                                 : TL_NO_CAPACITY;
  p->parts = below (m, 3);
  p->part = get (m, p->parts, sizeof *p->part);
  p->part_offset = get (m, p->parts, sizeof *p->part_offset);
  for (uint32_t i = 0; i < p->parts; i++) {
    p->part[i] = m->type[below (m, m->types)];
    p->part_offset[i] = p->cells;
    p->cells += p->part[i]->cells;
  }
  m->variables = m->frame = 0;
  p->initial_frame = 0;
  if (chance (m, 85))
    p->initial = label_of (m, p, 3, 0, &p->initial_frame);
}

// Transitions.

static bool is_taken (const tl_label *l, const tl_tuple *t) {
  for (uint32_t i = 0; i < l->tuples; i++)
    if (l->tuple[i].factor < 0)
      return false;
  return !t->loops && !t->condition;
}

static bool is_bound (const maker *m, const tl_ctransition *t,
                      const tl_variable *v) {
  for (uint32_t a = 0; a < t->ins; a++) {
    const tl_label *l = &t->in[a].label;
    for (uint32_t i = 0; i < l->tuples; i++)
      for (uint32_t k = 0; k < m->net->place[t->in[a].place].parts; k++)
        if (is_taken (l, l->tuple + i) &&
            l->tuple[i].part[k]->kind == TL_TERM_VARIABLE &&
            l->tuple[i].part[k]->offset == v->offset)
          return true;
  }
  return false;
}

// Variables that no arc binds run over their type, or are what they are.
static void decide_kinds (maker *m, const tl_ctransition *t) {
  for (uint32_t i = 0; i < m->variables; i++) {
    tl_variable *const v = m->variable + i;
    if (is_bound (m, t, v)) {
      v->kind = TL_VARIABLE_ARC;
    } else if (tl_type_is_discrete (v->type)) {
      v->kind = TL_VARIABLE_PICK;
      v->pick = *loop_over (m->arena, v->type, v->offset);
    } else {
      v->kind = TL_VARIABLE_PICK;
      tl_type *const one = get (m, 1, sizeof *one);
      *one = (tl_type){.name = "one",
                       .kind = TL_TYPE_LIST,
                       .root = one,
                       .cells = 1 + 2 * v->type->cells,
                       .element = v->type,
                       .elements = 2};
      v->pick = (tl_loop){.kind = TL_LOOP_CONTAINER,
                          .name = v->name,
                          .type = v->type,
                          .offset = v->offset,
                          .container =
                              term_of (m->arena, TL_TERM_MAKE, one, 2,
                                       value (m, v->type), value (m, v->type))};
    }
  }
}

static void add_pick_and_let (maker *m) {
  if (chance (m, 15)) {
    const tl_type *t = m->list;
    tl_term *const list =
        term_of (m->arena, TL_TERM_MAKE, t, 2, term (m, t->element, 1),
                 term (m, t->element, 1));
    tl_variable *const v = add_variable (m, t->element);
    v->kind = TL_VARIABLE_PICK;
    v->pick = (tl_loop){.kind = TL_LOOP_CONTAINER,
                        .name = v->name,
                        .type = t->element,
                        .offset = v->offset,
                        .container = list};
  }
  if (chance (m, 20)) {
    tl_term *const t = term (m, m->type[below (m, m->types)], 2);
    tl_variable *const v = add_variable (m, t->type);
    v->kind = TL_VARIABLE_LET;
    v->let = t;
  }
}

// Arcs to different places.
static tl_carc *arcs_of (maker *m, uint32_t *count, int depth) {
  tl_carc *const arc = get (m, 2, sizeof *arc);
  const uint32_t start = below (m, m->net->places);
  for (uint32_t i = 0; i < *count; i++) {
    arc[i].place = (start + i) % m->net->places;
    arc[i].label = label_of (m, m->net->place + arc[i].place,
                             1 + chance (m, 25), depth, &m->frame);
  }
  return arc;
}

static void add_inhibitor (maker *m, tl_ctransition *t) {
  t->inhibits = 1;
  t->inhibit = get (m, 1, sizeof *t->inhibit);
  tl_carc *const arc = t->inhibit;
  arc->place = below (m, m->net->places);
  const tl_cplace *place = m->net->place + arc->place;
  arc->label = label_of (m, place, 1 + chance (m, 10), 1, &m->frame);
  if (place->parts && arc->label.tuples == 1 && chance (m, 40)) {
    const tl_variable *v = add_variable (m, place->part[0]);
    arc->label.tuple->part[0] = term_variable (m->arena, v->type, v->offset);
    arc->label.tuple->loops = 0;
    arc->label.tuple->condition = 0;
  } else
    t->inhibits_each = chance (m, 50);
}

static void make_transition (maker *m, uint32_t number) {
  tl_ctransition *const t = m->net->transition + number;
  t->id = t->name = name (m, 't', number);
  m->variables = m->frame = 0;
  if (chance (m, 30))
    add_variable (m, m->type[below (m, m->types)]);
  t->ins = chance (m, 97) ? 1 + chance (m, 40) : 0;
  t->ins = t->ins < m->net->places ? t->ins : m->net->places;
  m->input = true;
  t->in = arcs_of (m, &t->ins, 1);
  m->input = false;
  decide_kinds (m, t);
  add_pick_and_let (m);
  t->outs = chance (m, 90) ? 1 + chance (m, 30) : 0;
  t->outs = t->outs < m->net->places ? t->outs : m->net->places;
  t->out = arcs_of (m, &t->outs, 2);
  if (chance (m, 40))
    t->guard = condition (m, 2);
  if (chance (m, 12))
    add_inhibitor (m, t);
  t->variables = m->variables;
  t->variable = get (m, m->variables, sizeof *t->variable);
  memcpy (t->variable, m->variable, m->variables * sizeof *t->variable);
  t->frame = m->frame;
}

// Propositions.

// A loop over a place or a type; its variables can be used from now on.
static tl_loop any_loop (maker *m, bool place_only) {
  if (!place_only && chance (m, 25)) {
    const tl_type *type = m->type[below (m, m->discrete)];
    const tl_variable *v = add_variable (m, type);
    return *loop_over (m->arena, type, v->offset);
  }
  const uint32_t place = below (m, m->net->places);
  const tl_loop l = {.kind = TL_LOOP_PLACE,
                     .name = "token",
                     .offset = m->frame,
                     .place = place};
  for (uint32_t i = 0; i < m->net->place[place].parts; i++)
    add_variable (m, m->net->place[place].part[i]);
  return l;
}

// An iterator over one or two loops; the variables are gone after it.
static tl_term *iterator (maker *m, tl_term_kind kind, int depth);

static tl_term *count_of (maker *m, int depth) {
  static const tl_term_kind kinds[] = {TL_TERM_CARD, TL_TERM_MULT, TL_TERM_SUM};
  tl_term *t;
  if (depth > 0 && chance (m, 20))
    return term_of (m->arena, chance (m, 50) ? TL_TERM_ADD : TL_TERM_SUBTRACT,
                    m->integer, 2, count_of (m, depth - 1),
                    count_of (m, depth - 1));
  if (chance (m, 50))
    return iterator (m, kinds[below (m, 3)], 0);
  t = term_of (m->arena,
               chance (m, 50) ? TL_TERM_PLACE_CARD : TL_TERM_PLACE_MULT,
               m->integer, 0);
  t->place = below (m, m->net->places);
  return t;
}

static tl_term *claim (maker *m, int depth) {
  static const tl_term_kind compare[] = {
      TL_TERM_EQUAL,   TL_TERM_UNEQUAL,    TL_TERM_LESS,
      TL_TERM_GREATER, TL_TERM_LESS_EQUAL, TL_TERM_GREATER_EQUAL};
  if (depth > 0 && chance (m, 30))
    return term_of (m->arena, chance (m, 50) ? TL_TERM_AND : TL_TERM_OR,
                    m->boolean, 2, claim (m, depth - 1), claim (m, depth - 1));
  if (depth > 0 && chance (m, 10))
    return term_of (m->arena, TL_TERM_NOT, m->boolean, 1, claim (m, depth - 1));
  if (depth > 0 && chance (m, 50))
    return iterator (m, chance (m, 50) ? TL_TERM_FORALL : TL_TERM_EXISTS,
                     depth - 1);
  if (m->variables && chance (m, 30))
    return condition (m, 1);
  return term_of (m->arena, compare[below (m, 6)], m->boolean, 2,
                  count_of (m, 1),
                  term_number (m->arena, m->integer, below (m, 4)));
}

static tl_term *iterator (maker *m, tl_term_kind kind, int depth) {
  const bool quantifier = kind == TL_TERM_FORALL || kind == TL_TERM_EXISTS;
  const uint32_t before = m->variables;
  uint32_t loops = kind != TL_TERM_MULT && chance (m, 30) ? 2 : 1;
  if (before + 2 * loops > MOST_VARIABLES)
    return quantifier ? condition (m, 0)
                      : term_number (m->arena, m->integer, below (m, 3));
  tl_loop *const loop = get (m, loops, sizeof *loop);
  for (uint32_t i = 0; i < loops; i++)
    loop[i] = any_loop (m, kind == TL_TERM_MULT);
  tl_term *const when = chance (m, 60) || kind == TL_TERM_EXISTS
                            ? quantifier ? claim (m, depth) : condition (m, 0)
                            : 0;
  tl_term *value = 0;
  if (kind == TL_TERM_FORALL)
    value = claim (m, depth);
  if (kind == TL_TERM_SUM)
    value = term_number (m->arena, m->integer, below (m, 3));
  m->variables = before;
  return term_loop (term_of (m->arena, kind,
                             quantifier ? m->boolean : m->integer, 2, when,
                             value),
                    loop, loops);
}

static void make_proposition (maker *m, uint32_t number) {
  tl_proposition *const p = m->net->proposition + number;
  m->variables = m->frame = 0;
  p->name = name (m, 'q', number);
  p->term = claim (m, 2);
  p->frame = m->frame;
}

tl_coloured *random_coloured (tl_mem *mem, uint64_t seed) {
  tl_coloured *net;
  if (!TL_NEW (mem, net, 1))
    abort ();
  *net = (tl_coloured){.mem = mem,
                       .arena = TL_ARENA (mem),
                       .name = "random",
                       .path = "random",
                       .format = "lna"};
  maker m = {.random = {seed}, .arena = &net->arena, .net = net};
  make_types (&m);
  net->places = 2 + below (&m, 3);
  net->place = get (&m, net->places, sizeof *net->place);
  for (uint32_t p = 0; p < net->places; p++)
    make_place (&m, p);
  net->transitions = 2 + below (&m, 3);
  net->transition = get (&m, net->transitions, sizeof *net->transition);
  for (uint32_t t = 0; t < net->transitions; t++)
    make_transition (&m, t);
  const tl_type *number = m.type[2];
  for (uint32_t t = 0; t < net->transitions; t++)
    if (chance (&m, 1))
      net->transition[t].priority = term_number (&net->arena, number, 1);
  net->propositions = PROPOSITIONS;
  net->proposition = get (&m, PROPOSITIONS, sizeof *net->proposition);
  for (uint32_t i = 0; i < PROPOSITIONS; i++)
    make_proposition (&m, i);
  return net;
}
