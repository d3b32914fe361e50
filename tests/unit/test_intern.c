// Numbers for lists.

#include "base/intern.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void equal_lists_have_one_number (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_intern t = TL_INTERN (&mem);
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < 5000; i++) {
      const uint32_t list[3] = {i, i / 7, 3};
      uint32_t number;
      assert_int_equal (tl_intern_put (&t, list, i % 4, &number), TL_OK);
      assert_int_equal (tl_intern_length (&t, number), i % 4);
      assert_memory_equal (tl_intern_list (&t, number), list,
                           i % 4 * sizeof *list);
      if (round)
        assert_true (number < t.count);
    }
  // Empty lists are all the same; lists of one word or more are not.
  assert_int_equal (t.count, 1 + 3750);
  tl_intern_close (&t);
  assert_int_equal (mem.used, 0);
}

static void no_memory (void **state) {
  (void)state;
  for (long n = 0; n < 12; n++) {
    tl_mem mem = TL_MEM (0, "test");
    mem.fail_after = n;
    tl_intern t = TL_INTERN (&mem);
    for (uint32_t i = 0; i < 200; i++) {
      uint32_t number, again;
      const tl_status rc = tl_intern_put (&t, &i, 1, &number);
      if (rc) {
        assert_int_equal (rc, TL_E_NOMEM);
        mem.fail_after = -1;
        assert_int_equal (tl_intern_put (&t, &i, 1, &number), TL_OK);
      }
      assert_int_equal (number, i);
      assert_int_equal (tl_intern_put (&t, &i, 1, &again), TL_OK);
      assert_int_equal (again, i);
    }
    tl_intern_close (&t);
    assert_int_equal (mem.used, 0);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (equal_lists_have_one_number),
      cmocka_unit_test (no_memory),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
