// Two threads that search the same net at the same time.  Built with
// ThreadSanitizer, which ends the program at the first race.

#include "base/input.h"
#include "read/read.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 2 };

// The loader of shared objects has locks of its own, which are not seen.
__attribute__ ((visibility ("default"))) const char *
__tsan_default_suppressions (void);
const char *__tsan_default_suppressions (void) {
  return "race:_dl_*\n";
}

typedef struct search {
  const tl_net *net;
  const char *order, *store;
  pthread_barrier_t *start;
  bool right; // it was complete, and its trace can be fired
  uint64_t states, arcs, deadlocks;
} search;

static void *explore (void *context) {
  search *s = context;
  tl_options how = tl_options_default ();
  tl_exploration x = {.size = sizeof x};
  how.order = s->order;
  how.store = s->store;
  if (s->start)
    pthread_barrier_wait (s->start);
  if (tl_explore (s->net, &how, &x, 0))
    return 0;
  s->right = x.complete &&
             (!x.deadlock.transition || tl_trace_replay (s->net, &x.deadlock));
  s->states = x.states;
  s->arcs = x.arcs;
  s->deadlocks = x.deadlocks;
  tl_exploration_close (&x);
  return 0;
}

static void explore_twice (const tl_net *net, const char *const *store) {
  search alone = {.net = net, .order = "bfs", .store = "auto"};
  explore (&alone);
  assert_true (alone.right);
  pthread_barrier_t start;
  pthread_t thread[THREADS];
  search s[THREADS];
  pthread_barrier_init (&start, 0, THREADS);
  for (size_t i = 0; i < THREADS; i++) {
    s[i] = (search){.net = net,
                    .order = i ? "dfs" : "bfs",
                    .store = store[i],
                    .start = &start};
    assert_int_equal (pthread_create (thread + i, 0, explore, s + i), 0);
  }
  for (size_t i = 0; i < THREADS; i++) {
    pthread_join (thread[i], 0);
    assert_true (s[i].right);
    assert_int_equal (s[i].states, alone.states);
    assert_int_equal (s[i].arcs, alone.arcs);
    assert_int_equal (s[i].deadlocks, alone.deadlocks);
  }
  pthread_barrier_destroy (&start);
}

static void test_arcs (void **state) {
  (void)state;
  tl_net *net;
  const char *const store[THREADS] = {"auto", "tree"};
  assert_int_equal (tl_net_example (&net, "philosophers", 1, &(uint64_t){6}, 0),
                    TL_OK);
  explore_twice (net, store);
  tl_net_close (net);
}

// Both engines at once: the one that ends first makes the other end.
static void test_race (void **state) {
  (void)state;
  static const struct {
    uint64_t size, states;
    const char *engine;
  } row[] = {{4, 81, "explicit"}, {30, 205891132094649, "symbolic"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    tl_net *net;
    tl_options how = tl_options_default ();
    tl_exploration x = {.size = sizeof x};
    how.engine = "auto";
    how.memory = (uint64_t)1 << 30;
    assert_int_equal (
        tl_net_example (&net, "philosophers-both", 1, &row[i].size, 0), TL_OK);
    assert_int_equal (tl_explore (net, &how, &x, 0), TL_OK);
    assert_true (x.complete && x.states == row[i].states);
    assert_string_equal (x.engine, row[i].engine);
    tl_exploration_close (&x);
    tl_net_close (net);
  }
}

// A coloured net, not unfolded.
static tl_net *coloured (tl_mem *mem, const char *text, tl_compile compile) {
  tl_settings settings = {.size = sizeof settings};
  tl_error err = {0};
  tl_input in;
  tl_net *net;
  settings.no_unfold = true;
  settings.compile = compile;
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  if (tl_read_net_as (&net, mem, &in, "lna", &settings, &err))
    fail_msg ("%ld: %s", err.line, err.text);
  tl_input_close (&in);
  return net;
}

static void try_coloured (const char *family, tl_compile compile) {
  static const char *const store[][THREADS] = {
      {"auto", "auto"}, {"collapse", "delta"}, {"plain", "table"}};
  tl_mem mem = TL_MEM (0, "net");
  char *text;
  assert_int_equal (tl_example_coloured (&text, family, 1, &(uint64_t){3}, 0),
                    TL_OK);
  tl_net *net = coloured (&mem, text, compile);
  for (size_t i = 0; i < sizeof store / sizeof *store; i++)
    explore_twice (net, store[i]);
  tl_net_close (net);
  tl_text_close (text);
  assert_int_equal (mem.used, 0);
}

static void test_interpreted (void **state) {
  (void)state;
  try_coloured ("dbm", TL_COMPILE_NEVER);
  try_coloured ("stop-and-wait", TL_COMPILE_NEVER);
}

static void test_compiled (void **state) {
  (void)state;
  try_coloured ("dbm", TL_COMPILE_NOW);
  try_coloured ("stop-and-wait", TL_COMPILE_NOW);
}

// Long enough for a compiler to be started by both.
static void test_compiled_on_the_way (void **state) {
  (void)state;
  static const char text[] = "n { place p { dom : int; init : <( 0 )>; }\n"
                             "  transition t { in { p : <( x )>; }\n"
                             "    out { p : <( x + 1 )>; }\n"
                             "    guard : x < 25000; } }\n";
  const char *const store[THREADS] = {"auto", "auto"};
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = coloured (&mem, text, TL_COMPILE_AUTO);
  explore_twice (net, store);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

int main (void) {
  char folder[] = P_tmpdir "/tideline-test-XXXXXX", command[80];
  if (!mkdtemp (folder) || setenv ("XDG_CACHE_HOME", folder, 1))
    return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_arcs), cmocka_unit_test (test_race),
      cmocka_unit_test (test_interpreted), cmocka_unit_test (test_compiled),
      cmocka_unit_test (test_compiled_on_the_way)};
  const int failed = cmocka_run_group_tests (tests, 0, 0);
  snprintf (command, sizeof command, "rm -r %s", folder);
  return failed || system (command);
}
