#ifndef TL_MEASURE_ELASTIC_H
#define TL_MEASURE_ELASTIC_H

#include "structure/incidence.h"
#include "structure/lp.h"

// Linear programs over weights a of places, free in sign, and over what each
// transition falls short of its goal:
//
//   minimise  sum of price(t) * short(t)
//   with      a * change(t) + short(t) >= goal(t),   short(t) >= 0
//
// and what follows from one of them alone.
//
// A goal can be taken back: then the transition may do what it likes.  How
// much work the solver does is limited by counts; the clock ends it only on a
// very slow machine.

typedef struct tl_elastic {
  tl_mem *mem;
  const tl_incidence *incidence;
  tl_lp *lp;
  double *price; // [transitions]
  bool *free;    // [transitions] has no goal, or has no effect at all
  double work;   // iterations times size that are left
  double deadline;
} tl_elastic;

// Everyone's goal is 1.  `price` [transitions], or null: 1 for each; 0 counts
// as very little.  Transitions that change nothing are free from the start.
tl_status tl_elastic_open (tl_elastic *, tl_mem *, const tl_incidence *,
                           const double *price, double seconds);
void tl_elastic_close (tl_elastic *);

// Nobody may fall short by more than this.
void tl_elastic_limit (tl_elastic *, double most);
void tl_elastic_free (tl_elastic *, uint32_t transition);
void tl_elastic_goal (tl_elastic *, uint32_t transition, double goal);

// False: no optimum was found with the work that is left.  The first time is
// free, however long it takes.
bool tl_elastic_solve_first (tl_elastic *);
bool tl_elastic_solve (tl_elastic *, tl_lp_method);

// After that: the sum that was minimised, the weights [places] and what each
// transition falls short [transitions]; and by how much the sum would fall if
// its goal were a little lower [transitions].  Borrowed until the next call.
double tl_elastic_sum (const tl_elastic *);
const double *tl_elastic_weights (const tl_elastic *);
const double *tl_elastic_short (const tl_elastic *);
const double *tl_elastic_pull (const tl_elastic *);

// The offset of a transition with these weights.
double tl_elastic_offset (const tl_incidence *, const double *weight,
                          uint32_t transition);

// Now nobody with a goal may fall short, and the sum of price * offset over
// these is minimised instead, however long it takes.  False: that cannot be.
bool tl_elastic_settle (tl_elastic *);

#endif
