#ifndef TL_SYMBOLIC_ATTEMPT_H
#define TL_SYMBOLIC_ATTEMPT_H

#include "base/budget.h"
#include "symbolic/saturate.h"

// Tries to find all markings with one order of the variables, for some time; or
// with several orders at once, each in a thread and with a diagram of its own.
// The first that comes to its end has won, and ends the others.

enum { TL_MOST_ATTEMPTS = 16 }; // at once

// What attempts that are made at once share.
typedef struct tl_attempts {
  tl_mem *root;           // whose budget counts for all
  tl_mem *engine, *nodes; // accounts of all
  const tl_variables *variables;
  const tl_diagram_limits *limits; // or null
  // Asked now and then in the thread of the call; may be null.
  tl_status (*look) (void *context, const tl_diagram *);
  void *context;
  int cancel; // one of them has ended
} tl_attempts;

typedef struct tl_attempt {
  tl_attempts *all;
  const uint32_t *order; // of the variables
  double seconds;
  tl_mem engine, nodes;
  tl_budget slice;
  tl_events events;
  tl_diagram diagram;
  tl_set reached;
  uint64_t peak, collections; // of its diagram
  uint32_t outgrown;          // the variable that had too many tokens, plus one
  tl_status rc;               // TL_OK: it has won; TL_E_CANCEL: another has
} tl_attempt;

// Makes them all, one of them in the thread of the call; orders and seconds are
// given.  How many threads there were comes back.  Only the one that has won
// has events and a diagram then.
uint32_t tl_attempts_make (tl_attempts *, tl_attempt *, uint32_t count);
void tl_attempt_close (tl_attempt *);

#endif
