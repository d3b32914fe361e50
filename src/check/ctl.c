#include "check/ctl.h"

#include <string.h>

static bool is_quantifier (tl_op op) {
  return op == TL_EXISTS || op == TL_ALL;
}

tl_status tl_ctl_prepare (tl_labels *l, const tl_formula *f) {
  if (!tl_formula_has_temporal (f))
    return tl_labels_add (l, f);
  // A quantifier and the operator under it are one.
  const tl_formula *operator= is_quantifier (f->op) ? f->operand[0] : f;
  const bool temporal = operator->op >= TL_NEXT;
  if (temporal != is_quantifier (f->op))
    return TL_E_MODEL;
  for (uint32_t i = 0; i < tl_formula_operands (operator); i++) {
    const tl_status rc = tl_ctl_prepare (l, operator->operand[i]);
    if (rc)
      return rc;
  }
  return TL_OK;
}

static void intersect (const tl_fixpoints *f, uint64_t *a, const uint64_t *b) {
  for (size_t i = 0; i < f->words; i++)
    a[i] &= b[i];
}

static void unite (const tl_fixpoints *f, uint64_t *a, const uint64_t *b) {
  for (size_t i = 0; i < f->words; i++)
    a[i] |= b[i];
}

// E (a R b) = EG b or E (b U (a and b)).
static tl_status exists_release (tl_fixpoints *f, uint64_t *a, uint64_t *b) {
  intersect (f, a, b);
  tl_status rc = tl_set_until (f, b, a);
  if (!rc)
    rc = tl_set_stay (f, b);
  unite (f, b, a);
  return rc;
}

// The states where E (operator a b) holds, in b; a null for one operand.
static tl_status exists (tl_fixpoints *f, tl_op op, uint64_t *a, uint64_t **b) {
  uint64_t *next;
  tl_status rc;
  switch (op) {
  case TL_NEXT:
    if (!(next = tl_set_new (f)))
      return TL_E_NOMEM;
    rc = tl_set_before (f, *b, next);
    tl_set_close (f, *b);
    *b = next;
    return rc;
  case TL_FINALLY: return tl_set_until (f, 0, *b);
  case TL_GLOBALLY: return tl_set_stay (f, *b);
  case TL_UNTIL: return tl_set_until (f, a, *b);
  default: return exists_release (f, a, *b);
  }
}

// NOT A op NOT = E dual.
static tl_op dual (tl_op op) {
  return op == TL_FINALLY    ? TL_GLOBALLY
         : op == TL_GLOBALLY ? TL_FINALLY
         : op == TL_UNTIL    ? TL_RELEASE
         : op == TL_RELEASE  ? TL_UNTIL
                             : op;
}

static tl_status quantified (tl_fixpoints *f, const tl_labels *l,
                             const tl_formula *formula, uint64_t **set) {
  const tl_formula *operator= formula->operand[0];
  const bool all = formula->op == TL_ALL;
  const bool two = operator->count == 2;
  uint64_t *a = 0;
  tl_status rc = tl_ctl_states (f, l, operator->operand[two], set);
  if (!rc && two)
    rc = tl_ctl_states (f, l, operator->operand[0], &a);
  if (!rc && all) {
    tl_set_invert (f, *set);
    if (a)
      tl_set_invert (f, a);
  }
  if (!rc)
    rc = exists (f, all ? dual (operator->op) : operator->op, a, set);
  if (!rc && all)
    tl_set_invert (f, *set);
  tl_set_close (f, a);
  return rc;
}

// NOT, AND, OR.
static tl_status combined (tl_fixpoints *f, const tl_labels *l,
                           const tl_formula *formula, uint64_t **set) {
  tl_status rc = tl_ctl_states (f, l, formula->operand[0], set);
  if (!rc && formula->op == TL_NOT)
    tl_set_invert (f, *set);
  for (uint32_t i = 1; !rc && i < formula->count; i++) {
    uint64_t *other;
    rc = tl_ctl_states (f, l, formula->operand[i], &other);
    if (!rc)
      (formula->op == TL_AND ? intersect : unite) (f, *set, other);
    tl_set_close (f, other);
  }
  return rc;
}

tl_status tl_ctl_states (tl_fixpoints *f, const tl_labels *l,
                         const tl_formula *formula, uint64_t **set) {
  *set = 0;
  if (tl_formula_has_temporal (formula))
    return is_quantifier (formula->op) ? quantified (f, l, formula, set)
                                       : combined (f, l, formula, set);
  if (!(*set = tl_set_new (f)))
    return TL_E_NOMEM;
  memcpy (*set, tl_labels_find (l, formula),
          (size_t)(f->graph->states + 63) / 64 * sizeof **set);
  return TL_OK;
}
