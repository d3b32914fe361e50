// Sets of markings as decision diagrams on random nets against the brute-force
// explorer, state by state: where formulas hold, sums, what lies before a set,
// fixpoints of CTL and shortest ways; with hardly any memory of results and
// with collections at every turn.
//
//   sets [--nets N] [--seed S] [--long]

#include "../naive.h"
#include "../random_formula.h"
#include "../random_net.h"
#include "../trials.h"
#include "check/diagram_sets.h"
#include "net/trace.h"
#include "logic/eval.h"
#include "symbolic/backward.h"
#include "symbolic/edges.h"
#include "symbolic/route.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NORMAL = 500, LONG = 30000, STATES = 300, FORMULAS = 4 };

typedef struct tally {
  uint64_t nets, sets, ways, collections;
} tally;

typedef struct trial {
  const brute *b;
  naive n;
  tl_reachable reach;
  tl_diagram_sets sets;
  tl_arena arena;
  tl_random random;
  uint32_t *value;
  tally *sum;
} trial;

// Is the set that of these states?
static bool is (trial *t, tl_set set, const uint8_t *states) {
  t->sum->sets++;
  for (uint64_t i = 0; i < t->b->states; i++) {
    tl_reachable_values (&t->reach, brute_marking (t->b, i), t->value);
    if (tl_set_has (&t->reach.diagram, &t->reach.events, set, t->value) !=
        states[i])
      return false;
  }
  return true;
}

static tl_state_set *set_of (trial *t, tl_formula **formula) {
  *formula = random_formula (&t->arena, t->b->net, RANDOM_STATE,
                             1 + (unsigned)tl_random_below (&t->random, 3),
                             &t->random);
  return t->sets.sets.kind->label (&t->sets.sets, *formula);
}

static tl_set in (const tl_state_set *set) {
  return ((const tl_held *)set)->set;
}

// ---- Operators -------------------------------------------------------------

typedef tl_status operation (trial *, tl_state_set *a, tl_state_set *b);

static tl_status next (trial *t, tl_state_set *a, tl_state_set *b) {
  (void)a;
  tl_state_set *old = t->sets.sets.kind->copy (&t->sets.sets, b);
  const tl_status rc = t->sets.sets.kind->before (&t->sets.sets, old, b);
  t->sets.sets.kind->close (&t->sets.sets, old);
  return rc;
}

static tl_status finally (trial *t, tl_state_set *a, tl_state_set *b) {
  (void)a;
  return t->sets.sets.kind->until (&t->sets.sets, 0, b);
}

static tl_status globally (trial *t, tl_state_set *a, tl_state_set *b) {
  (void)a;
  return t->sets.sets.kind->stay (&t->sets.sets, b);
}

static tl_status until (trial *t, tl_state_set *a, tl_state_set *b) {
  return t->sets.sets.kind->until (&t->sets.sets, a, b);
}

static const struct row {
  tl_op op;
  operation *apply;
} rows[] = {{TL_NEXT, next},
            {TL_FINALLY, finally},
            {TL_GLOBALLY, globally},
            {TL_UNTIL, until}};

static bool check_operator (trial *t, const struct row *row) {
  const tl_set_kind *kind = t->sets.sets.kind;
  tl_formula *f, *g;
  tl_state_set *a = set_of (t, &f), *b = set_of (t, &g);
  uint8_t *x = naive_states (&t->n, f, false), *y = naive_states (&t->n, g, 0);
  bool ok = a && b && is (t, in (a), x) && is (t, in (b), y);
  const bool two = row->op == TL_UNTIL;
  uint8_t *right =
      naive_operator (&t->n, true, row->op, two ? x : y, two ? y : 0);
  ok = ok && !row->apply (t, a, b) && is (t, in (b), right);
  ok = ok && !kind->complement (&t->sets.sets, b);
  for (uint64_t i = 0; i < t->b->states; i++)
    right[i] = !right[i];
  ok = ok && is (t, in (b), right);
  kind->close (&t->sets.sets, a);
  kind->close (&t->sets.sets, b);
  free (x);
  free (y);
  free (right);
  return ok;
}

// ---- Ways ------------------------------------------------------------------

// Steps to the nearest of the states, breadth-first.
static uint64_t distance (const trial *t, const uint8_t *states) {
  const naive *n = &t->n;
  uint64_t *queue = calloc (n->states + 1, sizeof *queue), end = 1;
  uint64_t *depth = calloc (n->states + 1, sizeof *depth), found = UINT64_MAX;
  depth[0] = 1;
  for (uint64_t i = 0; i < end && found == UINT64_MAX; i++) {
    const uint64_t s = queue[i];
    if (states[s])
      found = depth[s] - 1;
    for (uint64_t k = n->first[s]; k < n->first[s + 1]; k++)
      if (!depth[n->target[k]]) {
        depth[n->target[k]] = depth[s] + 1;
        queue[end++] = n->target[k];
      }
  }
  free (queue);
  free (depth);
  return found;
}

// Does one of the ways lead into the set, the first a shortest?
static bool leads (trial *t, const tl_formula *f, tl_set set, bool shortest,
                   const uint8_t *states, uint64_t *marking) {
  tl_trace way = {0};
  const bool ok =
      !(shortest ? tl_route_shortest : tl_route_any) (&t->reach, set, &way) &&
      brute_replay (t->b->net, way.transition, way.length, marking) &&
      tl_formula_holds (f, t->b->net, marking) &&
      (!shortest || way.length == distance (t, states));
  tl_trace_close (&way);
  t->sum->ways++;
  return ok;
}

static bool check_way (trial *t) {
  tl_formula *f;
  tl_state_set *set = set_of (t, &f);
  uint8_t *states = naive_states (&t->n, f, false);
  uint64_t *marking = calloc (t->b->net->places + 1, sizeof *marking);
  const bool ok =
      set && (!in (set) || (leads (t, f, in (set), true, states, marking) &&
                            leads (t, f, in (set), false, states, marking)));
  t->sets.sets.kind->close (&t->sets.sets, set);
  free (marking);
  free (states);
  return ok;
}

// The least and the most of a sum.
static bool check_sum (trial *t) {
  const tl_net *net = t->b->net;
  const tl_summand term[] = {
      {(uint32_t)tl_random_below (&t->random, net->places),
       (int64_t)tl_random_below (&t->random, 5) - 2},
      {(uint32_t)tl_random_below (&t->random, net->places),
       (int64_t)tl_random_below (&t->random, 5) - 2}};
  __int128 least, most, low = 0, high = 0;
  tl_weighing *w = &t->sets.weighing;
  for (uint64_t i = 0; i < t->b->states; i++) {
    __int128 sum = 0;
    for (int k = 0; k < 2; k++)
      sum += (__int128)term[k].coefficient *
             brute_marking (t->b, i)[term[k].place];
    low = !i || sum < low ? sum : low;
    high = !i || sum > high ? sum : high;
  }
  tl_weighing_begin (w, term, 2);
  const bool ok = tl_weighing_range (w, t->reach.reached, &least, &most) &&
                  least == low && most == high;
  tl_weighing_end (w, term, 2);
  return ok;
}

// ---- Nets ------------------------------------------------------------------

static bool check_all (trial *t) {
  const char *wrong = 0;
  for (int i = 0; i < FORMULAS && !wrong; i++) {
    for (size_t k = 0; k < sizeof rows / sizeof *rows && !wrong; k++)
      if (!check_operator (t, rows + k))
        wrong = "a set";
    if (!wrong && !check_way (t))
      wrong = "a way";
    if (!wrong && !check_sum (t))
      wrong = "a sum";
  }
  if (!wrong && !tl_diagram_is_sound (&t->reach.diagram))
    wrong = "the diagram";
  if (wrong)
    printf ("%s is wrong\n", wrong);
  return !wrong;
}

static bool check_with (const brute *b, const tl_symbolic_stress *stress,
                        uint64_t seed, tally *sum) {
  tl_mem mem = TL_MEM (0, "total"), formulas = TL_MEM (0, "formulas");
  trial t = {.b = b,
             .n = naive_open (b),
             .arena = TL_ARENA (&formulas),
             .random = {seed},
             .value = calloc (b->net->places + 1, sizeof *t.value),
             .sum = sum};
  bool ok = !tl_reachable_open (&t.reach, &mem, b->net,
                                &(tl_reachable_ways){.stress = stress}, 0) &&
            !tl_reachable_find (&t.reach, 0);
  ok = ok && !tl_diagram_sets_open (&t.sets, &mem, &t.reach) && check_all (&t);
  sum->collections += t.reach.diagram.collections;
  tl_diagram_sets_close (&t.sets);
  tl_reachable_close (&t.reach);
  tl_arena_close (&t.arena);
  naive_close (&t.n);
  free (t.value);
  if (ok && mem.used)
    printf ("memory is lost\n");
  return ok && !mem.used;
}

static bool good (const random_net *sketch, uint64_t seed, tally *sum) {
  static const tl_symbolic_stress stress[] = {{{0, 0}, 0, false, 0},
                                              {{1, 0}, 1, false, 0},
                                              {{1, 1}, 2, false, 0},
                                              {{100, 16}, 3, false, 0}};
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = random_net_build (sketch, &mem);
  if (!net)
    abort ();
  brute b = brute_explore (net, STATES);
  bool ok = true;
  if (b.complete && net->places && net->transitions &&
      b.max_in_place < TL_SYMBOLIC_TOKENS) {
    sum->nets++;
    for (size_t i = 0; ok && i < sizeof stress / sizeof *stress; i++)
      ok = check_with (&b, stress + i, seed * 4 + i, sum);
  }
  brute_close (&b);
  tl_net_close (net);
  return ok;
}

static bool try_seed (uint64_t seed, void *sum) {
  random_net *net = malloc (sizeof *net);
  if (!net)
    abort ();
  random_net_make (net, seed);
  const bool ok = good (net, seed, sum);
  if (!ok)
    random_net_print (net, stdout);
  free (net);
  return ok;
}

int main (int count, char **word) {
  trials t;
  tally sum = {0};
  if (!trials_wanted (&t, count, word, NORMAL, LONG))
    return 2;
  const bool ok = trials_run (&t, "sets", try_seed, &sum);
  printf ("%" PRIu64 " bounded nets, %" PRIu64 " sets, %" PRIu64
          " ways, %" PRIu64 " collections\n",
          sum.nets, sum.sets, sum.ways, sum.collections);
  printf ("%" PRIu64 " passed, %d failed\n", ok ? sum.nets : 0, !ok);
  return !ok;
}
