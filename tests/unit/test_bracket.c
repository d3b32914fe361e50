// State formulas above and below formulas of CTL: on random nets they are so in
// every reachable marking, and say something of many.  And what is needed for
// a formula to be decided by a marking decides it when there is none.  Where a
// run begins that says enough of a formula, the formula holds.

#include "../naive.h"
#include "../random_formula.h"
#include "../random_net.h"
#include "logic/bracket.h"
#include "logic/clue.h"
#include "logic/linear.h"
#include "logic/on_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NETS = 300, STATES = 200, FORMULAS = 20 };

static tl_mem account = {.name = "test", .fail_after = -1};

typedef struct tally {
  uint64_t formulas, above, below, wrong; // these are not constants
  uint64_t targets, needed;               // clues that decide
  uint64_t runs, shown; // that say enough of it, and where it holds for that
} tally;

// Is a set part of another one?
static bool is_within (const naive *n, const uint8_t *set,
                       const uint8_t *other) {
  for (uint64_t s = 0; s < n->states; s++)
    if (set[s] && !other[s])
      return false;
  return true;
}

static bool is_empty (const naive *n, const tl_formula *f) {
  uint8_t *set = naive_states (n, f, false);
  assert_non_null (set);
  bool any = false;
  for (uint64_t s = 0; s < n->states; s++)
    any |= set[s];
  free (set);
  return !any;
}

static void try_brackets (const naive *n, tl_arena *arena, tl_formula *f,
                          const uint8_t *holds, tally *sum) {
  tl_formula *above = tl_formula_above (arena, f, TL_NEXT_CTL),
             *below = tl_formula_below (arena, f, TL_NEXT_CTL);
  assert_true (above && below);
  assert_false (tl_formula_has_temporal (above));
  assert_false (tl_formula_has_temporal (below));
  uint8_t *most = naive_states (n, above, false),
          *least = naive_states (n, below, false);
  sum->wrong += !is_within (n, holds, most) || !is_within (n, least, holds);
  sum->above += above->op != TL_TRUE;
  sum->below += below->op != TL_FALSE;
  free (most);
  free (least);
}

// Not of formulas that are too large for the naive checker.
static void try_run (const naive *n, tl_arena *arena, tl_formula *f,
                     const uint8_t *holds, tally *sum) {
  tl_formula *run =
      tl_formula_on_run (arena, tl_formula_linear (arena, f, false));
  assert_non_null (run);
  uint8_t *shown = naive_states (n, run, true);
  if (!shown)
    return;
  sum->wrong += !is_within (n, shown, holds);
  sum->runs += tl_formula_is_about_runs (run);
  for (uint64_t s = 0; s < n->states; s++)
    sum->shown += tl_formula_is_about_runs (run) && shown[s];
  free (shown);
}

static void try_clue (const naive *n, tl_arena *arena, tl_formula *f,
                      bool holds, tally *sum) {
  tl_clue clue;
  assert_int_equal (tl_clue_find (arena, f, TL_NEXT_CTL, false, &clue), TL_OK);
  if (clue.needed && is_empty (n, clue.needed)) {
    sum->wrong += holds != clue.without;
    sum->needed++;
  }
  if (clue.target && !clue.least && !is_empty (n, clue.target)) {
    sum->wrong += holds != clue.holds;
    sum->targets++;
  }
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
    for (unsigned i = 0; i < FORMULAS; i++) {
      tl_formula *f = random_ctl (&arena, net, i, &random);
      uint8_t *holds = naive_states (&n, f, false);
      assert_non_null (holds);
      sum->formulas++;
      try_brackets (&n, &arena, f, holds, sum);
      try_clue (&n, &arena, f, holds[0], sum);
      try_run (&n, &arena, f, holds, sum);
      free (holds);
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
  print_message ("# of %u: %u above, %u below; %u by targets, %u by needs\n",
                 (unsigned)sum.formulas, (unsigned)sum.above,
                 (unsigned)sum.below, (unsigned)sum.targets,
                 (unsigned)sum.needed);
  print_message ("# %u runs, which show %u\n", (unsigned)sum.runs,
                 (unsigned)sum.shown);
  assert_int_equal (sum.wrong, 0);
  assert_true (sum.above > sum.formulas / 4 && sum.below > sum.formulas / 4);
  assert_true (sum.targets > 50 && sum.needed > 50);
  assert_true (sum.runs > sum.formulas / 10 && sum.shown > sum.runs);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_random)};
  return cmocka_run_group_tests (tests, 0, 0);
}
