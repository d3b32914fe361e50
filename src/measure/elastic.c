#include "measure/elastic.h"

#include "base/budget.h"
#include "base/clock.h"
#include "measure/candidates.h"
#include "measure/round.h"

// Iterations of the solver times rows and columns, and iterations of one call.
#define WORK 4e7
#define ITERATIONS 30000

// Transitions from which on the primal method is too slow.
#define LARGE 2000

// The lowest price.
#define TINY 1e-6

tl_status tl_elastic_open (tl_elastic *e, tl_mem *mem, const tl_incidence *c,
                           const double *price, double seconds) {
  *e = (tl_elastic){.mem = mem,
                    .incidence = c,
                    .work = WORK,
                    .deadline =
                        tl_clock_busy () + tl_budget_left (mem, seconds)};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, e->price, c->transitions) &&
      TL_NEW (mem, e->free, c->transitions))
    rc = tl_lp_open (&e->lp, mem, c->transitions, c->places + c->transitions,
                     c->entries + c->transitions);
  if (rc) {
    tl_elastic_close (e);
    return rc;
  }
  for (uint32_t p = 0; p < c->places; p++) {
    const double reach = tl_incidence_constant (c, p) ? 0 : TL_LP_INFINITY;
    tl_lp_column (e->lp, -reach, reach, 0, tl_incidence_place (c, p));
  }
  for (uint32_t t = 0; t < c->transitions; t++) {
    e->price[t] = !price ? 1 : price[t] > TINY ? price[t] : TINY;
    tl_lp_column (e->lp, 0, TL_LP_INFINITY, e->price[t],
                  (tl_vector){&(tl_entry){t, 1}, 1});
    e->free[t] = !tl_incidence_transition (c, t).count;
    if (!e->free[t])
      tl_elastic_goal (e, t, 1);
  }
  return TL_OK;
}

void tl_elastic_close (tl_elastic *e) {
  if (!e->mem)
    return;
  TL_DEL (e->mem, e->price, e->incidence->transitions);
  TL_DEL (e->mem, e->free, e->incidence->transitions);
  tl_lp_close (e->lp);
  *e = (tl_elastic){0};
}

void tl_elastic_limit (tl_elastic *e, double most) {
  const tl_incidence *c = e->incidence;
  for (uint32_t t = 0; t < c->transitions; t++)
    tl_lp_bound (e->lp, c->places + t, 0, most);
}

void tl_elastic_free (tl_elastic *e, uint32_t t) {
  e->free[t] = true;
  tl_lp_row (e->lp, t, -TL_LP_INFINITY, TL_LP_INFINITY);
}

void tl_elastic_goal (tl_elastic *e, uint32_t t, double goal) {
  e->free[t] = false;
  tl_lp_row (e->lp, t, goal, TL_LP_INFINITY);
}

bool tl_elastic_solve (tl_elastic *e, tl_lp_method method) {
  const double size =
      (double)e->incidence->places + (double)e->incidence->transitions;
  const double most = e->work / size;
  const tl_lp_result result =
      tl_lp_solve (e->lp, method, most < ITERATIONS ? (int)most : ITERATIONS,
                   e->deadline - tl_clock_busy ());
  // Preparing the solver costs about as much as some iterations.
  e->work -= size * (tl_lp_iterations (e->lp) + 10);
  return result == TL_LP_OPTIMAL;
}

static bool solve_freely (tl_elastic *e, tl_lp_method method) {
  return tl_lp_solve (e->lp, method, ITERATIONS,
                      e->deadline - tl_clock_busy ()) == TL_LP_OPTIMAL;
}

// No price is negative, so to buy nothing is optimal but for the goals: a
// beginning for the dual method, which is much faster.  But where weights can
// grow without changing any offset it makes them too large to be of use.
bool tl_elastic_solve_first (tl_elastic *e) {
  const bool large = e->incidence->transitions > LARGE;
  return solve_freely (e, large ? TL_LP_DUAL : TL_LP_PRIMAL);
}

double tl_elastic_sum (const tl_elastic *e) {
  return tl_lp_value (e->lp);
}

const double *tl_elastic_weights (const tl_elastic *e) {
  return tl_lp_primal (e->lp);
}

const double *tl_elastic_short (const tl_elastic *e) {
  return tl_lp_primal (e->lp) + e->incidence->places;
}

const double *tl_elastic_pull (const tl_elastic *e) {
  return tl_lp_dual (e->lp);
}

double tl_elastic_offset (const tl_incidence *c, const double *weight,
                          uint32_t t) {
  const tl_vector change = tl_incidence_transition (c, t);
  double offset = 0;
  for (uint32_t i = 0; i < change.count; i++)
    offset += weight[change.term[i].index] * (double)change.term[i].factor;
  return offset;
}

bool tl_elastic_settle (tl_elastic *e) {
  const tl_incidence *c = e->incidence;
  for (uint32_t p = 0; p < c->places; p++) {
    const tl_vector row = tl_incidence_place (c, p);
    double cost = 0;
    for (uint32_t i = 0; i < row.count; i++)
      if (!e->free[row.term[i].index])
        cost += e->price[row.term[i].index] * (double)row.term[i].factor;
    tl_lp_cost (e->lp, p, cost);
  }
  tl_elastic_limit (e, 0);
  return solve_freely (e, TL_LP_PRIMAL);
}

// ---- Candidates ------------------------------------------------------------

tl_status tl_candidates_elastic (tl_measures *list,
                                 const tl_structure *structure,
                                 const char *name, const double *price,
                                 double seconds) {
  tl_elastic e;
  tl_status rc =
      tl_elastic_open (&e, list->mem, structure->incidence, price, seconds);
  if (rc)
    return rc == TL_E_LIMIT ? TL_OK : rc;
  if (tl_elastic_solve_first (&e))
    rc = tl_measures_add_values (list, name, tl_elastic_weights (&e));
  tl_elastic_close (&e);
  return rc;
}

// If nobody lacks more than 1 to an offset of 1, nobody loses progress; and
// since weights can be multiplied, whoever can gain at all can gain 1.
static bool find_monotone (tl_elastic *e) {
  tl_elastic_limit (e, 1);
  if (!tl_elastic_solve_first (e))
    return false;
  for (uint32_t t = 0; t < e->incidence->transitions; t++)
    if (!e->free[t] && tl_elastic_short (e)[t] > 0.5)
      tl_elastic_goal (e, t, 0);
  return tl_elastic_settle (e);
}

tl_status tl_candidates_monotone (tl_measures *list,
                                  const tl_structure *structure,
                                  const char *name, double seconds) {
  tl_elastic e;
  tl_status rc =
      tl_elastic_open (&e, list->mem, structure->incidence, 0, seconds);
  if (rc)
    return rc == TL_E_LIMIT ? TL_OK : rc;
  if (find_monotone (&e))
    rc = tl_measures_add_values (list, name, tl_elastic_weights (&e));
  tl_elastic_close (&e);
  return rc;
}
