// What the machine lets a process have: control groups of both versions, as
// files in a folder of our own, and the limits of the shell.

#include "base/limits.h"
#include "base/mem.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static char root[PATH_MAX];

static void write_file (const char *name, const char *text) {
  char path[2 * PATH_MAX];
  snprintf (path, sizeof path, "%s/%s", root, name);
  for (char *slash = path + strlen (root) + 1; (slash = strchr (slash, '/'));
       *slash++ = '/') {
    *slash = 0;
    mkdir (path, 0700);
  }
  FILE *f = fopen (path, "w");
  assert_non_null (f);
  fputs (text, f);
  assert_int_equal (fclose (f), 0);
}

static size_t limit (const char *list) {
  char path[2 * PATH_MAX];
  write_file ("list", list);
  snprintf (path, sizeof path, "%s/list", root);
  return tl_limit_groups (path, root);
}

static int make_root (void **state) {
  (void)state;
  strcpy (root, "build/groups-XXXXXX");
  return !mkdtemp (root);
}

static int remove_root (void **state) {
  (void)state;
  char command[2 * PATH_MAX];
  snprintf (command, sizeof command, "rm -rf '%s'", root);
  return system (command);
}

static void test_version_2 (void **state) {
  (void)state;
  assert_int_equal (limit ("0::/\n"), TL_NO_SIZE);
  write_file ("memory.max", "max\n");
  assert_int_equal (limit ("0::/\n"), TL_NO_SIZE);
  write_file ("a/memory.max", "5000000000\n");
  write_file ("a/b/memory.max", "max\n");
  write_file ("a/b/c/memory.max", "7000000000\n");
  assert_int_equal (limit ("0::/a\n"), 5000000000);
  assert_int_equal (limit ("0::/a/b/c\n"), 5000000000);
  write_file ("a/b/memory.max", "1000000\n");
  assert_int_equal (limit ("0::/a/b/c\n"), 1000000);
  assert_int_equal (limit ("0::/a\n"), 5000000000);
  // A container in which the group of the machine outside is not seen.
  write_file ("memory.max", "4000\n");
  assert_int_equal (limit ("0::/docker/0123456789\n"), 4000);
  assert_int_equal (limit ("0::/"), 4000);
}

static void test_version_1 (void **state) {
  (void)state;
  write_file ("memory/memory.limit_in_bytes", "9223372036854771712\n");
  assert_int_equal (limit ("3:cpu,cpuacct:/x\n5:memory:/x\n"),
                    9223372036854771712u);
  write_file ("memory/job/memory.limit_in_bytes", "123456\n");
  assert_int_equal (limit ("3:cpu,cpuacct:/job\n5:memory:/job\n"), 123456);
  assert_int_equal (limit ("5:hugetlb,memory:/job/step\n0::/job\n"), 123456);
  assert_int_equal (limit ("5:memoryless:/job\n"), TL_NO_SIZE);
}

static size_t quota (const char *list) {
  char path[2 * PATH_MAX];
  write_file ("list", list);
  snprintf (path, sizeof path, "%s/list", root);
  return tl_limit_quota (path, root);
}

static void test_cores (void **state) {
  (void)state;
  assert_int_equal (quota ("0::/\n"), TL_NO_SIZE);
  write_file ("cpu.max", "max 100000\n");
  assert_int_equal (quota ("0::/\n"), TL_NO_SIZE);
  write_file ("a/cpu.max", "250000 100000\n");
  assert_int_equal (quota ("0::/a\n"), 3);
  write_file ("a/b/cpu.max", "50000 100000\n");
  assert_int_equal (quota ("0::/a/b\n"), 1);
  write_file ("cpu.max", "nonsense\n");
  assert_int_equal (quota ("0::/\n"), TL_NO_SIZE);
  write_file ("cpu.max", "100000 0\n");
  assert_int_equal (quota ("0::/\n"), TL_NO_SIZE);
  write_file ("cpu/job/cpu.cfs_quota_us", "-1\n");
  write_file ("cpu/job/cpu.cfs_period_us", "100000\n");
  assert_int_equal (quota ("3:cpu,cpuacct:/job\n"), TL_NO_SIZE);
  write_file ("cpu/job/cpu.cfs_quota_us", "400000\n");
  assert_int_equal (quota ("3:cpu,cpuacct:/job\n"), 4);
  assert_int_equal (quota ("3:cpuset:/job\n"), TL_NO_SIZE);
  assert_in_range (tl_limit_cores (), 1, 4096);
}

static void test_nonsense (void **state) {
  (void)state;
  assert_int_equal (limit (""), TL_NO_SIZE);
  assert_int_equal (limit ("\n\n:\n::\nabc\n0:\n"), TL_NO_SIZE);
  assert_int_equal (tl_limit_groups ("build/there-is-none", root), TL_NO_SIZE);
  write_file ("memory.max", "lots\n");
  assert_int_equal (limit ("0::/\n"), TL_NO_SIZE);
  write_file ("memory.max", "99999999999999999999999\n");
  assert_int_equal (limit ("0::/\n"), TL_NO_SIZE);
  write_file ("memory.max", "");
  assert_int_equal (limit ("0::/\n"), TL_NO_SIZE);
}

// Other limits are tried on the command line: sanitizers need some themselves.
static void test_process (void **state) {
  (void)state;
  const size_t all = tl_limit_memory ();
  assert_true (all && all <= tl_limit_machine ());
  assert_true (tl_mem_default () <= all / 4 * 3);
}

#define FRESH(TEST)                                                            \
  cmocka_unit_test_setup_teardown (TEST, make_root, remove_root)

int main (void) {
  const struct CMUnitTest tests[] = {
      FRESH (test_version_2),          FRESH (test_version_1),
      FRESH (test_nonsense),           FRESH (test_cores),
      cmocka_unit_test (test_process),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
