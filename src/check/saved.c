#include "check/saved.h"

#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"
#include "check/graph_home.h"
#include "graph/walk.h"
#include "graph/way.h"

enum { POLL = 256 }; // visits between two looks at the clock

typedef struct walking {
  tl_goals *goals;
  tl_temporal *temporal;
  tl_graph_home home;
  tl_visitor visitor; // of the goals
  const tl_options *options;
  tl_exploration *run;
  double deadline; // 0: none
  uint64_t visits;
  bool breadth_first; // so the graph was built
} walking;

// The state that shows the answer to a question, if there is one.
static uint64_t shown_at (const tl_goals *g, const tl_asked *a) {
  const tl_verdict verdict = a->answer->verdict;
  if (verdict == TL_VERDICT_UNKNOWN || a->answer->trace.transition)
    return TL_SHOWN_NOWHERE;
  if (a->question->kind == TL_ASK_ONE_SAFE)
    return verdict == TL_VERDICT_FALSE ? g->unsafe : TL_SHOWN_NOWHERE;
  if (tl_goals_hinges (a) && !a->plan.home[0]) {
    const tl_goal *goal = g->goal + a->first_goal;
    return goal->verdict == TL_VERDICT_TRUE ? goal->number : TL_SHOWN_NOWHERE;
  }
  return tl_graph_home_shown_at (g, a);
}

// All is decided: how far states can still show it on a shorter way.
static uint64_t last_shown (const tl_goals *g) {
  uint64_t last = 0;
  for (size_t i = 0; i < g->count; i++) {
    const uint64_t state = shown_at (g, g->asked + i);
    if (state != TL_SHOWN_NOWHERE && state > last)
      last = state;
  }
  return last;
}

static tl_status poll (walking *w) {
  if (w->visits++ % POLL)
    return TL_OK;
  if (tl_cancelled (w->options->cancel))
    w->run->stop = TL_STOP_CANCEL;
  else if (w->deadline > 0 && tl_clock () > w->deadline)
    w->run->stop = TL_STOP_TIME;
  return w->run->stop == TL_STOP_DONE ? TL_OK : TL_E_LIMIT;
}

static tl_status visit (void *context, const tl_walk_visit *v) {
  walking *w = context;
  tl_goals *g = w->goals;
  tl_status rc = poll (w);
  if (rc)
    return rc;
  if (w->breadth_first && v->depth > w->run->depth)
    w->run->depth = v->depth;
  g->number = v->number;
  if (w->visitor.visit (w->visitor.context, &v->visit) == TL_VISIT_FAILED)
    return TL_E_NOMEM;
  if (!g->undecided)
    *v->below = last_shown (g);
  if (w->temporal->count)
    rc = tl_labels_visit (&w->temporal->labels, v->number, &v->visit);
  tl_graph_home_visit (&w->home, v->number, &v->visit);
  return rc;
}

static void fill_result (const tl_saved *saved, const tl_mem *mem,
                         tl_exploration *r) {
  const tl_graph *g = saved->graph;
  r->complete = r->stop == TL_STOP_DONE;
  r->store_bytes = (size_t)tl_graph_bytes (g);
  r->bytes_per_state = (double)r->store_bytes / (double)g->states;
  r->bits = (uint32_t)(r->store_bytes * 8 / g->states);
  tl_exploration_add_row (r, "graph", r->store_bytes, 0);
  tl_exploration_add_row (r, mem->name, mem->peak, 0);
  r->peak_rss_bytes = tl_mem_peak_resident ();
}

static tl_status walk (const tl_saved *saved, tl_mem *root, tl_goals *g,
                       tl_temporal *temporal, const tl_options *options,
                       tl_exploration *run) {
  const double start = tl_clock ();
  tl_mem mem = TL_MEM (root, "walk");
  *run = (tl_exploration){.size = sizeof *run,
                          .threads = 1,
                          // An unfolded graph has some markings twice.
                          .counted =
                              saved->graph->markings == saved->graph->states,
                          .saved = true,
                          .order = "saved",
                          .store = "graph",
                          .states = saved->graph->states,
                          .arcs = saved->graph->arcs};
  walking w = {.goals = g,
               .temporal = temporal,
               .visitor = tl_goals_visitor (g),
               .options = options,
               .run = run,
               .breadth_first = !saved->graph->order,
               .deadline = options->timeout > 0 ? start + options->timeout : 0};
  tl_status rc = tl_graph_home_open (&w.home, &mem, g, saved->graph);
  if (!rc)
    rc = tl_graph_walk (saved->graph, &mem, g->net, saved->most, visit, &w);
  if (!rc)
    tl_graph_home_decide (&w.home);
  tl_graph_home_close (&w.home);
  if (rc == TL_E_NOMEM)
    run->stop = TL_STOP_MEMORY;
  fill_result (saved, &mem, run);
  run->seconds = tl_clock () - start;
  return rc == TL_E_NOMEM || rc == TL_E_LIMIT ? TL_OK : rc;
}

// ---- The engine ------------------------------------------------------------

static tl_cost cost (const tl_checking *c, const tl_asked *a) {
  (void)c;
  return !a->beyond_reach || a->temporal ? TL_COST_STATES : TL_COST_NONE;
}

static tl_status decide (tl_checking *c, const tl_allowance *share) {
  (void)share; // it has no rivals
  tl_exploration run;
  const tl_status rc =
      walk (c->saved, c->root, c->goals, c->temporal, c->options, &run);
  if (rc == TL_E_MODEL)
    return tl_fail (c->error, rc,
                    "something that is asked is not defined in some state; "
                    "asked of the model itself, it is told where");
  if (rc)
    return tl_fail (c->error, rc, "the saved graph is not that of its net");
  tl_checking_take (c, &run, true);
  return run.complete && c->temporal->count
             ? tl_temporal_decide (c, c->saved->graph)
             : TL_OK;
}

static void show (tl_checking *c) {
  for (size_t i = 0; i < c->goals->count; i++) {
    const tl_asked *a = c->goals->asked + i;
    const uint64_t state = shown_at (c->goals, a);
    if (state != TL_SHOWN_NOWHERE)
      (void)tl_graph_way (c->saved->graph, c->goals->net, state,
                          &a->answer->trace);
  }
}

const tl_engine_kind tl_engine_saved = {"saved", cost, decide, show};
