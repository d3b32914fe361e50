#ifndef TL_READ_LOLA_H
#define TL_READ_LOLA_H

#include <stdbool.h>
#include <stddef.h>

// What the reader and the writer of LoLA's format agree on.  A name of ours
// that LoLA cannot express is written with escapes, a percent sign and two
// upper-case hexadecimal digits for a byte; a comment at the beginning of the
// file says so.  In files without it a percent sign is nothing special.
#define TL_LOLA_ESCAPES " names are written with %XX for a byte "

// Does this character end a name?
bool tl_lola_ends_name (int c);
bool tl_lola_is_keyword (const char *word);
// Is this %XX?
bool tl_lola_is_escape (const char *text, size_t length);

#endif
