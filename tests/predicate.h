#ifndef TL_TESTS_PREDICATE_H
#define TL_TESTS_PREDICATE_H

#include "base/random.h"
#include "brute.h"

// Random predicates on markings: as text for the library, and evaluated here
// without it.

// factor * m(place), or the factor alone
typedef struct predicate_term {
  int64_t factor;
  uint32_t place; // PREDICATE_CONSTANT: none
} predicate_term;

#define PREDICATE_CONSTANT UINT32_MAX

typedef enum predicate_op {
  PREDICATE_TRUE,
  PREDICATE_COMPARE,
  PREDICATE_FIREABLE,
  PREDICATE_DEADLOCK,
  PREDICATE_NOT,
  PREDICATE_AND,
  PREDICATE_OR
} predicate_op;

typedef struct predicate_step {
  predicate_op op;
  uint32_t transition;
  predicate_term side[2][2]; // left and right of a comparison
  unsigned relation;
} predicate_step;

typedef struct predicate {
  char text[2000];
  size_t length;
  predicate_step step[40]; // in postfix
  uint32_t steps;
} predicate;

// The net has a place and a transition at least.  Constants are chosen around
// what `b` saw, so that the answers are not all alike.
void predicate_make (predicate *, const brute *b, tl_random *);
bool predicate_holds (const predicate *, const tl_net *,
                      const uint64_t *marking);

#endif
