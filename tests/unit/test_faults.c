// Every allocation of a small run fails once: the run must then end as one
// that ran out of memory, with nothing leaked and nothing wrong said.

#include "../brute.h"
#include "../random_net.h"

#include "explore/explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void figures_are_lower_bounds (const tl_exploration *run,
                                      const brute *b) {
  if (run->complete) {
    assert_int_equal (run->states, b->states);
    assert_int_equal (run->arcs, b->arcs);
    assert_int_equal (run->deadlocks, b->deadlocks);
    assert_int_equal (run->max_tokens_in_place, b->max_in_place);
    return;
  }
  assert_true (run->states <= b->states || !b->complete);
  assert_true (run->arcs <= b->arcs || !b->complete);
  assert_true (run->deadlocks <= b->deadlocks || !b->complete);
  assert_true (run->max_tokens_in_place <= b->max_in_place || !b->complete);
}

// True: the run never asked for allocation number n.
static bool survives (const tl_net *net, const tl_options *options,
                      const brute *b, long n) {
  tl_mem root = TL_MEM (0, "total");
  tl_exploration run = {0};
  tl_error err = {0};
  root.fail_after = n;
  const tl_status rc = tl_explore_on (&root, net, options, 0, &run, &err);
  const bool unharmed = root.fail_after > 0;
  if (rc) {
    assert_int_equal (rc, TL_E_NOMEM);
    assert_int_equal (err.code, TL_E_NOMEM);
    assert_int_not_equal (err.text[0], 0);
    assert_false (unharmed);
  } else {
    figures_are_lower_bounds (&run, b);
    if (!run.complete && !unharmed && run.stop != TL_STOP_UNBOUNDED &&
        run.stop != TL_STOP_STATES)
      assert_int_equal (run.stop, TL_STOP_MEMORY);
  }
  tl_exploration_close (&run);
  assert_int_equal (root.used, 0);
  return unharmed;
}

static void survives_all (const tl_net *net, uint64_t max_states) {
  size_t orders, stores;
  const tl_kind_row *order = tl_orders (&orders);
  const tl_kind_row *store = tl_stores (&stores);
  brute b = brute_explore (net, 5000);
  for (size_t i = 0; i < orders * stores; i++) {
    tl_options options = tl_options_default ();
    options.order = order[i % orders].name;
    options.store = store[i / orders].name;
    options.max_states = max_states;
    long n = 0;
    while (!survives (net, &options, &b, n))
      n++;
    assert_true (n > 0);
  }
  brute_close (&b);
}

static void examples (void **state) {
  (void)state;
  static const struct {
    const char *family;
    uint64_t size;
  } small[] = {{"philosophers", 4}, {"kanban", 1}, {"dbm", 4}, {"leader", 3}};
  for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
    tl_net *net;
    assert_int_equal (
        tl_net_example (&net, small[i].family, 1, &small[i].size, 0), TL_OK);
    survives_all (net, 0);
    tl_net_close (net);
  }
}

// A net that is unbounded, and one whose place grows beyond any first guess
// of its bound, so that states must be laid out anew.
static void nets_that_grow (void **state) {
  (void)state;
  random_net sketch = {.places = 2,
                       .transitions = 1,
                       .arcs = 2,
                       .initial = {1},
                       .arc = {{TL_ARC_PRE, 0, 0, 1}, {TL_ARC_POST, 0, 0, 1}}};
  sketch.arc[sketch.arcs++] = (random_arc){TL_ARC_POST, 1, 0, 1};
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = random_net_build (&sketch, &mem);
  assert_non_null (net);
  survives_all (net, 1000);
  tl_net_close (net);

  // The same, but an inhibitor arc ends it.
  sketch.arc[sketch.arcs++] = (random_arc){TL_ARC_INHIBITOR, 1, 0, 700};
  net = random_net_build (&sketch, &mem);
  assert_non_null (net);
  survives_all (net, 0);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void nets_are_built_or_not (void **state) {
  (void)state;
  random_net *sketch = test_malloc (sizeof *sketch);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    random_net_make (sketch, seed);
    tl_mem mem = TL_MEM (0, "net");
    tl_net *net = 0;
    for (long n = 0; !net; n++) {
      mem.fail_after = n;
      net = random_net_build (sketch, &mem);
      assert_true (net || !mem.used);
    }
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
  test_free (sketch);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (examples),
      cmocka_unit_test (nets_that_grow),
      cmocka_unit_test (nets_are_built_or_not),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
