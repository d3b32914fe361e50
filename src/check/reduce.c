#include "check/reduce.h"

#include "base/error.h"
#include "net/origin.h"
#include "stubborn/attract.h"

// ---- Which questions can be asked ------------------------------------------

static bool is_reach_formula (const tl_asked *a) {
  return (a->question->kind == TL_ASK_FORMULA ||
          a->question->kind == TL_ASK_DEADLOCK) &&
         a->plan.root && !a->plan.homes;
}

static bool asks_for_deadlocks (const tl_asked *a) {
  for (uint32_t i = 0; i < a->plan.goals; i++)
    if (a->plan.goal[i]->op != TL_DEADLOCK)
      return false;
  return is_reach_formula (a);
}

static tl_status refuse (const tl_asked *a, const char *kept, tl_error *error) {
  return tl_fail (error, TL_E_ARG,
                  "stubborn sets that keep %s do not keep the answer to "
                  "'%.100s'",
                  kept, a->question->name);
}

// ---- What leads to an answer -----------------------------------------------

// Whatever the largest sum is so far, a larger one is looked for.
static tl_status attract_to_bound (tl_goals *g, tl_asked *a) {
  const tl_question *q = a->question;
  tl_summand *term;
  if (!TL_ARENA_NEW (&g->arena, term, q->term_count))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < q->term_count; i++)
    term[i] = (tl_summand){q->term[i].place, -q->term[i].coefficient};
  bool overflow;
  const tl_formula *larger =
      tl_formula_compare (&g->arena, term, q->term_count, INT64_MIN, &overflow);
  return larger ? tl_attractor_open (&a->attractor, &g->arena, g->net, larger)
                : TL_E_NOMEM;
}

static tl_status attract_to (tl_goals *g, tl_asked *a) {
  if (a->question->kind == TL_ASK_BOUND)
    return attract_to_bound (g, a);
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < a->plan.goals; i++) {
    tl_goal *goal = g->goal + a->first_goal + i;
    rc = tl_attractor_open (&goal->attractor, &g->arena, g->net, goal->formula);
  }
  return rc;
}

tl_status tl_goals_reduce (tl_goals *g, tl_reduction stubborn,
                           tl_error *error) {
  const bool deadlock = stubborn == TL_REDUCE_DEADLOCK,
             property = stubborn == TL_REDUCE_PROPERTY;
  for (size_t i = 0; (deadlock || property) && i < g->count; i++) {
    tl_asked *a = g->asked + i;
    if (a->small.engine) // nothing is left to be kept
      continue;
    if (deadlock && !asks_for_deadlocks (a))
      return refuse (a, "deadlocks", error);
    if (property && (a->question->kind == TL_ASK_LIVE ||
                     a->question->kind == TL_ASK_HOME_STATE ||
                     (a->question->kind == TL_ASK_FORMULA && !a->beyond_reach &&
                      !is_reach_formula (a))))
      return refuse (a, "what can be reached", error);
    if (property && attract_to (g, a))
      return tl_fail (error, TL_E_NOMEM, "no memory for the questions");
  }
  return TL_OK;
}

// ---- At a state ------------------------------------------------------------

static void attract_to_goals (tl_goals *g, const tl_asked *a, tl_stubborn *s) {
  for (uint32_t i = 0; i < a->plan.goals; i++) {
    const tl_goal *goal = g->goal + a->first_goal + i;
    if (goal->verdict == TL_VERDICT_UNKNOWN)
      tl_attract (goal->attractor, s);
  }
}

static void attract_to_two_tokens (const tl_goals *g, tl_stubborn *s) {
  for (uint32_t p = 0; p < g->net->places; p++)
    tl_stubborn_add_adders (s, p);
}

static void attract_to_firing (const tl_goals *g, tl_stubborn *s) {
  for (uint32_t t = 0; t < g->net->transitions; t++)
    if (!g->fired[t])
      tl_stubborn_add (s, t);
}

static void attract_to_change (const tl_goals *g, tl_stubborn *s) {
  for (uint32_t p = 0; p < tl_shown_places (g->net); p++) {
    const tl_node_range places = tl_shown_place (g->net, p);
    for (uint32_t i = 0; !g->changed[p] && i < places.count; i++) {
      tl_stubborn_add_adders (s, places.first + i);
      tl_stubborn_add_takers (s, places.first + i);
    }
  }
}

void tl_goals_attract (void *goals, const tl_visit *visit, tl_stubborn *s) {
  tl_goals *g = goals;
  (void)visit; // the set knows the state
  for (size_t i = 0; i < g->count; i++) {
    const tl_asked *a = g->asked + i;
    if (a->answer->verdict != TL_VERDICT_UNKNOWN)
      continue;
    switch (a->question->kind) {
    case TL_ASK_FORMULA:
    case TL_ASK_DEADLOCK: attract_to_goals (g, a, s); break;
    case TL_ASK_BOUND: tl_attract (a->attractor, s); break;
    case TL_ASK_ONE_SAFE: attract_to_two_tokens (g, s); break;
    case TL_ASK_QUASI_LIVE: attract_to_firing (g, s); break;
    case TL_ASK_STABLE_MARKING: attract_to_change (g, s); break;
    case TL_ASK_LIVE:
    case TL_ASK_HOME_STATE: break; // are refused
    }
  }
}
