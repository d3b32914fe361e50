#ifndef TL_STRUCTURE_EQUATION_H
#define TL_STRUCTURE_EQUATION_H

#include "structure/incidence.h"

// The state equation, and what it excludes.  In every reachable marking m
//
//   m = m0 + C x,   m >= 0,   x >= 0,
//
// where x counts how often each transition fired.  If not even fractions m and
// x satisfy this together with some inequalities, then no reachable marking
// satisfies these (Murata 1989).
//
// The solver is asked how far the inequalities a * m <= b have to be relaxed.
// Where it is by more than 0, it gives each a multiplier z >= 0 and each place
// a weight y with y <= sum of z * a and y * C >= 0, so that
//
//   sum of z * (a * m)  >=  y * m  >=  y * m0  >  sum of z * b
//
// in every reachable marking (the lemma of Farkas).  These numbers are turned
// into integers, and what they claim is believed after it was added up.
//
// One program serves for everything that is asked about a net.  Its work is
// counted, so that the same questions have the same answers in every run; the
// clock ends it only on a machine far slower than usual.

typedef struct tl_equation tl_equation;

// The weighted sum of the tokens is at most the bound.
typedef struct tl_inequality {
  tl_vector sum;
  int64_t bound;
} tl_inequality;

// The matrix and the initial marking are borrowed.  All that is asked takes
// about `seconds` at most.  TL_E_LIMIT: the net is too large.
tl_status tl_equation_open (tl_equation **, tl_mem *, const tl_incidence *,
                            const uint32_t *initial, double seconds);
void tl_equation_close (tl_equation *);

// True: it is proven that no reachable marking satisfies all of them.
bool tl_equation_excludes (tl_equation *, const tl_inequality *, size_t count);

// Afterwards, where that is not proven: fractions of tokens for each place that
// satisfy the equation and all of them.  False: none are known.
bool tl_equation_point (const tl_equation *, double *marking);

// As tl_equation_excludes, within so many seconds, and what proves it: in no
// reachable marking the sum is less than *least, but with all the inequalities
// it would be.  The sum is borrowed until the next call.
bool tl_equation_refutes (tl_equation *, const tl_inequality *, size_t count,
                          double seconds, tl_vector *sum, int64_t *least);

// Afterwards: how many times the inequality is in the proof.
int64_t tl_equation_multiplier (const tl_equation *, const tl_inequality *);

// True: it is proven that the sum is never less than that.
bool tl_equation_least (tl_equation *, tl_vector sum, int64_t *least);

#endif
