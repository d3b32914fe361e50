#include "base/bits.h"
#include "machine/parts.h"

#include <string.h>

// Keys: the numbers of the local markings in as many bits as they take so far.

// Bits more than the numbers take now, for speed: keys that get longer when
// there are many of them take time.
enum { HEADROOM = 1, MANY_HEADROOM = 3, MANY = 64 };

static unsigned with_headroom (uint32_t locals) {
  return tl_bits_for (locals) + (locals > MANY ? MANY_HEADROOM : HEADROOM);
}

unsigned tl_section_width (uint32_t locals) {
  if (locals > MANY)
    return with_headroom (locals);
  return locals > 2 ? tl_bits_for (locals - 1) : 1;
}

static unsigned width_of (const tl_machine *m, uint32_t section) {
  const uint32_t locals = m->local[section].count;
  if (tl_section_is_gone (m, section))
    return 0;
  if (section >= m->places)
    return tl_section_width (locals);
  // A place whose marking never changed so far takes a bit all the same.
  if (m->form == TL_KEYS_NUMBERS)
    return with_headroom (locals);
  return m->coded.redundant[section] ? 0 : tl_bits_for (locals);
}

tl_status tl_shape_open (tl_machine *m, tl_shape *shape) {
  *shape = (tl_shape){0};
  if (m->form == TL_KEYS_CODED) {
    shape->words = (uint32_t)(m->view.longest_code / 64 + 1);
    shape->bits = 64 * shape->words;
    return TL_OK;
  }
  shape->sections = m->sections;
  if (!TL_NEW (m->mem, shape->width, m->sections + 1) ||
      !TL_NEW (m->mem, shape->start, m->sections + 1)) {
    tl_shape_close (m, shape);
    return TL_E_NOMEM;
  }
  for (uint32_t s = 0; s < m->sections; s++) {
    shape->width[s] = (uint8_t)width_of (m, s);
    shape->start[s] = shape->bits;
    shape->bits += shape->width[s];
  }
  shape->words = shape->bits / 64 + 1;
  shape->bits = shape->bits ? shape->bits : 1;
  return TL_OK;
}

void tl_shape_close (tl_machine *m, tl_shape *shape) {
  TL_DEL (m->mem, shape->width, shape->sections + 1);
  TL_DEL (m->mem, shape->start, shape->sections + 1);
}

bool tl_shape_pack (tl_machine *m, const tl_shape *shape, const uint32_t *state,
                    uint64_t *key) {
  if (m->form == TL_KEYS_CODED)
    return tl_coded_pack (m, state, key);
  memset (key, 0, shape->words * sizeof *key);
  for (uint32_t s = 0; s < shape->sections; s++) {
    if (!shape->width[s])
      continue;
    if (state[s] > tl_low_bits (shape->width[s]))
      return false;
    tl_shape_set (shape, key, s, state[s]);
  }
  return true;
}

// Other machines may have given them; without memory for what they stand for
// the state is no good, and has others.
void tl_shape_read (tl_machine *m, const tl_shape *shape, const uint64_t *key,
                    uint32_t *state) {
  for (uint32_t s = 0; s < shape->sections; s++) {
    if (!shape->width[s])
      continue;
    state[s] = tl_shape_get (shape, key, s);
    if (state[s] < m->looked_at[s] || state[s] < m->local[s].count)
      continue;
    const tl_status rc = tl_machine_learn_section (m, s);
    if (rc) {
      tl_machine_fail (m, rc, TL_NO_EVENT);
      state[s] = 0;
    }
  }
}

void tl_shape_unpack (tl_machine *m, const tl_shape *shape, const uint64_t *key,
                      uint32_t *state) {
  if (m->form == TL_KEYS_CODED) {
    tl_coded_unpack (m, key, state);
    return;
  }
  tl_shape_read (m, shape, key, state);
  if (m->form == TL_KEYS_COLLAPSED)
    tl_follow (m, state);
}

void tl_machine_load_numbers (tl_machine *m, const uint64_t *key) {
  tl_status rc = TL_OK;
  tl_shape_unpack (m, &m->shape, key, m->now);
  for (uint32_t s = 0; s < m->sections; s++)
    if (m->now[s] >= m->looked_at[s] && !rc)
      rc = tl_machine_look_at (m, s);
  if (rc)
    tl_machine_fail (m, rc, TL_NO_EVENT);
}

void tl_machine_load (tl_machine *m, const uint64_t *key) {
  const size_t bytes = m->shape.words * sizeof *key;
  if (m->loaded && !memcmp (m->now_key, key, bytes))
    return;
  memcpy (m->now_key, key, bytes);
  m->loaded = true;
  m->made_count = 0;
  if (!tl_kernel_load (m, key))
    tl_machine_load_numbers (m, key);
}
