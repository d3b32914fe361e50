#ifndef TL_BASE_MARKUP_H
#define TL_BASE_MARKUP_H

#include <stdio.h>

// Writes a text into XML, as what an element or an attribute holds.  Control
// characters, which XML cannot hold, become blanks.
void tl_markup_text (FILE *, const char *);

#endif
