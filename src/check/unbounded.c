#include "check/unbounded.h"

#include "check/culprits.h"

#include <stdlib.h>

// States visited for questions that are not EF or AG.
#define PATIENCE 1000000

// ---- What a run decides ----------------------------------------------------

// The run, and `more` transitions of the part that is repeated again.
static tl_status repeat (const tl_trace *run, uint64_t more, tl_trace *trace) {
  trace->length = run->length + more;
  trace->transition = calloc (trace->length + 1, sizeof *trace->transition);
  if (!trace->transition)
    return TL_E_NOMEM;
  for (uint64_t k = 0; k < trace->length; k++)
    trace->transition[k] = run->transition[k < run->length ? k : k - more];
  return TL_OK;
}

// Twice round the part that is repeated, some place has two tokens or more.
static tl_status refute_safety (tl_goals *g, const tl_trace *run) {
  const uint64_t part = run->length - run->loop_from;
  for (size_t i = 0; i < g->count; i++) {
    tl_asked *a = g->asked + i;
    if (a->question->kind != TL_ASK_ONE_SAFE || tl_goals_is_decided (a))
      continue;
    if (repeat (run, part, &a->answer->trace))
      return TL_E_NOMEM;
    tl_goals_answer (g, a, TL_VERDICT_FALSE);
  }
  if (g->asks_safe && g->unsafe == UINT64_MAX) {
    tl_culprits_gaining (g);
    tl_culprits_name (g, TL_ASK_ONE_SAFE);
  }
  g->asks_safe = false;
  return TL_OK;
}

// Sums that the part of the run adds to have no bound.
static tl_status decide_bounds (tl_goals *g, const tl_trace *run) {
  tl_goals_gain (g, run);
  for (size_t i = 0; i < g->count; i++) {
    tl_asked *a = g->asked + i;
    const tl_question *q = a->question;
    if (q->kind != TL_ASK_BOUND)
      continue;
    __int128 sum = 0;
    for (uint32_t k = 0; k < q->term_count; k++)
      sum += (__int128)q->term[k].coefficient * g->gain[q->term[k].place];
    if (sum <= 0 || tl_goals_is_decided (a))
      continue;
    if (q->finite && repeat (run, 0, &a->answer->trace))
      return TL_E_NOMEM;
    a->answer->trace.loop = q->finite;
    a->answer->trace.loop_from = q->finite ? run->loop_from : 0;
    a->answer->infinite = true;
    tl_goals_answer (g, a, TL_VERDICT_BOUND);
  }
  return TL_OK;
}

tl_visit_verdict tl_unbounded_known (void *goals, const tl_trace *run) {
  tl_goals *g = goals;
  g->unbounded = true;
  if (decide_bounds (g, run) || refute_safety (g, run))
    return TL_VISIT_FAILED;
  return g->undecided ? tl_unbounded_verdict (g) : TL_VISIT_STOP;
}

// ---- What is left ----------------------------------------------------------

// Goals become true one by one.  If the verdict is known with some of them it
// is with all of them.
static bool may_reach (const tl_goals *g, const tl_asked *a) {
  for (uint32_t i = 0; i < a->plan.goals; i++) {
    const tl_goal *goal = g->goal + a->first_goal + i;
    g->verdict[a->first_goal + i] =
        goal->home ? goal->verdict : TL_VERDICT_TRUE;
  }
  return a->plan.goals &&
         tl_plan_verdict (&a->plan, g->verdict + a->first_goal) !=
             TL_VERDICT_UNKNOWN;
}

bool tl_unbounded_may_show (const tl_goals *g, const tl_asked *a) {
  switch (a->question->kind) {
  case TL_ASK_FORMULA:
  case TL_ASK_DEADLOCK: return may_reach (g, a);
  case TL_ASK_BOUND: return a->most != UINT64_MAX && !a->answer->unknown_why;
  case TL_ASK_ONE_SAFE:
  case TL_ASK_QUASI_LIVE:
  case TL_ASK_STABLE_MARKING: return true;
  case TL_ASK_LIVE: return g->returns;
  case TL_ASK_HOME_STATE: break;
  }
  return false;
}

static bool is_patient (const tl_asked *a) {
  return a->question->kind == TL_ASK_FORMULA ||
         a->question->kind == TL_ASK_DEADLOCK;
}

// So many more states are worth a visit.
static uint64_t patience_for (const tl_goals *g) {
  uint64_t most = 0;
  for (size_t i = 0; i < g->count; i++) {
    const tl_asked *a = g->asked + i;
    if (tl_goals_is_decided (a) || !tl_unbounded_may_show (g, a))
      continue;
    if (is_patient (a))
      return UINT64_MAX;
    most = PATIENCE;
  }
  return most;
}

tl_visit_verdict tl_unbounded_verdict (tl_goals *g) {
  if (g->open != g->undecided) { // some answers are new
    const uint64_t patience = patience_for (g);
    g->patience = g->open && patience == PATIENCE && g->patience < PATIENCE
                      ? g->patience
                      : patience;
    g->open = g->undecided;
  }
  if (!g->patience)
    return TL_VISIT_GIVE_UP;
  g->patience -= g->patience != UINT64_MAX;
  return TL_VISIT_CONTINUE;
}
