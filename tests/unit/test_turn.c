// A search that was to be a sweep and begins breadth-first, since no sweep
// pays: wherever it turns to the sweep, it finds what the others find, and its
// last turn visits every state.

#include "base/mem.h"
#include "explore/explore.h"
#include "net/net.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLACES = 9, TOKENS = 7, TURNS = 5 };

// What visitors see of a run.
typedef struct seen {
  tl_mem root;
  uint64_t visits; // since it began anew
  uint32_t turns;
  size_t least, most; // bytes in use during visits
} seen;

static tl_visit_verdict see (void *context, const tl_visit *visit) {
  (void)visit;
  seen *s = context;
  if (!s->visits++)
    s->least = s->root.used;
  if (s->root.used > s->most)
    s->most = s->root.used;
  return TL_VISIT_CONTINUE;
}

static tl_visit_verdict see_again (void *context) {
  seen *s = context;
  s->visits = 0;
  s->turns++;
  return TL_VISIT_CONTINUE;
}

static void run (const tl_net *net, const tl_options *options, seen *s,
                 tl_exploration *x) {
  *s = (seen){.root = TL_MEM (0, "total")};
  const tl_visitor visitor = {.context = s, .visit = see, .again = see_again};
  assert_int_equal (tl_explore_on (&s->root, net, options, &visitor, x, 0),
                    TL_OK);
  assert_true (x->complete);
  assert_true (x->counted);
  assert_int_equal (s->root.used, 0);
}

static void same (const tl_exploration *x, const tl_exploration *y) {
  assert_int_equal (x->states, y->states);
  assert_int_equal (x->arcs, y->arcs);
  assert_int_equal (x->deadlocks, y->deadlocks);
  assert_int_equal (x->dead_transitions, y->dead_transitions);
  assert_int_equal (x->max_tokens_per_marking, y->max_tokens_per_marking);
  assert_memory_equal (x->place_max, y->place_max,
                       x->places * sizeof *x->place_max);
  assert_string_equal (x->store, y->store);
}

// Tokens that go from any place to any other: there is no progress to be had.
static tl_net *gas (void) {
  static tl_mem mem = {.name = "net", .fail_after = -1};
  tl_builder *b;
  tl_net *net;
  char id[32];
  assert_int_equal (tl_builder_open (&b, &mem), TL_OK);
  for (uint32_t p = 0; p < PLACES; p++) {
    snprintf (id, sizeof id, "p%u", p);
    tl_builder_place (b, id, 0, p ? 0 : TOKENS, 0);
  }
  for (uint32_t from = 0, t = 0; from < PLACES; from++)
    for (uint32_t to = 0; to < PLACES; to++)
      if (from != to) {
        snprintf (id, sizeof id, "t%u_%u", from, to);
        tl_builder_transition (b, id, 0, 0);
        tl_builder_arc (b, TL_ARC_PRE, from, t, 1);
        tl_builder_arc (b, TL_ARC_POST, to, t++, 1);
      }
  assert_int_equal (tl_builder_finish (b, "gas", "example", &net, 0), TL_OK);
  return net;
}

static void turns_anywhere (void **state) {
  (void)state;
  tl_net *net = gas ();
  tl_options options = tl_options_default ();
  tl_exploration bfs, x;
  seen s, declined;
  run (net, &options, &s, &bfs);
  options.order = "sweep";
  run (net, &options, &declined, &x);
  assert_true (x.sweep.declined);
  assert_int_equal (declined.turns, 0);
  assert_int_equal (x.sweep.peak_states, x.states);
  same (&x, &bfs);
  tl_exploration_close (&x);
  for (size_t i = 0; i < TURNS; i++) {
    options.bfs_memory =
        declined.least + (declined.most - declined.least) * i / TURNS;
    run (net, &options, &s, &x);
    same (&x, &bfs);
    assert_false (x.sweep.declined);
    assert_int_equal (s.turns, 1);
    assert_int_equal (x.sweep.discarded, 1);
    assert_string_not_equal (x.sweep.measure, "none");
    assert_int_equal (s.visits, x.states);
    tl_exploration_close (&x);
  }
  tl_exploration_close (&bfs);
  tl_net_close (net);
}

// Whoever wants a sweep gets one at once.
static void sweeps_at_once (void **state) {
  (void)state;
  tl_net *net = gas ();
  tl_options options[3];
  for (size_t i = 0; i < 3; i++) {
    options[i] = tl_options_default ();
    options[i].order = "sweep";
  }
  options[0].bfs_memory = 0;
  options[1].window = 0;
  options[2].memory = (uint64_t)1 << 30;
  for (size_t i = 0; i < 3; i++) {
    tl_exploration x;
    seen s;
    run (net, options + i, &s, &x);
    assert_false (x.sweep.declined);
    assert_int_equal (x.sweep.discarded, 0);
    assert_int_equal (s.turns, 0);
    assert_true (i == 2 || x.sweep.peak_states < x.states);
    tl_exploration_close (&x);
  }
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (turns_anywhere),
      cmocka_unit_test (sweeps_at_once),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
