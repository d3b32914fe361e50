// Orders of variables that are tried at once, each in a thread: the first that
// ends has won, and nothing is said twice.  Built with ThreadSanitizer.

#include "explore/explore.h"
#include "symbolic/symbolic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const struct {
  const char *family;
  uint64_t size, states;
} nets[] = {
    {"kanban", 3, 58400}, {"fms", 3, 48590}, {"philosophers-both", 8, 6561}};

static void orders_at_once (void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
    for (uint32_t threads = 2; threads < 5; threads++) {
      const tl_symbolic_stress stress = {{200, 0}, 0, true, threads};
      tl_options options = tl_options_whole ();
      tl_mem root = TL_MEM (0, "total");
      tl_exploration x;
      tl_net *net;
      options.threads = threads;
      assert_int_equal (
          tl_net_example (&net, nets[i].family, 1, &nets[i].size, 0), TL_OK);
      assert_int_equal (
          tl_symbolic_explore (&root, net, &options, &stress, &x, 0), TL_OK);
      assert_true (x.complete);
      assert_int_equal (x.states, nets[i].states);
      assert_true (x.threads > 1 && x.threads <= threads);
      tl_exploration_close (&x);
      tl_net_close (net);
      assert_int_equal (root.used, 0);
    }
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (orders_at_once)};
  return cmocka_run_group_tests (tests, 0, 0);
}
