// Formulas that get simpler by what is known at the initial marking.  With the
// value of a part for it, what is left says the same there, also where the same
// words stand behind a temporal operator; and so does what is taken out in nets
// that can always return, and what is left without X in all markings.  On
// random nets, against the naive checker.

#include "../naive.h"
#include "../random_formula.h"
#include "../random_net.h"
#include "check/goals.h"
#include "logic/part.h"
#include "logic/returning.h"
#include "logic/stepless.h"
#include "read/read.h"
#include "tideline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NETS = 400, STATES = 200, FORMULAS = 20 };

static tl_mem account = {.name = "test", .fail_after = -1};

typedef struct tally {
  uint64_t formulas, parts, inner, taken_out, steps, wrong;
} tally;

static bool holds (const naive *n, const tl_formula *f) {
  uint8_t *where = naive_states (n, f, false);
  assert_non_null (where);
  const bool at_first = where[0];
  free (where);
  return at_first;
}

// Can the initial marking be reached from everywhere?
static bool returns (const naive *n, const tl_net *net, tl_arena *arena) {
  tl_formula *f = tl_formula_constant (arena, true);
  bool overflow;
  for (uint32_t p = 0; p < net->places; p++) {
    const int64_t tokens = (int64_t)net->initial[p];
    const tl_summand plus = {p, 1}, minus = {p, -1};
    f = tl_formula_binary (
        arena, TL_AND, f,
        tl_formula_binary (
            arena, TL_AND,
            tl_formula_compare (arena, &plus, 1, tokens, &overflow),
            tl_formula_compare (arena, &minus, 1, -tokens, &overflow)));
  }
  f = tl_formula_unary (arena, TL_EXISTS,
                        tl_formula_unary (arena, TL_FINALLY, f));
  f = tl_formula_unary (arena, TL_ALL,
                        tl_formula_unary (arena, TL_GLOBALLY, f));
  assert_non_null (f);
  return holds (n, f);
}

// Where no marking is what an inner part needs, it is the same everywhere.
static void settle_inner (const naive *n, tl_arena *arena, tl_formula *f,
                          const tl_part *part, tally *sum) {
  if (!part->clue.needed)
    return;
  uint8_t *needed = naive_states (n, part->clue.needed, false);
  assert_non_null (needed);
  if (!memchr (needed, 1, n->states)) {
    tl_formula *left =
        tl_parts_settle (arena, f, part, TL_NEXT_CTL, part->clue.without);
    uint8_t *before = naive_states (n, f, false),
            *after = left ? naive_states (n, left, false) : 0;
    assert_true (before && after);
    sum->inner++;
    sum->wrong += memcmp (before, after, n->states) != 0;
    sum->wrong += !tl_formula_order (left, f); // it is gone
    free (before);
    free (after);
  }
  free (needed);
}

// One after the other, until the formula is a constant.
static void settle_all (const naive *n, tl_arena *arena, tl_formula *f,
                        tally *sum) {
  const bool whole = holds (n, f);
  tl_parts parts = {0};
  for (;;) {
    assert_int_equal (tl_parts_find (&parts, arena, f, TL_NEXT_CTL, false),
                      TL_OK);
    uint32_t count = 0; // inner ones come behind
    while (count < parts.count && !parts.part[count].inner)
      count++;
    for (uint32_t i = count; i < parts.count; i++)
      settle_inner (n, arena, f, parts.part + i, sum);
    if (!count)
      break;
    const tl_part *part = parts.part + sum->parts++ % count;
    f = tl_parts_settle (arena, f, part, TL_NEXT_CTL, holds (n, part->formula));
    assert_non_null (f);
    sum->wrong += holds (n, f) != whole;
  }
}

// The same everywhere.
static void leave_out_steps (const naive *n, const tl_net *net, tl_arena *arena,
                             tl_formula *f, tally *sum) {
  if (!tl_formula_has_step (f))
    return;
  tl_formula *left = tl_formula_stepless (arena, net, f);
  assert_non_null (left);
  uint8_t *before = naive_states (n, f, false),
          *after = naive_states (n, left, false);
  assert_true (before && after);
  sum->steps += !tl_formula_has_step (left);
  sum->wrong += memcmp (before, after, n->states) != 0;
  free (before);
  free (after);
}

// The formula, and the same again behind other operators.
static tl_formula *repeat (tl_arena *arena, tl_formula *f, unsigned how) {
  tl_formula *again = tl_formula_unary (
      arena, how & 1 ? TL_ALL : TL_EXISTS,
      tl_formula_unary (arena, how & 2 ? TL_GLOBALLY : TL_NEXT, f));
  f = tl_formula_binary (arena, how & 4 ? TL_AND : TL_OR, f, again);
  f = f ? tl_formula_simplify_as (arena, f, TL_NEXT_CTL) : 0;
  assert_non_null (f);
  return f;
}

static void try_formula (const naive *n, tl_arena *arena, tl_formula *f,
                         bool returning, tally *sum) {
  sum->formulas++;
  settle_all (n, arena, f, sum);
  if (!returning || !tl_formula_may_return (f))
    return;
  tl_formula *left = tl_formula_returning (arena, f, TL_NEXT_CTL);
  assert_non_null (left);
  sum->taken_out++;
  sum->wrong += holds (n, left) != holds (n, f);
}

// AX EX f and EX AX f, with f about one marking, behind another operator.
static tl_formula *stepped (tl_arena *arena, const tl_net *net, unsigned how,
                            tl_random *random) {
  tl_formula *f =
      random_formula (arena, net, RANDOM_STATE, 2 + how % 3, random);
  for (unsigned i = 0; i < 1 + how % 2; i++)
    f = tl_formula_unary (arena, (how + i) & 2 ? TL_ALL : TL_EXISTS,
                          tl_formula_unary (arena, TL_NEXT, f));
  f = tl_formula_unary (
      arena, how & 4 ? TL_ALL : TL_EXISTS,
      tl_formula_unary (arena, how & 8 ? TL_GLOBALLY : TL_FINALLY, f));
  f = f ? tl_formula_simplify_as (arena, f, TL_NEXT_CTL) : 0;
  assert_non_null (f);
  return f;
}

static void try_net (uint64_t seed, tally *sum) {
  random_net sketch;
  random_net_make (&sketch, seed);
  tl_net *net = random_net_build (&sketch, &account);
  assert_non_null (net);
  brute b = brute_explore (net, STATES);
  if (b.complete && net->transitions) {
    naive n = naive_open (&b);
    tl_random random = {seed};
    tl_arena arena = TL_ARENA (&account);
    const bool returning = returns (&n, net, &arena);
    for (unsigned i = 0; i < FORMULAS; i++) {
      tl_formula *f = random_ctl (&arena, net, i, &random);
      try_formula (&n, &arena, f, returning, sum);
      leave_out_steps (&n, net, &arena, f, sum);
      leave_out_steps (&n, net, &arena, stepped (&arena, net, i, &random), sum);
      try_formula (&n, &arena, repeat (&arena, f, i), returning, sum);
    }
    tl_arena_close (&arena);
    naive_close (&n);
  }
  brute_close (&b);
  tl_net_close (net);
}

static void test_random (void **state) {
  (void)state;
  tally sum = {0};
  for (uint64_t seed = 1; seed <= NETS; seed++)
    try_net (seed, &sum);
  print_message ("# of %u: %u parts, %u inner ones, %u times something taken "
                 "out, %u left without X\n",
                 (unsigned)sum.formulas, (unsigned)sum.parts,
                 (unsigned)sum.inner, (unsigned)sum.taken_out,
                 (unsigned)sum.steps);
  assert_int_equal (sum.wrong, 0);
  assert_true (sum.inner > 500);
  assert_true (sum.parts > sum.formulas / 2 && sum.taken_out > 100);
  assert_true (sum.steps > 1000);
}

// Transitions that are told apart by what inhibits another one.
static void test_inhibited (void **state) {
  (void)state;
  static const char text[] = "pl a (1)\npl b (1)\ntr t a -> p\ntr u a -> q\n"
                             "tr v b q?-1 -> b\ntr w p -> a\ntr x q -> a\n";
  tl_net *net;
  tl_questions *questions;
  tally sum = {0};
  assert_int_equal (
      tl_read_net_text (&net, &account, "x.net", text, strlen (text), 0),
      TL_OK);
  assert_int_equal (tl_questions_open (&questions, net, 0), TL_OK);
  assert_int_equal (
      tl_questions_add_text (questions, "EF (a = 1 AND AX FIREABLE(v))", 0),
      TL_OK);
  assert_int_equal (
      tl_questions_add_text (questions, "AG EX NOT FIREABLE(v)", 0), TL_OK);
  brute b = brute_explore (net, STATES);
  naive n = naive_open (&b);
  for (size_t i = 0; i < questions->count; i++) {
    tl_formula *f = tl_formula_simplify_as (
        &questions->arena, questions->question[i].formula, TL_NEXT_CTL);
    assert_true (tl_formula_has_step (f));
    leave_out_steps (&n, net, &questions->arena, f, &sum);
  }
  assert_int_equal (sum.steps, 2);
  assert_int_equal (sum.wrong, 0);
  naive_close (&n);
  brute_close (&b);
  tl_questions_close (questions);
  tl_net_close (net);
}

// What was looked for in vain is not looked for again.
static void test_remembered (void **state) {
  (void)state;
  tl_arena arena = TL_ARENA (&account);
  tl_parts parts = {0};
  tl_formula *both[2];
  bool overflow;
  for (uint32_t p = 0; p < 2; p++) {
    const tl_summand term = {p, 1};
    both[p] = tl_formula_unary (
        &arena, TL_EXISTS,
        tl_formula_unary (&arena, TL_FINALLY,
                          tl_formula_compare (&arena, &term, 1, 3, &overflow)));
  }
  tl_formula *f = tl_formula_nary (&arena, TL_OR, both, 2);
  assert_int_equal (tl_parts_find (&parts, &arena, f, TL_NEXT_CTL, false),
                    TL_OK);
  assert_int_equal (parts.count, 2);
  parts.part[1].missed = true;
  f = tl_parts_settle (&arena, f, parts.part, TL_NEXT_CTL, false);
  assert_int_equal (tl_parts_find (&parts, &arena, f, TL_NEXT_CTL, false),
                    TL_OK);
  assert_int_equal (parts.count, 1);
  assert_true (parts.part[0].missed && !parts.part[0].met);
  tl_arena_close (&arena);
}

// The last part answers the question, whatever memory there is: somebody has
// shown it.
static void test_last (void **state) {
  (void)state;
  tl_mem mem = {.name = "goals", .fail_after = 0};
  tl_options options = tl_options_default ();
  tl_formula f = {.op = TL_DEADLOCK};
  tl_question question = {.formula = &f};
  tl_answer answer = {0};
  tl_goals g = {.mem = &mem,
                .arena = TL_ARENA (&mem),
                .options = &options,
                .undecided = 1};
  tl_asked a = {.question = &question, .answer = &answer};
  const tl_part part = {.formula = &f};
  a.small.formula = &f;
  tl_goals_settle_part (&g, &a, &part, true);
  assert_int_equal (answer.verdict, TL_VERDICT_TRUE);
  assert_int_equal (g.undecided, 0);
  assert_false (a.small.unshown);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_random), cmocka_unit_test (test_inhibited),
      cmocka_unit_test (test_remembered), cmocka_unit_test (test_last)};
  return cmocka_run_group_tests (tests, 0, 0);
}
