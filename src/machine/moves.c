#include "machine/parts.h"

#include <string.h>

// A move is what events do to one section: a list of effects.  Many events
// share a move, and where it leads depends on the local marking of that section
// only.  So it is computed once, and then looked up.

// A table may take so many bytes at most; then it begins anew.
enum { FIRST_BITS = 8 };
#define MOST_BYTES ((size_t)1 << 27)

// ---- The moves of events ---------------------------------------------------

enum { EFFECT_WORDS = sizeof (tl_effect) / sizeof (uint32_t) };

static const tl_effect *effects_of (const tl_machine *m, uint32_t move,
                                    uint32_t *count) {
  *count = (uint32_t)(tl_intern_length (&m->move, move) - 1) / EFFECT_WORDS;
  return (const tl_effect *)(tl_intern_list (&m->move, move) + 1);
}

// The move of the effects first..end - 1 on a section.
static tl_status add_move (tl_machine *m, uint32_t section, size_t first,
                           size_t end) {
  size_t words = 1;
  if (!TL_ROOM (m->mem, m->list, &m->list_room,
                (end - first) * EFFECT_WORDS + 1) ||
      !TL_ROOM (m->mem, m->event_move, &m->event_move_room,
                m->event_moves + 1) ||
      !TL_ROOM (m->mem, m->event_section, &m->event_section_room,
                m->event_moves + 1))
    return TL_E_NOMEM;
  m->list[0] = section;
  for (size_t i = first; i < end; i++) {
    const tl_effect *e = m->effect + i;
    if (tl_machine_section (m, e->place, e->token) != section)
      continue;
    memcpy (m->list + words, e, sizeof *e);
    words += EFFECT_WORDS;
  }
  const tl_status rc =
      tl_intern_put (&m->move, m->list, words, m->event_move + m->event_moves);
  m->event_section[m->event_moves] = section;
  m->event_moves += !rc;
  return rc;
}

// Has the event a move on the section, among those from `first` on?
static bool has_move (const tl_machine *m, size_t first, uint32_t section) {
  while (first < m->event_moves && m->event_section[first] != section)
    first++;
  return first < m->event_moves;
}

// Effects on the same place stand side by side.
tl_status tl_machine_make_moves (tl_machine *m, uint32_t event) {
  const size_t end = m->effect_start[event + 1];
  if (!TL_ROOM (m->mem, m->event_move_start, &m->event_move_start_room,
                (size_t)event + 2))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (size_t at = m->effect_start[event]; !rc && at < end;) {
    const uint32_t place = m->effect[at].place;
    const size_t moves = m->event_moves, first = at;
    while (at < end && m->effect[at].place == place)
      at++;
    for (size_t i = first; !rc && i < at; i++) {
      const uint32_t section =
          tl_machine_section (m, place, m->effect[i].token);
      if (!has_move (m, moves, section))
        rc = add_move (m, section, first, at);
    }
  }
  m->event_move_start[event + 1] = m->event_moves;
  return rc;
}

// ---- Tables ----------------------------------------------------------------

static size_t entries (const tl_moved_table *t) {
  return t->entry ? (size_t)1 << t->bits : 0;
}

static void clear (tl_moved_table *t) {
  if (t->entry)
    memset (t->entry, 0, entries (t) * sizeof *t->entry);
  t->used = 0;
}

// Twice as large, if it may be and can; else empty.
static void grow (tl_machine *m, tl_moved_table *t) {
  tl_moved_table more = {.bits = t->bits + 1};
  if ((sizeof *t->entry << more.bits) > tl_machine_most (m, MOST_BYTES) ||
      !TL_NEW (m->mem, more.entry, (size_t)1 << more.bits)) {
    clear (t);
    return;
  }
  for (size_t i = 0; i < entries (t); i++)
    if (t->entry[i].result)
      *tl_moved_at (&more, t->entry[i].move, t->entry[i].local) = t->entry[i];
  more.used = t->used;
  TL_DEL (m->mem, t->entry, entries (t));
  *t = more;
}

static void note (tl_machine *m, tl_moved_table *t, uint32_t move,
                  uint32_t local, uint32_t result) {
  if (4 * t->used >= 3 * entries (t))
    grow (m, t);
  *tl_moved_at (t, move, local) = (tl_moved){move, local, result + 1};
  t->used++;
}

tl_status tl_move_forth (tl_machine *m, uint32_t move, uint32_t local,
                         uint32_t *after) {
  uint32_t count;
  const tl_effect *effect = effects_of (m, move, &count);
  const tl_status rc = tl_machine_after (m, tl_move_section (m, move), local,
                                         effect, count, after);
  if (!rc)
    note (m, &m->step, move, local, *after);
  return rc;
}

tl_status tl_move_back (tl_machine *m, uint32_t move, uint32_t local,
                        uint32_t *before) {
  uint32_t count;
  const tl_effect *effect = effects_of (m, move, &count);
  const tl_status rc = tl_machine_before (m, tl_move_section (m, move), local,
                                          effect, count, before);
  if (!rc)
    note (m, &m->back, move, local, *before);
  return rc;
}

// ---- Opening and closing ---------------------------------------------------

static bool open_table (tl_machine *m, tl_moved_table *t) {
  *t = (tl_moved_table){.bits = FIRST_BITS};
  return TL_NEW (m->mem, t->entry, (size_t)1 << t->bits);
}

// As in the beginning, if there is memory for that.
static void shrink (tl_machine *m, tl_moved_table *t) {
  tl_moved_table small;
  if (!open_table (m, &small)) {
    clear (t);
    return;
  }
  TL_DEL (m->mem, t->entry, entries (t));
  *t = small;
}

tl_status tl_machine_open_moves (tl_machine *m) {
  m->move = TL_INTERN (m->mem);
  return open_table (m, &m->step) && open_table (m, &m->back) &&
                 TL_ROOM (m->mem, m->event_move_start,
                          &m->event_move_start_room, 2)
             ? TL_OK
             : TL_E_NOMEM;
}

void tl_machine_close_moves (tl_machine *m) {
  tl_intern_close (&m->move);
  TL_DEL (m->mem, m->step.entry, entries (&m->step));
  TL_DEL (m->mem, m->back.entry, entries (&m->back));
  TL_DEL (m->mem, m->event_move, m->event_move_room);
  TL_DEL (m->mem, m->event_section, m->event_section_room);
  TL_DEL (m->mem, m->event_move_start, m->event_move_start_room);
}

void tl_machine_forget_moves (tl_machine *m) {
  clear (&m->step);
  clear (&m->back);
}

size_t tl_machine_move_bytes (const tl_machine *m) {
  return (entries (&m->step) + entries (&m->back)) * sizeof (tl_moved);
}

void tl_machine_clear_moves (tl_machine *m) {
  shrink (m, &m->step);
  shrink (m, &m->back);
  tl_intern_close (&m->move);
  m->event_moves = 0;
}
