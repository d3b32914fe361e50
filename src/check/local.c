#include "check/local.h"

#include "check/explain.h"
#include "check/nested.h"

#include <stdlib.h>

// ---- Opening ---------------------------------------------------------------

static tl_status ask_atom (void *, uint32_t atom, uint64_t state, bool *holds);

static void open_product (tl_local *l) {
  tl_oracle oracle = {.context = l, .ask = ask_atom};
  for (uint32_t i = 0; i < l->sat->parts; i++)
    if (l->sat->part[i]->kind == TL_SAT_LABEL)
      oracle.cheap |= (uint64_t)1 << i;
  tl_product_open_space (&l->product, l->space->mem, l->space,
                         &l->sat->automaton->general, &oracle);
}

static tl_status open_in (tl_local *l, tl_arena *arena, tl_space *space,
                          const tl_labels *labels, const tl_sat *sat,
                          tl_vantage *vantage) {
  *l = (tl_local){.sat = sat, .space = space, .vantage = vantage};
  if (sat->kind == TL_SAT_LABEL)
    l->program = tl_labels_program (labels, sat->formula);
  if (sat->kind == TL_SAT_PATH)
    open_product (l);
  if (sat->parts && !TL_ARENA_NEW (arena, l->part, sat->parts))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < sat->parts; i++)
    rc = open_in (l->part + i, arena, space, labels, sat->part[i], vantage);
  return rc;
}

tl_status tl_local_open (tl_local **out, tl_arena *arena, tl_space *space,
                         const tl_labels *labels, const tl_sat *sat) {
  tl_vantage *vantage;
  *out = 0;
  if (tl_vantage_open (&vantage, arena, space) ||
      !TL_ARENA_NEW (arena, *out, 1))
    return TL_E_NOMEM;
  return open_in (*out, arena, space, labels, sat, vantage);
}

void tl_local_close (tl_local *l) {
  if (!l || !l->sat)
    return;
  for (uint32_t i = 0; l->part && i < l->sat->parts; i++)
    tl_local_close (l->part + i);
  if (l->sat->kind == TL_SAT_PATH)
    tl_product_close (&l->product);
  tl_findings_close (&l->known, l->space->mem);
}

// ---- At a state ------------------------------------------------------------

static tl_status holds_at (tl_local *, uint64_t state, bool *holds);

static tl_status boolean (tl_local *l, uint64_t state, bool *holds) {
  const tl_op op = l->sat->formula->op;
  tl_status rc = TL_OK;
  for (uint32_t i = 0; i < l->sat->parts; i++) {
    rc = holds_at (l->part + i, state, holds);
    if (rc || (op == TL_AND && !*holds) || (op == TL_OR && *holds))
      break;
  }
  *holds ^= op == TL_NOT;
  return rc;
}

// EX and AX of CTL: the first successor where the operand is as it should be,
// or is not, decides.  `arc` is its position.
static tl_status next (tl_local *l, uint64_t state, bool *holds,
                       uint32_t *arc) {
  const bool exists = l->sat->formula->op == TL_EXISTS;
  const tl_space *s = l->space;
  tl_status rc = tl_space_expand (l->space, state);
  *holds = !exists;
  for (*arc = 0; !rc && *arc < s->degree[state]; ++*arc) {
    rc = holds_at (l->part, tl_numbers_get (&s->target, s->first[state] + *arc),
                   holds);
    if (*holds == exists)
      break;
    rc = rc ? rc : tl_space_step (l->space);
  }
  return rc;
}

static tl_status path (tl_local *l, uint64_t state, bool *holds) {
  const tl_status rc = tl_product_ask (&l->product, state, holds);
  *holds = *holds == (l->sat->formula->op == TL_EXISTS);
  return rc;
}

static tl_status find_out (tl_local *l, uint64_t state, bool *holds) {
  uint32_t arc;
  switch (l->sat->kind) {
  case TL_SAT_LABEL:
    *holds = tl_vantage_holds (l->vantage, l->program, state);
    return TL_OK;
  case TL_SAT_BOOLEAN: return boolean (l, state, holds);
  case TL_SAT_CTL: return next (l, state, holds, &arc);
  case TL_SAT_PATH: return path (l, state, holds);
  }
  return TL_E_INTERNAL;
}

static tl_status holds_at (tl_local *l, uint64_t state, bool *holds) {
  if (tl_findings_get (&l->known, state, holds))
    return TL_OK;
  const tl_status rc = find_out (l, state, holds);
  return rc ? rc : tl_findings_set (&l->known, l->space->mem, state, *holds);
}

static tl_status ask_atom (void *context, uint32_t atom, uint64_t state,
                           bool *holds) {
  tl_local *l = context;
  return holds_at (l->part + atom, state, holds);
}

// ---- Runs ------------------------------------------------------------------

static tl_local *find_part (tl_local *l, const tl_sat *sat) {
  tl_local *found = l->sat == sat ? l : 0;
  for (uint32_t i = 0; !found && i < l->sat->parts; i++)
    found = find_part (l->part + i, sat);
  return found;
}

static tl_status part_holds (void *local, const tl_sat *sat, uint64_t state,
                             bool *holds) {
  return holds_at (find_part (local, sat), state, holds);
}

static tl_status show_next (tl_local *l, uint64_t *state, tl_run *run,
                            const tl_sat **rest, bool *value) {
  bool holds;
  uint32_t arc;
  const tl_status rc = next (l, *state, &holds, &arc);
  *rest = 0;
  *value = l->sat->formula->op == TL_EXISTS;
  if (rc || holds != *value || !tl_run_add (run, arc))
    return rc;
  run->found = true;
  run->loop_from = run->length;
  *state = tl_numbers_get (&l->space->target, l->space->first[*state] + arc);
  *rest = l->sat->part[0];
  return TL_OK;
}

typedef tl_status look_for_run (tl_product *, bool *accepted);

// In a product of its own: the other one keeps what was found out, not how.
static tl_status run_on_path (tl_local *l, look_for_run *look, uint64_t *state,
                              bool *accepted, tl_run *run, const tl_sat **rest,
                              bool *value) {
  tl_product p;
  tl_run more = {0};
  tl_product_open_space (&p, l->space->mem, l->space, l->product.automaton,
                         &l->product.oracle);
  p.start = *state;
  p.lead = l->lead;
  tl_status rc = look (&p, accepted);
  if (!rc && *accepted && tl_product_run (&p, &more) == TL_E_INTERNAL)
    rc = TL_E_INTERNAL;
  *rest = 0;
  if (!rc && more.found && tl_run_append (run, &more)) {
    *rest = tl_explain_end (l->sat, tl_product_reason (&p, &more), value);
    *state = more.end / p.automaton->states;
  }
  free (more.arc);
  tl_product_close (&p);
  return rc;
}

static tl_status show (void *local, const tl_sat *sat, uint64_t *state,
                       tl_run *run, const tl_sat **rest, bool *value) {
  tl_local *l = find_part (local, sat);
  bool accepted;
  return l->sat->kind == TL_SAT_PATH ? run_on_path (l, tl_product_search, state,
                                                    &accepted, run, rest, value)
                                     : show_next (l, state, run, rest, value);
}

// ---- The initial state -----------------------------------------------------

// What is decided stays so where there is no memory or time for a run.
static tl_status decide (tl_local *l, look_for_run *look, bool *holds,
                         tl_run *run) {
  const tl_explainer explainer = {l, part_holds, show};
  const tl_sat *rest = l->sat;
  uint64_t state = 0;
  bool value;
  tl_status rc;
  *run = (tl_run){0};
  *holds = false;
  if (l->sat->kind == TL_SAT_PATH) {
    rc = run_on_path (l, look, &state, holds, run, &rest, &value);
    *holds = *holds == (l->sat->formula->op == TL_EXISTS);
  } else {
    rc = holds_at (l, 0, holds);
    value = *holds;
  }
  if (!rc && rest &&
      tl_explain (&explainer, rest, state, value, run) == TL_E_INTERNAL)
    rc = TL_E_INTERNAL;
  return rc;
}

tl_status tl_local_decide (tl_local *l, bool *holds, tl_run *run) {
  return decide (l, tl_product_search, holds, run);
}

tl_status tl_local_walk (tl_local *l, bool *holds, tl_run *run) {
  return l->sat->kind == TL_SAT_PATH ? decide (l, tl_product_walk, holds, run)
                                     : TL_E_LIMIT;
}

tl_status tl_local_walk_led (tl_local *l, const tl_product_lead *lead,
                             bool *holds, tl_run *run) {
  l->lead = lead;
  return decide (l, tl_product_walk_led, holds, run);
}

tl_status tl_local_decide_nested (tl_local *l, bool *holds, tl_run *run) {
  tl_product p;
  tl_product_open_space (&p, l->space->mem, l->space, &l->sat->automaton->plain,
                         &l->product.oracle);
  const tl_status rc = tl_nested_search (&p, holds, run);
  tl_product_close (&p);
  *holds = *holds == (l->sat->formula->op == TL_EXISTS);
  return rc;
}
