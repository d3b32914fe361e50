#ifndef TL_LOGIC_EVAL_H
#define TL_LOGIC_EVAL_H

#include "logic/formula.h"

// State formulas compiled for evaluation on every marking of a search.
//
// A program is a chain of tests: each looks at a few places or transitions and
// says where to go on if it holds and where if not, so that what is known to
// be irrelevant is never looked at and nothing is kept on the way.  AND, OR and
// NOT cost nothing.  32 bytes a test, and 8 or 16 for each place of a long sum
// and each 64 transitions of a long FIREABLE.
//
// Sums are exact whatever the coefficients, with up to INT64_MAX tokens in a
// place.

typedef struct tl_test {
  uint32_t kind;
  uint32_t yes, no;      // the next test, or the result
  uint32_t first, count; // places, or a part of the pool
  int64_t bound;         // or a word of transitions
} tl_test;

typedef struct tl_predicate {
  tl_mem *mem;
  tl_test *test;
  uint32_t tests, begin;
  uint64_t *pool;
  size_t pooled, pool_room;
  uint32_t words; // of a set of transitions

  // For the caller: which places have to be given, ascending, and whether the
  // set of enabled transitions has.
  uint32_t *place;
  size_t places, place_room;
  bool reads_enabled;
} tl_predicate;

// The formula has no temporal operators; simplified ones make better programs.
// TL_E_NOMEM; then, too, the program may be closed.
tl_status tl_predicate_open (tl_predicate *, tl_mem *, const tl_net *,
                             const tl_formula *);
void tl_predicate_close (tl_predicate *);

// `marking` has the tokens of place p at [p]; `enabled` has a bit for each
// transition, in words of 64 from the lowest bit on.
bool tl_predicate_run (const tl_predicate *, const uint64_t *marking,
                       const uint64_t *enabled);

// The same, slowly and straight from the definition: for single markings and
// to check by.
bool tl_formula_holds (const tl_formula *, const tl_net *,
                       const uint64_t *marking);

#endif
