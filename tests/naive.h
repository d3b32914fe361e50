#ifndef TL_TESTS_NAIVE_H
#define TL_TESTS_NAIVE_H

#include "brute.h"
#include "logic/formula.h"

// CTL by definition on a graph that was explored by brute force: every
// operator is its equation, repeated until nothing changes.  Shares nothing
// with the library but the formulas.

typedef struct naive {
  const brute *b;
  uint64_t *first;  // [states + 1] of the arcs
  uint64_t *target; // successors
} naive;

naive naive_open (const brute *);
void naive_close (naive *);

// Where the formula holds, one byte a state; the caller frees it.
uint8_t *naive_ctl (const naive *, const tl_formula *);

#endif
