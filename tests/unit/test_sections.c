// Places that are divided because they have too many local markings.

#include "base/input.h"
#include "explore/explore.h"
#include "machine/machine.h"
#include "read/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static tl_exploration explored (const char *family, uint64_t size,
                                const tl_options *how) {
  tl_mem mem = TL_MEM (0, "net");
  tl_settings settings = {
      .size = sizeof settings, .no_unfold = true, .compile = TL_COMPILE_NEVER};
  tl_error err = {0};
  tl_input in;
  tl_net *net;
  tl_exploration x;
  char *text;
  assert_int_equal (tl_example_coloured (&text, family, 1, &size, 0), TL_OK);
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  assert_int_equal (tl_read_net_as (&net, &mem, &in, "lna", &settings, &err),
                    TL_OK);
  tl_input_close (&in);
  tl_text_close (text);
  if (tl_explore (net, how, &x, &err))
    fail_msg ("%s", err.text);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
  return x;
}

static const struct {
  const char *family;
  uint64_t size, states, arcs;
} nets[] = {{"dining", 5, 491, 1895},
            {"dbm", 5, 406, 1090},
            {"peterson", 2, 158, 316},
            {"leader", 5, 219, 770}};

// Whenever that happens, states and arcs are what they are.
static void test_same (void **state) {
  (void)state;
  static const char *const orders[] = {"bfs", "dfs", "sweep"};
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++)
    for (size_t k = 0; k < 12; k++) {
      tl_options how = tl_options_default ();
      how.order = orders[k / 4];
      how.store = k / 2 % 2 ? "collapse" : "auto";
      tl_divide_early = k % 2;
      tl_exploration x = explored (nets[i].family, nets[i].size, &how);
      assert_true (x.complete);
      assert_int_equal (x.states, nets[i].states);
      assert_int_equal (x.arcs, nets[i].arcs);
      tl_exploration_close (&x);
    }
  tl_divide_early = false;
}

// Philosophers have a local marking for nearly every state, and each takes some
// fifty bytes.
static void test_short (void **state) {
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    tl_options how = tl_options_default ();
    how.store = i ? "collapse" : "auto";
    tl_exploration x = explored ("dining", 9, &how);
    assert_true (x.complete);
    assert_int_equal (x.states, 89419);
    assert_int_equal (x.arcs, 656343);
    assert_true (x.bytes_per_state < 16);
    assert_true (x.followed < x.arcs / 2); // sleep sets
    tl_exploration_close (&x);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_same),
                                     cmocka_unit_test (test_short)};
  return cmocka_run_group_tests (tests, 0, 0);
}
