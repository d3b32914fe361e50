#ifndef TL_STRUCTURE_LP_H
#define TL_STRUCTURE_LP_H

#include "base/mem.h"
#include "structure/vector.h"

// Linear programs in floating point:
//
//   minimise cost * x   with   low <= x <= high,   row_low <= A x <= row_high
//
// This is the only place that knows which solver does it.  Nothing it says is
// proof of anything: callers turn the values into integers and check those.
//
// A program keeps its last basis, so that solving it again after a small
// change is quick.  The solver's own memory is on no account.

typedef struct tl_lp tl_lp;

#define TL_LP_INFINITY 1e300

typedef enum tl_lp_result {
  TL_LP_OPTIMAL,
  TL_LP_INFEASIBLE,
  TL_LP_UNBOUNDED,
  TL_LP_STOPPED // by a limit, or by numerical trouble
} tl_lp_result;

// Which end to work from.  Primal suits a changed cost (the old basis remains
// feasible), dual a changed bound.
typedef enum tl_lp_method { TL_LP_PRIMAL, TL_LP_DUAL } tl_lp_method;

// TL_E_LIMIT: more rows, columns or entries than the solver can count.
// Rows start without bounds.
tl_status tl_lp_open (tl_lp **, tl_mem *, uint32_t rows, uint32_t columns,
                      uint64_t entries);
// The next column; before the first solve.  Not more than announced.
void tl_lp_column (tl_lp *, double low, double high, double cost, tl_vector);
// Another row, over the columns; between solves, too.  Its number is that of
// the rows so far.
tl_status tl_lp_add_row (tl_lp *, double low, double high, tl_vector);
void tl_lp_row (tl_lp *, uint32_t row, double low, double high);
void tl_lp_bound (tl_lp *, uint32_t column, double low, double high);
void tl_lp_cost (tl_lp *, uint32_t column, double cost);

// `seconds` of processor time and `iterations` at most.
tl_lp_result tl_lp_solve (tl_lp *, tl_lp_method, int iterations,
                          double seconds);

// After a solve, borrowed until the next call; [columns], [rows] twice.
const double *tl_lp_primal (const tl_lp *);
const double *tl_lp_dual (const tl_lp *);
const double *tl_lp_activity (const tl_lp *); // A x
double tl_lp_value (const tl_lp *);
int tl_lp_iterations (const tl_lp *); // of the last solve
void tl_lp_close (tl_lp *);

#endif
