// Transitions that another one can stand for: it does the same, and is enabled
// wherever they are.  (Parallel transitions: Murata, "Petri nets: properties,
// analysis and applications", 1989; dominated ones as in TAPAAL's verifypn.)
//
// Keeps runs: the same markings follow each other.

#include "base/budget.h"
#include "reduce/rules.h"

#include <stdlib.h>

enum { POLL = 1024, COMPARED = 32 };

// A transition, and a number that is the same for all that do the same.
typedef struct effect {
  uint64_t hash;
  uint32_t arcs; // it waits for
  uint32_t transition;
} effect;

// Those that wait for less come first.
static int by_hash (const void *left, const void *right) {
  const effect *l = left, *r = right;
  if (l->hash != r->hash)
    return l->hash < r->hash ? -1 : 1;
  if (l->arcs != r->arcs)
    return l->arcs < r->arcs ? -1 : 1;
  return (l->transition > r->transition) - (l->transition < r->transition);
}

static uint64_t mix (uint32_t place, int64_t change) {
  uint64_t x = place * UINT64_C (0x9e3779b97f4a7c15) ^
               (uint64_t)change * UINT64_C (0xd6e8feb86659fd93);
  x ^= x >> 32;
  x *= UINT64_C (0xd6e8feb86659fd93);
  return x ^ x >> 29;
}

static effect describe (const tl_draft *d, uint32_t t) {
  const tl_drafted *x = d->transition + t;
  effect e = {.arcs = x->pre.count + x->inhibitor.count, .transition = t};
  for (uint32_t i = 0; i < x->pre.count; i++) {
    const int64_t change = tl_draft_change (d, t, x->pre.arc[i].place);
    e.hash += change ? mix (x->pre.arc[i].place, change) : 0;
  }
  for (uint32_t i = 0; i < x->post.count; i++)
    if (!tl_row_weight (x->pre, x->post.arc[i].place))
      e.hash += mix (x->post.arc[i].place, x->post.arc[i].weight);
  return e;
}

// Does t do what u does, wherever u is enabled?
static bool stands_for (const tl_draft *d, uint32_t t, uint32_t u) {
  const tl_drafted *x = d->transition + t, *y = d->transition + u;
  for (uint32_t i = 0; i < x->pre.count; i++)
    if (x->pre.arc[i].weight > tl_row_weight (y->pre, x->pre.arc[i].place))
      return false;
  for (uint32_t i = 0; i < x->inhibitor.count; i++) {
    const tl_arc arc = x->inhibitor.arc[i];
    const uint32_t other = tl_row_weight (y->inhibitor, arc.place);
    if (!other || other > arc.weight)
      return false;
  }
  const tl_row row[] = {x->post, y->pre, y->post};
  for (int k = 0; k < 3; k++)
    for (uint32_t i = 0; i < row[k].count; i++) {
      const uint32_t p = row[k].arc[i].place;
      if (tl_draft_change (d, t, p) != tl_draft_change (d, u, p))
        return false;
    }
  return true;
}

static bool is_dominated (const tl_draft *d, const effect *list, size_t at) {
  const size_t first = at > COMPARED ? at - COMPARED : 0;
  for (size_t i = at; i-- > first && list[i].hash == list[at].hash;)
    if (!d->transition[list[i].transition].gone &&
        stands_for (d, list[i].transition, list[at].transition))
      return true;
  return false;
}

tl_status tl_drop_dominated (tl_draft *d, tl_keep keep, uint64_t *changes) {
  (void)keep;
  effect *list;
  size_t count = 0;
  tl_status rc = TL_OK;
  if (!TL_NEW (d->mem, list, d->transitions))
    return TL_E_NOMEM;
  for (uint32_t t = 0; t < d->transitions; t++)
    if (!d->transition[t].gone)
      list[count++] = describe (d, t);
  qsort (list, count, sizeof *list, by_hash);
  for (size_t i = 1; !rc && i < count; i++) {
    if (i % POLL == 0)
      rc = tl_budget_look (d->mem);
    if (rc || !is_dominated (d, list, i))
      continue;
    tl_draft_drop_transition (d, list[i].transition);
    ++*changes;
  }
  TL_DEL (d->mem, list, d->transitions);
  return rc;
}
