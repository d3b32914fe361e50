// Who may sleep for whom: at every reachable marking of random nets, what
// sleeps after a transition can fire before it, and the transition after that.

#include "base/random.h"
#include "../brute.h"
#include "../random_net.h"
#include "structure/sleep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NETS = 400, STATES = 300 };

typedef struct world {
  tl_mem mem;
  tl_net *net;
  tl_sleep may;
  uint64_t *after, *other; // markings
} world;

static void begin (world *w, uint64_t seed) {
  random_net *made = test_malloc (sizeof *made);
  *w = (world){.mem = TL_MEM (0, "sleep")};
  random_net_make (made, seed);
  w->net = random_net_build (made, &w->mem);
  assert_non_null (w->net);
  assert_int_equal (tl_sleep_open (&w->may, &w->mem, w->net), TL_OK);
  assert_non_null (w->may.row);
  w->after = test_calloc (w->net->places + 1, sizeof *w->after);
  w->other = test_calloc (w->net->places + 1, sizeof *w->other);
  test_free (made);
}

static void end (world *w) {
  test_free (w->after);
  test_free (w->other);
  tl_sleep_close (&w->may);
  tl_net_close (w->net);
  assert_int_equal (w->mem.used, 0);
}

static void fire (const world *w, const uint64_t *from, uint32_t t,
                  uint64_t *to) {
  memcpy (to, from, w->net->places * sizeof *to);
  brute_fire (w->net, to, t);
}

// How many sleep at the markings that t leads to from this one.
static uint64_t check_pairs (const world *w, const uint64_t *marking,
                             uint32_t t) {
  uint64_t count = 0;
  fire (w, marking, t, w->after);
  for (uint32_t u = 0; u < w->net->transitions; u++) {
    if (u == t || !tl_sleep_has (&w->may, t, u) ||
        !brute_enabled (w->net, w->after, u))
      continue;
    assert_true (brute_enabled (w->net, marking, u));
    fire (w, marking, u, w->other);
    assert_true (brute_enabled (w->net, w->other, t));
    count++;
  }
  return count;
}

static void the_other_way_round_is_there (void **state) {
  (void)state;
  uint64_t count = 0;
  for (uint64_t seed = 0; seed < NETS; seed++) {
    world w;
    begin (&w, seed);
    brute b = brute_explore (w.net, STATES);
    for (uint64_t n = 0; n < b.states; n++)
      for (uint32_t t = 0; t < w.net->transitions; t++)
        if (brute_enabled (w.net, brute_marking (&b, n), t))
          count += check_pairs (&w, brute_marking (&b, n), t);
    brute_close (&b);
    end (&w);
  }
  assert_true (count > 100 * NETS);
}

// Only those that come before.
static void orders_are_kept (void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < NETS; seed++) {
    world w;
    tl_sleep sleep;
    tl_random random = {seed};
    begin (&w, seed);
    assert_int_equal (tl_sleep_open (&sleep, &w.mem, w.net), TL_OK);
    const uint32_t n = w.net->transitions;
    uint32_t *order = test_calloc (n + 1, sizeof *order);
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t k = (uint32_t)tl_random_below (&random, i + 1);
      order[i] = order[k];
      order[k] = i;
    }
    tl_sleep_order (&sleep, order);
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t k = 0; k < n; k++)
        assert_int_equal (tl_sleep_has (&sleep, order[i], order[k]),
                          k < i && tl_sleep_has (&w.may, order[i], order[k]));
    test_free (order);
    tl_sleep_close (&sleep);
    end (&w);
  }
}

// The list keeps its order.
static void lists_get_shorter (void **state) {
  (void)state;
  world w;
  begin (&w, 3);
  const uint32_t n = w.net->transitions;
  uint32_t *list = test_calloc (n + 1, sizeof *list);
  for (uint32_t by = 0; by < n; by++) {
    for (uint32_t t = 0; t < n; t++)
      list[t] = t;
    const uint32_t left = tl_sleep_prune (&w.may, by, list, n);
    uint32_t at = 0;
    for (uint32_t t = 0; t < n; t++)
      if (!tl_sleep_has (&w.may, by, t))
        assert_int_equal (list[at++], t);
    assert_int_equal (at, left);
  }
  test_free (list);
  end (&w);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (the_other_way_round_is_there),
      cmocka_unit_test (orders_are_kept),
      cmocka_unit_test (lists_get_shorter),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
