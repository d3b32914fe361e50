// Maps: there may be thousands of them, whatever each may grow to, and small
// ones.  Budgets of time, which hang on accounts.

#include "base/budget.h"

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

// A small map costs its bytes, keeps them when it grows, also beyond being
// small, and is as it was where there is no memory.
static void small_maps_grow (void **state) {
  (void)state;
  enum { MOST = 300000 };
  tl_mem mem = TL_MEM (0, "test");
  tl_map map;
  tl_map_open_small (&map, &mem);
  assert_int_equal (mem.used, 0);
  for (size_t size = 100, filled = 0; size < MOST; size += size / 3) {
    mem.fail_after = 0;
    assert_int_equal (tl_map_grow (&map, size), TL_E_NOMEM);
    mem.fail_after = -1;
    assert_int_equal (tl_map_grow (&map, size), TL_OK);
    assert_true (map.size >= size);
    assert_int_equal (mem.used, map.size);
    if (size < 30000)
      assert_int_equal (mem.used, size);
    for (size_t i = 0; i < size; i++)
      assert_int_equal (map.base[i], i < filled ? (i * 7) % 256 : 0);
    for (filled = 0; filled < size; filled++)
      map.base[filled] = (unsigned char)(filled * 7);
    tl_map_discard (&map, size < 30000 ? size : 0);
  }
  assert_int_equal (mem.maps, 1); // it is a large one
  tl_map_close (&map);
  assert_int_equal (mem.used, 0);
  assert_int_equal (mem.maps, 0);
}

// To ask for memory takes none, and is no part of the most that was used.
static void asking_is_free (void **state) {
  (void)state;
  tl_mem root = TL_MEM (0, "root"), part = TL_MEM (&root, "part");
  root.limit = 1000;
  assert_true (tl_mem_has (&part, 1000));
  assert_false (tl_mem_has (&part, 1001));
  root.fail_after = 0;
  assert_false (tl_mem_has (&part, 1));
  assert_int_equal (root.peak + part.peak, 0);
}

static void budgets_hang_on_accounts (void **state) {
  (void)state;
  int flag = 0;
  tl_mem root = TL_MEM (0, "root"), part = TL_MEM (&root, "part"),
         piece = TL_MEM (&part, "piece");
  assert_null (tl_mem_budget (&piece));
  assert_int_equal (tl_budget_look (&piece), TL_OK);
  assert_true (tl_budget_left (&piece, 7) == 7);
  const tl_budget all = tl_budget_of (1000, &flag);
  root.budget = &all;
  assert_true (tl_budget_left (&piece, 7) == 7);
  assert_true (tl_budget_left (&piece, 2000) <= 1000);
  // Part of it ends sooner, or when the whole does.
  const tl_budget some = tl_budget_part (&piece, 0),
                  more = tl_budget_part (&piece, 2000);
  assert_true (more.deadline <= all.deadline + 1);
  part.budget = &some;
  assert_int_equal (tl_budget_look (&root), TL_OK);
  assert_int_equal (tl_budget_look (&part), TL_E_LIMIT);
  assert_int_equal (tl_budget_look (&piece), TL_E_LIMIT);
  assert_true (tl_budget_left (&piece, 7) == 0);
  tl_cancel (&flag);
  assert_int_equal (tl_budget_look (&root), TL_E_CANCEL);
  assert_int_equal (tl_budget_look (&piece), TL_E_CANCEL);
  // Without a limit there is a flag only.
  const tl_budget endless = tl_budget_of (0, &flag);
  assert_true (endless.deadline <= 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (maps_are_many), cmocka_unit_test (small_maps_grow),
      cmocka_unit_test (asking_is_free),
      cmocka_unit_test (budgets_hang_on_accounts)};
  return cmocka_run_group_tests (tests, 0, 0);
}
