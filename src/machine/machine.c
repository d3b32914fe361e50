#include "machine/machine.h"

#include "base/error.h"
#include "machine/parts.h"

#include <string.h>

// Opening, closing, the form of keys, and what can be seen of a state.

tl_status tl_machine_fail (tl_machine *m, tl_status status, uint32_t event) {
  m->fault->failed = status == TL_E_NOMEM ? TL_E_NOMEM : TL_E_ARG;
  m->fault->event = event;
  return m->fault->failed;
}

// ---- The initial marking ---------------------------------------------------

// The effects that make the initial marking out of nothing.
static tl_status find_initial (tl_machine *m) {
  tl_status rc = TL_OK;
  for (uint32_t p = 0; !rc && p < m->places; p++) {
    const tl_tokens *tokens = m->folded->initial + p;
    const uint32_t cells = m->coloured->place[p].cells;
    for (uint32_t i = 0; !rc && i < tokens->count; i++)
      rc = tl_machine_gather (m, 0, p, tokens->token + (size_t)i * cells, 0,
                              tokens->many[i]);
  }
  m->effect_start[0] = m->effects;
  return rc;
}

// The same of a section of a place that is divided.
static tl_status set_initial_section (tl_machine *m, uint32_t section) {
  tl_effect *mine;
  uint32_t count = 0;
  if (!TL_NEW (m->mem, mine, m->effect_start[0] + 1))
    return TL_E_NOMEM;
  for (size_t i = 0; i < m->effect_start[0]; i++)
    if (tl_machine_section (m, m->effect[i].place, m->effect[i].token) ==
        section)
      mine[count++] = m->effect[i];
  const tl_status rc = tl_machine_after (m, section, TL_NO_NUMBER, mine, count,
                                         m->first + section);
  TL_DEL (m->mem, mine, m->effect_start[0] + 1);
  return rc;
}

// The initial marking as numbers; all places were empty before.
static tl_status set_initial (tl_machine *m) {
  const uint32_t nothing = 0;
  size_t at = 0;
  tl_status rc = TL_OK;
  for (uint32_t p = 0; !rc && p < m->places; p++) {
    const size_t from = at;
    while (at < m->effect_start[0] && m->effect[at].place == p)
      at++;
    if (tl_section_is_gone (m, p))
      continue;
    rc = tl_intern_put (m->local + p, &nothing, 0, m->first + p);
    if (!rc)
      rc = tl_machine_after (m, p, m->first[p], m->effect + from,
                             (uint32_t)(at - from), m->first + p);
  }
  for (uint32_t s = m->places; !rc && s < m->sections; s++)
    rc = set_initial_section (m, s);
  return rc;
}

// ---- The form of keys ------------------------------------------------------

static tl_status use_shape (tl_machine *m) {
  m->view.key_words = m->shape.words;
  m->view.key_bits = m->shape.bits;
  m->view.coded = m->form == TL_KEYS_CODED;
  m->loaded = false;
  m->made_count = 0;
  return TL_ROOM (m->mem, m->now_key, &m->key_room, m->shape.words)
             ? TL_OK
             : TL_E_NOMEM;
}

static tl_status take_shape (tl_machine *m) {
  const tl_status rc = tl_shape_open (m, &m->shape);
  return rc ? rc : use_shape (m);
}

tl_status tl_machine_take_shape (tl_machine *m, const tl_shape *like) {
  const size_t sections = (size_t)like->sections + 1;
  tl_shape_close (m, &m->shape);
  m->shape = *like;
  m->shape.width = 0;
  m->shape.start = 0;
  if (like->width && (!TL_NEW (m->mem, m->shape.width, sections) ||
                      !TL_NEW (m->mem, m->shape.start, sections)))
    return TL_E_NOMEM;
  if (like->width) {
    memcpy (m->shape.width, like->width, sections * sizeof *like->width);
    memcpy (m->shape.start, like->start, sections * sizeof *like->start);
  }
  return use_shape (m);
}

// What is left out of keys is computed again when it is needed; so the numbers
// of its markings are no part of what is stored.
static tl_status choose_form (tl_machine *m, tl_key_form form) {
  m->form = form;
  const tl_status rc =
      form != TL_KEYS_NUMBERS || m->derives ? tl_follow_open (m) : TL_OK;
  for (uint32_t p = 0; !rc && p < m->places; p++)
    if (form == TL_KEYS_COLLAPSED && m->coded.redundant[p])
      m->local[p] = TL_INTERN (m->mem);
  return rc;
}

// Without a shape: memory was over in the middle of a change of keys, and a
// search that begins anew has come here.
tl_status tl_machine_initial (tl_machine *m, uint64_t *key) {
  if (!m->shape.words)
    return TL_E_NOMEM;
  return tl_shape_pack (m, &m->shape, m->first, key) ? TL_OK : TL_E_INTERNAL;
}

// Divides places where that pays.  A place that others follow from cannot be
// divided; if it is crowded, keys have all places from then on.
static tl_status divide (tl_machine *m) {
  const bool crowded = m->form == TL_KEYS_COLLAPSED && !m->derives &&
                       !m->collected && tl_follow_is_crowded (m);
  bool divided = false;
  m->form_before = m->form;
  tl_status rc = TL_OK;
  if (crowded || (m->form == TL_KEYS_NUMBERS && !m->derives))
    rc = tl_machine_divide (m, &divided);
  return rc || !crowded || !divided ? rc : tl_follow_end (m);
}

tl_status tl_machine_widen (tl_machine *m) {
  tl_status rc = tl_machine_catch_up (m);
  if (rc)
    return rc;
  tl_shape_close (m, &m->before);
  m->before = m->shape;
  m->shape = (tl_shape){0};
  rc = divide (m);
  if (!rc)
    rc = tl_machine_share_sections (m);
  return rc ? rc : take_shape (m);
}

// The number of a section in an old key, in the tables of now.
static void convert_local (tl_machine *m, uint32_t section, uint32_t local,
                           uint64_t *key) {
  if (tl_section_is_gone (m, section)) {
    tl_machine_move_divided (m, section, local, key);
    return;
  }
  if (m->old_local[section].count) {
    const tl_status rc = tl_machine_move_local (m, section, &local);
    if (rc)
      tl_machine_fail (m, rc, TL_NO_EVENT);
  }
  tl_shape_set (&m->shape, key, section, local);
}

void tl_machine_convert (tl_machine *m, const uint64_t *old, uint64_t *key) {
  memset (key, 0, m->shape.words * sizeof *key);
  if (m->form == TL_KEYS_CODED) { // the same code, and more room behind it
    memcpy (key, old, m->before.words * sizeof *key);
    return;
  }
  const bool filled = m->form != m->form_before;
  if (filled && !tl_follow_fill (m, old)) {
    tl_machine_fail (m, TL_E_INTERNAL, TL_NO_EVENT);
    return;
  }
  for (uint32_t s = 0; s < m->before.sections; s++)
    if (m->before.width[s] || filled)
      convert_local (
          m, s, filled ? m->next[s] : tl_shape_get (&m->before, old, s), key);
}

uint64_t tl_machine_code (const tl_machine *m, bool *left_out) {
  memcpy (left_out, m->coded.redundant, m->places * sizeof *left_out);
  return m->view.longest_code;
}

// ---- What can be seen ------------------------------------------------------

// Of what a net says of its states, number i: first propositions, then
// measures.
static bool is_asked (const tl_machine *m, uint32_t i) {
  return (m->measured && i >= m->folded->propositions) ||
         (m->folded->asked && m->folded->asked[m->places + i]);
}

static tl_status see_measure (tl_machine *m, uint32_t i, uint64_t *seen) {
  const tl_coloured *net = m->coloured;
  const int64_t bias =
      net->asked && i < net->progress_parts ? TL_ASKED_BIAS : 0;
  int64_t value;
  tl_status rc = tl_machine_measure (m, i, &value);
  if (!rc && (value < -bias || value > UINT32_MAX - bias))
    rc = tl_fail_at (
        m->evaluation.error, TL_E_ARG, net->path,
        (long)net->measure[i]->where.line, (long)net->measure[i]->where.column,
        "the progress is %lld; it must be from %s", (long long)value,
        bias ? "-2^31 to 2^31 - 1" : "0 to 2^32 - 1");
  if (!rc)
    *seen = (uint64_t)(value + bias);
  return rc;
}

static tl_status see_proposition (tl_machine *m, uint32_t i, uint64_t *seen) {
  int64_t holds;
  const tl_status rc = tl_machine_proposition (m, i, &holds);
  if (!rc)
    *seen = (uint64_t)holds;
  return rc;
}

// They read the marking, which is shown when the first of them is asked for.
static tl_status see (tl_machine *m, uint64_t *seen) {
  const uint32_t propositions = m->folded->propositions,
                 all = propositions + m->folded->measures;
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < all; i++) {
    if (!is_asked (m, i))
      continue;
    for (uint32_t p = 0; !rc && !m->evaluation.marking && p < m->places; p++)
      rc = tl_machine_show (m, p);
    m->evaluation.marking = m->marking;
    if (!rc)
      rc = i < propositions ? see_proposition (m, i, seen + i)
                            : see_measure (m, i - propositions, seen + i);
  }
  m->evaluation.marking = 0;
  return rc;
}

void tl_machine_observe (tl_machine *m, const uint64_t *key, uint64_t *tokens) {
  const uint32_t besides = m->folded->propositions + m->folded->measures;
  tl_machine_load (m, key);
  memset (tokens, 0, m->places * sizeof *tokens);
  if (m->kernel.holds)
    for (uint32_t p = 0; p < m->places; p++)
      tokens[p] = (uint64_t)m->kernel.now.total[p];
  for (uint32_t s = 0; !m->kernel.holds && !m->fault->failed && s < m->sections;
       s++)
    if (!tl_section_is_gone (m, s))
      tokens[m->place_of[s]] += m->total[s][m->now[s]];
  tokens[m->places + besides] =
      m->kernel.holds
          ? tl_kernel_is_first (m)
          : !memcmp (m->now, m->first, m->sections * sizeof *m->now);
  memset (tokens + m->places, 0, besides * sizeof *tokens);
  const tl_status rc = see (m, tokens + m->places);
  if (rc)
    tl_machine_fail (m, rc, TL_NO_EVENT);
}

const tl_tokens *tl_machine_marking (tl_machine *m, const uint64_t *key) {
  tl_machine_load (m, key);
  for (uint32_t p = 0; p < m->places; p++)
    if (tl_machine_show (m, p))
      return 0;
  return m->marking;
}

const char *tl_machine_how (const tl_machine *m) {
  return tl_compiled_how (&m->compiled);
}

// ---- Opening and closing ---------------------------------------------------

// What there is for each place and section.
static void close_places (tl_machine *m) {
  for (uint32_t p = 0; p < m->places; p++) {
    if (m->token)
      tl_intern_close (m->token + p);
    if (m->many_room) { // all four are there
      TL_DEL (m->mem, m->cells[p], m->cell_room[p]);
      TL_DEL (m->mem, m->many[p], m->many_room[p]);
    }
  }
  for (uint32_t s = 0; s < m->sections; s++) {
    tl_intern_close (m->local + s);
    TL_DEL (m->mem, m->total[s], m->total_room[s]);
  }
}

void tl_machine_close (tl_machine *m) {
  if (!m)
    return;
  tl_mem *mem = m->mem;
  tl_finder_close (m->finder);
  tl_kernel_forget_events (m);
  tl_compiled_close (&m->compiled);
  tl_machine_close_known (m);
  tl_machine_wake (m);
  tl_coded_close (m);
  tl_follow_close (m);
  close_places (m);
  tl_machine_settle (m);
  for (uint32_t t = 0; m->watch && t < m->transitions; t++)
    tl_memo_close (m, &m->watch[t].memo);
  tl_machine_close_moves (m);
  tl_intern_close (&m->lists);
  tl_intern_close (&m->event);
  tl_shape_close (m, &m->shape);
  tl_shape_close (m, &m->before);
  TL_DEL (mem, m->effect, m->effect_room);
  TL_DEL (mem, m->effect_start, m->start_room);
  TL_DEL (mem, m->wrong, m->wrong_room);
  TL_DEL (mem, m->name, m->name_room);
  TL_DEL (mem, m->now_key, m->key_room);
  TL_DEL (mem, m->part, m->part_room);
  TL_DEL (mem, m->found, m->found_room);
  TL_DEL (mem, m->list, m->list_room);
  TL_DEL (mem, m->made, m->made_room);
  TL_DEL (mem, m->made_event, m->made_event_room);
  tl_multiset_close (&m->bag);
  tl_evaluation_close (&m->evaluation);
  tl_arena_close (&m->texts);
  tl_arena_close (&m->names);
  TL_DEL (mem, m, 1);
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
    if (tl_variable_is_bound (t->variable + i))
      w->cells += t->variable[i].type->cells;
  m->prioritised |= t->priority != 0;
  return tl_machine_watch (m, transition);
}

static tl_status open_memos (tl_machine *m) {
  uint64_t words = 0;
  for (uint32_t t = 0; t < m->transitions; t++)
    words += m->watch[t].places + 1;
  tl_memo_plan (m, words);
  return tl_machine_open_moves (m);
}

static tl_status take_arrays (tl_machine *m) {
  tl_arena *arena = &m->names;
  const size_t places = (size_t)m->places + 1;
  bool *looked;
  if (!TL_ARENA_NEW (arena, m->token, places) ||
      !TL_ARENA_NEW (arena, m->old_token, places) ||
      !TL_ARENA_NEW (arena, m->division, places) ||
      !TL_ARENA_NEW (arena, m->marking, places) ||
      !TL_ARENA_NEW (arena, m->cells, places) ||
      !TL_ARENA_NEW (arena, m->cell_room, places) ||
      !TL_ARENA_NEW (arena, m->many, places) ||
      !TL_ARENA_NEW (arena, m->many_room, places) ||
      !TL_ARENA_NEW (arena, m->shown, places) ||
      !TL_ARENA_NEW (arena, looked, places) ||
      !TL_ARENA_NEW (arena, m->frame, tl_folded_frame (m->coloured) + 1) ||
      !TL_ARENA_NEW (arena, m->aside, tl_folded_frame (m->coloured) + 1) ||
      !TL_ARENA_NEW (arena, m->watch, m->transitions + 1) ||
      !TL_ROOM (m->mem, m->effect_start, &m->start_room, 2))
    return TL_E_NOMEM;
  if (tl_machine_add_sections (m, m->places))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < m->places; p++) {
    m->token[p] = TL_INTERN (m->mem);
    m->place_of[p] = p;
  }
  for (uint32_t t = 0; t < m->transitions; t++)
    if (watch (m, t, looked))
      return TL_E_NOMEM;
  return open_memos (m);
}

tl_status tl_machine_begin (tl_machine *m) {
  const tl_status rc = find_initial (m);
  return rc ? rc : set_initial (m);
}

static tl_status prepare (tl_machine *m) {
  tl_status rc = take_arrays (m);
  if (!rc)
    rc = tl_finder_open (&m->finder, m->mem, m->coloured, &m->evaluation);
  return rc ? rc : tl_machine_open_known (m);
}

static tl_status begin (tl_machine *m, tl_key_form form) {
  tl_status rc = prepare (m);
  if (!rc)
    rc = find_initial (m);
  if (!rc)
    rc = choose_form (m, form);
  if (!rc)
    rc = set_initial (m);
  if (!rc && form == TL_KEYS_CODED && !(rc = tl_coded_open (m)))
    rc = tl_coded_bits (m, m->first, &m->view.longest_code);
  if (!rc)
    tl_kernel_open (m);
  return rc ? rc : take_shape (m);
}

// What keys are made of that are stored counts with them, unless a code says
// all by itself.
static tl_machine *make (const tl_folded *folded, bool measured,
                         tl_mem *numbers, tl_mem *engine, tl_fault *fault) {
  tl_machine *m;
  *fault = (tl_fault){.event = TL_NO_EVENT};
  if (!TL_NEW (engine, m, 1)) {
    fault->failed = TL_E_NOMEM;
    return 0;
  }
  *m = (tl_machine){.fault = fault,
                    .measured = measured,
                    .mem = engine,
                    .numbers = TL_MEM (numbers, "numbers"),
                    .folded = folded,
                    .coloured = folded->coloured,
                    .places = folded->coloured->places,
                    .transitions = folded->coloured->transitions,
                    .texts = TL_ARENA (engine),
                    .names = TL_ARENA (engine),
                    .event = TL_INTERN (engine),
                    .lists = TL_INTERN (engine),
                    .machines = 1};
  for (uint32_t p = 0; p < m->places; p++)
    m->derives |= m->coloured->place[p].derived;
  tl_multiset_open (&m->bag, engine);
  tl_evaluation_open (&m->evaluation, engine, m->coloured->path, &fault->error);
  m->evaluation.place = m->coloured->place;
  tl_compiled_open (&m->compiled, engine, folded);
  return m;
}

static tl_status made (tl_machine **out, tl_machine *m, tl_status rc) {
  tl_fault *fault = m->fault;
  if (rc) {
    tl_machine_fail (m, rc, TL_NO_EVENT);
    tl_machine_close (m);
    return fault->failed;
  }
  *out = m;
  return TL_OK;
}

tl_status tl_machine_open (tl_machine **out, const tl_net *net,
                           tl_key_form form, bool measured, tl_mem *states,
                           tl_mem *engine, tl_fault *fault) {
  *out = 0;
  tl_machine *m = make (net->folded, measured,
                        form == TL_KEYS_CODED ? engine : states, engine, fault);
  return m ? made (out, m, begin (m, form)) : TL_E_NOMEM;
}

tl_status tl_machine_open_beside (tl_machine **out, tl_machine *first,
                                  tl_fault *fault) {
  *out = 0;
  tl_machine *m =
      make (first->folded, first->measured, first->mem, first->mem, fault);
  if (!m)
    return TL_E_NOMEM;
  const tl_status rc = prepare (m);
  return made (out, m, rc ? rc : tl_machine_mirror (m, first));
}
