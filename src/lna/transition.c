// Transitions: their variables, arcs and attributes.

#include "lna/typing.h"

typedef struct work {
  tl_lna_checker *c;
  const tl_lna_node *node;
  tl_ctransition *t;
  // Variables are listed here in the order in which they are found.
  uint32_t room;
} work;

static const tl_lna_node *section (const work *w, tl_lna_section s) {
  return w->node->kid[s];
}

// Enters what has come into scope since `before`, oldest first.
static bool list_variables (work *w, const tl_lna_variable *before,
                            tl_variable_kind kind) {
  uint32_t count = 0;
  for (const tl_lna_variable *v = w->c->scope; v != before; v = v->outer)
    count++;
  tl_ctransition *t = w->t;
  if (count > w->room - t->variables) {
    const uint32_t room = 2 * (t->variables + count);
    tl_variable *more;
    if (!TL_LNA_NET_NEW (w->c, more, room))
      return false;
    for (uint32_t i = 0; i < t->variables; i++)
      more[i] = t->variable[i];
    t->variable = more;
    w->room = room;
  }
  uint32_t at = t->variables += count;
  for (const tl_lna_variable *v = w->c->scope; v != before; v = v->outer)
    t->variable[--at] = (tl_variable){
        .name = v->name, .kind = kind, .type = v->type, .offset = v->offset};
  return true;
}

// Arcs: places first, then variables, then labels

static tl_carc *arcs (work *w, const tl_lna_node *list, uint32_t *count) {
  tl_carc *arc;
  *count = list ? list->kids : 0;
  if (!TL_LNA_NET_NEW (w->c, arc, *count + 1)) // and that of the clock
    return 0;
  for (uint32_t i = 0; i < *count; i++) {
    const tl_lna_word *word = list->kid[i]->word;
    arc[i].where = word->where;
    if (!tl_lna_find_place (w->c, word, &arc[i].place))
      return 0;
    if (arc[i].place == w->c->clock) {
      tl_lna_fail (w->c->source, word->where, "the clock moves by itself");
      return 0;
    }
    for (uint32_t k = 0; k < i; k++)
      if (arc[k].place == arc[i].place) {
        tl_lna_fail (w->c->source, word->where,
                     "a second arc of place '%.80s' here", word->text);
        return 0;
      }
  }
  return arc;
}

static bool variables (work *w, const tl_lna_node *list, const tl_carc *arc,
                       uint32_t count, tl_variable_kind kind) {
  const tl_lna_variable *before = w->c->scope;
  for (uint32_t i = 0; i < count; i++)
    if (!tl_lna_find_variables (w->c, list->kid[i]->kid[0],
                                w->c->net->place + arc[i].place))
      return false;
  return list_variables (w, before, kind);
}

static bool labels (work *w, const tl_lna_node *list, tl_carc *arc,
                    uint32_t count, bool binding) {
  for (uint32_t i = 0; i < count; i++)
    if (!tl_lna_label (w->c, list->kid[i]->kid[0],
                       w->c->net->place + arc[i].place, binding, &arc[i].label))
      return false;
  return true;
}

// Time

static bool touches_time (const work *w, const tl_carc *arc, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (w->c->net->place[arc[i].place].timed)
      return true;
  return false;
}

// The first variable is the time, where it matters.
static bool look_at_clock (work *w) {
  const tl_ctransition *t = w->t;
  const tl_lna_word now = {"now", t->where};
  w->c->now = 0;
  if (touches_time (w, t->inhibit, t->inhibits))
    return tl_lna_fail (w->c->source, t->where, "a timed place cannot inhibit");
  if (!touches_time (w, t->in, t->ins) && !touches_time (w, t->out, t->outs))
    return true;
  w->c->now = tl_lna_add_variable (w->c, &now, w->c->natural, 1);
  return w->c->now && list_variables (w, 0, TL_VARIABLE_ARC);
}

// Picks and lets

static bool is_new (work *w, const tl_lna_word *word) {
  return !tl_lna_find_variable (w->c, word->text) ||
         tl_lna_fail (w->c->source, word->where, "a second variable '%.80s'",
                      word->text);
}

static bool picks (work *w) {
  const tl_lna_node *list = section (w, TL_LNA_SECTION_PICK);
  for (uint32_t i = 0; list && i < list->kids; i++) {
    const tl_lna_variable *before = w->c->scope;
    tl_loop loop = {.kind = TL_LOOP_TYPE};
    if (!is_new (w, list->kid[i]->word) ||
        !tl_lna_loop (w->c, list->kid[i], TL_LNA_OVER_CONTAINERS, &loop) ||
        !list_variables (w, before, TL_VARIABLE_PICK))
      return false;
    w->t->variable[w->t->variables - 1].pick = loop;
  }
  return true;
}

static bool lets (work *w) {
  const tl_lna_node *list = section (w, TL_LNA_SECTION_LET);
  for (uint32_t i = 0; list && i < list->kids; i++) {
    const tl_lna_node *n = list->kid[i];
    const tl_lna_variable *before = w->c->scope;
    const tl_type *type = tl_lna_find_type (w->c, n->word);
    tl_term *term = type ? tl_lna_use (w->c, n->kid[0], type) : 0;
    if (!term || !is_new (w, n->word + 1) ||
        !tl_lna_add_variable (w->c, n->word + 1, type, type->cells) ||
        !list_variables (w, before, TL_VARIABLE_LET))
      return false;
    w->t->variable[w->t->variables - 1].let = term;
  }
  return true;
}

// Attributes

static bool priority (work *w) {
  tl_lna_node *n = w->node->kid[TL_LNA_SECTION_PRIORITY];
  w->c->marking = true;
  if (n)
    w->t->priority = tl_lna_use (w->c, n, w->c->integer);
  w->c->marking = false;
  return !n || w->t->priority;
}

static bool description (work *w) {
  const tl_lna_node *n = section (w, TL_LNA_SECTION_DESCRIPTION);
  tl_ctransition *t = w->t;
  if (!n)
    return true;
  if (!(t->description = tl_lna_keep (w->c, n->text)) ||
      !TL_LNA_NET_NEW (w->c, t->description_part, n->kids))
    return false;
  t->description_parts = n->kids;
  for (uint32_t i = 0; i < n->kids; i++) {
    tl_lna_node *kid = n->kid[i];
    const tl_type *type =
        tl_lna_resolve (w->c, kid)
            ? tl_lna_choose (w->c, tl_lna_types_of (kid), kid->where)
            : 0;
    if (!type || !(t->description_part[i] = tl_lna_use (w->c, kid, type)))
      return false;
    if (!tl_type_is_discrete (type))
      return tl_lna_fail (w->c->source, kid->where,
                          "a description shows numbers and enumerations, not "
                          "%.80s",
                          type->name);
  }
  return true;
}

static bool attributes (work *w) {
  tl_lna_node *guard = w->node->kid[TL_LNA_SECTION_GUARD];
  return (!guard || (w->t->guard = tl_lna_condition (w->c, guard))) &&
         priority (w) && description (w);
}

// Variables of inhibitor arcs come into sight at the end.
static bool fill (work *w) {
  tl_ctransition *t = w->t;
  const tl_lna_node *in = section (w, TL_LNA_SECTION_IN);
  const tl_lna_node *out = section (w, TL_LNA_SECTION_OUT);
  const tl_lna_node *inhibit = section (w, TL_LNA_SECTION_INHIBIT);
  return (t->in = arcs (w, in, &t->ins)) &&
         (t->out = arcs (w, out, &t->outs)) &&
         (t->inhibit = arcs (w, inhibit, &t->inhibits)) && look_at_clock (w) &&
         variables (w, in, t->in, t->ins, TL_VARIABLE_ARC) && picks (w) &&
         lets (w) && labels (w, in, t->in, t->ins, true) &&
         labels (w, out, t->out, t->outs, false) && attributes (w) &&
         (!w->c->now || tl_lna_read_clock (w->c, t)) &&
         tl_lna_schedule (w->c, t, w->c->scope) &&
         variables (w, inhibit, t->inhibit, t->inhibits,
                    TL_VARIABLE_INHIBITOR) &&
         labels (w, inhibit, t->inhibit, t->inhibits, true);
}

bool tl_lna_define_transition (tl_lna_checker *c, const tl_lna_node *n) {
  uint32_t number;
  if (!tl_lna_name (c, &c->transition_name, n->word, "transition", &number))
    return false;
  tl_ctransition *t = c->net->transition + number;
  c->net->transitions = number + 1;
  c->frame = 0;
  c->scope = 0;
  t->where = n->word[0].where;
  work w = {.c = c, .node = n, .t = t};
  if (!(t->id = t->name = tl_lna_keep (c, n->word[0].text)) || !fill (&w))
    return false;
  c->scope = 0;
  c->now = 0;
  t->frame = c->frame;
  return true;
}
