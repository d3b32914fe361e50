// Formulas on a graph of some blocks, by one thread and by several, one by one
// and together: what decision diagrams say, and always the same runs.

#include "tideline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const asked[] = {
    "AG EF done_1 = 2",
    "EF (done_1 = 2 AND EG done_1 > 0)",
    "AG (done_1 > 0 -> AF done_1 = 0)",
    "E (done_2 < 2 U (done_3 = 2 AND AG EF done_2 = 2))",
    "EG (done_1 = 0 OR EX done_4 > 0)",
    "AG EX (done_1 < 2)",
    "A (G F done_2 > 0)",
    "E (G F done_4 = 2 AND F done_1 = 2)"};

enum { ASKED = sizeof asked / sizeof *asked, LTL = 2 };

static tl_answers ask (const tl_net *net, const char *engine, uint32_t threads,
                       size_t from, size_t count) {
  tl_options how = tl_options_default ();
  tl_questions *questions;
  tl_answers out;
  how.engine = engine;
  how.unaided = true;
  how.threads = threads;
  how.parallel_from = 1;
  assert_int_equal (tl_questions_open (&questions, net, 0), TL_OK);
  for (size_t i = from; i < from + count; i++)
    assert_int_equal (tl_questions_add_text (questions, asked[i], 0), TL_OK);
  assert_int_equal (tl_check (net, questions, &how, &out, 0), TL_OK);
  assert_int_equal (out.count, count);
  tl_questions_close (questions);
  return out;
}

static void are_the_same (const tl_answer *x, const tl_answer *y) {
  assert_int_equal (x->verdict, y->verdict);
  assert_int_equal (x->trace.length, y->trace.length);
  if (x->trace.length)
    assert_memory_equal (x->trace.transition, y->trace.transition,
                         x->trace.length * sizeof *x->trace.transition);
}

static void test_threads (void **state) {
  (void)state;
  const uint64_t size = 2;
  tl_net *net;
  assert_int_equal (tl_net_example (&net, "kanban", 1, &size, 0), TL_OK);
  tl_answers one = ask (net, "graph", 1, 0, ASKED),
             diagrams = ask (net, "symbolic", 1, 0, ASKED - LTL);
  for (size_t i = 0; i < ASKED - LTL; i++) {
    assert_true (diagrams.answer[i].verdict != TL_VERDICT_UNKNOWN);
    assert_int_equal (one.answer[i].verdict, diagrams.answer[i].verdict);
  }
  // Several times, for which thread comes first differs.
  for (uint32_t round = 0; round < 12; round++) {
    const uint32_t threads = 2 + round % 3;
    tl_answers all = ask (net, "graph", threads, 0, ASKED);
    for (size_t i = 0; i < ASKED; i++) {
      tl_answers alone = ask (net, "graph", threads, i, 1);
      are_the_same (one.answer + i, all.answer + i);
      are_the_same (one.answer + i, alone.answer);
      tl_answers_close (&alone);
    }
    tl_answers_close (&all);
  }
  tl_answers_close (&one);
  tl_answers_close (&diagrams);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_threads)};
  return cmocka_run_group_tests (tests, 0, 0);
}
