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

// ---- Ledgers ---------------------------------------------------------------

enum { TABLES = 4, LISTS = 3000 };

typedef struct clerk {
  tl_intern table;
  uint32_t seed;
  bool failed;
} clerk;

// Numbers lists in an order of its own; what others have numbered meanwhile
// takes nothing away.
static void *number_lists (void *context) {
  clerk *c = context;
  for (uint32_t i = 0; i < LISTS; i++) {
    const uint32_t at = (i * 7 + c->seed * 1009) % LISTS,
                   list[2] = {at, at % 5};
    uint32_t number, again;
    c->failed |= tl_intern_put (&c->table, list, 2, &number) ||
                 *tl_intern_list (&c->table, number) != at ||
                 tl_intern_put (&c->table, list, 2, &again) || again != number;
    if (i % 100 == 0)
      c->failed |= tl_intern_catch_up (&c->table);
  }
  return 0;
}

static void threads_give_the_same_numbers (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_ledger ledger;
  clerk clerks[TABLES] = {{.table = TL_INTERN (&mem)}};
  pthread_t thread[TABLES];
  uint32_t number;
  tl_mem_share (&mem, true);
  for (uint32_t i = 0; i < 10; i++)
    assert_int_equal (
        tl_intern_put (&clerks->table, (uint32_t[]){i, i % 5}, 2, &number),
        TL_OK);
  assert_int_equal (tl_ledger_open (&ledger, &mem, &clerks->table), TL_OK);
  for (uint32_t i = 1; i < TABLES; i++) {
    clerks[i] = (clerk){.table = TL_INTERN (&mem), .seed = i};
    assert_int_equal (tl_intern_join (&clerks[i].table, &ledger), TL_OK);
    assert_int_equal (clerks[i].table.count, 10);
  }
  for (uint32_t i = 0; i < TABLES; i++)
    assert_int_equal (pthread_create (thread + i, 0, number_lists, clerks + i),
                      0);
  for (uint32_t i = 0; i < TABLES; i++) {
    pthread_join (thread[i], 0);
    assert_false (clerks[i].failed);
  }
  for (uint32_t i = 1; i < TABLES; i++) {
    assert_int_equal (tl_intern_catch_up (&clerks[i].table), TL_OK);
    assert_int_equal (clerks[i].table.count, LISTS);
    for (uint32_t k = 0; k < LISTS; k++)
      assert_int_equal (*tl_intern_list (&clerks[i].table, k),
                        *tl_intern_list (&ledger.lists, k));
    tl_intern_close (&clerks[i].table);
  }
  assert_int_equal (tl_ledger_close (&ledger, &clerks->table), TL_OK);
  assert_int_equal (clerks->table.count, LISTS);
  // It goes on by itself.
  assert_int_equal (
      tl_intern_put (&clerks->table, (uint32_t[]){LISTS}, 1, &number), TL_OK);
  assert_int_equal (number, LISTS);
  tl_intern_close (&clerks->table);
  assert_int_equal (mem.used, 0);
}

// What has no memory now is right later.
static void ledgers_without_memory (void **state) {
  (void)state;
  for (long n = 0; n < 16; n++) {
    tl_mem mem = TL_MEM (0, "test"), poor = TL_MEM (0, "poor");
    tl_ledger ledger;
    tl_intern first = TL_INTERN (&mem), other = TL_INTERN (&poor);
    poor.fail_after = n;
    uint32_t number;
    for (uint32_t i = 0; i < 100; i++)
      assert_int_equal (tl_intern_put (&first, &i, 1, &number), TL_OK);
    assert_int_equal (tl_ledger_open (&ledger, &mem, &first), TL_OK);
    if (tl_intern_join (&other, &ledger))
      poor.fail_after = -1;
    for (uint32_t i = 200; i-- > 0;) {
      uint32_t theirs;
      if (tl_intern_put (&other, &i, 1, &number)) {
        poor.fail_after = -1;
        assert_int_equal (tl_intern_put (&other, &i, 1, &number), TL_OK);
      }
      assert_int_equal (tl_intern_put (&first, &i, 1, &theirs), TL_OK);
      assert_int_equal (number, theirs);
    }
    tl_intern_close (&other);
    assert_int_equal (tl_ledger_close (&ledger, &first), TL_OK);
    tl_intern_close (&first);
    assert_int_equal (mem.used + poor.used, 0);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (equal_lists_have_one_number),
      cmocka_unit_test (no_memory),
      cmocka_unit_test (threads_give_the_same_numbers),
      cmocka_unit_test (ledgers_without_memory),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
