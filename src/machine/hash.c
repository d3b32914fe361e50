#include "machine/parts.h"

// A hash of states that is a sum over their tokens, so that an event adds the
// same to it wherever it fires.  Places that keys leave out do not count.

// What a token is worth: never nothing, and only 0 is mixed to 0.  A kernel
// knows tokens by their ranks.
static uint64_t weight (const tl_machine *m, uint32_t place, uint32_t token) {
  const uint64_t known =
      m->kernel.planned ? tl_kernel_rank (m, place, token) : token;
  return tl_mix (((uint64_t)place << 32 | known) + 1);
}

static bool counts (const tl_machine *m, uint32_t section) {
  return m->form == TL_KEYS_CODED ? !m->coded.redundant[m->place_of[section]]
                                  : m->shape.width[section];
}

uint64_t tl_machine_hash (tl_machine *m, const uint64_t *key) {
  const bool coded = m->form == TL_KEYS_CODED;
  uint64_t hash = 0;
  if (coded && !tl_kernel_hash (m, key, &hash))
    return hash;
  const tl_status rc = coded ? tl_coded_read (m, key, m->next) : TL_OK;
  if (rc)
    tl_machine_fail (m, rc, TL_NO_EVENT);
  for (uint32_t s = 0; !rc && s < m->sections; s++) {
    if (!counts (m, s))
      continue;
    const tl_local_list list = tl_machine_list (
        m, s, coded ? m->next[s] : tl_shape_get (&m->shape, key, s));
    for (uint32_t i = 0; i < list.count; i++)
      hash += weight (m, m->place_of[s], tl_list_token (list, i)) *
              tl_list_many (list, i);
  }
  return hash;
}

uint64_t tl_machine_change (const tl_machine *m, uint32_t event) {
  uint64_t change = 0;
  for (size_t i = m->effect_start[event]; i < m->effect_start[event + 1]; i++) {
    const tl_effect *e = m->effect + i;
    if (counts (m, tl_machine_section (m, e->place, e->token)))
      change += weight (m, e->place, e->token) * (uint64_t)(int64_t)e->change;
  }
  return change;
}
