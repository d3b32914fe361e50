#include "machine/parts.h"

#include <string.h>

// Numbers that no state has any more are given back: all tables begin anew, and
// keys that are converted put what they have into the new ones.  Events get new
// numbers as they are met again.

static size_t bytes_of (const tl_intern *t) {
  return (t->word_room + t->start_room + t->slots) * sizeof (uint32_t);
}

// The tables that begin anew.
size_t tl_machine_known (const tl_machine *m) {
  size_t bytes = bytes_of (&m->event) + bytes_of (&m->lists) +
                 bytes_of (&m->move) + m->effect_room * sizeof *m->effect +
                 m->start_room * sizeof *m->effect_start +
                 tl_machine_move_bytes (m) + tl_machine_row_bytes (m);
  for (uint32_t p = 0; p < m->places; p++)
    bytes += bytes_of (m->token + p);
  for (uint32_t s = 0; s < m->sections; s++)
    bytes += bytes_of (m->local + s);
  return bytes;
}

// The tables become the old ones.
static void put_aside (tl_machine *m) {
  for (uint32_t p = 0; p < m->places; p++) {
    m->old_token[p] = m->token[p];
    m->token[p] = TL_INTERN (m->token[p].mem);
    m->shown[p] = 0;
  }
  for (uint32_t s = 0; s < m->sections; s++) {
    if (tl_section_is_gone (m, s))
      continue;
    m->old_local[s] = m->local[s];
    m->local[s] = TL_INTERN (m->local[s].mem);
    m->looked_at[s] = 0;
  }
}

void tl_machine_settle (tl_machine *m) {
  for (uint32_t p = 0; m->old_token && p < m->places; p++)
    tl_intern_close (m->old_token + p);
  for (uint32_t s = 0; m->old_local && s < m->sections; s++)
    tl_intern_close (m->old_local + s);
  tl_machine_settle_divided (m);
}

static void forget_events (tl_machine *m) {
  tl_machine_forget (m);
  for (uint32_t i = 0; i < m->followers; i++)
    tl_memo_clear (&m->follower[i].memo);
  tl_intern_close (&m->event);
  m->learned = 0;
  tl_kernel_forget_events (m);
  m->wrongs = 0;
  tl_machine_wake (m);
  tl_machine_clear_known (m);
  tl_machine_clear_moves (m);
  TL_DEL (m->mem, m->effect, m->effect_room);
  m->effects = m->effect_room = 0;
  TL_DEL (m->mem, m->name, m->name_room);
  m->name_room = 0;
  tl_arena_close (&m->texts);
  m->texts = TL_ARENA (m->mem);
}

static tl_status move_token (tl_machine *m, uint32_t place, uint32_t *token) {
  return tl_intern_put (m->token + place,
                        tl_intern_list (m->old_token + place, *token),
                        m->coloured->place[place].cells, token);
}

// Redundant places know their tokens by number.
static tl_status move_relations (tl_machine *m) {
  tl_coded *c = &m->coded;
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < c->relations; i++)
    rc = move_token (m, c->relation[i].place, &c->relation[i].token);
  for (size_t i = 0; !rc && i < c->terms; i++)
    rc = move_token (m, c->term[i].place, &c->term[i].token);
  return rc;
}

// Codes of local markings are made again.
static void forget_codes (tl_machine *m) {
  tl_coded *c = &m->coded;
  for (uint32_t p = 0; c->made && p < m->places; p++) {
    tl_stream_close (c->pool + p);
    c->pool[p] = (tl_bit_stream){.mem = &m->numbers};
    c->made[p] = 0;
  }
}

// Keys keep their form: there are no more numbers than before.
static tl_status keep_shape (tl_machine *m) {
  const size_t sections = (size_t)m->sections + 1;
  tl_shape_close (m, &m->before);
  m->before = m->shape;
  m->shape.width = 0;
  m->shape.start = 0;
  if (!m->before.width) // they are codes
    return TL_OK;
  if (!TL_NEW (m->mem, m->shape.width, sections) ||
      !TL_NEW (m->mem, m->shape.start, sections)) {
    m->shape.words = 0; // nothing goes on with this
    return TL_E_NOMEM;
  }
  memcpy (m->shape.width, m->before.width, sections * sizeof *m->shape.width);
  memcpy (m->shape.start, m->before.start, sections * sizeof *m->shape.start);
  return TL_OK;
}

tl_status tl_machine_collect (tl_machine *m) {
  tl_machine_settle (m);
  const tl_status rc = keep_shape (m);
  if (rc)
    return rc;
  put_aside (m);
  forget_events (m);
  forget_codes (m);
  m->collected = true;
  m->form_before = m->form;
  m->loaded = false;
  m->kernel.holds = false;
  m->made_count = 0;
  const tl_status moved = move_relations (m);
  return moved ? moved : tl_machine_begin (m);
}

tl_status tl_machine_move_local (tl_machine *m, uint32_t section,
                                 uint32_t *local) {
  const tl_local_list list = tl_local_list_of (m->old_local + section, *local);
  if (!TL_ROOM (m->mem, m->list, &m->list_room, 2 * (size_t)list.count + 1))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < list.count; i++) {
    m->list[2 * i] = tl_list_token (list, i);
    m->list[2 * i + 1] = tl_list_many (list, i);
    const tl_status rc = move_token (m, m->place_of[section], m->list + 2 * i);
    if (rc)
      return rc;
  }
  return tl_machine_number_list (m, section, list.count, local);
}
