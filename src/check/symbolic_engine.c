#include "check/symbolic_engine.h"

#include "base/budget.h"
#include "base/clock.h"
#include "check/sat.h"
#include "check/symbolic_parts.h"
#include "check/temporal.h"
#include "symbolic/backward.h"
#include "symbolic/symbolic.h"
#include "symbolic/route.h"

#include <stdlib.h>

// Of a limit of time, for one way that shows an answer; and seconds where there
// is no limit.
#define WAY_SHARE 0.2
#define WAY_SECONDS 5
// Of that, for a shortest one; then any will do.
#define SHORTEST_SHARE 0.1
// An automaton with more is not tried: there is a set for each of its states.
#define MOST_STATES 64
// Beside a search, a net with more is not tried: other threads may have small
// stacks.
#define MOST_VARIABLES 4000

// ---- Which -----------------------------------------------------------------

// The most states that automata of the formula have; 0: it needs none.
static uint32_t automaton_states (const tl_sat *s) {
  uint32_t most = s->kind == TL_SAT_PATH ? s->automaton->general.states : 0;
  for (uint32_t i = 0; i < s->parts; i++) {
    const uint32_t states = automaton_states (s->part[i]);
    most = states > most ? states : most;
  }
  return most;
}

bool tl_symbolic_needs_automaton (const tl_asked *a) {
  return a->beyond_reach && a->temporal && automaton_states (a->temporal);
}

bool tl_symbolic_may_decide (const tl_asked *a) {
  if (tl_goals_is_decided (a))
    return false;
  if (a->question->kind == TL_ASK_BOUND)
    return !a->answer->unknown_why;
  return !a->beyond_reach ||
         (a->temporal && automaton_states (a->temporal) <= MOST_STATES);
}

// ---- Formulas --------------------------------------------------------------

// They are led to later.
void tl_asking_note (tl_asking *q, const tl_asked *a, tl_set set) {
  tl_held *target = q->target + (a - q->goals->asked);
  tl_diagram_let_go (target);
  tl_diagram_hold (q->d, target, set);
}

// A goal that some marking shows, or one that can be reached from everywhere.
static tl_status decide_goal (tl_asking *q, tl_asked *a, tl_goal *goal) {
  tl_diagram *d = q->d;
  const tl_set all = q->reach->reached,
               there = tl_set_where (&q->sets.weighing, goal->formula, all);
  tl_set shown = there;
  if (goal->home && tl_diagram_push (d, there, 0)) {
    const tl_set from = tl_backward (d, q->events, all, there);
    d->slots--;
    if (tl_diagram_push (d, from, 0)) {
      shown = tl_difference (d, all, from);
      d->slots--;
    }
  }
  if (d->status)
    return d->status;
  if (tl_goals_hinges (a))
    tl_asking_note (q, a, shown);
  goal->verdict = !shown == goal->home ? TL_VERDICT_TRUE : TL_VERDICT_FALSE;
  return TL_OK;
}

static tl_status decide_plan (tl_asking *q, tl_asked *a) {
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < a->plan.goals && !tl_goals_is_decided (a);
       i++) {
    tl_goal *goal = q->goals->goal + a->first_goal + i;
    if (goal->verdict != TL_VERDICT_UNKNOWN)
      continue;
    rc = decide_goal (q, a, goal);
    if (!rc)
      tl_goals_look (q->goals);
  }
  q->runs[a - q->goals->asked] = a->temporal && tl_goals_is_decided (a);
  return rc;
}

static tl_status decide_formula (tl_asking *q, tl_asked *a) {
  tl_sat_means means = {.sets = &q->sets.sets, .no_runs = true};
  bool holds;
  tl_run none;
  const tl_status rc = tl_sat_decide (&means, a->temporal, &holds, &none);
  if (rc)
    return q->d->status ? q->d->status : rc;
  q->runs[a - q->goals->asked] = true;
  tl_goals_answer (q->goals, a, holds ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
  return TL_OK;
}

// ---- Sums ------------------------------------------------------------------

static tl_status decide_bound (tl_asking *q, tl_asked *a) {
  const tl_question *asked = a->question;
  tl_weighing *w = &q->sets.weighing;
  __int128 least, most;
  tl_weighing_begin (w, asked->term, asked->term_count);
  const bool known = tl_weighing_range (w, q->reach->reached, &least, &most);
  tl_weighing_end (w, asked->term, asked->term_count);
  if (!known)
    return q->d->status;
  a->answer->value = most > UINT64_MAX ? UINT64_MAX : (uint64_t)most;
  tl_goals_answer (q->goals, a, TL_VERDICT_BOUND);
  return TL_OK;
}

// ---- All questions ---------------------------------------------------------

static tl_status decide_one (tl_asking *q, tl_asked *a) {
  switch (a->question->kind) {
  case TL_ASK_BOUND: return decide_bound (q, a);
  case TL_ASK_ONE_SAFE: return tl_asking_one_safe (q, a);
  case TL_ASK_STABLE_MARKING: return tl_asking_stable (q, a);
  case TL_ASK_QUASI_LIVE: return tl_asking_quasi_live (q, a);
  case TL_ASK_LIVE: return tl_asking_live (q, a);
  case TL_ASK_HOME_STATE: return tl_asking_home_state (q, a);
  default: return a->beyond_reach ? decide_formula (q, a) : decide_plan (q, a);
  }
}

// ---- Ways ------------------------------------------------------------------

static tl_status look_for_way (tl_asking *q,
                               tl_status (*find) (tl_reachable *, tl_set,
                                                  tl_trace *),
                               double seconds, tl_set set, tl_trace *trace) {
  const tl_budget part = tl_budget_part (q->reach->root, seconds);
  q->reach->nodes.budget = &part;
  const tl_status rc = find (q->reach, set, trace);
  q->reach->nodes.budget = 0;
  tl_diagram_sets_go_on (&q->sets);
  return rc;
}

// Looks for a way into the set that shows the answer.
static tl_status show_way (tl_asking *q, tl_asked *a, double seconds) {
  const tl_set set = q->target[a - q->goals->asked].set;
  tl_trace *trace = &a->answer->trace;
  tl_status rc =
      look_for_way (q, tl_route_shortest, seconds * SHORTEST_SHARE, set, trace);
  if (rc && rc != TL_E_INTERNAL)
    rc = look_for_way (q, tl_route_any, seconds, set, trace);
  if (!rc && a->question->kind == TL_ASK_ONE_SAFE)
    rc = tl_asking_name_unsafe (q, trace);
  return rc;
}

// A run that shows the answer to a formula: it is decided once more, since the
// sets on the way were not kept.
static tl_status show_run (tl_asking *q, tl_asked *a, double seconds) {
  tl_sat_means means = {.sets = &q->sets.sets};
  const tl_budget part = tl_budget_part (q->reach->root, seconds);
  bool holds;
  tl_run run;
  q->reach->nodes.budget = &part;
  tl_status rc = tl_sat_decide (&means, a->temporal, &holds, &run);
  q->reach->nodes.budget = 0;
  tl_diagram_sets_go_on (&q->sets);
  if (!rc && holds != (a->answer->verdict == TL_VERDICT_TRUE))
    rc = TL_E_INTERNAL;
  if (!rc && run.found)
    rc = tl_temporal_tell_run (q->goals, &run, &a->answer->trace);
  free (run.arc);
  return rc;
}

static tl_status show (tl_asking *q, tl_asked *a) {
  const size_t i = (size_t)(a - q->goals->asked);
  if (a->answer->trace.transition || !tl_goals_is_decided (a))
    return TL_OK;
  const double seconds = q->seconds > 0 ? q->seconds
                         : q->checking->options->timeout > 0
                             ? tl_goals_time_left (q->goals) * WAY_SHARE
                             : WAY_SECONDS;
  const tl_status rc = q->target[i].set ? show_way (q, a, seconds)
                       : q->runs[i]     ? show_run (q, a, seconds)
                                        : TL_OK;
  return rc == TL_E_INTERNAL ? rc : TL_OK;
}

// ---- The whole -------------------------------------------------------------

static bool open_asking (tl_asking *q, tl_checking *c, tl_reachable *r) {
  *q = (tl_asking){.checking = c,
                   .goals = c->goals,
                   .reach = r,
                   .d = &r->diagram,
                   .events = &r->events,
                   .mem = TL_MEM (c->root, "questions")};
  return TL_NEW (&q->mem, q->target, c->goals->count) &&
         TL_NEW (&q->mem, q->runs, c->goals->count) &&
         !tl_diagram_sets_open (&q->sets, &q->mem, r);
}

static void close_asking (tl_asking *q) {
  for (size_t i = 0; q->target && i < q->goals->count; i++)
    tl_diagram_let_go (q->target + i);
  TL_DEL (&q->mem, q->target, q->goals->count);
  TL_DEL (&q->mem, q->runs, q->goals->count);
  tl_diagram_let_go (&q->returns);
  tl_diagram_sets_close (&q->sets);
}

static bool is_over (const tl_asking *q, tl_status rc) {
  return rc == TL_E_INTERNAL || rc == TL_E_CANCEL ||
         tl_budget_look (q->reach->root);
}

// How long one question may take; 0: as long as there is time.  Those that need
// an automaton leave some of it to others, who can decide them, too.
static double seconds_for (const tl_asking *q, const tl_asked *a,
                           size_t others) {
  const double left =
      q->checking->options->timeout > 0 ? tl_goals_time_left (q->goals) : 0;
  return q->seconds > 0                    ? q->seconds
         : tl_symbolic_needs_automaton (a) ? left / (double)(others + 1)
                                           : 0;
}

// What one question takes too much for another one may not.
static tl_status decide_some (tl_asking *q, bool with_automaton) {
  tl_status worst = TL_OK, rc = TL_OK;
  size_t left = q->goals->count;
  for (size_t i = 0; i < q->goals->count && !is_over (q, rc); i++, left--) {
    tl_asked *a = q->goals->asked + i;
    if (!tl_symbolic_may_decide (a) ||
        tl_symbolic_needs_automaton (a) != with_automaton)
      continue;
    const double seconds = seconds_for (q, a, left);
    const tl_budget part = tl_budget_part (q->reach->root, seconds);
    q->reach->nodes.budget = seconds > 0 ? &part : 0;
    rc = decide_one (q, a);
    q->reach->nodes.budget = 0;
    worst = rc ? rc : worst;
    tl_diagram_sets_go_on (&q->sets);
  }
  return worst;
}

static tl_status decide_all (tl_asking *q) {
  const tl_status rc = decide_some (q, false);
  const tl_status more = is_over (q, rc) ? TL_OK : decide_some (q, true);
  return rc == TL_E_INTERNAL || !more ? rc : more;
}

tl_status tl_symbolic_decide (tl_checking *c, tl_reachable *r, double seconds) {
  tl_asking q;
  c->goals->by = "symbolic";
  const bool open = open_asking (&q, c, r);
  q.seconds = seconds;
  tl_status rc = open ? decide_all (&q) : TL_E_NOMEM;
  for (size_t i = 0; open && i < c->goals->count; i++)
    if (show (&q, c->goals->asked + i))
      rc = TL_E_INTERNAL;
  c->goals->by = 0;
  close_asking (&q);
  return rc;
}

// ---- In turns --------------------------------------------------------------

size_t tl_symbolic_turns_left (const tl_symbolic_turns *t) {
  const tl_goals *g = t->checking->goals;
  size_t open = 0;
  if (t->over || !tl_net_has_arcs (g->net))
    return 0;
  for (size_t i = 0; i < g->count; i++)
    open += tl_symbolic_may_decide (g->asked + i);
  return t->open && t->reach.ended ? open : open > 0;
}

static tl_status open_turns (tl_symbolic_turns *t) {
  const tl_checking *c = t->checking;
  t->mem = TL_MEM (c->root, "diagram");
  t->open = true;
  const tl_reachable_ways ways = {.variables = c->options->variables};
  const tl_status rc =
      tl_reachable_open (&t->reach, &t->mem, c->goals->net, &ways, 0);
  return !rc && t->reach.variables.count > MOST_VARIABLES ? TL_E_MODEL : rc;
}

// An order that ends lets the others have no say, and a net for which none ends
// for want of memory is none for diagrams.
tl_status tl_symbolic_turn (tl_symbolic_turns *t, double seconds) {
  const tl_mem *whole = tl_mem_root (t->checking->root);
  tl_status rc = t->open ? TL_OK : open_turns (t);
  if (!rc && whole->limit)
    t->mem.limit = t->mem.used + (whole->limit - whole->used) / 2 + 1;
  if (!rc && !t->reach.ended)
    rc = tl_reachable_find (&t->reach, seconds);
  else if (!rc)
    rc = tl_symbolic_decide (t->checking, &t->reach, seconds);
  t->over |= (rc && rc != TL_E_LIMIT) || t->reach.outgrown;
  if (t->over)
    tl_symbolic_turns_close (t);
  return rc == TL_E_INTERNAL ? rc : TL_OK;
}

void tl_symbolic_turns_close (tl_symbolic_turns *t) {
  if (t->open)
    tl_reachable_close (&t->reach);
  t->open = false;
}

// ---- The engine ------------------------------------------------------------

static tl_cost cost (const tl_checking *c, const tl_asked *a) {
  return c->method.symbolic && tl_symbolic_may_decide (a) ? TL_COST_STATES
                                                          : TL_COST_NONE;
}

static tl_stop stop_of (tl_status rc) {
  return rc == TL_E_NOMEM    ? TL_STOP_MEMORY
         : rc == TL_E_CANCEL ? TL_STOP_CANCEL
                             : TL_STOP_TIME;
}

// What a complete search would say of questions that are open is nothing here.
static tl_status decide (tl_checking *c, const tl_allowance *share) {
  tl_goals *g = c->goals;
  tl_reachable reach;
  tl_exploration run;
  const double start = tl_clock ();
  (void)share; // it has what there is
  tl_status rc = tl_symbolic_run (c->root, g->net, c->options, 0, false, &reach,
                                  &run, c->error);
  const bool found = !rc && run.complete;
  if (found)
    rc = tl_symbolic_decide (c, &reach, 0);
  tl_reachable_close (&reach);
  if (found) {
    run.complete = !g->undecided;
    run.seconds = tl_clock () - start;
    run.stop = g->undecided ? stop_of (rc) : TL_STOP_DONE;
    g->asks_fired &= g->undecided > 0;
    g->asks_stable &= g->undecided > 0;
  }
  if (found || !rc)
    tl_checking_take (c, &run, true);
  return rc == TL_E_INTERNAL || !found ? rc : TL_OK;
}

const tl_engine_kind tl_engine_symbolic = {"symbolic", cost, decide, 0};
