// Maps: there may be thousands of them, whatever each may grow to.  Budgets of
// time, which hang on accounts.

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
      cmocka_unit_test (maps_are_many),
      cmocka_unit_test (budgets_hang_on_accounts)};
  return cmocka_run_group_tests (tests, 0, 0);
}
