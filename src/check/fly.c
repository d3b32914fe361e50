#include "check/fly.h"

#include "base/clock.h"
#include "check/local.h"
#include "check/temporal.h"

#include <stdlib.h>

// A question while it is looked at.
typedef struct trial {
  tl_arena arena;
  tl_mem mem;
  tl_labels labels;
  tl_sat *sat;
  tl_local *local;
} trial;

static tl_status open_trial (trial *t, tl_space *space, const tl_asked *a) {
  tl_search *search = space->search;
  t->mem = TL_MEM (&search->engine, "question");
  t->arena = TL_ARENA (&t->mem);
  tl_status rc = tl_labels_open (&t->labels, &t->mem, search->net);
  const tl_sat_ways ways = {.arena = &t->arena,
                            .mem = &t->mem,
                            .labels = &t->labels,
                            .linear = a->small.linear,
                            .automata = true};
  if (!rc)
    rc = tl_sat_open (&t->sat, &ways, a->small.formula);
  if (!rc)
    rc = tl_local_open (&t->local, &t->arena, space, &t->labels, t->sat);
  return rc;
}

static void close_trial (trial *t) {
  tl_local_close (t->local);
  tl_sat_close (t->sat);
  tl_labels_close (&t->labels);
  tl_arena_close (&t->arena);
}

static const char *engine_of (const tl_formula *f) {
  switch (tl_formula_shape (f)) {
  case TL_SHAPE_LTL: return "ltl-fly";
  case TL_SHAPE_CTL_STAR: return "ctl*-fly";
  default: return "ctl-fly";
  }
}

// Why there is no answer.
static tl_stop reason (const tl_search *search, tl_status rc) {
  return search->stop != TL_STOP_DONE ? search->stop
         : rc == TL_E_NOMEM           ? TL_STOP_MEMORY
                                      : TL_STOP_STATES;
}

// TL_E_LIMIT, TL_E_NOMEM: it is not decided.
static tl_status decide (tl_fly *f, tl_space *space, tl_asked *a) {
  trial t = {0};
  const double start = tl_clock ();
  bool holds;
  tl_run run = {0};
  space->most = f->effort < UINT64_MAX - space->work ? space->work + f->effort
                                                     : UINT64_MAX;
  tl_status rc = open_trial (&t, space, a);
  if (!rc)
    rc = tl_local_decide (t.local, &holds, &run);
  if (!rc && run.found)
    rc = tl_temporal_tell (f->goals, &run, &a->answer->trace);
  free (run.arc);
  close_trial (&t);
  if (rc)
    return rc;
  a->answer->engine = engine_of (a->small.formula);
  tl_goals_answer (f->goals, a, holds ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
  a->answer->seconds = tl_clock () - start;
  return TL_OK;
}

static tl_status decide_all (tl_fly *f, tl_space *space) {
  for (size_t i = 0; i < f->goals->count; i++) {
    tl_asked *a = f->goals->asked + i;
    if (!a->temporal || a->answer->verdict != TL_VERDICT_UNKNOWN)
      continue;
    const tl_status rc = decide (f, space, a);
    if (!rc)
      continue;
    f->left++;
    f->stop = reason (space->search, rc);
    if (f->last)
      a->answer->unknown_why = tl_stop_text (f->stop);
    if (space->lost || (rc != TL_E_LIMIT && rc != TL_E_NOMEM))
      return rc;
  }
  return TL_OK;
}

tl_wish tl_fly_begin (void *fly, tl_search *s) {
  tl_fly *f = fly;
  tl_space space;
  f->left = 0;
  tl_status rc = tl_space_open (&space, s);
  space.may_widen = f->last;
  if (!rc)
    rc = decide_all (f, &space);
  const bool fault = rc && rc != TL_E_LIMIT && rc != TL_E_NOMEM;
  const size_t undecided = f->goals->undecided;
  const bool enough = !rc && !undecided;
  if (!rc && undecided <= (f->last ? f->left : 0))
    s->found = space.store->count;
  if (!rc && undecided && f->last && undecided == f->left)
    s->stop = f->stop; // there is nothing else to search for
  const bool failed = fault || space.lost;
  f->rc = fault ? rc : TL_OK;
  tl_space_close (&space);
  return failed ? TL_FAILED : enough ? TL_ENOUGH : TL_GO_ON;
}
