// How many steps markings are from what formulas want.

#include "logic/effort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { RAW, HALF, WHOLE, TOOL, BOX, PLACES };
enum { UNDO, CUT, JOIN, PACK, THROW, TRANSITIONS };

static void add (tl_builder *b, const char *name, const uint32_t *pre,
                 const uint32_t *post) {
  uint32_t t;
  assert_int_equal (tl_builder_transition (b, name, 0, &t), TL_OK);
  for (uint32_t p = 0; p < PLACES; p++) {
    if (pre[p])
      assert_int_equal (tl_builder_arc (b, TL_ARC_PRE, p, t, pre[p]), TL_OK);
    if (post[p])
      assert_int_equal (tl_builder_arc (b, TL_ARC_POST, p, t, post[p]), TL_OK);
  }
}

// A piece is cut in two with a tool, two halves make a whole, which can be
// taken apart again, and three of these fill a box.
static tl_net *build (tl_mem *mem) {
  static const char *const name[] = {"raw", "half", "whole", "tool", "box"};
  tl_builder *b;
  tl_net *net;
  uint32_t p;
  assert_int_equal (tl_builder_open (&b, mem), TL_OK);
  for (uint32_t i = 0; i < PLACES; i++)
    assert_int_equal (tl_builder_place (b, name[i], 0, 0, &p), TL_OK);
  add (b, "undo", (uint32_t[]){0, 0, 1, 0, 0}, (uint32_t[]){0, 2, 0, 0, 0});
  add (b, "cut", (uint32_t[]){1, 0, 0, 1, 0}, (uint32_t[]){0, 2, 0, 1, 0});
  add (b, "join", (uint32_t[]){0, 2, 0, 0, 0}, (uint32_t[]){0, 0, 1, 0, 0});
  add (b, "pack", (uint32_t[]){0, 0, 3, 0, 0}, (uint32_t[]){0, 0, 0, 0, 1});
  add (b, "throw", (uint32_t[]){2, 0, 0, 0, 0}, (uint32_t[]){0, 0, 0, 0, 0});
  assert_int_equal (tl_builder_finish (b, "n", "example", &net, 0), TL_OK);
  return net;
}

static uint64_t far (const tl_net *net, const tl_formula *f,
                     const uint64_t *marking) {
  tl_mem mem = TL_MEM (0, "effort");
  tl_effort e;
  uint32_t enabled[TRANSITIONS], count = 0;
  assert_non_null (f);
  for (uint32_t t = 0; t < TRANSITIONS; t++) {
    bool can = true;
    for (tl_arcs pre = tl_net_pre (net, t); pre.count; pre.arc++, pre.count--)
      can &= marking[pre.arc->place] >= pre.arc->weight;
    if (can)
      enabled[count++] = t;
  }
  assert_int_equal (tl_effort_open (&e, &mem, net, f), TL_OK);
  const uint64_t first = tl_effort_of (&e, marking, enabled, count);
  // Nothing of a plan is left.
  assert_int_equal (tl_effort_of (&e, marking, enabled, count), first);
  tl_effort_close (&e);
  assert_int_equal (mem.used, 0);
  return first;
}

static tl_formula *at_least (tl_arena *arena, uint32_t place, int64_t tokens) {
  const tl_summand term = {place, -1};
  bool overflow;
  return tl_formula_compare (arena, &term, 1, -tokens, &overflow);
}

static tl_formula *both (tl_arena *arena, tl_op op, tl_formula *f,
                         tl_formula *g) {
  return tl_formula_binary (arena, op, f, g);
}

#define AT(...)                                                                \
  (uint64_t[PLACES]) {                                                         \
    __VA_ARGS__                                                                \
  }

static void plans (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = build (&mem);
  tl_arena arena = TL_ARENA (&mem);
  tl_formula *box = at_least (&arena, BOX, 1), *pack;
  const uint32_t transition = PACK;
  pack = tl_formula_fireable (&arena, &transition, 1);
  assert_int_equal (far (net, box, AT (9, 0, 0, 1, 1)), 0);
  assert_int_equal (far (net, box, AT (9, 0, 3, 1, 0)), 1);
  assert_int_equal (far (net, pack, AT (9, 0, 3, 1, 0)), 0);
  // What is there already need not be brought, though it is used up.
  assert_int_equal (far (net, box, AT (9, 2, 1, 1, 0)), 4);
  assert_int_equal (far (net, pack, AT (9, 0, 0, 1, 0)), 6);
  assert_int_equal (far (net, at_least (&arena, BOX, 10), AT (99, 0, 0, 1, 0)),
                    70);
  // Taking it apart again is no way to get more of it.
  assert_int_equal (far (net, at_least (&arena, WHOLE, 4), AT (9, 0, 2, 1, 0)),
                    4);
  assert_int_equal (far (net,
                         both (&arena, TL_AND, at_least (&arena, HALF, 2),
                               at_least (&arena, WHOLE, 1)),
                         AT (9, 2, 0, 1, 0)),
                    2);
  assert_int_equal (
      far (net, both (&arena, TL_OR, box, pack), AT (9, 0, 2, 1, 0)), 2);
  // Of two the cheaper one, with all that has to come before.
  assert_int_equal (
      far (net, both (&arena, TL_OR, pack, at_least (&arena, HALF, 10)),
           AT (9, 0, 0, 1, 0)),
      5);
  // Without a tool nobody gets there.
  assert_true (far (net, box, AT (9, 0, 0, 0, 0)) > 1000000);
  tl_arena_close (&arena);
  tl_net_close (net);
}

static void less (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = build (&mem);
  tl_arena arena = TL_ARENA (&mem);
  bool overflow;
  const tl_summand raw = {RAW, 1}, sum[] = {{HALF, 1}, {WHOLE, 2}};
  tl_formula *few = tl_formula_compare (&arena, &raw, 1, 3, &overflow),
             *none = tl_formula_compare (&arena, sum, 2, 0, &overflow),
             *dead = tl_formula_deadlock (&arena);
  const uint32_t all[] = {CUT, JOIN, UNDO};
  tl_formula *stuck =
      tl_formula_unary (&arena, TL_NOT, tl_formula_fireable (&arena, all, 3));
  assert_int_equal (far (net, few, AT (3, 0, 0, 0, 0)), 0);
  assert_int_equal (far (net, few, AT (8, 0, 0, 0, 0)), 3);
  // Joining does not change the sum, packing lowers it by 6.
  assert_int_equal (far (net, none, AT (0, 0, 3, 0, 0)), 1);
  assert_int_equal (far (net, none, AT (0, 2, 5, 0, 0)), 3);
  assert_int_equal (far (net, dead, AT (2, 2, 0, 1, 0)), 3);
  assert_int_equal (far (net, stuck, AT (2, 2, 0, 1, 0)), 2);
  assert_int_equal (far (net, stuck, AT (2, 1, 0, 0, 0)), 0);
  tl_arena_close (&arena);
  tl_net_close (net);
}

// A pile for each of many, and a common one that everybody takes from.
static tl_net *build_piles (tl_mem *mem, uint32_t piles) {
  tl_builder *b;
  tl_net *net;
  assert_int_equal (tl_builder_open (&b, mem), TL_OK);
  for (uint32_t i = 0, p; i <= piles; i++) {
    char name[16];
    snprintf (name, sizeof name, "p%u", i);
    assert_int_equal (tl_builder_place (b, name, 0, 0, &p), TL_OK);
  }
  for (uint32_t i = 0, t; i < piles; i++) {
    char name[16];
    snprintf (name, sizeof name, "t%u", i);
    assert_int_equal (tl_builder_transition (b, name, 0, &t), TL_OK);
    assert_int_equal (tl_builder_arc (b, TL_ARC_PRE, i, t, 1), TL_OK);
    assert_int_equal (tl_builder_arc (b, TL_ARC_PRE, piles, t, 1), TL_OK);
  }
  assert_int_equal (tl_builder_finish (b, "n", "example", &net, 0), TL_OK);
  return net;
}

// More is wanted than can be chosen with care: 400 sums, each of which 400
// transitions lower, and each time one fires all is different.
static void many (void **state) {
  (void)state;
  enum { PILES = 400 };
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = build_piles (&mem, PILES);
  tl_arena arena = TL_ARENA (&mem);
  tl_effort e;
  uint64_t marking[PILES + 1];
  bool overflow;
  tl_formula *all = 0;
  for (uint32_t i = 0; i < PILES; i++) {
    const tl_summand sum[] = {{i, 1}, {PILES, 1}};
    tl_formula *f = tl_formula_compare (&arena, sum, 2, 2, &overflow);
    all = all ? both (&arena, TL_AND, all, f) : f;
    marking[i] = 1;
  }
  marking[PILES] = 2;
  assert_int_equal (tl_effort_open (&e, &mem, net, all), TL_OK);
  assert_int_equal (e.lowerings.sums, PILES);
  const uint64_t far = tl_effort_of (&e, marking, 0, 0);
  assert_in_range (far, 1, TL_EFFORT_MOST); // nobody fills the common pile
  assert_int_equal (tl_effort_of (&e, marking, 0, 0), far);
  assert_true (e.costs < PILES);
  marking[PILES] = 1;
  assert_int_equal (tl_effort_of (&e, marking, 0, 0), 0);
  tl_effort_close (&e);
  tl_arena_close (&arena);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// Comparisons of the same sum share what lowers it, whatever the bounds are.
static void shared (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = build (&mem);
  tl_arena arena = TL_ARENA (&mem);
  tl_lowerings l;
  bool overflow;
  const tl_summand raw = {RAW, 1}, sum[] = {{HALF, 1}, {WHOLE, 2}};
  const tl_formula *few = tl_formula_compare (&arena, &raw, 1, 3, &overflow),
                   *none = tl_formula_compare (&arena, &raw, 1, 0, &overflow),
                   *more = at_least (&arena, RAW, 7),
                   *both_kinds =
                       tl_formula_compare (&arena, sum, 2, 0, &overflow);
  tl_formula *f = both (&arena, TL_OR, (tl_formula *)few, (tl_formula *)more);
  f = both (&arena, TL_AND, f, (tl_formula *)none);
  f = both (&arena, TL_AND, f, (tl_formula *)both_kinds);
  assert_int_equal (tl_lowerings_open (&l, &mem, net, f), TL_OK);
  assert_int_equal (l.sums, 3);
  assert_int_equal (l.comparisons, 4);
  const size_t at = tl_lowerings_find (&l, few);
  assert_int_equal (tl_lowerings_find (&l, none), at);
  assert_int_equal (l.lowering[at].count, 2);
  assert_int_equal (l.lowering[at].transition[0], CUT);
  assert_int_equal (l.lowering[at].drop[0], 1);
  assert_int_equal (l.lowering[at].transition[1], THROW);
  assert_int_equal (l.lowering[at].drop[1], 2);
  assert_int_equal (l.lowering[tl_lowerings_find (&l, more)].count, 0);
  const tl_lowering *last = l.lowering + tl_lowerings_find (&l, both_kinds);
  assert_int_equal (last->count, 1);
  assert_int_equal (last->transition[0], PACK);
  assert_int_equal (last->drop[0], 6);
  tl_lowerings_close (&l);
  tl_arena_close (&arena);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (plans), cmocka_unit_test (less),
      cmocka_unit_test (many), cmocka_unit_test (shared)};
  return cmocka_run_group_tests_name ("effort", tests, 0, 0);
}
