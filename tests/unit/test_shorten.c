// Runs that show that a net is unbounded, made shorter: on random nets no step
// of what is left can be spared, and it still shows it.

#include "../brute.h"
#include "../random_net.h"
#include "base/random.h"
#include "explore/covering.h"
#include "explore/shorten.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NETS = 1500, STEPS = 60 };

// Does firing these transitions show it?
static bool shows (tl_mem *mem, const tl_net *net, const uint32_t *step,
                   uint64_t length) {
  uint32_t list[STEPS], place;
  tl_trace trace = {.transition = list, .length = length};
  uint64_t *m = test_calloc (net->places + 1, sizeof *m);
  memcpy (list, step, length * sizeof *list);
  bool found = brute_replay (net, step, length, m);
  if (found)
    assert_int_equal (tl_covering_find (mem, net, &trace, &found, &place),
                      TL_OK);
  test_free (m);
  return found;
}

// Fires at random until that shows it; the number of steps, or 0.
static uint64_t wander (tl_mem *mem, const tl_net *net, tl_random *random,
                        uint32_t *step) {
  uint64_t *m = test_calloc (net->places + 1, sizeof *m), length = 0;
  bool found = false;
  for (uint32_t p = 0; p < net->places; p++)
    m[p] = net->initial[p];
  while (!found && length < STEPS && net->transitions && !brute_dead (net, m)) {
    uint32_t t;
    do
      t = (uint32_t)tl_random_below (random, net->transitions);
    while (!brute_enabled (net, m, t));
    brute_fire (net, m, t);
    step[length++] = t;
    found = length > STEPS / 4 && shows (mem, net, step, length);
  }
  test_free (m);
  return found ? length : 0;
}

static void expect_shortest (tl_mem *mem, const tl_net *net,
                             const tl_trace *t) {
  uint32_t list[STEPS];
  assert_true (shows (mem, net, t->transition, t->length));
  assert_true (t->loop_from < t->length);
  for (uint64_t i = 0; i < t->length; i++) {
    memcpy (list, t->transition, t->length * sizeof *list);
    memmove (list + i, list + i + 1, (t->length - i - 1) * sizeof *list);
    assert_false (shows (mem, net, list, t->length - 1));
  }
}

static void no_step_can_be_spared (void **state) {
  (void)state;
  unsigned tried = 0, shorter = 0;
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    tl_mem mem = TL_MEM (0, "shorten");
    random_net *made = test_malloc (sizeof *made);
    random_net_make (made, seed);
    tl_net *net = random_net_build (made, &mem);
    tl_random random = {seed};
    uint32_t step[STEPS], place = 0;
    tl_trace trace = {.transition = step, .loop = true};
    trace.length = wander (&mem, net, &random, step);
    const uint64_t before = trace.length;
    if (before) {
      tl_shorten_unbounded (&mem, net, &trace, &place);
      expect_shortest (&mem, net, &trace);
      tried++;
      shorter += trace.length < before;
    }
    test_free (made);
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
  assert_true (tried > 50);
  assert_true (shorter > tried / 2);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (no_step_can_be_spared)};
  return cmocka_run_group_tests_name ("shorten", tests, 0, 0);
}
