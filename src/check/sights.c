#include "check/sights.h"

#include "logic/eval.h"
#include "net/stroll.h"

// Steps of the walk; fewer in a large net, and none where places are more than
// these.
#define STEPS 4096
#define WORK 4000000
#define MANY_PLACES 20000
// So that sums of tokens, each times its factor, fit 64 bits.
#define MOST_FACTORS ((uint64_t)1 << 31)
// Points are as exact as the solver.
#define NOTHING 1e-6

// ---- Taking it -------------------------------------------------------------

// What the walk has seen so far.
typedef struct scout {
  tl_stroll walk;
  uint8_t *marked, *empty; // [places]
  uint64_t *enabled;       // bitmap
  bool dead;
} scout;

static tl_status open_scout (scout *s, tl_mem *mem, const tl_net *net) {
  *s = (scout){0};
  const tl_status rc = tl_stroll_open (&s->walk, mem, net, 0);
  return rc || (TL_NEW (mem, s->marked, net->places) &&
                TL_NEW (mem, s->empty, net->places) &&
                TL_NEW (mem, s->enabled, net->transitions / 64 + 1))
             ? rc
             : TL_E_NOMEM;
}

static void close_scout (scout *s) {
  const tl_net *net = s->walk.net;
  tl_mem *mem = s->walk.mem;
  TL_DEL (mem, s->marked, net->places);
  TL_DEL (mem, s->empty, net->places);
  TL_DEL (mem, s->enabled, net->transitions / 64 + 1);
  tl_stroll_close (&s->walk);
}

// Is a place marked or empty that was not before, or a transition enabled, or
// none?
static bool is_new (scout *s) {
  const tl_stroll *w = &s->walk;
  bool any = !w->count && !s->dead;
  s->dead |= !w->count;
  for (uint32_t p = 0; p < w->net->places; p++) {
    uint8_t *side = w->tokens[p] ? s->marked : s->empty;
    any |= !side[p];
    side[p] = 1;
  }
  for (uint32_t i = 0; i <= w->net->transitions / 64; i++) {
    any |= (w->enabled[i] & ~s->enabled[i]) != 0;
    s->enabled[i] |= w->enabled[i];
  }
  return any;
}

static void keep (tl_sights *k, const uint64_t *tokens) {
  for (uint32_t p = 0; p < k->net->places; p++)
    if (tokens[p] > UINT32_MAX)
      return;
  for (uint32_t p = 0; p < k->net->places; p++)
    k->tokens[(size_t)p * TL_SIGHTS + k->count] = (uint32_t)tokens[p];
  k->count++;
}

static void wander (tl_sights *k, scout *s) {
  const tl_net *net = k->net;
  const uint64_t most = WORK / (net->places + net->transitions + 1) + 1;
  uint32_t fired;
  tl_stroll_begin (&s->walk);
  for (uint64_t i = 0; i < STEPS && i < most && k->count < TL_SIGHTS; i++) {
    if (is_new (s))
      keep (k, s->walk.tokens);
    if (!tl_stroll_step (&s->walk, &fired))
      tl_stroll_begin (&s->walk);
  }
}

static void take (tl_sights *k) {
  const tl_net *net = k->net;
  scout s;
  if (k->taken)
    return;
  k->taken = true;
  if (net->places > MANY_PLACES ||
      !TL_NEW (k->mem, k->tokens, (size_t)net->places * TL_SIGHTS) ||
      !TL_NEW (k->mem, k->marking, net->places))
    return;
  if (!open_scout (&s, k->mem, net))
    wander (k, &s);
  close_scout (&s);
}

void tl_sights_close (tl_sights *k) {
  if (!k->mem)
    return;
  TL_DEL (k->mem, k->tokens, (size_t)k->net->places * TL_SIGHTS);
  TL_DEL (k->mem, k->marking, k->net->places);
  TL_DEL (k->mem, k->place, (size_t)k->net->places * TL_POINTS);
  TL_DEL (k->mem, k->point, k->net->places);
}

void tl_sights_take (tl_sights *k, const tl_equation *e) {
  const uint32_t places = k->net->places, at = k->points % TL_POINTS;
  if (places > MANY_PLACES ||
      (!k->place && !TL_NEW (k->mem, k->place, (size_t)places * TL_POINTS)) ||
      (!k->point && !TL_NEW (k->mem, k->point, places)) ||
      !tl_equation_point (e, k->point))
    return;
  for (uint32_t p = 0; p < places; p++)
    k->place[(size_t)p * TL_POINTS + at] = k->point[p];
  k->points++;
}

// ---- Asking it -------------------------------------------------------------

static bool fits (const tl_inequality *q) {
  uint64_t factors = 0;
  for (uint32_t i = 0; i < q->sum.count && factors <= MOST_FACTORS; i++) {
    const int64_t f = q->sum.term[i].factor;
    const uint64_t size = f < 0 ? -(uint64_t)f : (uint64_t)f;
    factors += size < MOST_FACTORS ? size : MOST_FACTORS;
  }
  return factors < MOST_FACTORS;
}

static void look_at_markings (const tl_sights *k, const tl_inequality *q,
                              uint64_t *seen) {
  int64_t sum[TL_SIGHTS] = {0};
  if (!fits (q))
    return;
  for (uint32_t i = 0; k->count && i < q->sum.count; i++) {
    const int64_t factor = q->sum.term[i].factor;
    const uint32_t *tokens =
        k->tokens + (size_t)q->sum.term[i].index * TL_SIGHTS;
    for (uint32_t s = 0; s < TL_SIGHTS; s++)
      sum[s] += factor * tokens[s];
  }
  for (uint32_t s = 0; s < k->count; s++)
    seen[s / 64] |= (uint64_t)(sum[s] <= q->bound) << s % 64;
}

static void look_at_points (const tl_sights *k, const tl_inequality *q,
                            uint64_t *seen) {
  double sum[TL_POINTS] = {0};
  for (uint32_t i = 0; i < q->sum.count; i++) {
    const double factor = (double)q->sum.term[i].factor;
    const double *tokens = k->place + (size_t)q->sum.term[i].index * TL_POINTS;
    for (uint32_t s = 0; s < TL_POINTS; s++)
      sum[s] += factor * tokens[s];
  }
  *seen = 0;
  for (uint32_t s = 0; s < TL_POINTS && s < k->points; s++)
    *seen |= (uint64_t)(sum[s] <= (double)q->bound + NOTHING) << s;
}

void tl_sights_look (tl_sights *k, const tl_inequality *q, tl_sighted *seen) {
  take (k);
  if (!seen->known)
    look_at_markings (k, q, seen->marking);
  if (seen->points != k->points)
    look_at_points (k, q, &seen->point);
  seen->known = true;
  seen->points = k->points;
}

bool tl_sights_show (tl_sights *k, const tl_formula *f, bool value) {
  take (k);
  for (uint32_t s = 0; s < k->count; s++) {
    for (uint32_t p = 0; p < k->net->places; p++)
      k->marking[p] = k->tokens[(size_t)p * TL_SIGHTS + s];
    if (tl_formula_holds (f, k->net, k->marking) == value)
      return true;
  }
  return false;
}
