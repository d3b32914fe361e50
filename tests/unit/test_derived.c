// Places whose initial marking is told by that of others, and places of which
// it is said how many tokens they have.

#include "explore/explore.h"
#include "lna/lna.h"
#include "compile/compiled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const stores[] = {"plain",    "table", "tree",
                                     "collapse", "delta", "delta+collapse"};

// Workers who do something one at a time; `BUSY`, `IDLE` and `LOCK` are what is
// said of the places busy, idle and lock.
#define WORKERS(BUSY, IDLE, LOCK, AFTER)                                       \
  "n (N := 4) { type id : range 1 .. N;\n"                                     \
  "  place busy { dom : id; " BUSY " } place done { dom : id; }\n"             \
  "  place idle { dom : id; init : for (i in id) " IDLE "<( i )>; }\n"         \
  "  place lock { dom : epsilon; init : " LOCK "epsilon; }\n"                  \
  "  transition start { in { idle : <( i )>; lock : epsilon; }\n"              \
  "    out { busy : <( i )>; } }\n"                                            \
  "  transition stop { in { busy : <( i )>; }\n"                               \
  "    out { done : <( i )>; lock : epsilon; " AFTER " } } }\n"

#define IDLE                                                                   \
  "if (not exists (x in busy | x->1 = i) and "                                 \
  "not exists (x in done | x->1 = i)) "
#define LOCK "if (busy'card = 0) "

typedef struct figures {
  uint64_t states, arcs, steps;
  double coded_bytes; // of a state
  tl_stop stop;
  char fault[sizeof (tl_error){0}.text];
} figures;

static figures explored (const char *text, const char *store,
                         const char *order) {
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_input in;
  tl_coloured *coloured;
  tl_net *net = 0;
  tl_exploration x = {0};
  tl_options how = tl_options_default ();
  how.store = store;
  how.order = order;
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  if (tl_input_next (&in, &err) ||
      tl_read_lna (&coloured, &mem, &in, 0, &err) ||
      tl_folded_open (&net, &mem, coloured, TL_COMPILE_NEVER, &err) ||
      tl_explore (net, &how, &x, &err))
    fail_msg ("%ld: %s", err.line, err.text);
  figures f = {.states = x.states,
               .arcs = x.arcs,
               .coded_bytes = x.code_bytes,
               .steps = x.fault_trace.length,
               .stop = x.stop};
  snprintf (f.fault, sizeof f.fault, "%s", x.fault.text);
  tl_exploration_close (&x);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
  return f;
}

static void test_holds (void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
    for (int dfs = 0; dfs < 2; dfs++) {
      const char *order = dfs ? "dfs" : "bfs";
      const figures said = explored (WORKERS ("", IDLE, LOCK, ""), stores[i],
                                     order),
                    plain =
                        explored (WORKERS ("", "", "", ""), stores[i], order);
      assert_int_equal (said.stop, TL_STOP_DONE);
      assert_int_equal (said.states, 48);
      assert_int_equal (said.arcs, 64);
      assert_int_equal (plain.states, 48);
      assert_int_equal (plain.arcs, 64);
    }
}

// What is said shortens the code, and what is said of both more than of one.
static void test_is_left_out (void **state) {
  (void)state;
  const figures one = explored (WORKERS ("", "", LOCK, ""), "table", "bfs"),
                both = explored (WORKERS ("", IDLE, LOCK, ""), "table", "bfs");
  assert_true (both.coded_bytes > 0);
  assert_true (both.coded_bytes < one.coded_bytes);
}

// How many tokens a place has in all is said: states are the same, their code
// is shorter.
static void test_tokens (void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
    const figures said = explored (WORKERS ("tokens : 1;", IDLE, LOCK, ""),
                                   stores[i], "bfs"),
                  plain =
                      explored (WORKERS ("", IDLE, LOCK, ""), stores[i], "bfs");
    assert_int_equal (said.stop, TL_STOP_DONE);
    assert_int_equal (said.states, 48);
    assert_int_equal (said.arcs, 64);
    assert_true (said.coded_bytes <= plain.coded_bytes);
    if (!strcmp (stores[i], "table"))
      assert_true (said.coded_bytes < plain.coded_bytes);
  }
}

// More or fewer than is said end the run, wherever that is.
static void test_other_tokens (void **state) {
  (void)state;
#define CELLS(OF)                                                              \
  "n { place p { dom : epsilon; capacity : 9; init : 2*epsilon; " OF " }\n"    \
  "  transition more { in { p : epsilon; } out { p : 2*epsilon; } }\n"         \
  "  transition less { in { p : epsilon; } out { } } }\n"
  static const struct {
    const char *text;
    uint64_t steps;
    const char *fault;
  } row[] = {{CELLS ("tokens : 4;"), 3,
              "place p gets 5 tokens, and it is to have 0 to 4"},
             {CELLS ("tokens : 1 .. 8;"), 2,
              "place p gets 0 tokens, and it is to have 1 to 8"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++)
    for (size_t k = 0; k < sizeof stores / sizeof *stores; k++) {
      const figures f = explored (row[i].text, stores[k], "bfs");
      assert_int_equal (f.stop, TL_STOP_FAULT);
      assert_string_equal (f.fault, row[i].fault);
      assert_int_equal (f.steps, row[i].steps);
    }
#undef CELLS
}

static void test_does_not_hold (void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
    // An idle worker too many, after two steps.
    const figures wrong = explored (WORKERS ("", IDLE, LOCK, "idle : <( i )>;"),
                                    stores[i], "bfs");
    assert_int_equal (wrong.stop, TL_STOP_FAULT);
    assert_non_null (strstr (wrong.fault, "the marking of place idle is not"));
    assert_int_equal (wrong.steps, 2);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_holds), cmocka_unit_test (test_is_left_out),
      cmocka_unit_test (test_tokens), cmocka_unit_test (test_other_tokens),
      cmocka_unit_test (test_does_not_hold)};
  return cmocka_run_group_tests (tests, 0, 0);
}
