#include "cli/quantities.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <stdlib.h>
#include <strings.h>

// digits * 10^scale
typedef struct decimal {
  uint64_t digits;
  int scale;
} decimal;

#define FARTHEST 400 // that a scale may be: more than any number here takes

static bool add_digit (decimal *d, char c) {
  return !__builtin_mul_overflow (d->digits, (uint64_t)10, &d->digits) &&
         !__builtin_add_overflow (d->digits, (uint64_t)(c - '0'), &d->digits);
}

static bool is_digit (char c) {
  return c >= '0' && c <= '9';
}

// The e of 1e6 and what follows it, if that is a number.
static const char *read_exponent (const char *text, int *exponent) {
  *exponent = 0;
  if (*text != 'e' && *text != 'E')
    return text; // nothing may follow
  const char *at = text + 1;
  const bool negative = *at == '-';
  at += negative || *at == '+';
  if (!is_digit (*at))
    return text;
  for (; is_digit (*at) && *exponent < FARTHEST; at++)
    *exponent = 10 * *exponent + (*at - '0');
  if (negative)
    *exponent = -*exponent;
  return at;
}

// A number at the front; where it ends, or null: there is none.
static const char *read_decimal (const char *text, decimal *d) {
  const char *at = text;
  size_t digits = 0;
  *d = (decimal){0};
  for (; is_digit (*at); at++, digits++)
    if (!add_digit (d, *at))
      return 0;
  if (*at == '.')
    for (at++; is_digit (*at); at++, digits++, d->scale--)
      if (!add_digit (d, *at))
        return 0;
  if (!digits)
    return 0;
  int exponent;
  at = read_exponent (at, &exponent);
  d->scale += exponent;
  return at;
}

// d * unit, without what is behind the point; *exact: nothing is.
static bool scaled (decimal d, uint64_t unit, uint64_t *value, bool *exact) {
  unsigned __int128 n = (unsigned __int128)d.digits * unit;
  *exact = true;
  for (; n && d.scale < 0; d.scale++, n /= 10)
    *exact &= !(n % 10);
  for (; n && d.scale > 0; d.scale--, n *= 10)
    if (n > UINT64_MAX)
      return false;
  *value = (uint64_t)n;
  return n <= UINT64_MAX;
}

bool parse_count (const char *text, uint64_t *value) {
  decimal d;
  bool exact;
  const char *end = read_decimal (text, &d);
  return end && !*end && scaled (d, 1, value, &exact) && exact;
}

bool parse_size (const char *text, uint64_t *value) {
  static const char letters[] = "KMGT";
  decimal d;
  bool exact;
  const char *unit = read_decimal (text, &d);
  if (!unit)
    return false;
  const char *letter = *unit ? strchr (letters, *unit & ~0x20) : 0;
  const char *rest = unit + (letter ? 1 : 0);
  const bool thousands = letter && !strcasecmp (rest, "B");
  if (*rest && !thousands && strcasecmp (rest, letter ? "iB" : "B"))
    return false;
  uint64_t bytes = 1;
  for (ptrdiff_t i = letter ? letter - letters : -1; i >= 0; i--)
    bytes *= thousands ? 1000 : 1024;
  return scaled (d, bytes, value, &exact);
}

// The unit of time at the front, in seconds; 0: there is none.
static double read_unit (const char **text) {
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"ms", 1e-3}, {"min", 60}, {"m", 60},
               {"s", 1},     {"h", 3600}, {"d", 86400}};
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    const size_t length = strlen (units[i].name);
    if (!strncmp (*text, units[i].name, length)) {
      *text += length;
      return units[i].seconds;
    }
  }
  return 0;
}

bool parse_time (const char *text, double *seconds) {
  *seconds = 0;
  bool alone = true; // no part was read before
  do {
    decimal d;
    if (!(text = read_decimal (text, &d)))
      return false;
    const double unit = read_unit (&text);
    if (unit <= 0 && (*text || !alone))
      return false;
    const double power = pow (10, abs (d.scale));
    *seconds +=
        (d.scale < 0 ? (double)d.digits / power : (double)d.digits * power) *
        (unit > 0 ? unit : 1);
    alone = false;
  } while (*text);
  return isfinite (*seconds);
}
