// Best-first search where what is looked for is far away.

#include "explore/best.h"
#include "explore/explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { TOKENS = 40000, PAIRS = 3, VISITS = 2 * TOKENS };

typedef struct look {
  bool reached;
  uint64_t visits;
} look;

static tl_mem account = {.name = "test", .fail_after = -1};

// One place that gets empty, and pairs of places between which tokens go back
// and forth.
static tl_net *build (void) {
  tl_builder *b;
  tl_net *net;
  uint32_t p[2], t;
  assert_int_equal (tl_builder_open (&b, &account), TL_OK);
  for (int i = -1; i < PAIRS; i++) {
    char id[] = {'p', (char)('1' + i), 'a', 0};
    for (int side = 0; side < 2; side++, id[2]++) {
      assert_int_equal (tl_builder_place (b, id, 0, 0, p + side), TL_OK);
      tl_builder_set_initial (b, p[side], side ? 0 : TOKENS);
    }
    id[0] = 't';
    id[2] = 'a';
    for (int side = 0; side < (i < 0 ? 1 : 2); side++, id[2]++) {
      assert_int_equal (tl_builder_transition (b, id, 0, &t), TL_OK);
      assert_int_equal (tl_builder_arc (b, TL_ARC_PRE, p[side], t, 1), TL_OK);
      assert_int_equal (tl_builder_arc (b, TL_ARC_POST, p[1 - side], t, 1),
                        TL_OK);
    }
  }
  assert_int_equal (tl_builder_finish (b, "n", "example", &net, 0), TL_OK);
  return net;
}

static uint64_t left (const tl_visit *v) {
  return tl_layout_tokens (v->layout, v->state, 0);
}

static uint64_t rank (void *context, const tl_visit *v) {
  (void)context;
  return left (v);
}

static tl_visit_verdict begin (void *context, tl_search *s) {
  const tl_best_guide guide = {.context = context, .rank = rank};
  (void)tl_best_run (s, &guide);
  return TL_VISIT_STOP;
}

static tl_visit_verdict visit (void *context, const tl_visit *v) {
  look *l = context;
  l->reached = !left (v);
  return l->reached || ++l->visits == VISITS ? TL_VISIT_STOP
                                             : TL_VISIT_CONTINUE;
}

// Far away many ranks have a bucket in common.
static void comes_nearer (void **state) {
  (void)state;
  look l = {0};
  tl_net *net = build ();
  tl_options how = tl_options_whole ();
  tl_exploration run;
  const tl_visitor visitor = {.context = &l, .begin = begin, .visit = visit};
  how.order = "bfs";
  how.store = "auto";
  how.stubborn = "none";
  how.monotone = how.exact_count = how.trim = false;
  assert_int_equal (tl_explore_on (&account, net, &how, &visitor, &run, 0),
                    TL_OK);
  assert_true (l.reached);
  tl_exploration_close (&run);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

// A file says that no place gets two tokens: that is true, and found out.
static void claims_are_found_out (void **state) {
  (void)state;
  tl_builder *b;
  tl_net *net;
  tl_questions *questions;
  tl_answers answers = {0};
  uint32_t p[3], t;
  assert_int_equal (tl_builder_open (&b, &account), TL_OK);
  // Two tokens would make three of one.
  for (uint32_t i = 0; i < 3; i++) {
    const char id[] = {'p', (char)('0' + i), 0};
    assert_int_equal (tl_builder_place (b, id, 0, i == 0, p + i), TL_OK);
  }
  for (uint32_t i = 0; i < 3; i++) {
    const char id[] = {'t', (char)('0' + i), 0};
    assert_int_equal (tl_builder_transition (b, id, 0, &t), TL_OK);
    assert_int_equal (tl_builder_arc (b, TL_ARC_PRE, p[i], t, i == 1 ? 2 : 1),
                      TL_OK);
    assert_int_equal (
        tl_builder_arc (b, TL_ARC_POST, p[(i + 1) % 3], t, i == 1 ? 3 : 1),
        TL_OK);
  }
  assert_int_equal (tl_builder_unit (b, "u", TL_NO_UNIT, p, 3), TL_OK);
  tl_builder_units_safe (b, true);
  assert_int_equal (tl_builder_finish (b, "claims", "test", &net, 0), TL_OK);
  assert_int_equal (tl_questions_open (&questions, net, 0), TL_OK);
  assert_int_equal (tl_questions_add_text (questions, "one-safe", 0), TL_OK);
  tl_options options = tl_options_default ();
  options.engine = "guided";
  options.timeout = 20;
  assert_int_equal (tl_check (net, questions, &options, &answers, 0), TL_OK);
  assert_int_equal (answers.answer->verdict, TL_VERDICT_TRUE);
  tl_answers_close (&answers);
  tl_questions_close (questions);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (comes_nearer),
                                     cmocka_unit_test (claims_are_found_out)};
  return cmocka_run_group_tests_name ("best", tests, 0, 0);
}
