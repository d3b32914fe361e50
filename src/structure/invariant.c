// Farkas' algorithm, also known as the double description method.  It starts
// with one ray for each place and takes the transitions one at a time.  After
// each, the rays are the extreme rays of
//
//   { y >= 0 : y * C(t) = 0 for every transition t taken }
//
// Rays that a transition gives opposite signs are paired to cancel it.  A pair
// makes an extreme ray iff no third ray has its support within the union of
// theirs.

#include "structure/invariant.h"

#include "base/budget.h"

#include <string.h>

typedef struct ray {
  uint64_t start;         // of its terms: first `rest`, then `weights`
  uint32_t rest, weights; // numbers of terms
} ray;

// The rays of one stage.
typedef struct stage {
  ray *rays;
  size_t count, capacity;
  tl_entry *terms;
  size_t term_count, term_capacity;
  uint64_t *support; // [count * words]
  size_t support_capacity;
} stage;

typedef struct farkas {
  tl_mem *mem;
  const tl_incidence *matrix;
  size_t words; // of a support
  stage now, next;
  uint32_t *positive, *negative; // [transitions] rays of each sign
  uint32_t taken;                // transitions taken
  size_t *down;                  // rays that the present one makes negative
  size_t down_count, down_capacity;
  uint64_t work, work_end;
  bool complete;
} farkas;

static void stage_close (stage *s, tl_mem *mem) {
  TL_DEL (mem, s->rays, s->capacity);
  TL_DEL (mem, s->terms, s->term_capacity);
  TL_DEL (mem, s->support, s->support_capacity);
}

static void farkas_close (farkas *k) {
  stage_close (&k->now, k->mem);
  stage_close (&k->next, k->mem);
  TL_DEL (k->mem, k->positive, k->matrix->transitions);
  TL_DEL (k->mem, k->negative, k->matrix->transitions);
  TL_DEL (k->mem, k->down, k->down_capacity);
}

static tl_vector rest_of (const stage *s, size_t i) {
  return (tl_vector){s->terms + s->rays[i].start, s->rays[i].rest};
}

static tl_vector weights_of (const stage *s, size_t i) {
  return (tl_vector){s->terms + s->rays[i].start + s->rays[i].rest,
                     s->rays[i].weights};
}

static uint64_t *support_of (const farkas *k, const stage *s, size_t i) {
  return s->support + i * k->words;
}

// Room for one more ray of up to `terms` terms.
static tl_status make_room (farkas *k, stage *s, size_t terms) {
  return TL_ROOM (k->mem, s->rays, &s->capacity, s->count + 1) &&
                 TL_ROOM (k->mem, s->terms, &s->term_capacity,
                          s->term_count + terms) &&
                 TL_ROOM (k->mem, s->support, &s->support_capacity,
                          (s->count + 1) * k->words)
             ? TL_OK
             : TL_E_NOMEM;
}

// Turns the terms behind the last ray into a ray.
static void finish_ray (farkas *k, stage *s, uint32_t rest, uint32_t weights) {
  s->rays[s->count] = (ray){s->term_count, rest, weights};
  s->term_count += (size_t)rest + weights;
  uint64_t *support = support_of (k, s, s->count++);
  memset (support, 0, k->words * sizeof *support);
  const tl_vector y = weights_of (s, s->count - 1);
  for (uint32_t i = 0; i < y.count; i++)
    support[y.term[i].index / 64] |= (uint64_t)1 << y.term[i].index % 64;
}

static tl_status start_rays (farkas *k) {
  for (uint32_t p = 0; p < k->matrix->places; p++) {
    const tl_vector row = tl_incidence_place (k->matrix, p);
    const tl_status rc = make_room (k, &k->now, (size_t)row.count + 1);
    if (rc)
      return rc;
    tl_entry *to = k->now.terms + k->now.term_count;
    if (row.count)
      memcpy (to, row.term, row.count * sizeof *to);
    to[row.count] = (tl_entry){p, 1};
    finish_ray (k, &k->now, row.count, 1);
  }
  return TL_OK;
}

static tl_status copy_ray (farkas *k, size_t i) {
  const ray r = k->now.rays[i];
  const size_t terms = (size_t)r.rest + r.weights;
  const tl_status rc = make_room (k, &k->next, terms);
  if (rc)
    return rc;
  memcpy (k->next.terms + k->next.term_count, k->now.terms + r.start,
          terms * sizeof (tl_entry));
  finish_ray (k, &k->next, r.rest, r.weights);
  k->work += terms + k->words;
  return TL_OK;
}

static int64_t entry_of (const stage *s, size_t i, uint32_t transition) {
  const tl_vector rest = rest_of (s, i);
  uint32_t low = 0, high = rest.count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (rest.term[middle].index < transition)
      low = middle + 1;
    else
      high = middle;
  }
  return low < rest.count && rest.term[low].index == transition
             ? rest.term[low].factor
             : 0;
}

// The transition whose taking makes the fewest rays; UINT32_MAX: all taken.
static uint32_t choose_transition (farkas *k) {
  const uint32_t n = k->matrix->transitions;
  memset (k->positive, 0, n * sizeof *k->positive);
  memset (k->negative, 0, n * sizeof *k->negative);
  for (size_t i = 0; i < k->now.count; i++) {
    const tl_vector rest = rest_of (&k->now, i);
    k->work += rest.count;
    for (uint32_t j = 0; j < rest.count; j++)
      (rest.term[j].factor > 0 ? k->positive
                               : k->negative)[rest.term[j].index]++;
  }
  uint32_t best = UINT32_MAX;
  double least = 0;
  for (uint32_t t = 0; t < n; t++) {
    const double up = k->positive[t], down = k->negative[t];
    const double growth = up * down - up - down;
    if (up + down > 0 && (best == UINT32_MAX || growth < least)) {
      best = t;
      least = growth;
    }
  }
  return best;
}

// a * left + b * right, both sorted; the number of terms, or -1 on overflow.
static int64_t merge (tl_vector left, int64_t a, tl_vector right, int64_t b,
                      tl_entry *out) {
  int64_t n = 0;
  for (uint32_t i = 0, j = 0; i < left.count || j < right.count;) {
    const uint32_t l = i < left.count ? left.term[i].index : UINT32_MAX;
    const uint32_t r = j < right.count ? right.term[j].index : UINT32_MAX;
    int64_t x = 0, y = 0;
    if ((l <= r && __builtin_mul_overflow (a, left.term[i++].factor, &x)) ||
        (r <= l && __builtin_mul_overflow (b, right.term[j++].factor, &y)) ||
        __builtin_add_overflow (x, y, &x) || x == INT64_MIN)
      return -1;
    if (x)
      out[n++] = (tl_entry){l < r ? l : r, x};
  }
  return n;
}

// Adds the ray in which transition t cancels out.
static tl_status pair_rays (farkas *k, size_t up, size_t down, uint32_t t) {
  const int64_t x = entry_of (&k->now, up, t), y = -entry_of (&k->now, down, t);
  const int64_t g = tl_gcd (x, y);
  const ray a = k->now.rays[up], b = k->now.rays[down];
  const size_t most = (size_t)a.rest + a.weights + b.rest + b.weights;
  const tl_status rc = make_room (k, &k->next, most);
  if (rc)
    return rc;
  tl_entry *to = k->next.terms + k->next.term_count;
  const int64_t rest =
      merge (rest_of (&k->now, up), y / g, rest_of (&k->now, down), x / g, to);
  const int64_t weights =
      rest < 0 ? -1
               : merge (weights_of (&k->now, up), y / g,
                        weights_of (&k->now, down), x / g, to + rest);
  k->work += most;
  if (weights < 0) {
    k->complete = false;
    return TL_OK;
  }
  const int64_t divisor = tl_terms_divisor (to, (size_t)(rest + weights));
  for (int64_t i = 0; i < rest + weights; i++)
    to[i].factor /= divisor;
  finish_ray (k, &k->next, (uint32_t)rest, (uint32_t)weights);
  return TL_OK;
}

static bool within (const uint64_t *small, const uint64_t *a, const uint64_t *b,
                    size_t words) {
  for (size_t i = 0; i < words; i++)
    if (small[i] & ~(a[i] | b[i]))
      return false;
  return true;
}

static bool is_extreme (farkas *k, size_t up, size_t down) {
  const uint64_t *a = support_of (k, &k->now, up);
  const uint64_t *b = support_of (k, &k->now, down);
  // An extreme ray has one place more than the rank of its rows, and no more
  // transitions than were taken can count for that.
  uint64_t size = 0;
  for (size_t i = 0; i < k->words; i++)
    size += (uint64_t)__builtin_popcountll (a[i] | b[i]);
  if (size > (uint64_t)k->taken + 1)
    return false;
  for (size_t i = 0; i < k->now.count; i++)
    if (i != up && i != down &&
        within (support_of (k, &k->now, i), a, b, k->words)) {
      k->work += i;
      return false;
    }
  k->work += k->now.count;
  return true;
}

static tl_status list_negative (farkas *k, uint32_t t) {
  k->down_count = 0;
  for (size_t i = 0; i < k->now.count; i++)
    if (entry_of (&k->now, i, t) < 0) {
      if (!TL_ROOM (k->mem, k->down, &k->down_capacity, k->down_count + 1))
        return TL_E_NOMEM;
      k->down[k->down_count++] = i;
    }
  return TL_OK;
}

// Pairs ray i, which t makes positive, with those that it makes negative.
static tl_status pair_with_negative (farkas *k, size_t i, uint32_t t) {
  tl_status rc = TL_OK;
  if (tl_budget_look (k->mem))
    k->complete = false;
  for (size_t j = 0; !rc && k->complete && j < k->down_count; j++) {
    if (++k->work > k->work_end)
      k->complete = false;
    else if (is_extreme (k, i, k->down[j]))
      rc = pair_rays (k, i, k->down[j], t);
  }
  return rc;
}

// Replaces `now` by the rays that remain after transition t.
static tl_status take (farkas *k, uint32_t t) {
  tl_status rc = list_negative (k, t);
  k->taken++;
  k->next.count = k->next.term_count = 0;
  for (size_t i = 0; !rc && i < k->now.count; i++) {
    const int64_t sign = entry_of (&k->now, i, t);
    if (!sign)
      rc = copy_ray (k, i);
    else if (sign > 0)
      rc = pair_with_negative (k, i, t);
  }
  const stage old = k->now;
  k->now = k->next;
  k->next = old;
  return rc;
}

tl_status tl_semiflows_find (tl_semiflows *semiflows, uint64_t work,
                             bool *complete) {
  farkas k = {.mem = semiflows->mem,
              .matrix = semiflows->combiner.incidence,
              .work_end = work,
              .complete = true};
  k.words = ((size_t)k.matrix->places + 63) / 64;
  const uint32_t n = k.matrix->transitions;
  *complete = false;
  // The supports of the first rays alone would be too much.
  if (k.words * k.matrix->places > work / 8)
    return TL_OK;
  tl_status rc = TL_E_NOMEM;
  if (TL_NEW (k.mem, k.positive, n) && TL_NEW (k.mem, k.negative, n))
    rc = start_rays (&k);
  uint32_t t;
  while (!rc && k.complete && (t = choose_transition (&k)) != UINT32_MAX) {
    if (k.work > k.work_end)
      k.complete = false;
    else
      rc = take (&k, t);
  }
  // If it was stopped, some rays still have transitions to cancel.
  for (size_t i = 0; !rc && i < k.now.count; i++) {
    tl_semiflow_kind kind;
    const tl_vector y = weights_of (&k.now, i);
    if (!k.now.rays[i].rest)
      rc = tl_semiflows_add (semiflows, y.term, y.count, &kind);
  }
  farkas_close (&k);
  *complete = k.complete;
  return rc;
}

tl_incidence tl_incidence_transposed (const tl_incidence *c) {
  return (tl_incidence){.mem = c->mem,
                        .places = c->transitions,
                        .transitions = c->places,
                        .entries = c->entries,
                        .place_start = c->transition_start,
                        .transition_start = c->place_start,
                        .place_term = c->transition_term,
                        .transition_term = c->place_term};
}
