// The map from names to numbers, also with names that were chosen to do harm.

#include "base/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include <cmocka.h>

enum { MANY = 30000, LENGTH = 12, SLOTS = 1 << 16, RANGE = 1 << 9 };

static void test_find (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "names");
  tl_names names = TL_NAMES (&mem);
  static char text[MANY][LENGTH];
  assert_int_equal (tl_names_find (&names, "p"), TL_NO_NAME);
  for (uint32_t i = 0; i < MANY; i++) {
    uint32_t value = i;
    bool added;
    snprintf (text[i], LENGTH, "p%u", i / 2);
    assert_int_equal (tl_names_add (&names, text[i], &value, &added), TL_OK);
    assert_int_equal (added, i % 2 == 0);
    assert_int_equal (value, i / 2 * 2);
  }
  for (uint32_t i = 0; i < MANY; i++)
    assert_int_equal (tl_names_find (&names, text[i]), i / 2 * 2);
  assert_int_equal (tl_names_find (&names, "q"), TL_NO_NAME);
  tl_names_close (&names);
  assert_int_equal (mem.used, 0);
}

// The longest row of slots that are taken: a search may go all along it.
static size_t longest_row (const tl_names *names) {
  size_t most = 0, row = 0;
  for (size_t i = 0; i < 2 * names->capacity; i++) {
    row = names->slots[i & (names->capacity - 1)].text ? row + 1 : 0;
    if (row > most)
      most = row;
  }
  return most;
}

// Names whose hash without a seed is one of few.
static void test_chosen (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "names");
  tl_names names = TL_NAMES (&mem);
  static char text[MANY][LENGTH];
  uint32_t chosen = 0;
  for (uint32_t i = 0; chosen < MANY; i++) {
    const int length = snprintf (text[chosen], LENGTH, "%x", i);
    chosen += XXH3_64bits (text[chosen], (size_t)length) % SLOTS < RANGE;
  }
  for (uint32_t i = 0; i < MANY; i++) {
    bool added;
    assert_int_equal (tl_names_add (&names, text[i], &i, &added), TL_OK);
    assert_true (added);
  }
  assert_int_equal (names.capacity, SLOTS);
  assert_true (longest_row (&names) < MANY / 10);
  tl_names_close (&names);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_find),
      cmocka_unit_test (test_chosen),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
