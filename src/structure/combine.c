#include "structure/combine.h"

tl_status tl_combiner_open (tl_combiner *c, tl_mem *mem,
                            const tl_incidence *incidence) {
  *c = (tl_combiner){.mem = mem, .incidence = incidence};
  if (TL_NEW (mem, c->sum, incidence->transitions))
    return TL_OK;
  *c = (tl_combiner){0};
  return TL_E_NOMEM;
}

void tl_combiner_close (tl_combiner *c) {
  if (!c->mem)
    return;
  TL_DEL (c->mem, c->sum, c->incidence->transitions);
  TL_DEL (c->mem, c->touched, c->touched_capacity);
  *c = (tl_combiner){0};
}

tl_status tl_combine (tl_combiner *c, const tl_entry *terms, uint32_t count,
                      tl_sign *sign) {
  size_t entries = 0, n = 0;
  for (uint32_t i = 0; i < count; i++)
    entries += tl_incidence_place (c->incidence, terms[i].index).count;
  if (!TL_ROOM (c->mem, c->touched, &c->touched_capacity, entries))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < count; i++) {
    const tl_vector row = tl_incidence_place (c->incidence, terms[i].index);
    for (uint32_t k = 0; k < row.count; k++) {
      const uint32_t t = row.term[k].index;
      c->touched[n++] = t;
      c->sum[t] += (__int128)terms[i].factor * row.term[k].factor;
    }
  }
  *sign = TL_SIGN_ZERO;
  while (n) {
    const uint32_t t = c->touched[--n];
    if (c->sum[t] > 0)
      *sign = TL_SIGN_UP;
    else if (c->sum[t] < 0 && *sign == TL_SIGN_ZERO)
      *sign = TL_SIGN_DOWN;
    c->sum[t] = 0;
  }
  return TL_OK;
}
