// How far markings are from what formulas want.

#include "logic/distance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { P, Q, PLACES };

// A transition that takes three of p and is inhibited by two of q.
static tl_net *build (tl_mem *mem) {
  tl_builder *b;
  tl_net *net;
  uint32_t p, q, t, u;
  assert_int_equal (tl_builder_open (&b, mem), TL_OK);
  assert_int_equal (tl_builder_place (b, "p", 0, 0, &p), TL_OK);
  assert_int_equal (tl_builder_place (b, "q", 0, 0, &q), TL_OK);
  assert_int_equal (tl_builder_transition (b, "t", 0, &t), TL_OK);
  assert_int_equal (tl_builder_transition (b, "u", 0, &u), TL_OK);
  assert_int_equal (tl_builder_arc (b, TL_ARC_PRE, p, t, 3), TL_OK);
  assert_int_equal (tl_builder_arc (b, TL_ARC_INHIBITOR, q, t, 2), TL_OK);
  assert_int_equal (tl_builder_arc (b, TL_ARC_PRE, q, u, 1), TL_OK);
  assert_int_equal (tl_builder_finish (b, "n", "example", &net, 0), TL_OK);
  return net;
}

static uint64_t far (const tl_net *net, const tl_formula *f, uint64_t p,
                     uint64_t q) {
  tl_mem mem = TL_MEM (0, "distance");
  tl_distance d;
  uint32_t enabled[2], count = 0;
  assert_non_null (f);
  assert_int_equal (tl_distance_open (&d, &mem, net, f), TL_OK);
  for (size_t i = 1; i < d.places; i++)
    assert_true (d.place[i - 1] < d.place[i]);
  if (p >= 3 && q < 2)
    enabled[count++] = 0;
  if (q >= 1)
    enabled[count++] = 1;
  const uint64_t marking[PLACES] = {p, q};
  const uint64_t result = tl_distance_of (&d, marking, enabled, count);
  tl_distance_close (&d);
  assert_int_equal (mem.used, 0);
  return result;
}

// Each place that it looks at is listed once.
static void places (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = build (&mem);
  tl_arena arena = TL_ARENA (&mem);
  const uint32_t both[] = {0, 1};
  tl_distance d;
  tl_formula *any = tl_formula_fireable (&arena, both, 2);
  assert_int_equal (tl_distance_open (&d, &mem, net, any), TL_OK);
  assert_int_equal (d.places, PLACES);
  assert_int_equal (d.place[0], P);
  assert_int_equal (d.place[1], Q);
  tl_distance_close (&d);
  tl_arena_close (&arena);
  tl_net_close (net);
}

static void distances (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = build (&mem);
  tl_arena arena = TL_ARENA (&mem);
  bool overflow;
  const uint32_t both[] = {0, 1};
  const tl_summand sum[] = {{P, 2}, {Q, -1}};
  tl_formula *few = tl_formula_compare (&arena, sum, 2, 4, &overflow),
             *can = tl_formula_fireable (&arena, both, 1),
             *any = tl_formula_fireable (&arena, both, 2),
             *dead = tl_formula_deadlock (&arena);
  assert_int_equal (far (net, few, 2, 0), 0);
  assert_int_equal (far (net, few, 5, 1), 5); // 2 * 5 - 1 is 5 too many
  assert_int_equal (far (net, can, 1, 4), 5); // 2 are missing, 3 in the way
  assert_int_equal (far (net, can, 3, 1), 0);
  assert_int_equal (far (net, any, 0, 0), 1);
  assert_int_equal (far (net, dead, 3, 1), 2);
  assert_int_equal (far (net, tl_formula_unary (&arena, TL_NOT, any), 3, 1), 2);
  assert_int_equal (far (net, tl_formula_unary (&arena, TL_NOT, dead), 0, 0),
                    1);
  assert_int_equal (
      far (net, tl_formula_binary (&arena, TL_AND, few, can), 5, 5), 5);
  assert_int_equal (
      far (net, tl_formula_binary (&arena, TL_OR, few, can), 1, 4), 0);
  assert_int_equal (far (net, tl_formula_constant (&arena, false), 1, 1),
                    TL_DISTANCE_MOST);
  tl_arena_close (&arena);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (places),
                                     cmocka_unit_test (distances)};
  return cmocka_run_group_tests_name ("distance", tests, 0, 0);
}
