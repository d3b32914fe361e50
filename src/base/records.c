#include "base/records.h"

#include "base/bits.h"
#include "base/error.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

// What editors and transfers of text do to a file shows in the first bytes.
static const unsigned char magic[8] = {0x89, 'T',  'L', 'R',
                                       '\r', '\n', 26,  '\n'};
static const char end_type[] = "end ";

enum {
  NAME = TL_RECORD_NAME,
  FRONT = NAME + 4, // type and length
  SUM = 8,
  FILE_HEAD = sizeof magic + NAME + 4,
  ROOM = FRONT + TL_RECORD_MOST + SUM
};

#define MORE ((uint32_t)1 << 31)

static void write_half (unsigned char *at, uint32_t n) {
  n = htole32 (n);
  memcpy (at, &n, sizeof n);
}

static uint32_t read_half (const unsigned char *at) {
  uint32_t n;
  memcpy (&n, at, sizeof n);
  return le32toh (n);
}

// ---- Writing ---------------------------------------------------------------

static tl_status fail (tl_record_writer *w, tl_status rc) {
  if (!w->rc)
    w->rc = rc;
  return w->rc;
}

// Writes so many bytes of the room, and their sum behind them.
static tl_status emit (tl_record_writer *w, size_t length) {
  if (w->rc)
    return w->rc;
  w->sum = XXH3_64bits_withSeed (w->room, length, w->sum);
  tl_write_word (w->room + length, w->sum);
  w->at += length + SUM;
  errno = EIO;
  if (fwrite (w->room, 1, length + SUM, w->out.file) == length + SUM)
    return TL_OK;
  tl_fail_at (&w->error, TL_E_IO, tl_output_name (&w->out), 0, 0,
              "cannot write: %s", strerror (errno));
  return fail (w, TL_E_IO);
}

static tl_status emit_record (tl_record_writer *w, bool more) {
  write_half (w->room + NAME, (uint32_t)w->length | (more ? MORE : 0));
  const tl_status rc = emit (w, FRONT + w->length);
  w->length = 0;
  return rc;
}

tl_status tl_records_create (tl_record_writer *w, tl_mem *mem, const char *path,
                             const tl_record_kind *kind, tl_error *err) {
  *w = (tl_record_writer){.mem = mem};
  if (!TL_NEW (mem, w->room, ROOM))
    return tl_fail (err, TL_E_NOMEM, "no memory to write %s", path);
  const tl_status rc = tl_output_open (&w->out, path, err);
  if (rc) {
    TL_DEL (mem, w->room, ROOM);
    return rc;
  }
  memcpy (w->room, magic, sizeof magic);
  memcpy (w->room + sizeof magic, kind->letters, NAME);
  write_half (w->room + sizeof magic + NAME, kind->version);
  return emit (w, FILE_HEAD);
}

static tl_status end_section (tl_record_writer *w) {
  if (w->inside)
    emit_record (w, false);
  w->inside = false;
  return w->rc;
}

tl_status tl_records_begin (tl_record_writer *w, const char *type) {
  assert (strlen (type) == NAME);
  end_section (w);
  memcpy (w->room, type, NAME);
  w->inside = true;
  return w->rc;
}

// A full record waits for the byte behind it: it may be the last.
tl_status tl_records_write (tl_record_writer *w, const void *bytes,
                            size_t length) {
  const unsigned char *from = bytes;
  while (length && !w->rc) {
    if (w->length == TL_RECORD_MOST)
      emit_record (w, true);
    const size_t room = TL_RECORD_MOST - w->length,
                 part = length < room ? length : room;
    memcpy (w->room + FRONT + w->length, from, part);
    w->length += part;
    from += part;
    length -= part;
  }
  return w->rc;
}

tl_status tl_records_write_word (tl_record_writer *w, uint64_t word) {
  unsigned char bytes[8];
  tl_write_word (bytes, word);
  return tl_records_write (w, bytes, sizeof bytes);
}

tl_status tl_records_write_number (tl_record_writer *w, uint64_t number) {
  unsigned char bytes[10];
  size_t n = 0;
  for (; number >> 7; number >>= 7)
    bytes[n++] = (unsigned char)(number | 1u << 7);
  bytes[n++] = (unsigned char)number;
  return tl_records_write (w, bytes, n);
}

tl_status tl_records_write_text (tl_record_writer *w, const char *text) {
  const size_t length = strlen (text);
  tl_records_write_number (w, length);
  return tl_records_write (w, text, length);
}

tl_status tl_records_cut (tl_record_writer *w) {
  return w->length ? emit_record (w, true) : w->rc;
}

tl_status tl_records_finish (tl_record_writer *w, tl_status rc, tl_error *err) {
  if (!w->room)
    return rc;
  if (!rc) {
    const uint64_t before = (end_section (w), w->at);
    tl_records_begin (w, end_type);
    tl_records_write_word (w, before);
    rc = end_section (w);
    if (rc && err)
      *err = w->error;
  }
  rc = tl_output_close (&w->out, rc, err);
  TL_DEL (w->mem, w->room, ROOM);
  return rc;
}

// ---- Reading ---------------------------------------------------------------

static tl_status complain (const tl_record_reader *r, tl_error *err,
                           const char *what) {
  return tl_fail_at (err, TL_E_SYNTAX, r->path, 0, 0, "%s", what);
}

static tl_status take (tl_record_reader *r, unsigned char *to, size_t length,
                       tl_error *err) {
  errno = EIO;
  const size_t got = fread (to, 1, length, r->file);
  r->at += got;
  if (got == length)
    return TL_OK;
  if (ferror (r->file))
    return tl_fail_at (err, TL_E_IO, r->path, 0, 0, "cannot read: %s",
                       strerror (errno));
  return complain (r, err, "the file is cut off");
}

// Takes so many bytes more and the sum behind them, in room that begins with
// `before` bytes of what it is the sum of.
static tl_status take_summed (tl_record_reader *r, size_t before, size_t length,
                              tl_error *err) {
  const tl_status rc = take (r, r->room + before, length + SUM, err);
  if (rc)
    return rc;
  r->sum = XXH3_64bits_withSeed (r->room, before + length, r->sum);
  if (tl_read_word (r->room + before + length) != r->sum)
    return complain (r, err, "the file is damaged: a checksum is wrong");
  return TL_OK;
}

static tl_status take_head (tl_record_reader *r, const tl_record_kind *kind,
                            tl_error *err) {
  const size_t got = fread (r->room, 1, sizeof magic, r->file);
  r->at = got;
  if (got < sizeof magic || memcmp (r->room, magic, sizeof magic))
    return tl_fail_at (err, TL_E_SYNTAX, r->path, 0, 0,
                       "this is not a %s written by tideline", kind->name);
  const tl_status rc =
      take_summed (r, sizeof magic, FILE_HEAD - sizeof magic, err);
  if (rc)
    return rc;
  const unsigned char *letters = r->room + sizeof magic;
  if (memcmp (letters, kind->letters, NAME))
    return tl_fail_at (err, TL_E_SYNTAX, r->path, 0, 0,
                       "this is a file of tideline, but not a %s", kind->name);
  const uint32_t version = read_half (letters + NAME);
  if (version != kind->version)
    return tl_fail_at (err, TL_E_SYNTAX, r->path, 0, 0,
                       "this %s is of version %lu; this program reads %lu",
                       kind->name, (unsigned long)version,
                       (unsigned long)kind->version);
  return TL_OK;
}

static tl_status open_on (tl_record_reader *r, tl_mem *mem, const char *path,
                          FILE *file, const tl_record_kind *kind,
                          tl_error *err) {
  *r = (tl_record_reader){.path = path, .file = file, .mem = mem};
  if (!file)
    return tl_fail_at (err, TL_E_IO, path, 0, 0, "cannot read: %s",
                       strerror (errno));
  if (!TL_NEW (mem, r->room, ROOM))
    return tl_fail (err, TL_E_NOMEM, "no memory to read %s", path);
  return take_head (r, kind, err);
}

tl_status tl_records_open (tl_record_reader *r, tl_mem *mem, const char *path,
                           const tl_record_kind *kind, tl_error *err) {
  return open_on (r, mem, path, fopen (path, "re"), kind, err);
}

tl_status tl_records_open_memory (tl_record_reader *r, tl_mem *mem,
                                  const char *name, const void *bytes,
                                  size_t length, const tl_record_kind *kind,
                                  tl_error *err) {
  return open_on (r, mem, name, fmemopen ((void *)bytes, length, "r"), kind,
                  err);
}

void tl_records_close (tl_record_reader *r) {
  if (r->file)
    fclose (r->file);
  TL_DEL (r->mem, r->room, ROOM);
  *r = (tl_record_reader){0};
}

static tl_status check_end (tl_record_reader *r, uint64_t before,
                            tl_error *err) {
  if (r->more || r->length != 8 || tl_read_word (r->bytes) != before)
    return complain (r, err, "the file is damaged: it does not end as it says");
  if (fgetc (r->file) != EOF)
    return complain (r, err, "there is something behind the end of the file");
  r->type[0] = 0;
  r->length = 0;
  return TL_OK;
}

// The next record, which is of the same section or begins one.
static tl_status take_record (tl_record_reader *r, bool goes_on,
                              tl_error *err) {
  const uint64_t before = r->at;
  tl_status rc = take (r, r->room, FRONT, err);
  if (rc)
    return rc;
  const uint32_t word = read_half (r->room + NAME);
  r->more = word & MORE;
  r->length = word & ~MORE;
  r->bytes = r->room + FRONT;
  if (r->length > TL_RECORD_MOST)
    return complain (r, err, "the file is damaged: a record is too long");
  rc = take_summed (r, FRONT, r->length, err);
  if (rc)
    return rc;
  if (goes_on && memcmp (r->type, r->room, NAME))
    return complain (r, err, "the file is damaged: a section has two types");
  memcpy (r->type, r->room, NAME);
  return memcmp (r->type, end_type, NAME) ? TL_OK : check_end (r, before, err);
}

tl_status tl_records_section (tl_record_reader *r, tl_error *err) {
  tl_status rc = TL_OK;
  while (!rc && r->more)
    rc = take_record (r, true, err);
  return rc ? rc : take_record (r, false, err);
}

tl_status tl_records_expect (tl_record_reader *r, const char *type,
                             tl_error *err) {
  const tl_status rc = tl_records_section (r, err);
  if (rc || !strcmp (r->type, type))
    return rc;
  return tl_fail_at (err, TL_E_SYNTAX, r->path, 0, 0,
                     "the section '%s' is missing", type);
}

tl_status tl_records_next (tl_record_reader *r, tl_error *err) {
  r->length = 0;
  tl_status rc = TL_OK;
  while (!rc && !r->length && r->more)
    rc = take_record (r, true, err);
  return rc;
}

tl_status tl_records_read_some (tl_record_reader *r, void *bytes, size_t length,
                                size_t *got, tl_error *err) {
  unsigned char *to = bytes;
  *got = 0;
  while (*got < length) {
    if (!r->length) {
      const tl_status rc = tl_records_next (r, err);
      if (rc || !r->length)
        return rc;
    }
    const size_t left = length - *got,
                 part = left < r->length ? left : r->length;
    memcpy (to + *got, r->bytes, part);
    *got += part;
    r->bytes += part;
    r->length -= part;
  }
  return TL_OK;
}

tl_status tl_records_read (tl_record_reader *r, void *bytes, size_t length,
                           tl_error *err) {
  size_t got;
  const tl_status rc = tl_records_read_some (r, bytes, length, &got, err);
  if (rc || got == length)
    return rc;
  return tl_fail_at (err, TL_E_SYNTAX, r->path, 0, 0,
                     "the section '%s' is too short", r->type);
}

tl_status tl_records_read_word (tl_record_reader *r, uint64_t *word,
                                tl_error *err) {
  unsigned char bytes[8] = {0};
  const tl_status rc = tl_records_read (r, bytes, sizeof bytes, err);
  *word = tl_read_word (bytes);
  return rc;
}

tl_status tl_records_read_number (tl_record_reader *r, uint64_t most,
                                  uint64_t *number, tl_error *err) {
  unsigned char byte = 1u << 7;
  *number = 0;
  for (unsigned shift = 0; byte >> 7; shift += 7) {
    const tl_status rc = tl_records_read (r, &byte, 1, err);
    if (rc)
      return rc;
    const uint64_t bits = byte & 0x7f;
    if (shift > 63 || bits << shift >> shift != bits)
      return complain (r, err, "a number is too large");
    *number |= bits << shift;
  }
  return *number <= most ? TL_OK : complain (r, err, "a number is too large");
}

tl_status tl_records_done (tl_record_reader *r, tl_error *err) {
  const tl_status rc = r->length ? TL_OK : tl_records_next (r, err);
  if (rc || !r->length)
    return rc;
  return tl_fail_at (err, TL_E_SYNTAX, r->path, 0, 0,
                     "the section '%s' is too long", r->type);
}
