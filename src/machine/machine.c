#include "machine/machine.h"

#include "base/error.h"
#include "machine/parts.h"

#include <string.h>

// Opening, closing, and what is left of the rule.

enum { MOST_ENABLED = 1 << 16 };

tl_status tl_machine_fail (tl_machine *m, tl_status status, uint32_t event) {
  m->rule.failed = status == TL_E_NOMEM ? TL_E_NOMEM : TL_E_ARG;
  m->rule.failed_event = event;
  return m->rule.failed;
}

// ---- The initial marking ---------------------------------------------------

// The effects that make the initial marking out of nothing.
static tl_status find_initial (tl_machine *m) {
  tl_status rc = TL_OK;
  for (uint32_t p = 0; !rc && p < m->places; p++) {
    rc = tl_machine_initial (m, p);
    for (uint32_t k = 0; !rc && k < m->bag.set.count; k++)
      rc = tl_machine_gather (m, 0, p, tl_token_at (&m->bag.set, k), 0,
                              m->bag.many[k]);
  }
  m->effect_start[0] = m->effects;
  return rc;
}

// The initial marking as numbers; all places were empty before.
static tl_status set_initial (tl_machine *m) {
  const uint32_t nothing = 0;
  size_t at = 0;
  for (uint32_t p = 0; p < m->places; p++) {
    tl_status rc = tl_intern_put (m->local + p, &nothing, 0, m->first + p);
    const size_t from = at;
    while (at < m->effect_start[0] && m->effect[at].place == p)
      at++;
    if (!rc)
      rc = tl_machine_after (m, p, m->first[p], m->effect + from,
                             (uint32_t)(at - from), m->first + p);
    if (rc)
      return rc;
  }
  return TL_OK;
}

// ---- A search --------------------------------------------------------------

static void forget_search (tl_machine *m) {
  tl_coded_close (m);
  tl_follow_forget (m);
  for (uint32_t p = 0; p < m->places; p++) {
    tl_intern_close (m->local + p);
    m->shown[p] = 0;
  }
  tl_machine_forget (m);
  tl_shape_close (m, &m->shape);
  tl_shape_close (m, &m->before);
  m->known = false;
  m->made_count = 0;
}

static tl_status take_shape (tl_machine *m) {
  const tl_status rc = tl_shape_open (m, &m->shape);
  if (rc)
    return rc;
  m->rule.key_words = m->shape.words;
  m->rule.key_bits = m->shape.bits;
  m->known = false;
  m->made_count = 0;
  return TL_ROOM (m->mem, m->now_key, &m->key_room, m->shape.words)
             ? TL_OK
             : TL_E_NOMEM;
}

// What is left out of keys is computed again when it is needed; so the numbers
// of its markings are no part of what is stored.
static tl_status choose_form (tl_machine *m, tl_key_form form, tl_mem *states,
                              tl_mem *engine) {
  m->form = form;
  m->numbers = TL_MEM (states, "numbers");
  const tl_status rc =
      form != TL_KEYS_NUMBERS || m->derives ? tl_follow_open (m) : TL_OK;
  for (uint32_t p = 0; p < m->places; p++) {
    const bool left_out =
        !rc && form == TL_KEYS_COLLAPSED && m->coded.redundant[p];
    m->local[p] = TL_INTERN (left_out ? engine : &m->numbers);
  }
  return rc;
}

static tl_status begin (tl_rule *rule, tl_key_form form, tl_mem *states,
                        tl_mem *engine) {
  tl_machine *m = (tl_machine *)rule;
  rule->failed = TL_OK;
  rule->failed_event = TL_NO_EVENT;
  rule->most_alike = 0;
  rule->coded_states = rule->coded_bytes = 0;
  tl_status rc = choose_form (m, form, states, engine);
  if (!rc)
    rc = set_initial (m);
  if (!rc && form == TL_KEYS_CODED && !(rc = tl_coded_open (m)))
    m->coded.longest = tl_coded_bits (m, m->first);
  if (!rc)
    rc = take_shape (m);
  return rc ? tl_machine_fail (m, rc, TL_NO_EVENT) : TL_OK;
}

static void end (tl_rule *rule) {
  forget_search ((tl_machine *)rule);
}

static tl_status initial (tl_rule *rule, uint64_t *key) {
  tl_machine *m = (tl_machine *)rule;
  return tl_shape_pack (m, &m->shape, m->first, key) ? TL_OK : TL_E_INTERNAL;
}

static tl_status widen (tl_rule *rule) {
  tl_machine *m = (tl_machine *)rule;
  tl_shape_close (m, &m->before);
  m->before = m->shape;
  m->shape = (tl_shape){0};
  return take_shape (m);
}

static void convert (tl_rule *rule, const uint64_t *old, uint64_t *key) {
  tl_machine *m = (tl_machine *)rule;
  memset (key, 0, m->shape.words * sizeof *key);
  if (m->form == TL_KEYS_CODED) { // the same code, and more room behind it
    memcpy (key, old, m->before.words * sizeof *key);
    return;
  }
  for (uint32_t p = 0; p < m->places; p++)
    if (m->shape.width[p])
      tl_shape_set (&m->shape, key, p, tl_shape_get (&m->before, old, p));
}

// ---- What can be seen ------------------------------------------------------

static tl_status see_propositions (tl_machine *m, uint64_t *seen) {
  const tl_coloured *net = m->coloured;
  tl_status rc = TL_OK;
  for (uint32_t p = 0; !rc && p < m->places; p++)
    rc = tl_machine_show (m, p);
  m->evaluation.marking = m->marking;
  for (uint32_t i = 0; !rc && i < net->propositions; i++) {
    int64_t holds;
    rc = tl_machine_proposition (m, i, &holds);
    seen[i] = rc ? 0 : (uint64_t)holds;
  }
  if (!rc && net->progress) {
    int64_t value;
    rc = tl_machine_progress (m, &value);
    if (!rc && (value < 0 || value > UINT32_MAX))
      rc = tl_fail_at (m->evaluation.error, TL_E_ARG, net->path,
                       (long)net->progress->where.line,
                       (long)net->progress->where.column,
                       "the progress is %lld; it must be from 0 to 2^32 - 1",
                       (long long)value);
    seen[net->propositions] = rc ? 0 : (uint64_t)value;
  }
  m->evaluation.marking = 0;
  return rc;
}

static uint32_t seen_besides (const tl_coloured *net) {
  return net->propositions + (net->progress != 0);
}

static void observe (tl_rule *rule, const uint64_t *key, uint64_t *tokens) {
  tl_machine *m = (tl_machine *)rule;
  tl_machine_load (m, key);
  for (uint32_t p = 0; p < m->places; p++)
    tokens[p] = tl_machine_total (m, p, m->now[p]);
  memset (tokens + m->places, 0, seen_besides (m->coloured) * sizeof *tokens);
  if (!rule->watched || !seen_besides (m->coloured))
    return;
  const tl_status rc = see_propositions (m, tokens + m->places);
  if (rc)
    tl_machine_fail (m, rc, TL_NO_EVENT);
}

static uint32_t transition_of (const tl_rule *rule, uint32_t event) {
  return *tl_intern_list (&((const tl_machine *)rule)->event, event);
}

static const char *how (const tl_rule *rule, bool *compiled) {
  const tl_machine *m = (const tl_machine *)rule;
  *compiled = m->compiled.program;
  return tl_compiled_how (&m->compiled);
}

// ---- Opening and closing ---------------------------------------------------

static void close_machine (tl_rule *rule) {
  tl_machine *m = (tl_machine *)rule;
  tl_mem *mem = m->mem;
  forget_search (m);
  tl_finder_close (m->finder);
  tl_compiled_close (&m->compiled);
  for (uint32_t p = 0; p < m->places; p++) {
    tl_intern_close (m->token + p);
    TL_DEL (mem, m->cells[p], m->cell_room[p]);
    TL_DEL (mem, m->many[p], m->many_room[p]);
  }
  for (uint32_t t = 0; t < m->transitions; t++)
    tl_memo_close (m, &m->watch[t].memo);
  tl_memo_close (m, &m->step);
  tl_memo_close (m, &m->back);
  tl_intern_close (&m->event);
  TL_DEL (mem, m->effect, m->effect_room);
  TL_DEL (mem, m->effect_start, m->start_room);
  TL_DEL (mem, m->name, m->name_room);
  TL_DEL (mem, m->now_key, m->key_room);
  TL_DEL (mem, m->part, m->part_room);
  TL_DEL (mem, m->found, m->found_room);
  TL_DEL (mem, m->list, m->list_room);
  TL_DEL (mem, m->made, m->made_room);
  TL_DEL (mem, m->made_event, m->made_event_room);
  tl_coded_forget (m);
  tl_follow_close (m);
  tl_multiset_close (&m->bag);
  tl_evaluation_close (&m->evaluation);
  tl_arena_close (&m->names);
  tl_coloured_close (m->coloured);
  TL_DEL (mem, m, 1);
}

static const tl_rule_kind kind = {.begin = begin,
                                  .end = end,
                                  .initial = initial,
                                  .observe = observe,
                                  .enabled = tl_machine_enabled,
                                  .steps = tl_machine_steps,
                                  .undo = tl_machine_undo,
                                  .hash = tl_machine_hash,
                                  .change = tl_machine_change,
                                  .widen = widen,
                                  .convert = convert,
                                  .transition = transition_of,
                                  .name = tl_machine_event_name,
                                  .how = how,
                                  .close = close_machine};

static uint32_t largest_frame (const tl_coloured *net) {
  uint32_t most = net->progress_frame;
  for (uint32_t t = 0; t < net->transitions; t++)
    most = net->transition[t].frame > most ? net->transition[t].frame : most;
  for (uint32_t i = 0; i < net->propositions; i++)
    most = net->proposition[i].frame > most ? net->proposition[i].frame : most;
  for (uint32_t p = 0; p < net->places; p++)
    most =
        net->place[p].initial_frame > most ? net->place[p].initial_frame : most;
  return most;
}

static uint64_t count_arcs (const tl_coloured *net) {
  uint64_t arcs = 0;
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_ctransition *c = net->transition + t;
    arcs += (uint64_t)c->ins + c->outs + c->inhibits;
  }
  return arcs;
}

// The places that a transition looks at, and the cells of its bindings.
static tl_status watch (tl_machine *m, uint32_t transition, bool *looked) {
  const tl_ctransition *t = m->coloured->transition + transition;
  struct tl_watch *w = m->watch + transition;
  memset (looked, 0, m->places * sizeof *looked);
  for (uint32_t i = 0; i < t->ins; i++)
    looked[t->in[i].place] = true;
  for (uint32_t i = 0; i < t->inhibits; i++)
    looked[t->inhibit[i].place] = true;
  for (uint32_t p = 0; t->tick && p < m->places; p++)
    looked[p] |= m->coloured->place[p].timed;
  if (!TL_ARENA_NEW (&m->names, w->place, m->places))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < m->places; p++)
    if (looked[p])
      w->place[w->places++] = p;
  for (uint32_t i = 0; i < t->variables; i++)
    if (t->variable[i].kind == TL_VARIABLE_ARC ||
        t->variable[i].kind == TL_VARIABLE_PICK)
      w->cells += t->variable[i].type->cells;
  m->prioritised |= t->priority != 0;
  return tl_memo_open (m, &w->memo, w->places);
}

static tl_status take_arrays (tl_machine *m) {
  tl_arena *arena = &m->names;
  const size_t places = (size_t)m->places + 1;
  bool *looked;
  if (!TL_ARENA_NEW (arena, m->token, places) ||
      !TL_ARENA_NEW (arena, m->local, places) ||
      !TL_ARENA_NEW (arena, m->now, places) ||
      !TL_ARENA_NEW (arena, m->next, places) ||
      !TL_ARENA_NEW (arena, m->first, places) ||
      !TL_ARENA_NEW (arena, m->around, places) ||
      !TL_ARENA_NEW (arena, m->marking, places) ||
      !TL_ARENA_NEW (arena, m->cells, places) ||
      !TL_ARENA_NEW (arena, m->cell_room, places) ||
      !TL_ARENA_NEW (arena, m->many, places) ||
      !TL_ARENA_NEW (arena, m->many_room, places) ||
      !TL_ARENA_NEW (arena, m->shown, places) ||
      !TL_ARENA_NEW (arena, looked, places) ||
      !TL_ARENA_NEW (arena, m->frame, largest_frame (m->coloured) + 1) ||
      !TL_ARENA_NEW (arena, m->watch, m->transitions + 1) ||
      !TL_ROOM (m->mem, m->effect_start, &m->start_room, 2) ||
      tl_memo_open (m, &m->step, 3) || tl_memo_open (m, &m->back, 3))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < m->places; p++) {
    m->token[p] = TL_INTERN (m->mem);
    m->local[p] = TL_INTERN (&m->numbers);
  }
  for (uint32_t t = 0; t < m->transitions; t++)
    if (watch (m, t, looked))
      return TL_E_NOMEM;
  return TL_OK;
}

// The net that is seen from outside.
static tl_status build (tl_machine *m, tl_net **net, tl_error *error) {
  const tl_coloured *c = m->coloured;
  tl_builder *b;
  tl_status rc = tl_builder_open (&b, m->mem);
  if (rc)
    return rc;
  size_t at = 0;
  for (uint32_t p = 0; !rc && p < c->places; p++) {
    uint32_t number;
    rc = tl_builder_place (b, c->place[p].id, c->place[p].name, 0, &number);
    for (; !rc && at < m->effect_start[0] && m->effect[at].place == p; at++)
      rc = tl_builder_add_initial (b, number, (uint32_t)m->effect[at].change);
  }
  for (uint32_t i = 0; !rc && i < c->propositions; i++)
    rc = tl_builder_place (b, c->proposition[i].name, 0, 0, 0);
  if (!rc && c->progress)
    rc = tl_builder_place (b, "progress", 0, 0, 0);
  for (uint32_t t = 0; !rc && t < c->transitions; t++)
    rc = tl_builder_transition (b, c->transition[t].id, c->transition[t].name,
                                0);
  if (rc) {
    tl_builder_close (b);
    return rc == TL_E_ARG
               ? tl_fail (error, TL_E_MODEL,
                          "a place and a proposition have the same name")
               : rc;
  }
  return tl_builder_finish (b, c->name, c->format, net, error);
}

// The test of inhibitors keeps its variables as bits of a word.
static tl_status count_inhibitors (tl_machine *m) {
  for (uint32_t t = 0; t < m->transitions; t++) {
    const tl_ctransition *c = m->coloured->transition + t;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->variables; i++)
      count += c->variable[i].kind == TL_VARIABLE_INHIBITOR;
    if (count > 64)
      return tl_fail_at (m->evaluation.error, TL_E_MODEL, m->coloured->path,
                         (long)c->where.line, (long)c->where.column,
                         "transition %s has %u inhibitor variables; 64 are the "
                         "most",
                         c->name, count);
  }
  return TL_OK;
}

tl_status tl_machine_open (tl_net **net, tl_mem *mem, tl_coloured *coloured,
                           tl_compile when, tl_error *error) {
  tl_machine *m;
  *net = 0;
  if (!TL_NEW (mem, m, 1)) {
    tl_coloured_close (coloured);
    return tl_fail (error, TL_E_NOMEM, "no memory for the net");
  }
  m->mem = mem;
  m->coloured = coloured;
  m->places = coloured->places;
  m->transitions = coloured->transitions;
  m->names = TL_ARENA (mem);
  m->event = TL_INTERN (mem);
  m->lists = TL_INTERN (mem);
  m->rule = (tl_rule){.kind = &kind,
                      .counted = coloured->places,
                      .arcs = count_arcs (coloured),
                      .most_events = UINT32_MAX - 1,
                      .most_enabled = MOST_ENABLED};
  tl_multiset_open (&m->bag, mem);
  tl_evaluation_open (&m->evaluation, mem, coloured->path, &m->rule.error);
  m->evaluation.place = coloured->place;
  tl_status rc = take_arrays (m);
  if (!rc)
    rc = count_inhibitors (m);
  if (!rc)
    rc = tl_finder_open (&m->finder, mem, coloured, &m->evaluation);
  if (!rc)
    rc = tl_compiled_open (&m->compiled, mem, coloured, when, &m->rule.error);
  if (!rc)
    rc = find_initial (m);
  if (!rc)
    rc = build (m, net, &m->rule.error);
  if (rc) {
    if (error)
      *error = m->rule.error;
    if (rc == TL_E_NOMEM)
      tl_fail (error, rc, "no memory for the net");
    close_machine (&m->rule);
    return rc;
  }
  (*net)->rule = &m->rule;
  return TL_OK;
}
