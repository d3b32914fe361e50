#include "base/sized.h"

#include <stdlib.h>
#include <string.h>

// No struct is as long: what stands there was never set.
enum { MOST = 1 << 16 };

static size_t size_of (const void *given) {
  size_t size = 0;
  if (given)
    memcpy (&size, given, sizeof size);
  return size >= 2 * sizeof size && size <= MOST ? size : 0;
}

static void set_size (void *at, size_t size) {
  memcpy (at, &size, sizeof size);
}

static size_t least (size_t a, size_t b) {
  return a < b ? a : b;
}

bool tl_sized_take (void *whole, size_t size, const void *given) {
  const size_t known = least (size_of (given), size);
  memset (whole, 0, size);
  if (known)
    memcpy (whole, given, known);
  set_size (whole, size);
  return known;
}

bool tl_sized_clear (void *out) {
  const size_t size = size_of (out);
  if (!size)
    return false;
  memset (out, 0, size);
  set_size (out, size);
  return true;
}

void tl_sized_give (void *out, void *whole, size_t size) {
  const size_t known = least (size_of (out), size);
  memcpy (out, whole, known);
  memset (whole, 0, known);
  set_size (out, known);
  set_size (whole, size);
}

bool tl_sized_is (size_t size) {
  return size_of (&size);
}

static unsigned char *element (void *array, size_t number, size_t size) {
  return (unsigned char *)array + number * size;
}

void *tl_sized_give_array (void *array, size_t count, size_t from, size_t to) {
  unsigned char *out = calloc (count + 1, to);
  for (size_t i = 0; out && i < count; i++) {
    set_size (element (out, i, to), to);
    tl_sized_give (element (out, i, to), element (array, i, from), from);
  }
  return out;
}

void *tl_sized_take_array (const void *array, size_t count, size_t from,
                           size_t to) {
  unsigned char *whole = calloc (count + 1, to);
  for (size_t i = 0; whole && i < count; i++)
    tl_sized_take (element (whole, i, to), to,
                   (const unsigned char *)array + i * from);
  return whole;
}

// ---- Results with an array -------------------------------------------------

bool tl_answers_take (tl_answers *whole, const tl_answers *given) {
  if (!TL_TAKE (whole, given))
    return false;
  const size_t from = whole->answer_size;
  whole->answer_size = sizeof *whole->answer;
  whole->run.size = sizeof whole->run;
  if (from != sizeof *whole->answer && whole->answer)
    whole->answer = tl_sized_take_array (whole->answer, whole->count, from,
                                         sizeof *whole->answer);
  return whole->answer || !whole->count;
}

void tl_answers_release (tl_answers *whole, const tl_answers *given) {
  if (whole->answer != given->answer)
    free (whole->answer);
}

bool tl_candidates_take (tl_candidates *whole, const tl_candidates *given) {
  if (!TL_TAKE (whole, given))
    return false;
  const size_t from = whole->candidate_size;
  whole->candidate_size = sizeof *whole->candidate;
  if (from != sizeof *whole->candidate && whole->candidate)
    whole->candidate = tl_sized_take_array (whole->candidate, whole->count,
                                            from, sizeof *whole->candidate);
  return whole->candidate || !whole->count;
}

void tl_candidates_release (tl_candidates *whole, const tl_candidates *given) {
  if (whole->candidate != given->candidate)
    free (whole->candidate);
}
