#include "check/sets.h"

static tl_status exists_next (tl_sets *s, tl_state_set **set) {
  tl_state_set *before = s->kind->open (s);
  if (!before)
    return TL_E_NOMEM;
  const tl_status rc = s->kind->before (s, *set, before);
  s->kind->close (s, *set);
  *set = before;
  return rc;
}

// E (a R b) = EG b or E (b U (a and b)).
static tl_status exists_release (tl_sets *s, tl_state_set *a, tl_state_set *b) {
  tl_status rc = s->kind->intersect (s, a, b);
  if (!rc)
    rc = s->kind->until (s, b, a);
  if (!rc)
    rc = s->kind->stay (s, b);
  return rc ? rc : s->kind->unite (s, b, a);
}

static tl_status exists (tl_sets *s, tl_op op, tl_state_set *a,
                         tl_state_set **b) {
  switch (op) {
  case TL_NEXT: return exists_next (s, b);
  case TL_FINALLY: return s->kind->until (s, 0, *b);
  case TL_GLOBALLY: return s->kind->stay (s, *b);
  case TL_UNTIL: return s->kind->until (s, a, *b);
  default: return exists_release (s, a, *b);
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

tl_status tl_set_negate (tl_sets *s, tl_state_set *a, tl_state_set *b) {
  const tl_status rc = s->kind->complement (s, b);
  return rc || !a ? rc : s->kind->complement (s, a);
}

tl_status tl_set_path (tl_sets *s, bool all, tl_op op, tl_state_set *a,
                       tl_state_set **b) {
  if (!all)
    return exists (s, op, a, b);
  tl_status rc = tl_set_negate (s, a, *b);
  if (!rc)
    rc = exists (s, tl_op_dual (op), a, b);
  return rc ? rc : s->kind->complement (s, *b);
}
