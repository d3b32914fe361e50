#include "base/bits.h"
#include "machine/parts.h"

#include <string.h>

// Keys: the numbers of the local markings in as many bits as they take so far.

enum { HEADROOM = 1 }; // bits more than the numbers take now, for speed

tl_status tl_shape_open (tl_machine *m, tl_shape *shape) {
  *shape = (tl_shape){0};
  if (m->form == TL_KEYS_CODED) {
    shape->words = (uint32_t)(m->view.longest_code / 64 + 1);
    shape->bits = 64 * shape->words;
    return TL_OK;
  }
  if (!TL_NEW (m->mem, shape->width, m->places + 1) ||
      !TL_NEW (m->mem, shape->start, m->places + 1)) {
    tl_shape_close (m, shape);
    return TL_E_NOMEM;
  }
  for (uint32_t p = 0; p < m->places; p++) {
    // A place whose marking never changed so far takes a bit all the same.
    const unsigned bits = tl_bits_for (m->local[p].count);
    if (m->form == TL_KEYS_NUMBERS)
      shape->width[p] = (uint8_t)(bits + HEADROOM);
    else if (!m->coded.redundant[p])
      shape->width[p] = (uint8_t)bits;
    shape->start[p] = shape->bits;
    shape->bits += shape->width[p];
  }
  shape->words = shape->bits / 64 + 1;
  shape->bits = shape->bits ? shape->bits : 1;
  return TL_OK;
}

void tl_shape_close (tl_machine *m, tl_shape *shape) {
  TL_DEL (m->mem, shape->width, m->places + 1);
  TL_DEL (m->mem, shape->start, m->places + 1);
}

uint32_t tl_shape_get (const tl_shape *shape, const uint64_t *key,
                       uint32_t place) {
  return (uint32_t)tl_get_bits (key, shape->start[place], shape->width[place]);
}

void tl_shape_set (const tl_shape *shape, uint64_t *key, uint32_t place,
                   uint32_t local) {
  tl_set_bits (key, shape->start[place], shape->width[place], local);
}

bool tl_shape_pack (tl_machine *m, const tl_shape *shape, const uint32_t *state,
                    uint64_t *key) {
  if (m->form == TL_KEYS_CODED)
    return tl_coded_pack (m, state, key);
  memset (key, 0, shape->words * sizeof *key);
  for (uint32_t p = 0; p < m->places; p++) {
    if (!shape->width[p])
      continue;
    if (state[p] > tl_low_bits (shape->width[p]))
      return false;
    tl_shape_set (shape, key, p, state[p]);
  }
  return true;
}

void tl_shape_unpack (tl_machine *m, const tl_shape *shape, const uint64_t *key,
                      uint32_t *state) {
  if (m->form == TL_KEYS_CODED) {
    tl_coded_unpack (m, key, state);
    return;
  }
  for (uint32_t p = 0; p < m->places; p++)
    if (shape->width[p])
      state[p] = tl_shape_get (shape, key, p);
  if (m->form == TL_KEYS_COLLAPSED)
    tl_follow (m, state);
}

void tl_machine_load (tl_machine *m, const uint64_t *key) {
  const size_t bytes = m->shape.words * sizeof *key;
  if (m->loaded && !memcmp (m->now_key, key, bytes))
    return;
  tl_shape_unpack (m, &m->shape, key, m->now);
  memcpy (m->now_key, key, bytes);
  m->loaded = true;
  m->made_count = 0;
  tl_status rc = TL_OK;
  for (uint32_t p = 0; p < m->places; p++)
    if (m->now[p] >= m->looked_at[p] && !rc)
      rc = tl_machine_look_at (m, p);
  if (rc)
    tl_machine_fail (m, rc, TL_NO_EVENT);
}
