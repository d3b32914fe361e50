// As few transitions as possible lose progress (Pruefer): a maximum feasible
// subsystem of a * change(t) >= 1.  Where all of it is feasible the solver
// says so at once.  Else Chinneck's heuristic: minimise the sum by which goals
// are missed, free the transition that lowers it most, and so on until it is
// 0.  Ties are broken at random, several times; of the sets that result the
// cheapest are taken, and of these the one least likely to make chains.

#include "base/budget.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/tuning.h"
#include "measure/candidates.h"
#include "measure/chains.h"
#include "measure/elastic.h"
#include "measure/round.h"

#include <stdlib.h>
#include <string.h>

// Sums that count as 0.
#define NOTHING 1e-6

typedef struct solution {
  bool *regress;  // [transitions]
  double *weight; // [places]
  double price;   // of the regress transitions
  bool feasible;  // all transitions gain
  double score;   // see chains.h
} solution;

typedef struct task {
  tl_measures *list;
  const tl_structure *structure;
  const char *name;
  const double *price;
  double deadline, work;
  tl_elastic elastic;
  uint32_t *candidate; // [transitions]
  double *merit;       // [transitions]
  double *varied;      // [transitions] prices
  solution solution[TL_MAXFS_SOLUTIONS];
  size_t solutions;
} task;

// ---- One solution ----------------------------------------------------------

static int by_merit (const void *left, const void *right, void *context) {
  const uint32_t *l = left, *r = right;
  const double *merit = context;
  return (merit[*l] < merit[*r]) - (merit[*l] > merit[*r]);
}

// Those whose goals hold the sum up, the most promising first; those that miss
// their goal come before those that just reach it.  Equals come in any order.
static uint32_t find_candidates (task *w, tl_random *random) {
  const uint32_t transitions = w->structure->incidence->transitions;
  const double *missing = tl_elastic_short (&w->elastic),
               *pull = tl_elastic_pull (&w->elastic);
  uint32_t count = 0;
  for (uint32_t t = 0; t < transitions; t++) {
    if (w->elastic.free[t] || (missing[t] < NOTHING && pull[t] < NOTHING))
      continue;
    const uint32_t at = (uint32_t)tl_random_below (random, count + 1);
    w->merit[t] = missing[t] >= NOTHING ? 1 + missing[t] * pull[t]
                                        : pull[t] / (1 + pull[t]);
    w->candidate[count++] = w->candidate[at];
    w->candidate[at] = t;
  }
  qsort_r (w->candidate, count, sizeof *w->candidate, by_merit, w->merit);
  const uint32_t most = TL_MAXFS_TRIALS / transitions + TL_MAXFS_LEAST;
  return count < most ? count : most;
}

// Frees the candidate after which the least is missing, counting its own
// price.  False: the work is used up.
static bool free_best (task *w, uint32_t candidates) {
  tl_elastic *e = &w->elastic;
  uint32_t best = w->candidate[0];
  double least = 0;
  for (uint32_t i = 0; candidates > 1 && i < candidates; i++) {
    const uint32_t t = w->candidate[i];
    tl_elastic_free (e, t);
    const bool solved = tl_elastic_solve (e, TL_LP_DUAL);
    const double sum = solved ? tl_elastic_sum (e) + e->price[t] : 0;
    tl_elastic_goal (e, t, 1);
    if (!solved)
      return false;
    if (!i || sum < least - NOTHING) {
      least = sum;
      best = t;
    }
  }
  tl_elastic_free (e, best);
  return tl_elastic_solve (e, TL_LP_DUAL);
}

// Frees whoever misses the goal with the last weights.
static void free_missing (task *w, const solution *s) {
  const tl_incidence *c = w->structure->incidence;
  for (uint32_t t = 0; t < c->transitions; t++)
    if (!w->elastic.free[t] &&
        tl_elastic_offset (c, s->weight, t) < 1 - NOTHING)
      tl_elastic_free (&w->elastic, t);
}

// The weights, and who loses progress with them.
static void keep_weights (task *w, solution *s) {
  const tl_incidence *c = w->structure->incidence;
  memcpy (s->weight, tl_elastic_weights (&w->elastic),
          c->places * sizeof *s->weight);
  s->price = 0;
  for (uint32_t t = 0; t < c->transitions; t++) {
    s->regress[t] = tl_elastic_offset (c, s->weight, t) < -NOTHING;
    s->price += s->regress[t] ? w->price ? w->price[t] : 1 : 0;
  }
}

// Frees transitions until the others reach their goals.  False: there is not
// even a first optimum.
static bool find_subsystem (task *w, solution *s, tl_random *random) {
  tl_elastic *e = &w->elastic;
  bool solved = tl_elastic_solve_first (e);
  const double reserve = e->work / 5;
  e->work -= reserve;
  if (!solved)
    return false;
  keep_weights (w, s);
  s->feasible = tl_elastic_sum (e) < NOTHING;
  while (solved && tl_elastic_sum (e) >= NOTHING) {
    const uint32_t candidates = find_candidates (w, random);
    solved = candidates && free_best (w, candidates);
    if (solved)
      keep_weights (w, s);
  }
  e->work += reserve;
  if (!solved)
    free_missing (w, s);
  if (tl_elastic_settle (e))
    keep_weights (w, s);
  return true;
}

// Prices that differ a little lead to other solutions.
static void vary_prices (task *w, tl_random *random) {
  for (uint32_t t = 0; t < w->structure->incidence->transitions; t++)
    w->varied[t] = (w->price ? w->price[t] : 1) *
                   (1 + 0.001 * (double)tl_random_below (random, 500));
}

static tl_status add_solution (task *w, uint64_t number, bool *more) {
  const tl_incidence *c = w->structure->incidence;
  tl_mem *mem = w->list->mem;
  tl_random random = {number};
  solution *s = w->solution + w->solutions;
  *more = false;
  if (!TL_NEW (mem, s->regress, c->transitions) ||
      !TL_NEW (mem, s->weight, c->places))
    return TL_E_NOMEM;
  if (number)
    vary_prices (w, &random);
  tl_status rc =
      tl_elastic_open (&w->elastic, mem, c, number ? w->varied : w->price,
                       w->deadline - tl_clock_busy ());
  if (rc)
    return rc == TL_E_LIMIT ? TL_OK : rc;
  const double before = w->solutions ? w->work : w->elastic.work;
  w->elastic.work = before;
  const bool found = find_subsystem (w, s, &random);
  w->work = w->elastic.work;
  w->solutions += found;
  // Another one would take as long.
  *more = found && w->work >= before - w->work && !s->feasible;
  tl_elastic_close (&w->elastic);
  return TL_OK;
}

// ---- The choice ------------------------------------------------------------

// Cheaper sets first, of equal ones those that make no chains.
static int by_price (const void *left, const void *right) {
  const solution *l = left, *r = right;
  return l->price < r->price - NOTHING ? -1
         : l->price > r->price + NOTHING
             ? 1
             : (l->score < r->score) - (l->score > r->score);
}

static tl_status choose (task *w) {
  tl_chains chains;
  tl_status rc = tl_chains_open (&chains, w->list->mem, w->list->net);
  if (rc)
    return rc;
  for (size_t i = 0; i < w->solutions; i++)
    w->solution[i].score = tl_chains_score (&chains, w->solution[i].regress);
  tl_chains_close (&chains);
  qsort (w->solution, w->solutions, sizeof *w->solution, by_price);
  for (size_t i = 0; !rc && i < w->solutions; i++)
    rc = tl_measures_add_values (w->list, w->name, w->solution[i].weight);
  return rc;
}

static tl_status run (task *w) {
  const tl_incidence *c = w->structure->incidence;
  bool more = true;
  tl_status rc = TL_OK;
  if (!TL_NEW (w->list->mem, w->candidate, c->transitions) ||
      !TL_NEW (w->list->mem, w->merit, c->transitions) ||
      !TL_NEW (w->list->mem, w->varied, c->transitions))
    return TL_E_NOMEM;
  for (uint64_t i = 0; !rc && more && i < TL_MAXFS_SOLUTIONS; i++)
    rc = add_solution (w, i, &more);
  return rc ? rc : choose (w);
}

tl_status tl_candidates_maxfs (tl_measures *list, const tl_structure *structure,
                               const char *name, const double *price,
                               double seconds) {
  const tl_incidence *c = structure->incidence;
  task w = {.list = list,
            .structure = structure,
            .name = name,
            .price = price,
            .deadline = tl_clock_busy () + tl_budget_left (list->mem, seconds)};
  const tl_status rc = run (&w);
  for (size_t i = 0; i < TL_MAXFS_SOLUTIONS; i++) {
    TL_DEL (list->mem, w.solution[i].regress, c->transitions);
    TL_DEL (list->mem, w.solution[i].weight, c->places);
  }
  TL_DEL (list->mem, w.candidate, c->transitions);
  TL_DEL (list->mem, w.merit, c->transitions);
  TL_DEL (list->mem, w.varied, c->transitions);
  return rc;
}
