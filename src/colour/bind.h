#ifndef TL_COLOUR_BIND_H
#define TL_COLOUR_BIND_H

#include "colour/evaluate.h"
#include "colour/schedule.h"
#include "colour/tokens.h"

// Finds the bindings of a transition for which every tuple that takes part in
// the search has its token in a given set, and the guard holds.  How many
// tokens there are, tuples that are only claimed, and inhibitors are left to
// the caller.
//
// The frame has the variables when a binding was found.  A binding comes once,
// unless a variable runs over a list that has an element twice.

// The tokens that a tuple may take: those numbered from..to - 1.
typedef struct tl_token_span {
  uint32_t from, to;
} tl_token_span;

typedef struct tl_binder {
  tl_evaluation *evaluation;
  const tl_coloured *net;
  const tl_ctransition *transition;
  const tl_schedule *schedule;
  tl_token_set *set; // [places]
  tl_cell *frame;
  uint32_t *token;     // [takes] the number of the one that each tuple takes
  tl_token_span *span; // [takes] set by the caller
  // Inside.
  struct tl_cursor *cursor; // [tasks]
  uint32_t task;
  uint32_t ticks;      // tokens tried and tasks done
  uint32_t most_ticks; // 0: any number
} tl_binder;

// Everything it needs is made in the arena; indices are added to the sets.
tl_status tl_binder_open (tl_binder *, tl_evaluation *, const tl_coloured *,
                          const tl_ctransition *, const tl_schedule *,
                          tl_token_set *, tl_cell *frame, tl_arena *);

// Starts again; indices must be up to date.
void tl_binder_start (tl_binder *);

// The next one; *found is false when there is none.  TL_E_ARG: an error of the
// model; TL_E_LIMIT: out of time or ticks, or a function does not end;
// TL_E_CANCEL; TL_E_NOMEM.
tl_status tl_binder_next (tl_binder *, bool *found);

#endif
