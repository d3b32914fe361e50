#include "measure/anneal.h"

#include <math.h>
#include <string.h>

// One change: of the weights of one set of places or of two, or of the window.
typedef struct move {
  uint32_t set, other; // NO_SET: none
  int64_t by;
  uint64_t window;
} move;

#define NO_SET UINT32_MAX

tl_status tl_anneal_open (tl_anneal *a, tl_pilot *pilot,
                          const tl_incidence *incidence, const tl_alike *alike,
                          double share, uint64_t seed) {
  *a = (tl_anneal){.mem = pilot->mem,
                   .pilot = pilot,
                   .incidence = incidence,
                   .alike = alike,
                   .random = {seed},
                   .share = share};
  if (TL_NEW (a->mem, a->weight, incidence->places) &&
      TL_NEW (a->mem, a->best, incidence->places) &&
      TL_NEW (a->mem, a->offset, incidence->transitions))
    return TL_OK;
  tl_anneal_close (a);
  return TL_E_NOMEM;
}

void tl_anneal_close (tl_anneal *a) {
  TL_DEL (a->mem, a->weight, a->incidence->places);
  TL_DEL (a->mem, a->best, a->incidence->places);
  TL_DEL (a->mem, a->offset, a->incidence->transitions);
  *a = (tl_anneal){0};
}

// Sums are right when they fit 64 bits, even if parts of them do not.
static int64_t add_product (int64_t sum, int64_t a, int64_t b) {
  return (int64_t)((uint64_t)sum + (uint64_t)a * (uint64_t)b);
}

static void change (tl_anneal *a, uint32_t place, int64_t by) {
  const tl_vector row = tl_incidence_place (a->incidence, place);
  a->weight[place] += by;
  for (uint32_t i = 0; i < row.count; i++) {
    int64_t *offset = a->offset + row.term[i].index;
    *offset = add_product (*offset, by, row.term[i].factor);
  }
}

static void change_set (tl_anneal *a, uint32_t set, int64_t by) {
  if (set != NO_SET)
    for (uint64_t i = a->alike->start[set]; i < a->alike->start[set + 1]; i++)
      change (a, a->alike->place[i], by);
}

static void make (tl_anneal *a, const move *m) {
  change_set (a, m->set, m->by);
  change_set (a, m->other, -m->by);
  a->window ^= m->window;
}

static void undo (tl_anneal *a, move m) {
  m.by = -m.by;
  make (a, &m);
}

// False, and the cost as it was: it is beyond the limit.
static bool judge (tl_anneal *a, double limit) {
  tl_pilot_result r;
  double risk = 0;
  for (uint32_t i = 0; i < a->unseen_count; i++)
    risk += a->offset[a->unseen[i]] < 0 ? a->risk : 0;
  tl_pilot_measure (a->pilot, a->offset);
  if (!tl_pilot_sweep (a->pilot, a->window, a->share, limit - risk, &r))
    return false;
  a->cost = (double)r.peak + a->share * tl_pilot_visits (&r) + risk;
  return true;
}

static void remember (tl_anneal *a) {
  a->best_cost = a->cost;
  a->best_window = a->window;
  memcpy (a->best, a->weight, a->incidence->places * sizeof *a->best);
}

void tl_anneal_start (tl_anneal *a, const int64_t *weight, uint64_t window) {
  memset (a->weight, 0, a->incidence->places * sizeof *a->weight);
  memset (a->offset, 0, a->incidence->transitions * sizeof *a->offset);
  for (uint32_t p = 0; p < a->incidence->places; p++)
    if (weight[p])
      change (a, p, weight[p]);
  a->window = window;
  judge (a, INFINITY);
  remember (a);
}

// Above 0, at most 1.
static double uniform (tl_random *r) {
  return ((double)(tl_random_next (r) >> 11) + 1) * 0x1p-53;
}

static uint32_t any_set (tl_anneal *a, double together) {
  const tl_alike *alike = a->alike;
  const uint32_t sets = alike->count - alike->singles;
  if (sets && uniform (&a->random) < together)
    return alike->singles + (uint32_t)tl_random_below (&a->random, sets);
  return (uint32_t)tl_random_below (&a->random, alike->singles);
}

static move any_move (tl_anneal *a, double together) {
  static const uint64_t windows[] = {0, 1, 2, 4, 8};
  move m = {.set = NO_SET, .other = NO_SET};
  const double kind = uniform (&a->random);
  if (kind < 0.05) {
    m.window = a->window ^ windows[tl_random_below (&a->random, 5)];
    return m;
  }
  m.set = any_set (a, together);
  if (kind < 0.5)
    m.other = any_set (a, together);
  m.by = tl_random_below (&a->random, 2) ? 1 : -1;
  return m;
}

void tl_anneal_run (tl_anneal *a, uint64_t work, double hot, double cold,
                    double together) {
  const uint64_t begin = a->pilot->work;
  if (!a->alike->singles)
    return;
  for (uint64_t done; (done = a->pilot->work - begin) < work;) {
    const double heat = hot * pow (cold / hot, (double)done / (double)work);
    const move m = any_move (a, together);
    make (a, &m);
    if (!judge (a, a->cost - heat * log (uniform (&a->random))))
      undo (a, m);
    else if (a->cost < a->best_cost)
      remember (a);
  }
}
