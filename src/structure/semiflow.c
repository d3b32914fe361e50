#include "structure/semiflow.h"

tl_status tl_semiflows_open (tl_semiflows *f, tl_mem *mem,
                             const tl_incidence *c, const uint32_t *initial) {
  *f = (tl_semiflows){.mem = mem, .initial = initial};
  const tl_status rc = tl_combiner_open (&f->combiner, mem, c);
  if (rc)
    *f = (tl_semiflows){0};
  return rc;
}

void tl_semiflows_close (tl_semiflows *f) {
  if (!f->mem)
    return;
  TL_DEL (f->mem, f->semiflow, f->capacity);
  TL_DEL (f->mem, f->term, f->term_capacity);
  tl_combiner_close (&f->combiner);
  *f = (tl_semiflows){0};
}

// False where a weight is out of range or the sum does not fit.
static bool weigh (const tl_semiflows *f, const tl_entry *terms, uint32_t count,
                   int64_t divisor, uint64_t *tokens) {
  unsigned __int128 sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    const int64_t weight = terms[i].factor / divisor;
    if (weight <= 0 || weight > TL_MAX_WEIGHT)
      return false;
    sum += (unsigned __int128)weight * f->initial[terms[i].index];
  }
  *tokens = (uint64_t)sum;
  return sum < UINT64_MAX;
}

tl_status tl_semiflows_add (tl_semiflows *f, const tl_entry *terms,
                            uint32_t count, tl_semiflow_kind *kind) {
  *kind = TL_SEMIFLOW_NO;
  uint64_t tokens;
  const int64_t divisor = tl_terms_divisor (terms, count);
  if (!count || !weigh (f, terms, count, divisor, &tokens))
    return TL_OK;
  if (!TL_ROOM (f->mem, f->semiflow, &f->capacity, f->count + 1) ||
      !TL_ROOM (f->mem, f->term, &f->term_capacity, f->term_count + count))
    return TL_E_NOMEM;
  tl_entry *copy = f->term + f->term_count;
  for (uint32_t i = 0; i < count; i++)
    copy[i] = (tl_entry){terms[i].index, terms[i].factor / divisor};
  tl_sign sign;
  const tl_status rc = tl_combine (&f->combiner, copy, count, &sign);
  if (rc || sign == TL_SIGN_UP)
    return rc;
  *kind = sign == TL_SIGN_ZERO ? TL_SEMIFLOW_EXACT : TL_SEMIFLOW_SUB;
  f->semiflow[f->count++] = (tl_semiflow){f->term_count, count, *kind, tokens};
  f->term_count += count;
  return TL_OK;
}

void tl_semiflows_drop_last (tl_semiflows *f) {
  f->term_count = f->semiflow[--f->count].start;
}
