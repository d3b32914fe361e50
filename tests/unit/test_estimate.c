// What the widths of levels tell of the number of states.

#include "explore/estimate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// Levels like those of `switches` things that are switched on one by one: there
// are 2^switches states.
static void levels_of_independent_steps (void **state) {
  (void)state;
  enum { SWITCHES = 40 };
  const double all = (double)((uint64_t)1 << SWITCHES);
  tl_levels levels = {0};
  uint64_t wide = 1, seen = 1;
  int told = 0;
  for (uint64_t i = 0; i < SWITCHES; i++) {
    wide = wide * (SWITCHES - i) / (i + 1);
    seen += wide;
    tl_levels_add (&levels, wide, seen);
    const uint64_t steady = tl_levels_steady (&levels, seen);
    told += steady > 0;
    if (i < TL_LEVELS + TL_GUESSES - 2)
      assert_int_equal (steady, 0);
    if (!steady)
      continue;
    assert_true (steady > seen);
    assert_true ((double)steady > 0.6 * all && (double)steady < 1.6 * all);
  }
  assert_true (told >= 10);
}

// Levels that get wider by the same factor promise no end.
static void levels_without_end (void **state) {
  (void)state;
  tl_levels levels = {0};
  uint64_t wide = 1, seen = 1;
  for (int i = 0; i < 30; i++) {
    wide *= 3;
    seen += wide;
    tl_levels_add (&levels, wide, seen);
    assert_int_equal (tl_levels_steady (&levels, seen), 0);
    assert_true (tl_levels_estimate (&levels, seen, wide) > 2 * (double)seen);
  }
}

// One level that does not fit the others changes the estimate, but not the
// least of the last ones.
static void levels_with_a_spike (void **state) {
  (void)state;
  tl_levels levels = {0};
  uint64_t wide = 1000, seen = 1000;
  for (int i = 0; i < 30; i++) {
    seen += wide += 10;
    tl_levels_add (&levels, wide, seen);
  }
  const double before = tl_levels_least (&levels, seen, wide);
  assert_true (before > (double)seen);
  wide *= 20;
  seen += wide;
  tl_levels_add (&levels, wide, seen);
  assert_true (tl_levels_estimate (&levels, seen, wide) > 10 * before);
  assert_true (tl_levels_least (&levels, seen, wide) < 2 * before);
  // It is never less than what was seen.
  assert_true (tl_levels_least (&levels, seen * 1000, wide) >=
               (double)seen * 1000);
}

static void narrow_levels (void **state) {
  (void)state;
  tl_levels levels = {0};
  for (uint64_t seen = 2; seen < 100; seen++) {
    tl_levels_add (&levels, 1, seen);
    assert_int_equal (tl_levels_steady (&levels, seen), 0);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (levels_of_independent_steps),
      cmocka_unit_test (levels_without_end),
      cmocka_unit_test (levels_with_a_spike), cmocka_unit_test (narrow_levels)};
  return cmocka_run_group_tests (tests, 0, 0);
}
