// Schmidt's measure.  Offsets that respect the linear dependencies between the
// changes of transitions are exactly those of the form o(t) = a * change(t), so
// it is enough to find one a with a * change(t) = 1 for a largest set of
// independent transitions.  In other words: the row of ones is to be written
// as a combination of the rows of the places, all restricted to these
// transitions, and a are its coefficients.  They are found modulo primes and
// checked in integers.

#include "measure/candidates.h"
#include "structure/residues.h"

#include <stdlib.h>

#define NONE UINT32_MAX

typedef struct task {
  tl_measures *list;
  tl_mem *mem;
  tl_incidence *incidence;
  uint32_t *column;     // [transitions] number among independent ones, or NONE
  uint32_t independent; // how many there are
  uint32_t *later;      // [places] or [transitions], see tl_echelon_open
  size_t later_size;
  uint32_t *order;        // [places] those with few entries first
  tl_entry *row;          // [transitions] the one at hand
  tl_echelon *echelon[2]; // one for each prime
  tl_entry *term;         // [places]
  int64_t *weight;        // [places]
} task;

static tl_status open_task (task *w, const tl_net *net) {
  w->later_size =
      net->places > net->transitions ? net->places : net->transitions;
  if (!TL_NEW (w->mem, w->column, net->transitions) ||
      !TL_NEW (w->mem, w->later, w->later_size) ||
      !TL_NEW (w->mem, w->order, net->places) ||
      !TL_NEW (w->mem, w->row, net->transitions) ||
      !TL_NEW (w->mem, w->term, net->places) ||
      !TL_NEW (w->mem, w->weight, net->places))
    return TL_E_NOMEM;
  return tl_incidence_open (&w->incidence, w->mem, net, TL_COLUMNS_ALL);
}

static void close_task (task *w, const tl_net *net) {
  TL_DEL (w->mem, w->column, net->transitions);
  TL_DEL (w->mem, w->later, w->later_size);
  TL_DEL (w->mem, w->order, net->places);
  TL_DEL (w->mem, w->row, net->transitions);
  TL_DEL (w->mem, w->term, net->places);
  TL_DEL (w->mem, w->weight, net->places);
  tl_echelon_close (w->echelon[0]);
  tl_echelon_close (w->echelon[1]);
  tl_incidence_close (w->incidence);
}

// ---- Independent transitions -----------------------------------------------

// *found is false when the work was too much.
static tl_status find_independent (task *w, bool *found) {
  const tl_incidence *c = w->incidence;
  tl_echelon *e;
  for (uint32_t p = 0; p < c->places; p++)
    w->later[p] = tl_incidence_place (c, p).count;
  tl_status rc = tl_echelon_open (&e, w->mem, c->places, tl_residue_prime[0],
                                  w->later, TL_ELIMINATION_WORK);
  *found = !rc;
  for (uint32_t t = 0; *found && t < c->transitions; t++) {
    const tl_vector change = tl_incidence_transition (c, t);
    tl_echelon_result result;
    for (uint32_t i = 0; i < change.count; i++)
      w->later[change.term[i].index]--;
    rc = tl_echelon_add (e, change, t, &result);
    *found = !rc && result != TL_ECHELON_STOPPED;
    w->column[t] = *found && result == TL_ECHELON_NEW ? w->independent++ : NONE;
  }
  tl_echelon_close (e);
  return rc;
}

// ---- Weights ---------------------------------------------------------------

// The row of a place, restricted to independent transitions; in `row`.
static tl_vector restricted (const task *w, uint32_t place) {
  const tl_vector all = tl_incidence_place (w->incidence, place);
  uint32_t count = 0;
  for (uint32_t i = 0; i < all.count; i++)
    if (w->column[all.term[i].index] != NONE)
      w->row[count++] =
          (tl_entry){w->column[all.term[i].index], all.term[i].factor};
  return (tl_vector){w->row, count};
}

static tl_vector ones (const task *w) {
  for (uint32_t i = 0; i < w->independent; i++)
    w->row[i] = (tl_entry){i, 1};
  return (tl_vector){w->row, w->independent};
}

static void count_later (task *w) {
  const tl_incidence *c = w->incidence;
  for (uint32_t t = 0; t < c->transitions; t++)
    if (w->column[t] != NONE)
      w->later[w->column[t]] = tl_incidence_transition (c, t).count;
}

// Writes the ones as a combination modulo prime number k.
static tl_status combine_ones (task *w, int k, bool *found) {
  tl_echelon_result result = TL_ECHELON_STOPPED;
  tl_status rc =
      tl_echelon_open (&w->echelon[k], w->mem, w->independent,
                       tl_residue_prime[k], w->later, TL_ELIMINATION_WORK);
  *found = !rc;
  count_later (w);
  for (uint32_t i = 0; *found && i < w->incidence->places; i++) {
    const tl_vector row = restricted (w, w->order[i]);
    for (uint32_t j = 0; j < row.count; j++)
      w->later[row.term[j].index]--;
    rc = tl_echelon_add (w->echelon[k], row, w->order[i], &result);
    *found = !rc && result != TL_ECHELON_STOPPED;
  }
  if (*found)
    rc = tl_echelon_add (w->echelon[k], ones (w), NONE, &result);
  *found = !rc && result == TL_ECHELON_COMBINED;
  return rc;
}

// Adds the measure if the offsets are what they should be.
static tl_status try_weights (task *w, const tl_residues *r, bool *added) {
  int64_t one;
  *added = tl_residues_fractions (r, w->term, &one);
  if (!*added)
    return TL_OK;
  for (uint32_t p = 0; p < w->incidence->places; p++)
    w->weight[p] = 0;
  for (uint32_t i = 0; i < r->count; i++)
    w->weight[w->term[i].index] = w->term[i].factor;
  const tl_status rc = tl_measures_add (w->list, "schmidt", 1, w->weight);
  *added = !rc;
  if (rc)
    return rc == TL_E_LIMIT ? TL_OK : rc;
  const int64_t *offset = w->list->measure[w->list->count - 1].offset;
  for (uint32_t t = 0; t < w->incidence->transitions; t++)
    *added = *added && (w->column[t] == NONE || offset[t] == one);
  if (!*added)
    tl_measures_drop_last (w->list);
  return TL_OK;
}

static int shorter (const void *left, const void *right, void *context) {
  const uint32_t *l = left, *r = right;
  const tl_incidence *c = context;
  const uint32_t a = tl_incidence_place (c, *l).count,
                 b = tl_incidence_place (c, *r).count;
  return a != b ? (a > b) - (a < b) : (*l > *r) - (*l < *r);
}

static tl_status run (task *w, const tl_net *net) {
  bool found, added = false;
  tl_residues r;
  tl_status rc = open_task (w, net);
  if (rc || (rc = find_independent (w, &found)) || !found || !w->independent)
    return rc;
  for (uint32_t p = 0; p < net->places; p++)
    w->order[p] = p;
  qsort_r (w->order, net->places, sizeof *w->order, shorter, w->incidence);
  if ((rc = combine_ones (w, 0, &found)) || !found)
    return rc;
  r = tl_residues_one (w->echelon[0]);
  if ((rc = try_weights (w, &r, &added)) || added ||
      (rc = combine_ones (w, 1, &found)) || !found)
    return rc;
  return tl_residues_two (&r, w->echelon[0], w->echelon[1])
             ? try_weights (w, &r, &added)
             : TL_OK;
}

tl_status tl_candidates_schmidt (tl_measures *list,
                                 const tl_structure *structure) {
  task w = {.list = list, .mem = list->mem};
  const tl_status rc = run (&w, structure->net);
  close_task (&w, structure->net);
  return rc;
}
