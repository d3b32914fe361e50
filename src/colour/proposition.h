#ifndef TL_COLOUR_PROPOSITION_H
#define TL_COLOUR_PROPOSITION_H

#include "colour/coloured.h"
#include "logic/formula.h"
#include "net/origin.h"

// What terms over the marking of a coloured net say about the net that it was
// unfolded into.  A variable that runs over a place runs over the tokens that
// the place can hold; each of them is there or not.  So quantifiers become
// disjunctions and conjunctions, and the number of tokens of a place becomes a
// sum of places.  The number of distinct tokens is such a sum, too, where the
// capacity is one; anywhere else it can only be compared with none and all.

// A proposition as a formula, made in the arena.  The net is an unfolded one,
// with its coloured net.  TL_E_MODEL: it cannot be said that way, the message
// says why; TL_E_LIMIT: it is too large; TL_E_NOMEM.
tl_status tl_proposition_formula (const tl_net *, const tl_term *,
                                  uint32_t frame, tl_arena *, tl_formula **,
                                  tl_error *);

// A number as a sum of places and a constant: a measure.
tl_status tl_measure_sum (const tl_net *, const tl_term *, uint32_t frame,
                          tl_arena *, tl_summand **, size_t *count,
                          int64_t *constant, tl_error *);

#endif
