// Several threads: a successor that does not fit its fields waits until one is
// alone.  Many wait at the same time, and move with all else when fields get
// wider; where they come from is not lost.

#include "../brute.h"
#include "../random_net.h"

#include "explore/explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 300, OTHERS = 6, PLACES = 2 + 2 * OTHERS };

// A place that grows until an inhibitor arc ends it, while others are moved,
// once each: many states of a level, and of a layer, have a successor that does
// not fit, and one state is dead.  `grow`: the transition by which it grows,
// the first or the last; sleep sets follow only one of the ways to the dead
// state.
static tl_net *growing (tl_mem *mem, uint32_t grow) {
  const uint32_t move = !grow;
  random_net sketch = {.places = PLACES,
                       .transitions = 1 + OTHERS,
                       .arcs = 4 + 2 * OTHERS,
                       .initial = {1},
                       .arc = {{TL_ARC_PRE, 0, grow, 1},
                               {TL_ARC_POST, 0, grow, 1},
                               {TL_ARC_POST, 1, grow, 1},
                               {TL_ARC_INHIBITOR, 1, grow, MOST}}};
  for (uint32_t i = 0; i < OTHERS; i++) {
    const uint32_t place = 2 + 2 * i;
    sketch.initial[place] = 1;
    sketch.arc[4 + 2 * i] = (random_arc){TL_ARC_PRE, place, move + i, 1};
    sketch.arc[5 + 2 * i] = (random_arc){TL_ARC_POST, place + 1, move + i, 1};
  }
  tl_net *net = random_net_build (&sketch, mem);
  assert_non_null (net);
  return net;
}

// The only dead state, with a way there that can be fired.
static void explore (const char *order, const char *progress, const char *store,
                     uint32_t grow) {
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = growing (&mem, grow);
  tl_options options = tl_options_default ();
  options.order = order;
  options.progress = progress;
  options.window = 0;
  options.store = store;
  options.threads = 2;
  options.parallel_from = 1;
  tl_exploration run = {0};
  uint64_t marking[PLACES];
  assert_int_equal (tl_explore (net, &options, &run, 0), TL_OK);
  assert_true (run.complete);
  assert_true (run.widened);
  assert_int_equal (run.threads, 2);
  assert_int_equal (run.deadlocks, 1);
  // There are no cycles: all ways are as long.
  assert_int_equal (run.deadlock.length, MOST + OTHERS);
  assert_true (brute_replay (net, run.deadlock.transition, run.deadlock.length,
                             marking));
  assert_true (brute_dead (net, marking));
  tl_exploration_close (&run);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void test_levels (void **state) {
  (void)state;
  explore ("bfs", 0, "table", 0);
  explore ("bfs", 0, "table", OTHERS);
  explore ("bfs", 0, "plain", 0);
  explore ("bfs", 0, "plain", OTHERS);
}

static void test_layers (void **state) {
  (void)state;
  explore ("sweep", "p1", "table", 0);
  explore ("sweep", "p1", "table", OTHERS);
  explore ("sweep", "p1", "plain", 0);
  explore ("sweep", "p1", "plain", OTHERS);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_levels),
                                     cmocka_unit_test (test_layers)};
  return cmocka_run_group_tests_name ("aside", tests, 0, 0);
}
