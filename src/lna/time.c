// Timed places, and the clock.

#include "lna/typing.h"

#include <stdio.h>

static tl_term *zero (tl_lna_checker *c, tl_where where) {
  static const tl_cell nothing = 0;
  return tl_lna_constant_term (c, where, c->natural, &nothing);
}

static tl_term *two (tl_lna_checker *c, tl_term_kind kind, const tl_type *type,
                     tl_term *a, tl_term *b) {
  tl_term *t = a && b ? tl_lna_make_term (c, kind, a->where, type, 2) : 0;
  if (t) {
    t->operand[0] = a;
    t->operand[1] = b;
  }
  return t;
}

static tl_term *cell (tl_lna_checker *c, tl_where where, const tl_type *type,
                      uint32_t offset) {
  const tl_lna_variable v = {.type = type, .offset = offset};
  return tl_lna_variable_term (c, where, &v);
}

// A label of one tuple with room for its parts
static tl_term **tuple_of (tl_lna_checker *c, tl_where where, uint32_t parts,
                           tl_label *label) {
  if (!TL_LNA_NET_NEW (c, label->tuple, 1) ||
      !TL_LNA_NET_NEW (c, label->tuple->part, parts))
    return 0;
  label->tuples = 1;
  label->tuple->where = where;
  label->tuple->factor = 1;
  return label->tuple->part;
}

// The clock holds one token with one part.
static bool clock_arc (tl_lna_checker *c, tl_where where, uint32_t offset,
                       tl_carc *arc) {
  tl_term **part = tuple_of (c, where, 1, &arc->label);
  arc->place = c->clock;
  arc->where = where;
  return part && (part[0] = cell (c, where, c->natural, offset));
}

static bool add_clock (tl_lna_checker *c, tl_where where) {
  const tl_lna_word name = {"clock", where};
  uint32_t number;
  if (!tl_lna_name (c, &c->place_name, &name, "place", &number))
    return false;
  tl_cplace *p = c->net->place + number;
  tl_term **part = tuple_of (c, where, 1, &p->initial);
  if (!part || !(part[0] = zero (c, where)) ||
      !(p->id = p->name = tl_lna_keep (c, name.text)) ||
      !TL_LNA_NET_NEW (c, p->part, 1) || !TL_LNA_NET_NEW (c, p->part_offset, 1))
    return false;
  p->where = where;
  p->part[0] = c->natural;
  p->parts = p->cells = p->capacity = p->least = p->most = 1;
  c->clock = number;
  c->net->places = number + 1;
  return true;
}

bool tl_lna_make_timed (tl_lna_checker *c, const tl_lna_word *name,
                        tl_cplace *p) {
  if (c->clock == TL_NO_NAME && !add_clock (c, name->where))
    return false;
  if (p->cells == TL_MAX_CELLS)
    return tl_lna_fail (c->source, name->where,
                        "tokens of '%.80s' are too large", p->name);
  p->part[p->parts] = c->natural;
  p->part_offset[p->parts++] = p->cells++;
  p->timed = true;
  return true;
}

// Tuples

bool tl_lna_time_variable (tl_lna_checker *c, const tl_lna_node *tuple) {
  char name[20];
  snprintf (name, sizeof name, "@%u", c->frame);
  const tl_lna_word word = {name, tuple->where};
  const tl_lna_variable *v = tl_lna_add_variable (c, &word, c->natural, 1);
  tl_lna_node *parts = tuple->kid[TL_LNA_TUPLE_PARTS];
  if (!v || !TL_LNA_NEW (c->source, parts->meaning, 1))
    return false;
  parts->meaning->variable = v;
  return true;
}

tl_term *tl_lna_time (tl_lna_checker *c, const tl_lna_node *tuple,
                      bool binding) {
  tl_lna_node *delay = tuple->kid[TL_LNA_TUPLE_DELAY];
  if (binding)
    return tl_lna_variable_term (
        c, tuple->where, tuple->kid[TL_LNA_TUPLE_PARTS]->meaning->variable);
  if (!c->now)
    return delay ? tl_lna_use (c, delay, c->natural) : zero (c, tuple->where);
  tl_term *now = tl_lna_variable_term (c, tuple->where, c->now);
  return !delay ? now
                : tl_lna_make_one (c, TL_TERM_CHECK, delay->where, c->natural,
                                   two (c, TL_TERM_ADD, c->integer, now,
                                        tl_lna_use (c, delay, c->natural)));
}

// Transitions

static bool await (tl_lna_checker *c, tl_ctransition *t, tl_term *time) {
  tl_term *there = two (c, TL_TERM_LESS_EQUAL, c->net->boolean, time,
                        tl_lna_variable_term (c, time->where, c->now));
  t->guard =
      t->guard ? two (c, TL_TERM_AND, c->net->boolean, there, t->guard) : there;
  return t->guard;
}

bool tl_lna_read_clock (tl_lna_checker *c, tl_ctransition *t) {
  for (uint32_t i = t->ins; i--;) {
    const uint32_t place = t->in[i].place;
    const tl_label *label = &t->in[i].label;
    for (uint32_t k = label->tuples; c->net->place[place].timed && k--;)
      if (!await (c, t, label->tuple[k].part[c->net->place[place].parts - 1]))
        return false;
  }
  return clock_arc (c, t->where, c->now->offset, t->in + t->ins++) &&
         clock_arc (c, t->where, c->now->offset, t->out + t->outs++);
}

// The transition that moves the clock.  The later the next time is the lower is
// its priority, which is below 0.
static bool add_tick_variables (tl_lna_checker *c, tl_ctransition *t) {
  static const char *const name[] = {"now", "next"};
  if (!TL_LNA_NET_NEW (c, t->variable, 2))
    return false;
  for (uint32_t i = 0; i < 2; i++)
    t->variable[i] =
        (tl_variable){.name = name[i], .type = c->natural, .offset = i};
  t->variable[0].kind = TL_VARIABLE_ARC;
  t->variable[1].kind = TL_VARIABLE_PICK;
  t->variable[1].pick = (tl_loop){
      .kind = TL_LOOP_TYPE, .name = name[1], .type = c->natural, .offset = 1};
  t->variables = t->frame = 2;
  return true;
}

static bool add_tick (tl_lna_checker *c, tl_ctransition *t) {
  const tl_where where = c->net->place[c->clock].where;
  t->id = t->name = "tick";
  t->where = where;
  t->tick = true;
  if (!add_tick_variables (c, t) || !TL_LNA_NET_NEW (c, t->in, 1) ||
      !TL_LNA_NET_NEW (c, t->out, 1) || !clock_arc (c, where, 0, t->in) ||
      !clock_arc (c, where, 1, t->out))
    return false;
  t->ins = t->outs = 1;
  t->priority =
      two (c, TL_TERM_SUBTRACT, c->integer, cell (c, where, c->natural, 0),
           cell (c, where, c->natural, 1));
  return t->priority;
}

bool tl_lna_let_time_pass (tl_lna_checker *c) {
  if (c->clock == TL_NO_NAME)
    return true;
  const tl_lna_word word = {"tick", c->net->place[c->clock].where};
  uint32_t number;
  return tl_lna_name (c, &c->transition_name, &word, "transition", &number) &&
         add_tick (c, c->net->transition + c->net->transitions++);
}
