#include "check/goals.h"

#include "base/clock.h"
#include "check/culprits.h"
#include "check/device_test.h"
#include "check/goals_save.h"
#include "check/home.h"
#include "check/reduce.h"
#include "check/unbounded.h"
#include "check/watch.h"
#include "net/marking.h"
#include "net/origin.h"

#include <stdlib.h>
#include <string.h>

static tl_status show_at_once (tl_asked *a) {
  a->answer->trace.transition = calloc (1, sizeof (uint32_t));
  return a->answer->trace.transition ? TL_OK : TL_E_NOMEM;
}

// Is it AG EF f and false, or EF AG f and true, of a net that can always
// return?  What cannot be reached from somewhere cannot be from the beginning.
static bool is_shown_at_once (const tl_asked *a, tl_verdict verdict) {
  const tl_formula *f = a->question->formula;
  const bool holds = verdict == TL_VERDICT_TRUE;
  const tl_op op[] = {
      holds ? TL_EXISTS : TL_ALL, holds ? TL_FINALLY : TL_GLOBALLY,
      holds ? TL_ALL : TL_EXISTS, holds ? TL_GLOBALLY : TL_FINALLY};
  bool same = a->small.returns && !a->answer->trace.transition;
  for (size_t i = 0; same && i < sizeof op / sizeof *op; i++) {
    same = f->op == op[i];
    f = same ? f->operand[0] : 0;
  }
  return same;
}

void tl_goals_answer (tl_goals *g, tl_asked *a, tl_verdict verdict) {
  if (tl_goals_is_decided (a))
    return;
  if (is_shown_at_once (a, verdict))
    (void)show_at_once (a); // else there is no trace
  if (verdict == TL_VERDICT_BOUND && a->question->finite)
    verdict = a->answer->infinite ? TL_VERDICT_FALSE : TL_VERDICT_TRUE;
  a->answer->verdict = verdict;
  a->answer->engine = g->by ? g->by : a->answer->engine;
  a->answer->reduced = g->by_reduced || g->reduction != TL_REDUCE_NONE;
  a->answer->seconds = tl_clock () - g->start;
  g->undecided--;
  for (uint32_t i = 0; g->goal && i < a->plan.goals; i++)
    g->goal[a->first_goal + i].moot = true;
  tl_goals_tell (g, a->answer);
}

double tl_goals_time_left (const tl_goals *g) {
  return g->start + g->options->timeout - tl_clock ();
}

void tl_goals_tell (const tl_goals *g, const tl_answer *answer) {
  const tl_options *o = g->options;
  if (o->on_answer && o->on_answer (o->answer_context, answer))
    tl_cancel (o->cancel);
}

// ---- Opening ---------------------------------------------------------------

static tl_status add_goal (tl_goals *g, const tl_formula *formula, bool home) {
  const size_t n = g->goals;
  if (!TL_ROOM (g->mem, g->goal, &g->goal_room, n + 1))
    return TL_E_NOMEM;
  g->goal[n] = (tl_goal){.formula = formula, .home = home};
  g->goals++;
  g->homes += home;
  return tl_predicate_open (&g->goal[n].program, g->mem, g->net, formula);
}

tl_status tl_goals_add (tl_goals *g, const tl_formula *formula) {
  return add_goal (g, formula, false);
}

// It is decided without a search.  Where any run shows that, the trace of it
// is empty.
static tl_status decide_at_once (tl_goals *g, tl_asked *a) {
  const bool holds = a->small.formula->op == TL_TRUE;
  const tl_formula *asked = a->question->formula;
  a->answer->engine = a->small.engine;
  tl_goals_answer (g, a, holds ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
  // That the net can always return, or end, is shown by no run.
  return a->small.unshown || (tl_formula_has_temporal (asked) &&
                              asked->op != (holds ? TL_EXISTS : TL_ALL))
             ? TL_OK
             : show_at_once (a);
}

// Those of its plan.
static tl_status add_goals (tl_goals *g, tl_asked *a) {
  tl_status rc = TL_OK;
  a->first_goal = (uint32_t)g->goals;
  for (uint32_t i = 0; !rc && i < a->plan.goals; i++)
    rc = add_goal (g, a->plan.goal[i], a->plan.home[i]);
  return rc;
}

static tl_next next_of (const tl_asked *a) {
  return a->small.linear ? TL_NEXT_LTL : TL_NEXT_CTL;
}

static tl_status find_parts (tl_goals *g, tl_asked *a) {
  tl_formula *f = a->small.formula;
  const bool returns = tl_parts_return (f) && tl_shrink_returns (&g->shrinker);
  return tl_parts_find (&a->parts, &g->arena, f, next_of (a), returns);
}

void tl_goals_settle_part (tl_goals *g, tl_asked *a, const tl_part *part,
                           bool holds) {
  if (a->small.formula == part->formula) { // there may be a trace already
    tl_goals_answer (g, a, holds ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
    return;
  }
  tl_formula *f =
      tl_parts_settle (&g->arena, a->small.formula, part, next_of (a), holds);
  if (!f) // without memory nothing is gained
    return;
  a->small.unshown = true;
  a->small.formula = f;
  if (f->op == TL_TRUE || f->op == TL_FALSE)
    tl_goals_answer (g, a,
                     f->op == TL_TRUE ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
  else if (find_parts (g, a))
    a->parts.count = 0;
}

static tl_status ask_formula (tl_goals *g, tl_asked *a) {
  tl_status rc = tl_shrink (&g->shrinker, a->question, &a->small);
  if (!rc && a->small.engine)
    return decide_at_once (g, a);
  if (!rc)
    rc = tl_reach_plan (&g->arena, g->net, a->small.formula, &a->plan);
  if (rc == TL_E_MODEL) {
    a->beyond_reach = true;
    return find_parts (g, a);
  }
  if (rc)
    return rc;
  a->answer->engine = a->plan.homes   ? "home"
                      : a->plan.goals ? "reach"
                                      : "initial";
  if (!a->plan.goals)
    tl_goals_answer (g, a, tl_plan_verdict (&a->plan, 0));
  return add_goals (g, a);
}

tl_status tl_goals_replan (tl_goals *g, tl_asked *a, tl_formula *f) {
  const size_t before = g->goals;
  tl_plan plan;
  tl_status rc = tl_reach_plan (&g->arena, g->net, f, &plan);
  if (rc || plan.homes)
    return rc ? rc : TL_E_MODEL;
  for (uint32_t i = 0; i < a->plan.goals; i++)
    g->goal[a->first_goal + i].moot = true;
  a->small.formula = f;
  a->plan = plan;
  rc = add_goals (g, a);
  TL_DEL (g->mem, g->verdict, before);
  return rc || !TL_NEW (g->mem, g->verdict, g->goals) ? TL_E_NOMEM : TL_OK;
}

static tl_status ask_deadlock (tl_goals *g, tl_asked *a) {
  tl_formula *exists =
      tl_formula_unary (&g->arena, TL_EXISTS,
                        tl_formula_unary (&g->arena, TL_FINALLY,
                                          tl_formula_deadlock (&g->arena)));
  if (!exists)
    return TL_E_NOMEM;
  tl_question *as_formula;
  if (!TL_ARENA_NEW (&g->arena, as_formula, 1))
    return TL_E_NOMEM;
  *as_formula = *a->question;
  as_formula->formula = exists;
  a->question = as_formula;
  return ask_formula (g, a);
}

static bool asks_components (const tl_asked *a) {
  return a->question->kind == TL_ASK_LIVE ||
         a->question->kind == TL_ASK_HOME_STATE;
}

// Looks at the sum in the marking at hand.
static void look_at_bound (tl_goals *g, tl_asked *a) {
  const tl_question *q = a->question;
  if (tl_goals_is_decided (a))
    return;
  __int128 sum = 0;
  for (uint32_t k = 0; k < q->term_count; k++)
    sum += (__int128)q->term[k].coefficient * g->marking[q->term[k].place];
  if (sum > a->answer->value)
    a->answer->value = sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
  if (a->answer->value >= a->most)
    tl_goals_answer (g, a, TL_VERDICT_BOUND);
}

// A sum that is never larger than in the initial marking is known.
static void ask_bound (tl_goals *g, tl_asked *a) {
  const tl_question *q = a->question;
  a->most = UINT64_MAX;
  for (uint32_t i = 0; i < q->term_count; i++)
    if (q->term[i].coefficient < 0) {
      a->answer->unknown_why = "differences are not maximised";
      return;
    }
  g->by = "structure";
  if (!tl_shrink_bound (&g->shrinker, q, &a->most))
    a->most = UINT64_MAX;
  else if (q->finite)
    tl_goals_answer (g, a, TL_VERDICT_BOUND);
  else
    look_at_bound (g, a);
  g->by = 0;
  if (!tl_goals_is_decided (a))
    g->asks_bounds = true;
}

// From everywhere the initial marking can be reached.
static tl_status ask_returning (tl_goals *g, tl_asked *a) {
  if (a->question->kind == TL_ASK_HOME_STATE) {
    a->answer->engine = "structure";
    tl_goals_answer (g, a, TL_VERDICT_TRUE);
    return show_at_once (a);
  }
  a->answer->engine = "reach";
  g->asks_fired = true;
  return TL_OK;
}

static tl_status ask_named (tl_goals *g, tl_asked *a) {
  const tl_verdict verdict =
      tl_shrink_named (&g->shrinker, a->question->kind, tl_culprits_begin (g));
  if (verdict != TL_VERDICT_UNKNOWN) {
    a->answer->engine = "structure";
    tl_goals_answer (g, a, verdict);
    tl_culprits_name (g, a->question->kind);
    // What is never enabled is not live from the beginning.
    return a->question->kind == TL_ASK_LIVE ? show_at_once (a) : TL_OK;
  }
  const bool components = asks_components (a);
  g->returns |= components && tl_shrink_returns (&g->shrinker);
  if (components && g->returns)
    return ask_returning (g, a);
  switch (a->question->kind) {
  case TL_ASK_ONE_SAFE: g->asks_safe = true; break;
  case TL_ASK_QUASI_LIVE: g->asks_fired = true; break;
  case TL_ASK_STABLE_MARKING: g->asks_stable = true; break;
  case TL_ASK_HOME_STATE: g->asks_home_state = true; break;
  default: g->asks_live = true;
  }
  return TL_OK;
}

static tl_status ask (tl_goals *g, tl_asked *a) {
  a->answer->engine = a->question->kind == TL_ASK_BOUND ? "bounds"
                      : asks_components (a)             ? "home"
                                                        : "reach";
  switch (a->question->kind) {
  case TL_ASK_FORMULA: return ask_formula (g, a);
  case TL_ASK_DEADLOCK: return ask_deadlock (g, a);
  case TL_ASK_BOUND: ask_bound (g, a); return TL_OK;
  default: return ask_named (g, a);
  }
}

static tl_status name_answer (const tl_net *net, const tl_question *q,
                              tl_answer *answer) {
  answer->name = q->name;
  answer->unfolded = net->origin;
  const size_t length = tl_question_print (q, net, 0, 0);
  if (!(answer->formula = malloc (length + 1)))
    return TL_E_NOMEM;
  tl_question_print (q, net, answer->formula, length + 1);
  return TL_OK;
}

// May visiting a marking say something new about it that somebody waits for?  A
// walk through a graph goes on until the first state that shows it is found.
static bool is_wanted (const tl_goal *goal) {
  return !goal->home &&
         ((goal->verdict == TL_VERDICT_UNKNOWN && !goal->moot) || goal->number);
}

// Which places the goals that are left look at.
static void choose_places (tl_goals *g) {
  g->places = 0;
  g->reads_enabled = false;
  memset (g->wanted, 0, g->net->places);
  for (size_t i = 0; i < g->goals; i++) {
    const tl_predicate *p = &g->goal[i].program;
    if (!is_wanted (g->goal + i))
      continue;
    g->reads_enabled |= p->reads_enabled;
    for (size_t k = 0; k < p->places; k++)
      g->wanted[p->place[k]] = 1;
  }
  for (size_t i = 0; i < g->count; i++)
    if (g->asked[i].question->kind == TL_ASK_BOUND &&
        !tl_goals_is_decided (g->asked + i))
      for (uint32_t k = 0; k < g->asked[i].question->term_count; k++)
        g->wanted[g->asked[i].question->term[k].place] = 1;
  for (uint32_t p = 0; p < g->net->places; p++)
    if (g->wanted[p])
      g->place[g->places++] = p;
}

// Prepares the question, unless it is decided.
static tl_status ask_open (tl_goals *g, tl_asked *a) {
  if (tl_goals_is_decided (a)) {
    g->undecided--;
    return TL_OK;
  }
  const tl_status rc =
      a->answer->formula ? TL_OK : name_answer (g->net, a->question, a->answer);
  return rc ? rc : ask (g, a);
}

tl_status tl_goals_open (tl_goals *g, tl_mem *mem, const tl_enquiry *enquiry) {
  const tl_net *net = enquiry->net;
  const tl_questions *questions = enquiry->questions;
  const double begun = tl_clock ();
  *g = (tl_goals){.mem = mem,
                  .net = net,
                  .arena = TL_ARENA (mem),
                  .start = enquiry->start,
                  .options = enquiry->options,
                  .reduction = enquiry->reduction,
                  .count = questions->count,
                  .undecided = questions->count,
                  .unsafe = UINT64_MAX,
                  .live_number = UINT64_MAX,
                  .constant = tl_shown_places (net),
                  .unfired = tl_shown_transitions (net)};
  if (!TL_NEW (mem, g->asked, g->count) ||
      !TL_NEW (mem, g->place, net->places) ||
      !TL_NEW (mem, g->wanted, net->places) ||
      !TL_NEW (mem, g->marking, net->places) ||
      !TL_NEW (mem, g->changed, tl_shown_places (net)) ||
      !TL_NEW (mem, g->gain, net->places) ||
      !TL_NEW (mem, g->culprit, tl_culprits_room (net)) ||
      !TL_NEW (mem, g->fired, net->transitions) ||
      !TL_NEW (mem, g->alive, net->transitions) ||
      !TL_NEW (mem, g->enabled, net->transitions / 64 + 1))
    return TL_E_NOMEM;
  tl_marking_initial (net, g->marking);
  g->shrinker = (tl_shrinker){.mem = mem,
                              .arena = &g->arena,
                              .net = net,
                              .initial = g->marking,
                              .options = enquiry->options,
                              .hasty = enquiry->hasty,
                              .soon = enquiry->soon,
                              .given = enquiry->structure,
                              .no_dead = enquiry->structure};
  for (size_t i = 0; i < g->count; i++) {
    g->asked[i] = (tl_asked){.question = questions->question + i,
                             .answer = enquiry->answers + i};
    const tl_status rc = ask_open (g, g->asked + i);
    if (rc)
      return rc;
  }
  tl_shrinker_finish (&g->shrinker);
  if (!TL_NEW (mem, g->verdict, g->goals))
    return TL_E_NOMEM;
  choose_places (g);
  g->opening = tl_clock () - begun;
  return TL_OK;
}

void tl_goals_close (tl_goals *g) {
  tl_mem *mem = g->mem;
  const tl_net *net = g->net;
  tl_shrinker_close (&g->shrinker);
  for (size_t i = 0; i < g->goals; i++) {
    tl_predicate_close (&g->goal[i].program);
    tl_trace_close (&g->goal[i].trace);
    tl_noted_close (&g->goal[i].target, mem, net);
  }
  TL_DEL (mem, g->goal, g->goal_room);
  TL_DEL (mem, g->verdict, g->goals);
  TL_DEL (mem, g->asked, g->count);
  TL_DEL (mem, g->place, net->places);
  TL_DEL (mem, g->wanted, net->places);
  TL_DEL (mem, g->marking, net->places);
  TL_DEL (mem, g->changed, tl_shown_places (net));
  TL_DEL (mem, g->gain, net->places);
  TL_DEL (mem, g->culprit, tl_culprits_room (net));
  TL_DEL (mem, g->fired, net->transitions);
  TL_DEL (mem, g->alive, net->transitions);
  tl_noted_close (&g->live_target, mem, net);
  tl_noted_close (&g->home_target, mem, net);
  TL_DEL (mem, g->enabled, net->transitions / 64 + 1);
  tl_arena_close (&g->arena);
}

// ---- Visiting --------------------------------------------------------------

tl_status tl_goals_trace (const tl_visit *v, tl_trace *trace) {
  const tl_status rc =
      v->search ? tl_search_trace (v->search, trace) : TL_E_LIMIT;
  return rc == TL_E_LIMIT ? TL_OK : rc;
}

// Then the way to the goal, or to where it cannot be reached any more, shows
// the answer.
bool tl_goals_hinges (const tl_asked *a) {
  const tl_verdict reached = TL_VERDICT_TRUE, missed = TL_VERDICT_FALSE;
  return a->plan.goals == 1 && !a->small.unshown &&
         tl_plan_verdict (&a->plan, &reached) !=
             tl_plan_verdict (&a->plan, &missed);
}

void tl_goals_look (tl_goals *g) {
  for (size_t i = 0; i < g->goals; i++)
    g->verdict[i] = g->goal[i].verdict;
  for (size_t i = 0; i < g->count; i++) {
    tl_asked *a = g->asked + i;
    if (tl_goals_is_decided (a) || !a->plan.goals)
      continue;
    const tl_verdict verdict =
        tl_plan_verdict (&a->plan, g->verdict + a->first_goal);
    if (verdict == TL_VERDICT_UNKNOWN)
      continue;
    tl_goals_answer (g, a, verdict);
    tl_goal *only = g->goal + a->first_goal;
    if (tl_goals_hinges (a)) {
      a->answer->trace = only->trace;
      only->trace = (tl_trace){0};
    }
  }
  choose_places (g);
}

static tl_status look_at_goals (tl_goals *g, const tl_visit *v) {
  bool reached = false;
  for (size_t i = 0; i < g->goals; i++) {
    tl_goal *goal = g->goal + i;
    if (!is_wanted (goal) ||
        (goal->verdict != TL_VERDICT_UNKNOWN && g->number > goal->number) ||
        !tl_predicate_run (&goal->program, g->marking, g->enabled))
      continue;
    const tl_status rc = tl_goals_trace (v, &goal->trace);
    if (rc)
      return rc;
    goal->verdict = TL_VERDICT_TRUE;
    goal->number = g->number;
    reached = true;
  }
  if (reached)
    tl_goals_look (g);
  return TL_OK;
}

static void look_at_bounds (tl_goals *g) {
  const size_t open = g->undecided;
  for (size_t i = 0; i < g->count; i++)
    if (g->asked[i].question->kind == TL_ASK_BOUND)
      look_at_bound (g, g->asked + i);
  if (g->undecided < open)
    choose_places (g);
}

tl_status tl_goals_decide (tl_goals *g, tl_question_kind kind,
                           tl_verdict verdict, const tl_visit *v) {
  for (size_t i = 0; i < g->count; i++) {
    tl_asked *a = g->asked + i;
    if (a->question->kind != kind || tl_goals_is_decided (a))
      continue;
    const tl_status rc = v && verdict == TL_VERDICT_FALSE
                             ? tl_goals_trace (v, &a->answer->trace)
                             : TL_OK;
    if (rc)
      return rc;
    tl_goals_answer (g, a, verdict);
  }
  return TL_OK;
}

void tl_goals_not_live (tl_goals *g) {
  for (size_t i = 0; i < g->count; i++) {
    tl_asked *a = g->asked + i;
    if (a->question->kind != TL_ASK_LIVE || tl_goals_is_decided (a))
      continue;
    (void)show_at_once (a); // it can do without
    tl_goals_answer (g, a, TL_VERDICT_FALSE);
  }
}

// Of all these places together.
static uint64_t tokens (const tl_visit *v, tl_node_range places) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < places.count; i++)
    sum += tl_layout_tokens (v->layout, v->state, places.first + i);
  return sum;
}

static uint64_t initial_tokens (const tl_net *net, tl_node_range places) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < places.count; i++)
    sum += net->initial[places.first + i];
  return sum;
}

static tl_status look_at_safety (tl_goals *g, const tl_visit *v) {
  const tl_layout *l = v->layout;
  uint8_t *mark = 0;
  for (uint32_t p = 0; p < tl_shown_places (g->net); p++) {
    const tl_node_range places = tl_shown_place (g->net, p);
    if ((places.count == 1 && l->field[places.first].width == 1) ||
        tokens (v, places) <= 1)
      continue;
    mark = mark ? mark : tl_culprits_begin (g);
    mark[p] = 1;
  }
  if (!mark)
    return TL_OK;
  const tl_status rc =
      tl_goals_decide (g, TL_ASK_ONE_SAFE, TL_VERDICT_FALSE, v);
  if (!rc)
    g->unsafe = g->number;
  tl_culprits_name (g, TL_ASK_ONE_SAFE);
  return rc;
}

static tl_status look_at_stability (tl_goals *g, const tl_visit *v) {
  for (uint32_t p = 0; p < tl_shown_places (g->net); p++) {
    const tl_node_range places = tl_shown_place (g->net, p);
    if (!g->changed[p] &&
        tokens (v, places) != initial_tokens (g->net, places)) {
      g->changed[p] = 1;
      g->constant--;
    }
  }
  if (g->constant)
    return TL_OK;
  g->asks_stable = false;
  return tl_goals_decide (g, TL_ASK_STABLE_MARKING, TL_VERDICT_FALSE, 0);
}

void tl_goals_mark_all (const tl_goals *g, uint8_t *mark, uint32_t transition) {
  const tl_node_range same = tl_shown_with (g->net, transition);
  memset (mark + same.first, 1, same.count);
}

static tl_status look_at_fired (tl_goals *g, const tl_visit *v) {
  for (uint32_t i = 0; i < v->enabled_count; i++)
    if (!g->fired[v->enabled[i]]) {
      tl_goals_mark_all (g, g->fired, v->enabled[i]);
      g->unfired--;
    }
  if (g->unfired)
    return TL_OK;
  g->asks_fired = false;
  const tl_status rc =
      tl_goals_decide (g, TL_ASK_QUASI_LIVE, TL_VERDICT_TRUE, 0);
  return !rc && g->returns
             ? tl_goals_decide (g, TL_ASK_LIVE, TL_VERDICT_TRUE, 0)
             : rc;
}

void tl_goals_set_enabled (tl_goals *g, const tl_visit *v, bool on) {
  for (uint32_t i = 0; i < v->enabled_count; i++) {
    const uint64_t bit = (uint64_t)1 << v->enabled[i] % 64;
    if (on)
      g->enabled[v->enabled[i] / 64] |= bit;
    else
      g->enabled[v->enabled[i] / 64] = 0;
  }
}

tl_visit_verdict tl_goals_visit (void *goals, const tl_visit *v) {
  tl_goals *g = goals;
  for (size_t i = 0; i < g->places; i++)
    g->marking[g->place[i]] =
        tl_layout_tokens (v->layout, v->state, g->place[i]);
  const bool reads_enabled = g->reads_enabled;
  if (reads_enabled)
    tl_goals_set_enabled (g, v, true);
  tl_status rc = look_at_goals (g, v);
  if (reads_enabled)
    tl_goals_set_enabled (g, v, false);
  if (g->asks_bounds)
    look_at_bounds (g);
  if (!rc && g->asks_safe && g->number < g->unsafe)
    rc = look_at_safety (g, v);
  if (!rc && g->asks_stable)
    rc = look_at_stability (g, v);
  if (!rc && g->asks_fired)
    rc = look_at_fired (g, v);
  if (!rc && !v->enabled_count && v->search && tl_home_is_open (g))
    rc = tl_home_dead (g, v);
  if (rc)
    return TL_VISIT_FAILED;
  if (!g->undecided)
    return TL_VISIT_STOP;
  return g->unbounded ? tl_unbounded_verdict (g) : TL_VISIT_CONTINUE;
}

void tl_goals_gain (tl_goals *g, const tl_trace *run) {
  memset (g->gain, 0, g->net->places * sizeof *g->gain);
  for (uint64_t i = run->loop_from; i < run->length; i++)
    for (tl_change c = tl_net_change (g->net, run->transition[i]);
         tl_net_change_next (&c);)
      g->gain[c.place] += c.amount;
}

// Other ranks know nothing of places that answers do not tell apart.
static bool is_for_ranks (const tl_goals *g) {
  return !g->net->origin || !(g->asks_safe || g->asks_stable);
}

tl_visitor tl_goals_visitor (tl_goals *g) {
  return (tl_visitor){
      .context = g,
      .visit = tl_goals_visit,
      .skips = tl_goals_skips,
      .skips_room = tl_goals_room (g),
      .write_test = tl_device_test_is_exact (g) ? tl_device_test_write : 0,
      .test_limits = tl_device_test_limits (g),
      .set_limits = tl_device_test_set,
      .brief = is_for_ranks (g) ? tl_goals_brief : 0,
      .save = tl_goals_save,
      .restore = tl_goals_restore,
      .again = tl_home_again,
      .unbounded = tl_unbounded_known,
      .finalised = tl_home_is_asked (g) ? tl_home_finalised : 0,
      .attract = tl_goals_attract};
}

// ---- The end ---------------------------------------------------------------

// What a complete search says about a question that nothing decided earlier.
static tl_verdict verdict_at_end (const tl_goals *g, const tl_asked *a) {
  switch (a->question->kind) {
  case TL_ASK_BOUND:
    return a->answer->unknown_why ? TL_VERDICT_UNKNOWN : TL_VERDICT_BOUND;
  case TL_ASK_ONE_SAFE: return TL_VERDICT_TRUE;
  case TL_ASK_QUASI_LIVE:
    return g->unfired ? TL_VERDICT_FALSE : TL_VERDICT_TRUE;
  case TL_ASK_STABLE_MARKING:
    return g->constant ? TL_VERDICT_TRUE : TL_VERDICT_FALSE;
  case TL_ASK_LIVE:
    return g->home_why && !g->returns ? TL_VERDICT_UNKNOWN : TL_VERDICT_TRUE;
  case TL_ASK_HOME_STATE:
    return g->home_why || g->home_state_why ? TL_VERDICT_UNKNOWN
                                            : TL_VERDICT_TRUE;
  case TL_ASK_FORMULA:
  case TL_ASK_DEADLOCK: break;
  }
  return a->plan.goals ? tl_plan_verdict (&a->plan, g->verdict + a->first_goal)
                       : TL_VERDICT_UNKNOWN;
}

// The verdict of a goal, when a complete search is over.
static tl_verdict goal_at_end (const tl_goals *g, const tl_goal *goal) {
  if (goal->verdict != TL_VERDICT_UNKNOWN)
    return goal->verdict;
  return !goal->home   ? TL_VERDICT_FALSE
         : g->home_why ? TL_VERDICT_UNKNOWN
                       : TL_VERDICT_TRUE;
}

static const char *why_unknown (const tl_goals *g, const tl_asked *a,
                                const tl_exploration *run) {
  if (!run->complete)
    return tl_stop_text (g->unbounded && !tl_unbounded_may_show (g, a)
                             ? TL_STOP_UNBOUNDED
                             : run->stop);
  if (a->question->kind == TL_ASK_HOME_STATE && g->home_state_why)
    return g->home_state_why;
  return g->home_why ? g->home_why : tl_stop_text (run->stop);
}

void tl_goals_settle (tl_goals *g, const tl_exploration *run) {
  if (run->complete && g->returns && g->asks_fired && g->unfired)
    tl_goals_not_live (g);
  for (size_t i = 0; i < g->goals; i++)
    g->verdict[i] =
        run->complete ? goal_at_end (g, g->goal + i) : g->goal[i].verdict;
  for (size_t i = 0; i < g->count; i++) {
    tl_asked *a = g->asked + i;
    const tl_verdict verdict =
        run->complete ? verdict_at_end (g, a) : TL_VERDICT_UNKNOWN;
    if (verdict != TL_VERDICT_UNKNOWN)
      tl_goals_answer (g, a, verdict);
    if (!tl_goals_is_decided (a) && !a->answer->unknown_why)
      a->answer->unknown_why = why_unknown (g, a, run);
  }
  if (run->complete)
    tl_culprits_settle (g);
}
