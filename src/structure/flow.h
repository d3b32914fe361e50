#ifndef TL_STRUCTURE_FLOW_H
#define TL_STRUCTURE_FLOW_H

#include "structure/combine.h"

// A flow gives every place a weight >= 0 such that no transition adds to the
// weighted sum of the tokens (a sub-invariant) or none changes it (a
// P-semiflow, then it is called exact).  The sum at the start bounds it for
// ever, so a place of weight y holds at most sum/y tokens.
//
// Whatever proposes a flow, be it a solver that rounds or a guess, it is
// believed only after tl_flows_add has added it up in integers.

#define TL_MAX_WEIGHT ((int64_t)1 << 60)

typedef enum tl_flow_kind {
  TL_FLOW_NO,
  TL_FLOW_SUB,
  TL_FLOW_EXACT
} tl_flow_kind;

typedef struct tl_flow {
  uint64_t start; // of its terms
  uint32_t count;
  tl_flow_kind kind;
  uint64_t tokens; // weighted sum of the initial marking
} tl_flow;

// A growing list of flows, and what it takes to test one.
typedef struct tl_flows {
  tl_mem *mem;
  const uint32_t *initial;
  tl_combiner combiner;
  tl_flow *flow;
  size_t count, capacity;
  tl_entry *term;
  size_t term_count, term_capacity;
} tl_flows;

// The incidence matrix and the initial marking are borrowed.
tl_status tl_flows_open (tl_flows *, tl_mem *, const tl_incidence *,
                         const uint32_t *initial);
void tl_flows_close (tl_flows *);

static inline tl_vector tl_flows_terms (const tl_flows *f, size_t i) {
  return (tl_vector){f->term + f->flow[i].start, f->flow[i].count};
}

// Adds the weights as a flow if they are one; *kind says what they are.  The
// weights are divided by their greatest common divisor first.  A sum that does
// not fit 64 bits counts as no flow.
tl_status tl_flows_add (tl_flows *, const tl_entry *terms, uint32_t count,
                        tl_flow_kind *kind);
void tl_flows_drop_last (tl_flows *);

// At most this many tokens in a place of that weight.
static inline uint64_t tl_flow_bound (const tl_flow *f, int64_t weight) {
  return f->tokens / (uint64_t)weight;
}

#endif
