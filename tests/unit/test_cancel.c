// Whoever works long ends soon after the cancel flag was set or the time is
// over, and says so.

#include "base/budget.h"
#include "base/clock.h"
#include "check/fixpoint.h"
#include "structure/lp.h"
#include "tideline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int set = 1;

static tl_net *example (const char *family, uint64_t size) {
  tl_net *net;
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  return net;
}

static void test_orders (void **state) {
  (void)state;
  tl_net *net = example ("kanban", 4);
  size_t orders;
  const tl_kind_row *order = tl_orders (&orders);
  for (size_t i = 0; i < orders; i++) {
    tl_options how = tl_options_default ();
    tl_exploration x;
    how.order = order[i].name;
    how.cancel = &set;
    assert_int_equal (tl_explore (net, &how, &x, 0), TL_OK);
    assert_int_equal (x.stop, TL_STOP_CANCEL);
    assert_false (x.complete);
    assert_true (x.states < 454475);
    tl_exploration_close (&x);
  }
  tl_net_close (net);
}

// Of every engine each question is left open that takes more than a few states.
static void test_engines (void **state) {
  (void)state;
  tl_net *net = example ("kanban", 4);
  size_t engines;
  const tl_kind_row *engine = tl_engines (&engines);
  static const char *const asked[] = {
      "AG EF done_1 = 4", "G F done_1 = 1", "A (G (F done_1 = 1))", "live",
      "EF (done_1 = 4 AND done_4 = 4 AND done_2 = 4 AND done_3 = 4)"};
  for (size_t i = 0; i < engines; i++) {
    tl_options how = tl_options_default ();
    tl_questions *questions;
    tl_answers out;
    how.engine = engine[i].name;
    how.unaided = true;
    how.cancel = &set;
    assert_int_equal (tl_questions_open (&questions, net, 0), TL_OK);
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
      assert_int_equal (tl_questions_add_text (questions, asked[k], 0), TL_OK);
    assert_int_equal (tl_check (net, questions, &how, &out, 0), TL_OK);
    assert_int_equal (out.run.stop, TL_STOP_CANCEL);
    for (size_t k = 0; k < out.count; k++)
      assert_true (out.answer[k].verdict == TL_VERDICT_UNKNOWN ||
                   strstr (asked[k], "F done_1 = 1"));
    tl_answers_close (&out);
    tl_questions_close (questions);
  }
  tl_net_close (net);
}

static void test_saved_graph (void **state) {
  (void)state;
  tl_net *net = example ("kanban", 2);
  tl_options how = tl_options_default ();
  tl_condensed *graph;
  tl_questions *questions;
  tl_exploration x;
  tl_answers out;
  assert_int_equal (tl_condensed_build (&graph, net, &how, &x, 0), TL_OK);
  assert_non_null (graph);
  tl_exploration_close (&x);
  how.cancel = &set;
  how.unaided = true;
  assert_int_equal (tl_questions_open (&questions, net, 0), TL_OK);
  assert_int_equal (tl_questions_add_text (questions, "AG EF done_1 = 2", 0),
                    TL_OK);
  assert_int_equal (tl_condensed_check (graph, questions, &how, &out, 0),
                    TL_OK);
  assert_int_equal (out.answer[0].verdict, TL_VERDICT_UNKNOWN);
  tl_answers_close (&out);
  tl_questions_close (questions);
  tl_condensed_close (graph);
  tl_net_close (net);
}

// A ring: what is true at one end reaches the others in one pass, but is not
// looked for when somebody wants to leave.
static void test_fixpoints (void **state) {
  (void)state;
  enum { STATES = 1000 };
  tl_mem mem = TL_MEM (0, "graph");
  tl_graph *graph;
  tl_fixpoints f;
  assert_int_equal (tl_graph_open (&graph, &mem), TL_OK);
  for (uint64_t i = 0; i < STATES; i++) {
    const uint64_t next = (i + 1) % STATES;
    assert_int_equal (tl_graph_targets (graph, &next, 1), TL_OK);
    assert_int_equal (tl_graph_end_state (graph), TL_OK);
  }
  assert_int_equal (tl_graph_finish (graph, STATES), TL_OK);
  assert_int_equal (tl_fixpoints_open (&f, &mem, graph, 0), TL_OK);
  tl_sets *sets = &f.sets;
  tl_state_set *goal = sets->kind->open (sets), *all = sets->kind->open (sets);
  sets->kind->complement (sets, all);
  tl_bits_add (goal, 0);
  f.cancel = &set;
  assert_int_equal (sets->kind->until (sets, 0, goal), TL_E_LIMIT);
  assert_int_equal (sets->kind->stay (sets, all), TL_E_LIMIT);
  f.cancel = 0;
  assert_int_equal (sets->kind->until (sets, 0, goal), TL_OK);
  assert_true (sets->kind->has (sets, goal, STATES / 2));
  sets->kind->close (sets, goal);
  sets->kind->close (sets, all);
  tl_fixpoints_close (&f);
  tl_graph_close (graph);
  assert_int_equal (mem.used, 0);
}

// With little time less is known of a net; who interrupts is told nothing.
static void test_studies (void **state) {
  (void)state;
  tl_net *net = example ("kanban", 4);
  tl_options how = tl_options_default ();
  tl_info info;
  tl_candidates all;
  tl_error err;
  how.timeout = 1e-6;
  assert_int_equal (tl_net_info_with (net, &how, &info, &err), TL_OK);
  tl_info_close (&info);
  how.cancel = &set;
  assert_int_equal (tl_net_info_with (net, &how, &info, &err), TL_E_CANCEL);
  assert_string_equal (err.text, "it was interrupted while studying the net");
  assert_int_equal (tl_candidates_find (net, &how, &all, &err), TL_E_CANCEL);
  assert_string_equal (err.text, "it was interrupted while finding measures");
  tl_net_close (net);
}

// A program too large to be solved at once is solved in parts all the same.
static void test_large_program (void **state) {
  (void)state;
  enum { COUNT = 20000 };
  tl_mem mem = TL_MEM (0, "lp");
  tl_lp *lp;
  assert_int_equal (tl_lp_open (&lp, &mem, COUNT, COUNT, 2 * COUNT), TL_OK);
  // x[i] + x[i+1] >= 1 round a ring: half of them in all.
  for (uint32_t i = 0; i < COUNT; i++) {
    const uint32_t next = (i + 1) % COUNT;
    const tl_entry e[] = {{i < next ? i : next, 1}, {i < next ? next : i, 1}};
    tl_lp_column (lp, 0, TL_LP_INFINITY, 1, (tl_vector){e, 2});
  }
  for (uint32_t i = 0; i < COUNT; i++)
    tl_lp_row (lp, i, 1, TL_LP_INFINITY);
  tl_budget budget = {.cancel = &set};
  mem.budget = &budget;
  assert_int_equal (tl_lp_solve (lp, TL_LP_DUAL, 1000000, 100), TL_LP_STOPPED);
  assert_int_equal (tl_lp_iterations (lp), 0);
  mem.budget = 0;
  assert_int_equal (tl_lp_solve (lp, TL_LP_DUAL, 5500, 100), TL_LP_STOPPED);
  assert_int_equal (tl_lp_iterations (lp), 5500);
  assert_int_equal (tl_lp_solve (lp, TL_LP_DUAL, 1000000, 100), TL_LP_OPTIMAL);
  assert_in_range ((int)(tl_lp_value (lp) + 0.5), COUNT / 2, COUNT / 2);
  tl_lp_close (lp);
  assert_int_equal (mem.used, 0);
}

enum { SLOW = 2 };

static int take_time (void *context, const tl_answer *a) {
  (void)context;
  (void)a;
  sleep (SLOW);
  return 0;
}

// What goes by before the first state is visited counts, too.
static void test_time_before_search (void **state) {
  (void)state;
  enum { CHAINS = 40 };
  const uint64_t size[] = {CHAINS, 2}; // 3^40 markings
  char sum[CHAINS * 20], text[CHAINS * 50];
  int length = sprintf (sum, "at_1_2");
  for (int i = 2; i <= CHAINS; i++)
    length += sprintf (sum + length, " + at_%d_2", i);
  sprintf (text, "AG E (%s < %d U %s >= %d)", sum, CHAINS, sum, CHAINS);
  tl_net *net;
  assert_int_equal (tl_net_example (&net, "chains", 2, size, 0), TL_OK);
  tl_questions *q;
  assert_int_equal (tl_questions_open (&q, net, 0), TL_OK);
  assert_int_equal (tl_questions_add_text (q, "AG at_1_1 <= 1", 0), TL_OK);
  assert_int_equal (tl_questions_add_text (q, text, 0), TL_OK);
  tl_options how = tl_options_default ();
  how.engine = "fly"; // decision diagrams would decide it
  how.on_answer = take_time;
  how.timeout = SLOW + 1;
  tl_answers answers;
  const double start = tl_clock ();
  assert_int_equal (tl_check (net, q, &how, &answers, 0), TL_OK);
  assert_true (tl_clock () - start < 2 * SLOW + 0.5);
  assert_int_equal (answers.answer[0].verdict, TL_VERDICT_TRUE);
  assert_int_equal (answers.answer[1].verdict, TL_VERDICT_UNKNOWN);
  tl_answers_close (&answers);
  tl_questions_close (q);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_orders),
      cmocka_unit_test (test_engines),
      cmocka_unit_test (test_saved_graph),
      cmocka_unit_test (test_fixpoints),
      cmocka_unit_test (test_studies),
      cmocka_unit_test (test_large_program),
      cmocka_unit_test (test_time_before_search)};
  return cmocka_run_group_tests (tests, 0, 0);
}
