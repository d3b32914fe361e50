// Sweeps that free layers when memory is short, not when a window says so:
// whatever the budget, a run that comes to its end has found every state, and
// with exact counts each once.

#include "explore/explore.h"
#include "tideline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

typedef struct figures {
  uint64_t states, arcs, deadlocks, most;
} figures;

typedef struct tally {
  unsigned complete, short_of_memory, several_sweeps, partly;
} tally;

static tl_net *example (const char *family, uint64_t size) {
  tl_net *net;
  tl_error err;
  assert_int_equal (tl_net_example (&net, family, 1, &size, &err), TL_OK);
  return net;
}

static figures breadth_first (const tl_net *net) {
  tl_options how = tl_options_default ();
  tl_exploration x;
  assert_int_equal (tl_explore (net, &how, &x, 0), TL_OK);
  assert_true (x.complete);
  const figures f = {x.states, x.arcs, x.deadlocks, x.max_tokens_per_marking};
  tl_exploration_close (&x);
  return f;
}

static void sweep (const tl_net *net, const char *progress, uint64_t memory,
                   bool exact, const figures *right, tally *all) {
  tl_options how = tl_options_default ();
  tl_error err;
  tl_exploration x;
  how.order = "sweep";
  how.progress = progress;
  how.memory = memory;
  how.exact_count = exact;
  const tl_status rc = tl_explore (net, &how, &x, &err);
  if (rc) {
    assert_int_equal (rc, TL_E_NOMEM);
    all->short_of_memory++;
    return;
  }
  if (x.complete) {
    all->complete++;
    all->several_sweeps += x.sweep.sweeps > 1;
    all->partly += x.sweep.peak_states < right->states;
    if (exact)
      assert_true (x.counted);
    assert_int_equal (x.max_tokens_per_marking, right->most);
    if (x.counted) {
      assert_int_equal (x.states, right->states);
      assert_int_equal (x.arcs, right->arcs);
      assert_int_equal (x.deadlocks, right->deadlocks);
    } else
      assert_true (x.sweep.explored >= right->states);
  } else {
    assert_int_equal (x.stop, TL_STOP_MEMORY);
    all->short_of_memory++;
    if (x.counted)
      assert_true (x.states <= right->states && x.arcs <= right->arcs);
  }
  tl_exploration_close (&x);
}

static void test_budgets (void **state) {
  (void)state;
  static const struct {
    const char *family, *progress;
    uint64_t size;
  } nets[] = {{"kanban", "done_1", 2},
              {"kanban", "done_1 + done_4", 2},
              {"philosophers-both", "eating_1 + eating_3", 7},
              {"dining", "eating_1 + eating_2", 6}};
  tally all = {0};
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
    tl_net *net = example (nets[i].family, nets[i].size);
    const figures right = breadth_first (net);
    for (uint64_t memory = 50000; memory < 6000000; memory += memory / 8 + 3001)
      for (int exact = 0; exact < 2; exact++)
        sweep (net, nets[i].progress, memory, exact, &right, &all);
    tl_net_close (net);
  }
  // What lies between too little and enough for everything, step by step.
  tl_net *net = example ("kanban", 3);
  const figures right = breadth_first (net);
  unsigned kept = 0;
  for (uint64_t memory = 150000; kept < 2; memory += memory / 96)
    for (int exact = 0; exact < 2; exact++) {
      const tally before = all;
      sweep (net, "done_1", memory, exact, &right, &all);
      kept += all.complete > before.complete && all.partly == before.partly;
    }
  tl_net_close (net);
  print_message ("%u complete, %u short of memory, %u of several sweeps, %u "
                 "that forgot states\n",
                 all.complete, all.short_of_memory, all.several_sweeps,
                 all.partly);
  assert_true (all.complete > 20 && all.short_of_memory > 20);
  assert_true (all.several_sweeps > 5 && all.partly > 5);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_budgets)};
  return cmocka_run_group_tests (tests, 0, 0);
}
