#ifndef TL_BASE_ERROR_H
#define TL_BASE_ERROR_H

#include "tideline.h"

// Filling a tl_error.  Both return `code`, so that a caller can write
// `return tl_fail (err, TL_E_ARG, "...")`; a null `err` is allowed.

tl_status tl_fail (tl_error *err, tl_status code, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));

// The same, about a place in an input; line and column 0 when not known.
tl_status tl_fail_at (tl_error *err, tl_status code, const char *file,
                      long line, long column, const char *format, ...)
    __attribute__ ((format (printf, 6, 7)));

// Text from an input that goes into a message: at most `size` bytes with the
// terminator, control characters replaced, so that a message is one line.
const char *tl_printable (char *out, size_t size, const char *text,
                          size_t length);

#endif
