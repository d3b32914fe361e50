#ifndef TL_LNA_PROPERTY_H
#define TL_LNA_PROPERTY_H

#include "lna/lna.h"
#include "logic/formula.h"

// Property files of Helena: what should hold of a net, in terms of the
// propositions that the net defines.
//
//     state property safe: reject bad; accept finished;
//     ltl property served: [] (waiting => <> not waiting);
//
// A state property is violated by a reachable marking in which the rejected
// predicate holds and none of the accepted ones; it is kept as the condition
// that holds in all others.  An LTL property is about all runs from the initial
// marking; at its end a run repeats its last marking.

typedef enum tl_property_op {
  TL_PROPERTY_TRUE,
  TL_PROPERTY_FALSE,
  TL_PROPERTY_PROPOSITION, // `proposition`, as the net counts them
  TL_PROPERTY_DEADLOCK,
  TL_PROPERTY_NOT,        // one operand
  TL_PROPERTY_ALWAYS,     // one
  TL_PROPERTY_EVENTUALLY, // one
  TL_PROPERTY_AND,        // two
  TL_PROPERTY_OR,
  TL_PROPERTY_IMPLIES,
  TL_PROPERTY_EQUIVALENT,
  TL_PROPERTY_UNTIL
} tl_property_op;

typedef struct tl_property_tree tl_property_tree;
struct tl_property_tree {
  tl_property_op op;
  tl_where where;
  uint32_t proposition;
  uint32_t height; // levels below; bounded by the reader
  const tl_property_tree *operand[2];
};

typedef struct tl_property {
  const char *name;
  tl_where where;
  bool linear; // of runs; otherwise of every reachable marking
  const tl_property_tree *tree;
} tl_property;

typedef struct tl_properties {
  tl_arena arena;
  tl_property *property;
  size_t count;
} tl_properties;

// Reads a file whose first block is at hand; settings without value define
// symbols.  The net is asked for its propositions only.
tl_status tl_read_properties (tl_properties *, tl_mem *, tl_input *,
                              const tl_coloured *, const tl_settings *,
                              tl_error *);
void tl_properties_close (tl_properties *);

// The question whether a property holds, once there is a formula for each
// proposition: A or AG of its tree.  TL_E_LIMIT: it is larger, written out,
// than formulas may be.
tl_status tl_property_formula (const tl_property *, tl_arena *,
                               tl_formula *const *proposition, tl_formula **);

#endif
