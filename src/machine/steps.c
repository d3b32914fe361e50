#include "machine/parts.h"

#include <string.h>

// Firing events, forth and back.

// Effects on the same place stand side by side.
static uint32_t effects_at (const tl_machine *m, size_t at, size_t end) {
  uint32_t n = 1;
  while (at + n < end && m->effect[at + n].place == m->effect[at].place)
    n++;
  return n;
}

// What is computed of a place, its local marking and effects on it.
typedef tl_status moved (tl_machine *, uint32_t place, uint32_t local,
                         const tl_effect *, uint32_t effects, uint32_t *result);

// The local marking that a place has then, from memory if it can.
static tl_status move_place (tl_machine *m, tl_memo *memo, moved *compute,
                             uint32_t event, size_t at, uint32_t effects,
                             uint32_t local) {
  const uint32_t place = m->effect[at].place;
  const uint32_t key[3] = {place, local, event};
  uint32_t *entry = tl_memo_at (memo, key);
  if (!entry[3] || memcmp (entry, key, sizeof key)) {
    uint32_t result;
    const tl_status rc =
        compute (m, place, local, m->effect + at, effects, &result);
    if (rc)
      return rc;
    memcpy (entry, key, sizeof key);
    entry[3] = result + 1;
  }
  m->next[place] = entry[3] - 1;
  return TL_OK;
}

static tl_status step_place (tl_machine *m, uint32_t event, size_t at,
                             uint32_t effects) {
  return move_place (m, &m->step, tl_machine_after, event, at, effects,
                     m->now[m->effect[at].place]);
}

static tl_status unstep_place (tl_machine *m, uint32_t event, size_t at,
                               uint32_t effects, uint32_t local) {
  return move_place (m, &m->back, tl_machine_before, event, at, effects, local);
}

// *fits: the key has room for it.
static tl_status step (tl_machine *m, uint32_t event, uint64_t *key,
                       bool *fits) {
  const size_t end = m->effect_start[event + 1];
  memcpy (m->next, m->now, m->places * sizeof *m->now);
  for (size_t at = m->effect_start[event]; at < end;) {
    const uint32_t effects = effects_at (m, at, end);
    const tl_status rc = step_place (m, event, at, effects);
    if (rc)
      return rc;
    at += effects;
  }
  const tl_status rc = m->derives ? tl_follow_check (m, m->next) : TL_OK;
  *fits = !rc && tl_shape_pack (m, &m->shape, m->next, key);
  return rc;
}

static bool make_room (tl_machine *m, uint32_t count) {
  return TL_ROOM (m->mem, m->made, &m->made_room,
                  (size_t)count * m->shape.words) &&
         TL_ROOM (m->mem, m->made_event, &m->made_event_room, (size_t)count);
}

static uint32_t make (tl_machine *m, const uint32_t *events, uint32_t count) {
  const uint32_t words = m->shape.words;
  m->made_count = 0;
  if (!make_room (m, count)) {
    tl_machine_fail (m, TL_E_NOMEM, TL_NO_EVENT);
    return 0;
  }
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
  if (m->made_count < count ||
      memcmp (m->made_event, events, count * sizeof *events))
    count = make (m, events, count);
  if (keys)
    memcpy (keys, m->made, (size_t)count * m->shape.words * sizeof *keys);
  return count;
}

static tl_status step_back_in_code (tl_machine *m, uint32_t event,
                                    uint64_t *key) {
  const size_t end = m->effect_start[event + 1];
  tl_machine_load (m, key);
  memcpy (m->next, m->now, m->places * sizeof *m->now);
  for (size_t at = m->effect_start[event]; at < end;) {
    const uint32_t effects = effects_at (m, at, end);
    const tl_status rc =
        unstep_place (m, event, at, effects, m->now[m->effect[at].place]);
    if (rc)
      return rc;
    at += effects;
  }
  tl_shape_pack (m, &m->shape, m->next, key);
  return TL_OK;
}

// The same in a key that is made of numbers: only those that change are looked
// at.  On the way to m->next, so that the key remains if it fails.
static tl_status step_back_in_key (tl_machine *m, uint32_t event,
                                   uint64_t *key) {
  const size_t first = m->effect_start[event], end = m->effect_start[event + 1];
  for (size_t at = first; at < end;) {
    const uint32_t effects = effects_at (m, at, end);
    const uint32_t place = m->effect[at].place;
    tl_status rc = TL_OK;
    if (m->shape.width[place])
      rc = unstep_place (m, event, at, effects,
                         tl_shape_get (&m->shape, key, place));
    if (rc)
      return rc;
    at += effects;
  }
  for (size_t at = first; at < end; at += effects_at (m, at, end)) {
    const uint32_t place = m->effect[at].place;
    if (m->shape.width[place])
      tl_shape_set (&m->shape, key, place, m->next[place]);
  }
  return TL_OK;
}

bool tl_machine_undo (tl_machine *m, uint32_t event, uint64_t *key) {
  const tl_status rc = m->form == TL_KEYS_CODED
                           ? step_back_in_code (m, event, key)
                           : step_back_in_key (m, event, key);
  if (rc == TL_E_NOMEM)
    tl_machine_fail (m, rc, event);
  return !rc;
}
