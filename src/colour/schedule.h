#ifndef TL_COLOUR_SCHEDULE_H
#define TL_COLOUR_SCHEDULE_H

#include "colour/coloured.h"

// The order in which the bindings of a transition are found: tasks that are
// done one after the other, each with the variables that those before it have
// bound.  It is worked out once for each transition.
//
// What can be tested is tested at once.  Of the guard, the conjuncts on the
// left that cannot fail are tested as soon as their own variables are known;
// the rest is one test, protected by what stands left of it.  A conjunct
// x = term gives x its value.  Then come input tuples, those of which most is
// known first, but tuples with a part that may fail last and in their order;
// then variables that run over a type or a container; then let variables, those
// that the guard needs first.
//
// What is wrong with a model must not depend on the order in which tokens
// happen to be taken.  So the rest of the guard waits until all tokens are
// taken and all variables have run: it goes wrong only where they are together.
// If nothing can fail any more until then, it is tried before, too: it may say
// no, but that it cannot be computed is not yet held against it.
//
// A tuple takes part in the search if it has no loop, no condition, a positive
// factor, and no tuple of its label has a negative one.  Any other binds
// nothing: when its variables are known the tokens it asks for are known, too
// (TL_TASK_CLAIM).

typedef enum tl_task_kind {
  TL_TASK_TEST,  // `term` must hold
  TL_TASK_TRY,   // the same, unless it cannot be computed
  TL_TASK_SET,   // `variable` is `term`, if that is a value of it
  TL_TASK_TAKE,  // a token of the place of `arc` that fits `tuple`
  TL_TASK_CLAIM, // all tokens of `tuple` (null: of the label) must be there
  TL_TASK_PICK,  // `variable` runs
  TL_TASK_LET    // `variable` is computed
} tl_task_kind;

// What is done with a part of a tuple.
typedef enum tl_part_use {
  TL_PART_KNOWN, // it is known before: look for tokens that have it
  TL_PART_BINDS, // its variable gets the value of the token
  TL_PART_AFTER  // to be compared when the others have bound their variables
} tl_part_use;

typedef struct tl_task {
  tl_task_kind kind;
  uint32_t variable;
  const tl_term *term;
  const tl_carc *arc;
  const tl_tuple *tuple;
  uint32_t take;          // TAKE: the number of the tuple among these
  const tl_part_use *use; // TAKE: [parts of the place]
} tl_task;

typedef struct tl_schedule {
  tl_task *task;
  uint32_t tasks;
  uint32_t takes;
} tl_schedule;

#define TL_ANY_TAKE UINT32_MAX

// `first`: the number of a tuple that shall come as early as it can.  It is
// made in the arena.  TL_E_MODEL: there is none, the transition cannot be
// evaluated.
tl_status tl_schedule_make (const tl_coloured *, const tl_ctransition *,
                            uint32_t first, tl_arena *, tl_schedule *,
                            tl_error *);

// Does the tuple take part in the search?
bool tl_tuple_is_taken (const tl_label *, const tl_tuple *);

#endif
