#ifndef TL_SYMBOLIC_OPERATIONS_H
#define TL_SYMBOLIC_OPERATIONS_H

#include "base/mem.h"

// Results of operations on sets that are remembered, by the two sets they are
// made of and a number that says how: a table in which a newer
// one takes the place of an older one.  It grows with what is put into it as
// long as the account has plenty of memory.

typedef struct tl_operation {
  uint32_t a, b, c, result; // a is 0: nothing is here
} tl_operation;

typedef struct tl_operations {
  tl_mem *mem;
  tl_operation *row;
  size_t rows, most; // powers of two
  uint64_t puts;
} tl_operations;

// `rows`: it has so many and does not grow; 0: as usual.
tl_status tl_operations_open (tl_operations *, tl_mem *, size_t rows);
void tl_operations_close (tl_operations *);

static inline size_t tl_operations_row (const tl_operations *o, uint32_t a,
                                        uint32_t b, uint32_t c) {
  const uint64_t h = (a * 0x9e3779b97f4a7c15u) ^
                     ((b + 1) * 0xd6e8feb86659fd93u) ^
                     (c * 0xff51afd7ed558ccdu);
  return (h ^ h >> 29 ^ h >> 43) & (o->rows - 1);
}

static inline bool tl_operations_get (const tl_operations *o, uint32_t a,
                                      uint32_t b, uint32_t c,
                                      uint32_t *result) {
  const tl_operation *row = o->row + tl_operations_row (o, a, b, c);
  if (row->a != a || row->b != b || row->c != c)
    return false;
  *result = row->result;
  return true;
}

void tl_operations_put (tl_operations *, uint32_t a, uint32_t b, uint32_t c,
                        uint32_t result);

// Forgets those of which a, b or the result is a set of which `gone` says so.
void tl_operations_forget (tl_operations *,
                           bool (*gone) (const void *context, uint32_t set),
                           const void *context);

#endif
