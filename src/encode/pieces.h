#ifndef TL_ENCODE_PIECES_H
#define TL_ENCODE_PIECES_H

#include "encode/digits.h"

// The digits of a key cut into pieces of one digit or several, in mixed radix,
// the first one least.  In a word of the key, pieces whose values are a power
// of two are bit fields; the others stand above them, in mixed radix among each
// other, so that each word loses less than a bit.
typedef struct tl_cut_piece {
  uint32_t first, count; // digits, in the order of the cut
  uint64_t values;       // product of their radices
  unsigned width;        // bits of its largest value
  uint32_t word;
  uint64_t factor; // of the value in the word
  bool mixed;      // in mixed radix with others of its word; else a bit field
} tl_cut_piece;

typedef struct tl_cut {
  tl_mem *mem;
  const tl_digit **order; // [digits]
  uint32_t digits, placed;
  uint64_t most_values; // of a piece with several digits
  tl_cut_piece *piece;
  size_t pieces, piece_room;
  uint32_t words;    // of the key
  uint32_t top_bits; // used of the last word: so many fields, and above them
  uint32_t top_fields;
  uint64_t top_radix; // so many values in mixed radix
  uint32_t bits;      // used in all
} tl_cut;

// `short_states`: for working states of few words, which are rebuilt from few
// large pieces.
tl_status tl_cut_open (tl_cut *, tl_mem *, const tl_digits *,
                       bool short_states);
void tl_cut_close (tl_cut *);

#endif
