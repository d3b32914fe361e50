#ifndef TL_BASE_NUMBER_LIST_H
#define TL_BASE_NUMBER_LIST_H

#include "base/mem.h"

// Larger numbers take eight bytes.  Tests build the library with a small value.
#ifndef TL_NARROW_MOST
#define TL_NARROW_MOST UINT32_MAX
#endif

// A list of numbers below 2^64 that takes four bytes for each while all of them
// fit into that, and eight from then on.  Numbers of states are such: few
// searches have 2^32 of them, and none pays for those that have.
typedef struct tl_numbers {
  void *at;
  size_t room;
  bool wide;
} tl_numbers;

static inline uint64_t tl_numbers_get (const tl_numbers *n, uint64_t i) {
  return n->wide ? ((const uint64_t *)n->at)[i] : ((const uint32_t *)n->at)[i];
}

// It has room for it.
static inline void tl_numbers_set (tl_numbers *n, uint64_t i, uint64_t value) {
  if (n->wide)
    ((uint64_t *)n->at)[i] = value;
  else
    ((uint32_t *)n->at)[i] = (uint32_t)value;
}

static inline void tl_numbers_prefetch (const tl_numbers *n, uint64_t i) {
  __builtin_prefetch ((const char *)n->at + (i << (n->wide ? 3 : 2)));
}

// Makes room for `count` numbers of at most `most`; what is new is 0.  False:
// no memory, and it is as it was.
bool tl_numbers_grow (tl_numbers *, tl_mem *, size_t count, uint64_t most);
void tl_numbers_close (tl_numbers *, tl_mem *);

#endif
