#ifndef TL_GRAPH_ARC_CODE_H
#define TL_GRAPH_ARC_CODE_H

#include "base/bits.h"
#include "graph/graph.h"

// The code of the arcs, bit by bit, for those who write and those who read it.

#define TL_ARC_NEW UINT64_MAX

enum {
  TL_DEGREE_BITS = 32,
  TL_WIDTH_BITS = 6,
  TL_RICE_BITS = 6,
  TL_HEAD_BITS = TL_DEGREE_BITS + TL_WIDTH_BITS + TL_RICE_BITS,
  TL_LONGEST_UNARY = 30, // then the distance follows as it is
  TL_PLAIN_BITS = 56,
  // The largest k that is written: an arc takes less than 64 bits.
  TL_MOST_RICE = 62 - TL_LONGEST_UNARY
};

typedef struct tl_bit_reader {
  const uint64_t *words;
  uint64_t at;
} tl_bit_reader;

static inline uint64_t tl_next_bits (tl_bit_reader *b, unsigned width) {
  if (!width)
    return 0;
  const uint64_t value = tl_get_bits (b->words, b->at, width);
  b->at += width;
  return value;
}

// An arc in one look: 64 bits hold all but the longest.
static inline uint64_t tl_next_arc (tl_bit_reader *b, unsigned k) {
  const uint64_t x = tl_get_bits (b->words, b->at, 64);
  if (x & 1) {
    b->at++;
    return TL_ARC_NEW;
  }
  const unsigned unary = (unsigned)__builtin_ctzll (~(x >> 1));
  if (unary >= TL_LONGEST_UNARY) {
    b->at += 1 + TL_LONGEST_UNARY;
    return tl_next_bits (b, TL_PLAIN_BITS);
  }
  b->at += unary + 2;
  return (uint64_t)unary << k | tl_next_bits (b, k);
}

// Room for so many more bits behind those there are, and for words that readers
// may look at.
static inline tl_status tl_code_room (tl_map *words, uint64_t bits,
                                      uint64_t more) {
  return tl_map_grow_ahead (words, (bits + more) / 64 * 8 + 24);
}

// What a block begins with.
typedef struct tl_block_head {
  uint64_t least; // degree
  unsigned width; // of the degrees
  unsigned k;
} tl_block_head;

static inline tl_block_head tl_next_head (tl_bit_reader *b) {
  tl_block_head head;
  head.least = tl_next_bits (b, TL_DEGREE_BITS);
  head.width = (unsigned)tl_next_bits (b, TL_WIDTH_BITS);
  head.k = (unsigned)tl_next_bits (b, TL_RICE_BITS);
  return head;
}

#endif
