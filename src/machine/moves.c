#include "machine/parts.h"

#include <string.h>

// A move is what events do to one place: a list of its effects.  Many events
// share a move, and where it leads depends on the local marking of that place
// only.  So it is computed once, and then looked up.

// A table may take this part of the memory of the run, or so many bytes; then
// it begins anew.
enum { SHARE = 16, FIRST_BITS = 8 };
#define MOST_BYTES ((size_t)1 << 27)

// ---- The moves of events ---------------------------------------------------

enum { EFFECT_WORDS = sizeof (tl_effect) / sizeof (uint32_t) };

static const tl_effect *effects_of (const tl_machine *m, uint32_t move,
                                    uint32_t *count) {
  *count = (uint32_t)(tl_intern_length (&m->move, move) - 1) / EFFECT_WORDS;
  return (const tl_effect *)(tl_intern_list (&m->move, move) + 1);
}

static tl_status add_move (tl_machine *m, const tl_effect *effect,
                           uint32_t effects) {
  const size_t words = (size_t)effects * EFFECT_WORDS;
  if (!TL_ROOM (m->mem, m->list, &m->list_room, words + 1) ||
      !TL_ROOM (m->mem, m->event_move, &m->event_move_room,
                m->event_moves + 1) ||
      !TL_ROOM (m->mem, m->event_place, &m->event_place_room,
                m->event_moves + 1))
    return TL_E_NOMEM;
  m->list[0] = effect->place;
  memcpy (m->list + 1, effect, effects * sizeof *effect);
  const tl_status rc = tl_intern_put (&m->move, m->list, words + 1,
                                      m->event_move + m->event_moves);
  m->event_place[m->event_moves] = effect->place;
  m->event_moves += !rc;
  return rc;
}

tl_status tl_machine_make_moves (tl_machine *m, uint32_t event) {
  const size_t first = m->effect_start[event], end = m->effect_start[event + 1];
  if (!TL_ROOM (m->mem, m->event_move_start, &m->event_move_start_room,
                (size_t)event + 2))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (size_t at = first; !rc && at < end;) {
    uint32_t n = 1;
    while (at + n < end && m->effect[at + n].place == m->effect[at].place)
      n++;
    rc = add_move (m, m->effect + at, n);
    at += n;
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
  const size_t limit = tl_mem_root (m->mem)->limit / SHARE,
               most = limit && limit < MOST_BYTES ? limit : MOST_BYTES;
  tl_moved_table more = {.bits = t->bits + 1};
  if ((sizeof *t->entry << more.bits) > most ||
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
  if (2 * t->used >= entries (t))
    grow (m, t);
  *tl_moved_at (t, move, local) = (tl_moved){move, local, result + 1};
  t->used++;
}

tl_status tl_move_forth (tl_machine *m, uint32_t move, uint32_t local,
                         uint32_t *after) {
  uint32_t count;
  const tl_effect *effect = effects_of (m, move, &count);
  const tl_status rc = tl_machine_after (m, tl_move_place (m, move), local,
                                         effect, count, after);
  if (!rc)
    note (m, &m->step, move, local, *after);
  return rc;
}

tl_status tl_move_back (tl_machine *m, uint32_t move, uint32_t local,
                        uint32_t *before) {
  uint32_t count;
  const tl_effect *effect = effects_of (m, move, &count);
  const tl_status rc = tl_machine_before (m, tl_move_place (m, move), local,
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
  TL_DEL (m->mem, m->event_place, m->event_place_room);
  TL_DEL (m->mem, m->event_move_start, m->event_move_start_room);
}

void tl_machine_forget_moves (tl_machine *m) {
  clear (&m->step);
  clear (&m->back);
}

void tl_machine_clear_moves (tl_machine *m) {
  tl_machine_forget_moves (m);
  tl_intern_close (&m->move);
  m->event_moves = 0;
}
