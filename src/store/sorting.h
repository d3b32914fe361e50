#ifndef TL_STORE_SORTING_H
#define TL_STORE_SORTING_H

#include <stddef.h>
#include <stdint.h>

// Sorts keys for files of them (store/ascending.h): byte by byte, from the
// lowest on, which takes some nanoseconds a key and as much room again.

// Records of so many words; the last ones are the key, of which so many bits
// may be set, its last word counts most.  Returns where the sorted ones are:
// `records` or `room`.
uint64_t *tl_sort_keys (uint64_t *records, uint64_t *room, size_t count,
                        uint32_t words, uint32_t key_bits);

#endif
