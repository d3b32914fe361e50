// Can the variables of a transition be bound, one item after the other?  An
// input tuple without condition binds its variables when what it computes
// besides is known; so do picks and lets.

#include "lna/typing.h"

// Of a variable, at its first cell
typedef enum knowledge { KNOWN, UNKNOWN, ASSUMED } knowledge;

typedef struct schedule {
  const tl_lna_checker *c;
  const tl_ctransition *t;
  uint8_t *cell; // [frame] a knowledge
} schedule;

static bool is_known (const schedule *s, const tl_term *t) {
  if (!t)
    return true;
  if (t->kind == TL_TERM_VARIABLE)
    return s->cell[t->offset] != UNKNOWN;
  for (uint32_t i = 0; i < t->operands; i++)
    if (!is_known (s, t->operand[i]))
      return false;
  return true;
}

// Those of a tuple that were `from` become `to`; whether there were any
static bool change (schedule *s, const tl_tuple *t, uint32_t parts,
                    knowledge from, knowledge to) {
  bool any = false;
  for (uint32_t i = 0; i < parts; i++)
    if (t->part[i]->kind == TL_TERM_VARIABLE &&
        s->cell[t->part[i]->offset] == from) {
      s->cell[t->part[i]->offset] = (uint8_t)to;
      any = true;
    }
  return any;
}

// Does a tuple tell something new?
static bool try_tuple (schedule *s, const tl_tuple *t, uint32_t parts) {
  if (t->condition || !change (s, t, parts, UNKNOWN, ASSUMED))
    return false;
  bool good = true;
  for (uint32_t i = 0; good && i < parts; i++)
    good = is_known (s, t->part[i]);
  change (s, t, parts, ASSUMED, good ? KNOWN : UNKNOWN);
  return good;
}

static bool try_variable (schedule *s, const tl_variable *v) {
  if (v->kind == TL_VARIABLE_ARC || s->cell[v->offset] == KNOWN)
    return false;
  if (!(v->kind == TL_VARIABLE_LET
            ? is_known (s, v->let)
            : is_known (s, v->pick.first) && is_known (s, v->pick.last) &&
                  is_known (s, v->pick.container)))
    return false;
  s->cell[v->offset] = KNOWN;
  return true;
}

static bool round_of (schedule *s) {
  bool news = false;
  for (uint32_t i = 0; i < s->t->ins; i++) {
    const tl_carc *arc = s->t->in + i;
    for (uint32_t k = 0; k < arc->label.tuples; k++)
      news |= try_tuple (s, arc->label.tuple + k,
                         s->c->net->place[arc->place].parts);
  }
  for (uint32_t i = 0; i < s->t->variables; i++)
    news |= try_variable (s, s->t->variable + i);
  return news;
}

bool tl_lna_schedule (tl_lna_checker *c, const tl_ctransition *t,
                      const tl_lna_variable *scope) {
  schedule s = {.c = c, .t = t};
  // One cell more: a variable without cells may stand at the end.
  if (!TL_LNA_NEW (c->source, s.cell, (size_t)c->frame + 1))
    return false;
  for (uint32_t i = 0; i < t->variables; i++)
    s.cell[t->variable[i].offset] = UNKNOWN;
  while (round_of (&s))
    ;
  const tl_lna_variable *open = 0;
  for (const tl_lna_variable *v = scope; v; v = v->outer)
    if (s.cell[v->offset] == UNKNOWN)
      open = v;
  return !open ||
         tl_lna_fail (c->source, open->where,
                      "transition '%.80s' cannot be evaluated: nothing gives "
                      "'%.80s' a value",
                      t->name, open->name);
}
