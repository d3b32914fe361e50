#include "check/fly.h"

#include "base/clock.h"
#include "check/circuit.h"
#include "check/lasso.h"
#include "check/local.h"
#include "check/portfolio.h"
#include "check/reduce.h"
#include "check/temporal.h"
#include "check/ternary.h"
#include "check/unbounded.h"
#include "logic/linear.h"
#include "logic/on_run.h"
#include "net/marking.h"
#include "stubborn/visible.h"

#include <stdlib.h>

// A question while it is looked at.
typedef struct trial {
  tl_arena arena;
  tl_mem mem;
  tl_labels labels;
  tl_sat *sat;
  bool borrowed; // it is that of the graph
  tl_local *local;
  tl_ternary *ternary;
} trial;

static tl_status open_formula (trial *t, const tl_fly *f, tl_search *search,
                               const tl_asked *a, bool automata) {
  t->mem = TL_MEM (&search->engine, "question");
  t->arena = TL_ARENA (&t->mem);
  tl_status rc = tl_labels_open (&t->labels, &t->mem, search->net);
  const tl_sat_ways ways = {.arena = &t->arena,
                            .mem = &t->mem,
                            .labels = &t->labels,
                            .linear = a->small.linear,
                            .automata = automata};
  return rc ? rc
            : tl_sat_open (&t->sat, &ways,
                           f->only ? f->small.formula : a->small.formula);
}

// A formula about runs is the same on the graph, where it is taken apart
// already, with its automaton.
static bool can_borrow (const tl_fly *f, const tl_asked *a) {
  return !f->only && tl_sat_is_linear (a->temporal) &&
         f->checking->temporal->labels.count;
}

static tl_status open_automata (trial *t, const tl_fly *f, tl_search *search,
                                const tl_asked *a, const tl_labels **labels) {
  *labels = &t->labels;
  t->borrowed = can_borrow (f, a);
  if (!t->borrowed)
    return open_formula (t, f, search, a, true);
  t->mem = TL_MEM (&search->engine, "question");
  t->arena = TL_ARENA (&t->mem);
  t->sat = a->temporal;
  *labels = &f->checking->temporal->labels;
  return TL_OK;
}

static tl_status open_trial (trial *t, const tl_fly *f, tl_space *space,
                             const tl_asked *a) {
  const tl_labels *labels;
  const tl_status rc = open_automata (t, f, space->search, a, &labels);
  return rc ? rc : tl_local_open (&t->local, &t->arena, space, labels, t->sat);
}

static void close_trial (trial *t) {
  tl_local_close (t->local);
  tl_ternary_close (t->ternary);
  if (!t->borrowed) {
    tl_sat_close (t->sat);
    tl_labels_close (&t->labels);
  }
  tl_arena_close (&t->arena);
}

static const char *engine_of (const tl_formula *f) {
  switch (tl_formula_fragment (f)) {
  case TL_FRAGMENT_LTL: return "ltl-fly";
  case TL_FRAGMENT_CTL_STAR: return "ctl*-fly";
  default: return "ctl-fly";
  }
}

// Why there is no answer.
static tl_stop reason (const tl_fly *f, const tl_search *search, tl_status rc) {
  return search->stop != TL_STOP_DONE ? search->stop
         : rc == TL_E_NOMEM           ? TL_STOP_MEMORY
         : f->goals->unbounded        ? TL_STOP_UNBOUNDED
                                      : TL_STOP_STATES;
}

// *end is the state it ends with.
static tl_status tell_run (tl_space *space, const tl_run *run, tl_trace *trace,
                           uint64_t *end) {
  uint64_t state = 0;
  *trace = (tl_trace){.length = run->length,
                      .loop = run->loop_from < run->length,
                      .loop_from = run->loop_from};
  trace->transition = calloc (run->length + 1, sizeof *trace->transition);
  if (!trace->transition)
    return TL_E_NOMEM;
  for (uint64_t i = 0; i < run->length; i++) {
    trace->transition[i] = tl_space_transition (space, state, run->arc[i]);
    state = tl_numbers_get (&space->target, space->first[state] + run->arc[i]);
  }
  *end = state;
  return TL_OK;
}

// Where the smaller net is dead, the net may have steps left that nobody sees,
// until it is, too.
static tl_status go_to_end (const tl_net *net, tl_trace *trace) {
  uint64_t *marking = calloc (net->places + 1, sizeof *marking);
  bool ok = marking;
  if (ok) {
    tl_marking_initial (net, marking);
    ok = tl_marking_run (net, marking, trace->transition, trace->length);
  }
  for (uint32_t t;
       ok && (t = tl_marking_enabled (net, marking, 0)) != net->transitions;) {
    tl_marking_fire (net, marking, t);
    ok = tl_trace_extend (trace, t);
  }
  free (marking);
  return ok ? TL_OK : TL_E_NOMEM;
}

// Where a net has no bound, a loop of the smaller one may fill places that this
// one does not have: no marking comes again, and no lasso shows that run.
static bool fills (tl_goals *g, const tl_trace *run) {
  bool more = false;
  tl_goals_gain (g, run);
  for (uint32_t p = 0; run->loop && p < g->net->places; p++) {
    if (g->gain[p] < 0)
      return false;
    more |= g->gain[p] > 0;
  }
  return more;
}

// A run of the smaller net, in the net; *run is closed, or becomes the trace.
static tl_status show_there (const tl_fly *f, tl_trace *run, bool dead,
                             tl_trace *trace) {
  const tl_reduced *r = f->only ? f->small.reduced : 0;
  *trace = *run;
  if (!r)
    return TL_OK;
  tl_status rc = tl_reduced_trace (r, run, trace);
  tl_trace_close (run);
  if (!rc && !trace->loop && dead)
    rc = go_to_end (f->goals->net, trace);
  if (!rc && fills (f->goals, trace))
    tl_trace_close (trace);
  return rc;
}

static tl_status show_run (const tl_fly *f, tl_space *space, const tl_run *run,
                           tl_trace *trace) {
  uint64_t end;
  tl_trace there;
  const tl_status rc = tell_run (space, run, &there, &end);
  return rc ? rc : show_there (f, &there, !space->degree[end], trace);
}

static void allow_effort (const tl_fly *f, tl_space *space) {
  space->most = f->share.effort < UINT64_MAX - space->work
                    ? space->work + f->share.effort
                    : UINT64_MAX;
}

static void answer (const tl_fly *f, tl_asked *a, const char *engine,
                    bool holds, double start) {
  a->answer->engine = engine;
  tl_goals_answer (f->goals, a, holds ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
  a->answer->seconds = tl_clock () - start;
}

// A search that goes one way as deep as it gets may miss what is easy to find.
static tl_status walk (const tl_fly *f, tl_space *space, tl_local *local,
                       bool *holds, tl_run *run) {
  if (!f->share.walks)
    return TL_E_LIMIT;
  space->most = space->work + f->share.walks;
  return tl_local_walk (local, holds, run);
}

// TL_E_LIMIT, TL_E_NOMEM: it is not decided.
static tl_status decide (const tl_fly *f, tl_space *space, tl_asked *a) {
  trial t = {0};
  const double start = tl_clock ();
  bool holds;
  tl_run run = {0};
  allow_effort (f, space);
  tl_status rc = open_trial (&t, f, space, a);
  const bool nested = !rc && f->method.nested && tl_sat_is_linear (t.sat);
  if (!rc)
    rc = (nested ? tl_local_decide_nested : tl_local_decide) (t.local, &holds,
                                                              &run);
  if (rc == TL_E_LIMIT && !nested && space->search->stop == TL_STOP_DONE &&
      !space->lost)
    rc = walk (f, space, t.local, &holds, &run);
  if (!rc && run.found && !a->small.unshown)
    rc = show_run (f, space, &run, &a->answer->trace);
  free (run.arc);
  close_trial (&t);
  if (!rc)
    answer (f, a, nested ? "ltl-nested" : engine_of (a->small.formula), holds,
            start);
  return rc;
}

// The same in three values, without a run that would show it.  Lost: nothing
// more can be done with the search.
static tl_status decide_ternary (const tl_fly *f, tl_search *s, tl_asked *a,
                                 bool *lost) {
  trial t = {0};
  tl_space space = {0};
  const double start = tl_clock ();
  bool holds;
  tl_status rc = open_formula (&t, f, s, a, false);
  if (!rc && !tl_ternary_takes (t.sat))
    rc = TL_E_LIMIT;
  if (!rc)
    rc = tl_space_open (&space, s, 0);
  space.may_widen = f->widens;
  allow_effort (f, &space);
  if (!rc)
    rc = tl_ternary_open (&t.ternary, &t.arena, &space, &t.labels, t.sat);
  if (!rc)
    rc = tl_ternary_decide (t.ternary, &holds);
  close_trial (&t);
  *lost = space.lost;
  tl_space_close (&space);
  if (!rc)
    answer (f, a, "ctl-ternary", holds, start);
  return rc;
}

// By walks that are led.
static tl_status decide_led (const tl_fly *f, tl_search *s, tl_asked *a,
                             bool *lost) {
  trial t = {0};
  tl_space space = {0};
  const double start = tl_clock ();
  bool holds;
  tl_run run = {0};
  tl_status rc = tl_space_open (&space, s, 0);
  space.may_widen = f->widens;
  space.most = UINT64_MAX;
  if (!rc)
    rc = open_trial (&t, f, &space, a);
  if (!rc)
    rc = tl_lasso_walk (t.local, a->walks, &holds, &run);
  if (!rc && run.found && !a->small.unshown)
    rc = show_run (f, &space, &run, &a->answer->trace);
  free (run.arc);
  close_trial (&t);
  *lost = space.lost;
  tl_space_close (&space);
  if (!rc)
    answer (f, a, engine_of (a->small.formula), holds, start);
  return rc;
}

// By walks in the token game, which find a run.
static tl_status decide_in_game (const tl_fly *f, tl_search *s, tl_asked *a,
                                 bool *lost) {
  trial t = {0};
  tl_trace run = {0};
  tl_circuit_end end;
  const double start = tl_clock ();
  const tl_labels *labels;
  tl_status rc = open_automata (&t, f, s, a, &labels);
  *lost = false;
  if (!rc)
    rc = tl_circuit_find (s, &t.mem, t.sat, labels, a->walks, &run, &end);
  const bool holds = !rc && t.sat->formula->op == TL_EXISTS;
  if (!rc && !a->small.unshown && end != TL_CIRCUIT_GROWS)
    rc = show_there (f, &run, end == TL_CIRCUIT_DEAD, &a->answer->trace);
  else
    tl_trace_close (&run);
  close_trial (&t);
  if (!rc)
    answer (f, a, engine_of (a->small.formula), holds, start);
  return rc;
}

// A run that says enough of the formula, or of its negation.  TL_E_LIMIT: none
// does.
static tl_status open_on_run (trial *t, const tl_fly *f, tl_search *search,
                              const tl_asked *a, bool holds) {
  tl_formula *formula = f->small.formula;
  t->mem = TL_MEM (&search->engine, "question");
  t->arena = TL_ARENA (&t->mem);
  tl_status rc = tl_labels_open (&t->labels, &t->mem, search->net);
  if (rc)
    return rc;
  formula = holds ? formula : tl_formula_negate (&t->arena, formula);
  if (formula && !a->small.linear)
    formula = tl_formula_linear (&t->arena, formula, false);
  formula = formula ? tl_formula_on_run (&t->arena, formula) : 0;
  const tl_sat_ways ways = {.arena = &t->arena,
                            .mem = &t->mem,
                            .labels = &t->labels,
                            .linear = true,
                            .automata = true};
  return !formula ? TL_E_NOMEM
         : !tl_formula_has_temporal (formula)
             ? TL_E_LIMIT
             : tl_sat_open (&t->sat, &ways, formula);
}

static tl_status decide_on_run (const tl_fly *f, tl_search *s, tl_asked *a,
                                bool holds) {
  trial t = {0};
  tl_trace run = {0};
  tl_circuit_end end;
  const double start = tl_clock ();
  tl_status rc = open_on_run (&t, f, s, a, holds);
  if (!rc)
    rc = tl_circuit_find (s, &t.mem, t.sat, &t.labels, a->walks, &run, &end);
  tl_trace_close (&run);
  close_trial (&t);
  if (!rc)
    answer (f, a, engine_of (a->small.formula), holds, start);
  return rc;
}

static tl_status decide_by_run (const tl_fly *f, tl_search *s, tl_asked *a,
                                bool *lost) {
  *lost = false;
  return decide_on_run (f, s, a, true);
}

static tl_status decide_against_run (const tl_fly *f, tl_search *s, tl_asked *a,
                                     bool *lost) {
  *lost = false;
  return decide_on_run (f, s, a, false);
}

typedef tl_status decide_alone (const tl_fly *, tl_search *, tl_asked *,
                                bool *lost);

// For some seconds of the time that there is.
static tl_status try_alone (const tl_fly *f, tl_search *s, tl_asked *a,
                            decide_alone *how, bool *lost) {
  const double end = s->deadline, part = tl_clock () + f->seconds;
  if (end <= 0 || part < end)
    s->deadline = part;
  const tl_status rc = how (f, s, a, lost);
  s->deadline = end;
  if (s->stop == TL_STOP_TIME && (end <= 0 || tl_clock () < end))
    s->stop = TL_STOP_DONE;
  return rc;
}

static tl_status try_in_game (const tl_fly *f, tl_search *s, tl_asked *a,
                              bool *lost) {
  if (tl_formula_is_about_runs (f->small.formula) &&
      (a->small.linear || f->small.formula->operand[0]->op != TL_NEXT))
    return try_alone (f, s, a, decide_in_game, lost);
  const tl_status rc = try_alone (f, s, a, decide_by_run, lost);
  return rc == TL_E_LIMIT ? try_alone (f, s, a, decide_against_run, lost) : rc;
}

// Marks what the formula can see of transitions.
static tl_status mark_visible (tl_search *s, const tl_sat *sat,
                               uint8_t *visible) {
  if (sat->kind == TL_SAT_LABEL)
    return tl_visible_mark (&s->engine, s->net, sat->formula, visible);
  tl_status rc = TL_OK;
  for (uint32_t i = 0; !rc && i < sat->parts; i++)
    rc = mark_visible (s, sat->part[i], visible);
  return rc;
}

// The same of a question.  TL_E_LIMIT: stubborn sets do not keep its answer.
static tl_status look_at (const tl_fly *f, tl_search *s, const tl_asked *a,
                          uint8_t *visible) {
  trial t = {0};
  tl_status rc = open_formula (&t, f, s, a, true);
  if (!rc)
    rc = tl_sat_ignores_stutter (t.sat) ? mark_visible (s, t.sat, visible)
                                        : TL_E_LIMIT;
  close_trial (&t);
  return rc;
}

// In a graph of its own, with stubborn sets; alone it is decided without where
// these do not keep the answer.
static tl_status search_reduced (tl_fly *f, tl_search *s, tl_asked *a) {
  const uint32_t transitions = s->net->transitions;
  uint8_t *visible;
  tl_space space = {0};
  if (!TL_NEW (&s->engine, visible, transitions))
    return TL_E_NOMEM;
  tl_status rc = look_at (f, s, a, visible);
  const bool keeps = !rc;
  if (!rc || (rc == TL_E_LIMIT && f->only))
    rc = tl_space_open (&space, s, keeps ? visible : 0);
  f->goals->by_reduced = keeps;
  space.may_widen = f->widens;
  if (!rc)
    rc = decide (f, &space, a);
  if (space.store && space.store->count > f->states)
    f->states = space.store->count;
  tl_space_close (&space);
  TL_DEL (&s->engine, visible, transitions);
  return rc;
}

// A small graph is there sooner than a walk finds out that there is no run.
static tl_status decide_reduced (tl_fly *f, tl_search *s, tl_asked *a) {
  bool lost = false;
  tl_status rc =
      f->only ? try_alone (f, s, a, decide_ternary, &lost) : TL_E_LIMIT;
  if (rc == TL_E_LIMIT && f->only && !lost && a->walks++ % 2)
    rc = try_alone (f, s, a, decide_led, &lost);
  if (!rc || lost)
    return rc;
  rc = search_reduced (f, s, a);
  if (rc != TL_E_LIMIT || !f->only || s->stop != TL_STOP_DONE)
    return rc;
  f->goals->by_reduced = false;
  return try_in_game (f, s, a, &lost);
}

// Decides all questions, in one graph or (null) each in its own.
static tl_status decide_all (tl_fly *f, tl_search *s, tl_space *space) {
  for (size_t i = 0; i < f->goals->count; i++) {
    tl_asked *a = f->goals->asked + i;
    if ((f->only ? f->only != a : !a->temporal) || tl_goals_is_decided (a))
      continue;
    const tl_status rc =
        space ? decide (f, space, a) : decide_reduced (f, s, a);
    if (!rc)
      continue;
    f->left++;
    f->stop = reason (f, s, rc);
    if (f->share.last)
      a->answer->unknown_why = tl_stop_text (f->stop);
    if ((space && space->lost) || (rc != TL_E_LIMIT && rc != TL_E_NOMEM))
      return rc;
  }
  return TL_OK;
}

static tl_status decide_in_one (tl_fly *f, tl_search *s) {
  tl_space space;
  tl_status rc = tl_space_open (&space, s, 0);
  space.may_widen = f->widens;
  if (!rc)
    rc = decide_all (f, s, &space);
  if (!rc && f->left && f->share.then && !tl_portfolio_flies (f->checking)) {
    f->share = *f->share.then;
    f->left = 0;
    rc = decide_all (f, s, &space);
  }
  f->states = space.store ? space.store->count : 0;
  tl_space_close (&space);
  return rc;
}

// ---- The engine ------------------------------------------------------------

// Steps for each question about an unbounded net.
#define UNBOUNDED_EFFORT 1000000

// Before the first visit: there are none.
static tl_visit_verdict begin (void *fly, tl_search *s) {
  tl_fly *f = fly;
  // Where a place may outgrow its capacity, the search must look at each state.
  const bool watches = s->capacities.count && !f->share.last;
  const tl_status rc = watches             ? TL_OK
                       : f->method.reduced ? decide_all (f, s, 0)
                                           : decide_in_one (f, s);
  s->found = f->states;
  if (rc && rc != TL_E_LIMIT && rc != TL_E_NOMEM)
    f->rc = rc;
  return TL_VISIT_STOP;
}

static tl_visit_verdict unbounded (void *fly, const tl_trace *run) {
  tl_fly *f = fly;
  if (f->share.effort > UNBOUNDED_EFFORT)
    f->share.effort = UNBOUNDED_EFFORT;
  if (f->only && f->small.reduced) // the run is one of another net
    return TL_VISIT_CONTINUE;
  const tl_visit_verdict verdict = tl_unbounded_known (f->goals, run);
  return verdict == TL_VISIT_GIVE_UP ? TL_VISIT_CONTINUE : verdict;
}

static void attract (void *fly, const tl_visit *v, tl_stubborn *set) {
  const tl_fly *f = fly;
  tl_goals_attract (f->goals, v, set);
}

static tl_cost cost (const tl_checking *c, const tl_asked *a) {
  return c->method.fly && a->temporal ? TL_COST_SOME : TL_COST_NONE;
}

static tl_status decide_some (tl_checking *c, const tl_allowance *share) {
  tl_fly f = {.checking = c,
              .goals = c->goals,
              .method = c->method,
              .share = *share,
              .widens = share->last};
  const tl_visitor visitor = {.context = &f,
                              .begin = begin,
                              .unbounded = unbounded,
                              .attract = attract,
                              .structure = c->goals->shrinker.structure};
  tl_options how = *c->options;
  tl_exploration run;
  how.timeout = tl_checking_time (c, share);
  how.monotone = how.exact_count = false;
  how.trim &= share->last;
  const tl_status rc = tl_explore_on (c->root, c->goals->net, &how, &visitor,
                                      &run, share->last ? c->error : 0);
  if (rc) // without memory to begin with, what is left stays open
    return share->last && !c->searched ? rc : f.rc;
  if (f.left) {
    run.stop = f.stop;
    run.complete = false;
  }
  tl_checking_take (c, &run, false);
  return f.rc;
}

// Seconds in which a net is made smaller.
#define REDUCTION_SECONDS 1

tl_status tl_fly_alone (tl_checking *c, tl_asked *a, tl_structure *structure,
                        const tl_allowance *share, double seconds) {
  tl_mem half = tl_checking_share (c, "on the fly");
  tl_arena arena = TL_ARENA (&half);
  tl_fly f = {.checking = c,
              .goals = c->goals,
              .only = a,
              .method = c->method,
              .share = *share,
              .seconds = seconds,
              .widens = true};
  f.method.reduced = true;
  tl_status rc =
      tl_smaller_open (&f.small, &half, &arena, c->goals->net, structure,
                       a->small.formula, REDUCTION_SECONDS);
  if (!rc) {
    const tl_visitor visitor = {.context = &f,
                                .begin = begin,
                                .unbounded = unbounded,
                                .attract = attract,
                                .structure = f.small.structure};
    tl_options how = *c->options;
    tl_exploration run;
    how.stubborn = "property";
    how.timeout = tl_checking_time (c, share);
    how.monotone = how.exact_count = how.trim = false;
    how.on_progress = 0;
    rc = tl_explore_on (&half, f.small.net, &how, &visitor, &run, 0);
    if (!rc)
      tl_exploration_close (&run);
  }
  c->goals->by_reduced = false;
  tl_smaller_close (&f.small);
  tl_arena_close (&arena);
  return f.rc ? f.rc : rc == TL_E_NOMEM ? TL_OK : rc;
}

const tl_engine_kind tl_engine_fly = {"fly", cost, decide_some, 0};
