// Sweeps by several threads, with layers that are large enough for shards, and
// threads that expand states of a graph for one that takes them in turn.  Built
// with ThreadSanitizer, which ends the program at the first race.

#include "explore/explore.h"
#include "graph/construct.h"
#include "measure/measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { STATES = 58400 }; // of kanban 3

static tl_net *kanban (void) {
  tl_net *net;
  assert_int_equal (tl_net_example (&net, "kanban", 1, &(uint64_t){3}, 0),
                    TL_OK);
  return net;
}

static tl_options three (void) {
  tl_options how = tl_options_default ();
  how.threads = 3;
  how.parallel_from = 1;
  return how;
}

static void test_sweep (void **state) {
  (void)state;
  tl_net *net = kanban ();
  tl_options how = three ();
  tl_exploration run = {.size = sizeof run};
  how.order = "sweep";
  how.progress = "done_1";
  how.exact_count = true;
  assert_int_equal (tl_explore (net, &how, &run, 0), TL_OK);
  assert_int_equal (run.threads, 3);
  assert_int_equal (run.states, STATES);
  tl_exploration_close (&run);
  how.exact_count = false; // states behind the line are persistent
  assert_int_equal (tl_explore (net, &how, &run, 0), TL_OK);
  assert_int_equal (run.threads, 3);
  assert_true (run.complete);
  tl_exploration_close (&run);
  tl_net_close (net);
}

static void test_graph (void **state) {
  (void)state;
  tl_net *net = kanban ();
  const tl_options how = three ();
  tl_mem root = TL_MEM (0, "total");
  tl_exploration run;
  tl_error err = {0};
  tl_graph *g;
  assert_int_equal (tl_graph_build (&g, &root, &root, net, &how, &run, &err),
                    TL_OK);
  assert_non_null (g);
  assert_int_equal (run.threads, 3);
  assert_int_equal (g->states, STATES);
  tl_graph_close (g);
  tl_exploration_close (&run);
  tl_net_close (net);
}

// Pilot sweeps of several measures at the same time.
static void test_choice (void **state) {
  (void)state;
  tl_net *net = kanban ();
  tl_mem mem = TL_MEM (0, "choice");
  tl_structure *structure;
  tl_measures list;
  const tl_measure_request request = {
      .progress = "sampled", .seconds = 0.2, .threads = 3};
  assert_int_equal (tl_structure_open (&structure, &mem, net, 0, 0), TL_OK);
  assert_int_equal (tl_measures_open (&list, &mem, structure, &request, 0),
                    TL_OK);
  assert_true (list.count > 0);
  tl_measures_close (&list);
  tl_structure_close (structure);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_sweep),
      cmocka_unit_test (test_graph),
      cmocka_unit_test (test_choice),
  };
  return cmocka_run_group_tests_name ("in turn", tests, 0, 0);
}
