#ifndef TL_CHECK_STATE_SET_H
#define TL_CHECK_STATE_SET_H

#include "logic/formula.h"

// Sets of states, as the evaluation of CTL sees them: what they are made of is
// the business of their kind: bits of the states of a condensed graph
// (check/fixpoint.h), or decision diagrams (check/diagram_sets.h).
//
// A set belongs to a tl_sets, the states that it is a set of, and is combined
// with others of the same one only.

typedef struct tl_state_set tl_state_set; // the kind knows what is in it
typedef struct tl_sets tl_sets;

struct tl_automaton; // automaton/automaton.h
struct tl_run;       // check/product.h
struct tl_reason;

// TL_E_NOMEM and TL_E_LIMIT (cancelled, or out of time) may come from whatever
// returns a status; then the sets at hand are good for nothing but closing.
typedef struct tl_set_kind {
  // An empty set.  Null, here and of the next two: no memory.
  tl_state_set *(*open) (tl_sets *);
  tl_state_set *(*copy) (tl_sets *, const tl_state_set *);
  // Where a formula without temporal operators holds.
  tl_state_set *(*label) (tl_sets *, const tl_formula *);
  void (*close) (tl_sets *, tl_state_set *); // or null

  // Is the state in it?  State 0 is the initial one; the others are known from
  // runs.
  bool (*has) (tl_sets *, const tl_state_set *, uint64_t state);

  // Into the first of the sets.
  tl_status (*complement) (tl_sets *, tl_state_set *);
  tl_status (*intersect) (tl_sets *, tl_state_set *, const tl_state_set *);
  tl_status (*unite) (tl_sets *, tl_state_set *, const tl_state_set *);

  // States with a successor in `set`: EX.
  tl_status (*before) (tl_sets *, const tl_state_set *set,
                       tl_state_set *result);
  // States from which a path through `along` leads into `result`, which it
  // grows to: E (along U result).  Null `along`: through anything.
  tl_status (*until) (tl_sets *, const tl_state_set *along,
                      tl_state_set *result);
  // States of `result` from which a path inside of it has no end, or ends in a
  // dead state, to which it shrinks: EG.
  tl_status (*stay) (tl_sets *, tl_state_set *result);

  // The rest may be null: a kind that knows neither automata nor runs.

  // States from which an automaton accepts a run, into `result`, which is
  // empty; `atom` [atoms]: where each atom holds.
  tl_status (*accepted) (tl_sets *, const struct tl_automaton *,
                         tl_state_set *const *atom, uint32_t atoms,
                         tl_state_set *result);
  // Does it accept one from a state?  Such a run, if there is memory and time
  // for it; *state moves to where it ends, and *why is what it ends for.
  tl_status (*run) (tl_sets *, const struct tl_automaton *,
                    tl_state_set *const *atom, uint32_t atoms, uint64_t *state,
                    bool *accepted, struct tl_run *run, struct tl_reason *why);
  // A run that shows why E op holds at a state: check/witness.h.
  tl_status (*witness) (tl_sets *, tl_op, tl_state_set *a, tl_state_set *b,
                        uint64_t *state, bool *arrived, struct tl_run *run);
} tl_set_kind;

// The beginning of what a kind keeps about its states.
struct tl_sets {
  const tl_set_kind *kind;
  // The graph that sets have a bit for each state of.  Null: there is none.
  struct tl_fixpoints *bits;
};

#endif
