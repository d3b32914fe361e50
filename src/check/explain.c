#include "check/explain.h"

const tl_sat *tl_explain_only (const tl_sat *s, uint64_t parts) {
  const tl_sat *only = 0;
  for (uint32_t i = 0; i < s->parts && i < 64; i++) {
    if (!(parts >> i & 1) || s->part[i]->kind == TL_SAT_LABEL)
      continue;
    if (only)
      return 0;
    only = s->part[i];
  }
  return only;
}

// Of AND or OR: the part that is to be explained; null: none.  If all parts
// have the value, that is the only one with an operator of time; if one of them
// is enough, the first one there is.
static tl_status choose_part (const tl_explainer *e, const tl_sat *s,
                              uint64_t state, bool value,
                              const tl_sat **chosen) {
  *chosen = 0;
  if ((s->formula->op == TL_AND) == value) {
    *chosen = tl_explain_only (s, ~(uint64_t)0);
    return TL_OK;
  }
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < s->parts; i++) {
    const tl_sat *part = s->part[i];
    bool holds = false;
    if (*chosen && part->kind != TL_SAT_LABEL)
      continue;
    rc = e->holds (e->context, part, state, &holds);
    if (rc || holds != value)
      continue;
    *chosen = part;
    if (part->kind == TL_SAT_LABEL) // seen at once
      break;
  }
  return rc;
}

// Has a run, or every run, to be shown?
static bool one_is_enough (const tl_sat *s, bool value) {
  return (s->formula->op == TL_EXISTS) == value;
}

tl_status tl_explain (const tl_explainer *e, const tl_sat *s, uint64_t state,
                      bool value, tl_run *run) {
  tl_status rc = TL_OK;
  while (!rc && s && s->kind != TL_SAT_LABEL) {
    if (s->kind == TL_SAT_BOOLEAN && s->formula->op == TL_NOT) {
      s = s->part[0];
      value = !value;
    } else if (s->kind == TL_SAT_BOOLEAN)
      rc = choose_part (e, s, state, value, &s);
    else if (one_is_enough (s, value))
      rc = e->show (e->context, s, &state, run, &s, &value);
    else
      s = 0;
  }
  return rc;
}

const tl_sat *tl_explain_end (const tl_sat *s, tl_reason why, bool *value) {
  const tl_sat *rest = tl_explain_only (s, why.holds | why.fails);
  for (uint32_t i = 0; i < s->parts; i++)
    if (s->part[i] == rest)
      *value = why.holds >> i & 1;
  return rest;
}
