#ifndef TL_COLOUR_EVALUATE_PARTS_H
#define TL_COLOUR_EVALUATE_PARTS_H

#include "base/error.h"
#include "colour/evaluate.h"

// What the files of the evaluation share: numbers, containers, iterators,
// statements.
//
// A discrete value is computed as a number of 64 bits; it need not fit its type
// until somebody checks it.  Any other value is given as a pointer to its
// cells, which lie in the frame, in the net, or in scratch memory, and are not
// to be changed.  Scratch memory is a stack: whoever has used up the values in
// between goes back to his mark.

typedef struct tl_scratch_mark {
  struct tl_scratch_block *block;
  size_t used;
} tl_scratch_mark;

tl_cell *tl_scratch_take (tl_evaluation *, size_t cells); // not zeroed; or null
tl_scratch_mark tl_scratch_now (const tl_evaluation *);
void tl_scratch_back (tl_evaluation *, tl_scratch_mark);

// An error of the model at a term.
#define TL_WRONG(E, WHERE, ...)                                                \
  tl_fail_at ((E)->error, TL_E_ARG, (E)->path, (long)(WHERE).line,             \
              (long)(WHERE).column, __VA_ARGS__)
#define TL_NO_SCRATCH(E) tl_fail ((E)->error, TL_E_NOMEM, "out of memory")

// Begins a call from outside: the steps are counted from here.
tl_scratch_mark tl_evaluation_begin (tl_evaluation *);

// One more step, and time, and room on the stack of C for it?
tl_status tl_evaluation_step (tl_evaluation *, tl_where);

// Any term of a discrete type.
tl_status tl_term_number (tl_evaluation *, const tl_term *, tl_cell *frame,
                          int64_t *);
// Any term.
tl_status tl_term_cells (tl_evaluation *, const tl_term *, tl_cell *frame,
                         const tl_cell **);
// The same for a copy at `to`.
tl_status tl_term_copy (tl_evaluation *, const tl_term *, tl_cell *frame,
                        tl_cell *to);

// Those kinds of terms that work on containers, vectors and structures: with
// a number, or with cells as result.
tl_status tl_container_number (tl_evaluation *, const tl_term *, tl_cell *frame,
                               int64_t *);
tl_status tl_container_cells (tl_evaluation *, const tl_term *, tl_cell *frame,
                              const tl_cell **);
// Where an element lies, in cells from the start of a vector or list at
// `value`; one index for each index type.
tl_status tl_element_offset (tl_evaluation *, const tl_type *,
                             const tl_cell *value, tl_term *const *index,
                             tl_where, tl_cell *frame, size_t *offset);

// Iterators.
tl_status tl_iterator_number (tl_evaluation *, const tl_term *, tl_cell *frame,
                              int64_t *);

// Runs loops, left to right, and does something for each combination.
typedef struct tl_loop_walk {
  tl_evaluation *evaluation;
  tl_cell *frame;
  tl_where where; // for messages
  // *stop ends all of them.
  tl_status (*visit) (struct tl_loop_walk *, void *with, bool *stop);
  void *with;
  uint32_t many; // of the token that the last loop over a place is at
} tl_loop_walk;

tl_status tl_walk_loops (tl_loop_walk *, const tl_loop *, uint32_t loops);

// Calls a function; the result is written to `value`.
tl_status tl_call (tl_evaluation *, const tl_term *, tl_cell *frame,
                   tl_cell *value);

#endif
