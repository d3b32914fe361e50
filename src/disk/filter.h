#ifndef TL_DISK_FILTER_H
#define TL_DISK_FILTER_H

#include "base/mem.h"

// A Bloom filter of keys: tells for certain that a key was never added.  Each
// key has four bits of one word.
// (B. H. Bloom, "Space/time trade-offs in hash coding with allowable errors",
// 1970; in blocks: Putze, Sanders and Singler, "Cache-, hash- and
// space-efficient Bloom filters", 2007.)
typedef struct tl_filter {
  tl_mem *mem;
  uint64_t *word;       // null: there is none
  size_t words;         // a power of two
  uint64_t count, most; // keys added, and how many it is for
  uint32_t key_words;
} tl_filter;

// For so many keys; TL_E_NOMEM: there is none, and nothing to be closed.
tl_status tl_filter_open (tl_filter *, tl_mem *, uint64_t most,
                          uint32_t key_words);
void tl_filter_close (tl_filter *);
void tl_filter_add (tl_filter *, const uint64_t *key);
bool tl_filter_may_have (const tl_filter *, const uint64_t *key);

// Bytes that it takes.
size_t tl_filter_bytes (uint64_t most);

#endif
