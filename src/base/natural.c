#include "base/natural.h"

#include "base/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Adds to the limbs from `at` on, which may get longer.
static void carry_into (tl_natural *a, size_t at, uint64_t carry) {
  for (; carry; at++) {
    if (at == a->count)
      a->limb[a->count++] = 0;
    a->limb[at] += carry;
    carry = a->limb[at] < carry;
  }
}

static void lengthen (tl_natural *a, size_t count) {
  while (a->count < count)
    a->limb[a->count++] = 0;
}

static void trim (tl_natural *a) {
  while (a->count && !a->limb[a->count - 1])
    a->count--;
}

void tl_natural_add (tl_natural *a, tl_natural b) {
  uint64_t carry = 0;
  lengthen (a, b.count);
  for (size_t i = 0; i < b.count; i++) {
    const unsigned __int128 sum =
        (unsigned __int128)a->limb[i] + b.limb[i] + carry;
    a->limb[i] = (uint64_t)sum;
    carry = (uint64_t)(sum >> 64);
  }
  carry_into (a, b.count, carry);
}

void tl_natural_add_product (tl_natural *a, tl_natural b, tl_natural c) {
  if (!b.count || !c.count)
    return;
  lengthen (a, b.count + c.count - 1);
  for (size_t i = 0; i < b.count; i++) {
    uint64_t carry = 0;
    for (size_t j = 0; j < c.count; j++) {
      const unsigned __int128 sum =
          (unsigned __int128)b.limb[i] * c.limb[j] + a->limb[i + j] + carry;
      a->limb[i + j] = (uint64_t)sum;
      carry = (uint64_t)(sum >> 64);
    }
    carry_into (a, i + c.count, carry);
  }
  trim (a);
}

uint64_t tl_natural_bits (tl_natural a) {
  return a.count ? 64 * (a.count - 1) + tl_bits_for (a.limb[a.count - 1]) : 0;
}

uint64_t tl_natural_clipped (tl_natural a) {
  return a.count > 1 ? UINT64_MAX : a.count ? a.limb[0] : 0;
}

// Divides and gives the remainder.
static uint64_t divide (tl_natural *a, uint64_t by) {
  unsigned __int128 rest = 0;
  for (size_t i = a->count; i-- > 0;) {
    rest = rest << 64 | a->limb[i];
    a->limb[i] = (uint64_t)(rest / by);
    rest %= by;
  }
  trim (a);
  return (uint64_t)rest;
}

// Nineteen digits at a time, from the end.
char *tl_natural_text (tl_natural given) {
  enum { DIGITS = 19 };
  const size_t room = (given.count + 1) * 20 + 1;
  tl_natural a = {malloc ((given.count + 1) * sizeof *a.limb), given.count};
  char *text = malloc (room), *at = text + room - 1, part[DIGITS + 1];
  if (!a.limb || !text) {
    free (a.limb);
    free (text);
    return 0;
  }
  if (given.count)
    memcpy (a.limb, given.limb, given.count * sizeof *a.limb);
  *at = 0;
  do {
    snprintf (part, sizeof part, "%019llu",
              (unsigned long long)divide (&a, 10000000000000000000u));
    at -= DIGITS;
    memcpy (at, part, DIGITS);
  } while (a.count);
  while (*at == '0' && at[1])
    at++;
  memmove (text, at, strlen (at) + 1);
  free (a.limb);
  return text;
}
