// COIN-OR CLP through its C interface.

#include "structure/lp.h"

#include "base/budget.h"
#include "base/clock.h"

#include <Clp_C_Interface.h>
#include <assert.h>
#include <limits.h>

// Iterations times rows and columns, between looks at the budget.
#define PART_WORK 2e8

struct tl_lp {
  tl_mem *mem;
  Clp_Simplex *solver;
  uint32_t rows, columns;
  uint64_t entries;
  int iterations; // of the last solve
  // What is to be loaded; gone after the first solve.
  uint32_t column_count;
  CoinBigIndex *start;
  int *row;
  double *factor, *column_low, *column_high, *cost, *row_low, *row_high;
  // Rows that come with the next solve, all at once: for each call the solver
  // goes over its whole matrix.
  struct tl_lp_rows {
    uint32_t count;
    double *low, *high;
    CoinBigIndex *start; // [count + 1]
    int *column;
    double *factor;
    size_t low_room, high_room, start_room, column_room, factor_room;
  } more;
};

static void drop_draft (tl_lp *lp) {
  TL_DEL (lp->mem, lp->start, (size_t)lp->columns + 1);
  TL_DEL (lp->mem, lp->row, lp->entries);
  TL_DEL (lp->mem, lp->factor, lp->entries);
  TL_DEL (lp->mem, lp->column_low, lp->columns);
  TL_DEL (lp->mem, lp->column_high, lp->columns);
  TL_DEL (lp->mem, lp->cost, lp->columns);
  TL_DEL (lp->mem, lp->row_low, lp->rows - lp->more.count);
  TL_DEL (lp->mem, lp->row_high, lp->rows - lp->more.count);
}

static void drop_more (tl_lp *lp) {
  struct tl_lp_rows *m = &lp->more;
  TL_DEL (lp->mem, m->low, m->low_room);
  TL_DEL (lp->mem, m->high, m->high_room);
  TL_DEL (lp->mem, m->start, m->start_room);
  TL_DEL (lp->mem, m->column, m->column_room);
  TL_DEL (lp->mem, m->factor, m->factor_room);
  *m = (struct tl_lp_rows){0};
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
  drop_more (lp);
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

// The arrays of the draft, those of rows to come, or the solver's own after it
// was loaded.
void tl_lp_row (tl_lp *lp, uint32_t row, double low, double high) {
  const uint32_t there = lp->rows - lp->more.count;
  if (row >= there) {
    lp->more.low[row - there] = low;
    lp->more.high[row - there] = high;
    return;
  }
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
  Clp_loadProblem (lp->solver, (int)lp->columns,
                   (int)(lp->rows - lp->more.count), lp->start, lp->row,
                   lp->factor, lp->column_low, lp->column_high, lp->cost,
                   lp->row_low, lp->row_high);
  drop_draft (lp);
}

tl_status tl_lp_add_row (tl_lp *lp, double low, double high, tl_vector terms) {
  struct tl_lp_rows *m = &lp->more;
  const size_t begin = m->count ? (size_t)m->start[m->count] : 0,
               end = begin + terms.count;
  if (lp->rows >= INT_MAX / 4 || end > INT_MAX / 2 ||
      !TL_ROOM (lp->mem, m->low, &m->low_room, m->count + (size_t)1) ||
      !TL_ROOM (lp->mem, m->high, &m->high_room, m->count + (size_t)1) ||
      !TL_ROOM (lp->mem, m->start, &m->start_room, m->count + (size_t)2) ||
      !TL_ROOM (lp->mem, m->column, &m->column_room, end) ||
      !TL_ROOM (lp->mem, m->factor, &m->factor_room, end))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < terms.count; i++) {
    m->column[begin + i] = (int)terms.term[i].index;
    m->factor[begin + i] = (double)terms.term[i].factor;
  }
  m->low[m->count] = low;
  m->high[m->count] = high;
  m->start[++m->count] = (CoinBigIndex)end;
  lp->rows++;
  return TL_OK;
}

static void load_more (tl_lp *lp) {
  const struct tl_lp_rows *m = &lp->more;
  if (m->count)
    Clp_addRows (lp->solver, (int)m->count, m->low, m->high, m->start,
                 m->column, m->factor);
  drop_more (lp);
}

// Goes on from the basis there is.
static void go_on (tl_lp *lp, tl_lp_method method, int iterations,
                   double seconds) {
  Clp_setNumberIterations (lp->solver, 0);
  Clp_setMaximumIterations (lp->solver, iterations);
  Clp_setMaximumSeconds (lp->solver, seconds);
  if (method == TL_LP_DUAL)
    Clp_dual (lp->solver, 0);
  else
    Clp_primal (lp->solver, 0);
  lp->iterations += Clp_numberIterations (lp->solver);
}

// The solver knows nothing of interrupts, so that a large program is solved in
// parts.  Their size does not depend on the clock: nor do results.
tl_lp_result tl_lp_solve (tl_lp *lp, tl_lp_method method, int iterations,
                          double seconds) {
  const double end = tl_clock_busy () + seconds;
  const int part = (int)(PART_WORK / ((double)lp->rows + lp->columns + 1)) + 1;
  lp->iterations = 0;
  for (int before = -1; before < lp->iterations;) {
    const int left = iterations - lp->iterations;
    seconds = end - tl_clock_busy ();
    if (seconds <= 0 || left <= 0 || tl_budget_look (lp->mem))
      return TL_LP_STOPPED;
    if (lp->start)
      load (lp);
    load_more (lp);
    before = lp->iterations;
    go_on (lp, method, left < part ? left : part, seconds);
    switch (Clp_status (lp->solver)) {
    case 0: return TL_LP_OPTIMAL;
    case 1: return TL_LP_INFEASIBLE;
    case 2: return TL_LP_UNBOUNDED;
    case 3: break; // one of the limits
    default: return TL_LP_STOPPED;
    }
  }
  return TL_LP_STOPPED;
}

const double *tl_lp_primal (const tl_lp *lp) {
  return Clp_primalColumnSolution (lp->solver);
}

const double *tl_lp_dual (const tl_lp *lp) {
  return Clp_dualRowSolution (lp->solver);
}

const double *tl_lp_activity (const tl_lp *lp) {
  return Clp_primalRowSolution (lp->solver);
}

double tl_lp_value (const tl_lp *lp) {
  return Clp_objectiveValue (lp->solver);
}

int tl_lp_iterations (const tl_lp *lp) {
  return lp->iterations;
}
