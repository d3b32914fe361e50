// Searches with stubborn sets: what they report, what they refuse, and lists
// that are made again when other questions are left.

#include "net/net.h"
#include "tideline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static tl_net *example (const char *family, uint64_t size) {
  tl_net *net;
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  return net;
}

static tl_options reduced (const char *order, const char *stubborn) {
  tl_options options = tl_options_default ();
  options.order = order;
  options.stubborn = stubborn;
  return options;
}

static tl_status check (const tl_net *net, const tl_options *options,
                        const char *const *text, size_t count,
                        tl_answers *answers, tl_error *error) {
  tl_questions *questions;
  assert_int_equal (tl_questions_open (&questions, net, 0), TL_OK);
  for (size_t i = 0; i < count; i++)
    assert_int_equal (tl_questions_add_text (questions, text[i], 0), TL_OK);
  const tl_status rc = tl_check (net, questions, options, answers, error);
  tl_questions_close (questions);
  return rc;
}

static void deadlocks_of_philosophers (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 10);
  size_t orders;
  const tl_kind_row *order = tl_orders (&orders);
  for (size_t i = 0; i < orders; i++) {
    const tl_options options = reduced (order[i].name, "deadlock");
    tl_exploration run;
    assert_int_equal (tl_explore (net, &options, &run, 0), TL_OK);
    assert_true (run.complete);
    assert_false (run.counted);
    assert_string_equal (run.stubborn, "deadlock");
    assert_true (run.deadlocks > 0);
    assert_true (tl_trace_replay (net, &run.deadlock));
    assert_true (run.states < 1000); // of 10,000 or so
    assert_true (run.followed < run.arcs);
    tl_exploration_close (&run);
  }
  tl_net_close (net);
}

static void without_them_nothing_changes (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 5);
  const tl_options options = tl_options_default ();
  tl_exploration run;
  assert_int_equal (tl_explore (net, &options, &run, 0), TL_OK);
  assert_true (run.counted);
  assert_null (run.stubborn);
  assert_true (run.followed < run.arcs && run.followed + 1 >= run.states);
  tl_exploration_close (&run);
  tl_net_close (net);
}

static void refused (const tl_net *net, const char *stubborn, const char *text,
                     const char *complaint) {
  tl_answers answers;
  tl_error error = {0};
  const tl_options options = reduced ("bfs", stubborn);
  assert_int_equal (check (net, &options, &text, 1, &answers, &error),
                    TL_E_ARG);
  assert_string_equal (error.text, complaint);
}

static void questions_that_do_not_go_with_them (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 3);
  refused (net, "deadlock", "EF eating_1 = 1",
           "stubborn sets that keep deadlocks do not keep the answer to "
           "'EF eating_1 = 1'");
  refused (net, "deadlock", "one-safe",
           "stubborn sets that keep deadlocks do not keep the answer to "
           "'one-safe'");
  refused (net, "property", "AG EF thinking_1 = 1",
           "stubborn sets that keep what can be reached do not keep the answer "
           "to 'AG EF thinking_1 = 1'");
  refused (net, "mule", "deadlock", "unknown stubborn sets 'mule'");

  tl_exploration run;
  tl_error error = {0};
  const tl_options property = reduced ("bfs", "property"),
                   deadlock = reduced ("bfs", "deadlock");
  assert_int_equal (tl_explore (net, &property, &run, &error), TL_E_ARG);
  assert_int_equal (tl_explore_dot (net, &deadlock, "-", 100, &error),
                    TL_E_ARG);
  tl_net_close (net);
}

static void formulas_about_deadlocks (void **state) {
  (void)state;
  static const char *const text[] = {"deadlock", "EF DEADLOCK",
                                     "AG NOT DEADLOCK"};
  tl_net *net = example ("philosophers", 6);
  const tl_options options = reduced ("dfs", "deadlock");
  tl_answers answers;
  assert_int_equal (check (net, &options, text, 3, &answers, 0), TL_OK);
  assert_int_equal (answers.answer[0].verdict, TL_VERDICT_TRUE);
  assert_int_equal (answers.answer[1].verdict, TL_VERDICT_TRUE);
  assert_int_equal (answers.answer[2].verdict, TL_VERDICT_FALSE);
  tl_answers_close (&answers);
  tl_net_close (net);
}

// The first list of the initial state, for both formulas, is tc and tx.  Far
// behind tc the first formula is decided, and by then the list has been
// forgotten.  The list for the second formula alone is ty, which comes before
// tc, and behind tc nothing leads to it.
static void lists_of_other_questions (void **state) {
  (void)state;
  enum { DEEP = 6000 };
  static const char *const text[] = {"EF c + x > 6000",
                                     "EF (y > 0 AND x > 0 AND c < 1)"};
  tl_mem mem = TL_MEM (0, "net");
  tl_builder *b;
  tl_net *net;
  assert_int_equal (tl_builder_open (&b, &mem), TL_OK);
  static const char *const from[] = {"from_y", "from_c", "from_x"};
  static const char *const to[] = {"y", "c", "x"};
  static const char *const by[] = {"ty", "tc", "tx"};
  for (uint32_t i = 0; i < 3; i++) {
    tl_builder_place (b, from[i], 0, i == 1 ? DEEP : 1, 0);
    tl_builder_place (b, to[i], 0, 0, 0);
    tl_builder_transition (b, by[i], 0, 0);
    tl_builder_arc (b, TL_ARC_PRE, 2 * i, i, 1);
    tl_builder_arc (b, TL_ARC_POST, 2 * i + 1, i, 1);
  }
  assert_int_equal (tl_builder_finish (b, "deep", "example", &net, 0), TL_OK);
  const tl_options options = reduced ("dfs", "property");
  tl_answers answers;
  assert_int_equal (check (net, &options, text, 2, &answers, 0), TL_OK);
  assert_int_equal (answers.answer[0].verdict, TL_VERDICT_TRUE);
  assert_int_equal (answers.answer[0].trace.length, DEEP + 1);
  assert_int_equal (answers.answer[1].verdict, TL_VERDICT_TRUE);
  assert_int_equal (answers.answer[1].trace.length, 2);
  tl_answers_close (&answers);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (deadlocks_of_philosophers),
      cmocka_unit_test (without_them_nothing_changes),
      cmocka_unit_test (questions_that_do_not_go_with_them),
      cmocka_unit_test (formulas_about_deadlocks),
      cmocka_unit_test (lists_of_other_questions),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
