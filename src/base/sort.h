#ifndef TL_BASE_SORT_H
#define TL_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>

// Sorts records of `size` bytes in place by their first `key` bytes, read as a
// number with its lowest byte first.  A radix sort: the time is a few passes
// over the records, whatever order they come in; takes no memory but a little
// stack.
void tl_sort_records (unsigned char *records, size_t count, size_t size,
                      size_t key);

#endif
