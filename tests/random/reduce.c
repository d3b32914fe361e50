// Smaller nets against the brute-force explorer: random nets, random formulas
// about what can be reached, and each rule alone and all together.  A formula
// must be satisfied by some marking of the smaller net if and only if it is by
// one of the net; the way there must be one of the net, told back; and no
// marking of the smaller net may be new.
//
//   reduce [--nets N] [--seed S] [--long]

#include "../brute.h"
#include "../random_formula.h"
#include "../random_net.h"
#include "../reducible_net.h"
#include "../trials.h"
#include "logic/eval.h"
#include "logic/simplify.h"
#include "reduce/reduced.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { NORMAL = 2000, LONG = 40000, STATES = 400, FORMULAS = 11, FEW = 60 };

typedef struct tally {
  uint64_t nets, questions, smaller, keeps[TL_KEEP_BRANCHES + 1], used[32];
} tally;

typedef struct trial {
  trial_net in;
  tally *sum;
} trial;

// ---- Trying ----------------------------------------------------------------

static tl_formula *make_formula (trial *t, int kind, tl_random *r) {
  tl_formula *f = random_formula (&t->in.arena, t->in.net, RANDOM_STATE,
                                  (unsigned)tl_random_below (r, 3), r);
  if (kind == 0)
    f = tl_formula_deadlock (&t->in.arena);
  else if (kind == 1)
    f = tl_formula_binary (&t->in.arena, TL_AND, f,
                           tl_formula_deadlock (&t->in.arena));
  f = f ? tl_formula_simplify_as (&t->in.arena, f, TL_NEXT_EITHER) : 0;
  if (!f)
    abort ();
  return f;
}

// The first state that satisfies it, or BRUTE_NONE.
static uint64_t find (const brute *b, const tl_formula *f) {
  for (uint64_t i = 0; i < b->states; i++)
    if (tl_formula_holds (f, b->net, brute_marking (b, i)))
      return i;
  return BRUTE_NONE;
}

// The state before, and the transition that leads from there.
static uint64_t step_back (const brute *b, uint64_t state, uint64_t *marking,
                           uint32_t *by) {
  for (uint64_t i = 0; i < state; i++)
    for (*by = 0; *by < b->net->transitions; ++*by) {
      for (uint32_t p = 0; p < b->net->places; p++)
        marking[p] = brute_marking (b, i)[p];
      if (!brute_enabled (b->net, marking, *by))
        continue;
      brute_fire (b->net, marking, *by);
      if (brute_find (b, marking) == state)
        return i;
    }
  abort ();
}

static tl_trace way_to (const brute *b, uint64_t state) {
  uint64_t *marking = calloc (b->net->places + 1, sizeof *marking);
  tl_trace way = {0};
  while (marking && state) {
    uint32_t by;
    state = step_back (b, state, marking, &by);
    if (!tl_trace_extend (&way, by))
      abort ();
  }
  for (uint64_t i = 0; i < way.length / 2; i++) {
    const uint32_t other = way.transition[way.length - 1 - i];
    way.transition[way.length - 1 - i] = way.transition[i];
    way.transition[i] = other;
  }
  free (marking);
  return way;
}

static bool leads_there (const trial *t, const tl_reduced *r, const brute *b,
                         uint64_t state, const tl_formula *f) {
  tl_trace way = way_to (b, state), told = {0};
  uint64_t *marking = calloc (t->in.net->places + 1, sizeof *marking);
  if (!marking || tl_reduced_trace (r, &way, &told))
    abort ();
  const bool ok =
      brute_replay (t->in.net, told.transition, told.length, marking) &&
      tl_formula_holds (f, t->in.net, marking);
  free (marking);
  tl_trace_close (&way);
  tl_trace_close (&told);
  return ok;
}

static bool is_known (const trial *t, const tl_reduced *r, const uint64_t *m) {
  for (uint64_t i = 0; i < t->in.all.states; i++) {
    uint32_t p = 0;
    while (p < r->net->places &&
           brute_marking (&t->in.all, i)[r->place[p]] == m[p])
      p++;
    if (p == r->net->places)
      return true;
  }
  return false;
}

static const char *compare (const trial *t, const tl_reduced *r, const brute *b,
                            const tl_formula *f, const tl_formula *now) {
  const uint64_t there = find (&t->in.all, f), here = find (b, now);
  if (!b->complete)
    return "has more markings";
  if ((there == BRUTE_NONE) != (here == BRUTE_NONE))
    return here == BRUTE_NONE ? "cannot be reached" : "can be reached";
  if (here != BRUTE_NONE && !leads_there (t, r, b, here, f))
    return "has a trace that leads elsewhere";
  for (uint64_t i = 0; t->in.all.states < FEW && i < b->states; i++)
    if (!is_known (t, r, brute_marking (b, i)))
      return "has a new marking";
  return 0;
}

static bool try_rules (trial *t, tl_formula *f, unsigned rules) {
  tl_reduced *r;
  const tl_reducing how = {.net = t->in.net,
                           .structure = t->in.structure,
                           .formula = &f,
                           .formulas = 1,
                           .rules = rules};
  if (tl_reduced_open (&r, &t->in.mem, &how))
    abort ();
  const tl_formula *now = tl_reduced_formula (r, &t->in.arena, f);
  brute b = brute_explore (r->net, t->in.all.states);
  const char *wrong = compare (t, r, &b, f, now);
  char text[300];
  tl_formula_print (f, t->in.net, text, sizeof text);
  for (size_t i = 0; i < tl_rule_count; i++)
    t->sum->used[i] += rules == 1u << i && !r->same;
  if (rules == TL_ALL_RULES) {
    t->sum->questions++;
    t->sum->smaller += !r->same;
    t->sum->keeps[r->keep]++;
  }
  if (wrong)
    printf ("with rules %x, EF %s %s\n", rules, text, wrong);
  brute_close (&b);
  tl_reduced_close (r);
  return !wrong;
}

static bool try_net (trial *t, uint64_t seed) {
  tl_random r = {~seed};
  bool ok = true;
  t->sum->nets++;
  for (int i = 0; ok && i < FORMULAS; i++) {
    tl_formula *f = make_formula (t, i, &r);
    ok = try_rules (t, f, TL_ALL_RULES);
    for (size_t k = 0; ok && k < tl_rule_count; k++)
      ok = try_rules (t, f, 1u << k);
  }
  return ok;
}

static bool good (const random_net *sketch, uint64_t seed, tally *sum) {
  trial t = {.sum = sum};
  if (!trial_net_open (&t.in, sketch, seed, STATES))
    return true;
  const bool ok = try_net (&t, seed);
  return trial_net_close (&t.in) && ok;
}

static bool fails (const random_net *sketch, void *seed) {
  tally sum = {0};
  return !good (sketch, *(uint64_t *)seed, &sum);
}

int main (int count, char **arguments) {
  trials t;
  if (!trials_wanted (&t, count, arguments, NORMAL, LONG))
    return 2;
  random_net *net = malloc (sizeof *net);
  tally sum = {0};
  bool ok = net;
  uint64_t passed = 0;
  for (uint64_t seed = t.seed; ok && passed < t.nets; seed++) {
    random_net_make (net, seed);
    reducible_net_decorate (net, seed);
    ok = good (net, seed, &sum);
    passed += ok;
    if (!ok) {
      random_net_shrink (net, fails, &seed, 300);
      printf ("seed %" PRIu64 " fails\n", seed);
      random_net_print (net, stdout);
    }
  }
  free (net);
  printf ("%" PRIu64 " bounded nets, %" PRIu64 " questions, %" PRIu64
          " on smaller nets; reach %" PRIu64 ", deadlocks %" PRIu64
          ", runs %" PRIu64 "\n",
          sum.nets, sum.questions, sum.smaller, sum.keeps[TL_KEEP_REACH],
          sum.keeps[TL_KEEP_DEADLOCKS], sum.keeps[TL_KEEP_RUNS]);
  for (size_t i = 0; i < tl_rule_count; i++) {
    printf ("%s %" PRIu64 "%s", tl_rules[i].name, sum.used[i],
            i + 1 < tl_rule_count ? ", " : "\n");
    ok &= sum.used[i] > 0;
  }
  printf ("%" PRIu64 " passed, %d failed\n", passed, !ok);
  return !ok;
}
