#ifndef TL_STRUCTURE_SEMIFLOW_H
#define TL_STRUCTURE_SEMIFLOW_H

#include "structure/combine.h"

// A P-semiflow gives every place a weight >= 0 such that no transition changes
// the weighted sum of the tokens (here it is called exact), or such that none
// adds to it (a sub-semiflow).  The sum at the start bounds it for ever, so a
// place of weight y holds at most sum/y tokens.
//
// Whatever proposes a semiflow, be it a solver that rounds or a guess, it is
// believed only after tl_semiflows_add has added it up in integers.

#define TL_MAX_WEIGHT ((int64_t)1 << 60)

typedef enum tl_semiflow_kind {
  TL_SEMIFLOW_NO,
  TL_SEMIFLOW_SUB,
  TL_SEMIFLOW_EXACT
} tl_semiflow_kind;

typedef struct tl_semiflow {
  uint64_t start; // of its terms
  uint32_t count;
  tl_semiflow_kind kind;
  uint64_t tokens; // weighted sum of the initial marking
} tl_semiflow;

// A growing list of semiflows, and what it takes to test one.
typedef struct tl_semiflows {
  tl_mem *mem;
  const uint32_t *initial;
  tl_combiner combiner;
  tl_semiflow *semiflow;
  size_t count, capacity;
  tl_entry *term;
  size_t term_count, term_capacity;
} tl_semiflows;

// The incidence matrix and the initial marking are borrowed.
tl_status tl_semiflows_open (tl_semiflows *, tl_mem *, const tl_incidence *,
                             const uint32_t *initial);
void tl_semiflows_close (tl_semiflows *);

static inline tl_vector tl_semiflows_terms (const tl_semiflows *f, size_t i) {
  return (tl_vector){f->term + f->semiflow[i].start, f->semiflow[i].count};
}

// Adds the weights as a semiflow if they are one; *kind says what they are. The
// weights are divided by their greatest common divisor first.  A sum that does
// not fit 64 bits counts as none.
tl_status tl_semiflows_add (tl_semiflows *, const tl_entry *terms,
                            uint32_t count, tl_semiflow_kind *kind);
void tl_semiflows_drop_last (tl_semiflows *);

// At most this many tokens in a place of that weight.
static inline uint64_t tl_semiflow_bound (const tl_semiflow *f,
                                          int64_t weight) {
  return f->tokens / (uint64_t)weight;
}

#endif
