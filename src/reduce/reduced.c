#include "reduce/reduced.h"

#include "logic/simplify.h"
#include "net/origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 100 };

// ---- Applying rules --------------------------------------------------------

static tl_status take_bounds (tl_reduced *r, const tl_structure *s) {
  if (!s)
    return TL_OK;
  const uint32_t places = s->net->places;
  if (!TL_NEW (r->mem, r->bound, places))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < places; p++)
    r->bound[p] = s->source[p] == TL_BOUND_CLAIM ? TL_NO_BOUND : s->bound[p];
  return TL_OK;
}

static tl_status apply (tl_reduced *r, unsigned rules) {
  tl_status rc = TL_OK;
  uint64_t changes = 1;
  for (int round = 0; !rc && changes && round < ROUNDS; round++) {
    changes = 0;
    for (size_t i = 0; !rc && i < tl_rule_count; i++)
      if (rules >> i & 1 && tl_rules[i].keeps & r->keep)
        rc = tl_rules[i].apply (&r->draft, r->keep, &changes);
  }
  return rc == TL_E_NOMEM ? rc : TL_OK;
}

// ---- The net that is left --------------------------------------------------

static tl_status add_place (tl_reduced *r, tl_builder *b, uint32_t p) {
  const tl_net *net = r->draft.net;
  uint32_t now;
  const tl_status rc =
      tl_builder_place (b, net->place_id[p], net->place_name[p],
                        (uint32_t)r->draft.initial[p], &now);
  if (rc)
    return rc;
  r->place_now[p] = now;
  r->place[now] = p;
  return TL_OK;
}

static uint32_t first_of (const tl_draft *d, uint32_t word) {
  while (d->word[word].second != TL_NO_WORD)
    word = d->word[word].first;
  return word;
}

static uint32_t last_of (const tl_draft *d, uint32_t word) {
  while (d->word[word].second != TL_NO_WORD)
    word = d->word[word].second;
  return word;
}

// One that was put together is called by what it begins and ends with, and by
// its number where that is not enough.
static tl_status name_pair (const tl_draft *d, tl_builder *b, uint32_t t,
                            uint32_t *now) {
  const uint32_t word = d->transition[t].word;
  const char *first = d->net->transition_id[first_of (d, word)],
             *last = d->net->transition_id[last_of (d, word)];
  const size_t room = strlen (first) + strlen (last) + 20;
  char *id;
  if (!TL_NEW (d->mem, id, room))
    return TL_E_NOMEM;
  snprintf (id, room, "%s..%s", first, last);
  tl_status rc = tl_builder_transition (b, id, 0, now);
  for (uint64_t n = t; rc == TL_E_ARG; n += d->transitions) {
    snprintf (id, room, "%s..%s.%u", first, last, (unsigned)n);
    rc = tl_builder_transition (b, id, 0, now);
  }
  TL_DEL (d->mem, id, room);
  return rc;
}

static tl_status add_row (const tl_reduced *r, tl_builder *b, tl_arc_kind kind,
                          tl_row row, uint32_t transition) {
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < row.count; i++)
    rc = tl_builder_arc (b, kind, r->place_now[row.arc[i].place], transition,
                         row.arc[i].weight);
  return rc;
}

static tl_status add_transition (tl_reduced *r, tl_builder *b, uint32_t t) {
  const tl_net *net = r->draft.net;
  const tl_drafted *x = r->draft.transition + t;
  uint32_t now;
  tl_status rc = t < net->transitions
                     ? tl_builder_transition (b, net->transition_id[t],
                                              net->transition_name[t], &now)
                     : name_pair (&r->draft, b, t, &now);
  if (rc)
    return rc;
  r->transition[now] = t;
  if (t < net->transitions)
    r->transition_now[t] = now;
  rc = add_row (r, b, TL_ARC_PRE, x->pre, now);
  if (!rc)
    rc = add_row (r, b, TL_ARC_POST, x->post, now);
  return rc ? rc : add_row (r, b, TL_ARC_INHIBITOR, x->inhibitor, now);
}

// A net has a place, even if nobody uses it.
static void keep_one (tl_draft *d) {
  uint32_t p = 0;
  while (p < d->places && d->place_gone[p])
    p++;
  if (p && p == d->places)
    d->place_gone[0] = 0;
}

static tl_status add_nodes (tl_reduced *r, tl_builder *b) {
  tl_draft *d = &r->draft;
  tl_status rc = TL_OK;
  keep_one (d);
  for (uint32_t p = 0; !rc && p < d->places; p++)
    if (!d->place_gone[p])
      rc = add_place (r, b, p);
  for (uint32_t t = 0; !rc && t < d->transitions; t++)
    if (!d->transition[t].gone)
      rc = add_transition (r, b, t);
  return rc;
}

static tl_status build (tl_reduced *r) {
  const tl_net *net = r->draft.net;
  tl_builder *b;
  if (!TL_NEW (r->mem, r->place, r->draft.places) ||
      !TL_NEW (r->mem, r->place_now, r->draft.places) ||
      !TL_NEW (r->mem, r->transition, r->draft.transitions) ||
      !TL_NEW (r->mem, r->transition_now, net->transitions) ||
      tl_builder_open (&b, r->mem))
    return TL_E_NOMEM;
  memset (r->place_now, 0xff, net->places * sizeof *r->place_now);
  memset (r->transition_now, 0xff,
          net->transitions * sizeof *r->transition_now);
  const tl_status rc = add_nodes (r, b);
  if (rc) {
    tl_builder_close (b);
    return rc;
  }
  return tl_builder_finish (b, net->name, net->format, &r->net, 0);
}

// ---- Opening ---------------------------------------------------------------

static tl_status begin (tl_reduced *r, const tl_reducing *how) {
  tl_status rc = tl_watched_open (&r->watched, r->mem, how->net);
  for (size_t i = 0; !rc && i < how->formulas; i++)
    tl_watched_add (&r->watched, how->formula[i]);
  r->keep = tl_watched_keep (how->formula, how->formulas);
  if (!rc)
    rc = take_bounds (r, how->structure);
  return rc ? rc
            : tl_draft_open (&r->draft, r->mem, how->net, r->bound,
                             r->watched.up, r->watched.down);
}

static bool keeps_capacities (const tl_reducing *how) {
  return how->structure ? tl_structure_keeps_capacities (how->structure)
                        : !(how->net->origin && how->net->origin->capacity);
}

tl_status tl_reduced_open (tl_reduced **out, tl_mem *mem,
                           const tl_reducing *how) {
  tl_reduced *r;
  *out = 0;
  if (!TL_NEW (mem, r, 1))
    return TL_E_NOMEM;
  r->mem = mem;
  tl_status rc = begin (r, how);
  // More tokens than a place may hold are a fault, which has to be seen.
  if (!rc && keeps_capacities (how))
    rc = apply (r, how->rules);
  if (!rc)
    rc = build (r);
  if (rc) {
    tl_reduced_close (r);
    return rc;
  }
  r->same = r->net->places == how->net->places &&
            r->net->transitions == how->net->transitions &&
            r->draft.transitions == how->net->transitions;
  *out = r;
  return TL_OK;
}

tl_net *tl_reduced_take (tl_reduced *r) {
  tl_net *net = r->net;
  r->net = 0;
  return net;
}

void tl_reduced_close (tl_reduced *r) {
  if (!r)
    return;
  tl_mem *mem = r->mem;
  const tl_net *net = r->watched.net;
  tl_net_close (r->net);
  TL_DEL (mem, r->place, r->draft.places);
  TL_DEL (mem, r->place_now, r->draft.places);
  TL_DEL (mem, r->transition, r->draft.transitions);
  TL_DEL (mem, r->transition_now, net->transitions);
  tl_draft_close (&r->draft);
  TL_DEL (mem, r->bound, net->places);
  tl_watched_close (&r->watched);
  TL_DEL (mem, r, 1);
}

// ---- Formulas --------------------------------------------------------------

static tl_formula *compare (const tl_reduced *r, tl_arena *arena,
                            const tl_summand *term, uint32_t count,
                            int64_t bound) {
  tl_summand *now;
  bool overflow;
  if (!TL_ARENA_NEW (arena, now, count))
    return 0;
  for (uint32_t i = 0; i < count; i++)
    now[i] = (tl_summand){r->place_now[term[i].place], term[i].coefficient};
  return tl_formula_compare (arena, now, count, bound, &overflow);
}

// What a transition that is gone would wait for.
static tl_formula *enabling (const tl_reduced *r, tl_arena *arena, uint32_t t) {
  const tl_arcs pre = tl_net_pre (r->draft.net, t),
                inhibitors = tl_net_inhibitors (r->draft.net, t);
  tl_formula **part;
  uint32_t parts = 0;
  if (!TL_ARENA_NEW (arena, part, (size_t)pre.count + inhibitors.count))
    return 0;
  for (uint32_t i = 0; i < pre.count; i++)
    part[parts++] = compare (r, arena, &(tl_summand){pre.arc[i].place, -1}, 1,
                             -(int64_t)pre.arc[i].weight);
  for (uint32_t i = 0; i < inhibitors.count; i++)
    part[parts++] =
        compare (r, arena, &(tl_summand){inhibitors.arc[i].place, 1}, 1,
                 (int64_t)inhibitors.arc[i].weight - 1);
  return tl_formula_nary (arena, TL_AND, part, parts);
}

static tl_formula *fireable (const tl_reduced *r, tl_arena *arena,
                             const tl_formula *f) {
  tl_formula **part;
  uint32_t *there, count = 0, parts = 0;
  if (!TL_ARENA_NEW (arena, there, f->count) ||
      !TL_ARENA_NEW (arena, part, (size_t)f->count + 1))
    return 0;
  for (uint32_t i = 0; i < f->count; i++) {
    const uint32_t now = r->transition_now[f->transition[i]];
    if (now != TL_NOT_THERE)
      there[count++] = now;
    else
      part[parts++] = enabling (r, arena, f->transition[i]);
  }
  if (count)
    part[parts++] = tl_formula_fireable (arena, there, count);
  return tl_formula_nary (arena, TL_OR, part, parts);
}

static tl_formula *translate (const tl_reduced *r, tl_arena *arena,
                              tl_formula *f) {
  switch (f->op) {
  case TL_COMPARE: return compare (r, arena, f->term, f->count, f->bound);
  case TL_FIREABLE: return fireable (r, arena, f);
  case TL_TRUE:
  case TL_FALSE:
  case TL_DEADLOCK: return f;
  default: break;
  }
  tl_formula *copy;
  if (!TL_ARENA_NEW (arena, copy, 1) ||
      !TL_ARENA_NEW (arena, copy->operand, f->count))
    return 0;
  copy->op = f->op;
  copy->count = f->count;
  for (uint32_t i = 0; i < f->count; i++)
    if (!(copy->operand[i] = translate (r, arena, f->operand[i])))
      return 0;
  return copy;
}

tl_formula *tl_reduced_formula (const tl_reduced *r, tl_arena *arena,
                                tl_formula *f) {
  tl_formula *now = translate (r, arena, f);
  return now ? tl_formula_simplify_as (arena, now, TL_NEXT_EITHER) : 0;
}

// ---- Traces ----------------------------------------------------------------

typedef struct todo {
  uint32_t word, times;
} todo;

typedef struct telling {
  const tl_draft *draft;
  tl_trace *trace;
  todo *stack;
  size_t depth, room;
} telling;

static bool push (telling *w, uint32_t word, uint32_t times) {
  if (!times)
    return true;
  if (!TL_ROOM (w->draft->mem, w->stack, &w->room, w->depth + 1))
    return false;
  w->stack[w->depth++] = (todo){word, times};
  return true;
}

static bool tell (telling *w, uint32_t word, uint32_t times) {
  bool ok = push (w, word, times);
  while (ok && w->depth) {
    const todo now = w->stack[--w->depth];
    const tl_sequence *s = w->draft->word + now.word;
    if (s->second == TL_NO_WORD)
      for (uint32_t i = 0; ok && i < now.times; i++)
        ok = tl_trace_extend (w->trace, s->first);
    else
      ok = push (w, now.word, now.times - 1) &&
           push (w, s->second, s->second_times) &&
           push (w, s->first, s->first_times);
  }
  return ok;
}

tl_status tl_reduced_trace (const tl_reduced *r, const tl_trace *trace,
                            tl_trace *out) {
  const tl_draft *d = &r->draft;
  *out = (tl_trace){.transition = calloc (1, sizeof *out->transition)};
  telling w = {.draft = d, .trace = out};
  bool ok = out->transition;
  for (size_t i = 0; ok && i < d->preludes; i++)
    ok = tell (&w, d->prelude[i].first, d->prelude[i].first_times);
  for (uint64_t i = 0; ok && i < trace->length; i++) {
    if (trace->loop && i == trace->loop_from)
      out->loop_from = out->length;
    ok = tell (&w, d->transition[r->transition[trace->transition[i]]].word, 1);
  }
  out->loop = trace->loop;
  TL_DEL (d->mem, w.stack, w.room);
  if (!ok)
    tl_trace_close (out);
  return ok ? TL_OK : TL_E_NOMEM;
}
