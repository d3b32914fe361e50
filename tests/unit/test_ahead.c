// Several threads expand states that one takes in turn: graphs and sweeps.

#include "../compare_graph.h"
#include "../failing.h"
#include "../random_net.h"

#include "explore/explore.h"
#include "graph/construct.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static tl_net *example (const char *family, uint64_t size) {
  tl_net *net;
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  return net;
}

static tl_options sweeping (const char *progress, uint32_t threads) {
  tl_options options = tl_options_default ();
  options.order = "sweep";
  options.store = "table";
  options.progress = progress;
  options.window = 0;
  options.exact_count = true;
  options.threads = threads;
  options.parallel_from = 1;
  return options;
}

// Pairs of places from one on, each with a token that comes and goes, by
// transitions from one on.
static void add_pairs (random_net *sketch, uint32_t place, uint32_t by) {
  for (; place < sketch->places; place += 2, by += 2) {
    random_arc *arc = sketch->arc + sketch->arcs;
    sketch->initial[place] = 1;
    arc[0] = (random_arc){TL_ARC_PRE, place, by, 1};
    arc[1] = (random_arc){TL_ARC_POST, place + 1, by, 1};
    arc[2] = (random_arc){TL_ARC_PRE, place + 1, by + 1, 1};
    arc[3] = (random_arc){TL_ARC_POST, place, by + 1, 1};
    sketch->arcs += 4;
  }
}

// A place that grows beyond any first guess of its bound while others come and
// go: states are laid out anew in the middle of a round.
static tl_net *growing (tl_mem *mem, uint32_t most, uint32_t others) {
  random_net sketch = {.places = 2 + 2 * others,
                       .transitions = 2 + 2 * others,
                       .arcs = 5,
                       .initial = {1},
                       .arc = {{TL_ARC_PRE, 1, 0, 1000},
                               {TL_ARC_PRE, 0, 1, 1},
                               {TL_ARC_POST, 0, 1, 1},
                               {TL_ARC_POST, 1, 1, 1},
                               {TL_ARC_INHIBITOR, 1, 1, most}}};
  add_pairs (&sketch, 2, 2);
  tl_net *net = random_net_build (&sketch, mem);
  assert_non_null (net);
  return net;
}

// ---- Sweeps ----------------------------------------------------------------

static void sweep_equally (const tl_net *net, const char *progress,
                           const char *store, bool widens) {
  static const uint32_t threads[] = {1, 2, 5};
  tl_exploration one = {0};
  for (size_t i = 0; i < 3; i++) {
    tl_options options = sweeping (progress, threads[i]);
    tl_exploration run = {0};
    options.store = store;
    assert_int_equal (tl_explore (net, &options, &run, 0), TL_OK);
    assert_true (run.complete);
    assert_int_equal (run.threads, threads[i]);
    assert_int_equal (run.widened > 0, widens);
    assert_in_range (run.followed, run.states - 1, run.arcs);
    assert_int_equal (run.deadlock.transition != 0, run.deadlocks > 0);
    if (!i) {
      one = run;
      continue;
    }
    assert_int_equal (run.states, one.states);
    assert_int_equal (run.arcs, one.arcs);
    assert_int_equal (run.deadlocks, one.deadlocks);
    assert_int_equal (run.dead_transitions, one.dead_transitions);
    assert_int_equal (run.max_tokens_in_place, one.max_tokens_in_place);
    assert_int_equal (run.max_tokens_per_marking, one.max_tokens_per_marking);
    assert_int_equal (run.sweep.explored, one.sweep.explored);
    assert_in_range (run.sweep.peak_states, one.sweep.peak_states / 2,
                     one.sweep.peak_states * 2);
    tl_exploration_close (&run);
  }
  tl_exploration_close (&one);
}

// Where the transition does not tell the layer of a successor.
static void test_not_linear (void **state) {
  (void)state;
  tl_net *net = example ("kanban", 3);
  const tl_options options = sweeping ("done_1 * done_1", 2);
  tl_exploration run = {0};
  assert_int_equal (tl_explore (net, &options, &run, 0), TL_OK);
  assert_true (run.complete);
  assert_int_equal (run.states, 58400);
  assert_int_equal (run.threads, 1);
  assert_string_equal (run.threads_why, "a measure that is not linear has one");
  tl_exploration_close (&run);
  tl_net_close (net);
}

// Layers of more states than fit an array: they have shards.
static void test_large_layers (void **state) {
  (void)state;
  tl_net *net = example ("kanban", 3);
  sweep_equally (net, "done_1", "table", false);
  sweep_equally (net, "2*done_1 - card_3", "plain", false);
  tl_net_close (net);
  net = example ("philosophers", 12);
  sweep_equally (net, "schmidt", "tree", false);
  tl_net_close (net);
}

static uint64_t tokens (const tl_net *net, const char *id,
                        const tl_trace *trace, uint64_t steps) {
  uint64_t marking[net->places];
  uint32_t p = 0;
  while (strcmp (tl_net_place_id (net, p), id) != 0)
    p++;
  assert_true (brute_replay (net, trace->transition, steps, marking));
  return marking[p];
}

// Where progress is lost is told of the state in which it is, whoever has
// expanded that.
static void test_lost_progress (void **state) {
  (void)state;
  tl_net *net = example ("kanban", 3);
  for (uint32_t threads = 1; threads <= 5; threads += 2) {
    tl_options options = sweeping ("card_4", threads);
    tl_exploration run = {0};
    options.exact_count = false;
    options.monotone = true;
    assert_int_equal (tl_explore (net, &options, &run, 0), TL_OK);
    assert_int_equal (run.stop, TL_STOP_REGRESS);
    const uint64_t steps = run.regress.length;
    assert_int_equal (tokens (net, "card_4", &run.regress, steps - 1),
                      run.progress_before);
    assert_int_equal (tokens (net, "card_4", &run.regress, steps),
                      run.progress_after);
    assert_in_range (run.progress_after, 0, run.progress_before - 1);
    tl_exploration_close (&run);
  }
  tl_net_close (net);
}

static void test_growing (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = growing (&mem, 300, 3);
  sweep_equally (net, "p2 + p4", "table", true);
  sweep_equally (net, "p1", "table", true);
  brute b = brute_explore (net, 5000);
  char why[400];
  assert_true (b.complete);
  if (!compare_graph (&b, why, sizeof why))
    fail_msg ("%s", why);
  brute_close (&b);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// A place that grows in the second layer only, from where one of the others is
// marked: when it outgrows its field many states of a round are expanded.
static tl_net *growing_late (tl_mem *mem, uint32_t most, uint32_t others) {
  enum { EARLY, LATE, GROWS, FIRST };
  random_net sketch = {.places = FIRST + 2 * others,
                       .transitions = 2 + 2 * others,
                       .arcs = 8,
                       .initial = {1},
                       .arc = {{TL_ARC_PRE, EARLY, 0, 1},
                               {TL_ARC_POST, LATE, 0, 1},
                               {TL_ARC_PRE, LATE, 1, 1},
                               {TL_ARC_POST, LATE, 1, 1},
                               {TL_ARC_PRE, FIRST + 7, 1, 1},
                               {TL_ARC_POST, FIRST + 7, 1, 1},
                               {TL_ARC_POST, GROWS, 1, 1},
                               {TL_ARC_INHIBITOR, GROWS, 1, most}}};
  add_pairs (&sketch, FIRST, 2);
  tl_net *net = random_net_build (&sketch, mem);
  assert_non_null (net);
  return net;
}

// What was put of a round, in layers that have shards, is not lost.
static void test_growing_in_large_layers (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = growing_late (&mem, 300, 8);
  sweep_equally (net, "p1", "table", true);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- Graphs ----------------------------------------------------------------

static tl_graph *build (const tl_net *net, tl_mem *root, uint32_t threads) {
  tl_options options = tl_options_default ();
  tl_exploration run;
  tl_graph *g;
  options.threads = threads;
  options.parallel_from = 1;
  assert_int_equal (tl_graph_build (&g, root, root, net, &options, &run, 0),
                    TL_OK);
  assert_non_null (g);
  assert_int_equal (run.threads, threads);
  tl_exploration_close (&run);
  return g;
}

// Levels of several rounds: blocks are made and written by all threads, and the
// bits are the same.
static void test_wide_levels (void **state) {
  (void)state;
  tl_net *net = example ("kanban", 4);
  tl_mem root = TL_MEM (0, "total");
  tl_graph *one = build (net, &root, 1), *two = build (net, &root, 2);
  assert_int_equal (one->states, 454475);
  assert_int_equal (two->states, one->states);
  assert_int_equal (two->arcs, one->arcs);
  assert_int_equal (two->widest, one->widest);
  assert_int_equal (two->bits, one->bits);
  assert_memory_equal (two->words.base, one->words.base,
                       tl_graph_words (one->bits) * sizeof (uint64_t));
  assert_int_equal (two->blocks, one->blocks);
  assert_memory_equal (two->start, one->start,
                       one->blocks * sizeof *one->start);
  tl_graph_close (one);
  tl_graph_close (two);
  tl_net_close (net);
  assert_int_equal (root.used, 0);
}

// ---- Memory that fails -----------------------------------------------------

static void test_failing_sweep (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = growing (&mem, 300, 3);
  const tl_options options = sweeping ("p2 + p4", 2);
  brute b = brute_explore (net, 5000);
  long n = 0;
  while (!survives (net, &options, &b, n))
    n += 1 + n / 40;
  assert_true (n > 50);
  brute_close (&b);
  tl_net_close (net);
}

static void test_failing_graph (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 6);
  tl_options options = tl_options_default ();
  options.threads = 3;
  options.parallel_from = 1;
  brute b = brute_explore (net, 5000);
  bool unharmed = false;
  for (long n = 0; !unharmed; n += 1 + n / 40) {
    tl_mem root = TL_MEM (0, "total");
    tl_exploration run;
    tl_error err = {0};
    tl_graph *g;
    root.fail_after = n;
    const tl_status rc =
        tl_graph_build (&g, &root, &root, net, &options, &run, &err);
    unharmed = root.fail_after > 0;
    if (rc)
      assert_int_equal (rc, TL_E_NOMEM);
    else if (g)
      assert_int_equal (g->states, b.states);
    else
      assert_int_equal (run.stop, TL_STOP_MEMORY);
    if (!rc)
      tl_exploration_close (&run);
    tl_graph_close (g);
    assert_int_equal (root.used, 0);
    assert_false (root.shared);
  }
  brute_close (&b);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_large_layers),
      cmocka_unit_test (test_not_linear),
      cmocka_unit_test (test_lost_progress),
      cmocka_unit_test (test_growing),
      cmocka_unit_test (test_growing_in_large_layers),
      cmocka_unit_test (test_wide_levels),
      cmocka_unit_test (test_failing_sweep),
      cmocka_unit_test (test_failing_graph),
  };
  return cmocka_run_group_tests_name ("ahead", tests, 0, 0);
}
