// Formulas on the fly with a number of steps, on random nets, against the naive
// checker.  CTL in three values: with few steps and with many, what is decided
// is right, and with many steps all is decided, and what is far away soon if it
// can be seen where it is nearer.  Formulas about runs by walks, at random and
// led: a run that is found is there, and most that are there are found.

#include "../naive.h"
#include "../random_formula.h"
#include "../random_net.h"
#include "check/lasso.h"
#include "check/ternary.h"
#include "explore/explore.h"
#include "logic/simplify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
  NETS = 300,
  STATES = 300,
  FORMULAS = 24,
  DEPTHS = 4,
  FAILURES = 80,
  LED = 3, // of the efforts: that of walks that are led, which take long
  MANY = 1000000
};

static const uint64_t effort[] = {1, 5, 20, 60, 200, 1000, MANY};

enum { EFFORTS = sizeof effort / sizeof *effort };

static tl_mem account = {.name = "test", .fail_after = -1};

typedef struct trial {
  naive n;
  tl_random random;
  random_logic logic;
  uint64_t wrong, open[EFFORTS], decided[EFFORTS];
  uint64_t runs; // that are there to be found
  bool led;      // walks are
  tl_visit_verdict (*begin) (void *trial, tl_search *);
} trial;

// A formula, taken apart, and the graph as far as it is looked at.
typedef struct means {
  tl_arena arena;
  tl_labels labels;
  tl_sat *sat;
  tl_space space;
} means;

static void open_means (means *m, tl_search *s, const tl_formula *f, bool runs,
                        uint64_t steps) {
  *m = (means){.arena = TL_ARENA (&account)};
  const tl_sat_ways ways = {.arena = &m->arena,
                            .mem = &account,
                            .labels = &m->labels,
                            .linear = runs,
                            .automata = runs};
  assert_int_equal (tl_labels_open (&m->labels, &account, s->net), TL_OK);
  assert_int_equal (tl_sat_open (&m->sat, &ways, f), TL_OK);
  assert_int_equal (tl_space_open (&m->space, s, 0), TL_OK);
  m->space.may_widen = true;
  m->space.most = steps;
}

static void close_means (means *m) {
  tl_space_close (&m->space);
  tl_sat_close (m->sat);
  tl_labels_close (&m->labels);
  tl_arena_close (&m->arena);
}

static tl_status value (tl_search *s, const tl_formula *f, uint64_t steps,
                        bool *holds) {
  means m;
  tl_ternary *t = 0;
  open_means (&m, s, f, false, steps);
  assert_true (tl_ternary_takes (m.sat));
  assert_int_equal (tl_ternary_open (&t, &m.arena, &m.space, &m.labels, m.sat),
                    TL_OK);
  const tl_status rc = tl_ternary_decide (t, holds);
  tl_ternary_close (t);
  close_means (&m);
  return rc;
}

// By walks; the run that shows it goes along arcs, and comes back to where its
// loop begins.
static tl_status walked (tl_search *s, const tl_formula *f, uint64_t steps,
                         bool led, bool *holds) {
  means m;
  tl_local *l = 0;
  tl_run run = {0};
  open_means (&m, s, f, true, steps);
  assert_int_equal (tl_local_open (&l, &m.arena, &m.space, &m.labels, m.sat),
                    TL_OK);
  const tl_status rc = led ? tl_lasso_walk (l, steps, holds, &run)
                           : tl_local_walk (l, holds, &run);
  uint64_t at = 0, home = 0;
  for (uint64_t i = 0; !rc && i < run.length; i++) {
    home = i == run.loop_from ? at : home;
    assert_true (run.arc[i] < m.space.degree[at]);
    at = tl_numbers_get (&m.space.target, m.space.first[at] + run.arc[i]);
  }
  assert_true (rc || run.loop_from >= run.length || at == home);
  free (run.arc);
  tl_local_close (l);
  close_means (&m);
  return rc;
}

static tl_formula *make (trial *t, tl_arena *arena, const tl_net *net,
                         unsigned depth) {
  tl_formula *f = random_formula (arena, net, t->logic, depth, &t->random);
  if (t->logic == RANDOM_PATH)
    f = tl_formula_unary (arena, TL_ALL, f);
  f = tl_formula_simplify_as (
      arena, f, t->logic == RANDOM_PATH ? TL_NEXT_LTL : TL_NEXT_CTL);
  assert_non_null (f);
  return f;
}

static tl_visit_verdict begin (void *context, tl_search *s) {
  trial *t = context;
  const bool runs = t->logic == RANDOM_PATH;
  tl_arena arena = TL_ARENA (&account);
  for (unsigned i = 0; i < FORMULAS; i++) {
    tl_formula *f = make (t, &arena, s->net, 2 + i % DEPTHS);
    uint8_t *where = naive_states (&t->n, f, runs);
    if (!where) // too large
      continue;
    t->runs += runs && f->op == TL_ALL && !where[0];
    for (int k = 0; k < EFFORTS; k++) {
      bool holds;
      if (runs &&
          (f->op != TL_ALL || effort[k] == MANY || (t->led && k != LED)))
        continue;
      const tl_status rc = runs ? walked (s, f, effort[k], t->led, &holds)
                                : value (s, f, effort[k], &holds);
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
    const tl_visitor visitor = {.context = t, .begin = t->begin};
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

static trial try_nets (random_logic logic, bool led) {
  trial t = {.logic = logic, .begin = begin, .led = led};
  for (uint64_t seed = 1; seed <= (led ? NETS / 6 : NETS); seed++)
    try_net (&t, seed);
  print_message ("# decided of %u:", (unsigned)(t.decided[0] + t.open[0]));
  for (int k = 0; k < EFFORTS; k++)
    print_message (" %u", (unsigned)t.decided[k]);
  print_message ("\n");
  assert_int_equal (t.wrong, 0);
  return t;
}

static void ctl_in_three_values (void **state) {
  (void)state;
  const trial t = try_nets (RANDOM_CTL, false);
  assert_int_equal (t.open[EFFORTS - 1], 0);
  assert_true (t.decided[0] > 100);
  // More steps, more answers; but few are enough for most.
  assert_true (t.decided[3] > t.decided[0]);
  assert_true (t.decided[4] > t.open[4]);
}

static void runs_by_walks (void **state) {
  (void)state;
  const trial t = try_nets (RANDOM_PATH, false);
  assert_true (t.runs > 1000);
  assert_true (t.decided[5] <= t.runs && t.decided[5] > t.runs * 9 / 10);
}

static void runs_by_led_walks (void **state) {
  (void)state;
  const trial t = try_nets (RANDOM_PATH, true);
  assert_true (t.decided[LED] <= t.runs && t.decided[LED] > t.runs / 2);
}

// A marking that is far away, among a million, with something to be found out
// there: whoever goes on from where it is nearest is there soon.
enum { PAIRS = 3, TOKENS = 99, FAR = 95, SOON = 20000 };

static tl_formula *far_away (tl_arena *arena) {
  tl_formula *part[PAIRS + 1];
  bool overflow;
  for (uint32_t i = 0; i < PAIRS; i++) {
    const tl_summand term = {2 * i + 1, -1};
    part[i] = tl_formula_compare (arena, &term, 1, -FAR, &overflow);
  }
  const tl_summand first = {1, 1};
  part[PAIRS] = tl_formula_unary (
      arena, TL_EXISTS,
      tl_formula_unary (
          arena, TL_NEXT,
          tl_formula_compare (arena, &first, 1, FAR - 1, &overflow)));
  return tl_formula_nary (arena, TL_AND, part, PAIRS + 1);
}

static tl_visit_verdict begin_far (void *context, tl_search *s) {
  (void)context;
  tl_arena arena = TL_ARENA (&account);
  bool holds;
  tl_formula *f = tl_formula_unary (
      &arena, TL_EXISTS,
      tl_formula_unary (&arena, TL_FINALLY, far_away (&arena)));
  assert_int_equal (value (s, f, SOON, &holds), TL_OK);
  assert_true (holds);
  f = tl_formula_negate (&arena, f);
  assert_int_equal (value (s, f, SOON, &holds), TL_OK);
  assert_false (holds);
  tl_arena_close (&arena);
  return TL_VISIT_STOP;
}

// Many steps up and down again, while something else stays small: by chance no
// walk does that and comes back to where it was.
static tl_visit_verdict begin_round (void *context, tl_search *s) {
  (void)context;
  tl_arena arena = TL_ARENA (&account);
  bool holds, overflow;
  const tl_summand up = {1, -1}, down = {0, -1}, small = {3, 1};
  tl_formula *part[3] = {
      tl_formula_compare (&arena, &up, 1, -FAR, &overflow),
      tl_formula_compare (&arena, &down, 1, -FAR, &overflow),
      tl_formula_compare (&arena, &small, 1, TOKENS - FAR, &overflow)};
  for (int i = 0; i < 3; i++) {
    part[i] = i < 2 ? tl_formula_unary (&arena, TL_FINALLY, part[i]) : part[i];
    part[i] = tl_formula_unary (&arena, TL_GLOBALLY, part[i]);
  }
  tl_formula *f = tl_formula_unary (&arena, TL_EXISTS,
                                    tl_formula_nary (&arena, TL_AND, part, 3));
  assert_int_equal (walked (s, f, SOON, true, &holds), TL_OK);
  assert_true (holds);
  tl_arena_close (&arena);
  return TL_VISIT_STOP;
}

static void search_pairs (tl_visit_verdict (*begins) (void *, tl_search *)) {
  tl_builder *b;
  tl_net *net;
  assert_int_equal (tl_builder_open (&b, &account), TL_OK);
  for (uint32_t i = 0; i < 2 * PAIRS; i++) {
    const char name[] = {i % 2 ? 'q' : 'p', (char)('0' + i / 2), 0};
    tl_builder_place (b, name, 0, i % 2 ? 0 : TOKENS, 0);
  }
  for (uint32_t i = 0; i < 2 * PAIRS; i++) {
    const char name[] = {i % 2 ? 'u' : 't', (char)('0' + i / 2), 0};
    tl_builder_transition (b, name, 0, 0);
    tl_builder_arc (b, TL_ARC_PRE, i, i, 1);
    tl_builder_arc (b, TL_ARC_POST, i ^ 1, i, 1);
  }
  assert_int_equal (tl_builder_finish (b, "pairs", "example", &net, 0), TL_OK);
  const tl_options options = tl_options_default ();
  const tl_visitor visitor = {.begin = begins};
  tl_exploration run;
  assert_int_equal (tl_explore_on (&account, net, &options, &visitor, &run, 0),
                    TL_OK);
  tl_exploration_close (&run);
  tl_net_close (net);
}

static void nearest_first (void **state) {
  (void)state;
  search_pairs (begin_far);
}

static void round_a_long_cycle (void **state) {
  (void)state;
  search_pairs (begin_round);
}

// Without memory there is no answer, or the right one, and nothing is left
// over.
static tl_visit_verdict begin_without (void *context, tl_search *s) {
  trial *t = context;
  tl_arena arena = TL_ARENA (&account);
  const tl_formula *f = make (t, &arena, s->net, DEPTHS);
  uint8_t *where = naive_states (&t->n, f, false);
  assert_non_null (where);
  for (long n = 0; n < FAILURES; n++) {
    means m = {.arena = TL_ARENA (&account)};
    tl_ternary *ternary = 0;
    bool holds;
    const tl_sat_ways ways = {
        .arena = &m.arena, .mem = &account, .labels = &m.labels};
    account.fail_after = n;
    tl_status rc = tl_labels_open (&m.labels, &account, s->net);
    if (!rc)
      rc = tl_sat_open (&m.sat, &ways, f);
    if (!rc)
      rc = tl_space_open (&m.space, s, 0);
    m.space.most = MANY;
    if (!rc)
      rc = tl_ternary_open (&ternary, &m.arena, &m.space, &m.labels, m.sat);
    if (!rc)
      rc = tl_ternary_decide (ternary, &holds);
    account.fail_after = -1;
    assert_true (rc == TL_E_NOMEM || rc == TL_E_LIMIT || !rc);
    t->open[0] += rc == TL_E_NOMEM;
    t->wrong += !rc && holds != where[0];
    tl_ternary_close (ternary);
    close_means (&m);
  }
  free (where);
  tl_arena_close (&arena);
  return TL_VISIT_STOP;
}

static void no_memory (void **state) {
  (void)state;
  trial t = {.logic = RANDOM_CTL, .begin = begin_without};
  for (uint64_t seed = 1; seed <= NETS / 10; seed++)
    try_net (&t, seed);
  assert_int_equal (t.wrong, 0);
  assert_true (t.open[0] > FAILURES);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (ctl_in_three_values), cmocka_unit_test (runs_by_walks),
      cmocka_unit_test (runs_by_led_walks),   cmocka_unit_test (nearest_first),
      cmocka_unit_test (round_a_long_cycle),  cmocka_unit_test (no_memory)};
  return cmocka_run_group_tests (tests, 0, 0);
}
