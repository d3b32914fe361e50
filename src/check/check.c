// The questions about a net, answered by one search.

#include "base/clock.h"
#include "base/error.h"
#include "base/sized.h"
#include "check/check.h"
#include "check/home.h"
#include "check/narrow.h"
#include "check/portfolio.h"
#include "check/reduce.h"
#include "check/temporal.h"
#include "model/model.h"

#include <stdlib.h>

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
            (a->plan.home[0] || a->small.returns); // it is out of reach there
  return right ? TL_OK
               : tl_fail (error, TL_E_INTERNAL,
                          "the trace for '%.100s' does not replay: this is a "
                          "fault in tideline, please report it",
                          a->answer->name);
}

// What can be done of it: with stubborn sets there is no whole graph, and the
// other way round; without arcs there is nothing on the fly.
static tl_method restrict_to (tl_method m, const tl_net *net,
                              const tl_saved *saved, tl_reduction stubborn) {
  m.reduced = !saved && stubborn == TL_REDUCE_PROPERTY;
  const bool graph = saved || !tl_net_has_arcs (net);
  m.fly = !graph && (m.fly || m.reduced);
  m.graph = graph || (m.graph && !m.reduced);
  return m;
}

// Only a search that visits all states has checkpoints.
static tl_status check_method (const tl_method *m, const tl_saved *saved,
                               const tl_options *options, tl_error *error) {
  if (!options->checkpoint)
    return TL_OK;
  if (saved)
    return tl_fail (error, TL_E_ARG,
                    "answers from a graph have no checkpoints");
  return m->symbolic || m->guided || !m->graph
             ? tl_fail (error, TL_E_ARG,
                        "there are no checkpoints with the engine %s",
                        options->engine)
             : TL_OK;
}

static tl_status run (tl_mem *root, const tl_net *net, const tl_saved *saved,
                      const tl_questions *questions, const tl_options *options,
                      const char *checkpoint, const tl_method *method,
                      const tl_how *how, tl_answers *out, tl_error *error) {
  tl_mem account = TL_MEM (root, "questions");
  tl_goals goals;
  tl_temporal temporal = {0};
  tl_enquiry enquiry = {.net = net,
                        .questions = questions,
                        .options = options,
                        .reduction = how->stubborn,
                        .answers = out->answer,
                        .start = tl_clock ()};
  tl_checking c = {.root = root,
                   .saved = saved,
                   .options = options,
                   .checkpoint = checkpoint,
                   .how = *how,
                   .method = restrict_to (*method, net, saved, how->stubborn),
                   .enquiry = &enquiry,
                   .goals = &goals,
                   .temporal = &temporal,
                   .run = &out->run,
                   .error = error};
  enquiry.hasty = tl_portfolio_waits (&c);
  tl_status rc = tl_goals_open (&goals, &account, &enquiry);
  if (rc == TL_E_NOMEM)
    tl_fail (error, rc, "no memory for the questions");
  if (!rc && !saved)
    rc = tl_goals_reduce (&goals, how->stubborn, error);
  if (!rc)
    rc = tl_temporal_open (&temporal, &c);
  if (!rc && (rc = tl_engines_run (&c)) == TL_E_INTERNAL)
    tl_fail (error, rc,
             "no run shows why a formula is decided: this is a fault in "
             "tideline, please report it");
  for (size_t i = 0; !rc && i < goals.count; i++)
    rc = prove (&goals, goals.asked + i, error);
  if (!rc && (temporal.count || temporal.for_home))
    tl_exploration_add_row (&out->run, temporal.mem.name, temporal.mem.peak, 0);
  if (!rc) {
    tl_exploration_add_row (&out->run, account.name, account.peak, 0);
    out->run.seconds = tl_clock () - enquiry.start; // as answers count them
  }
  tl_temporal_close (&temporal);
  tl_goals_close (&goals);
  return rc;
}

tl_status tl_check_on (tl_mem *root, const tl_net *net, const tl_saved *saved,
                       const tl_questions *questions, const tl_options *options,
                       tl_answers *out, tl_error *error) {
  *out = (tl_answers){.size = sizeof *out,
                      .answer_size = sizeof *out->answer,
                      .count = questions->count,
                      .run = {.size = sizeof out->run}};
  tl_method method;
  tl_how how;
  tl_status rc = tl_method_parse (&method, options, error);
  if (!rc)
    rc = tl_how_parse (&how, options, error);
  if (!rc)
    rc = check_method (&method, saved, options, error);
  if (rc)
    return rc;
  out->answer = calloc (out->count + 1, sizeof *out->answer);
  if (!out->answer)
    return tl_fail (error, TL_E_NOMEM, "no memory for the answers");
  for (size_t i = 0; i < out->count; i++)
    out->answer[i].size = sizeof *out->answer;
  tl_options known = *options; // searches on the way need not ask again
  known.threads = how.threads;
  known.checkpoint = 0; // they have none, but the one that visits all states
  tl_narrow narrow;
  rc = tl_narrow_open (&narrow, root, net, questions);
  if (rc)
    tl_fail (error, rc, "no memory for the questions");
  else
    rc = run (root, narrow.net, saved, questions, &known, options->checkpoint,
              &method, &how, out, error);
  tl_narrow_close (&narrow);
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
