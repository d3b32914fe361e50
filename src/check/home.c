#include "check/home.h"

#include "check/culprits.h"
#include "explore/terminal.h"
#include "net/origin.h"

#include <string.h>

// ---- Components ------------------------------------------------------------

// Is the goal looked for in components?
static bool is_open (const tl_goal *goal) {
  return goal->home && !goal->moot && goal->verdict == TL_VERDICT_UNKNOWN;
}

bool tl_home_holds (tl_goals *g, const tl_goal *goal, const tl_visit *v) {
  for (size_t i = 0; i < goal->program.places; i++) {
    const uint32_t p = goal->program.place[i];
    g->marking[p] = tl_layout_tokens (v->layout, v->state, p);
  }
  return tl_predicate_run (&goal->program, g->marking, g->enabled);
}

// Notes the goals that the marking satisfies; true: all have been met.
static bool meet (tl_goals *g, const tl_visit *v) {
  bool all = true;
  tl_goals_set_enabled (g, v, true);
  for (size_t i = 0; i < g->goals; i++) {
    tl_goal *goal = g->goal + i;
    if (!is_open (goal) || goal->met)
      continue;
    goal->met = tl_home_holds (g, goal, v);
    all &= goal->met;
  }
  tl_goals_set_enabled (g, v, false);
  return all;
}

static tl_visit_verdict member (void *context, const tl_visit *v) {
  tl_goals *g = context;
  bool all = meet (g, v);
  if (g->asks_live) {
    for (uint32_t i = 0; i < v->enabled_count; i++) {
      if (g->alive[v->enabled[i]])
        continue;
      tl_goals_mark_all (g, g->alive, v->enabled[i]);
      g->dead--;
    }
    all &= !g->dead;
  }
  return all ? TL_VISIT_STOP : TL_VISIT_CONTINUE;
}

// That was a component.  `at`: the state that the search is at, if it is one of
// this component.
static tl_status end_goals (tl_goals *g, const tl_visit *one,
                            const tl_visit *at) {
  bool news = false;
  for (size_t i = 0; i < g->goals; i++) {
    tl_goal *goal = g->goal + i;
    if (is_open (goal) && !goal->met) {
      if (tl_noted_make (&goal->target, g->mem, one) ||
          (at && tl_goals_trace (at, &goal->trace)))
        return TL_E_NOMEM;
      goal->verdict = TL_VERDICT_FALSE;
      news = true;
    }
    goal->met = false;
  }
  if (news)
    tl_goals_look (g);
  return TL_OK;
}

static void begin_liveness (tl_goals *g) {
  memset (g->alive, 0, g->net->transitions);
  g->dead = tl_shown_transitions (g->net);
}

static tl_status end_liveness (tl_goals *g, const tl_visit *one,
                               const tl_visit *at) {
  if (g->dead) {
    if (tl_noted_make (&g->live_target, g->mem, one) ||
        tl_goals_decide (g, TL_ASK_LIVE, TL_VERDICT_FALSE, at))
      return TL_E_NOMEM;
    g->asks_live = false;
    tl_culprits_missing (g, g->alive);
    tl_culprits_name (g, TL_ASK_LIVE);
  }
  begin_liveness (g);
  return TL_OK;
}

// Two components have no marking in common.
static tl_status end_home_state (tl_goals *g, const tl_visit *one) {
  if (++g->components == 1)
    return tl_noted_make (&g->home_target, g->mem, one);
  g->asks_home_state = false;
  return tl_goals_decide (g, TL_ASK_HOME_STATE, TL_VERDICT_FALSE, 0);
}

bool tl_home_is_asked (const tl_goals *g) {
  return g->homes || g->asks_live || g->asks_home_state;
}

// Is there anything left to be looked for?
static bool is_curious (const tl_goals *g) {
  bool more = g->asks_live || g->asks_home_state;
  for (size_t i = 0; i < g->goals; i++)
    more |= is_open (g->goal + i);
  return more;
}

static tl_visit_verdict end (void *context, const tl_visit *one) {
  tl_goals *g = context;
  if (end_goals (g, one, 0) || (g->asks_live && end_liveness (g, one, 0)) ||
      (g->asks_home_state && end_home_state (g, one)))
    return TL_VISIT_FAILED;
  return is_curious (g) ? TL_VISIT_CONTINUE : TL_VISIT_STOP;
}

bool tl_home_is_open (const tl_goals *g) {
  return !g->home_why && is_curious (g);
}

bool tl_home_leave (tl_goals *g) {
  if (g->asks_live || g->asks_home_state)
    return false;
  for (size_t i = 0; i < g->count; i++)
    if (g->asked[i].plan.homes && !g->asked[i].temporal &&
        !tl_goals_is_decided (g->asked + i))
      return false;
  g->home_why = "the graph did not decide it";
  return true;
}

// What was found of components remains true; but they will be counted anew.
tl_visit_verdict tl_home_again (void *goals) {
  tl_goals *g = goals;
  g->components = 0;
  tl_noted_close (&g->home_target, g->mem, g->net);
  return TL_VISIT_CONTINUE;
}

tl_status tl_home_dead (tl_goals *g, const tl_visit *v) {
  tl_status rc = TL_OK;
  begin_liveness (g);
  if (!g->wait_for_graph) {
    meet (g, v);
    rc = end_goals (g, v, v);
  }
  return !rc && g->asks_live ? end_liveness (g, v, v) : rc;
}

tl_visit_verdict tl_home_finalised (void *goals, tl_search *s,
                                    const tl_finalised *states) {
  tl_goals *g = goals;
  if (!tl_home_is_open (g))
    return TL_VISIT_CONTINUE;
  begin_liveness (g);
  const tl_terminal_visitor visitor = {g, member, end};
  const tl_status rc = tl_terminal_find (s, states, &visitor);
  // What was found so far is right: the search goes on for the others.
  if (rc == TL_E_NOMEM)
    g->home_why = "there was no memory for the terminal components";
  else if (rc == TL_E_IO)
    g->home_why = "a temporary file cannot be read back";
  return g->undecided ? TL_VISIT_CONTINUE : TL_VISIT_STOP;
}

// ---- Traces ----------------------------------------------------------------

// A marking that a way is wanted to, and where to put that.
typedef struct wanted {
  const tl_noted *target;
  tl_trace *trace;
} wanted;

typedef struct guide {
  const tl_net *net;
  wanted *wanted;
  size_t count;
} guide;

static const tl_noted *target_of (const tl_goals *g, const tl_asked *a) {
  if (!tl_goals_is_decided (a) || a->answer->trace.transition)
    return 0;
  const tl_noted *target = 0;
  if (a->question->kind == TL_ASK_LIVE)
    target = &g->live_target;
  else if (a->question->kind == TL_ASK_HOME_STATE)
    target = a->answer->verdict == TL_VERDICT_TRUE ? &g->home_target : 0;
  else if (a->plan.goals == 1 && tl_goals_hinges (a))
    target = &g->goal[a->first_goal].target;
  return target && target->seen ? target : 0;
}

static tl_visit_verdict look_for_targets (void *context, const tl_visit *v) {
  guide *u = context;
  for (size_t i = 0; i < u->count;) {
    if (!tl_noted_is_at (u->wanted[i].target, u->net, v)) {
      i++;
      continue;
    }
    if (tl_search_trace (v->search, u->wanted[i].trace))
      return TL_VISIT_FAILED; // there will be no others
    u->wanted[i] = u->wanted[--u->count];
  }
  return u->count ? TL_VISIT_CONTINUE : TL_VISIT_STOP;
}

static tl_visit_verdict go_on (void *context, const tl_trace *run) {
  (void)context;
  (void)run;
  return TL_VISIT_CONTINUE;
}

static void search_again (guide *u, tl_mem *root, const tl_options *options,
                          double seconds, tl_exploration *run) {
  tl_options again = *options;
  tl_exploration second;
  const tl_visitor visitor = {
      .context = u, .visit = look_for_targets, .unbounded = go_on};
  again.timeout = options->timeout > 0 ? seconds : 0;
  again.monotone = again.exact_count = false;
  if ((options->timeout > 0 && seconds <= 0) ||
      tl_explore_on (root, u->net, &again, &visitor, &second, 0))
    return;
  run->seconds += second.seconds;
  run->peak_rss_bytes = second.peak_rss_bytes;
  tl_exploration_close (&second);
}

void tl_home_show (tl_goals *g, tl_mem *root, const tl_options *options,
                   tl_exploration *run) {
  guide u = {.net = g->net};
  if (!TL_NEW (g->mem, u.wanted, g->count))
    return;
  for (size_t i = 0; i < g->count; i++) {
    const tl_noted *target = target_of (g, g->asked + i);
    if (target)
      u.wanted[u.count++] = (wanted){target, &g->asked[i].answer->trace};
  }
  if (u.count)
    search_again (&u, root, options, tl_goals_time_left (g), run);
  TL_DEL (g->mem, u.wanted, g->count);
}
