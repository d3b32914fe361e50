// Formulas: how they are made, printed, simplified, planned and evaluated.
// Simplified formulas and programs are compared with the definition, on random
// markings, random graphs and random runs.

#include "../brute.h"
#include "../random_formula.h"
#include "../random_net.h"

#include "logic/eval.h"
#include "logic/reach.h"
#include "logic/simplify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// A small random net with a place and a transition at least.
static tl_net *some_net (tl_mem *mem, uint64_t seed) {
  static random_net shape;
  do
    random_net_make (&shape, seed++);
  while (!shape.places || !shape.transitions);
  tl_net *net = random_net_build (&shape, mem);
  assert_non_null (net);
  return net;
}

static void random_marking (const tl_net *net, uint64_t *marking,
                            tl_random *random) {
  for (uint32_t p = 0; p < net->places; p++)
    marking[p] = tl_random_below (random, tl_random_below (random, 2) ? 2 : 6);
}

static void set_enabled (const tl_net *net, const uint64_t *marking,
                         uint64_t *enabled) {
  memset (enabled, 0, (RANDOM_TRANSITIONS + 63) / 64 * sizeof *enabled);
  for (uint32_t t = 0; t < net->transitions; t++)
    if (brute_enabled (net, marking, t))
      enabled[t / 64] |= (uint64_t)1 << t % 64;
}

// ---- Constructors ----------------------------------------------------------

static void terms_are_sorted_and_joined (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_arena arena = TL_ARENA (&mem);
  bool overflow;
  const tl_summand terms[] = {{7, 2}, {3, 1}, {7, -1}, {5, 4}, {5, -4}};
  tl_formula *f = tl_formula_compare (&arena, terms, 5, 9, &overflow);
  assert_int_equal (f->op, TL_COMPARE);
  assert_int_equal (f->count, 2);
  assert_int_equal (f->term[0].place, 3);
  assert_int_equal (f->term[1].place, 7);
  assert_int_equal (f->term[1].coefficient, 1);
  assert_int_equal (f->bound, 9);
  f = tl_formula_compare (&arena, terms + 3, 2, -1, &overflow);
  assert_int_equal (f->op, TL_FALSE);
  f = tl_formula_compare (&arena, 0, 0, 0, &overflow);
  assert_int_equal (f->op, TL_TRUE);
  const tl_summand large[] = {{0, INT64_MAX}, {1, 1}};
  assert_non_null (tl_formula_compare (&arena, large, 1, 0, &overflow));
  assert_false (overflow);
  assert_null (tl_formula_compare (&arena, large, 2, 0, &overflow));
  assert_true (overflow);
  const uint32_t transitions[] = {9, 4, 9, 4, 4};
  f = tl_formula_fireable (&arena, transitions, 5);
  assert_int_equal (f->count, 2);
  assert_int_equal (f->transition[0], 4);
  assert_int_equal (tl_formula_fireable (&arena, 0, 0)->op, TL_FALSE);
  assert_int_equal (tl_formula_nary (&arena, TL_AND, 0, 0)->op, TL_TRUE);
  assert_ptr_equal (tl_formula_nary (&arena, TL_OR, &f, 1), f);
  assert_null (tl_formula_unary (&arena, TL_NOT, 0));
  assert_null (tl_formula_binary (&arena, TL_UNTIL, f, 0));
  tl_arena_close (&arena);
  assert_int_equal (mem.used, 0);
}

static void order_is_an_order (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_arena arena = TL_ARENA (&mem);
  tl_net *net = some_net (&mem, 1);
  tl_random random = {7};
  for (int i = 0; i < 3000; i++) {
    tl_formula *f[3];
    for (int k = 0; k < 3; k++)
      f[k] = random_formula (&arena, net, RANDOM_CTL_STAR, 2, &random);
    const int ab = tl_formula_order (f[0], f[1]);
    const int bc = tl_formula_order (f[1], f[2]);
    assert_int_equal (ab, -tl_formula_order (f[1], f[0]));
    if (ab <= 0 && bc <= 0)
      assert_true (tl_formula_order (f[0], f[2]) <= 0);
  }
  tl_arena_close (&arena);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- Printing --------------------------------------------------------------

static void long_texts_are_cut (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_arena arena = TL_ARENA (&mem);
  tl_builder *b;
  tl_net *net;
  assert_int_equal (tl_builder_open (&b, &mem), TL_OK);
  tl_builder_place (b, "p\xc3\xa4\xc3\xa4", 0, 0, 0);
  assert_int_equal (tl_builder_finish (b, "n", "pnml", &net, 0), TL_OK);
  bool overflow;
  tl_formula *f =
      tl_formula_compare (&arena, &(tl_summand){0, 1}, 1, 34, &overflow);
  char out[32] = "untouched";
  const size_t length = strlen ("p\xc3\xa4\xc3\xa4 <= 34");
  assert_int_equal (tl_formula_print (f, net, out, 0), length);
  assert_string_equal (out, "untouched");
  assert_int_equal (tl_formula_print (f, net, out, length + 1), length);
  assert_string_equal (out, "p\xc3\xa4\xc3\xa4 <= 34");
  assert_int_equal (tl_formula_print (f, net, out, length), length);
  assert_string_equal (out, "p\xc3\xa4\xc3\xa4 <...");
  tl_formula_print (f, net, out, 8); // in the middle of a character
  assert_string_equal (out, "p\xc3\xa4...");
  tl_formula_print (f, net, out, 3);
  assert_string_equal (out, "..");
  tl_formula_print (f, net, out, 1);
  assert_string_equal (out, "");
  tl_arena_close (&arena);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- State formulas --------------------------------------------------------

static bool holds_brute (const tl_formula *f, const tl_net *net,
                         const uint64_t *marking) {
  int64_t sum = 0;
  uint32_t true_operands = 0;
  for (uint32_t i = 0; i < tl_formula_operands (f); i++)
    true_operands += holds_brute (f->operand[i], net, marking);
  switch (f->op) {
  case TL_TRUE: return true;
  case TL_COMPARE:
    for (uint32_t i = 0; i < f->count; i++)
      sum += f->term[i].coefficient * (int64_t)marking[f->term[i].place];
    return sum <= f->bound;
  case TL_FIREABLE:
    for (uint32_t i = 0; i < f->count; i++)
      true_operands += brute_enabled (net, marking, f->transition[i]);
    return true_operands;
  case TL_DEADLOCK: return brute_dead (net, marking);
  case TL_NOT: return !true_operands;
  case TL_AND: return true_operands == f->count;
  case TL_OR: return true_operands;
  default: return false;
  }
}

// Negations only at FIREABLE and DEADLOCK, and before X.
static bool is_normal (const tl_formula *f) {
  if (f->op == TL_NOT)
    return f->operand[0]->op == TL_FIREABLE ||
           f->operand[0]->op == TL_DEADLOCK ||
           (f->operand[0]->op == TL_NEXT && is_normal (f->operand[0]));
  for (uint32_t i = 0; i < tl_formula_operands (f); i++) {
    const tl_op op = f->operand[i]->op;
    if (!is_normal (f->operand[i]) ||
        (f->op != TL_NEXT && (op == TL_TRUE || op == TL_FALSE)) ||
        ((f->op == TL_AND || f->op == TL_OR) && op == f->op))
      return false;
  }
  return true;
}

// What the program reads is all it reads: other places and, where it says so,
// the transitions may hold anything.
static bool run_blindly (const tl_predicate *p, const tl_net *net,
                         const uint64_t *marking, const uint64_t *enabled) {
  uint64_t seen[RANDOM_PLACES];
  for (uint32_t i = 0; i < net->places; i++)
    seen[i] = 77777;
  for (size_t i = 0; i < p->places; i++) {
    assert_true (!i || p->place[i - 1] < p->place[i]);
    seen[p->place[i]] = marking[p->place[i]];
  }
  return tl_predicate_run (p, seen, p->reads_enabled ? enabled : 0);
}

static void same_on_markings (const tl_net *net, tl_formula *f, tl_mem *mem,
                              tl_arena *arena, tl_random *random) {
  tl_formula *simple = tl_formula_simplify (arena, f);
  tl_formula *negated = tl_formula_negate (arena, f);
  assert_non_null (simple);
  assert_non_null (negated);
  assert_true (is_normal (simple));
  assert_true (is_normal (negated));
  assert_int_equal (
      tl_formula_order (simple, tl_formula_simplify (arena, simple)), 0);
  const tl_formula *compiled[] = {f, simple, negated};
  tl_predicate program[3];
  for (int i = 0; i < 3; i++)
    assert_int_equal (tl_predicate_open (program + i, mem, net, compiled[i]),
                      TL_OK);
  for (int i = 0; i < 20; i++) {
    uint64_t marking[RANDOM_PLACES], enabled[RANDOM_TRANSITIONS / 64 + 1];
    random_marking (net, marking, random);
    set_enabled (net, marking, enabled);
    const bool holds = holds_brute (f, net, marking);
    assert_int_equal (tl_formula_holds (f, net, marking), holds);
    assert_int_equal (tl_formula_holds (simple, net, marking), holds);
    assert_int_equal (tl_formula_holds (negated, net, marking), !holds);
    for (int k = 0; k < 3; k++)
      assert_int_equal (run_blindly (program + k, net, marking, enabled),
                        k == 2 ? !holds : holds);
  }
  for (int i = 0; i < 3; i++)
    tl_predicate_close (program + i);
}

static void state_formulas_keep_their_meaning (void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    tl_mem mem = TL_MEM (0, "test");
    tl_net *net = some_net (&mem, 100 * seed);
    tl_random random = {seed};
    for (int i = 0; i < 60; i++) {
      tl_arena arena = TL_ARENA (&mem);
      tl_formula *f = random_formula (&arena, net, RANDOM_STATE,
                                      1 + (unsigned)i % 4, &random);
      same_on_markings (net, f, &mem, &arena, &random);
      tl_arena_close (&arena);
    }
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
}

// Coefficients and bounds at the ends of their range, and more tokens than
// any net will hold.
static void sums_do_not_overflow (void **state) {
  (void)state;
  static const int64_t size[] = {1, 3, 1 << 20, INT64_MAX / 3};
  static const int64_t bounds[] = {INT64_MIN, INT64_MIN + 1, -1,
                                   0,         INT64_MAX - 1, INT64_MAX};
  static const uint64_t tokens[] = {0, 1, UINT32_MAX, INT64_MAX};
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = some_net (&mem, 5);
  assert_true (net->places >= 2);
  tl_random random = {3};
  uint64_t marking[RANDOM_PLACES] = {0};
  for (int i = 0; i < 4000; i++) {
    tl_arena arena = TL_ARENA (&mem);
    tl_summand term[2];
    for (uint32_t k = 0; k < 2; k++) {
      marking[k] = tokens[tl_random_below (&random, 4)];
      term[k] = (tl_summand){k, size[tl_random_below (&random, 4)]};
      if (tl_random_below (&random, 2))
        term[k].coefficient = -term[k].coefficient;
    }
    bool overflow;
    tl_formula *f =
        tl_formula_compare (&arena, term, 1 + tl_random_below (&random, 2),
                            bounds[tl_random_below (&random, 6)], &overflow);
    __int128 sum = 0;
    for (uint32_t k = 0; k < f->count; k++)
      sum += (__int128)f->term[k].coefficient * (int64_t)marking[k];
    tl_formula *simple = tl_formula_simplify (&arena, f);
    tl_predicate program;
    assert_int_equal (tl_predicate_open (&program, &mem, net, simple), TL_OK);
    assert_int_equal (tl_formula_holds (f, net, marking), sum <= f->bound);
    assert_int_equal (tl_predicate_run (&program, marking, 0), sum <= f->bound);
    assert_int_equal (
        tl_formula_holds (tl_formula_negate (&arena, f), net, marking),
        sum > f->bound);
    tl_predicate_close (&program);
    tl_arena_close (&arena);
  }
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- Temporal formulas -----------------------------------------------------

// A graph of a few markings, each of them a bit of a set.
enum { NODES = 6 };

typedef struct graph {
  const tl_net *net;
  uint64_t marking[NODES][RANDOM_PLACES];
  uint32_t successors[NODES];
} graph;

#define EVERYWHERE ((1u << NODES) - 1)

// Nodes with a successor in the set, or with `all`, whose successors all are.
static uint32_t before (const graph *g, uint32_t set, bool all) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < NODES; i++)
    if (all ? !(g->successors[i] & ~set) : (g->successors[i] & set) != 0)
      found |= 1u << i;
  return found;
}

static uint32_t dead_nodes (const graph *g) {
  return before (g, 0, true);
}

// E (a U b) or A (a U b) on maximal runs.
static uint32_t until_set (const graph *g, uint32_t a, uint32_t b, bool all) {
  uint32_t set = 0;
  for (int i = 0; i <= NODES; i++)
    set = b | (a & before (g, set, all) & ~(all ? dead_nodes (g) : 0));
  return set;
}

static uint32_t ctl_set (const graph *g, const tl_formula *f) {
  uint32_t set = 0;
  if (f->op < TL_NOT) {
    for (uint32_t i = 0; i < NODES; i++)
      set |= (uint32_t)holds_brute (f, g->net, g->marking[i]) << i;
    return set;
  }
  if (f->op == TL_EXISTS || f->op == TL_ALL) {
    const tl_formula *path = f->operand[0];
    const bool all = f->op == TL_ALL;
    const uint32_t first = ctl_set (g, path->operand[0]);
    switch (path->op) {
    case TL_NEXT: return before (g, first, all);
    case TL_FINALLY: return until_set (g, EVERYWHERE, first, all);
    case TL_GLOBALLY:
      return EVERYWHERE & ~until_set (g, EVERYWHERE, EVERYWHERE & ~first, !all);
    case TL_UNTIL:
      return until_set (g, first, ctl_set (g, path->operand[1]), all);
    default:
      return EVERYWHERE &
             ~until_set (g, EVERYWHERE & ~first,
                         EVERYWHERE & ~ctl_set (g, path->operand[1]), !all);
    }
  }
  set = f->op == TL_OR ? 0 : EVERYWHERE;
  for (uint32_t i = 0; i < f->count; i++) {
    const uint32_t one = ctl_set (g, f->operand[i]);
    set = f->op == TL_OR ? set | one : set & one;
  }
  return f->op == TL_NOT ? EVERYWHERE & ~set : set;
}

static void make_graph (graph *g, const tl_net *net, bool forward,
                        tl_random *random) {
  g->net = net;
  for (uint32_t i = 0; i < NODES; i++) {
    random_marking (net, g->marking[i], random);
    g->successors[i] = 0;
    for (uint32_t k = forward ? i + 1 : 0; k < NODES; k++)
      g->successors[i] |= (uint32_t)!tl_random_below (random, 3) << k;
  }
}

static void ctl_keeps_its_meaning (void **state) {
  (void)state;
  static graph g;
  tl_mem mem = TL_MEM (0, "test");
  tl_random random = {11};
  tl_net *net = some_net (&mem, 9);
  for (int i = 0; i < 20000; i++) {
    tl_arena arena = TL_ARENA (&mem);
    make_graph (&g, net, false, &random);
    tl_formula *f =
        random_formula (&arena, net, RANDOM_CTL, 1 + (unsigned)i % 4, &random);
    tl_formula *simple = tl_formula_simplify (&arena, f);
    tl_formula *negated = tl_formula_negate (&arena, f);
    assert_true (tl_formula_fragment (simple) <= TL_FRAGMENT_CTL);
    assert_true (is_normal (simple) && is_normal (negated));
    const uint32_t set = ctl_set (&g, f);
    assert_int_equal (ctl_set (&g, simple), set);
    assert_int_equal (ctl_set (&g, negated), EVERYWHERE & ~set);
    tl_arena_close (&arena);
  }
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// A run: the last node goes on at `back`, or with back == length the run ends
// there.
typedef struct run {
  const graph *g;
  uint32_t node[2 * NODES], length, back;
  bool repeats; // an end repeats for ever
} run;

static bool path_holds (const run *, const tl_formula *, uint32_t at);

static bool after (const run *r, uint32_t at, uint32_t *next) {
  *next = at + 1 < r->length ? at + 1 : r->back;
  if (*next < r->length)
    return true;
  *next = at;
  return r->repeats;
}

// a U b from `at` on: at most every position is passed once.
static bool until_holds (const run *r, const tl_formula *a, const tl_formula *b,
                         bool not_a, bool not_b, uint32_t at) {
  for (uint32_t steps = 0; steps <= r->length; steps++) {
    if (path_holds (r, b, at) != not_b)
      return true;
    if ((a && path_holds (r, a, at) == not_a) || !after (r, at, &at))
      return false;
  }
  return false;
}

// Is there a run from `node` with the formula (`all`: have all runs it)?
static bool some_run (const graph *g, const tl_formula *f, run *r, bool all) {
  const uint32_t last = r->node[r->length - 1];
  if (!g->successors[last]) {
    r->back = r->length;
    return path_holds (r, f, 0) != all;
  }
  for (uint32_t k = 0; k < NODES; k++)
    if (g->successors[last] >> k & 1) {
      r->node[r->length++] = k;
      const bool found = some_run (g, f, r, all);
      r->length--;
      if (found)
        return true;
    }
  return false;
}

static bool path_holds (const run *r, const tl_formula *f, uint32_t at) {
  uint32_t next;
  bool all = true, any = false;
  switch (f->op) {
  case TL_NEXT:
    return after (r, at, &next) && path_holds (r, f->operand[0], next);
  case TL_FINALLY: return until_holds (r, 0, f->operand[0], false, false, at);
  case TL_GLOBALLY: return !until_holds (r, 0, f->operand[0], false, true, at);
  case TL_UNTIL:
    return until_holds (r, f->operand[0], f->operand[1], false, false, at);
  case TL_RELEASE:
    return !until_holds (r, f->operand[0], f->operand[1], true, true, at);
  case TL_EXISTS:
  case TL_ALL: {
    run start = {.g = r->g, .length = 1, .repeats = r->repeats};
    start.node[0] = r->node[at];
    return some_run (r->g, f->operand[0], &start, f->op == TL_ALL) !=
           (f->op == TL_ALL);
  }
  case TL_NOT:
  case TL_AND:
  case TL_OR:
    for (uint32_t i = 0; i < f->count; i++) {
      const bool one = path_holds (r, f->operand[i], at);
      all = all && one;
      any = any || one;
    }
    return f->op == TL_NOT ? !any : f->op == TL_AND ? all : any;
  default: return holds_brute (f, r->g->net, r->g->marking[r->node[at]]);
  }
}

// On runs that go round for ever, and on those that end.
static void paths_keep_their_meaning (void **state) {
  (void)state;
  static graph g;
  tl_mem mem = TL_MEM (0, "test");
  tl_random random = {12};
  tl_net *net = some_net (&mem, 9);
  for (int i = 0; i < 20000; i++) {
    tl_arena arena = TL_ARENA (&mem);
    make_graph (&g, net, false, &random);
    run r = {.g = &g, .length = 1 + (uint32_t)tl_random_below (&random, NODES)};
    r.back = (uint32_t)tl_random_below (&random, r.length + 1);
    for (uint32_t k = 0; k < r.length; k++)
      r.node[k] = (uint32_t)tl_random_below (&random, NODES);
    tl_formula *f =
        random_formula (&arena, net, RANDOM_PATH, 1 + (unsigned)i % 5, &random);
    tl_formula *simple = tl_formula_simplify (&arena, f);
    tl_formula *negated = tl_formula_negate (&arena, f);
    assert_true (is_normal (simple) && is_normal (negated));
    const bool holds = path_holds (&r, f, 0);
    assert_int_equal (path_holds (&r, simple, 0), holds);
    assert_int_equal (path_holds (&r, negated, 0), !holds);
    tl_arena_close (&arena);
  }
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// CTL*: on graphs without circles, where all runs can be tried.
static void ctl_star_keeps_its_meaning (void **state) {
  (void)state;
  static graph g;
  tl_mem mem = TL_MEM (0, "test");
  tl_random random = {13};
  tl_net *net = some_net (&mem, 9);
  for (int i = 0; i < 10000; i++) {
    tl_arena arena = TL_ARENA (&mem);
    make_graph (&g, net, true, &random);
    tl_formula *f = random_formula (&arena, net, RANDOM_CTL_STAR,
                                    1 + (unsigned)i % 4, &random);
    f = tl_formula_unary (&arena, TL_ALL, f);
    tl_formula *simple = tl_formula_simplify (&arena, f);
    tl_formula *negated = tl_formula_negate (&arena, f);
    const run r = {.g = &g, .length = 1, .back = 1, .repeats = true};
    const bool holds = path_holds (&r, f, 0);
    assert_int_equal (path_holds (&r, simple, 0), holds);
    assert_int_equal (path_holds (&r, negated, 0), !holds);
    tl_arena_close (&arena);
  }
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- Plans -----------------------------------------------------------------

// EF and AG of state formulas, combined.
static tl_formula *random_reach (tl_arena *arena, const tl_net *net,
                                 unsigned depth, tl_random *random) {
  if (depth && tl_random_below (random, 4)) {
    tl_formula *l = random_reach (arena, net, depth - 1, random);
    if (!tl_random_below (random, 3))
      return tl_formula_unary (arena, TL_NOT, l);
    return tl_formula_binary (arena,
                              tl_random_below (random, 2) ? TL_AND : TL_OR, l,
                              random_reach (arena, net, depth - 1, random));
  }
  tl_formula *b = random_formula (arena, net, RANDOM_STATE, 2, random);
  if (!tl_random_below (random, 5))
    return b;
  const bool exists = tl_random_below (random, 2);
  return tl_formula_unary (
      arena, exists ? TL_EXISTS : TL_ALL,
      tl_formula_unary (arena, exists ? TL_FINALLY : TL_GLOBALLY, b));
}

static bool reach_holds (const tl_formula *f, const brute *b) {
  uint32_t true_operands = 0;
  switch (f->op) {
  case TL_NOT:
  case TL_AND:
  case TL_OR:
    for (uint32_t i = 0; i < f->count; i++)
      true_operands += reach_holds (f->operand[i], b);
    return f->op == TL_NOT   ? !true_operands
           : f->op == TL_AND ? true_operands == f->count
                             : true_operands > 0;
  case TL_EXISTS:
  case TL_ALL:
    for (uint64_t s = 0; s < b->states; s++)
      if (holds_brute (f->operand[0]->operand[0], b->net,
                       brute_marking (b, s)) == (f->op == TL_EXISTS))
        return f->op == TL_EXISTS;
    return f->op == TL_ALL;
  default: return holds_brute (f, b->net, brute_marking (b, 0));
  }
}

// Decides the goals one after the other; the verdict, once known, stays.
static tl_verdict carry_out (const tl_plan *plan, const brute *b) {
  tl_verdict *goal = test_calloc (plan->goals + 1, sizeof *goal);
  tl_verdict verdict = tl_plan_verdict (plan, goal);
  for (uint32_t i = 0; i < plan->goals; i++) {
    goal[i] = TL_VERDICT_FALSE;
    for (uint64_t s = 0; s < b->states; s++)
      if (holds_brute (plan->goal[i], b->net, brute_marking (b, s)))
        goal[i] = TL_VERDICT_TRUE;
    const tl_verdict now = tl_plan_verdict (plan, goal);
    assert_true (verdict == TL_VERDICT_UNKNOWN || verdict == now);
    verdict = now;
  }
  test_free (goal);
  return verdict;
}

static void plans_decide (void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    tl_mem mem = TL_MEM (0, "test");
    tl_net *net = some_net (&mem, 1000 * seed);
    brute b = brute_explore (net, 200);
    tl_random random = {seed};
    for (int i = 0; i < 40; i++) {
      tl_arena arena = TL_ARENA (&mem);
      tl_formula *f = random_reach (&arena, net, 3, &random);
      tl_plan plan;
      assert_true (tl_formula_fragment (f) <= TL_FRAGMENT_REACH);
      assert_int_equal (tl_reach_plan (&arena, net, f, &plan), TL_OK);
      for (uint32_t k = 0; k < plan.goals; k++)
        assert_false (tl_formula_has_temporal (plan.goal[k]));
      assert_int_equal (carry_out (&plan, &b), reach_holds (f, &b)
                                                   ? TL_VERDICT_TRUE
                                                   : TL_VERDICT_FALSE);
      tl_arena_close (&arena);
    }
    brute_close (&b);
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
}

static tl_formula *under (tl_arena *arena, tl_op quantifier, tl_op temporal,
                          tl_formula *b) {
  return tl_formula_unary (arena, quantifier,
                           tl_formula_unary (arena, temporal, b));
}

// AG (FIREABLE AND EF DEADLOCK), or its negation: two goals, and what they make
// of the formula.
static void home_is_planned (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = some_net (&mem, 9);
  const uint32_t zero = 0;
  for (int negated = 0; negated < 2; negated++) {
    tl_arena arena = TL_ARENA (&mem);
    tl_formula *f =
        under (&arena, TL_ALL, TL_GLOBALLY,
               tl_formula_binary (&arena, TL_AND,
                                  tl_formula_fireable (&arena, &zero, 1),
                                  under (&arena, TL_EXISTS, TL_FINALLY,
                                         tl_formula_deadlock (&arena))));
    if (negated)
      f = tl_formula_unary (&arena, TL_NOT, f);
    tl_plan plan;
    assert_int_equal (tl_reach_plan (&arena, net, f, &plan), TL_OK);
    assert_int_equal (plan.goals, 2);
    assert_int_equal (plan.homes, 1);
    for (int i = 0; i < 4; i++) {
      tl_verdict goal[2];
      for (uint32_t k = 0; k < 2; k++) {
        // A marking without FIREABLE is reachable; DEADLOCK from everywhere.
        const bool yes = plan.home[k] ? i & 1 : i & 2;
        assert_int_equal (plan.goal[k]->op,
                          plan.home[k] ? TL_DEADLOCK : TL_NOT);
        goal[k] = yes ? TL_VERDICT_TRUE : TL_VERDICT_FALSE;
      }
      assert_int_equal (tl_plan_verdict (&plan, goal), (i == 1) != negated
                                                           ? TL_VERDICT_TRUE
                                                           : TL_VERDICT_FALSE);
    }
    tl_arena_close (&arena);
  }
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void temporal_formulas_need_more_than_a_plan (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_arena arena = TL_ARENA (&mem);
  tl_net *net = some_net (&mem, 9);
  tl_formula *b = tl_formula_deadlock (&arena);
  tl_formula *all_finally = tl_formula_unary (
      &arena, TL_ALL, tl_formula_unary (&arena, TL_FINALLY, b));
  tl_plan plan;
  assert_int_equal (tl_reach_plan (&arena, net, all_finally, &plan),
                    TL_E_MODEL);
  tl_arena_close (&arena);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- No memory -------------------------------------------------------------

static bool survives (const tl_net *net, long n) {
  tl_mem mem = TL_MEM (0, "test"), given = TL_MEM (0, "formula");
  tl_arena arena = TL_ARENA (&mem), input = TL_ARENA (&given);
  tl_random random = {5};
  tl_formula *f = 0;
  for (int i = 0; i < 20; i++) {
    tl_formula *one = random_reach (&input, net, 3, &random);
    f = f ? tl_formula_binary (&input, TL_AND, f, one) : one;
  }
  tl_plan plan;
  tl_predicate program = {.mem = &mem};
  mem.fail_after = n;
  tl_status rc = tl_reach_plan (&arena, net, f, &plan);
  for (uint32_t i = 0; !rc && i < plan.goals; i++) {
    tl_predicate_close (&program);
    rc = tl_predicate_open (&program, &mem, net, plan.goal[i]);
  }
  assert_true (rc == TL_OK || rc == TL_E_NOMEM);
  tl_predicate_close (&program);
  tl_arena_close (&arena);
  tl_arena_close (&input);
  assert_int_equal (mem.used, 0);
  return rc;
}

static void no_memory_is_told (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = some_net (&mem, 9);
  long n = 0;
  while (survives (net, n))
    n++;
  assert_true (n > 4);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// X of LTL goes outwards, and is gone where only the end of a run matters; of
// another X nothing is known.
static void next_goes_outwards (void **state) {
  (void)state;
  static const struct {
    const char *before, *after; // operators, of p <= 0
  } rows[] = {{"XGF", "GF"},  {"XFG", "FG"},  {"GXG", "XG"}, {"FXF", "XF"},
              {"GXF", "GF"},  {"FXGX", "FG"}, {"GX", "XG"},  {"XG", "XG"},
              {"XXF", "XXF"}, {"GXXFX", "GF"}};
  tl_mem mem = TL_MEM (0, "test");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tl_arena arena = TL_ARENA (&mem);
    const tl_summand term = {0, 1};
    bool overflow;
    tl_formula *f = tl_formula_compare (&arena, &term, 1, 0, &overflow);
    for (size_t k = strlen (rows[i].before); k--;)
      f = tl_formula_unary (&arena,
                            rows[i].before[k] == 'X'   ? TL_NEXT
                            : rows[i].before[k] == 'G' ? TL_GLOBALLY
                                                       : TL_FINALLY,
                            f);
    const tl_formula *g = tl_formula_simplify_as (&arena, f, TL_NEXT_LTL);
    char found[20] = "";
    for (size_t k = 0; g->op >= TL_NEXT; g = g->operand[0])
      found[k++] = "XFG"[g->op - TL_NEXT];
    assert_string_equal (found, rows[i].after);
    g = tl_formula_simplify (&arena, f);
    assert_int_equal (g->op, f->op);
    tl_arena_close (&arena);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (next_goes_outwards),
      cmocka_unit_test (terms_are_sorted_and_joined),
      cmocka_unit_test (order_is_an_order),
      cmocka_unit_test (long_texts_are_cut),
      cmocka_unit_test (state_formulas_keep_their_meaning),
      cmocka_unit_test (sums_do_not_overflow),
      cmocka_unit_test (ctl_keeps_its_meaning),
      cmocka_unit_test (paths_keep_their_meaning),
      cmocka_unit_test (ctl_star_keeps_its_meaning),
      cmocka_unit_test (plans_decide),
      cmocka_unit_test (home_is_planned),
      cmocka_unit_test (temporal_formulas_need_more_than_a_plan),
      cmocka_unit_test (no_memory_is_told),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
