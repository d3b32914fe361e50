#ifndef TL_LOGIC_EXPRESSION_H
#define TL_LOGIC_EXPRESSION_H

#include "base/mem.h"

// Whole numbers computed from the tokens of a marking: 2*received + acked.
//
// An expression is a list of steps for a machine with a stack: operands are
// pushed, operators take what they need and push their result.  What does not
// depend on the marking is computed when the expression is put together.
// Numbers have 64 bits; what does not fit, and a division by zero, is an
// error, never a wrong value.  A quotient is rounded down, so that x mod n is
// never negative for a positive n.

// Operands that may wait on the stack: how deeply expressions can be nested.
#define TL_EXPRESSION_DEPTH 256

typedef enum tl_step_op {
  TL_STEP_NUMBER, // pushes `number`
  TL_STEP_PLACE,  // pushes the tokens of `place`
  TL_STEP_SCALE,  // multiplies the last by `number`
  TL_STEP_ADD,    // these take two
  TL_STEP_SUBTRACT,
  TL_STEP_MULTIPLY,
  TL_STEP_DIVIDE,
  TL_STEP_MODULO
} tl_step_op;

typedef struct tl_step {
  tl_step_op op;
  uint32_t place;
  int64_t number;
} tl_step;

typedef struct tl_expression {
  tl_mem *mem;
  tl_step *step;
  size_t count, room;
} tl_expression;

// Putting one together.  TL_E_NOMEM leaves it as it was.
tl_status tl_expression_number (tl_expression *, int64_t);
tl_status tl_expression_place (tl_expression *, uint32_t place);
// Applies a binary operator to the last two operands, whose steps begin at
// `left` and at `right`, or multiplies the last operand.  TL_E_ARG: it divides
// by the constant zero; TL_E_LIMIT: a constant does not fit 64 bits.
tl_status tl_expression_apply (tl_expression *, tl_step_op, size_t left,
                               size_t right);
tl_status tl_expression_scale (tl_expression *, size_t operand, int64_t factor);
void tl_expression_close (tl_expression *);

// Its value in a marking.  TL_E_ARG: a division by zero; TL_E_LIMIT: a number
// does not fit 64 bits.
tl_status tl_expression_value (const tl_expression *, const uint64_t *marking,
                               int64_t *value);

// Is it constant + sum of weight(p) * m(p)?  If so, adds to `weight` [places]
// and to *constant, else these mean nothing.  Weights that do not fit 64 bits
// are no weights.
bool tl_expression_is_linear (const tl_expression *, int64_t *weight,
                              int64_t *constant);

#endif
