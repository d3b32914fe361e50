#ifndef TL_ENCODE_DIGITS_H
#define TL_ENCODE_DIGITS_H

#include "encode/layout.h"
#include "structure/structure.h"

// What must be stored of a marking so that all of it can be told: a list of
// digits, each a number below its radix.
//
// Places that are linear functions of others need no digit (the independent
// ones are chosen to cost the fewest bits), and places of which at most one is
// marked share a digit that says which.
typedef struct tl_digit {
  uint64_t radix;
  // One place: the digit is its number of tokens.  Several: 0 when none of
  // them is marked, i + 1 when the i-th is.
  const uint32_t *place;
  uint32_t count;
} tl_digit;

typedef struct tl_digits {
  tl_mem *mem;
  tl_digit *digit;
  uint32_t count;
  uint32_t *places; // what the digits point to
  uint32_t room;
  // The functions of the places without a digit.
  tl_elimination *functions;
  uint32_t *relation_of; // [places] number of its function, or TL_NO_NAME
} tl_digits;

// `most` [places]: the largest number of tokens that is to be told.
tl_status tl_digits_open (tl_digits *, tl_mem *, const tl_layout *,
                          tl_structure *, const uint64_t *most);
// The same with a digit for each place that changes, in bits of its own.
tl_status tl_digits_open_each (tl_digits *, tl_mem *, const tl_layout *,
                               const uint64_t *most);
void tl_digits_close (tl_digits *);

#endif
