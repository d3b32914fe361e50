// COIN-OR CLP through its C interface.

#include "structure/lp.h"

#include <Clp_C_Interface.h>
#include <assert.h>
#include <limits.h>

struct tl_lp {
  tl_mem *mem;
  Clp_Simplex *solver;
  uint32_t rows, columns;
  uint64_t entries;
  // What is to be loaded; gone after the first solve.
  uint32_t column_count;
  CoinBigIndex *start;
  int *row;
  double *factor, *column_low, *column_high, *cost, *row_low, *row_high;
};

static void drop_draft (tl_lp *lp) {
  TL_DEL (lp->mem, lp->start, (size_t)lp->columns + 1);
  TL_DEL (lp->mem, lp->row, lp->entries);
  TL_DEL (lp->mem, lp->factor, lp->entries);
  TL_DEL (lp->mem, lp->column_low, lp->columns);
  TL_DEL (lp->mem, lp->column_high, lp->columns);
  TL_DEL (lp->mem, lp->cost, lp->columns);
  TL_DEL (lp->mem, lp->row_low, lp->rows);
  TL_DEL (lp->mem, lp->row_high, lp->rows);
}

tl_status tl_lp_open (tl_lp **out, tl_mem *mem, uint32_t rows, uint32_t columns,
                      uint64_t entries) {
  *out = 0;
  // The solver adds up rows and columns in an int.
  if (rows > INT_MAX / 4 || columns > INT_MAX / 4 || entries > INT_MAX / 2)
    return TL_E_LIMIT;
  tl_lp *lp;
  if (!TL_NEW (mem, lp, 1))
    return TL_E_NOMEM;
  *lp =
      (tl_lp){.mem = mem, .rows = rows, .columns = columns, .entries = entries};
  if (!TL_NEW (mem, lp->start, (size_t)columns + 1) ||
      !TL_NEW (mem, lp->row, entries) || !TL_NEW (mem, lp->factor, entries) ||
      !TL_NEW (mem, lp->column_low, columns) ||
      !TL_NEW (mem, lp->column_high, columns) ||
      !TL_NEW (mem, lp->cost, columns) || !TL_NEW (mem, lp->row_low, rows) ||
      !TL_NEW (mem, lp->row_high, rows) || !(lp->solver = Clp_newModel ())) {
    tl_lp_close (lp);
    return TL_E_NOMEM;
  }
  Clp_setLogLevel (lp->solver, 0);
  // Arc weights are mostly 1, and scaling would blur the values.
  Clp_scaling (lp->solver, 0);
  for (uint32_t r = 0; r < rows; r++)
    tl_lp_row (lp, r, -TL_LP_INFINITY, TL_LP_INFINITY);
  *out = lp;
  return TL_OK;
}

void tl_lp_close (tl_lp *lp) {
  if (!lp)
    return;
  if (lp->solver)
    Clp_deleteModel (lp->solver);
  drop_draft (lp);
  TL_DEL (lp->mem, lp, 1);
}

void tl_lp_column (tl_lp *lp, double low, double high, double cost,
                   tl_vector terms) {
  assert (lp->start && lp->column_count < lp->columns);
  const uint32_t c = lp->column_count++;
  CoinBigIndex at = lp->start[c];
  assert ((uint64_t)at + terms.count <= lp->entries);
  for (uint32_t i = 0; i < terms.count; i++, at++) {
    lp->row[at] = (int)terms.term[i].index;
    lp->factor[at] = (double)terms.term[i].factor;
  }
  lp->start[c + 1] = at;
  lp->column_low[c] = low;
  lp->column_high[c] = high;
  lp->cost[c] = cost;
}

// The arrays of the draft, or the solver's own after it was loaded.
void tl_lp_row (tl_lp *lp, uint32_t row, double low, double high) {
  (lp->start ? lp->row_low : Clp_rowLower (lp->solver))[row] = low;
  (lp->start ? lp->row_high : Clp_rowUpper (lp->solver))[row] = high;
}

void tl_lp_bound (tl_lp *lp, uint32_t column, double low, double high) {
  (lp->start ? lp->column_low : Clp_columnLower (lp->solver))[column] = low;
  (lp->start ? lp->column_high : Clp_columnUpper (lp->solver))[column] = high;
}

void tl_lp_cost (tl_lp *lp, uint32_t column, double cost) {
  (lp->start ? lp->cost : Clp_objective (lp->solver))[column] = cost;
}

static void load (tl_lp *lp) {
  assert (lp->column_count == lp->columns);
  Clp_loadProblem (lp->solver, (int)lp->columns, (int)lp->rows, lp->start,
                   lp->row, lp->factor, lp->column_low, lp->column_high,
                   lp->cost, lp->row_low, lp->row_high);
  drop_draft (lp);
}

tl_status tl_lp_add_row (tl_lp *lp, double low, double high, tl_vector terms) {
  if (lp->start)
    load (lp);
  int *column = 0;
  double *factor = 0;
  tl_status rc = TL_E_NOMEM;
  if (lp->rows < INT_MAX / 4 && TL_NEW (lp->mem, column, terms.count) &&
      TL_NEW (lp->mem, factor, terms.count)) {
    for (uint32_t i = 0; i < terms.count; i++) {
      column[i] = (int)terms.term[i].index;
      factor[i] = (double)terms.term[i].factor;
    }
    const CoinBigIndex start[] = {0, (CoinBigIndex)terms.count};
    Clp_addRows (lp->solver, 1, &low, &high, start, column, factor);
    lp->rows++;
    rc = TL_OK;
  }
  TL_DEL (lp->mem, column, terms.count);
  TL_DEL (lp->mem, factor, terms.count);
  return rc;
}

tl_lp_result tl_lp_solve (tl_lp *lp, tl_lp_method method, int iterations,
                          double seconds) {
  if (lp->start)
    load (lp);
  if (seconds <= 0 || iterations <= 0)
    return TL_LP_STOPPED;
  Clp_setNumberIterations (lp->solver, 0);
  Clp_setMaximumIterations (lp->solver, iterations);
  Clp_setMaximumSeconds (lp->solver, seconds);
  if (method == TL_LP_DUAL)
    Clp_dual (lp->solver, 0);
  else
    Clp_primal (lp->solver, 0);
  switch (Clp_status (lp->solver)) {
  case 0: return TL_LP_OPTIMAL;
  case 1: return TL_LP_INFEASIBLE;
  case 2: return TL_LP_UNBOUNDED;
  default: return TL_LP_STOPPED;
  }
}

const double *tl_lp_primal (const tl_lp *lp) {
  return Clp_primalColumnSolution (lp->solver);
}

const double *tl_lp_dual (const tl_lp *lp) {
  return Clp_dualRowSolution (lp->solver);
}

double tl_lp_value (const tl_lp *lp) {
  return Clp_objectiveValue (lp->solver);
}

int tl_lp_iterations (const tl_lp *lp) {
  return Clp_numberIterations (lp->solver);
}
