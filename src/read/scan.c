#include "read/scan.h"
#include "base/error.h"
#include "read/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tl_scan_open (tl_scan *s, tl_reading *reading) {
  *s = (tl_scan){.reading = reading,
                 .line = 1,
                 .column = 1,
                 .word_line = 1,
                 .word_column = 1};
  const tl_input *in = reading->in;
  if (in->length >= 3 && !memcmp (in->block, "\xef\xbb\xbf", 3))
    s->at = 3; // a byte order mark
}

void tl_scan_close (tl_scan *s) {
  if (s->word)
    TL_DEL (s->reading->mem, s->word, s->room);
}

int tl_scan_refill (tl_scan *s) {
  tl_input *in = s->reading->in;
  if (!in->length)
    return TL_SCAN_END;
  s->at = 0;
  s->status = tl_input_next (in, s->reading->err);
  if (s->status)
    in->length = 0;
  return in->length ? in->block[0] : TL_SCAN_END;
}

tl_status tl_scan_fail (tl_scan *s, tl_status code, const char *format, ...) {
  if (s->status)
    return s->status;
  char text[sizeof s->reading->err->text];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  s->reading->in->length = s->at = 0; // the input ends here
  return s->status = tl_fail_at (s->reading->err, code, s->reading->in->name,
                                 s->word_line, s->word_column, "%s", text);
}

tl_status tl_scan_no_memory (tl_scan *s) {
  if (!s->status)
    s->status = tl_fail (s->reading->err, TL_E_NOMEM, "no memory for the net");
  s->reading->in->length = s->at = 0;
  return s->status;
}

void tl_scan_begin (tl_scan *s) {
  s->length = 0;
  s->word_line = s->line;
  s->word_column = s->column;
}

void tl_scan_add (tl_scan *s, int c) {
  if (s->length >= TL_LONGEST_ID)
    tl_scan_fail (s, TL_E_SYNTAX, "a word is longer than %zu bytes",
                  TL_LONGEST_ID);
  else if (!TL_ROOM (s->reading->mem, s->word, &s->room, s->length + 1))
    tl_scan_no_memory (s);
  else
    s->word[s->length++] = (char)c;
}

tl_status tl_scan_end (tl_scan *s) {
  const size_t n = s->length;
  const bool utf8 = tl_text_is_utf8 (s->word, n);
  if (!TL_ROOM (s->reading->mem, s->word, &s->room, (utf8 ? n : 3 * n + 1) + 1))
    return tl_scan_no_memory (s);
  if (!utf8) {
    memmove (s->word + 2 * n + 1, s->word, n);
    s->length = tl_text_from_latin1 (s->word, s->word + 2 * n + 1, n);
  }
  s->word[s->length] = 0;
  return s->status;
}
