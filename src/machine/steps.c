#include "machine/parts.h"

#include <string.h>

// Firing events, forth and back.

// ---- Forth -----------------------------------------------------------------

// The local marking after a move.
static inline tl_status after (tl_machine *m, uint32_t move, uint32_t local,
                               uint32_t *result) {
  const tl_moved *known = tl_moved_at (&m->step, move, local);
  if (!known->result)
    return tl_move_forth (m, move, local, result);
  *result = known->result - 1;
  return TL_OK;
}

// The number of a section in a key changes.  A key is a sum, so that is added.
static inline void add_to_key (const tl_shape *shape, uint64_t *key,
                               uint32_t section, uint32_t from, uint32_t to) {
  const uint64_t start = shape->start[section];
  const unsigned at = start % 64;
  const uint64_t more = (uint64_t)to - from;
  uint64_t *word = key + start / 64;
  if (at + shape->width[section] <= 64) {
    *word += more << at;
    return;
  }
  unsigned __int128 both = (unsigned __int128)word[1] << 64 | word[0];
  both += (unsigned __int128)(__int128)(int64_t)more << at;
  word[0] = (uint64_t)both;
  word[1] = (uint64_t)(both >> 64);
}

// In a key that is made of numbers only those that change are looked at.
// *fits: the key has room for it.
static tl_status step_in_key (tl_machine *m, uint32_t event, uint64_t *key,
                              bool *fits) {
  const tl_shape *shape = &m->shape;
  const size_t end = m->event_move_start[event + 1];
  memcpy (key, m->now_key, shape->words * sizeof *key);
  *fits = true;
  for (size_t i = m->event_move_start[event]; i < end; i++) {
    const uint32_t move = m->event_move[i], section = m->event_section[i];
    const uint32_t from = m->now[section];
    uint32_t to;
    const tl_status rc = after (m, move, from, &to);
    if (rc)
      return rc;
    if (!shape->width[section])
      continue;
    if (to > tl_low_bits (shape->width[section]))
      *fits = false;
    add_to_key (shape, key, section, from, to);
  }
  return TL_OK;
}

// The whole state that the event leads to.
static tl_status step_in_state (tl_machine *m, uint32_t event, uint64_t *key,
                                bool *fits) {
  const size_t end = m->event_move_start[event + 1];
  memcpy (m->next, m->now, m->sections * sizeof *m->now);
  for (size_t i = m->event_move_start[event]; i < end; i++) {
    const uint32_t move = m->event_move[i], section = m->event_section[i];
    const tl_status rc = after (m, move, m->now[section], m->next + section);
    if (rc)
      return rc;
  }
  const tl_status rc = m->derives ? tl_follow_check (m, m->next) : TL_OK;
  *fits = !rc && tl_shape_pack (m, &m->shape, m->next, key);
  return rc;
}

static tl_status step (tl_machine *m, uint32_t event, uint64_t *key,
                       bool *fits) {
  if (m->kernel.holds && tl_kernel_step (m, event, key, fits))
    return TL_OK;
  tl_kernel_let_go (m);
  return m->form == TL_KEYS_CODED || m->derives
             ? step_in_state (m, event, key, fits)
             : step_in_key (m, event, key, fits);
}

static bool make_room (tl_machine *m, uint32_t count) {
  return TL_ROOM (m->mem, m->made, &m->made_room,
                  (size_t)count * m->shape.words) &&
         TL_ROOM (m->mem, m->made_event, &m->made_event_room, (size_t)count);
}

// Has the entries that firing will ask for on their way.
static void prefetch (const tl_machine *m, const uint32_t *events,
                      uint32_t count) {
  for (uint32_t i = 0; !m->kernel.holds && i < count; i++)
    for (size_t k = m->event_move_start[events[i]];
         k < m->event_move_start[events[i] + 1]; k++)
      __builtin_prefetch (m->step.entry +
                          tl_moved_first (&m->step, m->event_move[k],
                                          m->now[m->event_section[k]]));
}

static uint32_t make (tl_machine *m, const uint32_t *events, uint32_t count) {
  const uint32_t words = m->shape.words;
  m->made_count = 0;
  if (!make_room (m, count)) {
    tl_machine_fail (m, TL_E_NOMEM, TL_NO_EVENT);
    return 0;
  }
  prefetch (m, events, count);
  for (uint32_t i = 0; i < count; i++) {
    bool fits;
    const tl_status rc =
        step (m, events[i], m->made + (size_t)i * words, &fits);
    if (rc)
      tl_machine_fail (m, rc, events[i]);
    if (rc || !fits)
      break;
    m->made_event[m->made_count++] = events[i];
  }
  return m->made_count;
}

uint32_t tl_machine_steps (tl_machine *m, const uint64_t *key,
                           const uint32_t *events, uint32_t count,
                           uint64_t *keys) {
  tl_machine_load (m, key);
  if (!count)
    return 0;
  if (m->made_count < count ||
      memcmp (m->made_event, events, count * sizeof *events))
    count = make (m, events, count);
  if (keys)
    memcpy (keys, m->made, (size_t)count * m->shape.words * sizeof *keys);
  return count;
}

// ---- Back ------------------------------------------------------------------

// The local marking of a section before a move, in m->next.
static tl_status before (tl_machine *m, uint32_t move, uint32_t local) {
  uint32_t *result = m->next + tl_move_section (m, move);
  const tl_moved *known = tl_moved_at (&m->back, move, local);
  if (!known->result)
    return tl_move_back (m, move, local, result);
  *result = known->result - 1;
  return TL_OK;
}

// The key need not be that of a state that the event led to: what is before it
// may be no marking of the net, and then no code says it.
static tl_status step_back_in_code (tl_machine *m, uint32_t event,
                                    uint64_t *key) {
  const size_t end = m->event_move_start[event + 1];
  uint64_t bits;
  tl_status rc = tl_coded_read (m, key, m->next);
  for (size_t i = m->event_move_start[event]; !rc && i < end; i++) {
    const uint32_t section = m->event_section[i];
    if (!m->coded.redundant[m->place_of[section]])
      rc = before (m, m->event_move[i], m->next[section]);
  }
  if (rc || (rc = tl_coded_bits (m, m->next, &bits)))
    return rc;
  return bits <= 64 * (uint64_t)m->shape.words &&
                 tl_coded_pack (m, m->next, key)
             ? TL_OK
             : TL_E_INTERNAL;
}

// On the way to m->next, so that the key remains if it fails.
static tl_status step_back_in_key (tl_machine *m, uint32_t event,
                                   uint64_t *key) {
  const size_t first = m->event_move_start[event],
               end = m->event_move_start[event + 1];
  for (size_t i = first; i < end; i++) {
    const uint32_t move = m->event_move[i], section = m->event_section[i];
    tl_status rc = TL_OK;
    if (m->shape.width[section])
      rc = before (m, move, tl_shape_get (&m->shape, key, section));
    if (rc)
      return rc;
  }
  for (size_t i = first; i < end; i++) {
    const uint32_t section = m->event_section[i];
    if (m->shape.width[section])
      tl_shape_set (&m->shape, key, section, m->next[section]);
  }
  return TL_OK;
}

bool tl_machine_undo (tl_machine *m, uint32_t event, uint64_t *key) {
  tl_status rc = m->kernel.code ? tl_kernel_undo (m, event, key) : TL_E_ARG;
  if (rc == TL_E_ARG)
    rc = m->form == TL_KEYS_CODED ? step_back_in_code (m, event, key)
                                  : step_back_in_key (m, event, key);
  if (rc == TL_E_NOMEM)
    tl_machine_fail (m, rc, event);
  return !rc;
}
