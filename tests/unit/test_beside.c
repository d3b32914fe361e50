// Coloured nets that are not unfolded, by several threads: the figures of one,
// places that are divided on the way, traces, faults of the model, and memory
// that fails.

#include "../failing.h"

#include "base/input.h"
#include "explore/explore.h"
#include "machine/machine.h"
#include "read/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tl_net *read_text (tl_mem *mem, const char *text, tl_compile when) {
  tl_settings settings = {
      .size = sizeof settings, .no_unfold = true, .compile = when};
  tl_error err = {0};
  tl_input in;
  tl_net *net;
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  if (tl_read_net_as (&net, mem, &in, "lna", &settings, &err))
    fail_msg ("%s", err.text);
  tl_input_close (&in);
  return net;
}

static tl_net *example (tl_mem *mem, const char *family, uint64_t size,
                        tl_compile when) {
  char *text;
  assert_int_equal (tl_example_coloured (&text, family, 1, &size, 0), TL_OK);
  tl_net *net = read_text (mem, text, when);
  tl_text_close (text);
  return net;
}

static tl_options by_threads (uint32_t threads, const char *store) {
  tl_options how = tl_options_default ();
  how.store = store;
  how.threads = threads;
  how.parallel_from = 4;
  return how;
}

static tl_exploration explored (const tl_net *net, const tl_options *how) {
  tl_exploration x;
  tl_error err = {0};
  if (tl_explore (net, how, &x, &err))
    fail_msg ("%s", err.text);
  return x;
}

// ---- Figures ---------------------------------------------------------------

static void are_the_same (const tl_net *net, const char *store,
                          uint32_t threads) {
  const tl_options one = by_threads (1, store),
                   several = by_threads (threads, store);
  tl_exploration x = explored (net, &one), y = explored (net, &several);
  assert_true (y.complete);
  assert_int_equal (x.threads, 1);
  assert_int_equal (y.threads, threads);
  assert_int_equal (x.states, y.states);
  assert_int_equal (x.arcs, y.arcs);
  assert_int_equal (x.deadlocks, y.deadlocks);
  assert_int_equal (x.depth, y.depth);
  assert_int_equal (x.max_tokens_in_place, y.max_tokens_in_place);
  assert_int_equal (x.max_tokens_per_marking, y.max_tokens_per_marking);
  assert_int_equal (x.dead_transitions, y.dead_transitions);
  assert_int_equal (x.deadlock.length, y.deadlock.length);
  assert_true (x.code_bytes == y.code_bytes);
  if (x.code_bytes > 0) // else how long keys are depends on when they grew
    assert_int_equal (x.bits, y.bits);
  // Both prune, if not the same.
  assert_true (y.followed < y.arcs || x.followed == x.arcs);
  tl_exploration_close (&x);
  tl_exploration_close (&y);
}

static const struct {
  const char *family;
  uint64_t size;
} nets[] = {{"dining", 6}, {"dbm", 6}, {"peterson", 2}, {"leader", 6}};

static const char *const stores[] = {"auto", "collapse", "plain", "table",
                                     "tree"};

static void test_same (void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_net *net =
        example (&mem, nets[i].family, nets[i].size, TL_COMPILE_NEVER);
    for (uint32_t k = 0; k < 20; k++) {
      tl_divide_early = k / 5 % 2;
      are_the_same (net, stores[k % 5], 2 + k / 10);
    }
    tl_divide_early = false;
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
}

// Keys that are codes are in the hands of kernels.
static void test_compiled (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = example (&mem, "leader", 6, TL_COMPILE_NOW);
  for (size_t i = 0; i < 5; i++)
    are_the_same (net, stores[i], 3);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- Faults ----------------------------------------------------------------

// Whoever meets the fault first: it is the same one, as far from the beginning.
static void test_fault (void **state) {
  (void)state;
  static const char text[] =
      "full (N := 5) { type id : mod N;\n"
      "  place pool { dom : id; init : for (i in id) 2*<( i )>;\n"
      "    capacity : 9; }\n"
      "  place full { dom : id; capacity : 3; }\n"
      "  transition t { in { pool : <( i )>; }\n"
      "    out { full : <( i )> + <( i + 1 )>; } } }\n";
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = read_text (&mem, text, TL_COMPILE_NEVER);
  for (size_t i = 0; i < 5; i++) {
    const tl_options one = by_threads (1, stores[i]),
                     several = by_threads (3, stores[i]);
    tl_exploration x = explored (net, &one), y = explored (net, &several);
    assert_int_equal (x.stop, TL_STOP_FAULT);
    assert_int_equal (y.stop, TL_STOP_FAULT);
    assert_string_equal (x.fault.text, y.fault.text);
    assert_int_equal (x.fault_trace.length, y.fault_trace.length);
    tl_exploration_close (&x);
    tl_exploration_close (&y);
  }
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- Memory that fails -----------------------------------------------------

static void fails_everywhere (const tl_net *net, const char *store) {
  const tl_options one = by_threads (1, store), several = by_threads (2, store);
  tl_exploration x = explored (net, &one);
  const brute known = {.complete = true,
                       .states = x.states,
                       .arcs = x.arcs,
                       .deadlocks = x.deadlocks,
                       .max_in_place = x.max_tokens_in_place};
  tl_exploration_close (&x);
  long n = 0;
  while (!survives (net, &several, &known, n))
    n += 1 + n / 50;
  assert_true (n > 50);
}

static void test_failing (void **state) {
  (void)state;
  for (size_t i = 0; i < 2; i++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_net *net = example (&mem, nets[i].family, 4, TL_COMPILE_NEVER);
    tl_divide_early = !i;
    for (size_t k = 0; k < 4; k++)
      fails_everywhere (net, stores[k]);
    tl_divide_early = false;
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_same), cmocka_unit_test (test_compiled),
      cmocka_unit_test (test_fault), cmocka_unit_test (test_failing)};
  setenv ("XDG_CACHE_HOME", "/dev/null", 1); // keep nothing
  return cmocka_run_group_tests (tests, 0, 0);
}
