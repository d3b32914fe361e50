#include "naive_coloured.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A marking: for each place its distinct tokens in order, and how many of each.
typedef struct bag {
  uint32_t cells, count;
  tl_cell *token;
  uint32_t *many;
} bag;

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
  bool trying; // a binding that need not be enabled
  bool failed; // and it cannot be computed
} explorer;

static void *get (size_t count, size_t size) {
  void *const at = calloc (count ? count : 1, size);
  if (!at)
    abort ();
  return at;
}

static void *more (void *at, size_t bytes) {
  if (!(at = realloc (at, bytes)))
    abort ();
  return at;
}

// Adds `many` tokens, perhaps fewer than none; false: too few are there.
static bool bag_add (bag *b, const tl_cell *token, int64_t many) {
  uint32_t i = 0;
  int order = 1;
  while (i < b->count && (order = tl_value_compare (b->token + i * b->cells,
                                                    token, b->cells)) < 0)
    i++;
  if (i == b->count || order) {
    b->token = more (b->token, (b->count + 1) * (b->cells + 1) * 4);
    b->many = more (b->many, (b->count + 1) * 4);
    memmove (b->token + (i + 1) * b->cells, b->token + i * b->cells,
             (b->count - i) * b->cells * 4);
    memmove (b->many + i + 1, b->many + i, (b->count - i) * 4);
    memcpy (b->token + i * b->cells, token, b->cells * 4);
    b->many[i] = 0;
    b->count++;
  }
  const bool enough = b->many[i] + many >= 0;
  b->many[i] = (uint32_t)(b->many[i] + many);
  if (!b->many[i]) {
    b->count--;
    memmove (b->token + i * b->cells, b->token + (i + 1) * b->cells,
             (b->count - i) * b->cells * 4);
    memmove (b->many + i, b->many + i + 1, (b->count - i) * 4);
  }
  return enough;
}

static uint32_t bag_many (const bag *b, const tl_cell *token) {
  for (uint32_t i = 0; i < b->count; i++)
    if (!tl_value_compare (b->token + i * b->cells, token, b->cells))
      return b->many[i];
  return 0;
}

static bag *marking_new (const tl_coloured *net) {
  bag *const m = get (net->places, sizeof *m);
  for (uint32_t p = 0; p < net->places; p++)
    m[p].cells = net->place[p].cells;
  return m;
}

static bag *marking_copy (const tl_coloured *net, const bag *from) {
  bag *const m = marking_new (net);
  for (uint32_t p = 0; p < net->places; p++)
    for (uint32_t i = 0; i < from[p].count; i++)
      bag_add (m + p, from[p].token + i * m[p].cells, from[p].many[i]);
  return m;
}

static void marking_free (const tl_coloured *net, bag *m) {
  for (uint32_t p = 0; p < net->places; p++) {
    free (m[p].token);
    free (m[p].many);
  }
  free (m);
}

static bool marking_equal (const tl_coloured *net, const bag *a, const bag *b) {
  for (uint32_t p = 0; p < net->places; p++)
    if (a[p].count != b[p].count ||
        (a[p].count && (memcmp (a[p].many, b[p].many, a[p].count * 4) ||
                        (a[p].cells && memcmp (a[p].token, b[p].token,
                                               a[p].count * a[p].cells * 4)))))
      return false;
  return true;
}

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
  r->certain |= !x->trying;
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
  tl_cell *const token = get (p->cells, sizeof *token);
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

static bool contains (const tl_coloured *net, const bag *large,
                      const bag *small) {
  for (uint32_t p = 0; p < net->places; p++)
    for (uint32_t i = 0; i < small[p].count; i++)
      if (bag_many (large + p, small[p].token + i * small[p].cells) <
          small[p].many[i])
        return false;
  return true;
}

// The values that a variable of an arc or an inhibitor may have: those of its
// type in any part of any token, each once.
static tl_cell *candidates (const explorer *x, const bag *m,
                            const tl_variable *v, size_t *count) {
  bag all = {.cells = v->type->cells};
  for (uint32_t p = 0; p < x->net->places; p++) {
    const tl_cplace *place = x->net->place + p;
    for (uint32_t i = 0; i < m[p].count; i++)
      for (uint32_t k = 0; k < place->parts; k++) {
        const tl_cell *value =
            m[p].token + i * m[p].cells + place->part_offset[k];
        if (place->part[k]->root == v->type->root && !bag_many (&all, value))
          bag_add (&all, value, 1);
      }
  }
  free (all.many);
  *count = all.count;
  return all.token;
}

// Those of a pick, each once.
static tl_cell *picked (explorer *x, const tl_variable *v, tl_cell *frame,
                        size_t *count) {
  const tl_loop *l = &v->pick;
  bag all = {.cells = v->type->cells};
  if (l->kind == TL_LOOP_CONTAINER) {
    tl_cell *const list = get (l->container->type->cells, sizeof *list);
    if (fine (x, tl_evaluate (&x->e, l->container, frame, list)))
      for (tl_cell i = 0; i < list[0]; i++)
        if (!bag_many (&all, list + 1 + (uint32_t)i * all.cells))
          bag_add (&all, list + 1 + (uint32_t)i * all.cells, 1);
    free (list);
  } else {
    int64_t first = l->type->first, last = l->type->last;
    if (l->first)
      fine (x, tl_evaluate_number (&x->e, l->first, frame, &first));
    if (l->last)
      fine (x, tl_evaluate_number (&x->e, l->last, frame, &last));
    for (int64_t i = first; i <= last; i++) {
      const tl_cell value = (tl_cell)i;
      bag_add (&all, &value, 1);
    }
  }
  free (all.many);
  *count = all.count;
  return all.token;
}

// The value of `next` in the transition that moves the clock: the earliest time
// of a token after `now`, none where all of them have come.
static tl_cell *next_time (const explorer *x, const bag *m, tl_cell now,
                           size_t *count) {
  tl_cell *const next = get (1, sizeof *next);
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

// Is a token of an inhibitor arc there, as often as the arc says?
static bool inhibited_by_one (explorer *x, const tl_ctransition *t,
                              const bag *m, tl_cell *frame) {
  bool yes = false;
  for (uint32_t i = 0; i < t->inhibits; i++) {
    bag *const there = labels (x, t->inhibit + i, 1, frame);
    const bag *one = there + t->inhibit[i].place;
    for (uint32_t k = 0; k < one->count; k++)
      yes |= one->many[k] &&
             one->many[k] <= bag_many (m + t->inhibit[i].place,
                                       one->token + k * one->cells);
    marking_free (x->net, there);
  }
  return yes;
}

// Is it inhibited with the inhibitor variables from number `at` on?
static bool inhibited (explorer *x, const tl_ctransition *t, const bag *m,
                       uint32_t at, tl_cell *frame) {
  while (at < t->variables && t->variable[at].kind != TL_VARIABLE_INHIBITOR)
    at++;
  if (at == t->variables) {
    bag *const there = labels (x, t->inhibit, t->inhibits, frame);
    const bool yes = contains (x->net, m, there);
    marking_free (x->net, there);
    return yes;
  }
  const tl_variable *v = t->variable + at;
  size_t count;
  tl_cell *const value = candidates (x, m, v, &count);
  bool yes = false;
  for (size_t i = 0; i < count && !yes; i++) {
    memcpy (frame + v->offset, value + i * v->type->cells, v->type->cells * 4);
    yes = inhibited (x, t, m, at + 1, frame);
  }
  free (value);
  return yes;
}

static void keep_event (explorer *x, uint32_t transition,
                        const tl_cell *frame) {
  const tl_ctransition *t = x->net->transition + transition;
  if (x->events == x->event_room) {
    x->event_room = 2 * x->event_room + 8;
    x->event = more (x->event, x->event_room * sizeof *x->event);
  }
  struct event *const e = x->event + x->events++;
  *e = (struct event){transition, get (t->frame, sizeof *frame), 0};
  if (t->frame)
    memcpy (e->frame, frame, t->frame * sizeof *frame);
  if (t->priority)
    fine (x, tl_evaluate_number (&x->e, t->priority, e->frame, &e->priority));
}

// All variables of arcs and picks have a value.  What some order of computing
// may compute is computed, also where tokens are missing.
static void try_binding (explorer *x, uint32_t transition, const bag *m,
                         tl_cell *frame, bool real) {
  const tl_ctransition *t = x->net->transition + transition;
  bag *const in = labels (x, t->in, t->ins, frame);
  bool yes = !x->failed && real && contains (x->net, m, in);
  marking_free (x->net, in);
  for (uint32_t v = 0; v < t->variables; v++)
    if (t->variable[v].kind == TL_VARIABLE_LET)
      fine (x, tl_evaluate (&x->e, t->variable[v].let, frame,
                            frame + t->variable[v].offset));
  yes &= !t->guard || truth (x, t->guard, frame);
  if (t->inhibits)
    yes &= !(t->inhibits_each ? inhibited_by_one (x, t, m, frame)
                              : inhibited (x, t, m, 0, frame));
  if (!yes || x->failed)
    return;
  x->trying = false;
  keep_event (x, transition, frame);
  x->trying = true;
}

// Gives values to the variables from number `at` on: those of arcs first.  One
// that has none gets a value that is not real.
static void bind (explorer *x, uint32_t transition, const bag *m, uint32_t at,
                  tl_variable_kind kind, tl_cell *frame, bool real) {
  const tl_ctransition *t = x->net->transition + transition;
  while (at < t->variables && t->variable[at].kind != kind)
    at++;
  if (at == t->variables) {
    if (kind == TL_VARIABLE_ARC)
      bind (x, transition, m, 0, TL_VARIABLE_PICK, frame, real);
    else {
      x->failed = false;
      try_binding (x, transition, m, frame, real);
    }
    return;
  }
  const tl_variable *v = t->variable + at;
  size_t count;
  tl_cell *const value = kind == TL_VARIABLE_ARC ? candidates (x, m, v, &count)
                         : t->tick ? next_time (x, m, frame[0], &count)
                                   : picked (x, v, frame, &count);
  for (size_t i = 0; i < count; i++) {
    memcpy (frame + v->offset, value + i * v->type->cells, v->type->cells * 4);
    bind (x, transition, m, at + 1, kind, frame, real);
  }
  if (!count)
    bind (x, transition, m, at + 1, kind, frame, false);
  free (value);
}

// Takes the marking.
static void add_state (explorer *x, bag *m) {
  naive_coloured *const r = x->result;
  for (uint32_t p = 0; p < x->net->places; p++)
    for (uint32_t i = 0; i < m[p].count; i++) {
      if (m[p].many[i] > r->most_in_place)
        r->most_in_place = m[p].many[i];
      if (m[p].many[i] > x->net->place[p].capacity)
        go_wrong (x, "capacity exceeded");
    }
  for (uint64_t i = 0; i < r->states; i++)
    if (marking_equal (x->net, x->state[i], m)) {
      marking_free (x->net, m);
      return;
    }
  if (r->states == x->room) {
    x->room = 2 * x->room + 16;
    x->state = more (x->state, x->room * sizeof *x->state);
  }
  x->state[r->states++] = m;
}

static void fire (explorer *x, const bag *m, const struct event *e) {
  const tl_ctransition *t = x->net->transition + e->transition;
  bag *const to = marking_copy (x->net, m);
  bag *const in = labels (x, t->in, t->ins, e->frame);
  bag *const out = labels (x, t->out, t->outs, e->frame);
  for (uint32_t p = 0; p < x->net->places; p++) {
    for (uint32_t i = 0; i < in[p].count; i++)
      bag_add (to + p, in[p].token + i * in[p].cells, -(int64_t)in[p].many[i]);
    for (uint32_t i = 0; i < out[p].count; i++)
      bag_add (to + p, out[p].token + i * out[p].cells, out[p].many[i]);
  }
  marking_free (x->net, in);
  marking_free (x->net, out);
  add_state (x, to);
}

// What is asked of every marking in some orders of search.
static void try_propositions (explorer *x) {
  const tl_coloured *net = x->net;
  for (uint32_t i = 0; i < net->propositions + net->measures; i++) {
    const bool asked = i < net->propositions;
    tl_cell *const frame =
        get (asked ? net->proposition[i].frame : net->measure_frame, 4);
    truth (x,
           asked ? net->proposition[i].term
                 : net->measure[i - net->propositions],
           frame);
    free (frame);
  }
}

static void expand (explorer *x, const bag *m) {
  tl_tokens *const tokens = get (x->net->places, sizeof *tokens);
  for (uint32_t p = 0; p < x->net->places; p++)
    tokens[p] = (tl_tokens){m[p].token, m[p].many, m[p].count};
  x->e.marking = tokens;
  x->e.place = x->net->place;
  x->events = 0;
  x->trying = true;
  try_propositions (x);
  for (uint32_t t = 0; t < x->net->transitions; t++) {
    tl_cell *const frame = get (x->net->transition[t].frame, sizeof (tl_cell));
    bind (x, t, m, 0, TL_VARIABLE_ARC, frame, true);
    free (frame);
  }
  x->trying = false;
  int64_t highest = INT64_MIN;
  for (size_t i = 0; i < x->events; i++)
    if (x->event[i].priority > highest)
      highest = x->event[i].priority;
  x->e.marking = 0;
  free (tokens);
  x->result->deadlocks += !x->events;
  for (size_t i = 0; i < x->events; i++) {
    if (x->event[i].priority == highest && !x->result->certain) {
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
    tl_cell *const frame = get (place->initial_frame, sizeof *frame);
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
  for (uint64_t i = 0; i < r.states && !r.certain; i++) {
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
