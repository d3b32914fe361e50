#include "check/temporal.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/tuning.h"
#include "check/device_test.h"
#include "check/goals_save.h"
#include "check/graph_home.h"
#include "check/home.h"
#include "check/portfolio.h"
#include "check/reduce.h"
#include "check/unbounded.h"
#include "check/watch.h"
#include "graph/construct.h"
#include "model/model.h"

#include <stdlib.h>

// Seconds.
#define NO_TIME 1e-9

static const char *engine_of (const tl_formula *f) {
  switch (tl_formula_fragment (f)) {
  case TL_FRAGMENT_LTL: return "ltl-graph";
  case TL_FRAGMENT_CTL_STAR: return "ctl*-graph";
  default: return "ctl-graph";
  }
}

const char *tl_temporal_engine (const tl_temporal *t, const tl_asked *a) {
  return t->method.nested && tl_sat_is_linear (a->temporal)
             ? "ltl-nested-graph"
             : engine_of (a->small.formula);
}

static tl_status prepare (tl_temporal *t, tl_asked *a, tl_error *error) {
  const tl_shrunk *small = &a->small;
  const tl_sat_ways ways = {
      .arena = &t->goals->arena,
      .mem = &t->mem,
      .labels = &t->labels,
      .linear = small->linear,
      .automata =
          t->method.reduced ||
          (t->method.nested && tl_formula_is_about_runs (small->formula))};
  const tl_status rc = tl_sat_open (&a->temporal, &ways, small->formula);
  if (rc == TL_E_LIMIT) {
    tl_sat_close (a->temporal);
    a->temporal = 0;
    a->answer->unknown_why = "its automaton is too large";
    return TL_OK;
  }
  if (rc)
    return tl_fail (error, rc, "no memory for the questions");
  if (t->method.reduced && !tl_sat_ignores_stutter (a->temporal))
    return tl_fail (error, TL_E_ARG,
                    "stubborn sets that keep runs do not keep the answer to "
                    "'%.100s'",
                    a->question->name);
  if (a->beyond_reach)
    a->answer->engine = tl_temporal_engine (t, a);
  t->count++;
  t->choices += !a->beyond_reach;
  return TL_OK;
}

// Components are found on a graph where that is wanted, or where nothing says
// that memory is to be saved.
static bool builds_for_home (const tl_checking *c) {
  const bool any = !c->options->memory && !c->how.store;
  return !c->saved && c->method.graph && tl_home_is_asked (c->goals) &&
         c->how.order == &tl_order_bfs && c->how.stubborn == TL_REDUCE_NONE &&
         (!c->method.fly || any);
}

// What the graph and its components may take together, of what the run may.
static size_t most_for_home (const tl_checking *c) {
  const size_t half = c->root->limit / 2;
  return half && half < TL_HOME_GRAPH ? half : TL_HOME_GRAPH;
}

// Can all that the graph is for be decided without it?
static bool can_do_without (const tl_temporal *t) {
  return t->for_home && t->count == t->choices;
}

// May a question about components be decided as a formula of CTL, too?
static bool is_for_graph (const tl_checking *c, const tl_temporal *t,
                          const tl_asked *a) {
  const bool only_fly = c->method.fly && !c->method.graph && !c->method.reduced;
  return a->plan.homes && (c->saved || t->for_home || only_fly) &&
         !tl_goals_is_decided (a);
}

tl_status tl_temporal_open (tl_temporal *t, const tl_checking *c) {
  tl_goals *goals = c->goals;
  *t = (tl_temporal){.goals = goals,
                     .method = c->method,
                     .mem = TL_MEM (c->root, c->saved ? "formulas" : "graph"),
                     .for_home = builds_for_home (c)};
  tl_status rc = tl_labels_open (&t->labels, &t->mem, goals->net);
  for (size_t i = 0; !rc && i < goals->count; i++) {
    tl_asked *a = goals->asked + i;
    if (a->beyond_reach || is_for_graph (c, t, a))
      rc = prepare (t, a, c->error);
  }
  goals->wait_for_graph = t->for_home && !c->method.fly;
  if (can_do_without (t))
    t->mem.limit = most_for_home (c);
  return rc == TL_E_NOMEM
             ? tl_fail (c->error, rc, "no memory for the questions")
             : rc;
}

// Gives back what decides on the graph.
static void close_graph (tl_temporal *t) {
  tl_graph_close (t->graph);
  t->graph = 0;
  tl_labels_close (&t->labels);
  t->labels = (tl_labels){0};
}

void tl_temporal_close (tl_temporal *t) {
  for (size_t i = 0; t->goals && i < t->goals->count; i++)
    tl_sat_close (t->goals->asked[i].temporal);
  close_graph (t);
}

// ---- While the search goes on ----------------------------------------------

// There is no memory for the graph, so it is closed: the search goes on if it
// can without it.
static tl_visit_verdict run_short (tl_temporal *t) {
  if (!can_do_without (t))
    return TL_VISIT_FAILED;
  close_graph (t);
  return TL_VISIT_CONTINUE;
}

// Does nobody wait for the graph any more?
static void drop_graph (tl_temporal *t) {
  bool wanted = t->for_home && tl_home_is_open (t->goals);
  for (size_t i = 0; !wanted && i < t->goals->count; i++) {
    const tl_asked *a = t->goals->asked + i;
    wanted = a->temporal && a->beyond_reach && !tl_goals_is_decided (a);
  }
  if (t->graph && !wanted)
    close_graph (t);
}

static tl_visit_verdict visit (void *context, const tl_visit *v) {
  tl_temporal *t = context;
  const size_t open = t->goals->undecided;
  tl_visit_verdict verdict = tl_goals_visit (t->goals, v);
  if (verdict == TL_VISIT_CONTINUE && t->portfolio)
    verdict = tl_portfolio_visit (t->portfolio, v);
  if (t->goals->undecided < open)
    drop_graph (t);
  if (verdict != TL_VISIT_CONTINUE || !t->graph || !t->count)
    return verdict;
  return tl_labels_visit (&t->labels, t->states++, v) ? run_short (t)
                                                      : TL_VISIT_CONTINUE;
}

static tl_visit_verdict arcs (void *context, uint64_t state,
                              const uint64_t *numbers, size_t count,
                              bool last) {
  tl_temporal *t = context;
  const tl_visit_verdict verdict =
      t->graph ? tl_graph_arcs (t->graph, state, numbers, count, last)
               : TL_VISIT_CONTINUE;
  return verdict == TL_VISIT_FAILED ? run_short (t) : verdict;
}

static tl_visit_verdict again (void *context) {
  tl_temporal *t = context;
  const tl_visit_verdict verdict = tl_home_again (t->goals);
  if (!t->graph)
    return verdict;
  tl_labels_restart (&t->labels);
  t->states = 0;
  return tl_graph_restart (t->graph) ? TL_VISIT_FAILED : TL_VISIT_CONTINUE;
}

// There is no whole graph: what is not decided on the fly is not decided.
static tl_visit_verdict unbounded (void *context, const tl_trace *run) {
  tl_temporal *t = context;
  close_graph (t);
  return tl_unbounded_known (t->goals, run);
}

static tl_status finish_graph (tl_temporal *t, uint64_t markings) {
  const tl_status rc =
      t->finished ? TL_OK : tl_graph_finish (t->graph, markings);
  t->finished = !rc;
  return rc;
}

// Is every state in the graph, as it is in the store?  Then it is finished.
static bool is_whole (tl_temporal *t, const tl_finalised *states) {
  const tl_store *store = states->store;
  return t->graph && !t->graph->order && store && store->get &&
         !finish_graph (t, store->count) && t->graph->states == store->count;
}

static tl_visit_verdict finalised (void *context, tl_search *s,
                                   const tl_finalised *states) {
  tl_temporal *t = context;
  tl_goals *g = t->goals;
  t->settled = tl_home_is_open (g) && is_whole (t, states) &&
               tl_graph_home_settle (&t->mem, g, s, states->store, t->graph) !=
                   TL_E_NOMEM;
  if (t->settled)
    return g->undecided ? TL_VISIT_CONTINUE : TL_VISIT_STOP;
  if (t->graph &&
      can_do_without (t)) // it takes memory that the components need
    close_graph (t);
  return tl_home_finalised (g, s, states);
}

static bool skips (void *context, const tl_visit *v, uint64_t *room) {
  const tl_temporal *t = context;
  return !t->graph && tl_goals_skips (t->goals, v, room);
}

static void write_test (void *context, FILE *f) {
  const tl_temporal *t = context;
  tl_device_test_write (t->goals, f);
}

static void set_limits (void *context, uint64_t *limit) {
  const tl_temporal *t = context;
  tl_device_test_set (t->goals, limit);
}

static bool is_due (void *context, const tl_search *s) {
  const tl_temporal *t = context;
  return t->portfolio && tl_portfolio_is_due (t->portfolio, s);
}

static tl_visit_verdict turn (void *context, tl_search *s) {
  tl_temporal *t = context;
  const tl_visit_verdict verdict = tl_portfolio_turn (t->portfolio, s);
  drop_graph (t);
  return verdict;
}

static void attract (void *context, const tl_visit *v, tl_stubborn *set) {
  const tl_temporal *t = context;
  tl_goals_attract (t->goals, v, set);
}

static void save (void *context, tl_parcel *p) {
  const tl_temporal *t = context;
  tl_goals_save (t->goals, p);
}

static tl_status restore (void *context, tl_unparcel *u) {
  const tl_temporal *t = context;
  return tl_goals_restore (t->goals, u);
}

static tl_visitor visitor_of (tl_temporal *t) {
  tl_visitor v = tl_goals_visitor (t->goals);
  const bool finalises = v.finalised;
  if (t->graph || t->portfolio)
    v = (tl_visitor){.context = t,
                     .visit = visit,
                     .skips = skips,
                     .skips_room = v.skips_room,
                     .write_test = v.write_test ? write_test : 0,
                     .test_limits = v.test_limits,
                     .set_limits = set_limits,
                     .is_due = is_due,
                     .turn = turn,
                     .arcs = t->graph ? arcs : 0,
                     .again = again,
                     .attract = attract,
                     .unbounded = unbounded,
                     .save = save,
                     .restore = restore,
                     .finalised = finalises ? finalised : 0};
  v.structure = t->goals->shrinker.structure;
  return v;
}

// ---- Afterwards ------------------------------------------------------------

tl_status tl_temporal_tell_run (const tl_goals *g, const tl_run *run,
                                tl_trace *trace) {
  const tl_net *net = g->net;
  *trace = (tl_trace){.length = run->length,
                      .loop = run->loop_from < run->length,
                      .loop_from = run->loop_from};
  trace->transition = calloc (run->length + 1, sizeof *trace->transition);
  if (!trace->transition)
    return TL_E_NOMEM;
  for (uint64_t i = 0; i < run->length; i++)
    trace->transition[i] = (uint32_t)run->arc[i];
  tl_mem mem = TL_MEM (0, "path");
  const tl_status rc = tl_model_of (net)->path (net, &mem, trace);
  return rc == TL_E_ARG ? TL_E_INTERNAL : rc;
}

// ---- The engine ------------------------------------------------------------

static tl_cost cost (const tl_checking *c, const tl_asked *a) {
  if (a->question->kind == TL_ASK_FORMULA && a->beyond_reach)
    return a->temporal && c->method.graph ? TL_COST_GRAPH : TL_COST_NONE;
  return a->plan.homes && c->temporal->for_home ? TL_COST_GRAPH
                                                : TL_COST_STATES;
}

// Does some open question want a graph?
static bool wants_graph (const tl_checking *c) {
  for (size_t i = 0; i < c->goals->count; i++)
    if (!tl_goals_is_decided (c->goals->asked + i) &&
        cost (c, c->goals->asked + i) == TL_COST_GRAPH)
      return true;
  return c->temporal->for_home && tl_home_is_open (c->goals);
}

static tl_status search (tl_checking *c, double timeout) {
  tl_temporal *t = c->temporal;
  const tl_visitor visitor = visitor_of (t);
  tl_options how = *c->options;
  tl_exploration run;
  how.checkpoint = c->checkpoint;
  if (t->graph) {
    const tl_options graph = tl_graph_options (c->options);
    how.order = graph.order;
    how.store = graph.store;
  }
  // Where nothing is left, it ends at once; 0 would be no limit.
  how.timeout = c->options->timeout > 0 && timeout <= 0 ? NO_TIME : timeout;
  const tl_fleet team = {.cluster =
                             c->options->ranks ? c->options->ranks->cluster : 0,
                         .lookout = &tl_watch};
  const tl_status rc =
      team.cluster ? tl_explore_together (c->root, c->goals->net, &how,
                                          &visitor, &team, &run, c->error)
                   : tl_explore_on (c->root, c->goals->net, &how, &visitor,
                                    &run, c->error);
  if (!rc)
    tl_checking_take (c, &run, true);
  return rc;
}

// A graph that there was no memory for is given up if the search can do without
// it.
static bool gives_up_graph (tl_checking *c) {
  if (!c->temporal->graph || !can_do_without (c->temporal) ||
      c->run->stop != TL_STOP_MEMORY)
    return false;
  close_graph (c->temporal);
  return true;
}

// What is open and needs more than a look at each marking has no checkpoints.
static tl_status check_questions (const tl_checking *c) {
  const tl_goals *g = c->goals;
  for (size_t i = 0; c->checkpoint && i < g->count; i++) {
    const tl_asked *a = g->asked + i;
    const tl_question_kind kind = a->question->kind;
    const bool components =
        kind == TL_ASK_HOME_STATE || (kind == TL_ASK_LIVE && !g->returns);
    if (!tl_goals_is_decided (a) &&
        (a->beyond_reach || a->plan.homes || components))
      return tl_fail (c->error, TL_E_ARG,
                      "there are no checkpoints: '%.100s' is not decided by "
                      "looking at markings one by one",
                      a->answer->name);
  }
  return TL_OK;
}

static tl_status search_all (tl_checking *c, const tl_allowance *share) {
  tl_temporal *t = c->temporal;
  tl_status rc = wants_graph (c) ? tl_graph_open (&t->graph, &t->mem) : TL_OK;
  if (rc)
    return tl_fail (c->error, rc, "no memory for the questions");
  rc = search (c, tl_checking_time (c, share));
  if (!rc && gives_up_graph (c) && tl_checking_time (c, share) >= 0)
    rc = search (c, tl_checking_time (c, share));
  if (rc)
    return rc;
  if (!t->graph || !c->run->complete) {
    close_graph (t); // somebody else may have a use for the memory
    return TL_OK;
  }
  rc = finish_graph (t, tl_graph_markings (c->run));
  return rc ? tl_fail (c->error, rc, "no memory for the graph")
            : tl_temporal_decide (c, t->graph);
}

// For what is tried afterwards: what is left, or as long as the search took.
static double time_left (const tl_checking *c) {
  return c->options->timeout > 0 ? tl_goals_time_left (c->goals)
                                 : c->run->seconds + 1;
}

// May a run show that a sum has no bound?
static bool has_open_bound (const tl_checking *c) {
  for (size_t i = 0; i < c->goals->count; i++)
    if (c->goals->asked[i].question->kind == TL_ASK_BOUND &&
        tl_guided_may_decide (c, c->goals->asked + i))
      return true;
  return false;
}

// Did the search end for want of memory or time only, with questions open?  Or,
// since there is no end of markings, with time left for bounds?
static bool may_go_on (const tl_checking *c) {
  const tl_stop stop = c->run->stop;
  return c->goals->undecided && time_left (c) > 0 &&
         (stop == TL_STOP_MEMORY || stop == TL_STOP_TIME ||
          (stop == TL_STOP_UNBOUNDED && c->options->timeout > 0 &&
           has_open_bound (c)));
}

// Did it end with questions open, for whatever reason but that somebody wanted
// it?
static bool may_be_proven (const tl_checking *c) {
  return c->goals->undecided && !c->run->complete && time_left (c) > 0 &&
         c->run->stop != TL_STOP_CANCEL;
}

static tl_status decide_all (tl_checking *c, const tl_allowance *share) {
  tl_temporal *t = c->temporal;
  tl_portfolio portfolio;
  tl_status rc = check_questions (c);
  if (rc)
    return rc;
  tl_portfolio_open (&portfolio, c);
  t->portfolio =
      tl_portfolio_is_used (c) && c->goals->undecided ? &portfolio : 0;
  rc = search_all (c, share);
  if (!rc && t->portfolio && may_be_proven (c))
    rc = tl_portfolio_prove (&portfolio);
  if (!rc && t->portfolio && may_go_on (c))
    rc = tl_portfolio_finish (&portfolio, time_left (c));
  tl_portfolio_close (&portfolio);
  t->portfolio = 0;
  return rc;
}

static void show (tl_checking *c) {
  const tl_temporal *t = c->temporal;
  if (t->graph && t->settled)
    tl_graph_home_show (t->graph, c->goals);
  tl_home_show (c->goals, c->root, c->options, c->run);
}

const tl_engine_kind tl_engine_search = {"search", cost, decide_all, show};
