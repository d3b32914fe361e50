// State formulas refuted by cases: on random nets nothing reachable is, and
// most of what is impossible is; and a net where the state equation does not
// say enough.

#include "../refuting.h"
#include "check/facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { NETS = 120 };

static tl_mem account = {.name = "test", .fail_after = -1};

static void nothing_reachable_is_refuted (void **state) {
  (void)state;
  refuting x = {0};
  for (uint64_t seed = 1; seed <= NETS; seed++)
    refuting_add (&x, &account, seed);
  assert_int_equal (account.used, 0);
  assert_int_equal (x.wrong, 0);
  assert_true (x.proven > x.constant * 3 / 4);
  assert_true (x.returns > x.returning / 4);
  print_message ("# %u of %u end, %u of %u lead\n", (unsigned)x.ends,
                 (unsigned)x.ending, (unsigned)x.leads, (unsigned)x.leading);
  assert_true (x.ends > x.ending / 2);
  assert_true (x.leads > x.leading / 5);
}

// ---- A net -----------------------------------------------------------------

// Of two tokens in `a` one is always left, though by the state equation the
// last could be taken like the first.  What is taken goes to `b` or `c`.
static tl_net *make_net (void) {
  static const char *const ids[] = {"a", "b", "c", "to_b", "to_c"};
  tl_builder *builder;
  tl_net *net;
  assert_int_equal (tl_builder_open (&builder, &account), TL_OK);
  for (uint32_t p = 0; p < 3; p++)
    tl_builder_place (builder, ids[p], 0, p ? 0 : 2, 0);
  for (uint32_t t = 0; t < 2; t++) {
    tl_builder_transition (builder, ids[3 + t], 0, 0);
    tl_builder_arc (builder, TL_ARC_PRE, 0, t, 2);
    tl_builder_arc (builder, TL_ARC_POST, 0, t, 1);
    tl_builder_arc (builder, TL_ARC_POST, 1 + t, t, 1);
  }
  assert_int_equal (tl_builder_finish (builder, "trap", "example", &net, 0),
                    TL_OK);
  return net;
}

static tl_formula *at_most (tl_arena *arena, uint32_t place, int64_t bound) {
  bool overflow;
  const tl_summand term = {place, 1};
  return tl_formula_compare (arena, &term, 1, bound, &overflow);
}

static tl_verdict verdict_of (tl_net *net, const tl_formula *f,
                              long fail_after) {
  tl_structure *s;
  tl_refuter r = {.mem = &account, .seconds = 10};
  assert_int_equal (tl_structure_open (&s, &account, net, 10, 0), TL_OK);
  assert_int_equal (
      tl_equation_open (&r.equation, &account, s->incidence, net->initial, 10),
      TL_OK);
  r.structure = s;
  account.fail_after = fail_after;
  const tl_verdict verdict = tl_refuter_verdict (&r, f);
  account.fail_after = -1;
  tl_equation_close (r.equation);
  tl_refuter_close (&r);
  tl_structure_close (s);
  return verdict;
}

static void a_trap_keeps_a_token (void **state) {
  (void)state;
  tl_net *net = make_net ();
  tl_arena arena = TL_ARENA (&account);
  tl_formula *none = at_most (&arena, 0, 0);
  tl_formula *b = at_most (&arena, 1, 0), *c = at_most (&arena, 2, 0);
  tl_formula *either = tl_formula_binary (
      &arena, TL_OR, tl_formula_binary (&arena, TL_AND, none, b), none);
  tl_formula *both = tl_formula_unary (&arena, TL_NOT,
                                       tl_formula_binary (&arena, TL_OR, b, c));
  assert_int_equal (verdict_of (net, none, -1), TL_VERDICT_FALSE);
  assert_int_equal (verdict_of (net, either, -1), TL_VERDICT_FALSE);
  assert_int_equal (verdict_of (net, both, -1), TL_VERDICT_FALSE);
  assert_int_equal (verdict_of (net, b, -1), TL_VERDICT_UNKNOWN);
  // Without memory nothing is proven, and nothing is lost.
  for (long n = 0; n < 60; n++)
    assert_int_not_equal (verdict_of (net, either, n), TL_VERDICT_TRUE);
  tl_arena_close (&arena);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

// Taking from `a` brings it down to one, from wherever; nothing brings more to
// `b`, nor takes the last one away.
static void sums_are_brought_down (void **state) {
  (void)state;
  tl_net *net = make_net ();
  tl_structure *s;
  tl_facts f;
  tl_arena arena = TL_ARENA (&account);
  tl_formula *one = at_most (&arena, 0, 1), *more = at_most (&arena, 1, 0);
  more = tl_formula_unary (&arena, TL_NOT, more);
  assert_int_equal (tl_structure_open (&s, &account, net, 10, 0), TL_OK);
  assert_int_equal (tl_facts_open (&f, &account, s, 10, false), TL_OK);
  assert_true (tl_refuter_leads (&f.refuter, one));
  assert_false (tl_refuter_leads (&f.refuter, more));
  assert_false (tl_refuter_leads (&f.refuter, at_most (&arena, 0, 0)));
  assert_true (tl_refuter_ends (&f.refuter));
  tl_arena_close (&arena);
  tl_facts_close (&f);
  tl_structure_close (s);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

// By the state equation there could be two.
static void cases_bound_a_sum (void **state) {
  (void)state;
  tl_net *net = make_net ();
  tl_structure *s;
  tl_facts f;
  uint64_t most;
  const tl_summand b = {1, 1}, both[] = {{1, 3}, {2, 3}};
  assert_int_equal (tl_structure_open (&s, &account, net, 10, 0), TL_OK);
  assert_int_equal (tl_facts_open (&f, &account, s, 10, false), TL_OK);
  assert_true (tl_facts_most (&f, &b, 1, &most));
  assert_int_equal (most, 1);
  assert_true (tl_facts_most (&f, both, 2, &most));
  assert_int_equal (most, 3);
  tl_facts_close (&f);
  tl_structure_close (s);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

// `take` empties a place of one token, and then `go` is not inhibited any more.
static void what_is_inhibited_may_be_enabled_later (void **state) {
  (void)state;
  tl_builder *builder;
  tl_net *net;
  tl_arena arena = TL_ARENA (&account);
  assert_int_equal (tl_builder_open (&builder, &account), TL_OK);
  tl_builder_place (builder, "p", 0, 1, 0);
  tl_builder_transition (builder, "take", 0, 0);
  tl_builder_transition (builder, "go", 0, 0);
  tl_builder_arc (builder, TL_ARC_PRE, 0, 0, 1);
  tl_builder_arc (builder, TL_ARC_INHIBITOR, 0, 1, 1);
  assert_int_equal (tl_builder_finish (builder, "inhibited", "x", &net, 0),
                    TL_OK);
  const uint32_t go = 1;
  assert_int_equal (verdict_of (net, tl_formula_fireable (&arena, &go, 1), -1),
                    TL_VERDICT_UNKNOWN);
  tl_arena_close (&arena);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (what_is_inhibited_may_be_enabled_later),
      cmocka_unit_test (nothing_reachable_is_refuted),
      cmocka_unit_test (a_trap_keeps_a_token),
      cmocka_unit_test (sums_are_brought_down),
      cmocka_unit_test (cases_bound_a_sum)};
  return cmocka_run_group_tests (tests, 0, 0);
}
