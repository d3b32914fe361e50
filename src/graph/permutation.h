#ifndef TL_GRAPH_PERMUTATION_H
#define TL_GRAPH_PERMUTATION_H

#include "base/bits.h"
#include "base/mem.h"

// A permutation of the numbers 0..n-1 that moves most of them not far: where
// the state that was found as number i is described.
//
// Images come in any order.  64 numbers in a row are a block: it is open, one
// word for each image, until all of them are known, and then closed, the least
// image and the differences to it in as many bits as the block needs.

enum { TL_PERMUTED = 64 }; // numbers of a block

typedef struct tl_permutation_block {
  uint64_t where; // its first bit times 64, plus the bits of a difference
  uint64_t least;
} tl_permutation_block;

typedef struct tl_permutation {
  tl_mem *mem;
  uint64_t count; // of the images that are known
  tl_permutation_block *block;
  size_t blocks, block_room;
  tl_map words; // the differences
  uint64_t bits;
  struct tl_open_block **open; // [open_room] null: closed, or not begun
  size_t open_room;
  bool borrowed; // blocks and differences are somebody else's
} tl_permutation;

tl_status tl_permutation_open (tl_permutation **, tl_mem *);
void tl_permutation_close (tl_permutation *); // may be null

// Each number and each image comes once, and in the end none is missing.
tl_status tl_permutation_set (tl_permutation *, uint64_t number,
                              uint64_t image);
// No more images; from now on it may be read.
tl_status tl_permutation_finish (tl_permutation *);

static inline uint64_t tl_permutation_image (const tl_permutation *p,
                                             uint64_t number) {
  const tl_permutation_block *b = p->block + number / TL_PERMUTED;
  const unsigned width = b->where % 64;
  if (!width)
    return b->least;
  const uint64_t at = b->where / 64 + number % TL_PERMUTED * width;
  return b->least + tl_get_bits ((const uint64_t *)p->words.base, at, width);
}

// The number that has this image.
uint64_t tl_permutation_find (const tl_permutation *, uint64_t image);

uint64_t tl_permutation_bytes (const tl_permutation *);

// A finished one whose blocks and differences are borrowed; these are followed
// by words that readers may look at, as in a graph.  TL_E_SYNTAX: they are not
// those of a permutation of `count` numbers.
tl_status tl_permutation_borrow (tl_permutation **, tl_mem *, uint64_t count,
                                 uint64_t bits, const tl_permutation_block *,
                                 const uint64_t *words);

#endif
