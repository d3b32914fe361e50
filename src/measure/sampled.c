#include "measure/sampled.h"

#include "base/budget.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/threads.h"
#include "base/tuning.h"
#include "measure/anneal.h"
#include "measure/candidates.h"
#include "measure/jury.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What it costs to keep every marking and visit it once, with many arcs.
#define NO_USE (1 + 1.5 * TL_SAMPLE_SHARE)

// Seconds: shorter work is done by one thread.
#define SOON 0.02

static const char annealed[] = "annealed";

static const uint64_t windows[] = {0, 1, 2, 4, 8};
enum { WINDOWS = sizeof windows / sizeof *windows };

typedef struct search {
  tl_measures *list;
  tl_structure *structure;
  const tl_measure_request *request;
  double end;      // of the work of this thread, for slow machines
  double deadline; // on the clock, for busy ones
  tl_random random;
  tl_alike alike;
  tl_jury small, large;
  uint32_t *unseen; // [transitions] that no sample has
  uint32_t unseen_count;
  int64_t *weight;  // [places] where annealing begins
  uint32_t divisor; // samples are smaller by this
} search;

// For any thread.
static bool is_late (const search *s) {
  return tl_cancelled (s->request->cancel) || tl_clock () > s->deadline;
}

static bool stopped (const search *s) {
  return is_late (s) || tl_clock_busy () > s->end;
}

// The time to look for candidates: a small net is not worth all of it.
static double seconds_for (const search *s) {
  const double part = (double)s->large.sample[0].count / TL_SAMPLE_ENOUGH;
  return s->request->seconds * (s->large.all && part < 1 ? part : 1);
}

// ---- Judging ---------------------------------------------------------------

static bool judged (const tl_measure *m) {
  return m->peak > 0;
}

static double cost (const tl_measure *m) {
  return judged (m) ? m->peak + TL_SAMPLE_SHARE * m->work : INFINITY;
}

static int by_cost (const void *a, const void *b) {
  const double x = cost (a), y = cost (b);
  return (x > y) - (x < y);
}

static void sort (tl_measures *list) {
  if (list->count)
    qsort (list->measure, list->count, sizeof *list->measure, by_cost);
}

static double risk_of (const search *s, const tl_measure *m) {
  double risk = 0;
  for (uint32_t i = 0; i < s->unseen_count; i++)
    risk += m->offset[s->unseen[i]] < 0 ? TL_SAMPLE_RISK : 0;
  return risk;
}

// With a window, unless that costs more than `limit`.
static void judge (const search *s, tl_jury *jury, tl_measure *m,
                   uint64_t window, double limit) {
  tl_estimate e;
  const double begin = tl_clock_busy (), risk = risk_of (s, m);
  if (tl_jury_judge (jury, m, window, TL_SAMPLE_SHARE, limit - risk, &e)) {
    m->window = window;
    m->peak = fmin (e.peak + risk, 1);
    m->work = e.work;
  }
  m->seconds += tl_clock_busy () - begin;
}

static void find_window (const search *s, tl_jury *jury, tl_measure *m) {
  const uint64_t unit = tl_measure_unit (m, s->list->net);
  for (int i = 0; i < WINDOWS; i++)
    judge (s, jury, m, windows[i] * unit, cost (m));
}

// ---- Annealing -------------------------------------------------------------

// One annealing, from some weights on.
typedef struct attempt {
  tl_anneal anneal;
  uint32_t juror;
  bool made;
} attempt;

// Some of them, which do not depend on each other: several threads make them,
// each with pilots of its own.
typedef struct attempts {
  const search *search;
  attempt list[TL_SAMPLE_COARSE];
  uint32_t count, next;
  double work, hot, together; // of each
  unsigned threads;
  tl_pilot *pilot; // [threads * jurors]; the first thread has those of the jury
} attempts;

// From the weights of the search.
static tl_status add_attempt (search *s, attempts *all, uint32_t juror,
                              uint64_t window) {
  tl_pilot *pilot = s->small.pilot + juror;
  attempt *a = all->list + all->count;
  const tl_status rc =
      tl_anneal_open (&a->anneal, pilot, s->structure->incidence, &s->alike,
                      TL_SAMPLE_SHARE, tl_random_next (&s->random));
  if (rc)
    return rc;
  all->count++;
  a->juror = juror;
  a->anneal.unseen = s->unseen;
  a->anneal.unseen_count = s->unseen_count;
  a->anneal.risk = TL_SAMPLE_RISK * pilot->count;
  a->anneal.best_window = window;
  memcpy (a->anneal.best, s->weight, s->list->net->places * sizeof *s->weight);
  return TL_OK;
}

static void make_attempts (void *context, unsigned who) {
  attempts *all = context;
  const search *s = all->search;
  for (uint32_t i; !is_late (s) &&
                   (i = __atomic_fetch_add (&all->next, 1, __ATOMIC_RELAXED)) <
                       all->count;) {
    attempt *a = all->list + i;
    const double n = a->anneal.pilot->count;
    if (who)
      a->anneal.pilot = all->pilot + (who - 1) * s->small.count + a->juror;
    tl_anneal_start (&a->anneal, a->anneal.best, a->anneal.best_window);
    tl_anneal_run (&a->anneal, (uint64_t)all->work, all->hot * n,
                   TL_SAMPLE_COLD * n, all->together);
    a->made = true;
  }
}

static void close_pilots (attempts *all) {
  const search *s = all->search;
  const size_t count = (size_t)(all->threads - 1) * s->small.count;
  for (size_t i = 0; all->pilot && i < count; i++)
    if (all->pilot[i].mem)
      tl_pilot_close (all->pilot + i);
  TL_DEL (s->list->mem, all->pilot, count);
}

static tl_status open_pilots (attempts *all) {
  const search *s = all->search;
  const size_t count = (size_t)(all->threads - 1) * s->small.count;
  tl_status rc = TL_NEW (s->list->mem, all->pilot, count) ? TL_OK : TL_E_NOMEM;
  for (size_t i = 0; !rc && i < count; i++)
    rc = tl_pilot_open (all->pilot + i, s->small.sample + i % s->small.count);
  return rc;
}

// More threads are a help, not a need.
static void make_all (attempts *all) {
  const search *s = all->search;
  const bool pays = all->work * all->count > SOON * TL_SAMPLE_WORK;
  const unsigned threads = pays ? s->request->threads : 1;
  tl_threads *team = 0;
  all->threads = threads < all->count ? threads : all->count;
  if (all->threads > 1 && !open_pilots (all) &&
      !tl_threads_open (&team, s->list->mem, all->threads))
    tl_threads_run (team, make_attempts, all);
  else
    make_attempts (all, 0);
  tl_threads_close (team);
  if (all->threads > 1)
    close_pilots (all);
}

// Makes the attempts, and judges what has come of them.
static tl_status anneal (search *s, attempts *all) {
  make_all (all);
  tl_status rc = TL_OK;
  for (uint32_t i = 0; i < all->count; i++) {
    attempt *a = all->list + i;
    const tl_status added =
        rc || !a->made ? TL_E_LIMIT
                       : tl_measures_add (s->list, annealed, 1, a->anneal.best);
    if (!added)
      judge (s, &s->small, s->list->measure + s->list->count - 1,
             a->anneal.best_window, INFINITY);
    rc = rc ? rc : added == TL_E_LIMIT ? TL_OK : added;
    tl_anneal_close (&a->anneal);
  }
  return rc;
}

static void begin_at (search *s, const tl_measure *m) {
  memcpy (s->weight, m->weight, s->list->net->places * sizeof *s->weight);
}

// Small random weights, the same for places that are alike.
static void begin_anywhere (search *s) {
  const tl_alike *alike = &s->alike;
  memset (s->weight, 0, s->list->net->places * sizeof *s->weight);
  for (uint32_t i = alike->singles; i < alike->count; i++) {
    const int64_t by = (int64_t)tl_random_below (&s->random, 5) - 2;
    for (uint64_t k = alike->start[i]; k < alike->start[i + 1]; k++)
      s->weight[alike->place[k]] += by;
  }
}

static tl_status anneal_coarsely (search *s, double work) {
  size_t starts = 0;
  while (starts < TL_SAMPLE_STARTS && starts < s->list->count &&
         judged (s->list->measure + starts))
    starts++;
  attempts all = {.search = s,
                  .work = work / TL_SAMPLE_COARSE,
                  .hot = TL_SAMPLE_HOT,
                  .together = 0.7};
  tl_status rc = TL_OK;
  for (uint32_t run = 0; run < TL_SAMPLE_COARSE && !rc && !stopped (s); run++) {
    const uint32_t i = run / s->small.count, juror = run % s->small.count;
    uint64_t window = windows[i % WINDOWS];
    if (i < starts) {
      begin_at (s, s->list->measure + i);
      window = s->list->measure[i].window;
    } else if (i % 2)
      begin_anywhere (s);
    else
      memset (s->weight, 0, s->list->net->places * sizeof *s->weight);
    rc = add_attempt (s, &all, juror, window);
  }
  const tl_status made = anneal (s, &all);
  return rc ? rc : made;
}

static tl_status anneal_finely (search *s, double work) {
  attempts all = {.search = s,
                  .work = work / TL_SAMPLE_FINE,
                  .hot = TL_SAMPLE_WARM,
                  .together = 0.3};
  tl_status rc = TL_OK;
  sort (s->list);
  for (uint32_t run = 0; run < TL_SAMPLE_FINE && !rc && !stopped (s); run++) {
    const tl_measure *m = s->list->measure + run / 2;
    begin_at (s, m);
    rc = add_attempt (s, &all, run % s->small.count, m->window);
  }
  const tl_status made = anneal (s, &all);
  return rc ? rc : made;
}

static tl_status anneal_all (search *s) {
  const double work = seconds_for (s) * TL_SAMPLE_WORK * TL_SAMPLE_ANNEALING;
  const tl_status rc = anneal_coarsely (s, 0.6 * work);
  return rc ? rc : anneal_finely (s, 0.4 * work);
}

// ---- All together ----------------------------------------------------------

static tl_status open_jury (search *s, tl_jury *jury, tl_sample_kind first,
                            tl_sample_kind last, uint32_t markings) {
  markings /= s->divisor;
  return tl_jury_open (
      jury, s->list->mem, s->list->net, s->request->source, first, last,
      &(tl_sample_limits){.markings = markings,
                          .arcs = (uint64_t)markings * TL_SAMPLE_ARCS,
                          .bytes = (size_t)markings * TL_SAMPLE_BYTES,
                          .seconds = s->request->seconds / 4,
                          .cancel = s->request->cancel},
      tl_random_next (&s->random));
}

static void mark_seen (const tl_jury *jury, uint32_t *seen) {
  for (uint32_t k = 0; k < jury->count; k++) {
    const tl_sample *sample = jury->sample + k;
    for (uint64_t i = 0; i < sample->start[sample->count]; i++)
      seen[sample->arc[i].transition] = 1;
  }
}

static tl_status find_unseen (search *s) {
  const uint32_t transitions = s->list->net->transitions;
  if (!TL_NEW (s->list->mem, s->unseen, transitions))
    return TL_E_NOMEM;
  mark_seen (&s->small, s->unseen);
  mark_seen (&s->large, s->unseen);
  for (uint32_t t = 0; t < transitions && !s->large.all; t++)
    if (!s->unseen[t]) // never overtakes t
      s->unseen[s->unseen_count++] = t;
  return TL_OK;
}

static tl_status prepare (search *s) {
  tl_status rc;
  if ((rc = open_jury (s, &s->large, TL_SAMPLE_NEAR, TL_SAMPLE_NEAR,
                       TL_SAMPLE_LARGE)) ||
      (rc = open_jury (s, &s->small, TL_SAMPLE_NEAR, TL_SAMPLE_DEEP,
                       TL_SAMPLE_SMALL)) ||
      (rc = find_unseen (s)) ||
      (rc = tl_alike_open (&s->alike, s->list->mem, s->list->net,
                           s->structure->incidence)))
    return rc;
  return TL_NEW (s->list->mem, s->weight, s->list->net->places) ? TL_OK
                                                                : TL_E_NOMEM;
}

// The first measure that loses no progress, if there is one, moves up to this
// place, unless it is before it.
static void insert_monotone (tl_measures *list, size_t place) {
  size_t i = 0;
  while (i < list->count && list->measure[i].regress)
    i++;
  if (i > place && i < list->count)
    tl_measures_move_up (list, i, place);
}

static void keep_first (tl_measures *list, size_t count) {
  while (list->count > count)
    tl_measures_drop_last (list);
}

// What the large sample says about the candidates, the most promising first, in
// addition to what is said in their estimates; each has the same `part` in the
// geometric mean.  One that costs more than to keep everything, or comes too
// late, is none.
static void judge_all (search *s, double part) {
  const double work = s->request->seconds * TL_SAMPLE_WORK * TL_SAMPLE_DECIDING;
  for (size_t i = 0; i < s->list->count; i++) {
    tl_measure *m = s->list->measure + i;
    const double begin = tl_clock_busy ();
    tl_estimate e;
    if (stopped (s) || (double)s->large.pilot->work > work ||
        !tl_jury_judge (&s->large, m, m->window, TL_SAMPLE_SHARE, NO_USE, &e))
      e = (tl_estimate){.peak = NO_USE, .work = 1 / TL_SAMPLE_SHARE};
    m->peak *= pow (e.peak, part);
    m->work *= pow (e.work, part);
    m->seconds += tl_clock_busy () - begin;
  }
  s->list->sampled += tl_jury_markings (&s->large);
}

static double doubt_in (const tl_measure *m) {
  return (m->regress ? TL_SAMPLE_LOSING : 1) *
         (m->name == annealed ? TL_SAMPLE_FITTED : 1);
}

static void finish (search *s) {
  tl_measures *list = s->list;
  for (size_t i = 0; i < list->count; i++) {
    tl_measure *m = list->measure + i;
    m->peak = fmin (m->peak + risk_of (s, m), 1);
    if (!list->sampled_all)
      m->peak = fmin (m->peak * doubt_in (m), 1);
  }
  sort (list);
  // Estimates for measures that lose progress can be far too good.  The sweep
  // tries a few before it keeps everything: the last of them should lose none.
  insert_monotone (list, TL_SAMPLE_SAFE);
  keep_first (list, TL_SAMPLE_GIVEN);
}

static tl_status choose (search *s) {
  tl_measures *list = s->list;
  const bool all = s->large.all;
  sort (list);
  while (list->count && !judged (list->measure + list->count - 1))
    tl_measures_drop_last (list);
  insert_monotone (list, TL_SAMPLE_FINALISTS - 1);
  keep_first (list, TL_SAMPLE_FINALISTS);
  for (size_t i = 0; i < list->count; i++)
    list->measure[i].peak = list->measure[i].work = 1;
  list->sampled = 0;
  list->sampled_all = all;
  judge_all (s, all ? 1 : 0.5);
  if (!all) {
    tl_jury_close (&s->large);
    const tl_status rc = open_jury (s, &s->large, TL_SAMPLE_DEEP,
                                    TL_SAMPLE_DEEP, TL_SAMPLE_LARGE);
    if (rc)
      return rc;
    judge_all (s, 0.5);
  }
  finish (s);
  return TL_OK;
}

// How often transitions lead from marking to marking in the samples.
static void count_firings (const tl_jury *jury, double *price) {
  for (uint32_t k = 0; k < jury->count; k++) {
    const tl_sample *sample = jury->sample + k;
    const uint64_t arcs = sample->start[sample->count];
    for (uint64_t i = 0; i < arcs; i++)
      price[sample->arc[i].transition] += 1.0 / (double)arcs;
  }
}

// Those that are found quickly also in large nets.
static tl_status find_some (search *s) {
  const tl_status rc = tl_candidates_schmidt (s->list, s->structure);
  return rc ? rc
            : tl_candidates_monotone (s->list, s->structure, "monotone",
                                      4 * s->request->seconds);
}

// Others, until it is late.
static tl_status find_more (search *s) {
  tl_measures *list = s->list;
  tl_structure *structure = s->structure;
  const double seconds = seconds_for (s), late = tl_clock_busy () + seconds / 2;
  double *price;
  if (!TL_NEW (list->mem, price, list->net->transitions))
    return TL_E_NOMEM;
  count_firings (&s->small, price);
  tl_status rc = TL_OK;
  if (list->net->transitions < TL_SAMPLE_RANKED)
    rc = tl_candidates_ranks (list, structure, "ranks");
  if (!rc)
    rc = tl_candidates_elastic (list, structure, "elastic", price, seconds / 4);
  if (!rc && tl_clock_busy () < late)
    rc = tl_candidates_maxfs (list, structure, "maxfs", 0, seconds / 4);
  if (!rc && tl_clock_busy () < late)
    rc = tl_candidates_maxfs (list, structure, "frequency", price, seconds / 4);
  TL_DEL (list->mem, price, list->net->transitions);
  return rc;
}

static void find_windows (search *s, size_t first) {
  for (size_t i = first; i < s->list->count; i++)
    find_window (s, &s->small, s->list->measure + i);
  sort (s->list);
}

// A measure so good that a better one is not worth the time.
static bool good_enough (const tl_measures *list) {
  return list->count && judged (list->measure) && !list->measure->regress &&
         list->measure->peak < TL_SAMPLE_GOOD;
}

static tl_status run (search *s) {
  tl_status rc;
  if ((rc = prepare (s)) || (rc = find_some (s)))
    return rc;
  find_windows (s, 0);
  if (!good_enough (s->list)) {
    const size_t first = s->list->count;
    if ((rc = find_more (s)))
      return rc;
    find_windows (s, first);
    rc = anneal_all (s);
  }
  return rc ? rc : choose (s);
}

static tl_status run_and_close (search *s) {
  const tl_status rc = run (s);
  TL_DEL (s->list->mem, s->weight, s->list->net->places);
  TL_DEL (s->list->mem, s->unseen, s->list->net->transitions);
  s->unseen_count = 0;
  tl_jury_close (&s->small);
  tl_jury_close (&s->large);
  tl_alike_close (&s->alike);
  return rc;
}

tl_status tl_measures_sample (tl_measures *list, tl_structure *structure,
                              const tl_measure_request *request,
                              tl_error *error) {
  const double begin = tl_clock ();
  search s = {.list = list,
              .structure = structure,
              .request = request,
              .end = tl_clock_busy () + 4 * request->seconds,
              .deadline =
                  begin + tl_budget_left (list->mem, 8 * request->seconds),
              .random = {request->seed}};
  tl_status rc = TL_E_NOMEM;
  for (s.divisor = 1; rc == TL_E_NOMEM && s.divisor < TL_SAMPLE_SMALL;
       s.divisor *= 8) {
    while (list->count)
      tl_measures_drop_last (list);
    rc = run_and_close (&s);
  }
  list->seconds = tl_clock () - begin;
  return rc == TL_E_NOMEM
             ? tl_fail (error, rc, "no memory to sample progress measures")
             : rc;
}
