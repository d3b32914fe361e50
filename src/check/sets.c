#include "check/sets.h"

void tl_set_intersect (const tl_fixpoints *f, uint64_t *a, const uint64_t *b) {
  for (size_t i = 0; i < f->words; i++)
    a[i] &= b[i];
}

void tl_set_unite (const tl_fixpoints *f, uint64_t *a, const uint64_t *b) {
  for (size_t i = 0; i < f->words; i++)
    a[i] |= b[i];
}

static tl_status exists_next (tl_fixpoints *f, uint64_t **set) {
  uint64_t *before = tl_set_new (f);
  if (!before)
    return TL_E_NOMEM;
  const tl_status rc = tl_set_before (f, *set, before);
  tl_set_close (f, *set);
  *set = before;
  return rc;
}

// E (a R b) = EG b or E (b U (a and b)).
static tl_status exists_release (tl_fixpoints *f, uint64_t *a, uint64_t *b) {
  tl_set_intersect (f, a, b);
  tl_status rc = tl_set_until (f, b, a);
  if (!rc)
    rc = tl_set_stay (f, b);
  tl_set_unite (f, b, a);
  return rc;
}

static tl_status exists (tl_fixpoints *f, tl_op op, uint64_t *a, uint64_t **b) {
  switch (op) {
  case TL_NEXT: return exists_next (f, b);
  case TL_FINALLY: return tl_set_until (f, 0, *b);
  case TL_GLOBALLY: return tl_set_stay (f, *b);
  case TL_UNTIL: return tl_set_until (f, a, *b);
  default: return exists_release (f, a, *b);
  }
}

tl_op tl_op_dual (tl_op op) {
  switch (op) {
  case TL_FINALLY: return TL_GLOBALLY;
  case TL_GLOBALLY: return TL_FINALLY;
  case TL_UNTIL: return TL_RELEASE;
  case TL_RELEASE: return TL_UNTIL;
  default: return op;
  }
}

tl_status tl_set_path (tl_fixpoints *f, bool all, tl_op op, uint64_t *a,
                       uint64_t **b) {
  if (!all)
    return exists (f, op, a, b);
  tl_set_invert (f, *b);
  if (a)
    tl_set_invert (f, a);
  const tl_status rc = exists (f, tl_op_dual (op), a, b);
  tl_set_invert (f, *b);
  return rc;
}
