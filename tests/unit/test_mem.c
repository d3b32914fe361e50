// Maps: there may be thousands of them, whatever each may grow to.

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MAPS = 7000 };

static void maps_are_many (void **state) {
  (void)state;
  static tl_map map[MAPS];
  tl_mem mem = {.name = "test", .fail_after = -1};
  for (size_t i = 0; i < MAPS; i++) {
    assert_int_equal (tl_map_open (map + i, &mem), TL_OK);
    assert_int_equal (tl_map_grow (map + i, sizeof i), TL_OK);
    memcpy (map[i].base, &i, sizeof i);
  }
  assert_int_equal (mem.maps, MAPS);
  for (size_t i = 0; i < MAPS; i++) {
    assert_memory_equal (map[i].base, &i, sizeof i);
    tl_map_close (map + i);
  }
  assert_int_equal (mem.maps, 0);
  assert_int_equal (mem.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (maps_are_many)};
  return cmocka_run_group_tests (tests, 0, 0);
}
