#include "structure/course.h"

#include "base/random.h"
#include "structure/lp.h"
#include "structure/rational.h"

#include <math.h>

#define MAX_ITERATIONS 20000
// What is not more than nothing, of a transition.
#define SMALL 1e-6
// So many times it may fire at most.
#define MOST_TIMES 1e9
// Round a cycle fractions become integers by firing all so many times, at most.
#define MOST_ROUNDS 1000
// To fire a transition costs 1 and up to so much more.
#define WHIM 1.0

// A sum has a row of its own.
typedef struct row_of_sum {
  const void *name;
  uint32_t row;
} row_of_sum;

struct tl_course {
  tl_mem *mem;
  tl_incidence *incidence;
  tl_lp *lp;
  const uint64_t *marking; // from which it leads
  double *low, *high;      // [places] tokens where it leads
  double *least, *most;    // [transitions] how often each fires
  row_of_sum *sum;
  size_t sums, room;
  uint32_t rows;
  int64_t *gain;     // [transitions]; all 0 between calls
  tl_entry *scratch; // [transitions]
  bool impossible;   // two conditions contradict each other
  bool summed;       // one is about a sum
  bool repeats;      // it leads to no less than where it begins
};

// A row for each place, a column for each transition.
static tl_status load (tl_course *c) {
  const tl_incidence *i = c->incidence;
  c->rows = i->places;
  const tl_status rc =
      tl_lp_open (&c->lp, c->mem, i->places, i->transitions, i->entries);
  for (uint32_t t = 0; !rc && t < i->transitions; t++)
    tl_lp_column (c->lp, 0, MOST_TIMES, 1, tl_incidence_transition (i, t));
  return rc;
}

tl_status tl_course_open (tl_course **out, tl_mem *mem, const tl_net *net) {
  tl_course *c;
  *out = 0;
  if (!TL_NEW (mem, c, 1))
    return TL_E_NOMEM;
  *c = (tl_course){.mem = mem};
  tl_status rc = tl_incidence_open (&c->incidence, mem, net, TL_COLUMNS_ALL);
  if (!rc && (!TL_NEW (mem, c->low, net->places) ||
              !TL_NEW (mem, c->high, net->places) ||
              !TL_NEW (mem, c->least, net->transitions) ||
              !TL_NEW (mem, c->most, net->transitions) ||
              !TL_NEW (mem, c->gain, net->transitions) ||
              !TL_NEW (mem, c->scratch, net->transitions)))
    rc = TL_E_NOMEM;
  if (!rc)
    rc = load (c);
  if (rc)
    tl_course_close (c);
  else
    *out = c;
  return rc;
}

void tl_course_close (tl_course *c) {
  if (!c)
    return;
  if (c->incidence) {
    const uint32_t places = c->incidence->places,
                   transitions = c->incidence->transitions;
    TL_DEL (c->mem, c->low, places);
    TL_DEL (c->mem, c->high, places);
    TL_DEL (c->mem, c->least, transitions);
    TL_DEL (c->mem, c->most, transitions);
    TL_DEL (c->mem, c->gain, transitions);
    TL_DEL (c->mem, c->scratch, transitions);
  }
  tl_lp_close (c->lp);
  tl_incidence_close (c->incidence);
  TL_DEL (c->mem, c->sum, c->room);
  TL_DEL (c->mem, c, 1);
}

// ---- Conditions ------------------------------------------------------------

void tl_course_from (tl_course *c, const uint64_t *marking) {
  c->marking = marking;
  c->impossible = c->summed = c->repeats = false;
  for (uint32_t p = 0; p < c->incidence->places; p++) {
    c->low[p] = 0;
    c->high[p] = TL_LP_INFINITY;
  }
  for (uint32_t t = 0; t < c->incidence->transitions; t++) {
    c->least[t] = 0;
    c->most[t] = MOST_TIMES;
  }
  for (size_t i = 0; i < c->sums; i++)
    tl_lp_row (c->lp, c->sum[i].row, -TL_LP_INFINITY, TL_LP_INFINITY);
}

void tl_course_least (tl_course *c, uint32_t place, uint64_t tokens) {
  if ((double)tokens > c->low[place])
    c->low[place] = (double)tokens;
  c->impossible |= c->low[place] > c->high[place];
}

void tl_course_most (tl_course *c, uint32_t place, uint64_t tokens) {
  if ((double)tokens < c->high[place])
    c->high[place] = (double)tokens;
  c->impossible |= c->low[place] > c->high[place];
}

void tl_course_repeats (tl_course *c) {
  c->repeats = true;
  for (uint32_t p = 0; p < c->incidence->places; p++)
    tl_course_least (c, p, c->marking[p]);
}

void tl_course_fires (tl_course *c, uint32_t t) {
  c->least[t] = 1;
  c->impossible |= c->least[t] > c->most[t];
}

void tl_course_avoids (tl_course *c, uint32_t t) {
  c->most[t] = 0;
  c->impossible |= c->least[t] > c->most[t];
}

// What each transition adds to the sum; false: numbers do not fit.
static bool change_of (tl_course *c, tl_vector sum, tl_vector *change) {
  uint32_t n = 0;
  bool fits = true;
  int64_t one;
  for (uint32_t i = 0; i < sum.count; i++) {
    const tl_vector row = tl_incidence_place (c->incidence, sum.term[i].index);
    for (uint32_t k = 0; k < row.count; k++) {
      int64_t *gain = c->gain + row.term[k].index;
      fits &= !__builtin_mul_overflow (sum.term[i].factor, row.term[k].factor,
                                       &one) &&
              !__builtin_add_overflow (*gain, one, gain);
    }
  }
  for (uint32_t i = 0; i < sum.count; i++) {
    const tl_vector row = tl_incidence_place (c->incidence, sum.term[i].index);
    for (uint32_t k = 0; k < row.count; k++) {
      const uint32_t t = row.term[k].index;
      if (c->gain[t])
        c->scratch[n++] = (tl_entry){t, c->gain[t]};
      c->gain[t] = 0;
    }
  }
  *change = (tl_vector){c->scratch, n};
  return fits;
}

static tl_status row_of (tl_course *c, const void *name, tl_vector sum,
                         uint32_t *row) {
  for (size_t i = 0; i < c->sums; i++)
    if (c->sum[i].name == name) {
      *row = c->sum[i].row;
      return TL_OK;
    }
  tl_vector change;
  if (!TL_ROOM (c->mem, c->sum, &c->room, c->sums + 1))
    return TL_E_NOMEM;
  tl_status rc = change_of (c, sum, &change) ? TL_OK : TL_E_LIMIT;
  if (!rc)
    rc = tl_lp_add_row (c->lp, -TL_LP_INFINITY, TL_LP_INFINITY, change);
  if (rc)
    return rc;
  *row = c->rows++;
  c->sum[c->sums++] = (row_of_sum){name, *row};
  return TL_OK;
}

tl_status tl_course_sum (tl_course *c, const void *name, tl_vector sum,
                         int64_t most) {
  uint32_t row = 0;
  const tl_status rc = row_of (c, name, sum, &row);
  double now = 0;
  c->summed = true;
  for (uint32_t i = 0; i < sum.count; i++)
    now += (double)sum.term[i].factor * (double)c->marking[sum.term[i].index];
  if (!rc)
    tl_lp_row (c->lp, row, -TL_LP_INFINITY, (double)most - now);
  return rc;
}

// ---- The way ---------------------------------------------------------------

// Does it lead back to where it begins?  Then it may be gone many times.
static bool is_round (const tl_course *c) {
  bool round = !c->summed;
  for (uint32_t p = 0; round && p < c->incidence->places; p++)
    round = c->low[p] == c->high[p] && c->low[p] == (double)c->marking[p];
  return round;
}

// The least that makes all of them integers; 1: that would be too much.
static double rounds (const tl_course *c, const double *x) {
  int64_t common = 1;
  for (uint32_t t = 0; t < c->incidence->transitions; t++)
    if (x[t] > SMALL &&
        (!tl_rational_join (x[t], &common) || common > MOST_ROUNDS))
      return 1;
  return (double)common;
}

bool tl_course_find (tl_course *c, uint64_t seed, double seconds,
                     uint64_t *times) {
  const tl_incidence *i = c->incidence;
  tl_random random = {seed};
  if (c->impossible)
    return false;
  for (uint32_t p = 0; p < i->places; p++) {
    const double now = (double)c->marking[p];
    tl_lp_row (c->lp, p, c->low[p] - now,
               c->high[p] >= TL_LP_INFINITY ? TL_LP_INFINITY
                                            : c->high[p] - now);
  }
  for (uint32_t t = 0; t < i->transitions; t++) {
    tl_lp_bound (c->lp, t, c->least[t], c->most[t]);
    tl_lp_cost (c->lp, t,
                1 + WHIM * (double)tl_random_below (&random, 1024) / 1024);
  }
  if (tl_lp_solve (c->lp, TL_LP_DUAL, MAX_ITERATIONS, seconds) != TL_LP_OPTIMAL)
    return false;
  const double *x = tl_lp_primal (c->lp);
  const double times_all = c->repeats || is_round (c) ? rounds (c, x) : 1;
  for (uint32_t t = 0; t < i->transitions; t++)
    times[t] = x[t] > SMALL ? (uint64_t)ceil (x[t] * times_all - SMALL) : 0;
  return true;
}
