#include "lna/source.h"
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Texts are read into memory as a whole; nobody writes one this long.
#define LONGEST ((size_t)256 << 20)

static tl_status read_all (tl_lna_source *s, tl_input *in) {
  while (in->length) {
    if (in->length > LONGEST - s->length)
      return tl_fail_at (s->err, TL_E_SYNTAX, s->path, 0, 0,
                         "the file is longer than %zu MiB", LONGEST >> 20);
    if (!TL_ROOM (s->mem, s->text, &s->room, s->length + in->length))
      return tl_fail (s->err, TL_E_NOMEM, "no memory for the net");
    memcpy (s->text + s->length, in->block, in->length);
    s->length += in->length;
    const tl_status status = tl_input_next (in, s->err);
    if (status)
      return status;
  }
  return TL_OK;
}

tl_status tl_lna_source_open (tl_lna_source *s, tl_mem *mem, tl_input *in,
                              tl_error *err) {
  *s = (tl_lna_source){
      .mem = mem, .err = err, .path = in->name, .scratch = TL_ARENA (mem)};
  return s->status = read_all (s, in);
}

void tl_lna_source_close (tl_lna_source *s) {
  tl_arena_close (&s->scratch);
  TL_DEL (s->mem, s->text, s->room);
}

static bool fail (tl_lna_source *s, tl_status code, tl_where where,
                  const char *format, va_list arguments) {
  if (s->status)
    return false;
  char text[sizeof s->err->text];
  vsnprintf (text, sizeof text, format, arguments);
  s->status =
      tl_fail_at (s->err, code, s->path, where.line, where.column, "%s", text);
  return false;
}

bool tl_lna_fail (tl_lna_source *s, tl_where where, const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  fail (s, TL_E_SYNTAX, where, format, arguments);
  va_end (arguments);
  return false;
}

bool tl_lna_refuse (tl_lna_source *s, tl_status code, tl_where where,
                    const char *format, ...) {
  va_list arguments;
  va_start (arguments, format);
  fail (s, code, where, format, arguments);
  va_end (arguments);
  return false;
}

bool tl_lna_no_memory (tl_lna_source *s) {
  if (!s->status)
    s->status = tl_fail (s->err, TL_E_NOMEM, "no memory for the net");
  return false;
}

void *tl_lna_get (tl_lna_source *s, size_t count, size_t size) {
  void *p = tl_arena_get (&s->scratch, count, size);
  if (!p)
    tl_lna_no_memory (s);
  return p;
}
