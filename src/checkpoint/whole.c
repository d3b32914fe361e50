#include "checkpoint/whole.h"

#include "base/error.h"

#include <sys/stat.h>

tl_status tl_records_save (const char *path, tl_mem *mem,
                           const tl_record_kind *kind, const char *section,
                           const void *bytes, size_t length, tl_error *error) {
  tl_record_writer w;
  tl_status rc = tl_records_create (&w, mem, path, kind, error);
  if (rc)
    return rc;
  rc = tl_records_begin (&w, section);
  if (!rc)
    rc = tl_records_write_word (&w, length);
  if (!rc)
    rc = tl_records_write (&w, bytes, length);
  return tl_records_finish (&w, rc, error);
}

// The file is not so long, whatever it says.
static bool is_too_long (const char *path, uint64_t length) {
  struct stat status;
  return stat (path, &status) || length > (uint64_t)status.st_size;
}

static tl_status read_all (tl_record_reader *r, const char *section,
                           unsigned char **bytes, size_t *length,
                           tl_error *error) {
  uint64_t size = 0;
  tl_status rc = tl_records_expect (r, section, error);
  if (!rc)
    rc = tl_records_read_word (r, &size, error);
  if (!rc && is_too_long (r->path, size))
    rc = tl_fail_at (error, TL_E_SYNTAX, r->path, 0, 0, "the file is damaged");
  if (rc)
    return rc;
  if (!TL_NEW (r->mem, *bytes, (size_t)size))
    return TL_E_NOMEM;
  *length = (size_t)size;
  rc = tl_records_read (r, *bytes, *length, error);
  if (!rc)
    rc = tl_records_done (r, error);
  return rc ? rc : tl_records_expect (r, "", error);
}

tl_status tl_records_load (const char *path, tl_mem *mem,
                           const tl_record_kind *kind, const char *section,
                           unsigned char **bytes, size_t *length,
                           tl_error *error) {
  tl_record_reader r;
  *bytes = 0;
  *length = 0;
  tl_status rc = tl_records_open (&r, mem, path, kind, error);
  if (!rc)
    rc = read_all (&r, section, bytes, length, error);
  tl_records_close (&r);
  if (rc)
    TL_DEL (mem, *bytes, *length);
  return rc;
}
