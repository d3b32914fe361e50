#ifndef TL_READ_PATTERN_H
#define TL_READ_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

// Names with stars in them, each of which stands for any text, also for none.

enum { TL_PATTERN_STARS = 9 };

// What a star stands for: part of the name.
typedef struct tl_star {
  size_t start, length;
} tl_star;

size_t tl_pattern_stars (const char *pattern);

// Does the name match?  With more than TL_PATTERN_STARS stars nothing does.
// The first star stands for as little as possible, then the second, ...
bool tl_pattern_match (const char *pattern, const char *name,
                       tl_star star[TL_PATTERN_STARS]);

#endif
