// Formulas on a whole graph.
//
// The search for components of LTL goes from state to state, and one thread
// does that; a fixpoint of CTL is made by passes, which several threads can
// share.  But mostly several formulas are asked.  So threads take one formula
// each, with the same arcs and labels; and where only one is left all of them
// make its passes.  What one thread would find is found, runs included.

#include "base/clock.h"
#include "base/tuning.h"
#include "check/fixpoint.h"
#include "check/temporal.h"

#include <pthread.h>
#include <stdlib.h>

// A formula that is to be decided, and what was found.
typedef struct item {
  tl_asked *asked;
  tl_status rc;
  bool holds;
  tl_run run;
  double seconds;
  bool found, told;
} item;

typedef struct desk {
  tl_checking *checking;
  item *item; // [items]
  size_t items, room;
  tl_threads *team;            // null: one thread
  tl_fixpoints first, *beside; // [size - 1] of the others, or null
  unsigned size;
  pthread_mutex_t lock;
  size_t taken; // items
  tl_status rc; // a fault when some were told
} desk;

static void decide (const desk *d, tl_fixpoints *bits, item *i) {
  const double start = tl_clock ();
  tl_sat_means means = {.sets = &bits->sets,
                        .nested = d->checking->temporal->method.nested};
  i->rc = tl_sat_decide (&means, i->asked->temporal, &i->holds, &i->run);
  i->seconds = tl_clock () - start;
}

// By the thread that asked.  Not TL_OK: a fault.
static tl_status tell (const desk *d, item *i) {
  const tl_temporal *t = d->checking->temporal;
  tl_answer *answer = i->asked->answer;
  tl_status rc = i->rc;
  i->told = true;
  if (!rc && i->run.found)
    rc = tl_temporal_tell_run (t->goals, &i->run, &answer->trace);
  free (i->run.arc);
  i->run.arc = 0;
  if (!rc) {
    answer->engine = tl_temporal_engine (t, i->asked);
    tl_goals_answer (t->goals, i->asked,
                     i->holds ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
    answer->seconds = i->seconds;
  } else if (rc == TL_E_NOMEM || rc == TL_E_LIMIT) {
    answer->unknown_why = rc == TL_E_NOMEM ? "the memory budget was reached"
                                           : "the time limit was reached";
    rc = TL_OK;
  }
  return rc;
}

// ---- Several formulas ------------------------------------------------------

// Those that were found and not told.  One for which there was no memory beside
// others is decided again.
static tl_status tell_found (desk *d) {
  tl_status rc = TL_OK;
  for (size_t k = 0; !rc && k < d->items; k++) {
    item *i = d->item + k;
    pthread_mutex_lock (&d->lock);
    const bool ready = i->found && !i->told && i->rc != TL_E_NOMEM;
    pthread_mutex_unlock (&d->lock);
    if (ready)
      rc = tell (d, i);
  }
  return rc;
}

static void work (void *context, unsigned who) {
  desk *d = context;
  tl_fixpoints *bits = who ? d->beside + who - 1 : &d->first;
  for (size_t k;
       (k = __atomic_fetch_add (&d->taken, 1, __ATOMIC_RELAXED)) < d->items;) {
    item *i = d->item + k;
    decide (d, bits, i);
    pthread_mutex_lock (&d->lock);
    i->found = true;
    pthread_mutex_unlock (&d->lock);
    if (!who && !d->rc)
      d->rc = tell_found (d);
  }
}

static tl_status open_beside (desk *d) {
  tl_mem *mem = d->first.mem;
  const unsigned others = tl_threads_size (d->team) - 1;
  if (tl_fixpoints_unpack (&d->first) || !TL_NEW (mem, d->beside, others))
    return TL_E_NOMEM;
  tl_status rc = TL_OK;
  for (d->size = 1; !rc && d->size <= others; d->size += !rc)
    rc = tl_fixpoints_open_beside (d->beside + d->size - 1, &d->first);
  return rc;
}

static void close_beside (desk *d) {
  tl_mem *mem = d->first.mem;
  for (unsigned i = 1;
       d->beside && i <= d->size && i < tl_threads_size (d->team); i++)
    tl_fixpoints_close (d->beside + i - 1);
  if (d->beside)
    TL_DEL (mem, d->beside, tl_threads_size (d->team) - 1);
}

static tl_status decide_side_by_side (desk *d) {
  tl_mem *mem = d->first.mem;
  tl_status rc = TL_OK;
  if (!open_beside (d)) { // else they are decided one by one
    d->first.team = 0;    // others have formulas of their own
    tl_mem_share (mem, true);
    tl_threads_run (d->team, work, d);
    tl_mem_share (mem, false);
    d->first.team = d->team;
    rc = d->rc ? d->rc : tell_found (d);
  }
  close_beside (d);
  return rc;
}

static tl_status decide_one_by_one (desk *d) {
  tl_status rc = TL_OK;
  for (size_t k = 0; !rc && k < d->items; k++) {
    item *i = d->item + k;
    if (i->told || tl_goals_is_decided (i->asked))
      continue;
    free (i->run.arc);
    i->run = (tl_run){0};
    decide (d, &d->first, i);
    rc = tell (d, i);
  }
  return rc;
}

// ---- All of them -----------------------------------------------------------

static tl_status list_items (desk *d) {
  const tl_goals *g = d->checking->goals;
  if (!TL_NEW (d->first.mem, d->item, d->room = g->count + 1))
    return TL_E_NOMEM;
  for (size_t i = 0; i < g->count; i++)
    if (g->asked[i].temporal && !tl_goals_is_decided (g->asked + i))
      d->item[d->items++].asked = g->asked + i;
  return TL_OK;
}

static void close_items (desk *d) {
  for (size_t k = 0; k < d->items; k++)
    free (d->item[k].run.arc);
  TL_DEL (d->first.mem, d->item, d->room);
}

// A graph of a few arcs is done with before threads have begun.
static bool pays (const tl_checking *c, const tl_graph *graph) {
  const uint64_t from = c->options->parallel_from;
  return c->how.threads > 1 && graph->arcs >= (from ? from : TL_PARALLEL_FROM);
}

tl_status tl_temporal_decide (tl_checking *c, const tl_graph *graph) {
  tl_temporal *t = c->temporal;
  desk d = {.checking = c};
  pthread_mutex_init (&d.lock, 0);
  tl_status rc = tl_fixpoints_open (&d.first, &t->mem, graph, &t->labels);
  d.first.cancel = c->options->cancel;
  d.first.deadline =
      c->options->timeout > 0 ? c->goals->start + c->options->timeout : 0;
  if (!rc)
    rc = list_items (&d);
  if (!rc && d.items && pays (c, graph) &&
      tl_threads_open (&d.team, &t->mem, c->how.threads))
    d.team = 0; // one does it
  d.first.team = d.team;
  if (!rc && d.items > 1 && d.team) {
    rc = decide_side_by_side (&d);
  }
  if (!rc)
    rc = decide_one_by_one (&d);
  close_items (&d);
  tl_threads_close (d.team);
  tl_fixpoints_close (&d.first);
  pthread_mutex_destroy (&d.lock);
  return rc;
}
