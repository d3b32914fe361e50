#ifndef TL_COLOUR_UNFOLD_PARTS_H
#define TL_COLOUR_UNFOLD_PARTS_H

#include "base/budget.h"
#include "colour/bind.h"
#include "colour/multiset.h"
#include "colour/unfold.h"

// What the search for tokens and bindings leaves to those who make a net of
// it.

// An arc of a binding: a token of a coloured place, by its number in the set.
typedef struct tl_link {
  uint32_t place, token, weight;
} tl_link;

typedef struct tl_links {
  tl_link *link;
  size_t count, room;
} tl_links;

// The bindings of one transition, in the order in which they were found.
typedef struct tl_bindings {
  const tl_ctransition *transition;
  tl_cell *frame;
  uint32_t cells; // of a binding: the arc and pick variables, in order
  tl_cell *binding;
  size_t room;
  uint32_t count;
  // Input and output arcs; those of binding b end at end[2 * b] and
  // end[2 * b + 1] in `links`, and begin where the ones before end.
  tl_links links;
  size_t *end;
  size_t end_room;
  // How they are found: a schedule for each tuple that may have a new token.
  tl_schedule *schedule;
  tl_binder *binder;
  uint32_t schedules;
  bool repeats; // a binding may be found twice
  tl_token_set seen;
  tl_cplace shape; // of a binding, for `seen`
} tl_bindings;

typedef struct tl_unfolder {
  const tl_coloured *net;
  const tl_unfold_limits *limits;
  tl_mem *mem;
  tl_mem work; // account of the evaluation, with the budget of time
  tl_budget budget;
  tl_arena arena;
  tl_error *error;
  tl_evaluation evaluation;
  tl_multiset multiset;
  tl_token_set *set;             // [places] tokens that a place can hold
  uint32_t *from, *to;           // [places] the ones that are new in this round
  tl_links initial;              // with the numbers of tokens
  tl_bindings *bindings;         // [transitions]
  uint64_t tokens, found, links; // so far
  struct tl_waiting *waiting;    // bindings that lack a token
} tl_unfolder;

static inline bool tl_is_part_of_binding (const tl_variable *v) {
  return v->kind == TL_VARIABLE_ARC || v->kind == TL_VARIABLE_PICK;
}

// Makes all that the search needs; says no to priorities.
tl_status tl_unfold_prepare (tl_unfolder *);

// Copies a binding to the frame of its transition and computes what follows.
tl_status tl_unfold_restore (tl_unfolder *, tl_bindings *, const tl_cell *);

// What goes wrong in a binding that may never be enabled is a reason not to
// unfold.
tl_status tl_unfold_refuse (tl_unfolder *, tl_status, const char *kind,
                            const char *name);

// Makes the net when all is known.
tl_status tl_unfold_build (tl_unfolder *, tl_net **);

// The inhibitor arcs of the binding that the frame has.  *never: it cannot be
// enabled at all.
tl_status tl_unfold_inhibitors (tl_unfolder *, const tl_bindings *, tl_links *,
                                bool *never);

tl_status tl_links_add (tl_unfolder *, tl_links *, tl_link);
tl_status tl_unfold_no_memory (tl_unfolder *);

#endif
