#ifndef TL_READ_TEXT_H
#define TL_READ_TEXT_H

#include "tideline.h"

// What the readers and writers of nets agree on about texts.  The ids of a
// net are UTF-8 without control characters, 1 to TL_LONGEST_ID bytes long.

#define TL_LONGEST_ID ((size_t)65536)

// A number of tokens: decimal digits only, at most TL_MAX_TOKENS.  Null, or
// what is wrong, to be put behind the quoted text: "is negative".
const char *tl_text_count (const char *text, uint32_t *value);

// Null, or what is wrong with a text as an id: "is empty".
const char *tl_text_id (const char *text, size_t length);

// UTF-8 of characters that an XML document may contain as well.
bool tl_text_is_utf8 (const char *text, size_t length);

// The bytes as if they were ISO-8859-1, in UTF-8.  `out` has room for twice
// the length and a zero byte; it may not overlap the text.
size_t tl_text_from_latin1 (char *out, const char *text, size_t length);

// Control characters become blanks, and blanks around the text go.
void tl_text_one_line (char *text);

#endif
