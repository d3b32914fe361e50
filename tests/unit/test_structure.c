// What is said about a net before any state is visited: known answers.

#include "base/clock.h"
#include "read/read.h"
#include "structure/lp.h"
#include "structure/exclude.h"
#include "structure/structure.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tl_mem account = {.name = "test", .fail_after = -1};

// A net in the format of TINA.
static tl_net *net_of (const char *text) {
  tl_net *net;
  tl_error err = {0};
  if (tl_read_net_text (&net, &account, "x.net", text, strlen (text), &err))
    fail_msg ("%ld: %s", err.line, err.text);
  return net;
}

// With time enough that the clock decides nothing.
static tl_structure *structure_of (const tl_net *net) {
  tl_structure *s;
  assert_int_equal (tl_structure_open (&s, &account, net, 10, 0), TL_OK);
  return s;
}

static void drop (tl_structure *s, tl_net *net) {
  tl_structure_close (s);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

static uint64_t bound_of (const tl_structure *s, const char *place) {
  const uint32_t p = tl_names_find (&s->net->place_ids, place);
  assert_int_not_equal (p, TL_NO_NAME);
  return s->bound[p];
}

static tl_elimination *eliminate (const tl_structure *s, const uint32_t *cost) {
  tl_elimination *e;
  uint32_t *zero = calloc ((size_t)s->net->places + 1, sizeof *zero);
  assert_non_null (zero);
  assert_int_equal (tl_structure_eliminate (s, cost ? cost : zero, &e, 0),
                    TL_OK);
  free (zero);
  return e;
}

// ---- The solver

// Minimise -x - 2y with x + y <= 4, y <= 3, x <= 3.
static tl_lp *small_program (void) {
  tl_lp *lp;
  assert_int_equal (tl_lp_open (&lp, &account, 1, 2, 2), TL_OK);
  tl_lp_row (lp, 0, -TL_LP_INFINITY, 4);
  tl_lp_column (lp, 0, 3, -1, (tl_vector){&(tl_entry){0, 1}, 1});
  tl_lp_column (lp, 0, 3, -2, (tl_vector){&(tl_entry){0, 1}, 1});
  return lp;
}

static void test_lp (void **state) {
  (void)state;
  tl_lp *lp = small_program ();
  for (int method = TL_LP_PRIMAL; method <= TL_LP_DUAL; method++) {
    assert_int_equal (tl_lp_solve (lp, (tl_lp_method)method, 100, 10),
                      TL_LP_OPTIMAL);
    assert_true (fabs (tl_lp_value (lp) + 7) < 1e-9);
    assert_true (fabs (tl_lp_primal (lp)[0] - 1) < 1e-9);
    assert_true (fabs (tl_lp_primal (lp)[1] - 3) < 1e-9);
    assert_true (fabs (tl_lp_dual (lp)[0] + 1) < 1e-9);
  }
  tl_lp_cost (lp, 1, 2); // now only x pays
  assert_int_equal (tl_lp_solve (lp, TL_LP_PRIMAL, 100, 10), TL_LP_OPTIMAL);
  assert_true (fabs (tl_lp_value (lp) + 3) < 1e-9);
  tl_lp_row (lp, 0, 8, TL_LP_INFINITY);
  assert_int_equal (tl_lp_solve (lp, TL_LP_DUAL, 100, 10), TL_LP_INFEASIBLE);
  tl_lp_bound (lp, 0, 0, TL_LP_INFINITY);
  assert_int_equal (tl_lp_solve (lp, TL_LP_PRIMAL, 100, 10), TL_LP_UNBOUNDED);
  assert_int_equal (tl_lp_solve (lp, TL_LP_PRIMAL, 100, 0), TL_LP_STOPPED);
  tl_lp_close (lp);
  assert_int_equal (tl_lp_open (&lp, &account, UINT32_MAX, 1, 1), TL_E_LIMIT);
  assert_int_equal (account.used, 0);
}

// ---- The matrix

static void test_incidence (void **state) {
  (void)state;
  tl_net *net = net_of ("tr t a*3 r -> b*2 r\n"
                        "tr u b -> a\n"
                        "tr never c -> d*7\n"
                        "pl a (3)\npl r (1)\n");
  tl_incidence *c;
  assert_int_equal (tl_incidence_open (&c, &account, net, TL_COLUMNS_ALL),
                    TL_OK);
  const uint32_t a = tl_names_find (&net->place_ids, "a");
  const uint32_t r = tl_names_find (&net->place_ids, "r");
  const uint32_t d = tl_names_find (&net->place_ids, "d");
  assert_int_equal (c->entries, 6);
  assert_true (tl_incidence_constant (c, r));
  const tl_vector row = tl_incidence_place (c, a);
  assert_int_equal (row.count, 2);
  assert_int_equal (row.term[0].factor, -3);
  assert_int_equal (row.term[1].factor, 1);
  assert_int_equal (tl_incidence_transition (c, 0).count, 2);
  assert_false (tl_incidence_constant (c, d));
  tl_incidence_close (c);
  assert_int_equal (tl_incidence_open (&c, &account, net, TL_COLUMNS_FIREABLE),
                    TL_OK);
  assert_int_equal (c->entries, 4);
  assert_true (tl_incidence_constant (c, d));
  tl_incidence_close (c);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

// ---- Bounds

static void test_known_bounds (void **state) {
  (void)state;
  static const struct {
    const char *net, *place;
    uint64_t bound;
  } known[] = {
      // constant, and changed only by a transition that cannot fire
      {"pl a (5)\ntr t a -> a\n", "a", 5},
      {"pl a (5)\ntr t a b -> b\n", "a", 5},
      // one token in a ring, and two tokens where one counts double
      {"pl a (1)\ntr t a -> b\ntr u b -> a\n", "b", 1},
      {"pl a (4)\ntr t a*2 -> b\ntr u b -> a*2\n", "b", 2},
      {"pl a (5)\ntr t a*2 -> b\ntr u b -> a*2\n", "b", 2},
      // tokens that get lost, and that only come
      {"pl a (3)\ntr t a -> b\ntr u b ->\n", "b", 3},
      {"pl a (3)\ntr t a -> b\ntr u -> a\n", "b", TL_NO_BOUND},
      // tokens in the way of one place must not count for another
      {"pl a (1)\npl b (7)\ntr t a -> b\n", "a", 1},
      // the better of two semiflows: a resource, and the processes that use it
      {"pl idle (9)\npl free (2)\ntr t idle free -> busy\n"
       "tr u busy -> idle free\n",
       "busy", 2},
      // three of a, five of b for one c: y = (5, 3, 15)
      {"pl a (30)\npl b (50)\ntr t a*3 b*5 -> c\ntr u c -> a*3 b*5\n", "c", 10},
      // a weighted ring needs a fraction: a*2 -> b*3, b*2 -> a
      {"pl a (6)\ntr t a*2 -> b*3\ntr u b*6 -> a*4\n", "b", 9},
      // needs no growing of tokens although a transition makes two of one
      {"pl a (1)\ntr t a -> b c\ntr u b c -> a\n", "c", 1},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    tl_net *net = net_of (known[i].net);
    tl_structure *s = structure_of (net);
    if (bound_of (s, known[i].place) != known[i].bound)
      fail_msg ("net %zu: %lu instead of %lu", i,
                (unsigned long)bound_of (s, known[i].place),
                (unsigned long)known[i].bound);
    drop (s, net);
  }
}

static void test_sources (void **state) {
  (void)state;
  tl_net *net = net_of ("pl a (1)\npl k (4)\ntr t a -> b\ntr u b -> a\n"
                        "tr v -> w\n");
  tl_structure *s = structure_of (net);
  const uint8_t *source = s->source;
  const uint32_t k = tl_names_find (&net->place_ids, "k");
  const uint32_t w = tl_names_find (&net->place_ids, "w");
  assert_int_equal (source[k], TL_BOUND_CONSTANT);
  assert_int_equal (source[w], TL_BOUND_NONE);
  assert_int_equal (source[tl_names_find (&net->place_ids, "b")],
                    TL_BOUND_SEMIFLOW);
  assert_string_equal (tl_bound_source_text (TL_BOUND_CLAIM), "nupn");
  tl_structure_close (s);
  // Without time only what needs none is found.
  assert_int_equal (tl_structure_open (&s, &account, net, 0, 0), TL_OK);
  assert_int_equal (s->bound[k], 4);
  drop (s, net);
}

// Two units of which the second breaks its promise at the start.
static void test_claims (void **state) {
  (void)state;
  tl_builder *b;
  tl_net *net;
  assert_int_equal (tl_builder_open (&b, &account), TL_OK);
  static const char *id[] = {"a", "b", "c", "d"};
  static const uint32_t initial[] = {1, 0, 0, 2};
  for (int i = 0; i < 4; i++)
    assert_int_equal (tl_builder_place (b, id[i], 0, initial[i], 0), TL_OK);
  assert_int_equal (tl_builder_transition (b, "t", 0, 0), TL_OK);
  for (uint32_t p = 0; p < 4; p++) // all unbounded as far as semiflows tell
    assert_int_equal (tl_builder_arc (b, TL_ARC_POST, p, 0, 1), TL_OK);
  assert_int_equal (
      tl_builder_unit (b, "u", TL_NO_UNIT, (uint32_t[]){0, 1, 2}, 3), TL_OK);
  assert_int_equal (tl_builder_unit (b, "v", 0, (uint32_t[]){3}, 1), TL_OK);
  tl_builder_units_safe (b, true);
  assert_int_equal (tl_builder_finish (b, "x", "pnml", &net, 0), TL_OK);
  tl_structure *s = structure_of (net);
  tl_groups groups;
  assert_int_equal (s->bound[1], 1);
  assert_int_equal (s->source[1], TL_BOUND_CLAIM);
  assert_int_equal (s->source[3], TL_BOUND_NONE);
  assert_int_equal (tl_structure_groups (s, &groups, 0), TL_OK);
  assert_int_equal (groups.count, 1);
  assert_true (groups.group[0].claimed);
  assert_int_equal (groups.group[0].count, 3);
  tl_groups_close (&groups);
  drop (s, net);
}

// `copies` rings of `length` places, one token each, that start or go on
// together with their neighbour.
static tl_net *rings (uint32_t copies, uint32_t length) {
  tl_builder *b;
  tl_net *net;
  char id[32];
  assert_int_equal (tl_builder_open (&b, &account), TL_OK);
  for (uint32_t i = 0; i < copies * length; i++) {
    snprintf (id, sizeof id, "p%u", i);
    assert_int_equal (tl_builder_place (b, id, 0, i % length == 0, 0), TL_OK);
    assert_int_equal (tl_builder_transition (b, id, 0, 0), TL_OK);
  }
  for (uint32_t i = 0; i < copies * length; i++) {
    const uint32_t ring = i / length * length, next = ring + (i + 1) % length;
    tl_builder_arc (b, TL_ARC_PRE, i, i, 1);
    tl_builder_arc (b, TL_ARC_POST, next, i, 1);
    if (i % length == 0) {
      const uint32_t other = (ring + length) % (copies * length);
      tl_builder_arc (b, TL_ARC_PRE, other, i, 1);
      tl_builder_arc (b, TL_ARC_POST, other + 1, i, 1);
    }
  }
  assert_int_equal (tl_builder_finish (b, "rings", "example", &net, 0), TL_OK);
  return net;
}

static void test_large_net (void **state) {
  (void)state;
  tl_net *net = rings (1000, 10);
  const double start = tl_clock ();
  tl_structure *s = structure_of (net);
  assert_true (tl_clock () - start < 5); // sanitizers and a busy machine
  for (uint32_t p = 0; p < net->places; p++)
    assert_int_equal (s->bound[p], 1);
  tl_structure *again = structure_of (net);
  assert_memory_equal (s->bound, again->bound, net->places * sizeof *s->bound);
  tl_structure_close (again);
  tl_groups groups;
  assert_int_equal (tl_structure_groups (s, &groups, 0), TL_OK);
  assert_int_equal (groups.count, 1000);
  assert_int_equal (groups.places, net->places);
  tl_elimination *e = eliminate (s, 0);
  assert_true (e->complete);
  assert_int_equal (e->relations, 1000);
  tl_elimination_close (e);
  tl_groups_close (&groups);
  drop (s, net);
}

// Growing gives a weight of 1 where 1/2 is better; in a large net the solver
// finds that too, place by place.
static void test_large_net_in_parts (void **state) {
  (void)state;
  char *text;
  size_t length;
  FILE *f = open_memstream (&text, &length);
  for (int i = 0; i < 800; i++)
    fprintf (f, "pl a%d (2)\npl b%d (3)\ntr t%d a%d*2 -> b%d\ntr u%d a%d ->\n",
             i, i, i, i, i, i, i);
  fclose (f);
  tl_net *net = net_of (text);
  tl_structure *s = structure_of (net);
  assert_int_equal (bound_of (s, "b0"), 4);
  assert_int_equal (bound_of (s, "b799"), 4);
  assert_int_equal (s->source[tl_names_find (&net->place_ids, "b799")],
                    TL_BOUND_LP);
  drop (s, net);
  free (text);
}

// A counter that 150 others move up and down, by any number: each of its places
// is changed by more transitions than the parts are made of that are looked at
// first, and growing takes the others.
static void test_busy_places (void **state) {
  (void)state;
  enum { OTHERS = 150, VALUES = 5 };
  char *text;
  size_t length;
  FILE *f = open_memstream (&text, &length);
  fprintf (f, "pl n0 (1)\n");
  for (int i = 0; i < OTHERS; i++) {
    fprintf (f, "pl out%d (1)\n", i);
    for (int n = 0; n < VALUES; n++)
      for (int m = 0; m < n; m++)
        fprintf (f,
                 "tr up%d_%d_%d n%d out%d -> n%d in%d\n"
                 "tr down%d_%d_%d n%d in%d -> n%d out%d\n",
                 i, m, n, m, i, n, i, i, n, m, n, i, m, i);
  }
  fclose (f);
  tl_net *net = net_of (text);
  tl_structure *s = structure_of (net);
  for (uint32_t p = 0; p < net->places; p++)
    assert_int_equal (s->bound[p], 1);
  drop (s, net);
  free (text);
}

// ---- Numbers at the edge

// 4294967295 a for 4294967291 b: a fraction of 32 bits on both sides.
static void test_large_weights (void **state) {
  (void)state;
  for (int full = 0; full < 2; full++) {
    tl_net *net = net_of (full ? "pl a (4294967295)\npl b (4294967291)\n"
                                 "tr t a*4294967295 -> b*4294967291\n"
                                 "tr u b*4294967291 -> a*4294967295\n"
                               : "pl a (3)\npl b (2)\n"
                                 "tr t a*4294967295 -> b*4294967291\n"
                                 "tr u b*4294967291 -> a*4294967295\n");
    tl_structure *s = structure_of (net);
    tl_elimination *e = eliminate (s, 0);
    assert_int_equal (e->rank, 1);
    // The constant of the full net does not fit 64 bits.
    assert_int_equal (e->relations, !full);
    assert_int_equal (e->complete, !full);
    if (!full) {
      assert_int_equal (e->relation->denominator, 4294967295);
      assert_int_equal (tl_relation_terms (e, e->relation).term[0].factor,
                        -4294967291);
      assert_int_equal (e->relation->constant, 2 * 4294967295 + 3 * 4294967291);
    }
    assert_true (bound_of (s, "a") >= (full ? 2 * (uint64_t)4294967295 : 3));
    assert_true (bound_of (s, "b") >= (full ? 2 * (uint64_t)4294967291 : 2));
    tl_elimination_close (e);
    drop (s, net);
  }
}

// Coefficients that grow beyond 64 bits: each place counts 2^32 - 5 of the one
// before, so only neighbours can be told from each other.
static void test_numbers_beyond_range (void **state) {
  (void)state;
  tl_net *net = net_of ("pl a (1)\npl b\npl c\npl d\n"
                        "tr t a -> b*4294967291\ntr u b -> c*4294967291\n"
                        "tr v c -> d*4294967291\ntr w d*4294967291 -> c\n");
  tl_structure *s = structure_of (net);
  const uint64_t weight = 4294967291;
  assert_int_equal (bound_of (s, "a"), 1);
  assert_true (bound_of (s, "b") >= weight);
  assert_true (bound_of (s, "c") >= weight * weight);
  assert_int_equal (bound_of (s, "d"), TL_NO_BOUND);
  tl_elimination *e = eliminate (s, (uint32_t[]){4, 3, 2, 1});
  assert_int_equal (e->rank, 3);
  assert_int_equal (e->relations, 0);
  assert_false (e->complete);
  tl_elimination_close (e);
  drop (s, net);
}

// 4294967295 is (1 - 2^29) / 2^29 modulo the first prime: a fraction that looks
// right and is not.
static void test_deceptive_residue (void **state) {
  (void)state;
  tl_net *net = net_of ("pl a (1)\npl b\ntr t a -> b*4294967295\n"
                        "tr u b*4294967295 -> a\n");
  tl_structure *s = structure_of (net);
  tl_elimination *e = eliminate (s, 0);
  assert_int_equal (e->relations, 1);
  assert_int_equal (e->relation->place, 1);
  assert_int_equal (e->relation->denominator, 1);
  assert_int_equal (e->relation->constant, 4294967295);
  tl_elimination_close (e);
  drop (s, net);
}

static void test_modular_second_try (void **state) {
  (void)state;
  // d = 2^29 * 2^29 of a, by way of b and c: too large for one prime.
  tl_net *net = net_of ("pl a (8)\npl b\npl c\n"
                        "tr t a -> b*536870912\ntr u b*536870912 -> a\n"
                        "tr v b -> c*536870912\ntr w c*536870912 -> b\n");
  tl_structure *s = structure_of (net);
  tl_elimination *e = eliminate (s, (uint32_t[]){3, 2, 1});
  assert_true (e->complete);
  assert_int_equal (e->rank, 2);
  assert_int_equal (e->relations, 1);
  assert_int_equal (e->relation->place, 0);
  assert_int_equal (e->relation->denominator, (int64_t)1 << 58);
  tl_elimination_close (e);
  drop (s, net);
}

// One job at a time, and each has its parts done one after the other, in any
// order: parts of different jobs are not in one short semiflow, but exclude
// each other.
static void test_exclusion (void **state) {
  (void)state;
  tl_net *net = net_of ("pl lock (1)\n"
                        "tr start1 lock -> job1 a1 b1\n"
                        "tr a1 a1 -> c1\ntr b1 b1 -> d1\n"
                        "tr end1 job1 c1 d1 -> lock\n"
                        "tr start2 lock -> job2 a2 b2\n"
                        "tr a2 a2 -> c2\ntr b2 b2 -> d2\n"
                        "tr end2 job2 c2 d2 -> lock\n");
  tl_structure *s = structure_of (net);
  tl_groups groups;
  tl_exclusion e;
  assert_int_equal (tl_structure_exclusive_groups (s, &groups, 0), TL_OK);
  assert_int_equal (groups.places, net->places);
  assert_true (groups.count <= 3);
  assert_int_equal (
      tl_exclusion_open (&e, &account, &s->semiflows, net->places, 1000000),
      TL_OK);
  static const struct {
    const char *p, *q;
    bool excluded;
  } pairs[] = {{"a1", "c1", true},    {"a1", "b1", false}, {"a1", "d1", false},
               {"a1", "d2", true},    {"c2", "b1", true},  {"job1", "b2", true},
               {"job1", "b1", false}, {"lock", "d2", true}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    const uint32_t p = tl_names_find (&net->place_ids, pairs[i].p);
    const uint32_t q = tl_names_find (&net->place_ids, pairs[i].q);
    assert_int_equal (tl_excludes (&e, p, q), pairs[i].excluded);
    assert_int_equal (tl_excludes (&e, q, p), pairs[i].excluded);
  }
  tl_exclusion_close (&e);
  // Too much work: nothing is known.
  assert_int_equal (
      tl_exclusion_open (&e, &account, &s->semiflows, net->places, 1), TL_OK);
  assert_false (tl_excludes (&e, 0, 1));
  tl_exclusion_close (&e);
  tl_groups_close (&groups);
  drop (s, net);
}

// The place `unused`, which excludes few others, must not come first.
static void test_exclusion_of_managers (void **state) {
  (void)state;
  const uint64_t size = 8;
  tl_net *net;
  assert_int_equal (tl_net_example (&net, "dbm", 1, &size, 0), TL_OK);
  tl_structure *s = structure_of (net);
  tl_groups groups;
  uint32_t large = 0;
  assert_int_equal (tl_structure_exclusive_groups (s, &groups, 0), TL_OK);
  for (size_t i = 0; i < groups.count; i++)
    large += groups.group[i].count >= 3 * size;
  assert_int_equal (large, size - 1); // a message of each manager in each
  tl_groups_close (&groups);
  drop (s, net);
}

// ---- No memory

static tl_status do_everything (const tl_net *net, tl_mem *mem) {
  tl_structure *s = 0;
  tl_elimination *e = 0;
  tl_groups groups = {0}, exclusive = {0};
  tl_semiflow_report report = {0};
  const uint32_t cost[64] = {3, 2, 1};
  tl_status rc = tl_structure_open (&s, mem, net, 5, 0);
  if (!rc)
    rc = tl_structure_eliminate (s, cost, &e, 0);
  if (!rc)
    rc = tl_structure_groups (s, &groups, 0);
  if (!rc)
    rc = tl_structure_exclusive_groups (s, &exclusive, 0);
  if (!rc)
    rc = tl_structure_semiflows (s, &report, 0);
  tl_semiflow_report_close (&report);
  tl_groups_close (&exclusive);
  tl_groups_close (&groups);
  tl_elimination_close (e);
  tl_structure_close (s);
  return rc;
}

static void test_no_memory (void **state) {
  (void)state;
  tl_net *nets[] = {rings (4, 3),
                    net_of ("pl idle (9)\npl free (2)\npl a (8)\npl b\npl c\n"
                            "tr t idle free -> busy\ntr u busy -> idle free\n"
                            "tr ab a -> b*536870912\ntr ba b*536870912 -> a\n"
                            "tr bc b -> c*536870912\ntr cb c*536870912 -> b\n"
                            "tr up x ->\ntr down -> x\n")};
  for (int i = 0; i < 2; i++) {
    tl_status rc = TL_E_NOMEM;
    for (long n = 0; rc; n++) {
      tl_mem mem = TL_MEM (0, "failing");
      mem.fail_after = n;
      rc = do_everything (nets[i], &mem);
      assert_true (rc == TL_OK || rc == TL_E_NOMEM);
      assert_int_equal (mem.used, 0);
      assert_true (n < 10000);
    }
    tl_net_close (nets[i]);
  }
  assert_int_equal (account.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_lp),
      cmocka_unit_test (test_incidence),
      cmocka_unit_test (test_known_bounds),
      cmocka_unit_test (test_sources),
      cmocka_unit_test (test_claims),
      cmocka_unit_test (test_large_net),
      cmocka_unit_test (test_large_net_in_parts),
      cmocka_unit_test (test_busy_places),
      cmocka_unit_test (test_large_weights),
      cmocka_unit_test (test_numbers_beyond_range),
      cmocka_unit_test (test_deceptive_residue),
      cmocka_unit_test (test_modular_second_try),
      cmocka_unit_test (test_exclusion),
      cmocka_unit_test (test_exclusion_of_managers),
      cmocka_unit_test (test_no_memory),
  };
  return cmocka_run_group_tests_name ("structure", tests, 0, 0);
}
