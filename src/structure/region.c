#include "structure/region.h"
#include "structure/rational.h"

#include <assert.h>

tl_status tl_region_open (tl_region *g, tl_mem *mem, const tl_incidence *c,
                          const uint32_t *initial) {
  *g = (tl_region){.mem = mem, .incidence = c, .initial = initial};
  if (TL_NEW (mem, g->place, c->places) && TL_NEW (mem, g->column, c->places) &&
      TL_NEW (mem, g->weight, c->places) &&
      TL_NEW (mem, g->row, c->transitions) &&
      TL_NEW (mem, g->transition, c->transitions))
    return TL_OK;
  tl_region_close (g);
  return TL_E_NOMEM;
}

void tl_region_close (tl_region *g) {
  if (!g->mem)
    return;
  const tl_incidence *c = g->incidence;
  tl_lp_close (g->lp);
  TL_DEL (g->mem, g->place, c->places);
  TL_DEL (g->mem, g->column, c->places);
  TL_DEL (g->mem, g->weight, c->places);
  TL_DEL (g->mem, g->row, c->transitions);
  TL_DEL (g->mem, g->transition, c->transitions);
  *g = (tl_region){0};
}

static void clear (tl_region *g) {
  tl_lp_close (g->lp);
  g->lp = 0;
  for (uint32_t i = 0; i < g->count; i++)
    g->column[g->place[i]] = 0;
  for (uint32_t i = 0; i < g->rows; i++)
    g->row[g->transition[i]] = 0;
  g->count = g->rows = 0;
  g->closed = true;
  g->busy = false;
}

static void add_place (tl_region *g, uint32_t place) {
  if (g->column[place])
    return;
  g->place[g->count++] = place;
  g->column[place] = g->count;
}

// Numbers the transitions that change a place of the region and hands the
// program to the solver.
static tl_status load (tl_region *g) {
  uint64_t entries = 0;
  uint32_t longest = 0;
  for (uint32_t i = 0; i < g->count; i++) {
    const tl_vector row = tl_incidence_place (g->incidence, g->place[i]);
    entries += row.count;
    longest = row.count > longest ? row.count : longest;
    for (uint32_t k = 0; k < row.count; k++) {
      const uint32_t t = row.term[k].index;
      if (!g->row[t]) {
        g->transition[g->rows++] = t;
        g->row[t] = g->rows;
      }
    }
  }
  tl_entry *local;
  if (!TL_NEW (g->mem, local, longest))
    return TL_E_NOMEM;
  const tl_status rc = tl_lp_open (&g->lp, g->mem, g->rows, g->count, entries);
  for (uint32_t i = 0; !rc && i < g->rows; i++)
    tl_lp_row (g->lp, i, -TL_LP_INFINITY, 0);
  for (uint32_t i = 0; !rc && i < g->count; i++) {
    const tl_vector row = tl_incidence_place (g->incidence, g->place[i]);
    for (uint32_t k = 0; k < row.count; k++)
      local[k] = (tl_entry){g->row[row.term[k].index] - 1, row.term[k].factor};
    tl_lp_column (g->lp, 0, TL_LP_INFINITY, g->initial[g->place[i]],
                  (tl_vector){local, row.count});
  }
  TL_DEL (g->mem, local, longest);
  return rc;
}

tl_status tl_region_all (tl_region *g) {
  clear (g);
  for (uint32_t p = 0; p < g->incidence->places; p++)
    if (!tl_incidence_constant (g->incidence, p))
      add_place (g, p);
  return load (g);
}

// Adds the places that transition t takes from.
static void add_sources (tl_region *g, uint32_t t, uint32_t limit,
                         uint32_t busiest) {
  const tl_vector column = tl_incidence_transition (g->incidence, t);
  for (uint32_t i = 0; i < column.count; i++) {
    const uint32_t p = column.term[i].index;
    if (column.term[i].factor > 0 || g->column[p])
      continue;
    const bool busy = tl_incidence_place (g->incidence, p).count > busiest;
    g->busy |= busy;
    if (busy || g->count == limit)
      g->closed = false;
    else
      add_place (g, p);
  }
}

tl_status tl_region_behind (tl_region *g, uint32_t place, uint32_t limit,
                            uint32_t busiest) {
  clear (g);
  add_place (g, place);
  for (uint32_t i = 0; i < g->count && (g->count < limit || g->closed); i++) {
    const tl_vector row = tl_incidence_place (g->incidence, g->place[i]);
    for (uint32_t k = 0; k < row.count; k++)
      if (row.term[k].factor > 0)
        add_sources (g, row.term[k].index, limit, busiest);
  }
  return load (g);
}

static bool read_weights (tl_region *g) {
  const double *y = tl_lp_primal (g->lp);
  int64_t common = 1, weight;
  for (uint32_t i = 0; i < g->count; i++)
    if (!tl_rational_join (y[i], &common))
      return false;
  g->weights = 0;
  for (uint32_t i = 0; i < g->count; i++) {
    if (!tl_rational_over (y[i], common, &weight))
      return false;
    if (weight)
      g->weight[g->weights++] = (tl_entry){g->place[i], weight};
  }
  tl_vector_sort (g->weight, g->weights);
  return true;
}

tl_region_result tl_region_solve (tl_region *g, uint32_t place, int iterations,
                                  double seconds) {
  assert (g->column[place] && "the place is not in the region");
  const uint32_t column = g->column[place] - 1;
  tl_lp_bound (g->lp, column, 1, TL_LP_INFINITY);
  const tl_lp_result result =
      tl_lp_solve (g->lp, TL_LP_DUAL, iterations, seconds);
  tl_lp_bound (g->lp, column, 0, TL_LP_INFINITY);
  g->iterations = tl_lp_iterations (g->lp);
  if (result == TL_LP_OPTIMAL && read_weights (g))
    return TL_REGION_SEMIFLOW;
  return result == TL_LP_INFEASIBLE ? TL_REGION_NOTHING : TL_REGION_STOPPED;
}
