#include "machine/prospects.h"

#include <stdlib.h>
#include <string.h>

// What it may cost to know bindings: prospects of a transition; tokens that are
// tried on the way to them, for all transitions; needs and words of rows that
// are made, in the beginning and for each state.
enum {
  MOST_PROSPECTS = 1024,
  MOST_TRIED = 1 << 22,
  MOST_MADE = 1 << 23,
  MADE_FOR_STATE = 8
};

bool tl_prospects_are_dear (const tl_known *k) {
  return k->made > MOST_MADE + MADE_FOR_STATE * k->listed;
}

void tl_prospects_give_up (tl_machine *m, tl_prospects *c) {
  tl_intern_close (&c->binding);
  TL_DEL (m->mem, c->need, c->need_room);
  TL_DEL (m->mem, c->need_end, c->end_room);
  TL_DEL (m->mem, c->number, c->number_room);
  TL_DEL (m->mem, c->event, c->event_room);
  c->need_room = c->end_room = c->number_room = c->event_room = 0;
  c->needs = 0;
  c->ranked = 0;
  c->none = true;
  m->known->bundled = false;
}

// ---- Tokens ----------------------------------------------------------------

tl_status tl_machine_meet (tl_machine *m, uint32_t place, tl_local_list list) {
  tl_known *k = m->known;
  if (!TL_ROOM (m->mem, k->is_met[place], k->is_met_room + place,
                (size_t)m->token[place].count + 1))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < list.count; i++) {
    const uint32_t token = tl_list_token (list, i);
    uint32_t number;
    if (k->is_met[place][token])
      continue;
    const tl_status rc = tl_token_add (
        k->set + place,
        (const tl_cell *)tl_intern_list (m->token + place, token), &number);
    if (rc)
      return rc;
    k->is_met[place][token] = 1;
    k->met++;
  }
  return TL_OK;
}

// ---- Bindings --------------------------------------------------------------

static tl_status keep_needs (tl_machine *m, tl_prospects *c, size_t first) {
  for (size_t i = first; i < m->effects; i++) {
    if (!m->effect[i].need)
      continue;
    if (!TL_ROOM (m->mem, c->need, &c->need_room, c->needs + 1))
      return TL_E_NOMEM;
    c->need[c->needs++] = m->effect[i];
  }
  if (!TL_ROOM (m->mem, c->need_end, &c->end_room, (size_t)c->binding.count))
    return TL_E_NOMEM;
  c->need_end[c->binding.count - 1] = c->needs;
  return TL_OK;
}

// The binding that the frame has, if it is new.
static tl_status add_binding (tl_machine *m, tl_prospects *c) {
  const uint32_t transition =
      (uint32_t)(c->transition - m->coloured->transition);
  const uint32_t before = c->binding.count;
  uint32_t number;
  if (!TL_ROOM (m->mem, m->list, &m->list_room,
                (size_t)m->watch[transition].cells + 1))
    return TL_E_NOMEM;
  const uint32_t length = tl_machine_write_binding (m, transition, c->frame);
  tl_status rc = tl_intern_put (&c->binding, m->list + 1, length - 1, &number);
  if (rc || c->binding.count == before)
    return rc;
  if (number >= MOST_PROSPECTS)
    return TL_E_LIMIT;
  const size_t first = m->effects;
  rc = tl_machine_take (m, first, transition, c->frame);
  if (!rc)
    rc = keep_needs (m, c, first);
  m->effects = first;
  return rc;
}

static tl_status search (tl_machine *m, tl_prospects *c, tl_binder *b) {
  bool found = true;
  tl_status rc = TL_OK;
  b->ticks = 0;
  b->most_ticks = (uint32_t)(MOST_TRIED - m->known->tried) + 1;
  tl_binder_start (b);
  while (!(rc = tl_binder_next (b, &found)) && found)
    if ((rc = add_binding (m, c)))
      break;
  m->known->tried += b->ticks;
  return rc;
}

// Bindings in which tuple number `at` takes a new token, those before it take
// an old one, and those after it any (as in colour/unfold.c).
static tl_status search_from (tl_machine *m, tl_prospects *c, uint32_t at) {
  tl_binder *b = c->binder + at;
  bool any = true;
  for (uint32_t i = 0; i < c->schedule[at].tasks; i++) {
    const tl_task *task = c->schedule[at].task + i;
    if (task->kind != TL_TASK_TAKE)
      continue;
    const uint32_t p = task->arc->place;
    const tl_token_span span = {task->take == at ? c->seen[p] : 0,
                                task->take < at ? c->seen[p]
                                                : m->known->set[p].count};
    b->span[task->take] = span;
    any &= span.from < span.to;
  }
  return any ? search (m, c, b) : TL_OK;
}

static tl_status search_all (tl_machine *m, tl_prospects *c) {
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < c->transition->ins; i++)
    rc = tl_token_index_update (m->known->set + c->transition->in[i].place);
  if (!rc && !c->takes && !c->searched)
    rc = search (m, c, c->binder);
  for (uint32_t i = 0; !rc && i < c->takes; i++)
    rc = search_from (m, c, i);
  for (uint32_t i = 0; i < c->transition->ins; i++) {
    const uint32_t p = c->transition->in[i].place;
    c->seen[p] = m->known->set[p].count;
  }
  return rc;
}

// Those that take a token met since the last time.  What goes wrong here need
// not go wrong in a state.
static tl_status update (tl_machine *m, tl_prospects *c) {
  tl_error *const told = m->evaluation.error;
  tl_error unheard;
  m->evaluation.error = &unheard;
  const tl_status rc = search_all (m, c);
  m->evaluation.error = told;
  c->searched = true;
  if (rc)
    tl_prospects_give_up (m, c);
  return rc == TL_E_NOMEM ? rc : TL_OK;
}

// Those of which there are new ones, when there are too often.
static void give_up_changed (tl_machine *m) {
  for (uint32_t t = 0; t < m->transitions; t++) {
    tl_prospects *c = m->known->of + t;
    if (!c->none && c->ranked < c->binding.count)
      tl_prospects_give_up (m, c);
  }
}

tl_status tl_machine_update_known (tl_machine *m) {
  tl_known *k = m->known;
  tl_status rc = TL_OK;
  bool changed = !k->bundled;
  for (uint32_t t = 0; !rc && k->updated != k->met + 1 && t < m->transitions;
       t++)
    if (!k->of[t].none) {
      rc = update (m, k->of + t);
      changed |= k->of[t].ranked < k->of[t].binding.count;
    }
  k->updated = k->met + 1;
  k->listed++;
  if (rc || !(changed || !k->bundled))
    return rc;
  if (tl_prospects_are_dear (k))
    give_up_changed (m);
  return tl_bundles_make (m);
}

// ---- Opening and closing ---------------------------------------------------

static uint32_t count_takes (const tl_ctransition *t) {
  uint32_t takes = 0;
  for (uint32_t a = 0; a < t->ins; a++)
    for (uint32_t i = 0; i < t->in[a].label.tuples; i++)
      takes += tl_tuple_is_taken (&t->in[a].label, t->in[a].label.tuple + i);
  return takes;
}

static tl_status open_schedules (tl_machine *m, tl_prospects *c) {
  const uint32_t count = c->takes ? c->takes : 1;
  if (!TL_ARENA_NEW (&m->names, c->frame, (size_t)c->transition->frame + 1) ||
      !TL_ARENA_NEW (&m->names, c->seen, (size_t)m->places + 1) ||
      !TL_ARENA_NEW (&m->names, c->schedule, count) ||
      !TL_ARENA_NEW (&m->names, c->binder, count))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < count; i++) {
    rc = tl_schedule_make (m->coloured, c->transition, i, &m->names,
                           c->schedule + i, m->evaluation.error);
    if (!rc)
      rc = tl_binder_open (c->binder + i, &m->evaluation, m->coloured,
                           c->transition, c->schedule + i, m->known->set,
                           c->frame, &m->names);
  }
  return rc;
}

static tl_status open_transition (tl_machine *m, uint32_t transition) {
  tl_prospects *c = m->known->of + transition;
  c->transition = m->coloured->transition + transition;
  c->binding = TL_INTERN (m->mem);
  c->takes = count_takes (c->transition);
  c->none = c->transition->tick || c->transition->inhibits;
  return c->none ? TL_OK : open_schedules (m, c);
}

tl_status tl_machine_open_known (tl_machine *m) {
  tl_known *k;
  const size_t places = (size_t)m->places + 1;
  if (!TL_ARENA_NEW (&m->names, k, 1))
    return TL_E_NOMEM;
  m->known = k;
  if (!TL_ARENA_NEW (&m->names, k->of, (size_t)m->transitions + 1) ||
      !TL_ARENA_NEW (&m->names, k->is_met, places) ||
      !TL_ARENA_NEW (&m->names, k->is_met_room, places) ||
      !TL_ARENA_NEW (&m->names, k->set, places))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < m->places; p++)
    tl_token_set_open (k->set + p, m->mem, m->coloured->place + p);
  tl_status rc = TL_OK;
  for (uint32_t t = 0; !rc && t < m->transitions; t++)
    rc = open_transition (m, t);
  return rc;
}

void tl_machine_redo_known (tl_machine *m) {
  m->known->bundled = false;
}

size_t tl_machine_row_bytes (const tl_machine *m) {
  return m->known->row_bytes;
}

// Tokens and events get other numbers.
void tl_machine_clear_known (tl_machine *m) {
  tl_known *k = m->known;
  for (uint32_t p = 0; p < m->places; p++) {
    tl_token_set_clear (k->set + p);
    TL_DEL (m->mem, k->is_met[p], k->is_met_room[p]);
    k->is_met_room[p] = 0;
  }
  tl_bundles_close (m);
  k->met = k->updated = 0;
  k->tried /= 2;
  k->made /= 2;
  for (uint32_t t = 0; t < m->transitions; t++) {
    tl_prospects *c = k->of + t;
    if (c->none)
      continue;
    tl_prospects_give_up (m, c);
    c->none = false;
    memset (c->seen, 0, m->places * sizeof *c->seen);
    c->searched = false;
  }
}

void tl_machine_close_known (tl_machine *m) {
  tl_known *k = m->known;
  if (!k)
    return;
  tl_bundles_close (m);
  for (uint32_t t = 0; k->of && t < m->transitions; t++)
    tl_prospects_give_up (m, k->of + t);
  for (uint32_t p = 0; k->set && p < m->places; p++) {
    tl_token_set_close (k->set + p);
    TL_DEL (m->mem, k->is_met[p], k->is_met_room[p]);
  }
  TL_DEL (m->mem, k->many, k->many_room);
  TL_DEL (m->mem, k->bundle, k->bundle_room);
  TL_DEL (m->mem, k->row_of, k->row_of_room);
}
