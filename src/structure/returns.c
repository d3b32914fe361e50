#include "structure/returns.h"

#include "base/budget.h"
#include "base/clock.h"
#include "structure/detour.h"
#include "structure/lp.h"
#include "structure/rational.h"

// Weights that are proposed, and of the time that is left, what cases may take.
#define ROUNDS 24
// Detours for one proposal, and the states that are visited to find one.
#define DETOURS 100
#define DETOUR_STATES 3000
#define CASES_PART 0.3
#define MAX_ITERATIONS 20000
// How many times as much a transition counts that was missing.
#define MORE 8
#define MOST 1e6
// What transitions count that are the way out of a place.
#define MUCH 64
// Weights that are too large; and how often all transitions are looked at for
// the way.
#define NONE ((int64_t)1 << 40)
#define PASSES 200
// Of more transitions it is not asked whether one of them is enabled.
#define MANY_TRANSITIONS 5000

typedef struct returns {
  tl_mem *mem;
  const tl_structure *structure;
  tl_cases *cases;
  bool ends; // in a dead marking; else in the initial one
  tl_lp *lp;
  uint32_t *column; // [places] + 1; 0: it weighs nothing
  uint32_t columns; // of places; then come those of the transitions
  int64_t *weight;  // [places]
  uint32_t *leaves; // [places] by which transition
  double *counts;   // [transitions]
  tl_detour initial, detour[DETOURS]; // the first is the marking alone
  uint32_t detours;
  double deadline;
} returns;

// ---- Weights ---------------------------------------------------------------

// Of a transition that takes from a place: what the place has to weigh so that
// the sum gets smaller, whatever else it takes.  NONE: too much.
static int64_t weight_for (const returns *r, uint32_t t, int64_t taken) {
  const tl_vector change = tl_incidence_transition (r->structure->incidence, t);
  int64_t sum = 1;
  for (uint32_t i = 0; i < change.count; i++) {
    const int64_t w = r->weight[change.term[i].index];
    if (change.term[i].factor < 0)
      continue;
    if (w == NONE || change.term[i].factor > NONE / (w + 1))
      return NONE;
    sum += w * change.term[i].factor;
    if (sum >= NONE)
      return NONE;
  }
  return (sum + taken - 1) / taken;
}

// Lets the places that a transition takes from weigh no more than that, and be
// left by it.
static bool relax (returns *r, uint32_t t) {
  const tl_vector change = tl_incidence_transition (r->structure->incidence, t);
  bool changed = false;
  for (uint32_t i = 0; i < change.count; i++) {
    const uint32_t p = change.term[i].index;
    if (change.term[i].factor > 0 || !r->weight[p])
      continue;
    const int64_t w = weight_for (r, t, -change.term[i].factor);
    if (w >= r->weight[p])
      continue;
    r->weight[p] = w;
    r->leaves[p] = t;
    changed = true;
  }
  return changed;
}

// May tokens be there in the end?  In a dead marking, where nobody takes them
// away.
static bool is_last (const returns *r, uint32_t p) {
  const tl_vector change = tl_incidence_place (r->structure->incidence, p);
  bool taken = false;
  for (uint32_t i = 0; i < change.count; i++)
    taken |= change.term[i].factor < 0;
  return r->ends ? !taken : r->structure->net->initial[p];
}

// A transition for each place that is to leave it, by the shortest way to
// where tokens may be in the end: these count for more.
static void choose_ways (returns *r) {
  const tl_net *net = r->structure->net;
  bool changed = true;
  for (uint32_t p = 0; p < net->places; p++) {
    r->weight[p] = is_last (r, p) ? 0 : NONE;
    r->leaves[p] = net->transitions;
  }
  for (int pass = 0; changed && pass < PASSES && tl_clock_busy () < r->deadline;
       pass++) {
    changed = false;
    for (uint32_t t = 0; t < net->transitions; t++)
      changed |= relax (r, t);
  }
  for (uint32_t t = 0; t < net->transitions; t++)
    r->counts[t] = 1;
  for (uint32_t p = 0; p < net->places; p++)
    if (r->leaves[p] < net->transitions)
      r->counts[r->leaves[p]] = MUCH;
}

// A row for each transition: what it adds to the sum is -1 at most, or its
// column makes up for it, which costs what it counts.
static tl_status load (returns *r) {
  const tl_incidence *c = r->structure->incidence;
  const uint32_t *initial = r->structure->net->initial;
  uint64_t entries = c->transitions;
  choose_ways (r);
  for (uint32_t p = 0; p < c->places; p++)
    r->initial.least[p] = r->initial.most[p] = initial[p];
  for (uint32_t p = 0; p < c->places; p++)
    if (r->ends || !initial[p]) {
      r->column[p] = ++r->columns;
      entries += tl_incidence_place (c, p).count;
    }
  const tl_status rc = tl_lp_open (&r->lp, r->mem, c->transitions,
                                   r->columns + c->transitions, entries);
  for (uint32_t t = 0; !rc && t < c->transitions; t++)
    tl_lp_row (r->lp, t, -TL_LP_INFINITY, -1);
  for (uint32_t p = 0; !rc && p < c->places; p++)
    if (r->column[p])
      tl_lp_column (r->lp, 0, TL_LP_INFINITY, 0, tl_incidence_place (c, p));
  for (uint32_t t = 0; !rc && t < c->transitions; t++) {
    tl_lp_column (r->lp, 0, TL_LP_INFINITY, r->counts[t],
                  (tl_vector){&(tl_entry){t, -1}, 1});
  }
  return rc;
}

static bool propose (returns *r, bool first) {
  int64_t common = 1;
  if (tl_lp_solve (r->lp, first ? TL_LP_DUAL : TL_LP_PRIMAL, MAX_ITERATIONS,
                   r->deadline - tl_clock_busy ()) != TL_LP_OPTIMAL)
    return false;
  const double *y = tl_lp_primal (r->lp);
  for (uint32_t i = 0; i < r->columns; i++)
    if (!tl_rational_join (y[i], &common))
      return false;
  for (uint32_t p = 0; p < r->structure->net->places; p++) {
    r->weight[p] = 0;
    if (r->column[p] &&
        (!tl_rational_over (y[r->column[p] - 1], common, r->weight + p) ||
         r->weight[p] > TL_MAX_WEIGHT))
      return false;
  }
  return true;
}

// Does it make the weighted sum smaller?  All of its arcs count, also where
// the matrix leaves it out.
static bool comes_nearer (const returns *r, uint32_t t) {
  __int128 sum = 0;
  for (tl_change c = tl_net_change (r->structure->net, t);
       tl_net_change_next (&c);)
    sum += (__int128)r->weight[c.place] * c.amount;
  return sum < 0;
}

// ---- Cases -----------------------------------------------------------------

// A marking that does not have the detour.
static bool require_other (returns *r, const tl_detour *d) {
  const uint32_t places = r->structure->net->places;
  tl_literal *l;
  size_t n = 0;
  if (!TL_NEW (r->mem, l, 2 * (size_t)places))
    return false;
  for (uint32_t p = 0; p < places; p++) {
    if (d->most[p] != TL_DETOUR_ANY)
      l[n++] = tl_at_least (p, d->most[p] + 1);
    if (d->least[p])
      l[n++] = tl_at_most (p, d->least[p] - 1);
  }
  const bool ok = tl_cases_clause (r->cases, l, n);
  TL_DEL (r->mem, l, 2 * (size_t)places);
  return ok;
}

// The transition is enabled where *when holds.
static bool require_enabled (returns *r, uint32_t t, tl_literal when) {
  const tl_net *net = r->structure->net;
  const tl_arcs pre = tl_net_pre (net, t),
                inhibitors = tl_net_inhibitors (net, t);
  tl_literal either[2] = {tl_literal_not (when)};
  bool ok = true;
  for (uint32_t i = 0; i < pre.count; i++) {
    either[1] = tl_at_least (pre.arc[i].place, pre.arc[i].weight);
    ok &= tl_cases_clause (r->cases, either, 2);
  }
  for (uint32_t i = 0; i < inhibitors.count; i++) {
    either[1] = tl_at_most (inhibitors.arc[i].place,
                            (int64_t)inhibitors.arc[i].weight - 1);
    ok &= tl_cases_clause (r->cases, either, 2);
  }
  return ok;
}

// A marking that is not dead, by a transition that does not come nearer: others
// are not enabled there.
static bool require_step (returns *r) {
  const uint32_t transitions = r->structure->net->transitions;
  tl_literal *one;
  size_t n = 0;
  bool ok = true;
  if (!TL_NEW (r->mem, one, transitions))
    return false;
  for (uint32_t t = 0; ok && t < transitions; t++) {
    if (comes_nearer (r, t))
      continue;
    ok = n < MANY_TRANSITIONS && tl_cases_choice (r->cases, one + n) &&
         require_enabled (r, t, one[n]);
    n++;
  }
  ok = ok && tl_cases_clause (r->cases, one, n);
  TL_DEL (r->mem, one, transitions);
  return ok;
}

static bool is_proof (returns *r) {
  bool ok = r->ends ? require_step (r) : require_other (r, &r->initial);
  for (uint32_t i = 0; i < r->detours; i++)
    ok &= require_other (r, r->detour + i);
  for (uint32_t t = 0; t < r->structure->net->transitions; t++)
    if (comes_nearer (r, t))
      ok &= tl_cases_disabled (r->cases, t, 0);
  if (!ok) {
    tl_cases_forget (r->cases);
    return false;
  }
  return tl_cases_excluded (r->cases,
                            (r->deadline - tl_clock_busy ()) * CASES_PART);
}

static bool open_detour (returns *r, tl_detour *d) {
  const uint32_t places = r->structure->net->places;
  return TL_NEW (r->mem, d->least, places) && TL_NEW (r->mem, d->most, places);
}

static void close_detour (returns *r, tl_detour *d) {
  TL_DEL (r->mem, d->least, r->structure->net->places);
  TL_DEL (r->mem, d->most, r->structure->net->places);
}

static void forget_detour (returns *r) {
  close_detour (r, r->detour + --r->detours);
}

static bool is_enabled (const tl_net *net, uint32_t t, const int64_t *marking) {
  const tl_arcs pre = tl_net_pre (net, t),
                inhibitors = tl_net_inhibitors (net, t);
  for (uint32_t i = 0; i < pre.count; i++)
    if (marking[pre.arc[i].place] < pre.arc[i].weight)
      return false;
  for (uint32_t i = 0; i < inhibitors.count; i++)
    if (marking[inhibitors.arc[i].place] >= inhibitors.arc[i].weight)
      return false;
  return true;
}

// Something is to come nearer in the marking that was left; false: nothing can
// be done about it.
static bool count_more (returns *r) {
  const int64_t *left = tl_cases_left (r->cases);
  bool any = false;
  for (uint32_t t = 0; left && t < r->structure->net->transitions; t++)
    if (r->counts[t] < MOST && is_enabled (r->structure->net, t, left)) {
      r->counts[t] *= MORE;
      tl_lp_cost (r->lp, r->columns + t, r->counts[t]);
      any = true;
    }
  return any;
}

// From the marking that was left; false: there is none.
static bool find_detour (returns *r) {
  const int64_t *left = tl_cases_left (r->cases);
  if (!left || r->detours == DETOURS)
    return false;
  tl_detour *d = r->detour + r->detours++;
  if (open_detour (r, d) && tl_detour_find (d, r->mem, r->structure->net,
                                            r->weight, left, DETOUR_STATES))
    return true;
  forget_detour (r);
  return false;
}

// With these weights.
static bool prove_by_weights (returns *r) {
  bool proven = is_proof (r);
  while (!proven && tl_clock_busy () < r->deadline && find_detour (r))
    proven = is_proof (r);
  while (r->detours)
    forget_detour (r);
  return proven;
}

static bool prove (returns *r) {
  bool proven = false;
  for (int round = 0; round < ROUNDS && !proven; round++) {
    if (tl_clock_busy () >= r->deadline || tl_budget_look (r->mem) ||
        (round && !count_more (r)) || !propose (r, !round))
      return false;
    proven = prove_by_weights (r);
  }
  return proven;
}

static bool is_proven (const tl_structure *s, tl_mem *mem, tl_cases *cases,
                       bool ends, double seconds) {
  const tl_net *net = s->net;
  returns r = {.mem = mem,
               .structure = s,
               .cases = cases,
               .ends = ends,
               .deadline = tl_clock_busy () + tl_budget_left (mem, seconds)};
  const bool proven =
      TL_NEW (mem, r.column, net->places) &&
      TL_NEW (mem, r.weight, net->places) &&
      TL_NEW (mem, r.leaves, net->places) && open_detour (&r, &r.initial) &&
      TL_NEW (mem, r.counts, net->transitions) && !load (&r) && prove (&r);
  tl_lp_close (r.lp);
  TL_DEL (mem, r.column, net->places);
  TL_DEL (mem, r.weight, net->places);
  TL_DEL (mem, r.leaves, net->places);
  close_detour (&r, &r.initial);
  TL_DEL (mem, r.counts, net->transitions);
  return proven;
}

bool tl_net_returns (const tl_structure *s, tl_mem *mem, tl_cases *cases,
                     double seconds) {
  return is_proven (s, mem, cases, false, seconds);
}

bool tl_net_ends (const tl_structure *s, tl_mem *mem, tl_cases *cases,
                  double seconds) {
  return is_proven (s, mem, cases, true, seconds);
}
