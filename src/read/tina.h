#ifndef TL_READ_TINA_H
#define TL_READ_TINA_H

#include <stdbool.h>

// What the reader and the writer of TINA's format agree on.

// May this byte stand in a name without braces?
bool tl_tina_is_plain (int c);
bool tl_tina_is_keyword (const char *word);

#endif
