#ifndef TL_TESTS_NAIVE_COLOURED_H
#define TL_TESTS_NAIVE_COLOURED_H

#include "colour/evaluate.h"

// The reference for coloured nets: markings are sorted lists of tokens, and at
// every marking each transition is tried with all tokens and values, one
// variable after the other.  There is no index, nothing is remembered.  It
// shares with the library how terms are evaluated, which of them cannot fail
// and which variables they use, and ends the program when there is no memory.
//
// An error of the model is a term that has no value where it is needed: in a
// binding, when what stands before it is there and holds.  What cannot fail
// stands first; then tokens of input arcs, variables that run, lets, the guard,
// the other lets, labels, inhibitors (unless the binding is inhibited anyway),
// the priority, and, if that lets it fire, what it puts.

enum { NAIVE_KINDS = 16, NAIVE_KIND = 80 };

typedef struct naive_coloured {
  uint64_t states, arcs, deadlocks;
  uint64_t most_in_place; // of one token
  bool complete;          // false: the cap was reached
  bool wrong;             // an error was met; such a binding is not enabled
  bool unasked;           // some proposition or measure has no value somewhere
  char kind[NAIVE_KINDS]
           [NAIVE_KIND]; // of the errors, as far as its first colon
  uint32_t kinds;
} naive_coloured;

// May the library have met this error?
bool naive_coloured_knows (const naive_coloured *, const char *error);

naive_coloured naive_coloured_explore (const tl_coloured *, uint64_t cap);

#endif
