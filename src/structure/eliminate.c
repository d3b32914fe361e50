#include "structure/eliminate.h"
#include "structure/combine.h"
#include "structure/echelon.h"
#include "structure/residues.h"

#include <stdlib.h>

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

static tl_status try_relation (task *w, uint32_t place, const tl_residues *r,
                               bool *holds) {
  int64_t denominator;
  *holds = false;
  if (!TL_ROOM (w->result->mem, w->draft, &w->draft_capacity,
                (size_t)r->count + 1))
    return TL_E_NOMEM;
  if (!tl_residues_fractions (r, w->draft, &denominator))
    return TL_OK;
  return check_relation (w, place, r->count, denominator, holds);
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
  const tl_residues r = tl_residues_one (w->echelon[0]);
  rc = try_relation (w, place, &r, &holds);
  if (!holds)
    w->hard[w->hard_count++] = place;
  return rc;
}

// Once more modulo a second prime, for the places that one was too small for.
static tl_status add_hard_places (task *w) {
  tl_echelon_result found;
  tl_status rc = tl_echelon_open (&w->echelon[1], w->result->mem,
                                  w->incidence->transitions,
                                  tl_residue_prime[1], w->later, w->work);
  // Rows that depend on others would not be kept: leave them out.
  for (uint32_t i = 0; !rc && i < w->result->places; i++)
    if (!w->result->dependent[w->order[i].place])
      rc = add_row (w, 1, w->order[i].place, &found);
  for (uint32_t i = 0; !rc && i < w->hard_count; i++) {
    bool holds = false;
    tl_echelon_result again;
    tl_residues r;
    rc = add_row (w, 0, w->hard[i], &found);
    if (!rc)
      rc = add_row (w, 1, w->hard[i], &again);
    if (!rc && found == TL_ECHELON_COMBINED && again == TL_ECHELON_COMBINED &&
        tl_residues_two (&r, w->echelon[0], w->echelon[1]))
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
    rc = tl_echelon_open (&w->echelon[0], mem, transitions, tl_residue_prime[0],
                          w->later, w->work);
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
