#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *tl_version (void) {
  return TL_VERSION;
}

unsigned tl_version_number (void) {
  return TL_VERSION_NUMBER;
}

void tl_cancel (int *flag) {
  if (flag)
    __atomic_store_n (flag, 1, __ATOMIC_RELAXED);
}

const char *tl_status_text (tl_status code) {
  switch (code) {
  case TL_OK: return "ok";
  case TL_E_ARG: return "invalid argument";
  case TL_E_IO: return "input or output failed";
  case TL_E_SYNTAX: return "malformed input";
  case TL_E_MODEL: return "unsupported model";
  case TL_E_NOMEM: return "memory budget spent";
  case TL_E_LIMIT: return "limit reached";
  case TL_E_CANCEL: return "cancelled";
  case TL_E_INTERNAL: return "internal error";
  }
  return "unknown status";
}

static tl_status fill (tl_error *err, tl_status code, const char *file,
                       long line, long column, const char *format,
                       va_list arguments) {
  if (!err)
    return code;
  err->code = code;
  err->sys = code == TL_E_IO ? errno : 0;
  err->line = line;
  err->column = column;
  tl_printable (err->file, sizeof err->file, file ? file : "",
                file ? strlen (file) : 0);
  char raw[sizeof err->text];
  vsnprintf (raw, sizeof raw, format, arguments);
  tl_printable (err->text, sizeof err->text, raw, strlen (raw));
  return code;
}

tl_status tl_fail (tl_error *err, tl_status code, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  fill (err, code, 0, 0, 0, format, arguments);
  va_end (arguments);
  return code;
}

tl_status tl_fail_at (tl_error *err, tl_status code, const char *file,
                      long line, long column, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  fill (err, code, file, line, column, format, arguments);
  va_end (arguments);
  return code;
}

const char *tl_printable (char *out, size_t size, const char *text,
                          size_t length) {
  size_t n = 0;
  for (; n < length && n + 1 < size; n++) {
    const unsigned char c = (unsigned char)text[n];
    // U+0080 to U+009F are c2 80 to c2 9f.
    const bool second = n && text[n - 1] == '\xc2' && (c & 0xe0) == 0x80;
    out[n] = c < 0x20 || c == 0x7f || second ? '?' : (char)c;
    if (second)
      out[n - 1] = '?';
  }
  out[n] = 0;
  return out;
}
