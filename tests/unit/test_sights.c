// Random walks and the markings that are kept of them, on random nets: what is
// enabled after each step is what the definition says, what satisfies an
// inequality is found, and nothing is lost that the state equation excludes.

#include "../random_net.h"
#include "check/assume.h"
#include "net/marking.h"
#include "net/stroll.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NETS = 100, STEPS = 60, LISTS = 20, MOST = 4 };

static tl_mem account = {.name = "test", .fail_after = -1};

static tl_net *make (uint64_t seed) {
  random_net made;
  random_net_make (&made, seed);
  tl_net *net = random_net_build (&made, &account);
  assert_non_null (net);
  return net;
}

static void steps_follow_the_definition (void **state) {
  (void)state;
  uint64_t fired_at_all = 0;
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    tl_net *net = make (seed);
    tl_stroll w;
    assert_int_equal (tl_stroll_open (&w, &account, net, seed), TL_OK);
    tl_stroll_begin (&w);
    for (uint32_t i = 0; i < STEPS; i++) {
      uint32_t enabled = 0, fired;
      for (uint32_t t = 0; t < net->transitions; t++) {
        const bool is = tl_marking_enables (net, w.tokens, t);
        enabled += is;
        assert_true (tl_stroll_enables (&w, t) == is);
      }
      assert_int_equal (w.count, enabled);
      assert_true (tl_stroll_step (&w, &fired) == (enabled != 0));
      fired_at_all += enabled != 0;
      if (!enabled)
        tl_stroll_begin (&w);
    }
    tl_stroll_close (&w);
    tl_net_close (net);
  }
  assert_int_equal (account.used, 0);
  assert_true (fired_at_all > NETS);
}

// ---- Inequalities ----------------------------------------------------------

// A list of literals, as formulas and as inequalities.
typedef struct list {
  tl_formula *formula[MOST];
  tl_entry term[MOST][2];
  tl_inequality inequality[MOST];
  uint32_t count;
} list;

static void choose (list *l, tl_arena *arena, const tl_net *net,
                    tl_random *random) {
  l->count = 1 + (uint32_t)tl_random_below (random, MOST);
  for (uint32_t i = 0; i < l->count; i++) {
    tl_summand sum[2];
    const uint32_t terms =
        net->places > 1 ? 1 + (uint32_t)tl_random_below (random, 2) : 1;
    const uint32_t p = (uint32_t)tl_random_below (random, net->places);
    for (uint32_t k = 0; k < terms; k++) {
      sum[k] =
          (tl_summand){.place = (p + k) % net->places,
                       .coefficient = tl_random_below (random, 2) ? 1 : -1};
      l->term[i][k] = (tl_entry){sum[k].place, sum[k].coefficient};
    }
    const int64_t bound = (int64_t)tl_random_below (random, 4) - 2;
    bool overflow;
    l->formula[i] = tl_formula_compare (arena, sum, terms, bound, &overflow);
    l->inequality[i] = (tl_inequality){{l->term[i], terms}, bound};
    assert_non_null (l->formula[i]);
  }
}

static bool is_satisfied (const list *l, const tl_sights *k, uint32_t marking) {
  for (uint32_t i = 0; i < l->count; i++) {
    int64_t sum = 0;
    for (uint32_t t = 0; t < l->inequality[i].sum.count; t++)
      sum += l->term[i][t].factor *
             k->tokens[(size_t)l->term[i][t].index * TL_SIGHTS + marking];
    if (sum > l->inequality[i].bound)
      return false;
  }
  return true;
}

static void expect_sighted (const list *l, tl_sights *k) {
  uint64_t all[TL_SIGHTS / 64] = {UINT64_MAX, UINT64_MAX};
  for (uint32_t i = 0; i < l->count; i++) {
    tl_sighted seen = {0};
    tl_sights_look (k, l->inequality + i, &seen);
    for (uint32_t w = 0; w < TL_SIGHTS / 64; w++)
      all[w] &= seen.marking[w];
  }
  assert_true (k->count > 0);
  for (uint32_t s = 0; s < k->count; s++)
    assert_true ((all[s / 64] >> s % 64 & 1) == is_satisfied (l, k, s));
}

// What is excluded is what the equation excludes, or bounds, whatever was asked
// before.
static void expect_same (const list *l, tl_assumptions *a, uint64_t *excluded,
                         uint64_t *spared) {
  const tl_structure *s = a->structure;
  tl_equation *fresh;
  assert_int_equal (
      tl_equation_open (&fresh, &account, s->incidence, s->net->initial, 10),
      TL_OK);
  const uint64_t points = a->sights->points;
  for (uint32_t i = 0; i < l->count; i++)
    tl_assume (a, l->formula[i], false);
  const bool is = tl_assumptions_excluded (a, 0);
  if (tl_equation_excludes (fresh, l->inequality, l->count)) {
    assert_true (is);
    ++*excluded;
  } else
    *spared += !is && a->sights->points == points;
  tl_assumptions_cut (a, 0);
  tl_equation_close (fresh);
}

static void nothing_excluded_is_lost (void **state) {
  (void)state;
  uint64_t excluded = 0, spared = 0, points = 0;
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    tl_net *net = make (seed);
    tl_structure *s;
    assert_int_equal (tl_structure_open (&s, &account, net, 10, 0), TL_OK);
    tl_sights sights = {.mem = &account, .net = net};
    tl_assumptions a = {.mem = &account, .structure = s, .sights = &sights};
    assert_int_equal (tl_equation_open (&a.equation, &account, s->incidence,
                                        net->initial, 10),
                      TL_OK);
    tl_arena arena = TL_ARENA (&account);
    tl_random random = {seed};
    for (uint32_t i = 0; net->places && i < LISTS; i++) {
      list l;
      choose (&l, &arena, net, &random);
      expect_sighted (&l, &sights);
      expect_same (&l, &a, &excluded, &spared);
    }
    points += sights.points;
    tl_arena_close (&arena);
    tl_assumptions_close (&a);
    tl_sights_close (&sights);
    tl_structure_close (s);
    tl_net_close (net);
  }
  assert_int_equal (account.used, 0);
  print_message ("# %u excluded, %u spared, %u points\n", (unsigned)excluded,
                 (unsigned)spared, (unsigned)points);
  assert_true (excluded > NETS);
  assert_true (spared > NETS);
  assert_true (points > NETS / 2);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (steps_follow_the_definition),
      cmocka_unit_test (nothing_excluded_is_lost)};
  return cmocka_run_group_tests (tests, 0, 0);
}
