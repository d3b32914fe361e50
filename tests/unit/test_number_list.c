// Lists of numbers that get wider when a number needs it.

#include "base/number_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { COUNT = 1000 };

// Across the border what was there stays as it was, and the account is right.
static void numbers_stay (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "numbers");
  tl_numbers n = {0};
  assert_true (tl_numbers_grow (&n, &mem, COUNT, UINT32_MAX));
  assert_false (n.wide);
  assert_int_equal (mem.used, n.room * 4);
  for (uint64_t i = 0; i < COUNT; i++)
    tl_numbers_set (&n, i, UINT32_MAX - i);
  assert_true (tl_numbers_grow (&n, &mem, COUNT + 1, (uint64_t)UINT32_MAX + 1));
  assert_true (n.wide);
  assert_int_equal (mem.used, n.room * 8);
  tl_numbers_set (&n, COUNT, (uint64_t)1 << 40);
  for (uint64_t i = 0; i < COUNT; i++)
    assert_int_equal (tl_numbers_get (&n, i), UINT32_MAX - i);
  assert_int_equal (tl_numbers_get (&n, COUNT), (uint64_t)1 << 40);
  assert_true (tl_numbers_grow (&n, &mem, 2 * COUNT, 5)); // it stays wide
  assert_int_equal (tl_numbers_get (&n, 2 * COUNT - 1), 0);
  assert_int_equal (tl_numbers_get (&n, COUNT), (uint64_t)1 << 40);
  tl_numbers_close (&n, &mem);
  assert_int_equal (mem.used, 0);
}

// Without memory to get wider it is as it was.
static void no_memory (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "numbers");
  tl_numbers n = {0};
  assert_true (tl_numbers_grow (&n, &mem, COUNT, 7));
  tl_numbers_set (&n, 3, 7);
  mem.fail_after = 0;
  assert_false (tl_numbers_grow (&n, &mem, COUNT, UINT64_MAX));
  assert_false (n.wide);
  assert_int_equal (tl_numbers_get (&n, 3), 7);
  mem.fail_after = -1;
  tl_numbers_close (&n, &mem);
  assert_int_equal (mem.used, 0);
}

// An empty list is as wide as its first numbers.
static void wide_at_once (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "numbers");
  tl_numbers n = {0};
  assert_true (tl_numbers_grow (&n, &mem, 1, UINT64_MAX));
  tl_numbers_set (&n, 0, UINT64_MAX);
  assert_true (tl_numbers_get (&n, 0) == UINT64_MAX);
  tl_numbers_close (&n, &mem);
  assert_int_equal (mem.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (numbers_stay),
                                     cmocka_unit_test (no_memory),
                                     cmocka_unit_test (wide_at_once)};
  return cmocka_run_group_tests_name ("number_list", tests, 0, 0);
}
