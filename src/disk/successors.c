#include "disk/successors.h"

#include <string.h>

enum { DIGIT = 11, FEW = 256 }; // bits of a digit; records not worth counting

// ---- In one word: by digits, the lowest first ------------------------------

// One pass, by the `width` bits from `shift` on.
static void distribute (const uint64_t *from, size_t count, uint64_t *to,
                        unsigned shift, unsigned width) {
  size_t at[(size_t)1 << DIGIT];
  const uint64_t mask = tl_low_bits (width);
  memset (at, 0, sizeof *at << width);
  for (size_t i = 0; i < count; i++)
    at[from[i] >> shift & mask]++;
  size_t sum = 0;
  for (size_t d = 0; d <= mask; d++) {
    const size_t here = at[d];
    at[d] = sum;
    sum += here;
  }
  for (size_t i = 0; i < count; i++)
    to[at[from[i] >> shift & mask]++] = from[i];
}

// Where the sorted records are: in one of the two arrays.
static uint64_t *sort_by_digits (const tl_successor_form *f, uint64_t *records,
                                 size_t count, uint64_t *room) {
  uint64_t differ = 0;
  for (size_t i = 1; i < count; i++)
    differ |= records[i] ^ *records;
  const unsigned top = tl_bits_for (differ),
                 bits = top > f->event_bits ? top - f->event_bits : 0,
                 passes = (bits + DIGIT - 1) / DIGIT;
  unsigned shift = f->event_bits;
  for (unsigned p = 0; p < passes; p++) {
    const unsigned width = (top - shift + (passes - p) - 1) / (passes - p);
    distribute (records, count, room, shift, width);
    shift += width;
    uint64_t *const sorted = room;
    room = records;
    records = sorted;
  }
  return records;
}

// ---- In general: by merging ------------------------------------------------

static int compare (const tl_successor_form *f, const uint64_t *a,
                    const uint64_t *b) {
  if (f->packed) {
    const uint64_t x = *a >> f->event_bits, y = *b >> f->event_bits;
    return x < y ? -1 : x > y;
  }
  for (uint32_t w = f->words; w > 0; w--)
    if (a[w] != b[w])
      return a[w] < b[w] ? -1 : 1;
  return 0;
}

// Two sorted lists, one behind the other, become one.
static void merge (const tl_successor_form *f, const uint64_t *from,
                   size_t first, size_t count, uint64_t *to) {
  const size_t size = f->size;
  const uint64_t *a = from, *b = from + first * size;
  const uint64_t *const a_end = b, *const b_end = from + count * size;
  for (; a < a_end || b < b_end; to += size) {
    const bool left = b == b_end || (a < a_end && compare (f, a, b) <= 0);
    tl_copy_words (to, left ? a : b, size);
    a += left ? size : 0;
    b += left ? 0 : size;
  }
}

static uint64_t *sort_by_merging (const tl_successor_form *f, uint64_t *records,
                                  size_t count, uint64_t *room) {
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t i = 0; i < count; i += 2 * width) {
      const size_t rest = count - i, both = rest < 2 * width ? rest : 2 * width;
      merge (f, records + i * f->size, width < both ? width : both, both,
             room + i * f->size);
    }
    uint64_t *const sorted = room;
    room = records;
    records = sorted;
  }
  return records;
}

// ----------------------------------------------------------------------------

size_t tl_successors_sort (const tl_successor_form *f, uint64_t *records,
                           size_t count, uint64_t *room) {
  const uint64_t *sorted = f->packed && count > FEW
                               ? sort_by_digits (f, records, count, room)
                               : sort_by_merging (f, records, count, room);
  size_t left = 0;
  for (size_t i = 0; i < count; i++)
    if (!i || compare (f, sorted + (i - 1) * f->size, sorted + i * f->size))
      memmove (records + left++ * f->size, sorted + i * f->size,
               f->size * sizeof *records);
  return left;
}
