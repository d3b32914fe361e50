#include "base/error.h"
#include "machine/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Events: transitions with a binding, and what they do.

tl_status tl_machine_gather (tl_machine *m, size_t first, uint32_t place,
                             const tl_cell *cells, int64_t need,
                             int64_t change) {
  uint32_t token;
  const tl_status rc = tl_intern_put (m->token + place, (const uint32_t *)cells,
                                      m->coloured->place[place].cells, &token);
  if (rc)
    return rc;
  size_t at = m->effects;
  while (at > first && (m->effect[at - 1].place > place ||
                        (m->effect[at - 1].place == place &&
                         m->effect[at - 1].token >= token)))
    at--;
  if (at == m->effects || m->effect[at].place != place ||
      m->effect[at].token != token) {
    if (!TL_ROOM (m->mem, m->effect, &m->effect_room, m->effects + 1))
      return TL_E_NOMEM;
    memmove (m->effect + at + 1, m->effect + at,
             (m->effects++ - at) * sizeof *m->effect);
    m->effect[at] = (tl_effect){.place = place, .token = token};
  }
  tl_effect *e = m->effect + at;
  need += e->need;
  change += e->change;
  if (need > INT32_MAX || change > INT32_MAX || change < -INT32_MAX)
    return tl_fail (m->evaluation.error, TL_E_ARG,
                    "more tokens of place %s are moved than can be counted",
                    m->coloured->place[place].name);
  e->need = (uint32_t)need;
  e->change = (int32_t)change;
  return TL_OK;
}

uint32_t tl_machine_write_binding (tl_machine *m, uint32_t transition,
                                   const tl_cell *frame) {
  const tl_ctransition *t = m->coloured->transition + transition;
  uint32_t length = 0;
  m->list[length++] = transition;
  for (uint32_t i = 0; i < t->variables; i++)
    if (tl_variable_is_bound (t->variable + i)) {
      const uint32_t cells = t->variable[i].type->cells;
      memcpy (m->list + length, frame + t->variable[i].offset,
              cells * sizeof *frame);
      length += cells;
    }
  return length;
}

static bool covers (const tl_machine *m, size_t first, size_t end) {
  for (size_t i = first; i < end; i++) {
    const tl_effect *e = m->effect + i;
    if (e->need && tl_machine_many_now (m, e->place, e->token) < e->need)
      return false;
  }
  return true;
}

// Are the tokens there that it takes, and does nothing inhibit it?
static tl_status is_able (tl_machine *m, uint32_t transition, tl_cell *frame,
                          size_t first, size_t end, bool *able) {
  bool inhibited = false;
  tl_status rc = TL_OK;
  *able = covers (m, first, end);
  if (*able)
    rc = tl_machine_inhibited (m, transition, frame, &inhibited);
  *able = *able && !rc && !inhibited;
  return rc;
}

// What a new event puts cannot be computed.  Where there are priorities, that
// is no error before it is among the events that can fire: it has what it takes
// until then.
static tl_status put_off (tl_machine *m, uint32_t event, size_t first,
                          uint32_t transition, tl_cell *frame) {
  m->effects = first;
  if (!TL_ROOM (m->mem, m->wrong, &m->wrong_room, m->wrongs + 1))
    return TL_E_NOMEM;
  m->wrong[m->wrongs++] = event;
  return tl_machine_take (m, first, transition, frame);
}

tl_status tl_machine_tell_wrong (tl_machine *m, const uint32_t *events,
                                 uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (size_t k = 0; k < m->wrongs; k++) {
      if (m->wrong[k] != events[i])
        continue;
      const size_t first = m->effects;
      tl_status rc = tl_machine_frame (m, events[i]);
      if (!rc)
        rc = tl_machine_put (m, first, tl_machine_transition (m, events[i]),
                             m->frame);
      m->effects = first;
      m->fault->event = events[i];
      return rc ? rc : TL_E_INTERNAL;
    }
  return TL_OK;
}

// What it puts; what it takes was gathered.
static tl_status gather_put (tl_machine *m, uint32_t event, size_t first,
                             uint32_t transition, tl_cell *frame) {
  tl_status rc = tl_machine_put (m, first, transition, frame);
  if (rc == TL_E_ARG && m->prioritised)
    rc = put_off (m, event, first, transition, frame);
  if (rc)
    m->effects = first; // the event gets a number for the trace
  return rc;
}

static tl_status end_event (tl_machine *m, uint32_t event) {
  m->effect_start[event + 1] = m->effects;
  m->learned = event + 1;
  return tl_machine_make_moves (m, event);
}

// Another machine has met the event.
static tl_status learn (tl_machine *m, uint32_t event) {
  const uint32_t transition = tl_machine_transition (m, event);
  const size_t first = m->effects;
  if (!TL_ROOM (m->mem, m->effect_start, &m->start_room, (size_t)event + 2))
    return TL_E_NOMEM;
  tl_status rc = tl_machine_frame (m, event);
  if (!rc)
    rc = tl_machine_take (m, first, transition, m->frame);
  if (!rc)
    rc = gather_put (m, event, first, transition, m->frame);
  else
    m->effects = first;
  if (rc == TL_E_NOMEM)
    return rc;
  return end_event (m, event);
}

// What is wrong with one is told by the machine that has met it.
tl_status tl_machine_learn (tl_machine *m) {
  tl_cell *const frame = m->frame;
  tl_status rc = tl_intern_catch_up (&m->event);
  m->frame = m->aside; // somebody is perhaps at work with the other
  while (!rc && m->learned < m->event.count)
    rc = learn (m, m->learned);
  m->frame = frame;
  return rc;
}

// The number of a new event, and what it does; others may have met it
// meanwhile.
static tl_status number_event (tl_machine *m, uint32_t transition,
                               const tl_cell *frame, uint32_t *event) {
  const tl_status rc =
      tl_intern_put (&m->event, m->list,
                     tl_machine_write_binding (m, transition, frame), event);
  return rc ? rc : m->shared ? tl_machine_learn (m) : end_event (m, *event);
}

// A new event: it must be enabled before anybody computes what it puts, for
// that may go wrong.
static tl_status make_event (tl_machine *m, uint32_t transition, tl_cell *frame,
                             uint32_t *event) {
  *event = TL_NO_EVENT;
  const size_t first = m->effects;
  tl_status rc = tl_machine_take (m, first, transition, frame);
  bool able = false;
  if (!rc)
    rc = is_able (m, transition, frame, first, m->effects, &able);
  if (rc || !able) {
    m->effects = first;
    return rc;
  }
  const size_t wrongs = m->wrongs;
  rc = gather_put (m, m->event.count, first, transition, frame);
  if (m->shared) { // those that others have met come first
    m->effects = first;
    m->wrongs = wrongs;
  }
  const tl_status put = number_event (m, transition, frame, event);
  if (rc && *event != TL_NO_EVENT)
    m->fault->event = *event;
  return rc ? rc : put;
}

tl_status tl_machine_event (tl_machine *m, uint32_t transition, tl_cell *frame,
                            uint32_t *event) {
  if (!TL_ROOM (m->mem, m->list, &m->list_room,
                (size_t)m->watch[transition].cells + 1) ||
      !TL_ROOM (m->mem, m->effect_start, &m->start_room,
                (size_t)m->event.count + 2))
    return TL_E_NOMEM;
  *event = tl_intern_find (&m->event, m->list,
                           tl_machine_write_binding (m, transition, frame));
  if (*event == TL_NO_NUMBER)
    return make_event (m, transition, frame, event);
  bool able;
  tl_status rc = *event < m->learned ? TL_OK : tl_machine_learn (m);
  if (rc)
    return rc;
  rc = is_able (m, transition, frame, m->effect_start[*event],
                m->effect_start[*event + 1], &able);
  if (!able)
    *event = TL_NO_EVENT;
  return rc;
}

tl_status tl_machine_restore (tl_machine *m, uint32_t transition,
                              const uint32_t *list) {
  const tl_ctransition *t = m->coloured->transition + transition;
  for (uint32_t i = 0; i < t->variables; i++)
    if (tl_variable_is_bound (t->variable + i)) {
      const uint32_t cells = t->variable[i].type->cells;
      memcpy (m->frame + t->variable[i].offset, list, cells * sizeof *list);
      list += cells;
    }
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < t->variables; i++)
    if (t->variable[i].kind == TL_VARIABLE_LET)
      rc = tl_evaluate (&m->evaluation, t->variable[i].let, m->frame,
                        m->frame + t->variable[i].offset);
  return rc;
}

tl_status tl_machine_frame (tl_machine *m, uint32_t event) {
  const uint32_t *list = tl_intern_list (&m->event, event);
  return tl_machine_restore (m, *list, list + 1);
}

// receive {r=2, s=0}
static void write_name (FILE *f, const tl_ctransition *t,
                        const uint32_t *cells) {
  fputs (t->id, f);
  const char *before = " {";
  bool any = false;
  for (uint32_t i = 0; i < t->variables; i++) {
    const tl_variable *v = t->variable + i;
    if (!tl_variable_is_bound (v))
      continue;
    fprintf (f, "%s%s=", before, v->name);
    tl_machine_write_value (f, v->type, (const tl_cell *)cells);
    cells += v->type->cells;
    before = ", ";
    any = true;
  }
  if (any)
    fputs ("}", f);
}

void tl_machine_changes (const tl_machine *m, uint32_t event,
                         tl_machine_changed *changed, void *context) {
  for (size_t i = m->effect_start[event]; i < m->effect_start[event + 1]; i++) {
    const tl_effect *e = m->effect + i;
    if (e->change)
      changed (context, e->place,
               (const tl_cell *)tl_intern_list (m->token + e->place, e->token),
               e->change);
  }
}

uint32_t tl_machine_transition (const tl_machine *m, uint32_t event) {
  return *tl_intern_list (&m->event, event);
}

const char *tl_machine_event_name (tl_machine *m, uint32_t event) {
  if (event >= m->event.count ||
      !TL_ROOM (m->mem, m->name, &m->name_room, (size_t)event + 1))
    return "?";
  if (m->name[event])
    return m->name[event];
  const uint32_t *list = tl_intern_list (&m->event, event);
  char *text = 0;
  size_t size = 0;
  FILE *f = open_memstream (&text, &size);
  if (!f)
    return "?";
  write_name (f, m->coloured->transition + list[0], list + 1);
  if (!fclose (f))
    m->name[event] = tl_arena_text (&m->texts, text, size);
  free (text);
  return m->name[event] ? m->name[event] : "?";
}
