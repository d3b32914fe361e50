// Runs that walks find in the token game: on random nets the automaton of the
// formula is right to accept them, and most that there are are found; and in
// nets where nobody gets round a cycle by chance.

#include "../naive.h"
#include "../random_formula.h"
#include "../random_net.h"
#include "base/clock.h"
#include "check/circuit.h"
#include "explore/explore.h"
#include "logic/simplify.h"
#include "net/marking.h"
#include "net/stroll.h"
#include "net/trace.h"
#include "read/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NETS = 200, STATES = 150, FORMULAS = 6 };

static tl_mem account = {.name = "test", .fail_after = -1};

// ---- Looking for a run -----------------------------------------------------

typedef struct look {
  const tl_formula *formula; // E or A of a path
  double seconds;
  tl_trace trace;
  bool found;
  tl_circuit_end end;
} look;

static tl_visit_verdict begin (void *context, tl_search *s) {
  look *l = context;
  tl_mem mem = TL_MEM (&account, "walks");
  tl_arena arena = TL_ARENA (&mem);
  tl_labels labels;
  tl_sat *sat;
  const tl_sat_ways ways = {.arena = &arena,
                            .mem = &mem,
                            .labels = &labels,
                            .linear = true,
                            .automata = true};
  assert_int_equal (tl_labels_open (&labels, &mem, s->net), TL_OK);
  tl_status rc = tl_sat_open (&sat, &ways, l->formula);
  s->deadline = tl_clock () + l->seconds;
  if (!rc)
    rc = tl_circuit_find (s, &mem, sat, &labels, 3, &l->trace, &l->end);
  assert_true (!rc || rc == TL_E_LIMIT);
  l->found = !rc;
  tl_sat_close (sat);
  tl_labels_close (&labels);
  tl_arena_close (&arena);
  assert_int_equal (mem.used, 0);
  return TL_VISIT_STOP;
}

// That the net has no bound ends nothing.
static tl_visit_verdict go_on (void *context, const tl_trace *run) {
  (void)context;
  (void)run;
  return TL_VISIT_CONTINUE;
}

static void look_for_run (look *l, const tl_net *net) {
  const tl_visitor visitor = {.context = l, .begin = begin, .unbounded = go_on};
  tl_options how = tl_options_default ();
  tl_exploration run;
  how.order = "bfs";
  assert_int_equal (tl_explore_on (&account, net, &how, &visitor, &run, 0),
                    TL_OK);
  tl_exploration_close (&run);
}

// ---- Random nets -----------------------------------------------------------

typedef struct tally {
  unsigned runs, found, loops, dead;
} tally;

// Goes on in any way where the trace says no more, until a state comes again.
static bool is_right (const naive *n, const tl_formula *path, const look *l) {
  const brute *b = n->b;
  const tl_trace *t = &l->trace;
  uint64_t *m = calloc (b->net->places + 1, sizeof *m),
           *state = calloc (t->length + b->states + 2, sizeof *state),
           length = 0, loop = t->loop_from;
  bool right = true;
  brute_initial (b->net, m);
  for (uint64_t i = 0; right && i < t->length; i++) {
    state[length++] = brute_find (b, m);
    right = brute_enabled (b->net, m, t->transition[i]);
    if (right)
      brute_fire (b->net, m, t->transition[i]);
  }
  uint64_t s = brute_find (b, m);
  if (right && t->loop)
    right = state[loop] == s;
  if (right && l->end == TL_CIRCUIT_DEAD && !t->loop)
    right = brute_dead (b->net, m);
  for (bool goes_on = !t->loop; right && goes_on;) {
    for (loop = t->length; loop < length && state[loop] != s;)
      loop++;
    goes_on = loop == length;
    if (goes_on)
      state[length++] = s;
    if (goes_on && n->first[s] < n->first[s + 1])
      s = n->target[n->first[s]];
  }
  right = right && naive_run (n, path, state, length, loop) != 0;
  free (m);
  free (state);
  return right;
}

static void try_formula (const naive *n, tl_arena *arena, tl_random *random,
                         tally *sum) {
  const tl_net *net = n->b->net;
  tl_formula *f =
      random_formula (arena, net, RANDOM_PATH,
                      2 + (unsigned)tl_random_below (random, 4), random);
  f = tl_formula_simplify_as (arena, f, TL_NEXT_LTL);
  if (!tl_formula_is_path (f))
    return;
  look l = {.formula = tl_formula_unary (arena, TL_EXISTS, f)};
  uint8_t *holds = naive_states (n, l.formula, true);
  if (!holds)
    return;
  l.seconds = holds[0] ? 1 : 0.01; // even a busy machine finds it
  look_for_run (&l, net);
  if (l.found) {
    assert_true (holds[0]);
    assert_true (is_right (n, f, &l));
  }
  sum->runs += holds[0];
  sum->found += l.found;
  sum->loops += l.trace.loop;
  sum->dead += l.found && l.end == TL_CIRCUIT_DEAD;
  tl_trace_close (&l.trace);
  free (holds);
}

static void on_random_nets (void **state) {
  (void)state;
  tally sum = {0};
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    random_net sketch;
    random_net_make (&sketch, seed);
    tl_net *net = random_net_build (&sketch, &account);
    assert_non_null (net);
    brute b = brute_explore (net, STATES);
    tl_random random = {seed};
    tl_arena arena = TL_ARENA (&account);
    if (b.complete && net->transitions) {
      naive n = naive_open (&b);
      for (unsigned i = 0; i < FORMULAS; i++)
        try_formula (&n, &arena, &random, &sum);
      naive_close (&n);
    }
    tl_arena_close (&arena);
    brute_close (&b);
    tl_net_close (net);
  }
  print_message ("# of %u runs %u are found, %u with loops, %u dead\n",
                 sum.runs, sum.found, sum.loops, sum.dead);
  assert_true (sum.found >= sum.runs - sum.runs / 20);
  assert_true (sum.loops > sum.found / 20 && sum.dead > sum.found / 20);
  assert_int_equal (account.used, 0);
}

// ---- Nets without a bound --------------------------------------------------

enum { ROUNDS = 3 };

// Fires the loop some times: there is nowhere less each time, and the formula
// holds on the markings that are seen.
static bool is_right_for_ever (const tl_net *net, tl_formula *path,
                               const tl_trace *t) {
  const uint64_t part = t->length - t->loop_from,
                 length = t->loop_from + ROUNDS * part;
  brute b = {.net = net, .complete = true, .states = length};
  uint64_t *m = calloc (net->places, sizeof *m),
           *state = calloc (length, sizeof *state);
  b.marking = calloc (length * net->places, sizeof *b.marking);
  bool right = t->loop && part;
  brute_initial (net, m);
  for (uint64_t i = 0; right && i < length; i++) {
    const uint32_t fired =
        t->transition[i < t->length ? i
                                    : t->loop_from + (i - t->loop_from) % part];
    memcpy (b.marking + i * net->places, m, net->places * sizeof *m);
    state[i] = i;
    for (uint32_t p = 0; i >= t->loop_from + part && p < net->places; p++)
      right &= m[p] >= b.marking[(i - part) * net->places + p];
    right = right && brute_enabled (net, m, fired);
    if (right)
      brute_fire (net, m, fired);
  }
  naive n = {.b = &b,
             .states = length,
             .first = calloc (length + 1, sizeof *n.first),
             .target = calloc (length + 1, sizeof *n.target)};
  right = right && naive_run (&n, path, state, length, length - part) != 0;
  naive_close (&n);
  free (b.marking);
  free (state);
  free (m);
  return right;
}

// Some transitions give to two more places, which some others need.
static void let_grow (random_net *sketch, tl_random *random) {
  const uint32_t places = sketch->places;
  for (uint32_t i = 0; i < 2; i++) {
    sketch->unit_of[sketch->places] = TL_NO_UNIT;
    sketch->initial[sketch->places++] = i;
  }
  for (uint32_t t = 0; t < sketch->transitions; t++)
    for (uint32_t i = 0; i < 2; i++)
      if (sketch->arcs < RANDOM_ARCS && tl_random_below (random, 2))
        sketch->arc[sketch->arcs++] =
            (random_arc){tl_random_below (random, 4) ? TL_ARC_POST : TL_ARC_PRE,
                         places + i, t, 1};
}

static void try_growing (const tl_net *net, tl_arena *arena, tl_random *random,
                         unsigned *grown) {
  tl_formula *f =
      random_formula (arena, net, RANDOM_PATH,
                      2 + (unsigned)tl_random_below (random, 4), random);
  f = tl_formula_simplify_as (arena, f, TL_NEXT_LTL);
  if (!tl_formula_is_path (f))
    return;
  look l = {.formula = tl_formula_unary (arena, TL_EXISTS, f), .seconds = 0.03};
  look_for_run (&l, net);
  if (l.found && l.end == TL_CIRCUIT_GROWS) {
    assert_true (is_right_for_ever (net, f, &l.trace));
    ++*grown;
  }
  tl_trace_close (&l.trace);
}

static void runs_that_grow (void **state) {
  (void)state;
  unsigned grown = 0;
  for (uint64_t seed = 1; seed <= 2 * NETS; seed++) {
    random_net sketch;
    tl_random random = {seed};
    random_net_make (&sketch, seed);
    if (sketch.places + 2 > RANDOM_PLACES)
      continue;
    let_grow (&sketch, &random);
    tl_net *net = random_net_build (&sketch, &account);
    assert_non_null (net);
    brute b = brute_explore (net, STATES);
    tl_arena arena = TL_ARENA (&account);
    for (unsigned i = 0; !b.complete && i < FORMULAS; i++)
      try_growing (net, &arena, &random, &grown);
    tl_arena_close (&arena);
    brute_close (&b);
    tl_net_close (net);
  }
  print_message ("# %u runs have more tokens each time round\n", grown);
  assert_true (grown > 5);
  assert_int_equal (account.used, 0);
}

// ---- Large nets ------------------------------------------------------------

typedef struct example {
  const char *net, *formula;
} example;

static const example examples[] = {
    // Back to where the walk was: three times round, for one token is not
    // enough.
    {"pl a (3000)\npl e (1)\ntr t a -> b\ntr u b*3 -> c*3\ntr v c -> a\n"
     "tr w e -> f\n",
     "E F G (a >= 2500 AND e = 1 AND FIREABLE(t))"},
    // There, back, and so on: one place is full, then the other.
    {"pl a (200)\ntr t a -> b\ntr u b -> a\n", "E (G F a = 0 AND G F b = 0)"},
    // Where the run ends, and not before.
    {"pl a (2000)\ntr t a -> b\ntr u b -> c\n", "E (F c >= 2000 AND G b <= 3)"},
    // What comes once must not come again.
    {"pl a (500)\npl k (1)\ntr t a -> b\ntr u b -> a\ntr v k -> l\n"
     "tr w l -> k\n",
     "E (k = 1 U G (l = 1 AND b >= 300))"},
    // No marking comes again.
    {"pl a (1)\npl k (1)\ntr t a -> b n\ntr u b -> a\ntr v k n*50 -> l\n",
     "E (F l = 1 AND G F b = 0 AND G F b = 1)"},
    {"pl a (1)\ntr t a -> b n\ntr u b -> a\ntr v a -> c\n",
     "E G (NOT DEADLOCK AND X c = 0)"},
};

static void round_cycles (void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    const example *e = examples + i;
    tl_net *net;
    tl_questions *questions;
    assert_int_equal (
        tl_read_net_text (&net, &account, "x.net", e->net, strlen (e->net), 0),
        TL_OK);
    assert_int_equal (tl_questions_open (&questions, net, 0), TL_OK);
    assert_int_equal (tl_questions_add_text (questions, e->formula, 0), TL_OK);
    tl_arena arena = TL_ARENA (&account);
    look l = {.formula = tl_formula_simplify_as (
                  &arena, questions->question->formula, TL_NEXT_LTL),
              .seconds = 20};
    look_for_run (&l, net);
    if (!l.found)
      print_message ("not found: %s\n", e->formula);
    assert_true (l.found);
    tl_trace_close (&l.trace);
    tl_arena_close (&arena);
    tl_questions_close (questions);
    tl_net_close (net);
  }
}

// ---- Asked -----------------------------------------------------------------

// Tokens go round in so many circles, or to their ends: in no order that a
// search through markings finds, nor a walk by chance.  Nobody looks at w.
enum { CIRCLES = 200, TOKENS = 50, ROOM = 1 << 17 };

static char *many (bool end) {
  char *text = malloc (ROOM), *at = text;
  assert_non_null (text);
  for (int i = 0; i < CIRCLES; i++) {
    at += sprintf (at, "pl a%d (%d)\ntr t%d a%d -> b%d\n", i, TOKENS, i, i, i);
    at += sprintf (at, "tr u%d b%d -> c%d\n", i, i, i);
    if (!end)
      at += sprintf (at, "tr v%d c%d -> a%d\n", i, i, i);
  }
  sprintf (at, "pl k (1)\ntr w k -> l\npl m (3)\npl q (1)\ntr x m -> n\ntr y n "
               "q -> o\n");
  return text;
}

// In place of each $ the sum of all these places.
static char *sums (const char *formula, char place) {
  char *text = malloc (ROOM), *at = text;
  assert_non_null (text);
  for (; *formula; formula++)
    if (*formula == '$')
      for (int i = 0; i < CIRCLES; i++)
        at += sprintf (at, i ? " + %c%d" : "%c%d", place, i);
    else
      *at++ = *formula;
  *at = 0;
  return text;
}

typedef struct asked {
  bool end;
  char place;
  const char *formula, *verdict; // and what is shown
  bool unaided;
} asked;

static const asked all_asked[] = {
    // A run that shows it, of the smaller net and told in the net.
    {false, 'b', "E F G ($ >= 6000 AND k = 1)", "true, lasso", false},
    {false, 'b', "A G F ($ <= 5999 OR k = 0)", "false, lasso", false},
    {true, 'c', "E (F G ($ >= 10000) AND G (b0 + b1 + b2 <= 140))", "true, end",
     20},
    // One that says enough.
    {false, 'b', "EF EG ($ >= 6000 AND k = 1)", "true", false},
    {false, 'b', "AG AF ($ <= 5999 OR k = 0)", "false", false},
    // Not where it ends: in CTL nothing comes next there.
    {true, 'c',
     "EF ($ >= 10000 AND k = 0 AND o = 1 AND m = 0 AND EX EG $ >= 10000)",
     "unknown", true},
    // What shows a part does not show the whole.
    {false, 'b', "EF l >= 1 AND E F G ($ >= 6000 AND k = 1)", "true", false},
    {false, 'b', "E X F l = 1 AND E X F n = 2", "true", false},
};

static const char *what_is_shown (const tl_net *net, const tl_trace *t) {
  uint64_t *marking = calloc (net->places + 1, sizeof *marking);
  assert_non_null (marking);
  assert_true (!t->transition || tl_trace_replay (net, t));
  tl_marking_initial (net, marking);
  if (t->transition)
    tl_marking_run (net, marking, t->transition, t->length);
  const bool ends = tl_marking_enabled (net, marking, 0) == net->transitions;
  free (marking);
  return !t->transition ? "" : t->loop ? ", lasso" : ends ? ", end" : ", path";
}

static void runs_decide (void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof all_asked / sizeof *all_asked; i++) {
    const asked *a = all_asked + i;
    char *text = many (a->end), *formula = sums (a->formula, a->place),
         found[64];
    tl_net *net;
    tl_questions *questions;
    tl_answers answers = {0};
    tl_options options = tl_options_default ();
    options.engine = "guided";
    options.timeout = a->unaided ? 2 : 60;
    options.unaided = a->unaided;
    assert_int_equal (
        tl_read_net_text (&net, &account, "x.net", text, strlen (text), 0),
        TL_OK);
    assert_int_equal (tl_questions_open (&questions, net, 0), TL_OK);
    assert_int_equal (tl_questions_add_text (questions, formula, 0), TL_OK);
    assert_int_equal (tl_check (net, questions, &options, &answers, 0), TL_OK);
    const tl_answer *answer = answers.answer;
    snprintf (found, sizeof found, "%s%s",
              answer->verdict == TL_VERDICT_TRUE    ? "true"
              : answer->verdict == TL_VERDICT_FALSE ? "false"
                                                    : "unknown",
              what_is_shown (net, &answer->trace));
    if (strcmp (found, a->verdict))
      print_message ("%s: %s\n", a->formula, found);
    assert_string_equal (found, a->verdict);
    tl_answers_close (&answers);
    tl_questions_close (questions);
    tl_net_close (net);
    free (text);
    free (formula);
  }
  assert_int_equal (account.used, 0);
}

// ---- The game --------------------------------------------------------------

// What is taken back never happened.
static void steps_are_taken_back (void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    random_net sketch;
    tl_stroll w, v;
    uint32_t fired;
    random_net_make (&sketch, seed);
    tl_net *net = random_net_build (&sketch, &account);
    assert_non_null (net);
    assert_int_equal (tl_stroll_open (&w, &account, net, seed), TL_OK);
    assert_int_equal (tl_stroll_open (&v, &account, net, seed), TL_OK);
    tl_stroll_begin (&w);
    tl_stroll_begin (&v);
    for (unsigned i = 0; i < 20 && tl_stroll_step (&w, &fired); i++) {
      tl_stroll_fire (&v, fired);
      for (uint32_t t = 0; t < net->transitions; t++)
        if (tl_stroll_enables (&v, t)) {
          tl_stroll_fire (&v, t);
          tl_stroll_take_back (&v, t);
        }
      assert_memory_equal (v.tokens, w.tokens, net->places * sizeof *v.tokens);
      assert_memory_equal (v.enabled, w.enabled,
                           (net->transitions / 64 + 1) * sizeof *v.enabled);
      assert_int_equal (v.count, w.count);
    }
    tl_stroll_close (&w);
    tl_stroll_close (&v);
    tl_net_close (net);
  }
  assert_int_equal (account.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (steps_are_taken_back),
      cmocka_unit_test (on_random_nets), cmocka_unit_test (runs_that_grow),
      cmocka_unit_test (round_cycles), cmocka_unit_test (runs_decide)};
  return cmocka_run_group_tests_name ("circuit", tests, 0, 0);
}
