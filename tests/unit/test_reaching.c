// Parts of formulas of CTL that the structure of a net decides everywhere: on
// random nets a formula without them holds in the same reachable markings, and
// many lose some.  And what is said of dead markings is so there.

#include "../naive.h"
#include "../random_formula.h"
#include "../random_net.h"
#include "check/reaching.h"
#include "check/staying.h"
#include "logic/ending.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NETS = 300, STATES = 200, FORMULAS = 16 };

static tl_mem account = {.name = "test", .fail_after = -1};

typedef struct tally {
  uint64_t formulas, reached, left, wrong;
} tally;

// Do both hold in the same states; or, with `dead`, in the same dead ones?
static bool agree (const naive *n, const tl_formula *a, const tl_formula *b,
                   bool dead) {
  uint8_t *one = naive_states (n, a, false),
          *other = naive_states (n, b, false);
  assert_true (one && other);
  bool same = true;
  for (uint64_t s = 0; s < n->states; s++)
    same &= one[s] == other[s] || (dead && n->first[s] != n->first[s + 1]);
  free (one);
  free (other);
  return same;
}

static void try_formula (const naive *n, tl_facts *facts, tl_arena *arena,
                         tl_formula *f, tally *sum) {
  tl_staying staying = {.facts = facts, .arena = arena, .seconds = 1};
  facts->refuter.for_leads = facts->refuter.seconds = 1;
  tl_formula *reached = tl_reaching_apply (facts, arena, f, false),
             *left = tl_staying_apply (&staying, f),
             *dead = tl_formula_when_dead (arena, f);
  assert_true (reached && left && dead);
  sum->formulas++;
  sum->reached += tl_formula_order (f, reached) != 0;
  sum->left += tl_formula_order (f, left) != 0;
  sum->wrong += !agree (n, f, reached, false) || !agree (n, f, left, false) ||
                !agree (n, f, dead, true);
  sum->wrong += tl_formula_has_temporal (dead);
}

static void try_net (tl_net *net, uint64_t seed, tally *sum) {
  assert_non_null (net);
  brute b = brute_explore (net, STATES);
  tl_structure *s;
  tl_facts facts;
  if (b.complete && net->places && net->transitions) {
    naive n = naive_open (&b);
    tl_random random = {seed};
    tl_arena arena = TL_ARENA (&account);
    assert_int_equal (tl_structure_open (&s, &account, net, 10, 0), TL_OK);
    assert_int_equal (tl_facts_open (&facts, &account, s, 10, false), TL_OK);
    for (unsigned i = 0; i < FORMULAS; i++)
      try_formula (&n, &facts, &arena, random_ctl (&arena, net, i, &random),
                   sum);
    tl_facts_close (&facts);
    tl_structure_close (s);
    tl_arena_close (&arena);
    naive_close (&n);
  }
  brute_close (&b);
  tl_net_close (net);
}

static void formulas_stay_as_they_are (void **state) {
  (void)state;
  tally sum = {0};
  static random_net sketch;
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    random_net_make (&sketch, seed);
    try_net (random_net_build (&sketch, &account), seed, &sum);
  }
  print_message ("# of %u: %u reached, %u left\n", (unsigned)sum.formulas,
                 (unsigned)sum.reached, (unsigned)sum.left);
  assert_int_equal (account.used, 0);
  assert_int_equal (sum.wrong, 0);
  assert_true (sum.reached > sum.formulas / 50);
  assert_true (sum.left > sum.formulas / 50);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (formulas_stay_as_they_are)};
  return cmocka_run_group_tests (tests, 0, 0);
}
