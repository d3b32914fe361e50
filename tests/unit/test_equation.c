// The state equation of random nets: no reachable marking is ever excluded, and
// what is said to be the least value of a sum is not undercut; and of known
// nets: what it should exclude is excluded.

#include "../excluding.h"
#include "net/net.h"
#include "structure/equation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { NETS = 300 };

static tl_mem account = {.name = "test", .fail_after = -1};

// Nothing reachable is excluded, and most of what is impossible in small nets
// can be seen by the equation.
static void nothing_reachable_is_excluded (void **state) {
  (void)state;
  excluding x = {0};
  for (uint64_t seed = 1; seed <= NETS; seed++)
    excluding_add (&x, &account, seed);
  assert_int_equal (account.used, 0);
  assert_int_equal (x.wrong, 0);
  assert_true (x.excluded > x.impossible / 2);
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
