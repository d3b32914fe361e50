#include "structure/eliminate.h"
#include "structure/combine.h"
#include "structure/echelon.h"

#include <stdlib.h>

typedef unsigned __int128 u128;

typedef struct candidate {
  uint32_t cost, length, place;
} candidate;

typedef struct task {
  tl_elimination *result;
  const tl_incidence *incidence;
  const uint32_t *initial;
  tl_combiner combiner;
  tl_echelon *echelon[2]; // one for each prime; the second only when needed
  candidate *order;       // [places]
  uint32_t *later;        // [transitions] see tl_echelon_open
  uint32_t *hard;         // [places] dependent, but with large numbers
  uint32_t hard_count;
  tl_entry *draft; // terms of the relation in work, then -denominator * place
  size_t draft_capacity;
  uint64_t work;
} task;

static const tl_prime prime[2] = {{1, ((uint64_t)1 << 61) - 1},
                                  {31, ((uint64_t)1 << 61) - 31}};

// ---- From residues to fractions -------------------------------------------

// The one number below both primes' product that leaves a and b.
static u128 join_residues (uint64_t a, uint64_t b) {
  const uint64_t p = prime[0].p % prime[1].p;
  const uint64_t difference = tl_mod_minus (prime[1], b, a % prime[1].p);
  const uint64_t k =
      tl_mod_times (prime[1], difference, tl_mod_inverse (prime[1], p));
  return a + (u128)prime[0].p * k;
}

// The smallest d with d * x = n modulo m and |n| <= limit (Wang).
static u128 denominator_of (u128 x, u128 m, u128 limit) {
  u128 r0 = m, r1 = x, d0 = 0, d1 = 1;
  while (r1 > limit) {
    const u128 q = r0 / r1, r2 = r0 - q * r1, d2 = d0 + q * d1;
    r0 = r1, r1 = r2, d0 = d1, d1 = d2;
  }
  return d1;
}

// Numbers that were found modulo one prime, or two.
typedef struct residues {
  const tl_residue *value[2];
  uint32_t count;
  int primes;
  u128 modulus, limit;
} residues;

// denominator * value, between -modulus/2 and modulus/2.
static __int128 scaled (const residues *r, uint32_t i, uint64_t denominator) {
  uint64_t x[2] = {0};
  for (int k = 0; k < r->primes; k++)
    x[k] =
        tl_mod_times (prime[k], r->value[k][i].value, denominator % prime[k].p);
  const u128 y = r->primes == 2 ? join_residues (x[0], x[1]) : x[0];
  return y > r->modulus / 2 ? -(__int128)(r->modulus - y) : (__int128)y;
}

static bool exceeds (__int128 x, u128 limit) {
  return (x < 0 ? -(u128)x : (u128)x) > limit;
}

// Finds a common denominator; false when the numbers are too large.
static bool find_denominator (const residues *r, uint64_t *denominator) {
  u128 d = 1;
  for (uint32_t i = 0; i < r->count; i++) {
    const __int128 x = scaled (r, i, (uint64_t)d);
    if (!exceeds (x, r->limit))
      continue;
    const u128 more = denominator_of (x < 0 ? r->modulus - (u128)-x : (u128)x,
                                      r->modulus, r->limit);
    if (more > r->limit / d)
      return false;
    d *= more;
  }
  *denominator = (uint64_t)d;
  return true;
}

// ---- Relations ------------------------------------------------------------

// Adds the relation if it holds.
static tl_status check_relation (task *w, uint32_t place, uint32_t count,
                                 int64_t denominator, bool *holds) {
  tl_elimination *e = w->result;
  tl_sign sign;
  w->draft[count] = (tl_entry){place, -denominator};
  const tl_status rc = tl_combine (&w->combiner, w->draft, count + 1, &sign);
  __int128 constant = (__int128)denominator * w->initial[place];
  for (uint32_t i = 0; i < count; i++)
    constant -= (__int128)w->draft[i].factor * w->initial[w->draft[i].index];
  *holds = !rc && sign == TL_SIGN_ZERO && constant == (int64_t)constant;
  if (!*holds)
    return rc;
  if (!TL_ROOM (e->mem, e->relation, &e->relation_capacity, e->relations + 1) ||
      !TL_ROOM (e->mem, e->term, &e->term_capacity, e->terms + count))
    return TL_E_NOMEM;
  tl_vector_sort (w->draft, count);
  e->relation[e->relations++] = (tl_relation){.place = place,
                                              .count = count,
                                              .start = e->terms,
                                              .denominator = denominator,
                                              .constant = (int64_t)constant};
  for (uint32_t i = 0; i < count; i++)
    e->term[e->terms++] = w->draft[i];
  e->dependent[place] = true;
  return TL_OK;
}

static tl_status try_relation (task *w, uint32_t place, const residues *r,
                               bool *holds) {
  uint64_t denominator;
  *holds = false;
  if (!find_denominator (r, &denominator))
    return TL_OK;
  if (!TL_ROOM (w->result->mem, w->draft, &w->draft_capacity,
                (size_t)r->count + 1))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < r->count; i++) {
    const __int128 x = scaled (r, i, denominator);
    if (exceeds (x, r->limit))
      return TL_OK;
    w->draft[i] = (tl_entry){r->value[0][i].name, (int64_t)x};
  }
  const int64_t divisor =
      tl_gcd ((int64_t)denominator, tl_terms_divisor (w->draft, r->count));
  for (uint32_t i = 0; i < r->count; i++)
    w->draft[i].factor /= divisor;
  return check_relation (w, place, r->count, (int64_t)denominator / divisor,
                         holds);
}

static residues one_prime (const task *w) {
  residues r = {.primes = 1, .modulus = prime[0].p, .limit = (u128)1 << 29};
  r.value[0] = tl_echelon_combination (w->echelon[0], &r.count);
  return r;
}

// False where the two do not speak of the same places.
static bool two_primes (const task *w, residues *r) {
  uint32_t count;
  *r = (residues){.primes = 2,
                  .modulus = (u128)prime[0].p * prime[1].p,
                  .limit = (u128)1 << 60};
  r->value[0] = tl_echelon_combination (w->echelon[0], &r->count);
  r->value[1] = tl_echelon_combination (w->echelon[1], &count);
  bool same = count == r->count;
  for (uint32_t i = 0; same && i < count; i++)
    same = r->value[0][i].name == r->value[1][i].name;
  return same;
}

// ---- The elimination ------------------------------------------------------

static tl_status add_row (task *w, int k, uint32_t place,
                          tl_echelon_result *found) {
  return tl_echelon_add (
      w->echelon[k], tl_incidence_place (w->incidence, place), place, found);
}

static tl_status add_place (task *w, uint32_t place) {
  const tl_vector row = tl_incidence_place (w->incidence, place);
  tl_echelon_result found;
  for (uint32_t i = 0; i < row.count; i++)
    w->later[row.term[i].index]--;
  tl_status rc = add_row (w, 0, place, &found);
  if (rc || found == TL_ECHELON_NEW)
    return rc;
  if (found == TL_ECHELON_STOPPED) {
    w->result->complete = false;
    return TL_OK;
  }
  bool holds;
  const residues r = one_prime (w);
  rc = try_relation (w, place, &r, &holds);
  if (!holds)
    w->hard[w->hard_count++] = place;
  return rc;
}

// Once more modulo a second prime, for the places that one was too small for.
static tl_status add_hard_places (task *w) {
  tl_echelon_result found;
  tl_status rc =
      tl_echelon_open (&w->echelon[1], w->result->mem,
                       w->incidence->transitions, prime[1], w->later, w->work);
  // Rows that depend on others would not be kept: leave them out.
  for (uint32_t i = 0; !rc && i < w->result->places; i++)
    if (!w->result->dependent[w->order[i].place])
      rc = add_row (w, 1, w->order[i].place, &found);
  for (uint32_t i = 0; !rc && i < w->hard_count; i++) {
    bool holds = false;
    tl_echelon_result again;
    residues r;
    rc = add_row (w, 0, w->hard[i], &found);
    if (!rc)
      rc = add_row (w, 1, w->hard[i], &again);
    if (!rc && found == TL_ECHELON_COMBINED && again == TL_ECHELON_COMBINED &&
        two_primes (w, &r))
      rc = try_relation (w, w->hard[i], &r, &holds);
    if (!holds)
      w->result->complete = false;
  }
  return rc;
}

static int cheapest_first (const void *left, const void *right) {
  const candidate *l = left, *r = right;
  if (l->cost != r->cost)
    return l->cost < r->cost ? -1 : 1;
  // Among equals any order is optimal; short rows fill in less.
  if (l->length != r->length)
    return l->length < r->length ? -1 : 1;
  return (l->place > r->place) - (l->place < r->place);
}

static void put_in_order (task *w, const uint32_t *cost) {
  for (uint32_t p = 0; p < w->incidence->places; p++)
    w->order[p] =
        (candidate){cost[p], tl_incidence_place (w->incidence, p).count, p};
  qsort (w->order, w->incidence->places, sizeof *w->order, cheapest_first);
  for (uint32_t t = 0; t < w->incidence->transitions; t++)
    w->later[t] = tl_incidence_transition (w->incidence, t).count;
}

static tl_status run (task *w, const uint32_t *cost) {
  tl_mem *mem = w->result->mem;
  const uint32_t places = w->incidence->places;
  const uint32_t transitions = w->incidence->transitions;
  if (!TL_NEW (mem, w->order, places) || !TL_NEW (mem, w->hard, places) ||
      !TL_NEW (mem, w->later, transitions))
    return TL_E_NOMEM;
  tl_status rc = tl_combiner_open (&w->combiner, mem, w->incidence);
  if (!rc)
    rc = tl_echelon_open (&w->echelon[0], mem, transitions, prime[0], w->later,
                          w->work);
  if (!rc)
    put_in_order (w, cost);
  for (uint32_t i = 0; !rc && i < places; i++)
    rc = add_place (w, w->order[i].place);
  if (!rc && w->hard_count)
    rc = add_hard_places (w);
  if (!rc)
    w->result->rank = tl_echelon_rank (w->echelon[0]);
  return rc;
}

tl_status tl_elimination_open (tl_elimination **out, tl_mem *mem,
                               const tl_incidence *c, const uint32_t *initial,
                               const uint32_t *cost, uint64_t work) {
  *out = 0;
  tl_elimination *e;
  if (!TL_NEW (mem, e, 1))
    return TL_E_NOMEM;
  *e = (tl_elimination){.mem = mem, .places = c->places, .complete = true};
  task w = {.result = e, .incidence = c, .initial = initial, .work = work};
  const tl_status rc =
      TL_NEW (mem, e->dependent, c->places) ? run (&w, cost) : TL_E_NOMEM;
  TL_DEL (mem, w.order, c->places);
  TL_DEL (mem, w.hard, c->places);
  TL_DEL (mem, w.later, c->transitions);
  TL_DEL (mem, w.draft, w.draft_capacity);
  tl_combiner_close (&w.combiner);
  tl_echelon_close (w.echelon[0]);
  tl_echelon_close (w.echelon[1]);
  if (rc)
    tl_elimination_close (e);
  else
    *out = e;
  return rc;
}

void tl_elimination_close (tl_elimination *e) {
  if (!e)
    return;
  tl_mem *mem = e->mem;
  TL_DEL (mem, e->dependent, e->places);
  TL_DEL (mem, e->relation, e->relation_capacity);
  TL_DEL (mem, e->term, e->term_capacity);
  TL_DEL (mem, e, 1);
}
