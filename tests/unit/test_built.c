// Nets that a program puts together, reads from memory and looks at: names,
// arcs, firing, and all states and arcs of a graph.

#include "../brute.h"
#include "../random_net.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

enum { NETS = 200, CAP = 2000 };

static void ok (tl_status status, const tl_error *err) {
  if (status)
    fail_msg ("%s", err->text);
}

// ---- The builder -----------------------------------------------------------

static void add_arcs (tl_net_builder *b, const tl_net *net, uint32_t t) {
  for (tl_arc_kind kind = TL_ARC_PRE; kind <= TL_ARC_READ; kind++) {
    const tl_arc *arc;
    const size_t count = tl_net_arcs_of (net, t, kind, &arc);
    tl_error err;
    for (size_t i = 0; i < count; i++)
      ok (tl_net_builder_arc (b, kind, tl_net_place_id (net, arc[i].place),
                              tl_net_transition_id (net, t), arc[i].weight,
                              &err),
          &err);
  }
}

// The same net once more, by what the header tells of it.
static tl_net *build_again (const tl_net *net) {
  tl_net_builder *b;
  tl_net *again;
  tl_error err;
  uint64_t *tokens = calloc (tl_net_places (net) + 1, sizeof *tokens);
  ok (tl_net_initial (net, tokens, &err), &err);
  ok (tl_net_builder_open (&b, tl_net_name (net), &err), &err);
  for (uint32_t p = 0; p < tl_net_places (net); p++)
    ok (tl_net_builder_place (b, tl_net_place_id (net, p),
                              tl_net_place_name (net, p), tokens[p], &err),
        &err);
  for (uint32_t t = 0; t < tl_net_transitions (net); t++)
    ok (tl_net_builder_transition (b, tl_net_transition_id (net, t),
                                   tl_net_transition_name (net, t), &err),
        &err);
  for (uint32_t t = 0; t < tl_net_transitions (net); t++)
    add_arcs (b, net, t);
  ok (tl_net_builder_finish (b, &again, &err), &err);
  free (tokens);
  return again;
}

static void test_random_nets_again (void **state) {
  (void)state;
  static random_net random;
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    tl_mem mem = TL_MEM (0, "test");
    random_net_make (&random, seed);
    tl_net *net = random_net_build (&random, &mem);
    tl_net *again = build_again (net);
    brute a = brute_explore (net, CAP), b = brute_explore (again, CAP);
    assert_int_equal (tl_net_arcs (net), tl_net_arcs (again));
    assert_int_equal (a.states, b.states);
    assert_int_equal (a.arcs, b.arcs);
    assert_int_equal (a.deadlocks, b.deadlocks);
    brute_close (&a);
    brute_close (&b);
    tl_net_close (again);
    tl_net_close (net);
  }
}

// A place that is read, and one that inhibits.
static tl_net *small (void) {
  tl_net_builder *b;
  tl_net *net;
  tl_error err;
  ok (tl_net_builder_open (&b, "small", &err), &err);
  ok (tl_net_builder_place (b, "p", "the\tstart", 3, &err), &err);
  ok (tl_net_builder_place (b, "q", "both", 0, &err), &err);
  ok (tl_net_builder_place (b, "r", "both", 0, &err), &err);
  ok (tl_net_builder_transition (b, "t", "go", &err), &err);
  ok (tl_net_builder_arc (b, TL_ARC_PRE, "p", "t", 1, &err), &err);
  ok (tl_net_builder_arc (b, TL_ARC_READ, "p", "t", 2, &err), &err);
  ok (tl_net_builder_arc (b, TL_ARC_POST, "q", "t", 2, &err), &err);
  ok (tl_net_builder_arc (b, TL_ARC_INHIBITOR, "q", "t", 3, &err), &err);
  ok (tl_net_builder_finish (b, &net, &err), &err);
  return net;
}

static void test_names_and_firing (void **state) {
  (void)state;
  tl_net *net = small ();
  uint32_t at = 99;
  uint64_t marking[3];
  tl_error err;
  assert_string_equal (tl_net_name (net), "small");
  assert_string_equal (tl_net_format (net), "built");
  assert_string_equal (tl_net_place_name (net, 0), "the start");
  assert_string_equal (tl_net_transition_name (net, 0), "go");
  assert_true (tl_net_find_place (net, "q", &at) && at == 1);
  assert_true (tl_net_find_place (net, "the start", &at) && at == 0);
  assert_false (tl_net_find_place (net, "both", &at));
  assert_false (tl_net_find_place (net, "t", &at));
  assert_true (tl_net_find_transition (net, "go", &at) && at == 0);
  ok (tl_net_initial (net, marking, &err), &err);
  ok (tl_net_fire (net, marking, 0, &err), &err);
  ok (tl_net_fire (net, marking, 0, &err), &err);
  assert_int_equal (marking[0], 1);
  assert_int_equal (marking[1], 4);
  assert_false (tl_net_enables (net, marking, 0));
  assert_int_equal (tl_net_fire (net, marking, 0, &err), TL_E_ARG);
  const uint64_t full[3] = {9, UINT64_MAX, 0};
  memcpy (marking, full, sizeof full);
  assert_false (tl_net_enables (net, marking, 0)); // it is inhibited
  tl_net_close (net);
}

static void test_too_many_tokens (void **state) {
  (void)state;
  tl_net_builder *b;
  tl_net *net;
  tl_error err;
  ok (tl_net_builder_open (&b, "source", &err), &err);
  ok (tl_net_builder_place (b, "p", 0, TL_MAX_TOKENS, &err), &err);
  ok (tl_net_builder_transition (b, "t", 0, &err), &err);
  ok (tl_net_builder_arc (b, TL_ARC_POST, "p", "t", TL_MAX_TOKENS, &err), &err);
  ok (tl_net_builder_finish (b, &net, &err), &err);
  uint64_t marking[1] = {UINT64_MAX - 1};
  assert_int_equal (tl_net_fire (net, marking, 0, &err), TL_E_LIMIT);
  assert_true (marking[0] == UINT64_MAX - 1);
  tl_net_close (net);
}

static void expect (tl_status status, tl_status wanted, tl_error *err,
                    const char *words) {
  assert_int_equal (status, wanted);
  if (!strstr (err->text, words))
    fail_msg ("'%s' instead of '%s'", err->text, words);
}

static void test_refused (void **state) {
  (void)state;
  tl_net_builder *b;
  tl_net *net;
  tl_error err;
  const tl_status arg = TL_E_ARG;
  ok (tl_net_builder_open (&b, "x", &err), &err);
  ok (tl_net_builder_place (b, "p", 0, 1, &err), &err);
  ok (tl_net_builder_transition (b, "t", 0, &err), &err);
  expect (tl_net_builder_place (b, "p", 0, 1, &err), arg, &err,
          "a place 'p' already");
  expect (tl_net_builder_place (b, "t", 0, 1, &err), arg, &err,
          "a transition 't' already");
  expect (tl_net_builder_transition (b, "p", 0, &err), arg, &err,
          "a place 'p' already");
  expect (tl_net_builder_transition (b, "", 0, &err), arg, &err, "empty");
  expect (tl_net_builder_transition (b, "a\nb", 0, &err), arg, &err,
          "control character");
  expect (tl_net_builder_transition (b, "\xff", 0, &err), arg, &err, "UTF-8");
  expect (tl_net_builder_transition (b, "u", "\xff", &err), arg, &err, "UTF-8");
  expect (tl_net_builder_place (b, "q", 0, (uint64_t)1 << 32, &err), arg, &err,
          "0 to 4294967295");
  expect (tl_net_builder_arc (b, TL_ARC_PRE, "p", "t", 0, &err), arg, &err,
          "1 to 4294967295");
  expect (tl_net_builder_arc (b, TL_ARC_PRE, "t", "p", 1, &err), arg, &err,
          "no place 't'");
  expect (tl_net_builder_arc (b, TL_ARC_PRE, "p", "u", 1, &err), arg, &err,
          "no transition 'u'");
  expect (tl_net_builder_arc (b, (tl_arc_kind)9, "p", "t", 1, &err), arg, &err,
          "kind");
  for (int i = 0; i < 2; i++)
    ok (tl_net_builder_arc (b, TL_ARC_PRE, "p", "t", TL_MAX_TOKENS, &err),
        &err);
  expect (tl_net_builder_finish (b, &net, &err), TL_E_LIMIT, &err, "add up");
  assert_null (net);
}

// ---- Reading from memory ---------------------------------------------------

static const char lola[] =
    "PLACE a, b; MARKING a: 2; TRANSITION t CONSUME a: 1; PRODUCE b: 1;";
static const char lna[] = "ring (N := 3) { type id: range 1 .. N; place p { "
                          "dom: id; init: for (x in id) <(x)>; } place q { "
                          "dom: id; } transition t { in { p: <(x)>; } out { "
                          "q: <(x)>; } } }";

static uint64_t count_states (const tl_net *net) {
  tl_exploration found;
  tl_error err;
  ok (tl_explore (net, 0, &found, &err), &err);
  const uint64_t states = found.states;
  tl_exploration_close (&found);
  return states;
}

static void read_as (const void *bytes, size_t length, const char *name,
                     const char *called, uint64_t states) {
  tl_net *net;
  tl_error err;
  ok (tl_net_read (&net, bytes, length, name, 0, &err), &err);
  assert_string_equal (tl_net_name (net), called);
  assert_int_equal (count_states (net), states);
  tl_net_close (net);
}

static void test_memory (void **state) {
  (void)state;
  tl_settings settings = tl_settings_default ();
  const char *const name[] = {"N"}, *const value[] = {"5"};
  tl_net *net;
  tl_error err;
  read_as (lola, strlen (lola), "folder/two.lola", "two", 3);
  read_as (lola, strlen (lola), 0, "net", 3);
  read_as (lna, strlen (lna), "x.lna", "x", 8);
  settings.name = name;
  settings.value = value;
  settings.count = 1;
  ok (tl_net_read (&net, lna, strlen (lna), 0, &settings, &err), &err);
  assert_int_equal (count_states (net), 32);
  tl_net_close (net);
  expect (tl_net_read (&net, lola, strlen (lola), 0, &settings, &err), TL_E_ARG,
          &err, "no parameter");
  expect (tl_net_read (&net, "PLACE a;\nMARKING b: 1;", 22, "y.lola", 0, &err),
          TL_E_SYNTAX, &err, "b");
  assert_int_equal (err.line, 2);
  assert_string_equal (err.file, "y.lola");
  expect (tl_net_read (&net, 0, 0, 0, 0, &err), TL_E_SYNTAX, &err, "empty");
  int cancel = 1;
  settings = tl_settings_default ();
  settings.cancel = &cancel;
  assert_int_equal (tl_net_read (&net, lola, strlen (lola), 0, &settings, &err),
                    TL_E_CANCEL);
  assert_null (net);
}

// Longer than a block, packed and not.
static void test_packed_memory (void **state) {
  (void)state;
  enum { MORE = 300000 };
  const size_t length = MORE + strlen (lola);
  char *text = malloc (length + 1);
  uLongf room = compressBound (length) + 64;
  unsigned char *packed = malloc (room);
  memset (text, ' ', MORE);
  strcpy (text + MORE, lola);
  z_stream z = {.next_in = (void *)text,
                .avail_in = (unsigned)length,
                .next_out = packed,
                .avail_out = (unsigned)room};
  assert_int_equal (
      deflateInit2 (&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  assert_int_equal (deflate (&z, Z_FINISH), Z_STREAM_END);
  const size_t packed_length = room - z.avail_out;
  deflateEnd (&z);
  read_as (text, length, "n.lola", "n", 3);
  read_as (packed, packed_length, "n.lola.gz", "n", 3);
  tl_net *net;
  tl_error err;
  expect (tl_net_read (&net, packed, packed_length - 9, "n.lola", 0, &err),
          TL_E_SYNTAX, &err, "cut off");
  free (text);
  free (packed);
}

// ---- Graphs ----------------------------------------------------------------

// All that a walk has shown.
typedef struct seen {
  const tl_condensed *graph;
  const tl_net *net;
  const brute *all;
  uint64_t *brute_of; // [states] plus one
  uint64_t states, arcs;
} seen;

static int compare_state (void *context, const tl_condensed_visit *v) {
  seen *s = context;
  uint64_t target[RANDOM_TRANSITIONS];
  size_t count;
  assert_int_equal (v->size, sizeof *v);
  assert_int_equal (s->brute_of[v->state], 0);
  const uint64_t state = brute_find (s->all, v->tokens);
  assert_true (state != BRUTE_NONE);
  s->brute_of[v->state] = state + 1;
  assert_int_equal (tl_condensed_targets (s->graph, v->state, target,
                                          RANDOM_TRANSITIONS, &count, 0),
                    TL_OK);
  assert_int_equal (count, v->arcs);
  assert_memory_equal (target, v->target, count * sizeof *target);
  size_t enabled = 0;
  for (uint32_t t = 0; t < tl_net_transitions (s->net); t++)
    if (tl_net_enables (s->net, v->tokens, t))
      assert_int_equal (v->transition[enabled++], t);
  assert_int_equal (enabled, count);
  s->states++;
  s->arcs += count;
  return 0;
}

// Now that it is known which state is which.
static int compare_arcs (void *context, const tl_condensed_visit *v) {
  const seen *s = context;
  uint64_t marking[RANDOM_PLACES];
  for (uint64_t i = 0; i < v->arcs; i++) {
    memcpy (marking, v->tokens, tl_net_places (s->net) * sizeof *marking);
    assert_int_equal (tl_net_fire (s->net, marking, v->transition[i], 0),
                      TL_OK);
    assert_int_equal (brute_find (s->all, marking) + 1,
                      s->brute_of[v->target[i]]);
  }
  return 0;
}

static void compare_graph (const tl_net *net, const brute *all) {
  tl_condensed *graph;
  tl_exploration found;
  tl_error err;
  ok (tl_condensed_build (&graph, net, 0, &found, &err), &err);
  seen s = {.graph = graph,
            .net = net,
            .all = all,
            .brute_of = calloc (all->states, sizeof (uint64_t))};
  ok (tl_condensed_walk (graph, 0, compare_state, &s, &err), &err);
  assert_int_equal (s.states, all->states);
  assert_int_equal (s.arcs, all->arcs);
  ok (tl_condensed_walk (graph, 0, compare_arcs, &s, &err), &err);
  free (s.brute_of);
  tl_condensed_close (graph);
  tl_exploration_close (&found);
}

static void test_walks (void **state) {
  (void)state;
  static random_net random;
  size_t compared = 0;
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    tl_mem mem = TL_MEM (0, "test");
    random_net_make (&random, seed);
    tl_net *net = random_net_build (&random, &mem);
    brute all = brute_explore (net, CAP);
    if (all.complete) {
      compare_graph (net, &all);
      compared++;
    }
    brute_close (&all);
    tl_net_close (net);
  }
  assert_true (compared > NETS / 4);
}

// Of a net that is not unfolded there are transitions, but no tokens.
static int count_arcs (void *context, const tl_condensed_visit *v) {
  uint64_t *arcs = context;
  assert_null (v->tokens);
  for (uint64_t i = 0; i < v->arcs; i++)
    assert_int_equal (v->transition[i], 0);
  *arcs += v->arcs;
  return *arcs > 10;
}

static void test_not_unfolded (void **state) {
  (void)state;
  tl_settings settings = tl_settings_default ();
  settings.no_unfold = true;
  settings.compile = TL_COMPILE_NEVER;
  tl_net *net;
  tl_condensed *graph;
  tl_exploration found;
  tl_error err;
  uint64_t arcs = 0, marking[9];
  uint32_t node;
  ok (tl_net_read (&net, lna, strlen (lna), 0, &settings, &err), &err);
  assert_true (tl_net_find_place (net, "q", &node) && node == 1);
  for (uint32_t p = 0; p < tl_net_places (net); p++)
    assert_non_null (tl_net_place_name (net, p));
  assert_int_equal (tl_net_initial (net, marking, &err), TL_E_MODEL);
  assert_int_equal (tl_net_fire (net, marking, 0, &err), TL_E_MODEL);
  assert_false (tl_net_enables (net, marking, 0));
  ok (tl_condensed_build (&graph, net, 0, &found, &err), &err);
  expect (tl_condensed_walk (graph, 0, count_arcs, &arcs, &err), TL_E_CANCEL,
          &err, "ended");
  assert_true (arcs > 10 && arcs < 12 + 3);
  int cancel = 1;
  settings = tl_settings_default ();
  settings.cancel = &cancel;
  arcs = 0;
  assert_int_equal (
      tl_condensed_walk (graph, &settings, count_arcs, &arcs, &err),
      TL_E_CANCEL);
  tl_condensed_close (graph);
  tl_exploration_close (&found);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_random_nets_again),
      cmocka_unit_test (test_names_and_firing),
      cmocka_unit_test (test_too_many_tokens),
      cmocka_unit_test (test_refused),
      cmocka_unit_test (test_memory),
      cmocka_unit_test (test_packed_memory),
      cmocka_unit_test (test_walks),
      cmocka_unit_test (test_not_unfolded),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
