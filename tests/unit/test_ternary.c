// Formulas of CTL in three values: on random nets, with few steps and with
// many, what is decided is what the naive checker says, and with many steps all
// is decided.

#include "../naive.h"
#include "../random_formula.h"
#include "../random_net.h"
#include "check/ternary.h"
#include "explore/explore.h"
#include "logic/simplify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NETS = 300, STATES = 300, FORMULAS = 24, DEPTHS = 4, MANY = 1000000 };

static const uint64_t effort[] = {1, 5, 20, 60, 200, 1000, MANY};

enum { EFFORTS = sizeof effort / sizeof *effort };

static tl_mem account = {.name = "test", .fail_after = -1};

typedef struct trial {
  naive n;
  tl_random random;
  uint64_t wrong, open[EFFORTS], decided[EFFORTS];
} trial;

// The value by so many steps, in a space of its own.
static tl_status value (tl_search *s, const tl_formula *f, uint64_t steps,
                        bool *holds) {
  tl_arena arena = TL_ARENA (&account);
  tl_labels labels = {0};
  tl_sat *sat = 0;
  tl_space space = {0};
  tl_ternary *t = 0;
  const tl_sat_ways ways = {
      .arena = &arena, .mem = &account, .labels = &labels};
  assert_int_equal (tl_labels_open (&labels, &account, s->net), TL_OK);
  assert_int_equal (tl_sat_open (&sat, &ways, f), TL_OK);
  assert_true (tl_ternary_takes (sat));
  assert_int_equal (tl_space_open (&space, s, 0), TL_OK);
  space.may_widen = true;
  space.most = steps;
  assert_int_equal (tl_ternary_open (&t, &arena, &space, &labels, sat), TL_OK);
  const tl_status rc = tl_ternary_decide (t, holds);
  tl_ternary_close (t);
  tl_space_close (&space);
  tl_sat_close (sat);
  tl_labels_close (&labels);
  tl_arena_close (&arena);
  return rc;
}

static tl_visit_verdict begin (void *context, tl_search *s) {
  trial *t = context;
  tl_arena arena = TL_ARENA (&account);
  for (int i = 0; i < FORMULAS; i++) {
    tl_formula *f = tl_formula_simplify (
        &arena, random_formula (&arena, s->net, RANDOM_CTL,
                                2 + (unsigned)i % DEPTHS, &t->random));
    assert_non_null (f);
    uint8_t *where = naive_states (&t->n, f, false);
    assert_non_null (where);
    for (int k = 0; k < EFFORTS; k++) {
      bool holds;
      const tl_status rc = value (s, f, effort[k], &holds);
      assert_true (!rc || rc == TL_E_LIMIT);
      t->decided[k] += !rc;
      t->open[k] += rc == TL_E_LIMIT;
      t->wrong += !rc && holds != where[0];
    }
    free (where);
  }
  tl_arena_close (&arena);
  return TL_VISIT_STOP;
}

static void try_net (trial *t, uint64_t seed) {
  random_net sketch;
  random_net_make (&sketch, seed);
  tl_net *net = random_net_build (&sketch, &account);
  assert_non_null (net);
  brute b = brute_explore (net, STATES);
  if (b.complete && net->transitions) {
    const tl_options options = tl_options_default ();
    const tl_visitor visitor = {.context = t, .begin = begin};
    tl_exploration run;
    t->n = naive_open (&b);
    t->random.state = seed;
    assert_int_equal (
        tl_explore_on (&account, net, &options, &visitor, &run, 0), TL_OK);
    tl_exploration_close (&run);
    naive_close (&t->n);
  }
  brute_close (&b);
  tl_net_close (net);
}

static void test_random (void **state) {
  (void)state;
  trial t = {0};
  for (uint64_t seed = 1; seed <= NETS; seed++)
    try_net (&t, seed);
  print_message ("# decided of %u:", (unsigned)(t.decided[0] + t.open[0]));
  for (int k = 0; k < EFFORTS; k++)
    print_message (" %u", (unsigned)t.decided[k]);
  print_message ("\n");
  assert_int_equal (t.wrong, 0);
  assert_int_equal (t.open[EFFORTS - 1], 0);
  assert_true (t.decided[0] > 100);
  // More steps, more answers; but few are enough for most.
  assert_true (t.decided[3] > t.decided[0]);
  assert_true (t.decided[4] > t.open[4]);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_random)};
  return cmocka_run_group_tests (tests, 0, 0);
}
