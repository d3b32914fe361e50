// Smaller nets and formulas about runs: random nets, random formulas of CTL,
// LTL and CTL* about one or two places, and each rule alone and all together.
// Each formula must hold in the smaller net if and only if it holds in the net,
// by the naive checker in both.
//
//   reduce_runs [--nets N] [--seed S] [--long]
//
// N pairs of a net and a formula of each logic.

#include "../naive.h"
#include "../random_formula.h"
#include "../random_net.h"
#include "../reducible_net.h"
#include "../trials.h"
#include "logic/linear.h"
#include "logic/reach.h"
#include "logic/simplify.h"
#include "reduce/reduced.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NORMAL = 10000, LONG = 200000, STATES = 60, FORMULAS = 10, DEPTH = 4 };

typedef struct tally {
  random_logic logic;
  uint64_t pairs, smaller, keeps[TL_KEEP_BRANCHES + 1], used[32];
} tally;

// A net, its graph, and what makes formulas about it.
typedef struct trial {
  trial_net in;
  naive graph;
  tl_random random;
  uint32_t place[2]; // that formulas speak of
  bool next;         // and whether they have X
  tally *sum;
} trial;

// ---- Formulas --------------------------------------------------------------

static uint32_t below (trial *t, uint32_t n) {
  return (uint32_t)tl_random_below (&t->random, n);
}

static tl_formula *atom (trial *t) {
  const uint32_t transition = below (t, t->in.net->transitions);
  bool overflow;
  if (!below (t, 12))
    return tl_formula_fireable (&t->in.arena, &transition, 1);
  if (!below (t, 40))
    return tl_formula_deadlock (&t->in.arena);
  const tl_summand term = {t->place[below (t, 2)], below (t, 2) ? 1 : -1};
  return tl_formula_compare (&t->in.arena, &term, 1, (int64_t)below (t, 4) - 2,
                             &overflow);
}

static tl_formula *formula (trial *, random_logic, unsigned depth);

static tl_formula *path (trial *t, random_logic logic, unsigned depth) {
  static const tl_op unary[] = {TL_FINALLY, TL_GLOBALLY},
                     binary[] = {TL_UNTIL, TL_RELEASE};
  tl_formula *f = formula (t, logic, depth);
  if (t->next && !below (t, 4))
    return tl_formula_unary (&t->in.arena, TL_NEXT, f);
  if (below (t, 3))
    return tl_formula_unary (&t->in.arena, unary[below (t, 2)], f);
  return tl_formula_binary (&t->in.arena, binary[below (t, 2)], f,
                            formula (t, logic, depth));
}

static tl_formula *formula (trial *t, random_logic logic, unsigned depth) {
  const uint32_t kind = depth ? below (t, 8) : 0;
  const tl_op quantifier = below (t, 2) ? TL_EXISTS : TL_ALL;
  if (kind < 2)
    return atom (t);
  if (kind == 2)
    return tl_formula_unary (&t->in.arena, TL_NOT,
                             formula (t, logic, depth - 1));
  if (kind == 3)
    return tl_formula_binary (&t->in.arena, below (t, 2) ? TL_AND : TL_OR,
                              formula (t, logic, depth - 1),
                              formula (t, logic, depth - 1));
  tl_formula *f = path (t, logic, depth - 1);
  return logic == RANDOM_PATH || (logic == RANDOM_CTL_STAR && below (t, 3))
             ? f
             : tl_formula_unary (&t->in.arena, quantifier, f);
}

static tl_formula *make_formula (trial *t) {
  const random_logic logic = t->sum->logic;
  const tl_op quantifier = below (t, 2) ? TL_EXISTS : TL_ALL;
  for (int i = 0; i < 2; i++)
    t->place[i] = below (t, t->in.net->places);
  t->next = !below (t, 8);
  tl_formula *f = path (t, logic, below (t, DEPTH));
  f = tl_formula_unary (&t->in.arena, quantifier, f);
  const bool linear =
      logic == RANDOM_PATH || tl_formula_fragment (f) > TL_FRAGMENT_CTL;
  if (linear)
    f = tl_formula_linear (&t->in.arena, f, logic == RANDOM_PATH);
  f = tl_formula_simplify_as (&t->in.arena, f,
                              linear ? TL_NEXT_LTL : TL_NEXT_CTL);
  if (!f)
    abort ();
  return f;
}

// ---- Trying ----------------------------------------------------------------

// At the initial state; 2: the formula is too large.
static int value (const trial *t, const naive *n, const tl_formula *f) {
  uint8_t *set = naive_states (n, f, t->sum->logic != RANDOM_CTL);
  const int holds = set ? *set : 2;
  free (set);
  return holds;
}

static bool try_rules (trial *t, tl_formula *f, unsigned rules, int expected) {
  tl_reduced *r;
  const tl_reducing how = {.net = t->in.net,
                           .structure = t->in.structure,
                           .formula = &f,
                           .formulas = 1,
                           .rules = rules};
  if (tl_reduced_open (&r, &t->in.mem, &how))
    abort ();
  bool ok = true;
  if (!r->same) {
    const tl_formula *now = tl_reduced_formula (r, &t->in.arena, f);
    brute b = brute_explore (r->net, t->in.all.states);
    naive n = naive_open (&b);
    ok = b.complete && value (t, &n, now) == expected;
    naive_close (&n);
    brute_close (&b);
  }
  if (rules == TL_ALL_RULES) {
    t->sum->smaller += !r->same;
    t->sum->keeps[r->keep]++;
  }
  for (size_t i = 0; i < tl_rule_count; i++)
    t->sum->used[i] += rules == 1u << i && !r->same;
  if (!ok) {
    char text[400];
    tl_formula_print (f, t->in.net, text, sizeof text);
    printf ("with rules %x, %s is not %s\n", rules, text,
            expected ? "true" : "false");
  }
  tl_reduced_close (r);
  return ok;
}

static bool try_net (trial *t) {
  bool ok = true;
  for (int i = 0; ok && i < FORMULAS; i++) {
    tl_formula *f = make_formula (t);
    const int expected = value (t, &t->graph, f);
    if (expected == 2 || !tl_formula_has_temporal (f))
      continue;
    t->sum->pairs++;
    ok = try_rules (t, f, TL_ALL_RULES, expected);
    for (size_t k = 0; ok && k < tl_rule_count; k++)
      ok = try_rules (t, f, 1u << k, expected);
  }
  return ok;
}

static bool good (const random_net *sketch, uint64_t seed, tally *sum) {
  trial t = {.sum = sum, .random = {~seed}};
  if (!trial_net_open (&t.in, sketch, seed, STATES))
    return true;
  t.graph = naive_open (&t.in.all);
  const bool ok = try_net (&t);
  naive_close (&t.graph);
  return trial_net_close (&t.in) && ok;
}

typedef struct failing {
  uint64_t seed;
  random_logic logic;
} failing;

static bool fails (const random_net *sketch, void *context) {
  const failing *f = context;
  tally sum = {.logic = f->logic};
  return !good (sketch, f->seed, &sum);
}

static bool try_logic (const trials *t, random_net *net, const char *name,
                       tally *sum) {
  bool ok = true;
  for (uint64_t seed = t->seed; ok && sum->pairs < t->nets; seed++) {
    random_net_make (net, seed);
    reducible_net_decorate (net, seed);
    ok = good (net, seed, sum);
    if (!ok) {
      random_net_shrink (net, fails, &(failing){seed, sum->logic}, 300);
      printf ("seed %" PRIu64 " fails\n", seed);
      random_net_print (net, stdout);
    }
  }
  printf ("# %s: %" PRIu64 " pairs, %" PRIu64 " on smaller nets; runs %" PRIu64
          ", branches %" PRIu64 ", stutter %" PRIu64 ";",
          name, sum->pairs, sum->smaller, sum->keeps[TL_KEEP_RUNS],
          sum->keeps[TL_KEEP_BRANCHES], sum->keeps[TL_KEEP_STUTTER]);
  for (size_t i = 0; i < tl_rule_count; i++) {
    const bool about_runs = tl_rules[i].keeps & TL_KEEP_STUTTER;
    printf (" %s %" PRIu64 "%s", tl_rules[i].name, sum->used[i],
            i + 1 < tl_rule_count ? "," : "\n");
    ok &= sum->pairs < NORMAL || about_runs == (sum->used[i] > 0);
  }
  return ok;
}

int main (int count, char **arguments) {
  trials t;
  if (!trials_wanted (&t, count, arguments, NORMAL, LONG))
    return 2;
  random_net *net = malloc (sizeof *net);
  uint64_t passed = 0;
  bool ok = net;
  for (size_t i = 0; ok && i < TRIAL_LOGICS; i++) {
    tally sum = {.logic = trial_logics[i].logic};
    ok = try_logic (&t, net, trial_logics[i].name, &sum);
    passed += sum.pairs;
  }
  free (net);
  printf ("%" PRIu64 " passed, %d failed\n", passed, !ok);
  return !ok;
}
