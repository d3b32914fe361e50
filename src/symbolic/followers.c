#include "symbolic/followers.h"

#include "base/budget.h"
#include "base/clock.h"
#include "structure/incidence.h"
#include "structure/lp.h"
#include "structure/rational.h"
#include "symbolic/twins.h"

#define MAX_ITERATIONS 1000
// A larger net is not looked at.
#define MAX_ENTRIES 100000
#define MAX_FACTOR 1000
// Times that a place is left out of a sum.
#define TRIES 3
#define NONE UINT32_MAX
// So many places are looked at first, for this part of the time.
#define SAMPLE 64
#define SAMPLE_SHARE 0.3

// The program: factors of the places and the constant, of one place after the
// other.  Rows: what each transition adds, what each needs, and the initial
// marking.
typedef struct looking {
  tl_followers *f;
  const tl_net *net;
  tl_incidence *incidence;
  tl_lp *lp;
  uint64_t *need_start; // [places + 1]
  tl_entry *need;       // what transitions need of each place, by their rows
  uint8_t *inhibits;    // [places]
  uint32_t *up;         // [transitions] places that it puts more tokens on
  uint32_t *down;       // [transitions]
  int64_t *sum;         // [2 * transitions] for the check
  tl_entry *column;     // [2 * transitions + 1]
  double start, seconds, end;
} looking;

// ---- Sums ------------------------------------------------------------------

static tl_status add_term (tl_followers *f, uint32_t q, int64_t factor) {
  if (!TL_ROOM (f->mem, f->term, &f->room, f->terms + 1))
    return TL_E_NOMEM;
  f->term[f->terms++] = (tl_entry){q, factor};
  return TL_OK;
}

// The terms from `start` on are the sum of the place.
static void finish (tl_followers *f, const tl_net *net, uint32_t p,
                    size_t start) {
  f->follows[p] = 1;
  f->start[p] = start;
  f->count[p] = (uint32_t)(f->terms - start);
  f->constant[p] = net->initial[p];
  for (size_t i = start; i < f->terms; i++) {
    f->leads[f->term[i].index] = 1;
    f->constant[p] -= f->term[i].factor * net->initial[f->term[i].index];
  }
  f->found++;
}

static tl_status add_twins (tl_followers *f, const tl_net *net) {
  uint32_t *first;
  if (!TL_NEW (f->mem, first, net->places + 1))
    return TL_E_NOMEM;
  tl_status rc = tl_twins_find (f->mem, net, first);
  for (uint32_t p = 0; !rc && p < net->places; p++)
    if (first[p] != p && !(rc = add_term (f, first[p], 1)))
      finish (f, net, p, f->terms - 1);
  TL_DEL (f->mem, first, net->places + 1);
  return rc;
}

// ---- The program -----------------------------------------------------------

static uint32_t transitions (const looking *l) {
  return l->net->transitions;
}

static tl_vector need_of (const looking *l, uint32_t p) {
  return (tl_vector){l->need + l->need_start[p],
                     (uint32_t)(l->need_start[p + 1] - l->need_start[p])};
}

// The arcs of the net are listed by transition: lists them by place.
static void list_needs (looking *l) {
  const tl_net *net = l->net;
  uint64_t *end = l->need_start + 1; // [places] as far as it is listed
  for (uint32_t t = 0; t < net->transitions; t++)
    for (uint32_t i = 0; i < tl_net_pre (net, t).count; i++)
      end[tl_net_pre (net, t).arc[i].place + 1]++;
  for (uint32_t p = 0; p < net->places; p++)
    end[p + 1] += end[p];
  for (uint32_t t = 0; t < net->transitions; t++)
    for (uint32_t i = 0; i < tl_net_pre (net, t).count; i++) {
      const tl_arc arc = tl_net_pre (net, t).arc[i];
      l->need[end[arc.place]++] = (tl_entry){transitions (l) + t, arc.weight};
    }
}

static uint32_t append (looking *l, uint32_t n, tl_vector more) {
  for (uint32_t i = 0; i < more.count; i++)
    l->column[n++] = more.term[i];
  return n;
}

static tl_status load (looking *l) {
  const tl_net *net = l->net;
  const uint32_t last = 2 * transitions (l);
  const tl_status rc =
      tl_lp_open (&l->lp, l->f->mem, last + 1, net->places + 1,
                  l->incidence->entries + net->arcs + net->places + last + 1);
  if (rc)
    return rc;
  for (uint32_t p = 0; p < net->places; p++) {
    uint32_t n = append (l, 0, tl_incidence_place (l->incidence, p));
    n = append (l, n, need_of (l, p));
    if (net->initial[p])
      l->column[n++] = (tl_entry){last, net->initial[p]};
    tl_lp_column (l->lp, 0, l->f->follows[p] ? 0 : MAX_FACTOR, 1,
                  (tl_vector){l->column, n});
  }
  for (uint32_t t = 0; t <= transitions (l); t++)
    l->column[t] = (tl_entry){transitions (l) + t, 1};
  tl_lp_column (l->lp, -TL_LP_INFINITY, TL_LP_INFINITY, 0,
                (tl_vector){l->column, transitions (l) + 1});
  for (uint32_t t = 0; t < transitions (l); t++)
    tl_lp_row (l->lp, t, 0, 0);
  return TL_OK;
}

// ---- One place -------------------------------------------------------------

// Counts, or takes back, what the place adds to its transitions.
static void count_signs (looking *l, uint32_t p, uint32_t by) {
  const tl_vector v = tl_incidence_place (l->incidence, p);
  for (uint32_t i = 0; i < v.count; i++)
    *(v.term[i].factor > 0 ? l->up + v.term[i].index
                           : l->down + v.term[i].index) += by;
}

// Does every transition that changes the place change another one likewise?
static bool may_follow (const looking *l, uint32_t p) {
  const tl_followers *f = l->f;
  const tl_vector v = tl_incidence_place (l->incidence, p);
  bool may = !f->follows[p] && !f->leads[p] && !l->inhibits[p] && v.count;
  for (uint32_t i = 0; may && i < v.count; i++)
    may = (v.term[i].factor > 0 ? l->up : l->down)[v.term[i].index] > 1;
  return may;
}

// May the place be in a sum?
static void allow (looking *l, uint32_t q, bool on) {
  tl_lp_bound (l->lp, q, 0, on && !l->f->follows[q] ? MAX_FACTOR : 0);
}

// The rows ask for the place, or for none.
static void aim (looking *l, uint32_t p, bool on) {
  const tl_vector v = tl_incidence_place (l->incidence, p),
                  need = need_of (l, p);
  for (uint32_t i = 0; i < v.count; i++) {
    const double change = on ? (double)v.term[i].factor : 0;
    tl_lp_row (l->lp, v.term[i].index, change, change);
  }
  for (uint32_t i = 0; i < need.count; i++)
    tl_lp_row (l->lp, need.term[i].index,
               on ? (double)need.term[i].factor : -TL_LP_INFINITY,
               TL_LP_INFINITY);
  const double initial = on ? (double)l->net->initial[p] : 0;
  tl_lp_row (l->lp, 2 * transitions (l), initial, initial);
  allow (l, p, !on);
}

// The values of the solver as terms.  Where they are not whole, *part is a
// place that has a fraction, else NONE.
static tl_status read_terms (looking *l, uint32_t *part) {
  const double *x = tl_lp_primal (l->lp);
  tl_status rc = TL_OK;
  *part = NONE;
  for (uint32_t q = 0; !rc && q < l->net->places; q++) {
    int64_t common = 1, factor = 0;
    if (!tl_rational_join (x[q], &common) || common != 1 ||
        !tl_rational_over (x[q], 1, &factor) || factor > MAX_FACTOR)
      *part = q;
    else if (factor)
      rc = add_term (l->f, q, factor);
  }
  return rc;
}

static void add_up (looking *l, tl_vector v, int64_t factor) {
  for (uint32_t i = 0; i < v.count; i++)
    l->sum[v.term[i].index] += factor * v.term[i].factor;
}

// Is what is said above true of the terms from `start` on?
static bool is_proof (looking *l, uint32_t p, size_t start) {
  const tl_vector need = need_of (l, p);
  int64_t constant = l->net->initial[p];
  bool right = true;
  for (uint32_t i = 0; i < 2 * transitions (l); i++)
    l->sum[i] = 0;
  for (size_t i = start; i < l->f->terms; i++) {
    const tl_entry e = l->f->term[i];
    right &= e.index != p && !l->f->follows[e.index];
    constant -= e.factor * l->net->initial[e.index];
    add_up (l, tl_incidence_place (l->incidence, e.index), e.factor);
    add_up (l, need_of (l, e.index), e.factor);
  }
  add_up (l, tl_incidence_place (l->incidence, p), -1);
  for (uint32_t t = 0; right && t < transitions (l); t++)
    right = !l->sum[t];
  for (uint32_t i = 0; right && i < need.count; i++)
    right = constant + l->sum[need.term[i].index] >= need.term[i].factor;
  return right;
}

static bool solve (looking *l) {
  return tl_lp_solve (l->lp, TL_LP_DUAL, MAX_ITERATIONS,
                      l->end - tl_clock ()) == TL_LP_OPTIMAL;
}

// Without places that it takes fractions of, there may be another sum.
static tl_status find_sum (looking *l, uint32_t p, bool *found) {
  const size_t start = l->f->terms;
  uint32_t without[TRIES], tries = 0;
  tl_status rc = TL_OK;
  *found = false;
  while (!rc && !*found && solve (l)) {
    uint32_t part;
    rc = read_terms (l, &part);
    *found = !rc && part == NONE && is_proof (l, p, start);
    if (*found)
      break;
    l->f->terms = start;
    if (part == NONE || tries == TRIES)
      break;
    without[tries++] = part;
    allow (l, part, false);
  }
  while (tries)
    allow (l, without[--tries], true);
  return rc;
}

static tl_status look_at (looking *l, uint32_t p) {
  const size_t start = l->f->terms;
  bool found;
  aim (l, p, true);
  const tl_status rc = find_sum (l, p, &found);
  if (found) {
    finish (l->f, l->net, p, start);
    l->f->sums++;
    count_signs (l, p, (uint32_t)-1);
  }
  aim (l, p, false);
  return rc;
}

// ---- All of them -----------------------------------------------------------

static tl_status look_at_some (looking *l, uint32_t stride, double end) {
  tl_status rc = TL_OK;
  l->end = end;
  for (uint32_t p = 0; !rc && p < l->net->places && tl_clock () < end;
       p += stride)
    if (may_follow (l, p) && !(rc = tl_budget_look (l->f->mem)))
      rc = look_at (l, p);
  return rc;
}

// Large nets are made of many similar parts: where a few places from everywhere
// do not follow, the others are not looked at.
static tl_status look (looking *l) {
  const tl_net *net = l->net;
  list_needs (l);
  tl_status rc = load (l);
  for (uint64_t i = 0; i < net->inhibitor_start[net->transitions]; i++)
    l->inhibits[net->inhibitor_arc[i].place] = 1;
  for (uint32_t p = 0; p < net->places; p++)
    if (!l->f->follows[p])
      count_signs (l, p, 1);
  const uint32_t stride = net->places / SAMPLE + 1;
  if (!rc)
    rc = look_at_some (l, stride, l->start + SAMPLE_SHARE * l->seconds);
  if (!rc && stride > 1 && l->f->sums)
    rc = look_at_some (l, 1, l->start + l->seconds);
  return rc == TL_E_LIMIT ? TL_OK : rc;
}

static tl_status find_others (tl_followers *f, const tl_net *net,
                              double seconds) {
  const size_t count = (size_t)net->transitions + 1;
  looking l = {.f = f, .net = net, .start = tl_clock (), .seconds = seconds};
  tl_status rc = tl_incidence_open (&l.incidence, f->mem, net, TL_COLUMNS_ALL);
  if (rc)
    return rc;
  if (TL_NEW (f->mem, l.inhibits, net->places + 1) &&
      TL_NEW (f->mem, l.up, count) && TL_NEW (f->mem, l.down, count) &&
      TL_NEW (f->mem, l.need, net->arcs + 1) &&
      TL_NEW (f->mem, l.need_start, net->places + 2) &&
      TL_NEW (f->mem, l.sum, 2 * count) && TL_NEW (f->mem, l.column, 2 * count))
    rc = look (&l);
  else
    rc = TL_E_NOMEM;
  tl_lp_close (l.lp);
  TL_DEL (f->mem, l.inhibits, net->places + 1);
  TL_DEL (f->mem, l.up, count);
  TL_DEL (f->mem, l.down, count);
  TL_DEL (f->mem, l.need, net->arcs + 1);
  TL_DEL (f->mem, l.need_start, net->places + 2);
  TL_DEL (f->mem, l.sum, 2 * count);
  TL_DEL (f->mem, l.column, 2 * count);
  tl_incidence_close (l.incidence);
  return rc;
}

tl_status tl_followers_open (tl_followers *f, tl_mem *mem, const tl_net *net,
                             double seconds) {
  const size_t places = (size_t)net->places + 1;
  *f = (tl_followers){.mem = mem, .places = net->places};
  if (!TL_NEW (mem, f->follows, places) || !TL_NEW (mem, f->leads, places) ||
      !TL_NEW (mem, f->start, places) || !TL_NEW (mem, f->count, places) ||
      !TL_NEW (mem, f->constant, places))
    return TL_E_NOMEM;
  const tl_status rc = add_twins (f, net);
  return rc || !(seconds > 0) || net->arcs > MAX_ENTRIES
             ? rc
             : find_others (f, net, seconds);
}

void tl_followers_close (tl_followers *f) {
  const size_t places = (size_t)f->places + 1;
  if (!f->mem)
    return;
  TL_DEL (f->mem, f->follows, places);
  TL_DEL (f->mem, f->leads, places);
  TL_DEL (f->mem, f->start, places);
  TL_DEL (f->mem, f->count, places);
  TL_DEL (f->mem, f->constant, places);
  TL_DEL (f->mem, f->term, f->room);
  *f = (tl_followers){0};
}
