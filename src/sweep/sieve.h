#ifndef TL_SWEEP_SIEVE_H
#define TL_SWEEP_SIEVE_H

#include "base/mem.h"

// Which of some keys, perhaps many, are among others, many more, that come one
// after another?  Each of the first sets two bits of a filter.  Those of the
// others that pass it are written down: all that are wanted, and few more.
// When all have come, an index is made of these, and the filter is given back.
//
//     want --> | filter | <-- tell          look --> | index | --> | keys |
//
// The order of calls is that of the functions below.  Another filter, of the
// keys found, spares most that were not the index.  Cost: two to four bytes for
// each key that is wanted, then ten for each that was found, and the key; two
// nanoseconds for a key told that does not pass.

typedef struct tl_sieve {
  tl_mem *mem;
  uint32_t words, bytes; // of a key
  uint64_t *filter;
  uint64_t mask;       // the filter's words, a power of two, - 1
  unsigned char *keys; // of `bytes` bytes, and what may be read behind them
  size_t count, room;  // keys, and bytes
  uint32_t *index;     // 0 is free; else number + 1 of a key, and a tag above
  size_t places;
  unsigned number_bits;
} tl_sieve;

// For so many keys that are wanted.
tl_status tl_sieve_open (tl_sieve *, tl_mem *, uint32_t words, uint32_t bytes,
                         uint64_t wanted);
void tl_sieve_close (tl_sieve *);

// Keys are the first words of records of that many words.
void tl_sieve_want (tl_sieve *, const uint64_t *records, size_t stride,
                    size_t n);

// Keys as bytes, the lowest first; up to seven bytes behind the last are read.
tl_status tl_sieve_tell (tl_sieve *, const unsigned char *keys, size_t n);

// All were told.
tl_status tl_sieve_settle (tl_sieve *);

// Was a key that was wanted not told?  Of others nothing is known.
void tl_sieve_look (const tl_sieve *, const uint64_t *records, size_t stride,
                    size_t n, uint8_t *isnew);

#endif
