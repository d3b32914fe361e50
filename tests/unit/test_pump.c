// Parts of runs that can be repeated for ever: where one is told it is one, and
// in random nets without a bound most places that can grow are found to.

#include "../brute.h"
#include "../random_net.h"
#include "check/pump.h"
#include "net/trace.h"
#include "read/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NETS = 600, STATES = 3000, ROUNDS = 3, MUCH = 40 };

static tl_mem account = {.name = "test", .fail_after = -1};

static uint64_t sum_of (const uint64_t *m, const tl_summand *term,
                        uint32_t count) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++)
    sum += (uint64_t)term[i].coefficient * m[term[i].place];
  return sum;
}

// The part is fired some times, and the sum grows each time.
static void grows (const tl_net *net, const tl_trace *run,
                   const tl_summand *term, uint32_t count) {
  uint64_t *m = calloc (net->places + 1, sizeof *m);
  assert_true (run->loop && run->loop_from < run->length);
  assert_true (brute_replay (net, run->transition, run->loop_from, m));
  for (unsigned i = 0; i < ROUNDS; i++) {
    const uint64_t before = sum_of (m, term, count);
    for (uint64_t k = run->loop_from; k < run->length; k++) {
      assert_true (brute_enabled (net, m, run->transition[k]));
      brute_fire (net, m, run->transition[k]);
    }
    assert_true (sum_of (m, term, count) > before);
  }
  free (m);
}

static bool pumps (const tl_net *net, const tl_summand *term, uint32_t count,
                   uint64_t seed, double seconds) {
  tl_trace run;
  bool found;
  const tl_status rc =
      tl_pump_find (&account, net, term, count, seed, seconds, &run, &found);
  assert_true (!rc || rc == TL_E_LIMIT);
  if (found)
    grows (net, &run, term, count);
  tl_trace_close (&run);
  return found;
}

// What has so many tokens among so few markings has no bound, as good as.
static void on_random_nets (void **state) {
  (void)state;
  unsigned grown = 0, found = 0;
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    random_net made;
    random_net_make (&made, seed);
    tl_net *net = random_net_build (&made, &account);
    assert_non_null (net);
    brute b = brute_explore (net, STATES);
    for (uint32_t p = 0; p < net->places && net->transitions; p++) {
      const tl_summand term[] = {{p, 1}, {(p + 1) % net->places, 2}};
      const bool much = !b.complete && b.place_max[p] >= MUCH;
      const bool is = pumps (net, term, 1, seed, much ? 0.2 : 0.002);
      if (b.complete)
        assert_false (is);
      if (net->places > 1 && pumps (net, term, 2, seed, 0.002))
        assert_false (b.complete);
      grown += much;
      found += much && is;
    }
    brute_close (&b);
    tl_net_close (net);
  }
  print_message ("# of %u places with much %u grow for ever\n", grown, found);
  assert_true (grown > 20 && found >= grown / 2);
  assert_int_equal (account.used, 0);
}

// ---- Where it takes a way --------------------------------------------------

static const char *const nets[] = {
    // There first, in many steps.
    "pl a (500)\ntr t a -> b\ntr u b -> a\ntr v b*400 -> c\n"
    "tr w c -> c x\n",
    // One three times as often as the other, so that it takes nothing.
    "pl a (3)\ntr t a -> b\ntr u b*3 -> a*3 x*3\n",
    // What gives is switched on by what is used up.
    "pl k (20)\npl o (1)\ntr s k -> j\ntr t j*15 o -> l\ntr u l -> l y\n"
    "tr v l y*3 -> l x\n",
};

static void after_a_way (void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
    tl_net *net;
    uint32_t x = 0;
    assert_int_equal (tl_read_net_text (&net, &account, "x.net", nets[i],
                                        strlen (nets[i]), 0),
                      TL_OK);
    while (strcmp (net->place_id[x], "x"))
      x++;
    const tl_summand term = {x, 1};
    assert_true (pumps (net, &term, 1, 1, 20));
    tl_net_close (net);
  }
  assert_int_equal (account.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (on_random_nets),
                                     cmocka_unit_test (after_a_way)};
  return cmocka_run_group_tests_name ("pump", tests, 0, 0);
}
