#ifndef TL_COLOUR_PROPOSITION_PARTS_H
#define TL_COLOUR_PROPOSITION_PARTS_H

#include "base/error.h"
#include "colour/evaluate.h"
#include "colour/proposition.h"

// What the translation of propositions is made of: one file for truth, one for
// numbers.

typedef struct tl_translator {
  const tl_net *net;
  const tl_origin *origin;
  const tl_coloured *coloured;
  tl_arena *arena; // of formulas
  tl_mem *mem;
  tl_error *error;
  tl_evaluation evaluation;
  tl_cell *frame;
  size_t size;    // of formulas so far
  unsigned depth; // of the term at hand
} tl_translator;

#define TL_CANNOT_SAY(T, TERM, ...)                                            \
  tl_fail_at ((T)->error, TL_E_MODEL, (T)->coloured->path,                     \
              (long)(TERM)->where.line, (long)(TERM)->where.column,            \
              __VA_ARGS__)

// The value of a term that does not read the marking.
tl_status tl_translate_constant (tl_translator *, const tl_term *, int64_t *);

// Runs loops; for those over places, over all tokens that they can hold.
typedef struct tl_expansion {
  tl_translator *translator;
  const tl_term *term;
  // The places of the tokens that must be there, for the last loop first.
  uint32_t *present;
  uint32_t presents;
  tl_status (*visit) (struct tl_expansion *);
  void *with;
} tl_expansion;

tl_status tl_expand (tl_expansion *);

// A sum of places and a constant.  A summand either counts tokens, or (a
// coloured place with a larger capacity than one may have several of a token)
// says that there are some.
typedef struct tl_token_sum {
  tl_summand *summand;
  size_t count, room;
  int64_t constant;
  bool counts, says; // are there summands for which this makes a difference?
} tl_token_sum;

// Adds factor times the term.
tl_status tl_translate_number (tl_translator *, const tl_term *, int64_t factor,
                               tl_token_sum *);
// sum <= 0
tl_status tl_translate_at_most (tl_translator *, const tl_term *,
                                const tl_token_sum *, tl_formula **);

#endif
