// Bindings that are known before they are enabled: nets for which that is
// difficult have the states and arcs that they should have.

#include "compile/compiled.h"
#include "explore/explore.h"
#include "lna/lna.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void expect (const char *text, uint64_t states, uint64_t arcs) {
  static const char *const stores[] = {"auto", "collapse", "table"};
  for (size_t i = 0; i < 2 * sizeof stores / sizeof *stores; i++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_error err = {0};
    tl_input in;
    tl_coloured *coloured;
    tl_net *net = 0;
    tl_exploration x = {0};
    tl_options how = tl_options_default ();
    how.store = stores[i / 2];
    how.order = i % 2 ? "dfs" : "bfs";
    tl_input_open_memory (&in, "x.lna", text, strlen (text));
    if (tl_input_next (&in, &err) ||
        tl_read_lna (&coloured, &mem, &in, 0, &err) ||
        tl_folded_open (&net, &mem, coloured, TL_COMPILE_NEVER, &err) ||
        tl_explore (net, &how, &x, &err))
      fail_msg ("%ld: %s", err.line, err.text);
    if (x.stop == TL_STOP_FAULT)
      fail_msg ("%s", x.fault.text);
    assert_true (x.complete);
    assert_int_equal (x.states, states);
    assert_int_equal (x.arcs, arcs);
    tl_exploration_close (&x);
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
}

// What cannot be computed for tokens that are never together is no error.
static void test_never_together (void **state) {
  (void)state;
  expect ("n { type n : range 0 .. 9;\n"
          "  place phase { dom : n; init : <( 0 )>; }\n"
          "  place divisor { dom : n; init : <( 2 )>; }\n"
          "  transition flip {\n"
          "    in { phase : <( 0 )>; divisor : <( 2 )>; }\n"
          "    out { phase : <( 1 )>; divisor : <( 0 )>; } }\n"
          "  transition divide {\n"
          "    in { phase : <( p )>; divisor : <( d )>; }\n"
          "    out { phase : <( p )>; divisor : <( d )>; }\n"
          "    guard : p = 0 and 6 / d = 3; } }\n",
          2, 2);
}

// More of them than anybody would want to know.
static void test_too_many (void **state) {
  (void)state;
  expect ("n { type n : range 1 .. 100;\n"
          "  place a { dom : n; init : for (i in n) <( i )>; }\n"
          "  place b { dom : n; init : for (i in n) <( i )>; }\n"
          "  place once { dom : epsilon; init : epsilon; }\n"
          "  transition pair {\n"
          "    in { a : <( x )>; b : <( y )>; once : epsilon; } out {} } }\n",
          10001, 10000);
}

// In every state there is a token that nobody has met.
static void test_always_new (void **state) {
  (void)state;
  expect ("n { type n : range 0 .. 700;\n"
          "  place a { dom : n; init : <( 0 )>; }\n"
          "  place b { dom : n; capacity : 3; init : 2 * <( 0 )>; }\n"
          "  transition up {\n"
          "    in { a : <( x )>; b : 2 * <( x )>; }\n"
          "    out { a : <( x + 1 )>; b : 2 * <( x + 1 )>; }\n"
          "    guard : x < 700; }\n"
          "  transition stay {\n"
          "    in { a : <( x )>; b : 3 * <( x )>; }\n"
          "    out { a : <( x )>; b : 3 * <( x )>; } } }\n",
          701, 700);
}

// Transitions that take nothing, or what a loop says.
static void test_nothing_taken (void **state) {
  (void)state;
  expect ("n { type n : range 1 .. 3;\n"
          "  place a { dom : n; capacity : 1; }\n"
          "  place b { dom : n; capacity : 1; init : for (i in n) <( i )>; }\n"
          "  transition move { in { b : for (i in n) if (i = x) <( i )>; }\n"
          "    out { a : <( x )>; } pick { x in n; } }\n"
          "  transition all { in { a : for (i in n) <( i )>; }\n"
          "    out { b : for (i in n) <( i )>; } } }\n",
          8, 13);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_never_together),
                                     cmocka_unit_test (test_too_many),
                                     cmocka_unit_test (test_always_new),
                                     cmocka_unit_test (test_nothing_taken)};
  return cmocka_run_group_tests (tests, 0, 0);
}
