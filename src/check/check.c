// The questions about a net, answered by one search.

#include "base/error.h"
#include "base/sized.h"
#include "check/check.h"
#include "check/home.h"
#include "check/reduce.h"
#include "check/temporal.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

bool tl_trace_replay (const tl_net *net, const tl_trace *trace) {
  if (!net || !trace || (trace->length && !trace->transition))
    return false;
  uint64_t *marking = calloc (net->places + 1, sizeof *marking);
  const bool right =
      marking && tl_model_of (net)->replay (net, trace, false, marking);
  free (marking);
  return right;
}

// Does the loop of the run, which has no end, take nothing away?
static bool grows (tl_goals *g, const tl_trace *trace) {
  tl_goals_gain (g, trace);
  for (uint32_t p = 0; p < g->net->places; p++)
    if (g->gain[p] < 0)
      return false;
  return true;
}

// Every trace is proven before it is shown: the marking it leads to must show
// what the question is about.
static tl_status prove (tl_goals *g, const tl_asked *a, tl_error *error) {
  const tl_trace *trace = &a->answer->trace;
  if (!trace->transition)
    return TL_OK;
  const bool closes = !a->answer->infinite;
  bool right =
      tl_model_of (g->net)->replay (g->net, trace, closes, g->marking) &&
      (closes || !tl_net_has_arcs (g->net) || grows (g, trace));
  // Without arcs, tokens do not tell what is enabled.
  if (right && a->plan.goals == 1 && tl_net_has_arcs (g->net))
    right = tl_formula_holds (a->plan.goal[0], g->net, g->marking) !=
            a->plan.home[0]; // where it leads, the goal is out of reach
  return right ? TL_OK
               : tl_fail (error, TL_E_INTERNAL,
                          "the trace for '%.100s' does not replay: this is a "
                          "fault in tideline, please report it",
                          a->answer->name);
}

static tl_status search (tl_mem *root, tl_goals *goals, tl_temporal *temporal,
                         const tl_options *options, tl_exploration *result,
                         tl_error *error) {
  const tl_visitor visitor = tl_temporal_visitor (temporal);
  tl_options how = tl_temporal_options (temporal, options);
  tl_status rc =
      tl_explore_on (root, goals->net, &how, &visitor, result, error);
  if (rc || !tl_temporal_do_without (temporal, result))
    return rc;
  const tl_visitor again = tl_temporal_visitor (temporal);
  const double seconds = result->seconds;
  how = *options;
  how.timeout -= options->timeout > 0 ? seconds : 0;
  if (options->timeout > 0 && how.timeout <= 0)
    return rc;
  tl_exploration_close (result);
  rc = tl_explore_on (root, goals->net, &how, &again, result, error);
  result->seconds += seconds;
  return rc;
}

// Shows the goals every marking.
static tl_status visit_all (tl_mem *root, const tl_saved *saved,
                            tl_goals *goals, tl_temporal *temporal,
                            const tl_options *options, tl_exploration *result,
                            tl_error *error) {
  if (!saved)
    return search (root, goals, temporal, options, result, error);
  const tl_status rc =
      tl_saved_visit (saved, root, goals, temporal, options, result);
  return rc ? tl_fail (error, rc, "the saved graph is not that of its net")
            : TL_OK;
}

static tl_status run (tl_mem *root, const tl_net *net, const tl_saved *saved,
                      const tl_questions *questions, const tl_options *options,
                      tl_answers *out, tl_error *error) {
  tl_mem account = TL_MEM (root, "questions");
  tl_goals goals;
  tl_status rc =
      tl_goals_open (&goals, &account, net, questions, options, out->answer);
  if (rc == TL_E_NOMEM)
    tl_fail (error, rc, "no memory for the questions");
  if (!rc && !saved)
    rc = tl_goals_reduce (&goals, options->stubborn, error);
  tl_temporal temporal = {0};
  if (!rc)
    rc = tl_temporal_open (&temporal, root, &goals, saved ? saved->graph : 0,
                           options, error);
  if (!rc)
    rc = visit_all (root, saved, &goals, &temporal, options, &out->run, error);
  if (!rc && (rc = tl_temporal_decide (&temporal, options, &out->run)))
    tl_fail (error, rc,
             rc == TL_E_NOMEM ? "no memory for the graph"
                              : "no run shows why a formula is decided: this "
                                "is a fault in tideline, please report it");
  if (!rc) {
    tl_goals_settle (&goals, &out->run);
    if (saved)
      tl_saved_show (saved, &goals);
    tl_temporal_show (&temporal);
    if (!saved)
      tl_home_show (&goals, root, options, &out->run);
    for (size_t i = 0; !rc && i < goals.count; i++)
      rc = prove (&goals, goals.asked + i, error);
  }
  if (!rc && (temporal.count || temporal.for_home))
    tl_exploration_add_row (&out->run, temporal.mem.name, temporal.mem.peak, 0);
  if (!rc)
    tl_exploration_add_row (&out->run, account.name, account.peak, 0);
  tl_temporal_close (&temporal);
  tl_goals_close (&goals);
  return rc;
}

static bool is_engine (const char *name) {
  size_t count;
  const tl_kind_row *row = tl_engines (&count);
  for (size_t i = 0; i < count; i++)
    if (!strcmp (row[i].name, name))
      return true;
  return false;
}

const tl_kind_row *tl_engines (size_t *count) {
  static const tl_kind_row row[] = {
      {"auto", "on the fly for a while, then on the graph"},
      {"graph", "on the whole reachability graph"},
      {"fly", "on the fly: no more of the graph than the answer needs"},
      {"nested", "the same, LTL by nested depth-first search"},
      {"nested-graph", "on the whole graph, LTL by nested depth-first search"}};
  if (count)
    *count = sizeof row / sizeof *row;
  return row;
}

tl_status tl_check_on (tl_mem *root, const tl_net *net, const tl_saved *saved,
                       const tl_questions *questions, const tl_options *options,
                       tl_answers *out, tl_error *error) {
  *out = (tl_answers){.size = sizeof *out,
                      .answer_size = sizeof *out->answer,
                      .count = questions->count,
                      .run = {.size = sizeof out->run}};
  if (!is_engine (options->engine))
    return tl_fail (error, TL_E_ARG, "unknown engine '%s'", options->engine);
  out->answer = calloc (out->count + 1, sizeof *out->answer);
  if (!out->answer)
    return tl_fail (error, TL_E_NOMEM, "no memory for the answers");
  for (size_t i = 0; i < out->count; i++)
    out->answer[i].size = sizeof *out->answer;
  const tl_status rc = run (root, net, saved, questions, options, out, error);
  if (rc)
    tl_answers_close (out);
  return rc;
}

void tl_answers_close (tl_answers *answers) {
  tl_answers all;
  if (!TL_TAKE (&all, answers))
    return;
  for (size_t i = 0; all.answer && i < all.count; i++) {
    tl_answer a;
    TL_TAKE (&a, (const char *)all.answer + i * all.answer_size);
    free (a.formula);
    free (a.culprits.id);
    tl_trace_close (&a.trace);
  }
  free (all.answer);
  all.run.size = sizeof all.run;
  tl_exploration_close (&all.run);
  tl_sized_clear (answers);
}
