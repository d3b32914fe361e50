// Labels and places.

#include "lna/typing.h"

#include "colour/uses.h"

#include <string.h>

static bool is_loop_variable (const tl_lna_node *tuple, const char *name) {
  const tl_lna_node *loops = tuple->kid[TL_LNA_TUPLE_LOOPS];
  for (uint32_t i = 0; loops && i < loops->kids; i++)
    if (!strcmp (loops->kid[i]->word[0].text, name))
      return true;
  return false;
}

static bool find_in_tuple (tl_lna_checker *c, const tl_lna_node *tuple,
                           const tl_cplace *place) {
  const tl_lna_node *parts = tuple->kid[TL_LNA_TUPLE_PARTS];
  for (uint32_t i = 0; i < parts->kids && i < place->parts; i++) {
    const tl_lna_node *n = parts->kid[i];
    if (n->kind == TL_LNA_IS_NAME && !tl_lna_is_constant (c, n->word[0].text) &&
        !is_loop_variable (tuple, n->word[0].text) &&
        !tl_lna_find_variable (c, n->word[0].text) &&
        !tl_lna_add_variable (c, n->word, place->part[i],
                              place->part[i]->cells))
      return false;
  }
  return !place->timed || tl_lna_time_variable (c, tuple);
}

bool tl_lna_find_variables (tl_lna_checker *c, const tl_lna_node *list,
                            const tl_cplace *place) {
  for (uint32_t i = 0; i < list->kids; i++)
    if (!find_in_tuple (c, list->kid[i], place))
      return false;
  return true;
}

// Bounds may use variables of the loops only.
static bool loops (tl_lna_checker *c, const tl_lna_node *n, tl_tuple *t) {
  if (!n)
    return true;
  const tl_lna_variable *barrier = c->barrier;
  const bool marking = c->marking;
  c->barrier = c->scope;
  c->marking = false;
  t->loop = tl_lna_loops (c, n, TL_LNA_OVER_TYPES);
  t->loops = n->kids;
  c->barrier = barrier;
  c->marking = marking;
  return t->loop != 0;
}

static bool factor (tl_lna_checker *c, tl_lna_node *n, int64_t *value) {
  *value = 1;
  if (!n)
    return true;
  if (!tl_lna_number (c, n, value))
    return false;
  return (*value >= 0 && *value <= TL_MAX_TOKENS) ||
         tl_lna_fail (c->source, n->where, "the factor %lld is %s",
                      (long long)*value, *value < 0 ? "negative" : "too large");
}

// The delay of a tuple, and the part that it stands for
static bool time_part (tl_lna_checker *c, const tl_lna_node *tuple,
                       const tl_cplace *place, bool binding, tl_tuple *t) {
  const tl_lna_node *delay = tuple->kid[TL_LNA_TUPLE_DELAY];
  if (place->timed) {
    if (binding && (t->loops || t->condition || t->factor != 1 || delay))
      return tl_lna_fail (c->source, tuple->where,
                          "a tuple that takes from a timed place has no 'for', "
                          "'if', factor or delay");
    return (t->part[place->parts - 1] = tl_lna_time (c, tuple, binding)) != 0;
  }
  return !delay || tl_lna_fail (c->source, delay->where,
                                "place '%.80s' is not timed", place->name);
}

static bool parts (tl_lna_checker *c, const tl_lna_node *n,
                   const tl_cplace *place, bool binding, tl_tuple *t) {
  const uint32_t own = place->parts - place->timed;
  if (n->kids != own)
    return tl_lna_fail (c->source, n->where,
                        "a token of '%.80s' has %u part%s, not %u", place->name,
                        own, own == 1 ? "" : "s", n->kids);
  if (!TL_LNA_NET_NEW (c, t->part, place->parts))
    return false;
  for (uint32_t i = 0; i < n->kids; i++) {
    tl_lna_node *kid = n->kid[i];
    const bool plain = binding && kid->kind == TL_LNA_IS_NAME &&
                       tl_lna_find_variable (c, kid->word[0].text);
    if (!(t->part[i] = plain ? tl_lna_term (c, kid, place->part[i])
                             : tl_lna_use (c, kid, place->part[i])))
      return false;
  }
  return true;
}

static bool tuple (tl_lna_checker *c, const tl_lna_node *n,
                   const tl_cplace *place, bool binding, tl_tuple *t) {
  const tl_lna_variable *outer = c->scope;
  t->where = n->kid[TL_LNA_TUPLE_PARTS]->where;
  const bool good =
      loops (c, n->kid[TL_LNA_TUPLE_LOOPS], t) &&
      (!n->kid[TL_LNA_TUPLE_CONDITION] ||
       (t->condition = tl_lna_condition (c, n->kid[TL_LNA_TUPLE_CONDITION]))) &&
      factor (c, n->kid[TL_LNA_TUPLE_FACTOR], &t->factor) &&
      parts (c, n->kid[TL_LNA_TUPLE_PARTS], place, binding, t) &&
      time_part (c, n, place, binding, t);
  c->scope = outer;
  return good;
}

bool tl_lna_label (tl_lna_checker *c, const tl_lna_node *list,
                   const tl_cplace *place, bool binding, tl_label *label) {
  if (!TL_LNA_NET_NEW (c, label->tuple, list->kids))
    return false;
  label->tuples = list->kids;
  for (uint32_t i = 0; i < list->kids; i++)
    if (!tuple (c, list->kid[i], place, binding, label->tuple + i))
      return false;
  return true;
}

// Places

// With room for a time
static bool domain (tl_lna_checker *c, const tl_lna_node *n, tl_cplace *p) {
  p->parts = n->words - 1;
  if (!TL_LNA_NET_NEW (c, p->part, n->words) ||
      !TL_LNA_NET_NEW (c, p->part_offset, n->words))
    return false;
  for (uint32_t i = 0; i < p->parts; i++) {
    if (!(p->part[i] = tl_lna_find_type (c, n->word + 1 + i)))
      return false;
    p->part_offset[i] = p->cells;
    if (p->part[i]->cells > TL_MAX_CELLS - p->cells)
      return tl_lna_fail (c->source, n->word[0].where,
                          "tokens of '%.80s' are too large", n->word[0].text);
    p->cells += p->part[i]->cells;
  }
  return true;
}

static bool capacity (tl_lna_checker *c, tl_lna_node *n, tl_cplace *p) {
  int64_t value = 1;
  if (n && !tl_lna_number (c, n, &value))
    return false;
  if (value < 0 || value >= TL_NO_CAPACITY)
    return tl_lna_fail (c->source, n->where, "the capacity %lld is %s",
                        (long long)value, value < 0 ? "negative" : "too large");
  p->capacity = (uint32_t)value;
  return true;
}

static bool tokens (tl_lna_checker *c, tl_lna_node *from, tl_lna_node *to,
                    tl_cplace *p) {
  int64_t least = 0, most = 0;
  if (!to)
    return true;
  if ((from && !tl_lna_number (c, from, &least)) ||
      !tl_lna_number (c, to, &most))
    return false;
  if (least < 0 || most < least || !most || most >= TL_NO_CAPACITY)
    return tl_lna_fail (c->source, to->where,
                        "'%.80s' cannot have %lld to %lld tokens", p->name,
                        (long long)least, (long long)most);
  p->least = (uint32_t)least;
  p->most = (uint32_t)most;
  return true;
}

// The marking of places before this one may be asked for.
static bool initial (tl_lna_checker *c, const tl_lna_node *n, uint32_t number,
                     bool derived) {
  tl_cplace *p = c->net->place + number;
  c->marking = derived;
  const bool good = tl_lna_label (c, n, p, false, &p->initial);
  c->marking = false;
  if (!good)
    return false;
  p->derived = tl_label_reads_place (&p->initial, p, TL_ANY_PLACE);
  return !tl_label_reads_place (&p->initial, p, number) ||
         tl_lna_fail (c->source, n->where,
                      "the initial marking of '%.80s' asks for itself",
                      p->name);
}

bool tl_lna_define_place (tl_lna_checker *c, const tl_lna_node *n) {
  uint32_t number;
  if (!tl_lna_name (c, &c->place_name, n->word, "place", &number))
    return false;
  tl_cplace *p = c->net->place + number;
  c->net->places = number + 1;
  c->frame = 0;
  p->where = n->word[0].where;
  if (!(p->id = p->name = tl_lna_keep (c, n->word[0].text)) ||
      !domain (c, n, p) || !capacity (c, n->kid[1], p) ||
      !tokens (c, n->kid[3], n->kid[4], p) ||
      (n->kid[2] && !tl_lna_make_timed (c, n->word, p)) ||
      (n->kid[0] && !initial (c, n->kid[0], number, !n->kid[2])))
    return false;
  p->initial_frame = c->frame;
  return true;
}
