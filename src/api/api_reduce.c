// A net made smaller for questions, as people see it.

#include "api/api_call.h"
#include "base/error.h"
#include "logic/reach.h"
#include "logic/simplify.h"
#include "read/read.h"
#include "reduce/reduced.h"

#include <stdlib.h>

// Bounds and semiflows, of which rules make use.
#define STRUCTURE_SECONDS 0.5

// ---- What is asked ---------------------------------------------------------

// State formulas that somebody looks for, or what is said about runs.
typedef struct wanted {
  tl_mem mem;
  tl_arena arena;
  tl_formula **formula;
  size_t count, room;
} wanted;

static tl_status want (wanted *w, tl_formula *f) {
  if (!f || !TL_ROOM (&w->mem, w->formula, &w->room, w->count + 1))
    return TL_E_NOMEM;
  w->formula[w->count++] = f;
  return TL_OK;
}

static tl_status want_formula (wanted *w, const tl_net *net, tl_formula *f) {
  tl_plan plan;
  f = tl_formula_simplify_as (&w->arena, f, TL_NEXT_EITHER);
  if (!f)
    return TL_E_NOMEM;
  tl_status rc = tl_reach_plan (&w->arena, net, f, &plan);
  if (rc == TL_E_MODEL || (!rc && plan.homes))
    return want (w, f);
  for (uint32_t i = 0; !rc && i < plan.goals; i++)
    rc = want (w, plan.goal[i]);
  return rc;
}

// However large it is, a larger sum is wanted.
static tl_status want_more (wanted *w, const tl_question *q) {
  tl_summand *term;
  bool overflow;
  if (!TL_ARENA_NEW (&w->arena, term, q->term_count))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < q->term_count; i++)
    term[i] = (tl_summand){q->term[i].place, -q->term[i].coefficient};
  return want (w, tl_formula_compare (&w->arena, term, q->term_count, INT64_MIN,
                                      &overflow));
}

static tl_status want_all (wanted *w, const tl_questions *asked,
                           tl_error *err) {
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < asked->count; i++) {
    const tl_question *q = asked->question + i;
    switch (q->kind) {
    case TL_ASK_FORMULA: rc = want_formula (w, asked->net, q->formula); break;
    case TL_ASK_BOUND: rc = want_more (w, q); break;
    case TL_ASK_DEADLOCK: rc = want (w, tl_formula_deadlock (&w->arena)); break;
    default:
      return tl_fail (err, TL_E_ARG, "'%.100s' is about the whole net",
                      q->name);
    }
  }
  return rc ? tl_fail (err, rc, "no memory for the questions") : TL_OK;
}

// ---- The net ---------------------------------------------------------------

static tl_status make (const tl_questions *asked, tl_mem *mem, tl_net **out,
                       tl_error *err) {
  wanted w = {.mem = TL_MEM (mem, "questions")};
  w.arena = TL_ARENA (&w.mem);
  tl_structure *structure = 0;
  tl_reduced *r = 0;
  tl_status rc = want_all (&w, asked, err);
  if (!rc)
    rc =
        tl_structure_open (&structure, mem, asked->net, STRUCTURE_SECONDS, err);
  if (!rc) {
    const tl_reducing how = {.net = asked->net,
                             .structure = structure,
                             .formula = w.formula,
                             .formulas = w.count,
                             .rules = TL_ALL_RULES};
    if ((rc = tl_reduced_open (&r, mem, &how)))
      tl_fail (err, rc, "no memory for the net");
  }
  if (!rc)
    *out = tl_reduced_take (r);
  tl_reduced_close (r);
  tl_structure_close (structure);
  TL_DEL (&w.mem, w.formula, w.room);
  tl_arena_close (&w.arena);
  return rc;
}

tl_status tl_net_reduce (tl_net **out, const tl_questions *asked,
                         const tl_settings *settings, tl_error *err) {
  if (out)
    *out = 0;
  if (!out || !asked)
    return tl_api_lacks ("tl_net_reduce", "questions and room for a net", err);
  tl_status rc = tl_net_want_arcs (asked->net, "making it smaller", err);
  if (rc)
    return rc;
  tl_settings said = tl_settings_default ();
  if (settings && tl_settings_take (&said, settings, err))
    return TL_E_ARG;
  tl_mem *mem = malloc (sizeof *mem);
  if (!mem)
    return tl_fail (err, TL_E_NOMEM, "no memory for the net");
  *mem = TL_MEM (0, "net");
  const tl_budget budget = tl_budget_of (said.timeout, said.cancel);
  mem->budget = &budget;
  mem->limit = said.memory ? said.memory : tl_mem_default ();
  rc = make (asked, mem, out, err);
  mem->budget = 0;
  mem->limit = 0;
  if (rc)
    free (mem);
  else
    (*out)->owns_account = true;
  return rc;
}
