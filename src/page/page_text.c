#include "page/page.h"

#include "base/utf8.h"

#include <string.h>

// U+2028 and U+2029 end lines in some scripts.
static bool ends_line (const char *text) {
  return !memcmp (text, "\xe2\x80\xa8", 3) || !memcmp (text, "\xe2\x80\xa9", 3);
}

// One character, of `length` bytes.  Those that mean something in markup, and
// what no text should have.
static void write_character (FILE *f, const char *text, size_t length) {
  const unsigned char c = (unsigned char)*text;
  if (length == 3 && ends_line (text))
    fprintf (f, "\\u202%c", text[2] == '\xa8' ? '8' : '9');
  else if (length == 1 && (c < ' ' || strchr ("<>&'\x7f", c)))
    fprintf (f, "\\u%04x", c);
  else
    fwrite (text, 1, length, f);
}

void tl_page_string (FILE *f, const char *text) {
  const char *end = text + strlen (text);
  putc ('"', f);
  while (text < end) {
    const size_t length = tl_utf8_length (text, (size_t)(end - text));
    if (!length)
      putc ('?', f);
    else if (*text == '"' || *text == '\\')
      fprintf (f, "\\%c", *text);
    else
      write_character (f, text, length);
    text += length ? length : 1;
  }
  putc ('"', f);
}

void tl_page_json (FILE *f, const char *json) {
  const char *end = json + strlen (json);
  while (json < end) {
    const size_t length = tl_utf8_length (json, (size_t)(end - json));
    if (*json != '\n')
      write_character (f, json, length ? length : 1);
    json += length ? length : 1;
  }
}
