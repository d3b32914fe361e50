// The journal of states: what is written is read again, also after a time
// without room on the disk, and nothing that is damaged.

#include "checkpoint/journal.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { STATES = 40000, STREAMS = 3, REFORMED = 25000 };

static const tl_journal_form forms[] = {{0, 1, 40, 300}, {1, 2, 70, 300}};
static const tl_journal_forms all_forms = {forms, 2};

typedef struct fixture {
  tl_mem mem;
  char path[64];
  tl_journal *journal;
  tl_stream *stream[STREAMS];
} fixture;

static void begin (fixture *f) {
  *f = (fixture){.mem = TL_MEM (0, "journal")};
  snprintf (f->path, sizeof f->path, "build/journal-%ld", (long)getpid ());
  assert_int_equal (tl_journal_open (&f->journal, &f->mem, f->path, 0), TL_OK);
  for (int i = 0; i < STREAMS; i++)
    assert_int_equal (tl_journal_stream (f->journal, forms, f->stream + i),
                      TL_OK);
}

static void end (fixture *f) {
  tl_journal_close (f->journal);
  assert_int_equal (f->mem.used, 0);
  unlink (f->path);
}

// State number n of a stream.
static void key_of (uint32_t stream, uint64_t n, uint64_t *key) {
  const bool longer = n >= REFORMED;
  key[0] = (n * 0x9e3779b97f4a7c15u ^ stream) >> (longer ? 0 : 24);
  key[1] = longer ? n % 64 : 0;
}

static uint64_t parent_of (uint64_t n) {
  return n % 7 ? n / 2 : (uint64_t)(1 + n % 2) << TL_STREAM_BIT | n;
}

static void write_states (fixture *f, uint64_t from, uint64_t to) {
  uint64_t key[2];
  for (uint64_t n = from; n < to; n++) {
    if (n == REFORMED)
      tl_journal_reform (f->journal, forms + 1);
    for (uint32_t i = 0; i < STREAMS; i++) {
      key_of (i, n, key);
      tl_stream_add (f->stream[i], key, parent_of (n), (uint32_t)(n % 301));
    }
  }
}

typedef struct reading {
  uint32_t stream;
  uint64_t next;
} reading;

static tl_status take (void *context, const tl_found *found) {
  reading *r = context;
  uint64_t key[2];
  key_of (r->stream, r->next, key);
  assert_int_equal (found->code, r->next >= REFORMED);
  assert_int_equal (found->key[0], key[0]);
  if (found->code)
    assert_int_equal (found->key[1], key[1]);
  assert_int_equal (found->parent, parent_of (r->next));
  assert_int_equal (found->event, r->next % 301);
  r->next++;
  return TL_OK;
}

static tl_status read_states (fixture *f, uint64_t length, uint64_t states) {
  tl_journal_reader *r;
  tl_error error = {0};
  tl_status rc = tl_journal_read (&r, &f->mem, f->path, length, &error);
  for (uint32_t i = 0; !rc && i < STREAMS; i++) {
    reading here = {.stream = i, .next = 17};
    assert_int_equal (tl_journal_states (r, i), states);
    rc =
        tl_journal_show (r, &all_forms, i, 17, states - 5, take, &here, &error);
    assert_true (rc || here.next == states - 5);
  }
  tl_journal_reader_close (r);
  assert_true (!rc || error.text[0]);
  return rc;
}

static void test_all_is_there (void **state) {
  (void)state;
  fixture f;
  int sys;
  begin (&f);
  write_states (&f, 0, 10000);
  assert_int_equal (tl_journal_flush (f.journal, &sys), TL_OK);
  const uint64_t length = tl_journal_length (f.journal);
  write_states (&f, 10000, STATES);
  assert_int_equal (tl_journal_flush (f.journal, &sys), TL_OK);
  assert_int_equal (read_states (&f, length, 10000), TL_OK);
  assert_int_equal (read_states (&f, tl_journal_length (f.journal), STATES),
                    TL_OK);
  assert_int_equal (read_states (&f, length + 1, STATES), TL_E_SYNTAX);
  end (&f);
}

static void limit (rlim_t bytes) {
  struct rlimit now;
  getrlimit (RLIMIT_FSIZE, &now);
  now.rlim_cur = bytes;
  assert_int_equal (setrlimit (RLIMIT_FSIZE, &now), 0);
}

static void test_a_disk_that_is_full_for_a_time (void **state) {
  (void)state;
  fixture f;
  int sys = 0;
  begin (&f);
  limit (1 << 15);
  write_states (&f, 0, 20000);
  assert_int_equal (tl_journal_flush (f.journal, &sys), TL_E_IO);
  assert_int_equal (sys, EFBIG);
  write_states (&f, 20000, 30000);
  limit (RLIM_INFINITY);
  write_states (&f, 30000, STATES);
  assert_int_equal (tl_journal_flush (f.journal, &sys), TL_OK);
  assert_int_equal (read_states (&f, tl_journal_length (f.journal), STATES),
                    TL_OK);
  end (&f);
}

static void test_without_memory_it_is_lost (void **state) {
  (void)state;
  fixture f;
  int sys = 0;
  begin (&f);
  limit (1 << 15);
  f.mem.limit = f.mem.used;
  write_states (&f, 0, 20000);
  limit (RLIM_INFINITY);
  assert_int_equal (tl_journal_flush (f.journal, &sys), TL_E_NOMEM);
  end (&f);
}

static void flip (const char *path, long at, int bit) {
  FILE *file = fopen (path, "r+b");
  assert_non_null (file);
  fseek (file, at, SEEK_SET);
  const int byte = fgetc (file);
  fseek (file, at, SEEK_SET);
  fputc (byte ^ bit, file);
  fclose (file);
}

static void test_damage_is_refused (void **state) {
  (void)state;
  fixture f;
  int sys;
  begin (&f);
  write_states (&f, 0, 300);
  assert_int_equal (tl_journal_flush (f.journal, &sys), TL_OK);
  const uint64_t length = tl_journal_length (f.journal);
  for (uint64_t at = 0; at < length; at++) {
    flip (f.path, (long)at, 1 << at % 8);
    assert_int_equal (read_states (&f, length, 300), TL_E_SYNTAX);
    flip (f.path, (long)at, 1 << at % 8);
  }
  assert_int_equal (read_states (&f, length, 300), TL_OK);
  for (uint64_t left = length; left-- > 0;) {
    assert_int_equal (truncate (f.path, (off_t)left), 0);
    assert_int_equal (read_states (&f, length, 300), TL_E_SYNTAX);
  }
  end (&f);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_all_is_there),
      cmocka_unit_test (test_a_disk_that_is_full_for_a_time),
      cmocka_unit_test (test_without_memory_it_is_lost),
      cmocka_unit_test (test_damage_is_refused)};
  signal (SIGXFSZ, SIG_IGN);
  return cmocka_run_group_tests (tests, 0, 0);
}
