#include "structure/bounds.h"
#include "base/budget.h"
#include "base/clock.h"
#include "structure/grow.h"
#include "structure/region.h"

#include <stdlib.h>

// Nets up to this many places and transitions are solved as a whole.
#define SMALL_NET 2000
#define REGION_PLACES 256
// Transitions of a place in such a part; and where all else has been tried.
#define REGION_BUSY 256
#define REGION_BUSIEST 8192
#define MAX_ITERATIONS 20000
// Work that a common machine does in a second, as counted below; half of it is
// used, so that the clock rarely decides.
#define GROW_WORK_PER_SECOND 1e8
#define GROW_LEVELS 3
#define LP_WORK_PER_SECOND 3e6

typedef struct search {
  const tl_net *net;
  const tl_incidence *incidence;
  tl_bounds *bounds;
  tl_semiflows *semiflows;
  tl_grower grower;
  // [places] No semiflow gives a better bound; parts that were looked at.
  uint8_t *settled, *tried;
  double deadline;
  double lp_work, lp_work_end;
} search;

const char *tl_bound_source_text (tl_bound_source source) {
  switch (source) {
  case TL_BOUND_NONE: return "none";
  case TL_BOUND_CONSTANT: return "constant";
  case TL_BOUND_SEMIFLOW: return "semiflow";
  case TL_BOUND_LP: return "lp";
  case TL_BOUND_CLAIM: return "nupn";
  }
  return "unknown";
}

static bool is_small (const tl_net *net) {
  return (uint64_t)net->places + net->transitions <= SMALL_NET;
}

static void bound_constants (search *s) {
  for (uint32_t p = 0; p < s->net->places; p++)
    if (tl_incidence_constant (s->incidence, p)) {
      s->bounds->bound[p] = s->net->initial[p];
      s->bounds->source[p] = TL_BOUND_CONSTANT;
      s->settled[p] = 1;
    }
}

// Adds the weights if they are a semiflow and improve a bound.
static tl_status use_semiflow (search *s, const tl_entry *terms, uint32_t count,
                               tl_bound_source source) {
  tl_semiflow_kind kind;
  const tl_status rc = tl_semiflows_add (s->semiflows, terms, count, &kind);
  if (rc || kind == TL_SEMIFLOW_NO)
    return rc;
  const size_t last = s->semiflows->count - 1;
  const tl_vector y = tl_semiflows_terms (s->semiflows, last);
  bool useful = false;
  for (uint32_t i = 0; i < y.count; i++) {
    const uint32_t p = y.term[i].index;
    const uint64_t bound =
        tl_semiflow_bound (s->semiflows->semiflow + last, y.term[i].factor);
    if (bound >= s->bounds->bound[p])
      continue;
    s->bounds->bound[p] = bound;
    s->bounds->source[p] = (uint8_t)source;
    useful = true;
  }
  if (!useful)
    tl_semiflows_drop_last (s->semiflows);
  return TL_OK;
}

// A bound below this is of no use to anyone.
static uint64_t good_enough (const search *s, uint32_t p) {
  return s->net->initial[p] ? s->net->initial[p] : 1;
}

static bool is_late (const search *s) {
  return tl_clock () >= s->deadline || tl_budget_look (s->grower.mem);
}

// All places get a small amount of work before any gets a larger one.  In a
// small net the solver is quicker than the second try.
static tl_status grow_semiflows (search *s, double seconds) {
  tl_grower *g = &s->grower;
  tl_status rc = TL_OK;
  const uint64_t share =
      (uint64_t)(seconds * GROW_WORK_PER_SECOND / 2 / GROW_LEVELS);
  const int levels = is_small (s->net) ? 1 : GROW_LEVELS;
  uint64_t work = 1000;
  for (int level = 0; level < levels; level++, work *= 16) {
    const uint64_t end = g->work + share;
    for (uint32_t p = 0; !rc && p < s->net->places; p++) {
      if (s->bounds->bound[p] <= good_enough (s, p))
        continue;
      if (g->work >= end || is_late (s))
        break;
      if (tl_grow (g, p, work))
        rc = use_semiflow (s, g->member, g->members, TL_BOUND_SEMIFLOW);
    }
  }
  return rc;
}

static bool out_of_time (search *s) {
  if (is_late (s))
    s->bounds->cut_short = true;
  return s->bounds->cut_short || s->lp_work >= s->lp_work_end;
}

static tl_status solve_one (search *s, tl_region *region, uint32_t p) {
  const tl_region_result result =
      tl_region_solve (region, p, MAX_ITERATIONS, s->deadline - tl_clock ());
  s->lp_work += (region->count + region->rows) * (1 + region->iterations / 8.0);
  if (region->closed && result != TL_REGION_STOPPED)
    s->settled[p] = 1;
  if (result != TL_REGION_SEMIFLOW)
    return TL_OK;
  if (tl_grow_from (&s->grower, region->weight, region->weights))
    return use_semiflow (s, s->grower.member, s->grower.members, TL_BOUND_LP);
  return use_semiflow (s, region->weight, region->weights, TL_BOUND_LP);
}

// What is asked one after the other: of places without a bound, then of those
// whose bound may be too large; in parts of a net first without places that are
// very busy.
typedef struct question {
  bool bounded;
  uint8_t size;
} question;

enum { SMALL_PART = 1, LARGE_PART = 2 };

static bool wanted (const search *s, uint32_t p, question q) {
  const uint64_t bound = s->bounds->bound[p];
  return !s->settled[p] && !(s->tried[p] & q.size) &&
         (q.bounded ? bound > good_enough (s, p) : bound == TL_NO_BOUND);
}

static tl_status solve_whole (search *s, tl_region *region) {
  tl_status rc = tl_region_all (region);
  for (int bounded = 0; bounded < 2; bounded++)
    for (uint32_t p = 0; !rc && p < s->net->places; p++) {
      if (!wanted (s, p, (question){.bounded = bounded}))
        continue;
      if (out_of_time (s))
        return TL_OK;
      rc = solve_one (s, region, p);
    }
  return rc;
}

static tl_status solve_parts (search *s, tl_region *region) {
  static const question all[] = {{false, SMALL_PART},
                                 {false, LARGE_PART},
                                 {true, SMALL_PART},
                                 {true, LARGE_PART}};
  tl_status rc = TL_OK;
  for (int i = 0; i < 4; i++)
    for (uint32_t p = 0; !rc && p < s->net->places; p++) {
      if (!wanted (s, p, all[i]))
        continue;
      if (out_of_time (s))
        return TL_OK;
      rc = tl_region_behind (region, p, REGION_PLACES,
                             all[i].size == SMALL_PART ? REGION_BUSY
                                                       : REGION_BUSIEST);
      s->lp_work += region->count + region->rows;
      if (!rc)
        rc = solve_one (s, region, p);
      s->tried[p] |= region->busy ? all[i].size : SMALL_PART | LARGE_PART;
    }
  return rc;
}

static tl_status solve_semiflows (search *s) {
  tl_region region;
  tl_status rc =
      tl_region_open (&region, s->bounds->mem, s->incidence, s->net->initial);
  if (!rc)
    rc =
        is_small (s->net) ? solve_whole (s, &region) : solve_parts (s, &region);
  tl_region_close (&region);
  return rc;
}

// A file may promise that no unit ever holds more than one token.  A promise
// that the initial marking breaks is not believed.
static void note_claims (search *s) {
  if (!s->net->units_safe)
    return;
  for (uint32_t u = 0; u < s->net->units; u++)
    for (uint32_t i = 0; i < s->net->unit[u].place_count; i++) {
      const uint32_t p = s->net->unit[u].places[i];
      if (s->bounds->bound[p] <= 1 || s->net->initial[p] > 1)
        continue;
      s->bounds->bound[p] = 1;
      s->bounds->source[p] = TL_BOUND_CLAIM;
    }
}

tl_status tl_bounds_open (tl_bounds *b, tl_mem *mem, const tl_net *net,
                          tl_semiflows *semiflows, double seconds) {
  *b = (tl_bounds){.mem = mem, .places = net->places};
  seconds = tl_budget_left (mem, 2 * seconds) / 2; // others need some, too
  search s = {.net = net,
              .incidence = semiflows->combiner.incidence,
              .bounds = b,
              .semiflows = semiflows,
              .deadline = tl_clock () + seconds,
              .lp_work_end = seconds * LP_WORK_PER_SECOND};
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (mem, b->bound, net->places) &&
      TL_NEW (mem, b->source, net->places) &&
      TL_NEW (mem, s.settled, net->places) &&
      TL_NEW (mem, s.tried, net->places)) {
    for (uint32_t p = 0; p < net->places; p++)
      b->bound[p] = TL_NO_BOUND;
    bound_constants (&s);
    rc = tl_grower_open (&s.grower, mem, s.incidence, net->initial);
    if (!rc)
      rc = grow_semiflows (&s, seconds);
    if (!rc)
      rc = solve_semiflows (&s);
    note_claims (&s);
  }
  TL_DEL (mem, s.settled, net->places);
  TL_DEL (mem, s.tried, net->places);
  tl_grower_close (&s.grower);
  if (rc)
    tl_bounds_close (b);
  return rc;
}

void tl_bounds_close (tl_bounds *b) {
  if (!b->mem)
    return;
  TL_DEL (b->mem, b->bound, b->places);
  TL_DEL (b->mem, b->source, b->places);
  *b = (tl_bounds){0};
}
