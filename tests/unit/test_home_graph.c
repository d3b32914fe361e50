// Questions about terminal components by a graph, by its equations and without
// one: the same answers and ways, also where there is no memory for the graph.

#include "check/check.h"
#include "net/net.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tl_net *make (const char *family, uint64_t size) {
  tl_net *net;
  tl_error err;
  assert_int_equal (tl_net_example (&net, family, 1, &size, &err), TL_OK);
  return net;
}

// Asks one question with so much memory.
static tl_answers ask (const tl_net *net, const char *text,
                       const tl_options *options, size_t limit) {
  tl_mem root = TL_MEM (0, "total");
  tl_questions *list;
  tl_answers answers;
  tl_error err;
  root.limit = limit;
  assert_int_equal (tl_questions_open (&list, net, &err), TL_OK);
  assert_int_equal (tl_questions_add_text (list, text, &err), TL_OK);
  assert_int_equal (tl_check_on (&root, net, 0, list, options, &answers, &err),
                    TL_OK);
  assert_int_equal (root.used, 0);
  tl_questions_close (list);
  return answers;
}

static void expect (const tl_net *net, const char *text, const char *engine,
                    tl_verdict verdict, const char *by, uint64_t length) {
  tl_options options = tl_options_default ();
  options.engine = engine;
  options.unaided = true;
  tl_answers answers = ask (net, text, &options, 0);
  const tl_answer *a = answers.answer;
  assert_int_equal (a->verdict, verdict);
  assert_string_equal (a->engine, by);
  assert_int_equal (a->trace.length, length);
  assert_true (tl_trace_replay (net, &a->trace));
  tl_answers_close (&answers);
}

static void every_engine (void **state) {
  (void)state;
  tl_net *net = make ("philosophers", 4); // may all wait for the right fork
  for (int i = 0; i < 2; i++) {
    const char *engine = i ? "graph" : "auto";
    expect (net, "live", engine, TL_VERDICT_FALSE, "home", 4);
    expect (net, "home-state", engine, TL_VERDICT_TRUE, "home", 4);
    expect (net, "reversible", engine, TL_VERDICT_FALSE,
            i ? "ctl-graph" : "ctl-fly", 4);
    expect (net, "AG EF eating_1 = 1", engine, TL_VERDICT_FALSE,
            i ? "ctl-graph" : "ctl-fly", 4);
    expect (net, "EF AG waiting_1 = 1", engine, TL_VERDICT_TRUE,
            i ? "ctl-graph" : "ctl-fly", 4);
  }
  expect (net, "AG EF eating_1 = 1", "fly", TL_VERDICT_FALSE, "ctl-fly", 4);
  tl_net_close (net);
}

// A marking that enables nothing decides what is asked of components when it is
// visited: no state is expanded after the last of these.
static void dead_markings_decide_at_once (void **state) {
  (void)state;
  static const struct {
    const char *store, *text; // auto: with a graph
  } row[] = {{"auto", "live"},
             {"table", "live"},
             {"table", "AG EF eating_1 = 1"},
             {"table", "EF AG waiting_1 = 1"}};
  tl_net *net = make ("philosophers", 4);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    tl_options options = tl_options_default ();
    options.unaided = true;
    options.store = row[i].store;
    tl_answers answers = ask (net, row[i].text, &options, 0);
    assert_string_equal (answers.answer->engine, "home");
    assert_int_equal (answers.run.stop, TL_STOP_DECIDED);
    assert_int_equal (answers.answer->trace.length, 4);
    assert_true (tl_trace_replay (net, &answers.answer->trace));
    tl_answers_close (&answers);
  }
  tl_net_close (net);
}

// The verdict with so much memory, where the graph may be built or not.
static tl_verdict verdict (const tl_net *net, bool graph, size_t limit) {
  tl_options options = tl_options_default ();
  options.memory = graph ? 0 : limit;
  options.unaided = true;
  tl_answers answers = ask (net, "live", &options, limit);
  const tl_verdict found = answers.answer->verdict;
  tl_answers_close (&answers);
  return found;
}

// Where there is no memory for the graph, components are found without it: what
// is enough for these is enough.
static void no_memory_for_the_graph (void **state) {
  (void)state;
  tl_net *net = make ("kanban", 3); // 58,400 states
  size_t little = 256 << 10, enough = 16 << 20;
  while (enough - little > 64 << 10) {
    const size_t middle = (little + enough) / 2;
    const tl_verdict v = verdict (net, false, middle);
    if (v == TL_VERDICT_UNKNOWN)
      little = middle;
    else
      enough = middle;
    assert_int_not_equal (v, TL_VERDICT_FALSE);
  }
  assert_int_equal (verdict (net, true, enough + (64 << 10)), TL_VERDICT_TRUE);
  assert_int_not_equal (verdict (net, true, little / 2), TL_VERDICT_FALSE);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (every_engine),
      cmocka_unit_test (dead_markings_decide_at_once),
      cmocka_unit_test (no_memory_for_the_graph)};
  return cmocka_run_group_tests_name ("home_graph", tests, 0, 0);
}
