#ifndef TL_SWEEP_DUPLICATES_H
#define TL_SWEEP_DUPLICATES_H

#include "base/mem.h"

// Duplicate detection: which of some candidates, perhaps many, are among the
// visited states, many more, that come one after another?  Each candidate sets
// two bits of a filter.  Visited states that pass it are written down: all
// duplicates, and few more.  When all have come, an index is made of these, and
// the filter is given back.
//
//     candidates --> | filter | <-- visited     look --> | index | --> | keys |
//
// The order of calls is that of the functions below.  Another filter, of the
// keys found, spares most that were not the index.  Cost: two to four bytes for
// each candidate, then ten for each duplicate, and its key; two nanoseconds for
// a visited state that does not pass.

typedef struct tl_duplicates {
  tl_mem *mem;
  uint32_t words, bytes; // of a key
  uint64_t *filter;
  uint64_t mask;       // the filter's words, a power of two, - 1
  unsigned char *keys; // of `bytes` bytes, and what may be read behind them
  size_t count, room;  // keys, and bytes
  uint32_t *index;     // 0 is free; else number + 1 of a key, and a tag above
  size_t places;
  unsigned number_bits;
} tl_duplicates;

// For so many candidates.
tl_status tl_duplicates_open (tl_duplicates *, tl_mem *, uint32_t words,
                              uint32_t bytes, uint64_t candidates);
void tl_duplicates_close (tl_duplicates *);

// Keys are the first words of records of that many words.
void tl_duplicates_add_candidates (tl_duplicates *, const uint64_t *records,
                                   size_t stride, size_t n);

tl_status tl_duplicates_add_visited (tl_duplicates *, const uint64_t *keys,
                                     size_t n);

// All visited states have come.
tl_status tl_duplicates_index (tl_duplicates *);

// Which candidates are not among the visited states?  Of keys that were no
// candidates nothing is known.
void tl_duplicates_look (const tl_duplicates *, const uint64_t *records,
                         size_t stride, size_t n, uint8_t *isnew);

#endif
