#include "base/bits.h"
#include "machine/parts.h"

#include <string.h>

// Keys: the numbers of the local markings in as many bits as they take so far.

enum { HEADROOM = 1 }; // bits more than the numbers take now

tl_status tl_shape_open (tl_machine *m, tl_shape *shape) {
  *shape = (tl_shape){0};
  if (m->is_coded) {
    shape->words = (uint32_t)(m->coded.longest / 64 + 1);
    shape->bits = 64 * shape->words;
    return TL_OK;
  }
  if (!TL_NEW (m->mem, shape->width, m->places + 1))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < m->places; p++) {
    // A place whose marking never changed so far takes a bit all the same.
    shape->width[p] = (uint8_t)(tl_bits_for (m->local[p].count) + HEADROOM);
    shape->bits += shape->width[p];
  }
  shape->words = shape->bits / 64 + 1;
  shape->bits = shape->bits ? shape->bits : 1;
  return TL_OK;
}

void tl_shape_close (tl_machine *m, tl_shape *shape) {
  if (shape->width)
    TL_DEL (m->mem, shape->width, m->places + 1);
}

bool tl_shape_pack (tl_machine *m, const tl_shape *shape, const uint32_t *state,
                    uint64_t *key) {
  if (m->is_coded)
    return tl_coded_pack (m, state, key);
  memset (key, 0, shape->words * sizeof *key);
  uint32_t at = 0;
  for (uint32_t p = 0; p < m->places; p++) {
    const uint64_t value = state[p];
    const uint32_t width = shape->width[p], shift = at % 64;
    if (value > tl_low_bits (width))
      return false;
    key[at / 64] |= value << shift;
    if (shift + width > 64)
      key[at / 64 + 1] |= value >> (64 - shift);
    at += width;
  }
  return true;
}

void tl_shape_unpack (tl_machine *m, const tl_shape *shape, const uint64_t *key,
                      uint32_t *state) {
  if (m->is_coded) {
    tl_coded_unpack (m, key, state);
    return;
  }
  uint32_t at = 0;
  for (uint32_t p = 0; p < m->places; p++) {
    const uint32_t width = shape->width[p], shift = at % 64;
    uint64_t value = key[at / 64] >> shift;
    if (shift + width > 64)
      value |= key[at / 64 + 1] << (64 - shift);
    state[p] = (uint32_t)(value & tl_low_bits (width));
    at += width;
  }
}

void tl_machine_load (tl_machine *m, const uint64_t *key) {
  const size_t bytes = m->shape.words * sizeof *key;
  if (m->known && !memcmp (m->now_key, key, bytes))
    return;
  tl_shape_unpack (m, &m->shape, key, m->now);
  memcpy (m->now_key, key, bytes);
  m->known = true;
  m->made_count = 0;
}
