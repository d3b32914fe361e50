#include "naive_coloured.h"

#include "bag.h"
#include "colour/schedule.h"
#include "colour/uses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct explorer {
  const tl_coloured *net;
  tl_mem mem;
  tl_evaluation e;
  tl_error error; // of the last evaluation
  naive_coloured *result;
  bag **state; // [states] markings
  uint64_t room;
  // Bindings that the marking at hand enables, and their priorities.
  struct event {
    uint32_t transition;
    tl_cell *frame;
    int64_t priority;
  } * event;
  size_t events, event_room;
  bool failed; // something cannot be computed
} explorer;

enum { MOST = 16 }; // variables, and tuples of input arcs

// A binding on the way: which variables have values, and what was done.
typedef struct trial {
  const tl_ctransition *transition;
  const bag *marking;
  tl_cell *frame;
  bool known[MOST];               // [variables]
  bool taken[MOST], tested[MOST]; // [tuples], [conjuncts]
  bool guarded;                   // the whole guard holds
} trial;

// Something is not defined; the text begins with the kind of error as the
// library calls it.
static void go_wrong (explorer *x, const char *text) {
  naive_coloured *const r = x->result;
  char kind[NAIVE_KIND] = "";
  uint32_t i = 0;
  memcpy (kind, text,
          strnlen (text, strcspn (text, ":") < NAIVE_KIND - 1
                             ? strcspn (text, ":")
                             : NAIVE_KIND - 1));
  while (i < r->kinds && strcmp (r->kind[i], kind))
    i++;
  if (i == r->kinds && i < NAIVE_KINDS)
    memcpy (r->kind[r->kinds++], kind, sizeof kind);
  r->wrong = x->failed = true;
}

static bool fine (explorer *x, tl_status s) {
  if (s)
    go_wrong (x, x->error.text);
  return !s;
}

static bool truth (explorer *x, const tl_term *t, tl_cell *frame) {
  int64_t n = 0;
  return fine (x, tl_evaluate_number (&x->e, t, frame, &n)) && n;
}

// Adds one tuple of a label, repeated over its loops from number `at` on, to
// the places of a marking.
static void add_tuple (explorer *x, bag *to, uint32_t place,
                       const tl_tuple *tuple, uint32_t at, tl_cell *frame) {
  if (at < tuple->loops) {
    const tl_loop *l = tuple->loop + at;
    int64_t first = l->type->first, last = l->type->last;
    if ((l->first &&
         !fine (x, tl_evaluate_number (&x->e, l->first, frame, &first))) ||
        (l->last &&
         !fine (x, tl_evaluate_number (&x->e, l->last, frame, &last))))
      return;
    for (int64_t i = first; i <= last; i++) {
      frame[l->offset] = (tl_cell)i;
      add_tuple (x, to, place, tuple, at + 1, frame);
    }
    return;
  }
  if (tuple->condition && !truth (x, tuple->condition, frame))
    return;
  const tl_cplace *p = x->net->place + place;
  tl_cell *const token = bag_get (p->cells, sizeof *token);
  for (uint32_t i = 0; i < p->parts; i++)
    if (!fine (x, tl_evaluate (&x->e, tuple->part[i], frame,
                               token + p->part_offset[i]))) {
      free (token);
      return;
    }
  if (tuple->factor && !bag_add (to + place, token, tuple->factor))
    go_wrong (x, "negative number of tokens");
  free (token);
}

// The multi-set of some labels.  Tuples that take away come last.
static bag *labels (explorer *x, const tl_carc *arc, uint32_t arcs,
                    tl_cell *frame) {
  bag *const m = marking_new (x->net);
  for (int negative = 0; negative < 2; negative++)
    for (uint32_t a = 0; a < arcs; a++)
      for (uint32_t i = 0; i < arc[a].label.tuples; i++)
        if ((arc[a].label.tuple[i].factor < 0) == negative)
          add_tuple (x, m, arc[a].place, arc[a].label.tuple + i, 0, frame);
  return m;
}

// ---- What a term needs -----------------------------------------------------

static bool is_known (const trial *b, const bool *uses) {
  for (uint32_t v = 0; v < b->transition->variables; v++)
    if (uses[v] && !b->known[v])
      return false;
  return true;
}

static bool term_is_known (const trial *b, const tl_term *term) {
  bool uses[MOST] = {false};
  tl_term_uses (b->transition, term, uses);
  return is_known (b, uses);
}

// The variable of this kind that a term is, or null.
static const tl_variable *variable (const trial *b, const tl_term *term,
                                    tl_variable_kind kind) {
  for (uint32_t v = 0; v < b->transition->variables; v++)
    if (term->kind == TL_TERM_VARIABLE &&
        b->transition->variable[v].offset == term->offset &&
        b->transition->variable[v].kind == kind)
      return b->transition->variable + v;
  return 0;
}

static bool *known_of (trial *b, const tl_variable *v) {
  return b->known + (v - b->transition->variable);
}

// ---- Inhibitors ------------------------------------------------------------

// Is a token of an inhibitor arc there, as often as the arc says?
static bool inhibited_by_one (explorer *x, trial *b) {
  const tl_ctransition *t = b->transition;
  bool yes = false;
  for (uint32_t i = 0; i < t->inhibits; i++) {
    x->failed = false;
    bag *const there = labels (x, t->inhibit + i, 1, b->frame);
    const bag *one = there + t->inhibit[i].place;
    for (uint32_t k = 0; !x->failed && k < one->count; k++)
      yes |= one->many[k] &&
             one->many[k] <= bag_many (b->marking + t->inhibit[i].place,
                                       one->token + k * one->cells);
    marking_free (x->net, there);
  }
  return yes;
}

static bool all_are_there (explorer *x, trial *b) {
  bool yes = true;
  x->failed = false;
  for (uint32_t i = 0; yes && i < b->transition->inhibits; i++) {
    bag *const there = labels (x, b->transition->inhibit + i, 1, b->frame);
    yes = !x->failed && marking_contains (x->net, b->marking, there);
    marking_free (x->net, there);
  }
  return yes;
}

// Does the token have what the tuple says?  Variables of this kind that are not
// known get its values.
static bool match (explorer *x, trial *b, const tl_tuple *tuple,
                   const tl_cplace *place, tl_variable_kind kind,
                   const tl_cell *token) {
  for (uint32_t i = 0; i < place->parts; i++) {
    const tl_variable *v = variable (b, tuple->part[i], kind);
    if (v && !*known_of (b, v)) {
      memcpy (b->frame + v->offset, token + place->part_offset[i],
              v->type->cells * sizeof *token);
      *known_of (b, v) = true;
    }
  }
  for (uint32_t i = 0; i < place->parts; i++) {
    tl_cell *const value = bag_get (place->part[i]->cells, sizeof *value);
    const bool same =
        fine (x, tl_evaluate (&x->e, tuple->part[i], b->frame, value)) &&
        !tl_value_compare (value, token + place->part_offset[i],
                           place->part[i]->cells);
    free (value);
    if (!same)
      return false;
  }
  return true;
}

static bool binds (const trial *b, const tl_tuple *tuple, uint32_t parts) {
  for (uint32_t i = 0; i < parts && !tuple->loops && !tuple->condition; i++)
    if (variable (b, tuple->part[i], TL_VARIABLE_INHIBITOR) &&
        !term_is_known (b, tuple->part[i]))
      return true;
  return false;
}

// Is it inhibited with some tokens for the tuples that bind variables?
static bool inhibited (explorer *x, const trial *before) {
  trial b = *before;
  for (uint32_t a = 0; a < b.transition->inhibits; a++) {
    const tl_carc *arc = b.transition->inhibit + a;
    const tl_cplace *place = x->net->place + arc->place;
    const bag *there = b.marking + arc->place;
    for (uint32_t i = 0; i < arc->label.tuples; i++) {
      if (!binds (&b, arc->label.tuple + i, place->parts))
        continue;
      bool yes = false;
      for (uint32_t k = 0; k < there->count; k++) {
        b = *before;
        yes |= match (x, &b, arc->label.tuple + i, place, TL_VARIABLE_INHIBITOR,
                      there->token + k * there->cells) &&
               inhibited (x, &b);
      }
      return yes;
    }
  }
  return all_are_there (x, &b);
}

// What goes wrong matters only if nothing inhibits.
static bool is_free (explorer *x, trial *b) {
  naive_coloured *const r = x->result;
  const bool wrong = r->wrong;
  const uint32_t kinds = r->kinds;
  if (!b->transition->inhibits)
    return true;
  r->wrong = false;
  if (b->transition->inhibits_each ? inhibited_by_one (x, b)
                                   : inhibited (x, b)) {
    r->kinds = kinds;
    r->wrong = wrong;
    return false;
  }
  const bool fit = !r->wrong;
  r->wrong |= wrong;
  return fit;
}

// ---- Bindings --------------------------------------------------------------

// The value of `next` in the transition that moves the clock: the earliest time
// of a token after `now`, none where all of them have come.
static tl_cell *next_time (const explorer *x, const bag *m, tl_cell now,
                           size_t *count) {
  tl_cell *const next = bag_get (1, sizeof *next);
  *count = 0;
  for (uint32_t p = 0; p < x->net->places; p++)
    for (uint32_t i = 0; x->net->place[p].timed && i < m[p].count; i++) {
      const tl_cell time = m[p].token[(i + 1) * m[p].cells - 1];
      if (time > now && (!*count || time < *next)) {
        *next = time;
        *count = 1;
      }
    }
  return next;
}

static void keep_event (explorer *x, uint32_t transition,
                        const tl_cell *frame) {
  const tl_ctransition *t = x->net->transition + transition;
  if (x->events == x->event_room) {
    x->event_room = 2 * x->event_room + 8;
    x->event = bag_more (x->event, x->event_room * sizeof *x->event);
  }
  struct event *const e = x->event + x->events++;
  *e = (struct event){transition, bag_get (t->frame, sizeof *frame), 0};
  if (t->frame)
    memcpy (e->frame, frame, t->frame * sizeof *frame);
  if (t->priority)
    fine (x, tl_evaluate_number (&x->e, t->priority, e->frame, &e->priority));
}

static void bind (explorer *, const trial *);

// All variables have a value.
static void end_binding (explorer *x, trial *b) {
  const tl_ctransition *t = b->transition;
  x->failed = false;
  bag *const in = labels (x, t->in, t->ins, b->frame);
  const bool there = !x->failed && marking_contains (x->net, b->marking, in);
  marking_free (x->net, in);
  if (there && is_free (x, b))
    keep_event (x, (uint32_t)(t - x->net->transition), b->frame);
}

// The conjuncts on the left of the guard that cannot fail.
static uint32_t safe_conjuncts (const tl_term *t, const tl_term **list,
                                bool *all) {
  if (!t || !*all)
    return 0;
  if (t->kind == TL_TERM_AND) {
    const uint32_t left = safe_conjuncts (t->operand[0], list, all);
    return left + safe_conjuncts (t->operand[1], list + left, all);
  }
  *list = t;
  *all = tl_term_is_safe (t);
  return *all;
}

// Does a conjunct say what a variable is that may be anything?
static const tl_variable *said (const trial *b, const tl_term *t,
                                const tl_term **value) {
  for (uint32_t side = 0; t->kind == TL_TERM_EQUAL && side < 2; side++) {
    const tl_variable *v = variable (b, t->operand[side], TL_VARIABLE_ARC);
    if (!v)
      v = variable (b, t->operand[side], TL_VARIABLE_PICK);
    *value = t->operand[!side];
    if (v && !term_is_known (b, t->operand[side]) &&
        term_is_known (b, *value) &&
        (v->kind == TL_VARIABLE_ARC ||
         (v->pick.kind == TL_LOOP_TYPE && !v->pick.first && !v->pick.last)))
      return v;
  }
  return 0;
}

// Tests what cannot fail; true: goes on.
static bool test (explorer *x, trial *b) {
  const tl_term *list[MOST], *value;
  bool all = true;
  const uint32_t count = safe_conjuncts (b->transition->guard, list, &all);
  b->guarded |= all;
  for (uint32_t i = 0; i < count; i++)
    if (!b->tested[i] && term_is_known (b, list[i])) {
      b->tested[i] = true;
      if (!truth (x, list[i], b->frame))
        return false;
    }
  for (uint32_t i = 0; i < count; i++) {
    const tl_variable *v = b->tested[i] ? 0 : said (b, list[i], &value);
    if (!v)
      continue;
    b->tested[i] = *known_of (b, v) = true;
    int64_t n = 0;
    if (!tl_type_is_discrete (v->type))
      fine (x, tl_evaluate (&x->e, value, b->frame, b->frame + v->offset));
    else if (fine (x, tl_evaluate_number (&x->e, value, b->frame, &n)) &&
             v->kind == TL_VARIABLE_PICK &&
             (n < v->type->first || n > v->type->last))
      return false;
    else
      b->frame[v->offset] = (tl_cell)n;
    return test (x, b);
  }
  return true;
}

// The next tuple that can be taken: first those that cannot fail.
static const tl_tuple *next_tuple (const explorer *x, const trial *b, bool safe,
                                   uint32_t *place, uint32_t *number) {
  const tl_ctransition *t = b->transition;
  *number = 0;
  for (uint32_t a = 0; a < t->ins; a++)
    for (uint32_t i = 0; i < t->in[a].label.tuples; i++) {
      const tl_tuple *tuple = t->in[a].label.tuple + i;
      bool fits = tl_tuple_is_taken (&t->in[a].label, tuple), uses[MOST] = {0};
      *place = t->in[a].place;
      const tl_cplace *p = x->net->place + *place;
      for (uint32_t k = 0; fits && k < p->parts; k++) {
        fits = !safe || tl_term_is_safe (tuple->part[k]);
        if (!variable (b, tuple->part[k], TL_VARIABLE_ARC))
          tl_term_uses (t, tuple->part[k], uses);
      }
      for (uint32_t k = 0; fits && k < p->parts; k++) {
        const tl_variable *v = variable (b, tuple->part[k], TL_VARIABLE_ARC);
        if (v)
          uses[v - t->variable] = false;
      }
      if (fits && !b->taken[*number] && is_known (b, uses))
        return tuple;
      ++*number;
    }
  return 0;
}

// With every token that fits.  What is known before is computed before.
static void take (explorer *x, const trial *before, const tl_tuple *tuple,
                  uint32_t place, uint32_t number) {
  const tl_cplace *p = x->net->place + place;
  const bag *there = before->marking + place;
  trial b = *before;
  x->failed = false;
  for (uint32_t i = 0; there->count && i < p->parts; i++)
    if (term_is_known (&b, tuple->part[i])) {
      tl_cell *const value = bag_get (p->part[i]->cells, sizeof *value);
      fine (x, tl_evaluate (&x->e, tuple->part[i], b.frame, value));
      free (value);
    }
  for (uint32_t k = 0; !x->failed && k < there->count; k++) {
    b = *before;
    b.taken[number] = true;
    if (match (x, &b, tuple, p, TL_VARIABLE_ARC,
               there->token + k * there->cells))
      bind (x, &b);
    x->failed = false;
  }
}

// With every value that the variable runs over.
static void pick (explorer *x, trial *b, const tl_variable *v) {
  const tl_loop *l = &v->pick;
  *known_of (b, v) = true;
  x->failed = false;
  if (b->transition->tick) {
    size_t count;
    tl_cell *const next = next_time (x, b->marking, b->frame[0], &count);
    b->frame[v->offset] = *next;
    free (next);
    if (count)
      bind (x, b);
  } else if (l->kind == TL_LOOP_CONTAINER) {
    tl_cell *const list = bag_get (l->container->type->cells, sizeof *list);
    const size_t cells = v->type->cells;
    if (fine (x, tl_evaluate (&x->e, l->container, b->frame, list)))
      for (tl_cell i = 0; i < list[0]; i++) {
        const tl_cell *value = list + 1 + (uint32_t)i * cells;
        bool before = false;
        for (const tl_cell *one = list + 1; one < value; one += cells)
          before |= !tl_value_compare (one, value, (uint32_t)cells);
        memcpy (b->frame + v->offset, value, cells * sizeof *list);
        if (!before)
          bind (x, b);
      }
    free (list);
  } else {
    int64_t first = l->type->first, last = l->type->last;
    if ((!l->first ||
         fine (x, tl_evaluate_number (&x->e, l->first, b->frame, &first))) &&
        (!l->last ||
         fine (x, tl_evaluate_number (&x->e, l->last, b->frame, &last))))
      for (int64_t i = first; i <= last; i++) {
        b->frame[v->offset] = (tl_cell)i;
        bind (x, b);
      }
  }
}

// The next variable of a kind that can get its value; for lets, first those
// that the guard needs.
static const tl_variable *next_variable (const trial *b, tl_variable_kind kind,
                                         bool for_guard) {
  const tl_ctransition *t = b->transition;
  bool guard[MOST] = {false};
  if (for_guard && t->guard)
    tl_term_uses (t, t->guard, guard);
  for (uint32_t v = t->variables; for_guard && v-- > 0;)
    if (guard[v] && t->variable[v].kind == TL_VARIABLE_LET)
      tl_term_uses (t, t->variable[v].let, guard);
  for (uint32_t v = 0; v < t->variables; v++) {
    bool uses[MOST] = {false};
    if (t->variable[v].kind != kind || b->known[v] || (for_guard && !guard[v]))
      continue;
    if (kind == TL_VARIABLE_LET)
      tl_term_uses (t, t->variable[v].let, uses);
    else
      tl_loop_uses (t, &t->variable[v].pick, uses);
    if (is_known (b, uses))
      return t->variable + v;
  }
  return 0;
}

// Does the next thing: what cannot fail before what can, and that in the order
// of the text: tokens, variables that run, lets, the guard.
static void bind (explorer *x, const trial *before) {
  trial b = *before;
  uint32_t place, number;
  const tl_variable *v;
  const tl_tuple *tuple;
  if (!test (x, &b))
    return;
  if ((tuple = next_tuple (x, &b, true, &place, &number)) ||
      (tuple = next_tuple (x, &b, false, &place, &number))) {
    take (x, &b, tuple, place, number);
  } else if ((v = next_variable (&b, TL_VARIABLE_PICK, false))) {
    pick (x, &b, v);
  } else if ((v = next_variable (&b, TL_VARIABLE_LET, !b.guarded))) {
    *known_of (&b, v) = true;
    if (fine (x, tl_evaluate (&x->e, v->let, b.frame, b.frame + v->offset)))
      bind (x, &b);
  } else if (!b.guarded) {
    b.guarded = true;
    if (truth (x, b.transition->guard, b.frame))
      bind (x, &b);
  } else
    end_binding (x, &b);
}

// ---- States ----------------------------------------------------------------

// Takes the marking.
static void add_state (explorer *x, bag *m) {
  naive_coloured *const r = x->result;
  x->failed = false;
  for (uint32_t p = 0; p < x->net->places; p++)
    for (uint32_t i = 0; i < m[p].count; i++)
      if (m[p].many[i] > x->net->place[p].capacity)
        go_wrong (x, "capacity exceeded");
      else if (m[p].many[i] > r->most_in_place)
        r->most_in_place = m[p].many[i];
  bool known = x->failed;
  for (uint64_t i = 0; !known && i < r->states; i++)
    known = marking_equal (x->net, x->state[i], m);
  if (known) {
    marking_free (x->net, m);
    return;
  }
  if (r->states == x->room) {
    x->room = 2 * x->room + 16;
    x->state = bag_more (x->state, x->room * sizeof *x->state);
  }
  x->state[r->states++] = m;
}

static void fire (explorer *x, const bag *m, const struct event *e) {
  const tl_ctransition *t = x->net->transition + e->transition;
  bag *const to = marking_copy (x->net, m);
  bag *const in = labels (x, t->in, t->ins, e->frame);
  x->failed = false;
  bag *const out = labels (x, t->out, t->outs, e->frame);
  for (uint32_t p = 0; p < x->net->places; p++) {
    for (uint32_t i = 0; i < in[p].count; i++)
      bag_add (to + p, in[p].token + i * in[p].cells, -(int64_t)in[p].many[i]);
    for (uint32_t i = 0; i < out[p].count; i++)
      bag_add (to + p, out[p].token + i * out[p].cells, out[p].many[i]);
  }
  marking_free (x->net, in);
  marking_free (x->net, out);
  if (x->failed)
    marking_free (x->net, to);
  else
    add_state (x, to);
}

// What is asked of markings in some orders of search, and in formulas.
static void try_propositions (explorer *x) {
  const tl_coloured *net = x->net;
  naive_coloured *const r = x->result;
  const bool wrong = r->wrong;
  r->wrong = false;
  for (uint32_t i = 0; i < net->propositions + net->measures; i++) {
    const bool asked = i < net->propositions;
    tl_cell *const frame =
        bag_get (asked ? net->proposition[i].frame : net->measure_frame, 4);
    truth (x,
           asked ? net->proposition[i].term
                 : net->measure[i - net->propositions],
           frame);
    free (frame);
  }
  r->unasked |= r->wrong;
  r->wrong = wrong;
}

static void expand (explorer *x, const bag *m) {
  tl_tokens *const tokens = bag_get (x->net->places, sizeof *tokens);
  for (uint32_t p = 0; p < x->net->places; p++)
    tokens[p] = (tl_tokens){m[p].token, m[p].many, m[p].count};
  x->e.marking = tokens;
  x->e.place = x->net->place;
  x->events = 0;
  try_propositions (x);
  for (uint32_t t = 0; t < x->net->transitions; t++) {
    const trial b = {
        .transition = x->net->transition + t,
        .marking = m,
        .frame = bag_get (x->net->transition[t].frame, sizeof *b.frame)};
    if (b.transition->variables > MOST)
      abort ();
    bind (x, &b);
    free (b.frame);
  }
  int64_t highest = INT64_MIN;
  for (size_t i = 0; i < x->events; i++)
    if (x->event[i].priority > highest)
      highest = x->event[i].priority;
  x->e.marking = 0;
  free (tokens);
  x->result->deadlocks += !x->events;
  for (size_t i = 0; i < x->events; i++) {
    if (x->event[i].priority == highest) {
      x->result->arcs++;
      fire (x, m, x->event + i);
    }
    free (x->event[i].frame);
  }
}

static void begin (explorer *x) {
  bag *const m = marking_new (x->net);
  for (uint32_t p = 0; p < x->net->places; p++) {
    const tl_cplace *place = x->net->place + p;
    tl_cell *const frame = bag_get (place->initial_frame, sizeof *frame);
    for (uint32_t i = 0; i < place->initial.tuples; i++)
      add_tuple (x, m, p, place->initial.tuple + i, 0, frame);
    free (frame);
  }
  add_state (x, m);
}

naive_coloured naive_coloured_explore (const tl_coloured *net, uint64_t cap) {
  naive_coloured r = {.complete = true};
  explorer x = {.net = net, .mem = TL_MEM (0, "naive"), .result = &r};
  tl_evaluation_open (&x.e, &x.mem, net->path, &x.error);
  begin (&x);
  for (uint64_t i = 0; i < r.states; i++) {
    if (r.states > cap) {
      r.complete = false;
      break;
    }
    expand (&x, x.state[i]);
  }
  tl_evaluation_close (&x.e);
  for (uint64_t i = 0; i < r.states; i++)
    marking_free (net, x.state[i]);
  free (x.state);
  free (x.event);
  return r;
}

bool naive_coloured_knows (const naive_coloured *r, const char *error) {
  const size_t length = strcspn (error, ":");
  for (uint32_t i = 0; i < r->kinds; i++)
    if (strlen (r->kind[i]) == length && !memcmp (r->kind[i], error, length))
      return true;
  return false;
}
