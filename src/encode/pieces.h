#ifndef TL_ENCODE_PIECES_H
#define TL_ENCODE_PIECES_H

#include "encode/digits.h"

// The digits of a key cut into pieces: bit fields of the key that hold one
// digit or several in mixed radix, the first one least.
typedef struct tl_cut_piece {
  uint32_t first, count; // digits, in the order of the cut
  uint64_t values;       // product of their radices
  unsigned width;        // bits
  uint32_t word;
  uint8_t shift;
} tl_cut_piece;

typedef struct tl_cut {
  tl_mem *mem;
  const tl_digit **order; // [digits]
  uint32_t digits, placed;
  tl_cut_piece *piece;
  size_t pieces, piece_room;
  uint32_t words;    // of the key
  uint32_t top_bits; // used of the last word
  uint32_t bits;     // used in all
} tl_cut;

// With `join_bits` also digits that are powers of two share pieces, for fewer
// look-ups on the way back.
tl_status tl_cut_open (tl_cut *, tl_mem *, const tl_digits *, bool join_bits);
void tl_cut_close (tl_cut *);

#endif
