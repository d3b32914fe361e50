#ifndef TL_TESTS_NAIVE_H
#define TL_TESTS_NAIVE_H

#include "brute.h"
#include "logic/formula.h"

// CTL, LTL and CTL* by definition on a graph that was explored by brute force.
// An operator of CTL is its equation, repeated until nothing changes.  Any
// other path formula is decided by its tableau (Lichtenstein and Pnueli 1985):
// the nodes are pairs of a state and a set of subformulas that are to hold
// there, and a strongly connected component shows a run if what it promises
// comes true in it.  Shares nothing with the library but the formulas.

typedef struct naive {
  const brute *b;
  uint64_t states;
  uint64_t *first;  // [states + 1] of the arcs
  uint64_t *target; // successors
} naive;

naive naive_open (const brute *);
void naive_close (naive *);

// Where the formula holds, one byte a state; the caller frees it.  With
// `linear` its quantifier is one of LTL: where a run ends, X speaks of the last
// state again.  Null: the formula is too large.
uint8_t *naive_states (const naive *, const tl_formula *, bool linear);

// Does the path formula hold on the run along these states, which goes on at
// number `loop` after the last one?  2: the formula is too large.
int naive_run (const naive *, const tl_formula *path, const uint64_t *state,
               uint64_t length, uint64_t loop);

// ---- What these share ------------------------------------------------------

// E op or A op of sets, by CTL; b is null where op has one operand.
uint8_t *naive_operator (const naive *, bool exists, tl_op, const uint8_t *a,
                         const uint8_t *b);
// NOT, AND, OR of sets.
uint8_t *naive_boolean (const naive *, tl_op, uint8_t *const *set,
                        uint32_t count);
// Where a run (or with not `exists`, every run) satisfies the path formula, by
// its tableau.
uint8_t *naive_path (const naive *, const tl_formula *path, bool exists);

#endif
