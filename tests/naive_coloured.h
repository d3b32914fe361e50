#ifndef TL_TESTS_NAIVE_COLOURED_H
#define TL_TESTS_NAIVE_COLOURED_H

#include "colour/evaluate.h"

// The reference for coloured nets: markings are sorted lists of tokens, and at
// every marking each transition is tried with every combination of values.  A
// variable of an arc tries all values of its type that some token has.  There
// is no schedule, nothing is remembered.  It shares with the library how terms
// are evaluated, and ends the program when there is no memory.

typedef struct naive_coloured {
  uint64_t states, arcs, deadlocks;
  uint64_t most_in_place; // of one token
  bool complete;          // false: the cap was reached
  bool wrong;             // an error of the model: `error` says which
  tl_error error;
} naive_coloured;

naive_coloured naive_coloured_explore (const tl_coloured *, uint64_t cap);

#endif
