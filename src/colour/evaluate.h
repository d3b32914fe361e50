#ifndef TL_COLOUR_EVALUATE_H
#define TL_COLOUR_EVALUATE_H

#include "colour/coloured.h"

// The value of a term: for constants, initial markings, unfolding, and for nets
// that run without a compiler.  Numbers are computed with 64 bits and checked;
// whatever goes wrong is an error with the position of the term in the file.
//
// Functions may recurse and loop; `steps` bounds what they may do in one call
// of tl_evaluate, and calls may nest TL_CALL_DEPTH deep.  The budget of time of
// the account is looked at now and then.

#define TL_CALL_DEPTH 1000
#define TL_STEPS 100000000

// A multi-set of tokens of one place: distinct, ascending, with how many there
// are of each.
typedef struct tl_tokens {
  const tl_cell *token; // [count * cells of the place]
  const uint32_t *many; // [count]
  uint32_t count;
} tl_tokens;

typedef struct tl_evaluation {
  const char *path; // of the net, for messages
  tl_mem *mem;      // for frames of functions and values in between
  tl_error *error;
  const tl_tokens *marking; // [places]; null: terms that read it are refused
  const tl_cplace *place;   // of the net; with `marking`
  uint64_t steps;           // for each call; TL_STEPS by tl_evaluation_open
  uint32_t ticks;           // steps and copied cells since the clock was read
  // Of the call that is going on.
  uint64_t left;                        // steps
  uint32_t depth;                       // of calls of functions
  const char *stack;                    // where the stack of C was
  struct tl_scratch_block *top, *spare; // values in between
} tl_evaluation;

void tl_evaluation_open (tl_evaluation *, tl_mem *, const char *path,
                         tl_error *);
void tl_evaluation_close (tl_evaluation *);

// Writes the cells of the term's type to `value`.  TL_E_ARG (the message says
// where and why): an error of the model; TL_E_LIMIT: it does not end, or the
// time is over; TL_E_CANCEL; TL_E_NOMEM.  `value` may lie in the frame only if
// the term does not read it.
tl_status tl_evaluate (tl_evaluation *, const tl_term *, tl_cell *frame,
                       tl_cell *value);
// The same for a term with one cell.
tl_status tl_evaluate_number (tl_evaluation *, const tl_term *, tl_cell *frame,
                              int64_t *value);

// Is there time left?  For those who do other things between.
tl_status tl_evaluation_look (tl_evaluation *);

#endif
