#ifndef TL_TESTS_NAIVE_COLOURED_H
#define TL_TESTS_NAIVE_COLOURED_H

#include "colour/evaluate.h"

// The reference for coloured nets: markings are sorted lists of tokens, and at
// every marking each transition is tried with every combination of values.  A
// variable of an arc tries all values of its type that some token has.  There
// is no schedule, nothing is remembered.  It shares with the library how terms
// are evaluated, and ends the program when there is no memory.

enum { NAIVE_KINDS = 16, NAIVE_KIND = 80 };

typedef struct naive_coloured {
  uint64_t states, arcs, deadlocks;
  uint64_t most_in_place; // of one token
  bool complete;          // false: the cap was reached
  // An error of the model: some term has no value in a binding that is tried
  // somewhere.  Whether it is met depends on the order of computing, unless it
  // is certain: firing something that is enabled goes wrong.  A binding that is
  // not certain to be met is not enabled here.
  bool wrong, certain;
  char kind[NAIVE_KINDS]
           [NAIVE_KIND]; // of the errors, as far as its first colon
  uint32_t kinds;
} naive_coloured;

// May the library have met this error?
bool naive_coloured_knows (const naive_coloured *, const char *error);

naive_coloured naive_coloured_explore (const tl_coloured *, uint64_t cap);

#endif
