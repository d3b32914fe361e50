// Measures from the processes of a net.  Which semiflows are taken for
// processes: short ones, until every place that can be is covered.  A place may
// be in several; then its ranks are added up, and the sum is a measure all the
// same.

#include "base/tuning.h"
#include "measure/candidates.h"
#include "measure/elastic.h"
#include "measure/process.h"
#include "measure/round.h"

#include <stdlib.h>
#include <string.h>

// For one linear program.
#define LP_SECONDS 3

typedef struct best {
  struct {
    size_t semiflow;
    uint32_t merit;
  } entry[TL_RANKS_SELECTORS];
  size_t count;
} best;

typedef struct task {
  tl_measures *list;
  tl_mem *mem;
  const tl_semiflows *semiflows;
  const char *name;
  tl_process process;
  size_t *order; // semiflows that are processes, short ones first
  size_t count, room;
  bool *covered; // [places]
  best branched, wide;
  int64_t *sum[TL_RANKS]; // [places] weights
  int64_t *weight;        // [places]
  int64_t width;          // of the sum of longest paths
} task;

static int shorter (const void *left, const void *right, void *context) {
  const size_t *l = left, *r = right;
  const tl_semiflows *f = context;
  const uint32_t a = f->semiflow[*l].count, b = f->semiflow[*r].count;
  return a != b ? (a > b) - (a < b) : (*l > *r) - (*l < *r);
}

// Do all places count once?  Then the tokens walk about like one would.
static bool is_plain (tl_vector semiflow) {
  for (uint32_t i = 0; i < semiflow.count; i++)
    if (semiflow.term[i].factor != 1)
      return false;
  return true;
}

static tl_status find_semiflows (task *w) {
  for (size_t i = 0; i < w->semiflows->count; i++)
    if (w->semiflows->semiflow[i].tokens &&
        is_plain (tl_semiflows_terms (w->semiflows, i))) {
      if (!TL_ROOM (w->mem, w->order, &w->room, w->count + 1))
        return TL_E_NOMEM;
      w->order[w->count++] = i;
    }
  if (w->count)
    qsort_r (w->order, w->count, sizeof *w->order, shorter,
             (void *)(uintptr_t)w->semiflows);
  if (w->count > TL_RANKS_SEMIFLOWS)
    w->count = TL_RANKS_SEMIFLOWS;
  return TL_OK;
}

// ---- The sum of all --------------------------------------------------------

static bool covers_more (task *w, tl_vector semiflow) {
  bool more = false;
  for (uint32_t i = 0; i < semiflow.count; i++) {
    more = more || !w->covered[semiflow.term[i].index];
    w->covered[semiflow.term[i].index] = true;
  }
  return more;
}

// Keeps those with the most of something, of equals the shorter.
static void consider (best *b, size_t semiflow, uint32_t merit) {
  size_t at = b->count;
  while (at && b->entry[at - 1].merit < merit)
    at--;
  if (merit < 2 || at == TL_RANKS_SELECTORS)
    return;
  if (b->count < TL_RANKS_SELECTORS)
    b->count++;
  for (size_t i = b->count - 1; i > at; i--)
    b->entry[i] = b->entry[i - 1];
  b->entry[at].semiflow = semiflow;
  b->entry[at].merit = merit;
}

static tl_status add_up (task *w) {
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < w->count; i++) {
    const tl_vector semiflow = tl_semiflows_terms (w->semiflows, w->order[i]);
    const uint64_t tokens = w->semiflows->semiflow[w->order[i]].tokens;
    if ((rc = tl_process_read (&w->process, semiflow)))
      return rc;
    tl_process_rank (&w->process);
    if (tokens == 1)
      consider (&w->branched, w->order[i], tl_process_branching (&w->process));
    consider (&w->wide, w->order[i],
              tl_process_width (&w->process, TL_RANK_LONGEST));
    if (!covers_more (w, semiflow))
      continue;
    w->width += tl_process_width (&w->process, TL_RANK_LONGEST) *
                (int64_t)(tokens < TL_RANKS_MANY ? tokens : TL_RANKS_MANY);
    for (int k = 0; !rc && k < TL_RANKS; k++)
      rc = tl_process_weigh (&w->process, (tl_rank_kind)k, 1, w->sum[k]);
  }
  return rc;
}

// ---- One way after the other -----------------------------------------------

// Adds the positions in the process at hand, times more than what `weight` can
// make up for.
static tl_status add_positions (task *w, int64_t width) {
  tl_status rc =
      tl_process_weigh (&w->process, TL_RANK_POSITION, width + 1, w->weight);
  if (!rc)
    rc = tl_measures_add_new (w->list, w->name, w->weight);
  return rc == TL_E_LIMIT ? TL_OK : rc;
}

// Weights with which whoever does not move the token gains, as far as a linear
// program can tell.
static bool find_gains (tl_elastic *e, const int64_t *position) {
  const tl_incidence *c = e->incidence;
  for (uint32_t t = 0; t < c->transitions; t++) {
    const tl_vector change = tl_incidence_transition (c, t);
    int64_t moves = 0;
    for (uint32_t i = 0; i < change.count; i++)
      moves += change.term[i].factor * position[change.term[i].index];
    if (moves)
      tl_elastic_free (e, t);
  }
  if (!tl_elastic_solve_first (e))
    return false;
  for (uint32_t t = 0; t < c->transitions; t++)
    if (!e->free[t] && tl_elastic_short (e)[t] > 0.5)
      tl_elastic_free (e, t);
  return tl_elastic_settle (e);
}

// What the weights can amount to, if no place holds more than it may.
static int64_t width_of (const task *w, const uint64_t *bound) {
  __int128 width = 0;
  for (uint32_t p = 0; p < w->list->net->places; p++) {
    const int64_t weight = w->weight[p] < 0 ? -w->weight[p] : w->weight[p];
    width += weight *
             (__int128)(bound[p] < TL_RANKS_MANY ? bound[p] : TL_RANKS_MANY);
  }
  return width < INT64_MAX / TL_RANKS_MANY ? (int64_t)width
                                           : INT64_MAX / TL_RANKS_MANY;
}

static tl_status add_gains (task *w, const tl_structure *s) {
  const uint32_t places = s->net->places;
  tl_elastic e;
  memset (w->weight, 0, places * sizeof *w->weight);
  tl_status rc = tl_process_weigh (&w->process, TL_RANK_POSITION, 1, w->weight);
  if (!rc)
    rc = tl_elastic_open (&e, w->mem, s->incidence, 0, LP_SECONDS);
  if (rc)
    return rc == TL_E_LIMIT ? TL_OK : rc;
  const bool found =
      find_gains (&e, w->weight) &&
      tl_round_values (tl_elastic_weights (&e), places, w->weight);
  tl_elastic_close (&e);
  return found ? add_positions (w, width_of (w, s->bound)) : TL_OK;
}

static tl_status add_selector (task *w, const tl_structure *s,
                               size_t semiflow) {
  const tl_status rc = tl_process_read (
      &w->process, tl_semiflows_terms (w->semiflows, semiflow));
  if (rc)
    return rc;
  tl_process_rank (&w->process);
  const tl_status added = add_gains (w, s);
  if (added)
    return added;
  memcpy (w->weight, w->sum[TL_RANK_LONGEST],
          s->net->places * sizeof *w->weight);
  return add_positions (w, w->width);
}

// The measure of one process alone, as if it began at one of its places or
// another: what closes a cycle, and so loses progress, depends on that.
static tl_status add_single (task *w, size_t semiflow) {
  tl_status rc = tl_process_read (&w->process,
                                  tl_semiflows_terms (w->semiflows, semiflow));
  const uint32_t count = w->process.semiflow.count,
                 every = count / TL_RANKS_ORIGINS + 1;
  for (uint32_t n = 0; !rc && n < count; n += every) {
    w->process.origin = n;
    tl_process_rank (&w->process);
    memset (w->weight, 0, w->list->net->places * sizeof *w->weight);
    rc = tl_process_weigh (&w->process, TL_RANK_LONGEST, 1, w->weight);
    if (!rc)
      rc = tl_measures_add_new (w->list, w->name, w->weight);
  }
  return rc;
}

static tl_status run (task *w, tl_structure *s) {
  const uint32_t places = s->net->places;
  bool good =
      TL_NEW (w->mem, w->covered, places) && TL_NEW (w->mem, w->weight, places);
  for (int k = 0; k < TL_RANKS; k++)
    good = good && TL_NEW (w->mem, w->sum[k], places);
  tl_status rc = good ? TL_OK : TL_E_NOMEM;
  if (rc || (rc = tl_structure_extend_semiflows (s, 0)) ||
      (rc = find_semiflows (w)) ||
      (rc = tl_process_open (&w->process, w->mem, s->incidence,
                             s->net->initial)) ||
      (rc = add_up (w)))
    return rc;
  for (size_t i = 0; !rc && i < w->branched.count; i++)
    rc = add_selector (w, s, w->branched.entry[i].semiflow);
  for (int k = TL_RANKS - 1; !rc && k >= 0; k--)
    rc = tl_measures_add_new (w->list, w->name, w->sum[k]);
  for (size_t i = 0; !rc && i < w->wide.count; i++)
    rc = add_single (w, w->wide.entry[i].semiflow);
  return rc;
}

tl_status tl_candidates_ranks (tl_measures *list, tl_structure *structure,
                               const char *name) {
  const uint32_t places = list->net->places;
  task w = {.list = list,
            .mem = list->mem,
            .semiflows = &structure->semiflows,
            .name = name};
  const tl_status rc = run (&w, structure);
  TL_DEL (w.mem, w.order, w.room);
  TL_DEL (w.mem, w.covered, places);
  TL_DEL (w.mem, w.weight, places);
  for (int k = 0; k < TL_RANKS; k++)
    TL_DEL (w.mem, w.sum[k], places);
  tl_process_close (&w.process);
  return rc == TL_E_LIMIT ? TL_OK : rc;
}
