#ifndef TL_COLOUR_CONDENSE_H
#define TL_COLOUR_CONDENSE_H

#include "colour/evaluate.h"

// The condensed code of a multi-set of tokens, after Mäkelä ("Condensed storage
// of multi-set sequences").
//
//     empty? | cardinality | distinct tokens | multiplicities | tokens
//
// Every number is written in as many bits as the range takes that it can still
// have.  That of the cardinality comes from the capacity and the number of
// values, from what the net says, or from elsewhere.  Multiplicities come in
// descending order, so that each bounds the next; with a capacity of 1 there is
// nothing to say about them.  Tokens are their ranks in the domain, those of
// one multiplicity in ascending order, so that each bounds the next here, too.
// A domain with more values than a word takes, or with lists and sets in it, is
// written part by part.
//
// No code is the beginning of another, so codes of places can be put side by
// side.

typedef struct tl_bit_stream {
  tl_mem *mem;
  uint64_t *word;
  size_t room;   // words
  uint64_t bits; // written, or the place to read at
  bool failed;   // there was no memory
} tl_bit_stream;

void tl_stream_put (tl_bit_stream *, uint64_t value, unsigned width);
uint64_t tl_stream_take (tl_bit_stream *, unsigned width);
void tl_stream_close (tl_bit_stream *);

typedef struct tl_place_code {
  const tl_cplace *place;
  uint64_t values; // of the domain; 0: more than fit a word, or with lists
  // Tokens in all; without end: a most is not known.
  uint64_t least, most;
} tl_place_code;

#define TL_CODE_ENDLESS UINT64_MAX

tl_place_code tl_place_code_of (const tl_cplace *);
// It is known that there are never fewer or more tokens.
void tl_place_code_bound (tl_place_code *, uint64_t least, uint64_t most);

// Writes a multi-set; its tokens are ascending.
void tl_place_encode (const tl_place_code *, const tl_tokens *,
                      tl_bit_stream *);

// Reads one back.
typedef struct tl_place_bag {
  tl_mem *mem;
  tl_cell *token;
  uint32_t *many;
  size_t token_room, many_room;
  uint32_t count;
} tl_place_bag;

tl_status tl_place_decode (const tl_place_code *, tl_bit_stream *,
                           tl_place_bag *);
void tl_place_bag_close (tl_place_bag *);

#endif
