// Coloured nets that are not unfolded, by several threads: the figures of one,
// places that are divided on the way, traces, faults of the model, and memory
// that fails.

#include "../failing.h"

#include "base/input.h"
#include "base/random.h"
#include "explore/explore.h"
#include "machine/parts.h"
#include "read/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
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

// ---- Two machines ----------------------------------------------------------

enum { ENABLED = TL_MACHINE_MOST_ENABLED, WORDS = 8, STEPS = 400 };

typedef struct pair {
  tl_mem mem;
  tl_machine *machine[2]; // the first, and one beside it
  tl_fault fault[2];
  uint32_t *list[2];
  uint64_t key[WORDS], next[2][WORDS];
  tl_random random;
  bool alone; // one of them has looked at the state at hand
  int who;    // this one first
  uint32_t followed, anew;
} pair;

static void open_second (pair *p) {
  assert_int_equal (
      tl_machine_open_beside (p->machine + 1, p->machine[0], p->fault + 1),
      TL_OK);
}

static void open_pair (pair *p, const tl_net *net, tl_key_form form) {
  *p = (pair){.mem = TL_MEM (0, "machines"), .random = {form + 1}};
  assert_int_equal (tl_machine_open (p->machine, net, form, false, &p->mem,
                                     &p->mem, p->fault),
                    TL_OK);
  for (int i = 0; i < 2; i++)
    assert_non_null (p->list[i] = malloc (ENABLED * sizeof **p->list));
  assert_int_equal (tl_machine_share (p->machine[0], 2), TL_OK);
  open_second (p);
}

static void close_pair (pair *p) {
  tl_machine_close (p->machine[1]);
  tl_machine_unshare (p->machine[0]);
  tl_machine_close (p->machine[0]);
  assert_int_equal (p->mem.used, 0);
  free (p->list[0]);
  free (p->list[1]);
}

// Keys get longer, and the second follows the first.
static void widen (pair *p) {
  tl_machine *m = p->machine[0];
  uint64_t old[WORDS];
  memcpy (old, p->key, sizeof old);
  tl_machine_report (p->machine[1], m);
  assert_int_equal (tl_machine_widen (m), TL_OK);
  assert_true (tl_machine_see (m)->key_words <= WORDS);
  tl_machine_convert (m, old, p->key);
  tl_machine_settle (m);
  const tl_status rc = tl_machine_follow (p->machine[1], m);
  p->followed++;
  if (!rc)
    return;
  assert_int_equal (rc, TL_E_ARG);
  tl_machine_close (p->machine[1]);
  open_second (p);
  p->anew++;
}

// Which of them look, and who goes first: one alone, or both.
static int who_looks (pair *p, int who[2]) {
  who[0] = tl_random_below (&p->random, 2) != 0;
  who[1] = !who[0];
  return tl_random_below (&p->random, 2) ? 2 : 1;
}

// What is enabled, and what of it is not pruned, has the same numbers whoever
// looks first; in p->list[0].
static uint32_t list_events (pair *p, uint32_t by) {
  int who[2];
  const int several = who_looks (p, who);
  uint32_t count[2];
  for (int k = 0; k < several; k++) {
    tl_machine *m = p->machine[who[k]];
    count[k] = tl_machine_enabled (m, p->key, p->list[k]);
    if (by != TL_NO_EVENT)
      count[k] = tl_machine_prune (m, by, p->list[k], count[k]);
    assert_false (p->fault[who[k]].failed);
  }
  if (several == 2) {
    assert_int_equal (count[0], count[1]);
    assert_memory_equal (p->list[0], p->list[1], count[0] * sizeof **p->list);
  }
  p->alone = several == 1;
  p->who = who[0];
  return count[0];
}

// Fires an event, in both if both have looked; false: the next key is too long.
static bool fire (pair *p, uint32_t event) {
  const size_t bytes = tl_machine_see (p->machine[0])->key_words * 8;
  uint32_t fits[2] = {0, 0};
  for (int k = 0; k < (p->alone ? 1 : 2); k++) {
    const int i = k ? !p->who : p->who;
    fits[k] = tl_machine_steps (p->machine[i], p->key, &event, 1, p->next[k]);
    assert_false (p->fault[i].failed);
  }
  if (!p->alone) {
    assert_int_equal (fits[0], fits[1]);
    assert_memory_equal (p->next[0], p->next[1], fits[0] * bytes);
  }
  return fits[0];
}

static void walk (pair *p) {
  uint32_t by = TL_NO_EVENT;
  assert_int_equal (tl_machine_initial (p->machine[0], p->key), TL_OK);
  for (int i = 0; i < STEPS; i++) {
    const uint32_t count = list_events (p, by);
    if (!count) {
      assert_int_equal (tl_machine_initial (p->machine[0], p->key), TL_OK);
      by = TL_NO_EVENT;
      continue;
    }
    by = p->list[0][tl_random_below (&p->random, count)];
    while (!fire (p, by)) {
      widen (p);
      assert_int_equal (tl_machine_catch_up (p->machine[1]), TL_OK);
    }
    memcpy (p->key, p->next[0], sizeof p->key);
  }
  tl_machine_report (p->machine[1], p->machine[0]);
  assert_true (tl_machine_see (p->machine[0])->most_alike >=
               tl_machine_see (p->machine[1])->most_alike);
}

static void test_machines (void **state) {
  (void)state;
  static const char *const families[] = {"dining", "dbm", "leader"};
  uint32_t followed = 0, anew = 0;
  for (size_t i = 0; i < 12; i++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_net *net = example (&mem, families[i % 3], 6, TL_COMPILE_NEVER);
    pair p;
    tl_divide_early = i >= 6;
    open_pair (&p, net,
               i % 2 ? TL_KEYS_NUMBERS
                     : (i % 4 ? TL_KEYS_COLLAPSED : TL_KEYS_CODED));
    walk (&p);
    followed += p.followed;
    anew += p.anew;
    close_pair (&p);
    tl_divide_early = false;
    tl_net_close (net);
  }
  assert_true (anew && followed > anew);
}

// What the second has seen is told to the first, once.
static void test_report (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = example (&mem, "dining", 6, TL_COMPILE_NEVER);
  pair p;
  open_pair (&p, net, TL_KEYS_CODED);
  tl_machine_view *first = &p.machine[0]->view, *second = &p.machine[1]->view;
  first->most_alike = 3;
  first->longest_code = 40;
  second->most_alike = 5;
  second->longest_code = 30;
  first->coded_states = second->coded_states = 2;
  for (int i = 0; i < 2; i++)
    tl_machine_report (p.machine[1], p.machine[0]);
  assert_int_equal (first->most_alike, 5);
  assert_int_equal (first->longest_code, 40);
  assert_true (first->coded_states == 4);
  close_pair (&p);
  tl_net_close (net);
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

// Only one state of a wide level is wrong, so mostly another thread than the
// first meets it.
static void test_rare_fault (void **state) {
  (void)state;
  enum { TIMES = 12 };
  for (unsigned i = 0; i < TIMES; i++) {
    char text[600];
    snprintf (
        text, sizeof text,
        "rare (N := 12) { type id : mod N;\n"
        "  place pool { dom : id; init : for (i in id) <( i )>; }\n"
        "  place done { dom : id; }\n"
        "  place full { dom : id; capacity : 3; }\n"
        "  transition t { in { pool : <( i )>; }\n"
        "    out { done : <( i )>; } }\n"
        "  transition wrong { in { done : <( %u )> + <( %u )> + <( %u )>\n"
        "      + <( %u )> + <( %u )> + <( %u )>; }\n"
        "    out { full : 4*<( 0 )>; } } }\n",
        i, (i + 1) % 12, (i + 3) % 12, (i + 4) % 12, (i + 6) % 12,
        (i + 9) % 12);
    tl_mem mem = TL_MEM (0, "net");
    tl_net *net = read_text (&mem, text, TL_COMPILE_NEVER);
    const tl_options several = by_threads (8, "table");
    tl_exploration x = explored (net, &several);
    assert_int_equal (x.stop, TL_STOP_FAULT);
    assert_true (*x.fault.text);
    assert_int_equal (x.fault_trace.length, 7);
    tl_exploration_close (&x);
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
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
      cmocka_unit_test (test_machines), cmocka_unit_test (test_report),
      cmocka_unit_test (test_same),     cmocka_unit_test (test_compiled),
      cmocka_unit_test (test_fault),    cmocka_unit_test (test_rare_fault),
      cmocka_unit_test (test_failing)};
  setenv ("XDG_CACHE_HOME", "/dev/null", 1); // keep nothing
  return cmocka_run_group_tests (tests, 0, 0);
}
