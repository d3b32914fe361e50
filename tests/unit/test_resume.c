// Searches of many parts.  A deadlock that is found later is shown by states
// that were found before, by one thread or by several; and parts that end
// within a level, one after the other, find what one search finds.

#include "tideline.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PHILOSOPHERS = 8, STEP = 97 };

static char folder[64];

static void remove_folder (void) {
  char command[128];
  snprintf (command, sizeof command, "rm -rf '%s'", folder);
  assert_int_equal (system (command), 0);
}

static tl_exploration explore_by (tl_options how, const tl_net *net,
                                  uint32_t threads, uint64_t most,
                                  const char *checkpoint) {
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

static tl_exploration explore (const tl_net *net, uint32_t threads,
                               uint64_t most, const char *checkpoint) {
  return explore_by (tl_options_default (), net, threads, most, checkpoint);
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

enum { COUNTERS = 10, STEPS = 7, GAIN = 60, WIDENED = 4 };

// Counters that grow by so much, until all have made some steps together:
// nothing but an inhibitor arc bounds them, and after a few steps one outgrows
// its field.
static tl_net *counters (void) {
  tl_net_builder *b;
  tl_net *net;
  char place[16], step[16];
  assert_int_equal (tl_net_builder_open (&b, "counters", 0), TL_OK);
  tl_net_builder_place (b, "sum", 0, 0, 0);
  for (int i = 0; i < COUNTERS; i++) {
    snprintf (place, sizeof place, "p%d", i);
    snprintf (step, sizeof step, "t%d", i);
    tl_net_builder_place (b, place, 0, 0, 0);
    tl_net_builder_transition (b, step, 0, 0);
    tl_net_builder_arc (b, TL_ARC_POST, place, step, GAIN, 0);
    tl_net_builder_arc (b, TL_ARC_POST, "sum", step, 1, 0);
    tl_net_builder_arc (b, TL_ARC_INHIBITOR, "sum", step, STEPS, 0);
  }
  assert_int_equal (tl_net_builder_finish (b, &net, 0), TL_OK);
  return net;
}

// States before a depth.
static uint64_t states_before (uint64_t depth) {
  uint64_t count = 1;
  for (uint64_t i = 1; i < depth; i++)
    count = count * (COUNTERS + i) / i;
  return count;
}

// A successor that does not fit waits for the end of its level; a part that
// ends before that loses nothing.
static void test_parts_end_before_fields_are_widened (void **state) {
  (void)state;
  tl_net *net = counters ();
  const uint64_t all = states_before (STEPS + 1),
                 from = states_before (WIDENED + 1),
                 end = states_before (WIDENED + 2);
  for (uint32_t threads = 2; threads <= 3; threads++)
    for (uint64_t most = from; most < end; most += 2 * STEP) {
      tl_exploration x = explore (net, threads, most, folder);
      assert_false (x.complete);
      tl_exploration_close (&x);
      x = explore (net, 1 + threads % 2, 0, folder);
      assert_true (x.complete && x.widened);
      assert_int_equal (x.states, all);
      tl_exploration_close (&x);
      remove_folder ();
    }
  tl_net_close (net);
}

// The same on disk, where the search begins anew then, and in a sweep, where
// all that is kept moves; parts end before, between and behind that.
static void test_parts_of_other_searches (void **state) {
  (void)state;
  tl_net *net = counters ();
  for (uint32_t way = 0; way < 6; way++) {
    tl_options how = tl_options_default ();
    how.disk = way % 3 ? 0 : P_tmpdir;
    how.disk_room = way ? 0 : 100;
    how.order = way % 3 ? "sweep" : "bfs";
    how.progress = way % 3 == 1 ? "schmidt" : "p0 - 3 * p1 + p2";
    how.exact_count = way % 3;
    uint64_t most = 300;
    uint32_t parts = 0;
    assert_int_equal (
        tl_request_save (folder, &(tl_request_word){.word = "explore"}, 1, 0),
        TL_OK);
    for (bool complete = false; !complete; parts++, most += 2900) {
      assert_true (parts < 20);
      tl_exploration x =
          explore_by (how, net, 1 + (way / 3 + parts) % 2, most, folder);
      complete = x.complete;
      assert_true (!complete || x.widened);
      assert_true (!complete || x.states == states_before (STEPS + 1));
      tl_exploration_close (&x);
    }
    assert_true (parts > 3);
    assert_int_equal (tl_request_finish (folder, 0, 0), TL_OK);
    remove_folder ();
  }
  tl_net_close (net);
}

// Ends a search from outside, after so many microseconds.
typedef struct interrupt {
  int flag;
  useconds_t after;
} interrupt;

static void *interrupt_it (void *context) {
  interrupt *i = context;
  usleep (i->after);
  tl_cancel (&i->flag);
  return 0;
}

static tl_exploration explore_interrupted (tl_options how, const tl_net *net,
                                           useconds_t after) {
  interrupt i = {.after = after};
  pthread_t thread;
  how.cancel = &i.flag;
  assert_int_equal (pthread_create (&thread, 0, interrupt_it, &i), 0);
  tl_exploration x = explore_by (how, net, 1 + after % 2, 0, folder);
  assert_int_equal (pthread_join (thread, 0), 0);
  return x;
}

// Whatever a search does when it is interrupted, it goes on from there: on
// disk, levels may be merged at that moment.
static void test_parts_end_at_any_moment (void **state) {
  (void)state;
  const uint64_t size = 2;
  tl_net *net;
  assert_int_equal (tl_net_example (&net, "kanban", 1, &size, 0), TL_OK);
  for (uint32_t way = 0; way < 3; way++) {
    tl_options how = tl_options_default ();
    how.disk = way == 2 ? 0 : P_tmpdir;
    how.disk_room = way == 0 ? 500 : 0;
    how.order = way == 2 ? "sweep" : "bfs";
    how.progress = "schmidt";
    how.exact_count = way == 2;
    tl_exploration straight = explore_by (how, net, 1, 0, 0);
    const double all = 1e6 * straight.seconds;
    for (uint32_t i = 0; i < 80; i++) {
      const double share = (i * 37 % 80 + 0.5) / 80;
      tl_exploration x =
          explore_interrupted (how, net, (useconds_t)(share * all));
      const bool complete = x.complete;
      tl_exploration_close (&x);
      if (complete)
        continue;
      x = explore_by (how, net, 1 + i / 2 % 2, 0, folder);
      assert_true (x.complete && x.counted);
      assert_int_equal (x.states, straight.states);
      assert_int_equal (x.arcs, straight.arcs);
      if (way < 2)
        assert_int_equal (x.depth, straight.depth);
      tl_exploration_close (&x);
      remove_folder ();
    }
    remove_folder ();
    tl_exploration_close (&straight);
  }
  tl_net_close (net);
}

// Sweeps that forget states for good and visit some again: that they are broken
// off changes nothing of what they visit, keep and need (several threads visit
// more or fewer of them again, in any case).
static void test_parts_of_many_sweeps (void **state) {
  static const char *const measures[] = {
      "rework_1 - done_2", "done_4 + 2 * done_1", "card_1 + 2 * card_4"};
  (void)state;
  const uint64_t size = 3;
  tl_net *net;
  assert_int_equal (tl_net_example (&net, "kanban", 1, &size, 0), TL_OK);
  for (uint32_t way = 0; way < 6; way++) {
    tl_options how = tl_options_default ();
    how.order = "sweep";
    how.progress = measures[way % 3];
    how.window = way / 3;
    tl_exploration straight = explore_by (how, net, 1, 0, 0);
    const tl_sweep *all = &straight.sweep;
    assert_true (straight.complete && all->sweeps > 1);
    uint64_t most = 100 + 977 * way;
    uint32_t parts = 0;
    for (bool complete = false; !complete; parts++, most += 9700) {
      tl_exploration x = explore_by (how, net, 1, most, folder);
      complete = x.complete;
      assert_true (parts < 40);
      if (complete) {
        assert_int_equal (x.sweep.sweeps, all->sweeps);
        assert_int_equal (x.sweep.explored, all->explored);
        assert_int_equal (x.sweep.persistent, all->persistent);
        assert_int_equal (x.sweep.peak_states, all->peak_states);
        assert_int_equal (x.sweep.largest_layer, all->largest_layer);
      }
      tl_exploration_close (&x);
    }
    assert_true (parts > 3);
    remove_folder ();
    tl_exploration_close (&straight);
  }
  tl_net_close (net);
}

// What is looked for is what was looked for, also where proofs would have left
// less of it this time.
static void test_a_formula_stays_as_it_was (void **state) {
  (void)state;
  const uint64_t size = 3;
  tl_net *net;
  tl_questions *asked;
  tl_answers answers;
  tl_error error = {0};
  assert_int_equal (tl_net_example (&net, "kanban", 1, &size, 0), TL_OK);
  assert_int_equal (tl_questions_open (&asked, net, 0), TL_OK);
  assert_int_equal (
      tl_questions_add_text (asked, "EF done_1 = 3 AND AG rework_2 <= 3", 0),
      TL_OK);
  tl_options how = tl_options_default ();
  how.engine = "graph";
  how.checkpoint = folder;
  how.resume = true;
  how.max_states = 1000;
  how.unaided = true;
  assert_int_equal (tl_check (net, asked, &how, &answers, &error), TL_OK);
  assert_int_equal (answers.answer[0].verdict, TL_VERDICT_UNKNOWN);
  tl_answers_close (&answers);
  how.max_states = 0;
  how.unaided = false;
  if (tl_check (net, asked, &how, &answers, &error))
    fail_msg ("%s", error.text);
  assert_int_equal (answers.answer[0].verdict, TL_VERDICT_TRUE);
  assert_int_equal (answers.run.checkpoints.part, 2);
  tl_answers_close (&answers);
  // Other questions.
  assert_int_equal (tl_questions_add_text (asked, "deadlock", 0), TL_OK);
  assert_int_equal (tl_check (net, asked, &how, &answers, &error), TL_E_ARG);
  assert_non_null (strstr (error.text, "for other questions"));
  tl_questions_close (asked);
  tl_net_close (net);
  remove_folder ();
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_a_trace_goes_through_all_parts),
      cmocka_unit_test (test_parts_end_within_levels),
      cmocka_unit_test (test_parts_end_before_fields_are_widened),
      cmocka_unit_test (test_parts_of_other_searches),
      cmocka_unit_test (test_parts_end_at_any_moment),
      cmocka_unit_test (test_parts_of_many_sweeps),
      cmocka_unit_test (test_a_formula_stays_as_it_was)};
  snprintf (folder, sizeof folder, P_tmpdir "/tideline-parts-%ld",
            (long)getpid ());
  remove_folder ();
  return cmocka_run_group_tests (tests, 0, 0);
}
