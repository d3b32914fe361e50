// Outputs appear whole or not at all, and leave nothing behind.

#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "build/test-output-XXXXXX";
static char path[64];

static int enter (void **state) {
  (void)state;
  mkdir ("build", 0777);
  if (!mkdtemp (folder))
    return -1;
  snprintf (path, sizeof path, "%s/file", folder);
  return 0;
}

static int leave (void **state) {
  (void)state;
  unlink (path);
  return rmdir (folder); // fails when something else was left in it
}

static void holds (const char *text) {
  char found[64] = "";
  FILE *f = fopen (path, "r");
  assert_non_null (f);
  found[fread (found, 1, sizeof found - 1, f)] = 0;
  fclose (f);
  assert_string_equal (found, text);
}

static size_t files (void) {
  size_t n = 0;
  DIR *d = opendir (folder);
  while (readdir (d))
    n++;
  closedir (d);
  return n - 2; // . and ..
}

static void test_new_file (void **state) {
  (void)state;
  tl_output out;
  assert_int_equal (tl_output_open (&out, path, 0), TL_OK);
  fputs ("one", out.file);
  assert_int_equal (access (path, F_OK), -1);
  assert_int_equal (tl_output_close (&out, TL_OK, 0), TL_OK);
  holds ("one");
  assert_int_equal (files (), 1);
}

static void test_replaced_file (void **state) {
  (void)state;
  assert_int_equal (chmod (path, 0640), 0);
  assert_int_equal (tl_text_save ("two", path, 0), TL_OK);
  holds ("two");
  struct stat now;
  assert_int_equal (stat (path, &now), 0);
  assert_int_equal (now.st_mode & 0777, 0640);
  assert_int_equal (files (), 1);
}

static void test_given_up (void **state) {
  (void)state;
  tl_output out;
  assert_int_equal (tl_output_open (&out, path, 0), TL_OK);
  fputs ("three", out.file);
  assert_int_equal (tl_output_close (&out, TL_E_LIMIT, 0), TL_E_LIMIT);
  holds ("two");
  assert_int_equal (files (), 1);
}

static void test_through_link (void **state) {
  (void)state;
  char link_path[80];
  snprintf (link_path, sizeof link_path, "%s/link", folder);
  assert_int_equal (symlink ("file", link_path), 0);
  assert_int_equal (tl_text_save ("four", link_path, 0), TL_OK);
  holds ("four");
  assert_int_equal (unlink (link_path), 0);
  assert_int_equal (files (), 1);
}

static void fails (const char *where, int sys) {
  tl_error err = {0};
  assert_int_equal (tl_text_save ("five", where, &err), TL_E_IO);
  assert_int_equal (err.sys, sys);
  assert_string_equal (err.file, where);
}

static void test_failures (void **state) {
  (void)state;
  char inside[80];
  snprintf (inside, sizeof inside, "%s/none/file", folder);
  fails (inside, ENOENT);
  fails (folder, EISDIR);
  fails ("/dev/full", ENOSPC);
  holds ("four");
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_new_file), cmocka_unit_test (test_replaced_file),
      cmocka_unit_test (test_given_up), cmocka_unit_test (test_through_link),
      cmocka_unit_test (test_failures),
  };
  return cmocka_run_group_tests_name ("output", tests, enter, leave);
}
