// Runs that stay where a state formula holds: on random nets none is said to be
// impossible that the graph has, and many that it has not are; nor one that an
// automaton accepts.

#include "../naive.h"
#include "../random_formula.h"
#include "../random_net.h"
#include "check/staying.h"
#include "logic/eval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NETS = 250, STATES = 300, FORMULAS = 12 };

static tl_mem account = {.name = "test", .fail_after = -1};

typedef struct tally {
  uint64_t true_ones, proven, wrong;
} tally;

// May a run go on from the state and stay in the set?  A dead state does.
static bool goes_on (const brute *b, const uint8_t *set, uint64_t state,
                     uint64_t *marking) {
  bool dead = true;
  for (uint32_t t = 0; t < b->net->transitions; t++) {
    if (!brute_enabled (b->net, brute_marking (b, state), t))
      continue;
    dead = false;
    memcpy (marking, brute_marking (b, state),
            b->net->places * sizeof *marking);
    brute_fire (b->net, marking, t);
    if (set[brute_find (b, marking)])
      return true;
  }
  return dead;
}

// By the definition: what is left when all have gone that do not go on.
static bool some_run_stays (const brute *b, const tl_formula *f) {
  uint8_t *set = calloc (b->states, 1);
  uint64_t *marking = calloc (b->net->places + 1, sizeof *marking);
  uint64_t count = 0, before;
  assert_true (set && marking);
  for (uint64_t s = 0; s < b->states; s++)
    count += set[s] = tl_formula_holds (f, b->net, brute_marking (b, s));
  do {
    before = count;
    for (uint64_t s = 0; s < b->states; s++)
      if (set[s] && !goes_on (b, set, s, marking)) {
        set[s] = 0;
        count--;
      }
  } while (count < before);
  free (set);
  free (marking);
  return count;
}

static void ask_formulas (tally *sum, const brute *b, tl_facts *facts,
                          uint64_t seed) {
  tl_arena arena = TL_ARENA (&account);
  tl_random random = {seed};
  for (unsigned i = 0; i < FORMULAS; i++) {
    tl_staying s = {.facts = facts, .arena = &arena, .seconds = 1};
    const tl_formula *f =
        random_formula (&arena, b->net, RANDOM_STATE, i % 3, &random);
    const bool ends = tl_staying_ends (&s, f), stays = some_run_stays (b, f);
    sum->true_ones += !stays;
    sum->proven += ends;
    sum->wrong += ends && stays;
  }
  tl_arena_close (&arena);
}

// ---- Automata --------------------------------------------------------------

// Unknown where the formula is too large for that.
static tl_verdict some_run_is_accepted (const brute *b, const tl_formula *f) {
  naive n = naive_open (b);
  uint8_t *holds = naive_states (&n, f, true);
  tl_verdict any = holds ? TL_VERDICT_FALSE : TL_VERDICT_UNKNOWN;
  for (uint64_t s = 0; holds && s < b->states; s++)
    any = holds[s] ? TL_VERDICT_TRUE : any;
  free (holds);
  naive_close (&n);
  return any;
}

static void ask_automata (tally *sum, const brute *b, tl_facts *facts,
                          uint64_t seed) {
  tl_arena arena = TL_ARENA (&account);
  tl_random random = {seed};
  for (unsigned i = 0; i < FORMULAS; i++) {
    tl_staying s = {
        .facts = facts, .arena = &arena, .seconds = 1, .linear = true};
    tl_labels labels;
    tl_sat *sat = 0;
    const tl_formula *f = tl_formula_unary (
        &arena, TL_EXISTS,
        random_formula (&arena, b->net, RANDOM_PATH, 1 + i % 3, &random));
    assert_int_equal (tl_labels_open (&labels, &account, b->net), TL_OK);
    const tl_sat_ways ways = {.arena = &arena,
                              .mem = &account,
                              .labels = &labels,
                              .linear = true,
                              .automata = true};
    if (!tl_sat_open (&sat, &ways, f) && sat->kind == TL_SAT_PATH) {
      const bool none = tl_staying_accepts_none (&s, sat);
      const tl_verdict any = some_run_is_accepted (b, f);
      sum->true_ones += any == TL_VERDICT_FALSE;
      sum->proven += none && any == TL_VERDICT_FALSE;
      sum->wrong += none && any == TL_VERDICT_TRUE;
    }
    tl_sat_close (sat);
    tl_labels_close (&labels);
  }
  tl_arena_close (&arena);
}

// ---- Nets ------------------------------------------------------------------

// Transitions give only to places behind those that they take from, so that
// most runs end.
static void make_end (random_net *n) {
  uint32_t lowest[RANDOM_TRANSITIONS], left = 0;
  memset (lowest, 0xff, sizeof lowest);
  for (uint32_t i = 0; i < n->arcs; i++) {
    const random_arc *a = n->arc + i;
    if (a->kind == TL_ARC_PRE && a->place < lowest[a->transition])
      lowest[a->transition] = a->place;
  }
  for (uint32_t i = 0; i < n->arcs; i++) {
    const random_arc a = n->arc[i];
    if (a.kind != TL_ARC_POST || a.place > lowest[a.transition])
      n->arc[left++] = a;
  }
  n->arcs = left;
}

typedef void ask_net (tally *, const brute *, tl_facts *, uint64_t seed);

static void try_net (tally *sum, uint64_t seed, ask_net *ask, bool ends) {
  static random_net sketch;
  random_net_make (&sketch, seed);
  if (ends)
    make_end (&sketch);
  tl_net *net = random_net_build (&sketch, &account);
  brute b = brute_explore (net, STATES);
  tl_structure *s;
  tl_facts facts;
  if (b.complete && net->places && net->transitions) {
    assert_int_equal (tl_structure_open (&s, &account, net, 10, 0), TL_OK);
    assert_int_equal (tl_facts_open (&facts, &account, s, 10, false), TL_OK);
    ask (sum, &b, &facts, seed);
    tl_facts_close (&facts);
    tl_structure_close (s);
  }
  brute_close (&b);
  tl_net_close (net);
}

static void no_run_is_missed (void **state) {
  (void)state;
  tally sum = {0};
  for (uint64_t seed = 1; seed <= NETS; seed++)
    try_net (&sum, seed, ask_formulas, false);
  assert_int_equal (account.used, 0);
  assert_int_equal (sum.wrong, 0);
  assert_true (sum.proven > sum.true_ones / 2);
}

static void no_accepted_run_is_missed (void **state) {
  (void)state;
  tally some = {0}, ending = {0};
  for (uint64_t seed = 1; seed <= NETS / 3; seed++) {
    try_net (&some, seed, ask_automata, false);
    try_net (&ending, seed, ask_automata, true);
  }
  assert_int_equal (account.used, 0);
  print_message ("%d of %d, %d of %d where most runs end\n", (int)some.proven,
                 (int)some.true_ones, (int)ending.proven,
                 (int)ending.true_ones);
  assert_int_equal (some.wrong + ending.wrong, 0);
  assert_true (some.proven > some.true_ones / 8);
  assert_true (ending.proven > ending.true_ones / 2);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (no_run_is_missed),
      cmocka_unit_test (no_accepted_run_is_missed)};
  return cmocka_run_group_tests (tests, 0, 0);
}
