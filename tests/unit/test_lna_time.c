// Timed places of Helena's language as Tideline extends it.

#include "explore/explore.h"
#include "lna/lna.h"
#include "machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static tl_status read_text (tl_coloured **net, tl_mem *mem, const char *text,
                            tl_error *err) {
  tl_input in;
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  const tl_status status = tl_input_next (&in, err);
  return status ? status : tl_read_lna (net, mem, &in, 0, err);
}

static tl_coloured *read_net (tl_mem *mem, const char *text) {
  tl_coloured *net;
  tl_error err = {0};
  if (read_text (&net, mem, text, &err))
    fail_msg ("%ld:%ld: %s\n%s", err.line, err.column, err.text, text);
  return net;
}

static const char protocol[] =
    "protocol (N := 3) {\n"
    "  type id : range 1 .. N;\n"
    "  place sender { dom : id; timed; init : <( 1 )> + <( 2 )> @+ 3; }\n"
    "  place net { dom : id; timed; }\n"
    "  place got { dom : id; capacity : 10; }\n"
    "  transition send { in { sender : <( i )>; }\n"
    "    out { net : <( i )> @+ 2 * int (i); } }\n"
    "  transition receive { in { net : <( i )>; } out { got : <( i )>; }\n"
    "    guard : now < 100; }\n"
    "  proposition late : exists (x in net | x->2 > 5);\n"
    "}\n";

static void test_what_is_made (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *net = read_net (&mem, protocol);
  assert_int_equal (net->places, 4);
  assert_string_equal (net->place[1].name, "clock");
  assert_int_equal (net->place[0].parts, 2);
  assert_int_equal (net->transitions, 4);
  assert_string_equal (net->transition[2].name, "tick_sender");
  assert_string_equal (net->transition[3].name, "tick_net");
  assert_int_equal (net->transition[0].ins, 2);
  assert_string_equal (net->transition[0].variable[0].name, "now");
  assert_non_null (net->progress);
  tl_coloured_close (net);
  assert_int_equal (mem.used, 0);
}

static void has_states (const char *text, uint64_t states, uint64_t arcs) {
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_net *net;
  tl_exploration run = {0};
  tl_options options = tl_options_default ();
  options.max_states = 1000;
  assert_int_equal (tl_machine_open (&net, &mem, read_net (&mem, text),
                                     TL_COMPILE_NEVER, &err),
                    TL_OK);
  assert_int_equal (tl_explore_on (&mem, net, &options, 0, &run, &err), TL_OK);
  assert_int_equal (run.states, states);
  assert_int_equal (run.arcs, arcs);
  tl_exploration_close (&run);
  tl_net_close (net);
}

static void test_runs (void **state) {
  (void)state;
  // 1 is sent at 0 and there at 2; 2 is sent at 3 and there at 7.
  has_states (protocol, 8, 7);
  // The earlier one of two must be taken before time passes.
  has_states (
      "n { place p { dom : int; timed; init : <( 1 )> @+ 2 + <( 2 )> @+ "
      "5; } place q { dom : int; } transition t { in { p : <( x )>; } "
      "out { q : <( now )>; } } }",
      5, 4);
  // Without an end, but for the one that the clock has.
  has_states ("n { place p { dom : epsilon; timed; init : epsilon; } "
              "transition t { in { p : epsilon; } out { p : epsilon @+ 1; } "
              "guard : now < 10; } }",
              21, 20);
}

static void is_refused (const char *text, long column, const char *message) {
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_coloured *net;
  assert_int_equal (read_text (&net, &mem, text, &err), TL_E_SYNTAX);
  assert_string_equal (err.text, message);
  assert_int_equal (err.column, column);
  assert_int_equal (mem.used, 0);
}

#define TIMED "n { place p { dom : bool; timed; } place q { dom : bool; } "

static void test_mistakes (void **state) {
  (void)state;
  is_refused ("n { place p { dom : bool; timed; timed; } }", 34,
              "a second 'timed'");
  is_refused (
      "n { place clock { dom : bool; } place p { dom : bool; timed; } }", 39,
      "a second place 'clock'");
  is_refused (TIMED "place r { dom : int; init : <( 1 )> @+ 2; } }", 99,
              "place 'r' is not timed");
  is_refused (TIMED "transition t { in { p : <( x )> @+ 1; } out { } } }", 84,
              "a tuple that takes from a timed place has no 'for', 'if', "
              "factor or delay");
  is_refused (TIMED "transition t { in { p : 2*<( x )>; } out { } } }", 84,
              "a tuple that takes from a timed place has no 'for', 'if', "
              "factor or delay");
  is_refused (TIMED "transition t { in { } out { } inhibit { p : <( true )>; } "
                    "} }",
              71, "a timed place cannot inhibit");
  is_refused (TIMED "transition t { in { clock : <( x )>; } out { } } }", 80,
              "the clock moves by itself");
  is_refused (TIMED "transition t { in { p : <( x, y )>; } out { } } }", 84,
              "a token of 'p' has 1 part, not 2");
  is_refused (TIMED "transition tick_p { in { } out { } } }", 11,
              "a second transition 'tick_p'");
}

static void test_memory (void **state) {
  (void)state;
  tl_status status = TL_E_NOMEM;
  for (long n = 1; status; n++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_error err = {0};
    tl_coloured *net;
    mem.fail_after = n;
    status = read_text (&net, &mem, protocol, &err);
    if (status)
      assert_int_equal (status, TL_E_NOMEM);
    else
      tl_coloured_close (net);
    assert_int_equal (mem.used, 0);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_what_is_made),
      cmocka_unit_test (test_runs),
      cmocka_unit_test (test_mistakes),
      cmocka_unit_test (test_memory),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
