// Allocations of a small run fail, one after the other: the run must then end
// as one that ran out of memory, with nothing leaked and nothing wrong said.

#include "../failing.h"
#include "../random_net.h"

#include "check/check.h"
#include "graph/construct.h"
#include "explore/explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// The first allocation to fail, and how many go right until the next one does:
// all fail in turn with LONG, and else one of three, not the same ones in all
// runs.
static long first (void) {
  static unsigned runs;
  return getenv ("LONG") ? 0 : runs++ % 3;
}

static long next (void) {
  return getenv ("LONG") ? 1 : 3;
}

// A sweep with a measure that loses progress, so that there are several.  So
// few states never come to be in a store: one kind is enough.  Of the names of
// a kind one is enough, too; `auto` is none.
static bool prepare (tl_options *options, const char *order,
                     const char *store) {
  *options = tl_options_default ();
  options->order = order;
  options->store = store;
  options->progress = "schmidt";
  options->window = 0;
  options->exact_count = true;
  const tl_store_kind *kind = tl_store_find (store);
  return (strcmp (order, "sweep") || !strcmp (store, "table")) &&
         (!kind || !strcmp (kind->name, store));
}

static void survives_all (const tl_net *net, uint64_t max_states) {
  size_t orders, stores;
  const tl_kind_row *order = tl_orders (&orders);
  const tl_kind_row *store = tl_stores (&stores);
  brute b = brute_explore (net, 5000);
  for (size_t i = 0; i < orders * stores; i++) {
    tl_options options;
    if (!prepare (&options, order[i % orders].name, store[i / orders].name))
      continue;
    options.max_states = max_states;
    long n = first ();
    while (!survives (net, &options, &b, n))
      n += next ();
    assert_true (n > 0);
  }
  brute_close (&b);
}

static void examples (void **state) {
  (void)state;
  static const struct {
    const char *family;
    uint64_t size;
  } small[] = {{"philosophers", 4}, {"kanban", 1}, {"dbm", 4}, {"leader", 3}};
  for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
    tl_net *net;
    assert_int_equal (
        tl_net_example (&net, small[i].family, 1, &small[i].size, 0), TL_OK);
    survives_all (net, 0);
    tl_net_close (net);
  }
}

// A net that is unbounded, and one whose place grows beyond any first guess
// of its bound, so that states must be laid out anew.
static void nets_that_grow (void **state) {
  (void)state;
  random_net sketch = {.places = 2,
                       .transitions = 1,
                       .arcs = 2,
                       .initial = {1},
                       .arc = {{TL_ARC_PRE, 0, 0, 1}, {TL_ARC_POST, 0, 0, 1}}};
  sketch.arc[sketch.arcs++] = (random_arc){TL_ARC_POST, 1, 0, 1};
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = random_net_build (&sketch, &mem);
  assert_non_null (net);
  survives_all (net, 1000);
  tl_net_close (net);

  // The same, but an inhibitor arc ends it.
  sketch.arc[sketch.arcs++] = (random_arc){TL_ARC_INHIBITOR, 1, 0, 700};
  net = random_net_build (&sketch, &mem);
  assert_non_null (net);
  survives_all (net, 0);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// True: the run never asked for allocation number n.
static bool answers_survive (const tl_net *net, const tl_saved *saved,
                             const tl_questions *questions,
                             const tl_verdict *right, const tl_options *options,
                             long n) {
  tl_mem root = TL_MEM (0, "total");
  tl_answers answers = {0};
  tl_error err = {0};
  root.fail_after = n;
  const tl_status rc =
      tl_check_on (&root, net, saved, questions, options, &answers, &err);
  const bool unharmed = root.fail_after > 0;
  if (rc)
    assert_int_equal (rc, TL_E_NOMEM);
  for (size_t i = 0; i < answers.count; i++)
    if (unharmed || answers.answer[i].verdict != TL_VERDICT_UNKNOWN)
      assert_int_equal (answers.answer[i].verdict, right[i]);
  tl_answers_close (&answers);
  assert_int_equal (root.used, 0);
  return unharmed;
}

// From a graph that is there already.
static void ask_saved (const tl_net *net, const tl_questions *questions,
                       const tl_verdict *right) {
  tl_mem root = TL_MEM (0, "total"), mem = TL_MEM (&root, "graph");
  tl_options options = tl_options_default ();
  tl_exploration run;
  tl_graph *graph;
  assert_int_equal (
      tl_graph_build (&graph, &mem, &root, net, &options, &run, 0), TL_OK);
  const tl_saved saved = {graph, run.place_max};
  long n = first ();
  while (!answers_survive (net, &saved, questions, right, &options, n))
    n += next ();
  tl_graph_close (graph);
  tl_exploration_close (&run);
}

// Four questions, of which the first two have the answer true; in every order
// unless there is an engine that has its own.
static void ask (const char *const *text, uint64_t size, bool reduced,
                 const char *engine) {
  static const tl_verdict right[] = {TL_VERDICT_TRUE, TL_VERDICT_TRUE,
                                     TL_VERDICT_FALSE, TL_VERDICT_FALSE};
  size_t orders;
  const tl_kind_row *order = tl_orders (&orders);
  tl_net *net;
  tl_questions *questions;
  assert_int_equal (tl_net_example (&net, "philosophers", 1, &size, 0), TL_OK);
  assert_int_equal (tl_questions_open (&questions, net, 0), TL_OK);
  for (size_t i = 0; i < 4; i++)
    assert_int_equal (tl_questions_add_text (questions, text[i], 0), TL_OK);
  for (size_t i = 0; i < (engine ? 1 : orders); i++) {
    tl_options options;
    prepare (&options, order[i].name, "auto");
    options.stubborn = reduced ? "property" : "none";
    options.engine = engine ? engine : options.engine;
    // Once is enough, where all there is may take part.
    options.unaided = i > 0 || reduced || (engine && strcmp (engine, "auto"));
    long n = first ();
    while (!answers_survive (net, 0, questions, right, &options, n))
      n += next ();
  }
  if (!engine || !strcmp (engine, "graph"))
    ask_saved (net, questions, right);
  tl_questions_close (questions);
  tl_net_close (net);
}

static void questions_too (void **state) {
  (void)state;
  static const char *const text[] = {
      "deadlock", "EF (waiting_1 = 1 AND eating_2 > 0)",
      "EF eating_1 + eating_2 = 2", "AG (fork_1 <= 1 AND thinking_2 = 1)"};
  ask (text, 4, false, 0);
  ask (text, 4, true, 0);
}

static void components_too (void **state) {
  (void)state;
  static const char *const text[] = {"AG EF eating_1 = 0", "EF AG eating_1 = 0",
                                     "home 'eating_1 = 1'", "live"};
  ask (text, 3, false, 0);
}

// The first two hold, and the answers show runs where they can.
static void formulas_about_time_too (void **state) {
  (void)state;
  static const char *const ctl[] = {
      "EG eating_1 = 0", "A (thinking_1 = 1 U (EX EX eating_1 = 0))",
      "AF eating_1 = 1", "AG (waiting_1 = 1 -> AF eating_1 = 1)"};
  static const char *const linear[] = {
      "G F thinking_1 = 1 OR F G waiting_1 = 1",
      "E (G F eating_1 = 1 AND G F EX eating_2 = 1)",
      "G (waiting_1 = 1 -> F eating_1 = 1)",
      "A (F G eating_1 = 1 OR X X EG F eating_2 = 1)"};
  static const char *const runs[] = {
      "G F thinking_1 = 1 OR F G waiting_1 = 1",
      "E (G F eating_1 = 1 AND G F thinking_2 = 1)",
      "G (waiting_1 = 1 -> F eating_1 = 1)", "G F eating_1 = 1"};
  ask (ctl, 2, false, "graph");
  ask (linear, 2, false, "graph");
  ask (ctl, 2, false, "fly");
  ask (linear, 2, false, "fly");
  ask (ctl, 2, false, "auto");
  ask (linear, 2, false, "auto");
  ask (runs, 2, true, "fly");
  ask (runs, 2, true, "nested");
}

static void nets_are_built_or_not (void **state) {
  (void)state;
  random_net *sketch = test_malloc (sizeof *sketch);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    random_net_make (sketch, seed);
    tl_mem mem = TL_MEM (0, "net");
    tl_net *net = 0;
    for (long n = 0; !net; n++) {
      mem.fail_after = n;
      net = random_net_build (sketch, &mem);
      assert_true (net || !mem.used);
    }
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
  test_free (sketch);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (examples),
      cmocka_unit_test (nets_that_grow),
      cmocka_unit_test (questions_too),
      cmocka_unit_test (components_too),
      cmocka_unit_test (formulas_about_time_too),
      cmocka_unit_test (nets_are_built_or_not),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
