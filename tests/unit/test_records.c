// Files of records: what was written is read, any byte that is changed, missing
// or added is noticed, and failures of memory and of the disk are told.

#include "base/random.h"
#include "base/records.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

static const tl_record_kind kind = {"test", 3, "thing"};
static char path[64];

static int make_path (void **state) {
  (void)state;
  strcpy (path, P_tmpdir "/test_records.XXXXXX");
  const int fd = mkstemp (path);
  return fd < 0 ? -1 : close (fd);
}

static int remove_path (void **state) {
  (void)state;
  return unlink (path);
}

// Section number s has so many bytes, which depend on the two numbers.
static const size_t lengths[] = {
    5, 0, TL_RECORD_MOST, TL_RECORD_MOST + 1, 1, 5 * TL_RECORD_MOST + 77};
enum { SECTIONS = sizeof lengths / sizeof *lengths };

static unsigned char byte_of (size_t section, size_t i) {
  return (unsigned char)(i * 7 + i / 251 + section);
}

static void fill (unsigned char *bytes, size_t section, size_t from, size_t n) {
  for (size_t i = 0; i < n; i++)
    bytes[i] = byte_of (section, from + i);
}

static void type_of (size_t section, char *type) {
  sprintf (type, "sec%zu", section % 3);
}

// Writes the first sections in pieces of random length.
static tl_status write_all (tl_mem *mem, size_t sections, tl_error *err) {
  tl_record_writer w;
  tl_status rc = tl_records_create (&w, mem, path, &kind, err);
  if (rc)
    return rc;
  tl_random random = {1};
  static unsigned char bytes[1 << 18];
  for (size_t s = 0; s < sections; s++) {
    char type[8];
    type_of (s, type);
    tl_records_begin (&w, type);
    for (size_t at = 0; at < lengths[s];) {
      size_t n = 1 + tl_random_below (&random, sizeof bytes);
      n = n < lengths[s] - at ? n : lengths[s] - at;
      fill (bytes, s, at, n);
      tl_records_write (&w, bytes, n);
      at += n;
      if (!tl_random_below (&random, 4))
        tl_records_cut (&w);
    }
  }
  return tl_records_finish (&w, TL_OK, err);
}

static tl_status read_section (tl_record_reader *r, size_t s, tl_error *err) {
  static unsigned char bytes[1 << 17], right[1 << 17];
  char type[8];
  type_of (s, type);
  tl_status rc = tl_records_expect (r, type, err);
  for (size_t at = 0; !rc && at < lengths[s];) {
    const size_t left = lengths[s] - at,
                 n = left < sizeof bytes ? left : sizeof bytes;
    rc = tl_records_read (r, bytes, n, err);
    fill (right, s, at, n);
    if (!rc)
      assert_memory_equal (bytes, right, n);
    at += n;
  }
  return rc ? rc : tl_records_done (r, err);
}

static tl_status read_opened (tl_record_reader *r, size_t sections,
                              tl_error *err) {
  tl_status rc = TL_OK;
  for (size_t s = 0; !rc && s < sections; s++)
    rc = read_section (r, s, err);
  if (!rc)
    rc = tl_records_section (r, err);
  if (!rc)
    assert_string_equal (r->type, "");
  return rc;
}

static tl_status read_bytes (const void *bytes, size_t length, size_t sections,
                             tl_error *err) {
  tl_mem mem = TL_MEM (0, "records");
  tl_record_reader r;
  tl_status rc =
      tl_records_open_memory (&r, &mem, "memory", bytes, length, &kind, err);
  if (!rc)
    rc = read_opened (&r, sections, err);
  tl_records_close (&r);
  assert_int_equal (mem.used, 0);
  return rc;
}

static unsigned char *file_bytes (size_t *length) {
  FILE *f = fopen (path, "r");
  assert_non_null (f);
  fseek (f, 0, SEEK_END);
  *length = (size_t)ftell (f);
  rewind (f);
  unsigned char *bytes = malloc (*length + 1);
  assert_int_equal (fread (bytes, 1, *length, f), *length);
  fclose (f);
  return bytes;
}

static void reads_what_was_written (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "records");
  tl_error err;
  for (size_t n = 0; n <= SECTIONS; n++) {
    assert_int_equal (write_all (&mem, n, &err), TL_OK);
    tl_record_reader r;
    assert_int_equal (tl_records_open (&r, &mem, path, &kind, &err), TL_OK);
    assert_int_equal (read_opened (&r, n, &err), TL_OK);
    tl_records_close (&r);
    assert_int_equal (mem.used, 0);
  }
}

static void skips_sections (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "records");
  tl_error err;
  assert_int_equal (write_all (&mem, SECTIONS, &err), TL_OK);
  tl_record_reader r;
  assert_int_equal (tl_records_open (&r, &mem, path, &kind, &err), TL_OK);
  for (size_t s = 0; s < SECTIONS; s++) {
    char type[8];
    type_of (s, type);
    assert_int_equal (tl_records_section (&r, &err), TL_OK);
    assert_string_equal (r.type, type);
  }
  assert_int_equal (tl_records_section (&r, &err), TL_OK);
  assert_string_equal (r.type, "");
  tl_records_close (&r);
}

// Every byte changed, the file cut off anywhere, and one byte too many.
static void notices_every_byte (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "records");
  tl_error err;
  assert_int_equal (write_all (&mem, 2, &err), TL_OK);
  size_t length;
  unsigned char *bytes = file_bytes (&length);
  assert_int_equal (read_bytes (bytes, length, 2, &err), TL_OK);
  for (size_t i = 0; i < length; i++)
    for (unsigned change = 1; change < 256; change <<= 1) {
      bytes[i] ^= (unsigned char)change;
      assert_int_equal (read_bytes (bytes, length, 2, &err), TL_E_SYNTAX);
      bytes[i] ^= (unsigned char)change;
    }
  for (size_t i = 1; i < length; i++)
    assert_int_equal (read_bytes (bytes, i, 2, &err), TL_E_SYNTAX);
  bytes[length] = 0;
  assert_int_equal (read_bytes (bytes, length + 1, 2, &err), TL_E_SYNTAX);
  free (bytes);
}

// Sections that are there, but not those that were to be.
static void tells_what_is_wrong (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "records");
  tl_error err;
  assert_int_equal (write_all (&mem, 1, &err), TL_OK);
  size_t length;
  unsigned char *bytes = file_bytes (&length);
  assert_int_equal (read_bytes (bytes, length, 2, &err), TL_E_SYNTAX);
  assert_string_equal (err.text, "the section 'sec1' is missing");
  const tl_record_kind older = {"test", 2, "thing"},
                       other = {"tset", 3, "other thing"};
  tl_record_reader r;
  assert_int_equal (
      tl_records_open_memory (&r, &mem, "m", bytes, length, &older, &err),
      TL_E_SYNTAX);
  assert_string_equal (err.text,
                       "this thing is of version 3; this program reads 2");
  tl_records_close (&r);
  assert_int_equal (
      tl_records_open_memory (&r, &mem, "m", bytes, length, &other, &err),
      TL_E_SYNTAX);
  assert_string_equal (err.text,
                       "this is a file of tideline, but not a other thing");
  tl_records_close (&r);
  assert_int_equal (tl_records_open (&r, &mem, "/none/such", &kind, &err),
                    TL_E_IO);
  tl_records_close (&r);
  free (bytes);
}

static void reads_numbers (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "records");
  tl_error err;
  tl_record_writer w;
  assert_int_equal (tl_records_create (&w, &mem, path, &kind, &err), TL_OK);
  tl_records_begin (&w, "nums");
  for (unsigned bits = 0; bits < 64; bits++)
    tl_records_write_number (&w, (uint64_t)3 << bits);
  tl_records_write_text (&w, "text");
  for (unsigned i = 0; i < 11; i++) // longer than any number
    tl_records_write (&w, "\x80", 1);
  assert_int_equal (tl_records_finish (&w, TL_OK, &err), TL_OK);
  tl_record_reader r;
  uint64_t n;
  char text[5] = "";
  assert_int_equal (tl_records_open (&r, &mem, path, &kind, &err), TL_OK);
  assert_int_equal (tl_records_expect (&r, "nums", &err), TL_OK);
  for (unsigned bits = 0; bits < 64; bits++) {
    const uint64_t right = (uint64_t)3 << bits;
    assert_int_equal (tl_records_read_number (&r, right, &n, &err), TL_OK);
    assert_int_equal (n, right);
  }
  assert_int_equal (tl_records_read_number (&r, 3, &n, &err), TL_E_SYNTAX);
  assert_int_equal (tl_records_read (&r, text, 4, &err), TL_OK);
  assert_string_equal (text, "text");
  assert_int_equal (tl_records_read_number (&r, UINT64_MAX, &n, &err),
                    TL_E_SYNTAX);
  tl_records_close (&r);
}

// What was there stays when writing fails.
static void keeps_what_was_there (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "records");
  tl_error err = {0};
  assert_int_equal (write_all (&mem, 1, &err), TL_OK);
  struct rlimit old, small = {100000, 0};
  getrlimit (RLIMIT_FSIZE, &old);
  small.rlim_max = old.rlim_max;
  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &small);
  assert_int_equal (write_all (&mem, SECTIONS, &err), TL_E_IO);
  setrlimit (RLIMIT_FSIZE, &old);
  assert_string_equal (err.text, "cannot write: File too large");
  mem.fail_after = 0;
  assert_int_equal (write_all (&mem, SECTIONS, &err), TL_E_NOMEM);
  mem.fail_after = -1;
  tl_record_writer w;
  assert_int_equal (tl_records_create (&w, &mem, path, &kind, &err), TL_OK);
  assert_int_equal (tl_records_finish (&w, TL_E_CANCEL, &err), TL_E_CANCEL);
  size_t length;
  unsigned char *bytes = file_bytes (&length);
  assert_int_equal (read_bytes (bytes, length, 1, &err), TL_OK);
  free (bytes);
  assert_int_equal (mem.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (reads_what_was_written),
      cmocka_unit_test (skips_sections),
      cmocka_unit_test (notices_every_byte),
      cmocka_unit_test (tells_what_is_wrong),
      cmocka_unit_test (reads_numbers),
      cmocka_unit_test (keeps_what_was_there),
  };
  return cmocka_run_group_tests (tests, make_path, remove_path);
}
