#ifndef TL_EXPLORE_SIEVE_H
#define TL_EXPLORE_SIEVE_H

#include "explore/ahead.h"

// The successors of a round that the store does not have, each once.  States
// that are expanded one after the other have many successors in common: of
// those that are not there only every fifth is new, the others come again.  So
// they are dealt by hashes, and each thread sifts those of its parts: what
// comes again refers to the first.
enum {
  TL_SIEVE_KNOWN, // seen[i] is the number
  TL_SIEVE_NEW,   // the store does not have it
  TL_SIEVE_AGAIN // numbers[i] says where it was: so many chunks back, and there
};

// Of one thread.
typedef struct tl_sieve {
  tl_mem *mem;
  uint32_t *slot; // [slots] keys by hash, + 1; a power of two
  size_t slots;
  size_t key_room, which_room;
  uint64_t *keys;  // that came first
  uint64_t *which; // chunk and place of each
} tl_sieve;

#define TL_SIEVE(MEM) ((tl_sieve){.mem = (MEM)})
void tl_sieve_close (tl_sieve *);

// Looks the successors of a chunk up, and deals those that are not there to so
// many parts, as a power of two.
void tl_sieve_look (tl_store *, tl_chunk *, unsigned bits);
// Sifts one part of all chunks of a round.  Where there is no memory for that,
// all are said to be new.
void tl_sieve_sift (tl_sieve *, uint32_t key_words, tl_chunk *, size_t chunks,
                    uint32_t part);

// The number of a successor that came again; that of the first is known.
static inline uint64_t tl_sieve_number (const tl_chunk *c, size_t i) {
  const uint64_t at = c->numbers[i];
  return c[-(ptrdiff_t)(at >> 32)].seen[(uint32_t)at];
}

#endif
