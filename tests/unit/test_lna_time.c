// Timed places of Helena's language as Tideline extends it.

#include "../naive_coloured.h"
#include "explore/explore.h"
#include "lna/lna.h"
#include "compile/compiled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
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
  assert_int_equal (net->transitions, 3);
  assert_string_equal (net->transition[2].name, "tick");
  assert_true (net->transition[2].tick);
  assert_int_equal (net->transition[0].ins, 2);
  assert_string_equal (net->transition[0].variable[0].name, "now");
  assert_int_equal (net->measures, 1);
  tl_coloured_close (net);
  assert_int_equal (mem.used, 0);
}

static void is_naive (const char *text, uint64_t states, uint64_t arcs) {
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *net = read_net (&mem, text);
  const naive_coloured found = naive_coloured_explore (net, 1000);
  assert_int_equal (found.states, states);
  assert_int_equal (found.arcs, arcs);
  tl_coloured_close (net);
}

static void has_states (const char *text, uint64_t states, uint64_t arcs) {
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_net *net;
  tl_exploration run = {0};
  tl_options options = tl_options_default ();
  options.max_states = 10000;
  assert_int_equal (tl_folded_open (&net, &mem, read_net (&mem, text),
                                    TL_COMPILE_NEVER, &err),
                    TL_OK);
  assert_int_equal (tl_explore_on (&mem, net, &options, 0, &run, &err), TL_OK);
  assert_int_equal (run.states, states);
  assert_int_equal (run.arcs, arcs);
  tl_exploration_close (&run);
  tl_net_close (net);
}

// The clock moves once, however many tokens it makes available.
static void test_one_tick (void **state) {
  (void)state;
  static const char alike[] =
      "n { place p { dom : int; timed; init : <( 1 )> @+ 2 + <( 2 )> @+ 2; } "
      "place q { dom : int; timed; capacity : 2; init : 2*<( 1 )> @+ 2 + <( 1 "
      ")> @+ 3; } "
      "place r { dom : int; } "
      "transition t { in { p : <( x )>; } out { r : <( x )>; } } }";
  has_states (alike, 6, 6);
  is_naive (alike, 6, 6);
  // Priorities below 0: the clock is slower the farther it goes.
  static const char slow[] =
      "n { place p { dom : int; timed; init : <( 1 )> @+ 2 + <( 2 )> @+ 2; } "
      "place r { dom : int; init : <( 1 )>; } "
      "transition t { in { r : <( x )>; } out { r : <( x )>; } "
      "priority : -2; } }";
  has_states (slow, 2, 3);
  is_naive (slow, 2, 3);
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

// ---- The protocol of `example timed`, simulated by hand ---------------------

enum { READY, WAITING, TIMER, DATA, ACK, EXPECTING, GAVE_UP };
enum { PACKETS = 2, TRIES = 3, TIMEOUT = 12, MOST_TOKENS = 16 };

typedef struct token {
  uint8_t kind, packet, try, time; // the parts it does not have are 0
} token;

typedef struct world {
  token token[MOST_TOKENS]; // ascending; then zeros
  size_t count;
  uint8_t now;
} world;

typedef struct simulation {
  world *world;
  size_t worlds, room, arcs, deadlocks;
} simulation;

static void give (world *w, uint8_t kind, int packet, int try, int time) {
  const token t = {kind, (uint8_t)packet, (uint8_t)try, (uint8_t)time};
  assert_true (w->count < MOST_TOKENS);
  size_t at = w->count++;
  for (; at && memcmp (w->token + at - 1, &t, sizeof t) > 0; at--)
    w->token[at] = w->token[at - 1];
  w->token[at] = t;
}

static void take (world *w, token t) {
  size_t at = 0;
  while (memcmp (w->token + at, &t, sizeof t))
    at++;
  memmove (w->token + at, w->token + at + 1, (--w->count - at) * sizeof t);
  memset (w->token + w->count, 0, sizeof t);
}

static void reach (simulation *s, world w) {
  for (size_t i = 0; i < s->worlds; i++)
    if (s->world[i].now == w.now && s->world[i].count == w.count &&
        !memcmp (s->world[i].token, w.token, sizeof w.token))
      return;
  assert_true (s->worlds < s->room);
  s->world[s->worlds++] = w;
}

static void arc (simulation *s, const world *w) {
  s->arcs++;
  reach (s, *w);
}

static void take_data (simulation *s, const world *w, token t) {
  world to = *w;
  take (&to, t);
  arc (s, &to); // it is lost
  for (size_t i = 0; i < w->count; i++)
    for (int d = 2; w->token[i].kind == EXPECTING && d <= 5; d++) {
      const uint8_t e = w->token[i].packet;
      world got = to;
      take (&got, w->token[i]);
      give (&got, EXPECTING, t.packet == e ? e + 1 : e, 0, 0);
      give (&got, ACK, t.packet, 0, w->now + d);
      arc (s, &got);
    }
}

// An acknowledgement or a timer: it may be for something that waits.
static void take_signal (simulation *s, const world *w, token t) {
  world to = *w;
  take (&to, t);
  bool waits = false;
  for (size_t i = 0; i < w->count; i++) {
    const token other = w->token[i];
    if (other.kind != WAITING || other.packet != t.packet ||
        (t.kind == TIMER && other.try != t.try))
      continue;
    world met = to;
    take (&met, other);
    if (t.kind == ACK && t.packet < PACKETS)
      give (&met, READY, t.packet + 1, 1, 0);
    else if (t.kind == TIMER && t.try < TRIES)
      give (&met, READY, t.packet, t.try + 1, 0);
    else if (t.kind == TIMER)
      give (&met, GAVE_UP, t.packet, 0, 0);
    arc (s, &met);
    waits = true;
  }
  if (t.kind == ACK || !waits)
    arc (s, &to); // it is lost, or stopped
}

static void take_ready (simulation *s, const world *w, token t) {
  for (int d = 2; d <= 5; d++) {
    world to = *w;
    take (&to, t);
    give (&to, WAITING, t.packet, t.try, 0);
    give (&to, TIMER, t.packet, t.try, w->now + TIMEOUT);
    give (&to, DATA, t.packet, 0, w->now + d);
    arc (s, &to);
  }
}

static void expand (simulation *s, const world *w) {
  const size_t before = s->arcs;
  uint8_t next = 0;
  for (size_t i = 0; i < w->count; i++) {
    const token t = w->token[i];
    if (i && !memcmp (&t, w->token + i - 1, sizeof t))
      continue; // the same binding
    if (t.time > w->now)
      next = next && next < t.time ? next : t.time;
    else if (t.kind == READY)
      take_ready (s, w, t);
    else if (t.kind == DATA)
      take_data (s, w, t);
    else if (t.kind == TIMER || t.kind == ACK)
      take_signal (s, w, t);
  }
  if (s->arcs == before && next) {
    world later = *w;
    later.now = next;
    arc (s, &later);
  }
  s->deadlocks += s->arcs == before;
}

static void test_protocol (void **state) {
  (void)state;
  static const uint64_t size[] = {PACKETS};
  simulation s = {.room = 10000};
  world start = {.count = 0};
  s.world = calloc (s.room, sizeof *s.world);
  assert_non_null (s.world);
  give (&start, READY, 1, 1, 0);
  give (&start, EXPECTING, 1, 0, 0);
  reach (&s, start);
  for (size_t i = 0; i < s.worlds; i++) {
    const world w = s.world[i];
    expand (&s, &w);
  }
  assert_int_equal (s.worlds, 4280);
  assert_int_equal (s.arcs, 6843);
  assert_int_equal (s.deadlocks, 79);
  char *text;
  assert_int_equal (tl_example_coloured (&text, "timed", 1, size, 0), TL_OK);
  has_states (text, s.worlds, s.arcs);
  tl_text_close (text);
  free (s.world);
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
  is_refused (TIMED "transition tick { in { } out { } } }", 11,
              "a second transition 'tick'");
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
      cmocka_unit_test (test_what_is_made), cmocka_unit_test (test_runs),
      cmocka_unit_test (test_one_tick),     cmocka_unit_test (test_protocol),
      cmocka_unit_test (test_mistakes),     cmocka_unit_test (test_memory),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
