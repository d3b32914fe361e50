// Keys found lately: what is left out was there, and what is there for the
// first time is left.

#include "base/random.h"
#include "explore/recent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include <cmocka.h>

enum { KEYS = 5000, BATCH = 100, ROUNDS = 400 };

// Keys with numbers below KEYS, from both ends.
static uint64_t key_of (uint64_t number) {
  return number % 2 ? ~(number / 2) : number / 2;
}

static uint64_t number_of (uint64_t key) {
  return key >> 63 ? 2 * ~key + 1 : 2 * key;
}

static void only_old_keys_are_left_out (void **state) {
  (void)state;
  static tl_recent recent;
  tl_random random = {1};
  size_t left_out = 0;
  for (uint64_t most = 2; most <= KEYS; most *= 2) {
    bool *seen = calloc (KEYS, sizeof *seen);
    tl_recent_forget (&recent);
    for (int round = 0; round < ROUNDS; round++) {
      uint64_t keys[BATCH], before[BATCH];
      uint16_t which[BATCH];
      for (size_t i = 0; i < BATCH; i++)
        before[i] = keys[i] = key_of (tl_random_below (&random, most));
      const size_t left = tl_recent_leave (&recent, keys, BATCH, which);
      for (size_t i = 0, k = 0; i < BATCH; i++) {
        bool *was = seen + number_of (before[i]);
        if (k < left && which[k] == i)
          assert_int_equal (keys[k++], before[i]);
        else
          assert_true (*was);
        *was = true;
      }
      left_out += BATCH - left;
    }
    free (seen);
  }
  assert_true (left_out > BATCH * ROUNDS);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (only_old_keys_are_left_out)};
  return cmocka_run_group_tests (tests, 0, 0);
}
