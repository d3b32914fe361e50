#ifndef TL_BASE_UTF8_H
#define TL_BASE_UTF8_H

#include <stddef.h>

// How many bytes the character has that begins at `text`, of which `length`
// bytes are left; 0 if that is not UTF-8, or a character that an XML document
// may not contain (surrogates, U+FFFE and U+FFFF; control characters count).
size_t tl_utf8_length (const char *text, size_t length);

#endif
