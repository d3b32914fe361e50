#include "store/sorting.h"

#include "base/bits.h"
#include "store/ascending.h"

#include <stdlib.h>

enum { RADIX_BYTES = 16 }; // keys of more bytes are sorted by comparing them

// By one byte of a word; where all are the same, nothing moves.
static bool sort_by (const uint64_t *from, uint64_t *to, size_t count,
                     uint32_t words, uint32_t word, uint32_t shift) {
  size_t start[257] = {0};
  for (size_t i = 0; i < count; i++)
    start[(from[i * words + word] >> shift & 0xff) + 1]++;
  for (size_t v = 0; v < 256; v++)
    if (start[v + 1] == count)
      return false;
  for (size_t v = 0; v < 256; v++)
    start[v + 1] += start[v];
  for (size_t i = 0; i < count; i++, from += words)
    tl_copy_words (to + start[from[word] >> shift & 0xff]++ * words, from,
                   words);
  return true;
}

static int compare (const void *a, const void *b, void *words) {
  const uint32_t n = *(const uint32_t *)words;
  return tl_key_less (b, a, n) - tl_key_less (a, b, n);
}

uint64_t *tl_sort_keys (uint64_t *records, uint64_t *room, size_t count,
                        uint32_t words, uint32_t key_bits) {
  const uint32_t bytes = (key_bits + 7) / 8,
                 first = words - (key_bits ? (key_bits + 63) / 64 : 1);
  if (bytes > RADIX_BYTES) {
    qsort_r (records, count, words * sizeof *records, compare, &words);
    return records;
  }
  for (uint32_t i = 0; i < bytes; i++)
    if (sort_by (records, room, count, words, first + i / 8, i % 8 * 8)) {
      uint64_t *const sorted = room;
      room = records;
      records = sorted;
    }
  return records;
}
