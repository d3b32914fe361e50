#include "structure/equation.h"

#include "base/arena.h"
#include "base/budget.h"
#include "base/clock.h"
#include "structure/combine.h"
#include "structure/semiflow.h"
#include "structure/lp.h"
#include "structure/rational.h"

#include <string.h>

// Work that a common machine does in a second, as counted below; half of it is
// used, so that the clock rarely decides.
#define WORK_PER_SECOND 3e6
#define MAX_ITERATIONS 20000
#define BUCKETS 1024u
#define MAX_SUMS 20000u
// So that multiples of 64 bits, added up, fit 128.
#define MAX_MULTIPLIER ((int64_t)1 << 31)
// A relaxation below this counts as 0.
#define NOTHING 1e-6
// Farther below its initial value no least value of a sum is looked for.
#define FAR 10000000

// A sum that was asked about has a row of its own.
typedef struct row_of_sum {
  tl_vector terms;
  uint32_t next;      // in the same bucket, + 1
  bool asked;         // it is in `asked`
  int64_t bound;      // then: what it is to be at most
  int64_t multiplier; // of the last proof
} row_of_sum;

struct tl_equation {
  tl_mem *mem;
  const tl_incidence *incidence;
  const uint32_t *initial;
  tl_combiner combiner;
  tl_lp *lp;
  uint32_t *place;  // [places] of each row
  uint32_t *column; // [transitions] + 1; 0: it changes nothing
  uint32_t rows, columns;
  tl_arena arena;
  row_of_sum *sum;
  size_t sums, sum_room;
  uint32_t bucket[BUCKETS]; // the last sum in it, + 1
  uint32_t *asked;          // the sums that are to be at most something now
  size_t asked_count, asked_room;
  tl_entry *scratch; // [larger of places and transitions, + 1]
  __int128 *weight;  // [places]; all 0 between calls, as is `gain`
  int64_t *gain;     // [transitions]
  double work, work_end, deadline;
  bool satisfied; // what was asked last, by the values of the solver
};

static size_t scratch_size (const tl_incidence *c) {
  return (c->places > c->transitions ? c->places : c->transitions) + (size_t)1;
}

// ---- The program -----------------------------------------------------------

// Columns are the transitions that change something and, as the last one, how
// far inequalities are relaxed, which is to be small.  Rows are the places that
// are changed.
static tl_status load (tl_equation *e) {
  const tl_incidence *c = e->incidence;
  uint32_t *row;
  if (!TL_NEW (e->mem, row, c->places))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < c->places; p++)
    if (!tl_incidence_constant (c, p)) {
      row[p] = e->rows;
      e->place[e->rows++] = p;
    }
  for (uint32_t t = 0; t < c->transitions; t++)
    if (tl_incidence_transition (c, t).count)
      e->column[t] = ++e->columns;
  const tl_status rc =
      tl_lp_open (&e->lp, e->mem, e->rows, e->columns + 1, c->entries);
  for (uint32_t i = 0; !rc && i < e->rows; i++)
    tl_lp_row (e->lp, i, -(double)e->initial[e->place[i]], TL_LP_INFINITY);
  for (uint32_t t = 0; !rc && t < c->transitions; t++) {
    const tl_vector change = tl_incidence_transition (c, t);
    for (uint32_t i = 0; i < change.count; i++)
      e->scratch[i] =
          (tl_entry){row[change.term[i].index], change.term[i].factor};
    if (change.count)
      tl_lp_column (e->lp, 0, TL_LP_INFINITY, 0,
                    (tl_vector){e->scratch, change.count});
  }
  if (!rc)
    tl_lp_column (e->lp, 0, TL_LP_INFINITY, 1, (tl_vector){0});
  TL_DEL (e->mem, row, c->places);
  return rc;
}

tl_status tl_equation_open (tl_equation **out, tl_mem *mem,
                            const tl_incidence *c, const uint32_t *initial,
                            double seconds) {
  tl_equation *e;
  *out = 0;
  if (!TL_NEW (mem, e, 1))
    return TL_E_NOMEM;
  seconds = tl_budget_left (mem, seconds);
  *e = (tl_equation){.mem = mem,
                     .incidence = c,
                     .initial = initial,
                     .arena = TL_ARENA (mem),
                     .work_end = seconds * WORK_PER_SECOND / 2,
                     .deadline = tl_clock_busy () + seconds};
  tl_status rc = tl_combiner_open (&e->combiner, mem, c);
  if (!rc && (!TL_NEW (mem, e->place, c->places) ||
              !TL_NEW (mem, e->column, c->transitions) ||
              !TL_NEW (mem, e->scratch, scratch_size (c)) ||
              !TL_NEW (mem, e->weight, c->places) ||
              !TL_NEW (mem, e->gain, c->transitions)))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = load (e);
  if (rc)
    tl_equation_close (e);
  else
    *out = e;
  return rc;
}

void tl_equation_close (tl_equation *e) {
  if (!e)
    return;
  const tl_incidence *c = e->incidence;
  tl_lp_close (e->lp);
  tl_combiner_close (&e->combiner);
  tl_arena_close (&e->arena);
  TL_DEL (e->mem, e->sum, e->sum_room);
  TL_DEL (e->mem, e->asked, e->asked_room);
  TL_DEL (e->mem, e->place, c->places);
  TL_DEL (e->mem, e->column, c->transitions);
  TL_DEL (e->mem, e->scratch, scratch_size (c));
  TL_DEL (e->mem, e->weight, c->places);
  TL_DEL (e->mem, e->gain, c->transitions);
  TL_DEL (e->mem, e, 1);
}

// ---- Sums ------------------------------------------------------------------

static uint32_t bucket_of (tl_vector sum) {
  uint64_t hash = sum.count;
  for (uint32_t i = 0; i < sum.count; i++)
    hash = (hash ^ sum.term[i].index ^ (uint64_t)sum.term[i].factor << 32) *
           UINT64_C (0x9e3779b97f4a7c15);
  return (uint32_t)(hash >> 40) % BUCKETS;
}

static bool same_terms (tl_vector l, tl_vector r) {
  if (l.count != r.count)
    return false;
  for (uint32_t i = 0; i < l.count; i++)
    if (l.term[i].index != r.term[i].index ||
        l.term[i].factor != r.term[i].factor)
      return false;
  return true;
}

// What each transition adds to the sum, and the relaxation; no terms: there are
// numbers that do not fit.
static tl_vector change_of (tl_equation *e, tl_vector sum) {
  const tl_incidence *c = e->incidence;
  bool fits = true;
  uint32_t n = 0;
  int64_t one;
  for (uint32_t i = 0; i < sum.count; i++) {
    const tl_vector row = tl_incidence_place (c, sum.term[i].index);
    for (uint32_t k = 0; k < row.count; k++) {
      int64_t *gain = e->gain + row.term[k].index;
      fits &= !__builtin_mul_overflow (sum.term[i].factor, row.term[k].factor,
                                       &one) &&
              !__builtin_add_overflow (*gain, one, gain);
    }
    e->work += row.count;
  }
  for (uint32_t i = 0; i < sum.count; i++) {
    const tl_vector row = tl_incidence_place (c, sum.term[i].index);
    for (uint32_t k = 0; k < row.count; k++) {
      const uint32_t t = row.term[k].index;
      if (e->gain[t])
        e->scratch[n++] = (tl_entry){e->column[t] - 1, e->gain[t]};
      e->gain[t] = 0;
    }
  }
  e->scratch[n++] = (tl_entry){e->columns, -1};
  return (tl_vector){e->scratch, fits ? n : 0};
}

static uint32_t find_sum (const tl_equation *e, tl_vector sum) {
  uint32_t i = e->bucket[bucket_of (sum)];
  while (i && !same_terms (e->sum[i - 1].terms, sum))
    i = e->sum[i - 1].next;
  return i;
}

// The number of a sum, + 1; 0: there is no row for it.
static uint32_t number_of (tl_equation *e, tl_vector sum) {
  const uint32_t known = find_sum (e, sum);
  if (known || e->sums == MAX_SUMS)
    return known;
  const tl_vector change = change_of (e, sum);
  tl_entry *copy;
  if (!change.count || !TL_ROOM (e->mem, e->sum, &e->sum_room, e->sums + 1) ||
      !TL_ARENA_NEW (&e->arena, copy, sum.count) ||
      tl_lp_add_row (e->lp, -TL_LP_INFINITY, TL_LP_INFINITY, change))
    return 0;
  memcpy (copy, sum.term, sum.count * sizeof *copy);
  uint32_t *bucket = e->bucket + bucket_of (sum);
  e->sum[e->sums] = (row_of_sum){.terms = {copy, sum.count}, .next = *bucket};
  return *bucket = (uint32_t)++e->sums;
}

static __int128 initial_value (const tl_equation *e, tl_vector sum) {
  __int128 value = 0;
  for (uint32_t i = 0; i < sum.count; i++)
    value += (__int128)sum.term[i].factor * e->initial[sum.term[i].index];
  return value;
}

// ---- Solving ---------------------------------------------------------------

// An inequality without a row is left out, which proves the less.  Of several
// about the same sum the strictest counts.
static void ask (tl_equation *e, const tl_inequality *q) {
  const uint32_t i = number_of (e, q->sum);
  if (!i)
    return;
  row_of_sum *sum = e->sum + i - 1;
  if (sum->asked && sum->bound <= q->bound)
    return;
  if (!sum->asked) {
    if (!TL_ROOM (e->mem, e->asked, &e->asked_room, e->asked_count + 1))
      return;
    e->asked[e->asked_count++] = i - 1;
  }
  sum->asked = true;
  sum->bound = q->bound;
  tl_lp_row (e->lp, e->rows + i - 1, -TL_LP_INFINITY,
             (double)(q->bound - initial_value (e, q->sum)));
}

static void forget_asked (tl_equation *e) {
  while (e->asked_count) {
    const uint32_t i = e->asked[--e->asked_count];
    e->sum[i].asked = false;
    tl_lp_row (e->lp, e->rows + i, -TL_LP_INFINITY, TL_LP_INFINITY);
  }
}

static bool is_over (const tl_equation *e) {
  return e->work >= e->work_end || tl_clock_busy () >= e->deadline ||
         tl_budget_look (e->mem);
}

// Is there a relaxation, so says the solver?
static bool solve (tl_equation *e) {
  const double seconds = e->deadline - tl_clock_busy ();
  e->satisfied = false;
  if (is_over (e))
    return false;
  const tl_lp_result result =
      tl_lp_solve (e->lp, TL_LP_DUAL, MAX_ITERATIONS, seconds);
  e->work += (e->rows + e->columns + (uint32_t)e->sums) *
             (1 + tl_lp_iterations (e->lp) / 8.0);
  e->satisfied = result == TL_LP_OPTIMAL && tl_lp_value (e->lp) <= NOTHING;
  return result == TL_LP_OPTIMAL && !e->satisfied;
}

// ---- Proof -----------------------------------------------------------------

// The solver's values: the prices of the rows of places, and those of the sums
// with the sign changed.
static double price (const tl_equation *e, uint32_t row) {
  const double y = tl_lp_dual (e->lp)[row];
  return row < e->rows ? y : -y;
}

static bool find_denominator (tl_equation *e, int64_t *common) {
  *common = 1;
  for (uint32_t i = 0; i < e->rows; i++)
    if (!tl_rational_join (price (e, i), common))
      return false;
  for (size_t i = 0; i < e->asked_count; i++)
    if (!tl_rational_join (price (e, e->rows + e->asked[i]), common))
      return false;
  return true;
}

// Adds the multiple of an inequality to the weights.
static bool add_multiple (tl_equation *e, uint32_t asked, int64_t common,
                          int64_t *multiplier) {
  const tl_vector sum = e->sum[asked].terms;
  if (!tl_rational_over (price (e, e->rows + asked), common, multiplier) ||
      *multiplier > MAX_MULTIPLIER)
    return false;
  for (uint32_t i = 0; i < sum.count; i++)
    e->weight[sum.term[i].index] += (__int128)*multiplier * sum.term[i].factor;
  return true;
}

static bool take_prices (tl_equation *e, int64_t common) {
  int64_t y;
  for (uint32_t i = 0; i < e->rows; i++) {
    if (!tl_rational_over (price (e, i), common, &y) || y > TL_MAX_WEIGHT)
      return false;
    e->weight[e->place[i]] -= y;
  }
  return true;
}

// No transition makes the weighted sum smaller?  Then *sum is its value at the
// start, and scratch lists its terms.  Leaves the weights 0.
static bool never_falls (tl_equation *e, __int128 *sum, uint32_t *terms) {
  bool small = true;
  uint32_t n = 0;
  *sum = 0;
  for (uint32_t p = 0; p < e->incidence->places; p++) {
    const __int128 y = e->weight[p];
    e->weight[p] = 0;
    if (!y)
      continue;
    small &= y <= TL_MAX_WEIGHT && y >= -TL_MAX_WEIGHT;
    if (!small)
      continue;
    *sum += y * e->initial[p];
    e->scratch[n++] = (tl_entry){p, -(int64_t)y}; // so that it never grows
  }
  tl_sign sign;
  *terms = n;
  return small && !tl_combine (&e->combiner, e->scratch, n, &sign) &&
         sign != TL_SIGN_UP;
}

// What the prices prove in integers: the multiples of the sums together are
// never less than `least`.  By the inequalities they would be at most `most`.
typedef struct proof {
  __int128 least, most;
  int64_t multiplier; // of the last sum
  uint32_t terms;     // in scratch, with the signs changed: never less either
} proof;

static bool prove (tl_equation *e, proof *p) {
  int64_t common;
  *p = (proof){0};
  bool ok = find_denominator (e, &common);
  for (size_t i = 0; ok && i < e->asked_count; i++) {
    const uint32_t asked = e->asked[i];
    ok = add_multiple (e, asked, common, &p->multiplier);
    e->sum[asked].multiplier = p->multiplier;
    p->most += (__int128)p->multiplier * e->sum[asked].bound;
  }
  ok = ok && take_prices (e, common);
  return never_falls (e, &p->least, &p->terms) && ok;
}

static bool refute (tl_equation *e, const tl_inequality *q, size_t count,
                    proof *p) {
  e->satisfied = false;
  for (size_t i = 0; i < count; i++) {
    if (i % 256 == 0 && is_over (e)) {
      forget_asked (e);
      return false;
    }
    ask (e, q + i);
  }
  const bool excluded = solve (e) && prove (e, p) && p->least > p->most;
  forget_asked (e);
  return excluded;
}

bool tl_equation_excludes (tl_equation *e, const tl_inequality *q,
                           size_t count) {
  proof p;
  return refute (e, q, count, &p);
}

bool tl_equation_point (const tl_equation *e, double *marking) {
  if (!e->satisfied)
    return false;
  const double *change = tl_lp_activity (e->lp);
  for (uint32_t p = 0; p < e->incidence->places; p++)
    marking[p] = (double)e->initial[p];
  for (uint32_t i = 0; i < e->rows; i++)
    marking[e->place[i]] += change[i];
  return true;
}

bool tl_equation_refutes (tl_equation *e, const tl_inequality *q, size_t count,
                          double seconds, tl_vector *sum, int64_t *least) {
  const double deadline = e->deadline, now = tl_clock_busy ();
  proof p;
  if (now + seconds < deadline)
    e->deadline = now + seconds;
  const bool excluded = refute (e, q, count, &p) && p.least <= INT64_MAX / 4 &&
                        p.least >= INT64_MIN / 4;
  e->deadline = deadline;
  if (!excluded)
    return false;
  for (uint32_t i = 0; i < p.terms; i++)
    e->scratch[i].factor = -e->scratch[i].factor;
  *sum = (tl_vector){e->scratch, p.terms};
  *least = (int64_t)p.least;
  return true;
}

int64_t tl_equation_multiplier (const tl_equation *e, const tl_inequality *q) {
  const uint32_t i = find_sum (e, q->sum);
  const row_of_sum *sum = e->sum + i - 1;
  return i && sum->bound == q->bound ? sum->multiplier : 0;
}

bool tl_equation_least (tl_equation *e, tl_vector sum, int64_t *least) {
  const __int128 initial = initial_value (e, sum);
  if (initial > INT64_MAX / 2 || initial < INT64_MIN / 2 || is_over (e))
    return false;
  const tl_inequality far = {sum, (int64_t)initial - FAR};
  ask (e, &far);
  proof p;
  const bool proven = solve (e) && prove (e, &p) && p.multiplier > 0;
  forget_asked (e);
  if (!proven)
    return false;
  const __int128 value = // rounded up
      p.least / p.multiplier + (p.least % p.multiplier > 0);
  *least = (int64_t)value;
  return value >= far.bound && value <= initial;
}
