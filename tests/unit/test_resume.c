// Searches of many parts.  A deadlock that is found later is shown by states
// that were found before, by one thread or by several; and parts that end
// within a level, one after the other, find what one search finds.

#include "tideline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

enum { PHILOSOPHERS = 8, STEP = 97 };

static char folder[64];

static void remove_folder (void) {
  char command[128];
  snprintf (command, sizeof command, "rm -rf '%s'", folder);
  assert_int_equal (system (command), 0);
}

static tl_exploration explore (const tl_net *net, uint32_t threads,
                               uint64_t most, const char *checkpoint) {
  tl_options how = tl_options_default ();
  tl_exploration found;
  tl_error error = {0};
  how.threads = threads;
  how.parallel_from = 1;
  how.max_states = most;
  how.checkpoint = checkpoint;
  how.resume = true;
  if (tl_explore (net, &how, &found, &error))
    fail_msg ("%s", error.text);
  return found;
}

static void test_a_trace_goes_through_all_parts (void **state) {
  (void)state;
  const uint64_t size = PHILOSOPHERS;
  tl_net *net;
  assert_int_equal (tl_net_example (&net, "philosophers", 1, &size, 0), TL_OK);
  tl_exploration straight = explore (net, 1, 0, 0);
  assert_int_equal (straight.deadlock.length, PHILOSOPHERS);
  for (uint32_t threads = 1; threads <= 3; threads++)
    for (uint64_t most = 1; most < straight.states - 5 * STEP; most += STEP) {
      tl_exploration x = explore (net, threads, most, folder);
      tl_exploration_close (&x);
      x = explore (net, 3 - threads / 2, most + STEP, folder);
      tl_exploration_close (&x);
      x = explore (net, 1 + threads % 2, 0, folder);
      assert_int_equal (x.states, straight.states);
      assert_int_equal (x.arcs, straight.arcs);
      assert_true (x.checkpoints.part > 1);
      assert_int_equal (x.deadlock.length, PHILOSOPHERS);
      tl_exploration_close (&x);
      remove_folder ();
    }
  tl_exploration_close (&straight);
  tl_net_close (net);
}

static void test_parts_end_within_levels (void **state) {
  (void)state;
  const uint64_t size = 3;
  tl_net *net;
  assert_int_equal (tl_net_example (&net, "kanban", 1, &size, 0), TL_OK);
  tl_exploration straight = explore (net, 1, 0, 0);
  for (uint32_t turn = 0; turn < 3; turn++) {
    uint64_t most = 1000;
    uint32_t parts = 0;
    for (bool complete = false; !complete; parts++, most += 1700) {
      assert_true (parts < 200);
      const uint32_t threads = turn == 2 ? 1 + parts % 3 : 1 + turn;
      tl_exploration x = explore (net, threads, most, folder);
      complete = x.complete;
      if (complete) {
        assert_int_equal (x.states, straight.states);
        assert_int_equal (x.arcs, straight.arcs);
        assert_int_equal (x.depth, straight.depth);
      }
      tl_exploration_close (&x);
    }
    assert_true (parts > 20);
    remove_folder ();
  }
  tl_exploration_close (&straight);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_a_trace_goes_through_all_parts),
      cmocka_unit_test (test_parts_end_within_levels)};
  snprintf (folder, sizeof folder, P_tmpdir "/tideline-parts-%ld",
            (long)getpid ());
  remove_folder ();
  return cmocka_run_group_tests (tests, 0, 0);
}
