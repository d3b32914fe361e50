// The state equation of random nets: no reachable marking is ever excluded, and
// what is said to be the least value of a sum is not undercut; and of known
// nets: what it should exclude is excluded.

#include "../brute.h"
#include "../random_net.h"

#include "base/random.h"
#include "structure/equation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NETS = 300, STATES = 300, LISTS = 12, MOST = 4, TERMS = 3 };

static tl_mem account = {.name = "test", .fail_after = -1};

typedef struct list {
  tl_entry term[MOST][TERMS];
  tl_inequality item[MOST];
  size_t count;
} list;

static void random_list (list *l, const tl_net *net, tl_random *random) {
  l->count = 1 + (size_t)tl_random_below (random, MOST);
  for (size_t i = 0; i < l->count; i++) {
    uint32_t n = 0, p = 0;
    while (n < TERMS && p < net->places) {
      p += (uint32_t)tl_random_below (random, net->places);
      if (p < net->places)
        l->term[i][n++] =
            (tl_entry){p++, (1 + (int64_t)tl_random_below (random, 3)) *
                                (tl_random_below (random, 2) ? 1 : -1)};
    }
    l->item[i] = (tl_inequality){{l->term[i], n},
                                 (int64_t)tl_random_below (random, 7) - 4};
  }
}

static __int128 value (tl_vector sum, const uint64_t *marking) {
  __int128 total = 0;
  for (uint32_t i = 0; i < sum.count; i++)
    total += (__int128)sum.term[i].factor * marking[sum.term[i].index];
  return total;
}

static bool some_state_satisfies (const brute *b, const list *l) {
  for (uint64_t s = 0; s < b->states; s++) {
    size_t n = 0;
    while (n < l->count &&
           value (l->item[n].sum, brute_marking (b, s)) <= l->item[n].bound)
      n++;
    if (n == l->count)
      return true;
  }
  return false;
}

static void check_least (tl_equation *e, const brute *b, tl_vector sum) {
  int64_t least;
  if (!tl_equation_least (e, sum, &least))
    return;
  for (uint64_t s = 0; s < b->states; s++)
    assert_true (value (sum, brute_marking (b, s)) >= least);
}

// Nothing reachable is excluded; counts what is excluded, and what could be.
static void nothing_reachable_is_excluded (void **state) {
  (void)state;
  static random_net sketch;
  uint64_t impossible = 0, excluded = 0;
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    random_net_make (&sketch, seed);
    tl_net *net = random_net_build (&sketch, &account);
    tl_random random = {seed};
    brute b = brute_explore (net, STATES);
    tl_incidence *c;
    tl_equation *e;
    list l;
    assert_int_equal (
        tl_incidence_open (&c, &account, net, TL_COLUMNS_FIREABLE), TL_OK);
    assert_int_equal (tl_equation_open (&e, &account, c, net->initial, 10),
                      TL_OK);
    for (int i = 0; net->places && i < LISTS; i++) {
      random_list (&l, net, &random);
      const bool out = tl_equation_excludes (e, l.item, l.count);
      const bool possible = some_state_satisfies (&b, &l);
      assert_false (out && possible);
      impossible += b.complete && !possible;
      excluded += out;
      check_least (e, &b, l.item->sum);
    }
    tl_equation_close (e);
    tl_incidence_close (c);
    brute_close (&b);
    tl_net_close (net);
  }
  assert_int_equal (account.used, 0);
  // Most of what is impossible in small nets can be seen by the equation.
  assert_true (excluded > impossible / 2);
}

// Two processes and a lock: the equation knows that they share it, for which
// fractions of tokens would have to be ruled out, too.
static void a_lock_excludes (void **state) {
  (void)state;
  tl_builder *builder;
  tl_net *net;
  assert_int_equal (tl_builder_open (&builder, &account), TL_OK);
  uint32_t place[5], transition[4];
  static const char *const names[] = {"lock", "out1", "in1",  "out2", "in2",
                                      "get1", "put1", "get2", "put2"};
  for (uint32_t i = 0; i < 5; i++)
    tl_builder_place (builder, names[i], 0, i % 2 || !i, place + i);
  for (uint32_t i = 0; i < 4; i++)
    tl_builder_transition (builder, names[5 + i], 0, transition + i);
  for (uint32_t i = 0; i < 4; i++) {
    const bool get = i % 2 == 0;
    const uint32_t out = place[i / 2 * 2 + 1], in = place[i / 2 * 2 + 2];
    const tl_arc_kind kind = get ? TL_ARC_PRE : TL_ARC_POST;
    const tl_arc_kind other = get ? TL_ARC_POST : TL_ARC_PRE;
    tl_builder_arc (builder, kind, place[0], transition[i], 1);
    tl_builder_arc (builder, kind, out, transition[i], 1);
    tl_builder_arc (builder, other, in, transition[i], 1);
  }
  assert_int_equal (tl_builder_finish (builder, "lock", "example", &net, 0),
                    TL_OK);
  tl_incidence *c;
  tl_equation *e;
  assert_int_equal (tl_incidence_open (&c, &account, net, TL_COLUMNS_ALL),
                    TL_OK);
  assert_int_equal (tl_equation_open (&e, &account, c, net->initial, 10),
                    TL_OK);
  const tl_entry in1 = {place[2], -1}, in2 = {place[4], -1};
  const tl_entry both[] = {{place[2], -1}, {place[4], -1}};
  const tl_inequality apart[] = {{{&in1, 1}, -1}, {{&in2, 1}, -1}};
  const tl_inequality together = {{both, 2}, -2};
  assert_false (tl_equation_excludes (e, apart, 1));
  assert_true (tl_equation_excludes (e, apart, 2));
  assert_true (tl_equation_excludes (e, &together, 1));
  int64_t least;
  assert_true (tl_equation_least (e, (tl_vector){both, 2}, &least));
  assert_int_equal (least, -1);
  tl_equation_close (e);
  // Without time nothing is said.
  assert_int_equal (tl_equation_open (&e, &account, c, net->initial, 0), TL_OK);
  assert_false (tl_equation_excludes (e, apart, 2));
  assert_false (tl_equation_least (e, (tl_vector){both, 2}, &least));
  tl_equation_close (e);
  tl_incidence_close (c);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (nothing_reachable_is_excluded),
      cmocka_unit_test (a_lock_excludes),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
