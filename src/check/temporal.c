#include "check/temporal.h"

#include "base/clock.h"
#include "logic/simplify.h"

static tl_status prepare (tl_temporal *t, tl_asked *a) {
  tl_formula *formula =
      tl_formula_simplify (&t->goals->arena, a->question->formula);
  if (!formula)
    return TL_E_NOMEM;
  const tl_status rc = tl_ctl_prepare (&t->labels, formula);
  if (rc == TL_E_MODEL) {
    a->answer->unknown_why = "this version decides CTL, not LTL and CTL*";
    return TL_OK;
  }
  a->temporal = formula;
  a->answer->engine = "ctl-graph";
  t->count++;
  return rc;
}

tl_status tl_temporal_open (tl_temporal *t, tl_mem *root, tl_goals *goals) {
  *t = (tl_temporal){.goals = goals, .mem = TL_MEM (root, "graph")};
  tl_status rc = tl_labels_open (&t->labels, &t->mem, goals->net);
  for (size_t i = 0; !rc && i < goals->count; i++)
    if (goals->asked[i].beyond_reach)
      rc = prepare (t, goals->asked + i);
  if (!rc && t->count)
    rc = tl_graph_open (&t->graph, &t->mem);
  return rc;
}

void tl_temporal_close (tl_temporal *t) {
  tl_graph_close (t->graph);
  tl_labels_close (&t->labels);
}

// ---- While the search goes on ----------------------------------------------

static tl_wish visit (void *context, const tl_visit *v) {
  tl_temporal *t = context;
  const tl_visitor goals = tl_goals_visitor (t->goals);
  const tl_wish wish = goals.visit (goals.context, v);
  if (wish != TL_GO_ON)
    return wish;
  return tl_labels_visit (&t->labels, v) ? TL_FAILED : TL_GO_ON;
}

static tl_wish arcs (void *context, const uint64_t *numbers, size_t count,
                     bool last) {
  tl_temporal *t = context;
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < count; i++)
    rc = tl_graph_arc (t->graph, numbers[i]);
  if (!rc && last)
    rc = tl_graph_end_state (t->graph);
  return rc ? TL_FAILED : TL_GO_ON;
}

static tl_wish unbounded (void *context, const tl_trace *run) {
  tl_temporal *t = context;
  const tl_visitor goals = tl_goals_visitor (t->goals);
  return goals.unbounded (goals.context, run);
}

static tl_wish settled (void *context, tl_search *s, const tl_settled *states) {
  tl_temporal *t = context;
  const tl_visitor goals = tl_goals_visitor (t->goals);
  return goals.settled (goals.context, s, states);
}

tl_visitor tl_temporal_visitor (tl_temporal *t) {
  const tl_visitor goals = tl_goals_visitor (t->goals);
  if (!t->count)
    return goals;
  return (tl_visitor){.context = t,
                      .visit = visit,
                      .arcs = arcs,
                      .unbounded = unbounded,
                      .settled = goals.settled ? settled : 0};
}

tl_options tl_temporal_options (const tl_temporal *t,
                                const tl_options *options) {
  tl_options how = *options;
  if (t->count) {
    how.order = "bfs";
    how.store = "auto";
  }
  return how;
}

// ---- Afterwards ------------------------------------------------------------

static tl_status decide (tl_fixpoints *f, const tl_labels *labels,
                         const tl_asked *a) {
  const double start = tl_clock ();
  uint64_t *set;
  const tl_status rc = tl_ctl_states (f, labels, a->temporal, &set);
  if (!rc) {
    a->answer->verdict =
        tl_set_has (set, 0) ? TL_VERDICT_TRUE : TL_VERDICT_FALSE;
    a->answer->unknown_why = 0;
    a->answer->seconds = tl_clock () - start;
  }
  tl_set_close (f, set);
  return rc;
}

tl_status tl_temporal_decide (tl_temporal *t, const tl_options *options,
                              const tl_exploration *run) {
  if (!t->count || !run->complete)
    return TL_OK;
  tl_fixpoints f;
  tl_status rc = tl_graph_finish (t->graph);
  if (rc)
    return rc;
  rc = tl_fixpoints_open (&f, &t->mem, t->graph);
  f.cancel = options->cancel;
  f.deadline =
      options->timeout > 0 ? tl_clock () + options->timeout - run->seconds : 0;
  for (size_t i = 0; !rc && i < t->goals->count; i++)
    if (t->goals->asked[i].temporal)
      rc = decide (&f, &t->labels, t->goals->asked + i);
  tl_fixpoints_close (&f);
  return rc;
}
