#ifndef TL_CHECKPOINT_CODES_H
#define TL_CHECKPOINT_CODES_H

#include "checkpoint/parcel.h"
#include "encode/code.h"

// How keys are made, so that those of a checkpoint mean the same when it is
// read again: what is known of the structure of a net depends on how long it
// could be studied.

// A code: the widths of fields, how much is told apart, and the digits.
typedef struct tl_saved_code {
  uint8_t *width; // [places]
  uint64_t *most; // [places]
  bool identity;  // there are no digits: the key is the working state
  tl_digits digits;
} tl_saved_code;

// `digits` null: the key is the working state.
void tl_parcel_code (tl_parcel *, const tl_net *, const uint8_t *width,
                     const uint64_t *most, const tl_digits *);
// To be closed in any case.
tl_status tl_unparcel_code (tl_unparcel *, tl_mem *, const tl_net *,
                            tl_saved_code *);
void tl_saved_code_close (tl_saved_code *, tl_mem *, const tl_net *);

// What the net is, in one number: nets with others are not the same.
uint64_t tl_net_sum (const tl_net *);

#endif
