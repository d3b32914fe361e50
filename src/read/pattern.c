#include "read/pattern.h"

size_t tl_pattern_stars (const char *pattern) {
  size_t stars = 0;
  for (; *pattern; pattern++)
    stars += *pattern == '*';
  return stars;
}

// What comes after a star is looked for as near as possible; it is never
// necessary to look farther for what lies before a later star.
bool tl_pattern_match (const char *pattern, const char *name,
                       tl_star star[TL_PATTERN_STARS]) {
  if (tl_pattern_stars (pattern) > TL_PATTERN_STARS)
    return false;
  size_t stars = 0, n = 0;
  const char *after = pattern; // the last star
  while (name[n]) {
    if (*pattern == '*') {
      after = ++pattern;
      star[stars++] = (tl_star){n, 0};
    } else if (*pattern == name[n]) {
      pattern++;
      n++;
    } else if (stars) {
      tl_star *last = star + stars - 1;
      n = last->start + ++last->length;
      pattern = after;
    } else
      return false;
  }
  for (; *pattern == '*'; pattern++)
    star[stars++] = (tl_star){n, 0};
  return !*pattern;
}
