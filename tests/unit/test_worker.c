// Workers that share a search: each has a state of its own at hand, and what
// one does is not seen by the others.  The states of random nets are dealt out
// among them; what they find and what they count together is compared with the
// definition.

#include "../brute.h"
#include "../random_net.h"
#include "explore/worker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NETS = 300, CAP = 300, WORKERS = 3 };

typedef struct deal {
  brute b;
  tl_search *search;
  tl_worker worker[WORKERS];
  uint64_t at[WORKERS]; // numbers of their states
  uint64_t *marking, *state, *key;
  unsigned sparse, dense; // nets so far
  bool fits;              // every state fits the layout
} deal;

// The key of a marking.
static bool make_key (deal *d, const uint64_t *marking, uint64_t *key) {
  if (!tl_layout_pack (&d->search->layout, marking, d->state))
    return false;
  tl_code_key (&d->search->code, d->state, key);
  return true;
}

static void load (deal *d, unsigned i, uint64_t number) {
  d->at[i] = number;
  make_key (d, brute_marking (&d->b, number), d->worker[i].key);
  tl_worker_load (d->worker + i);
}

// Every successor of the state at hand, one by one and together.
static void check_successors (deal *d, unsigned i) {
  const tl_net *net = d->b.net;
  tl_worker *w = d->worker + i;
  const uint32_t words = d->search->code.key_words;
  uint32_t k = 0;
  assert_int_equal (tl_worker_steps (w, w->enabled, w->count), w->count);
  for (uint32_t t = 0; t < net->transitions; t++) {
    memcpy (d->marking, brute_marking (&d->b, d->at[i]),
            net->places * sizeof *d->marking);
    if (!brute_enabled (net, d->marking, t))
      continue;
    assert_true (k < w->count);
    assert_int_equal (w->enabled[k], t);
    brute_fire (net, d->marking, t);
    assert_true (make_key (d, d->marking, d->key));
    assert_memory_equal (w->keys + k * words, d->key, words * sizeof *d->key);
    k++;
  }
  assert_int_equal (k, w->count);
}

// Forth and back by the last of them.
static void check_way (deal *d, unsigned i) {
  tl_worker *w = d->worker + i;
  const size_t bytes = d->search->code.key_words * sizeof *d->key;
  if (!w->count)
    return;
  const uint32_t t = w->enabled[w->count - 1];
  memcpy (d->key, w->key, bytes);
  memcpy (d->state, w->state, d->search->layout.words * sizeof *d->state);
  assert_int_equal (tl_worker_steps (w, &t, 1), 1);
  tl_worker_enter (w, t);
  tl_worker_unpack (w);
  tl_worker_leave (w, t);
  assert_memory_equal (w->key, d->key, bytes);
  assert_memory_equal (w->state, d->state,
                       d->search->layout.words * sizeof *d->state);
}

static bool all_fit (deal *d) {
  for (uint64_t n = 0; n < d->b.states; n++)
    if (!tl_layout_pack (&d->search->layout, brute_marking (&d->b, n),
                         d->state))
      return false;
  return true;
}

static void deal_out (deal *d) {
  for (uint64_t n = 0; n < d->b.states; n += WORKERS) {
    unsigned many = 0;
    for (; many < WORKERS && n + many < d->b.states; many++)
      load (d, many, n + many);
    for (unsigned i = 0; i < many; i++)
      check_successors (d, i);
    for (unsigned i = many; i--;)
      assert_int_equal (tl_worker_visit (d->worker + i), TL_OK);
    for (unsigned i = 0; i < many; i++)
      check_way (d, i);
  }
}

static void check_census (const deal *d) {
  const tl_census *c = &d->search->census;
  const brute *b = &d->b;
  assert_int_equal (c->states, b->states);
  assert_int_equal (c->arcs, b->arcs);
  assert_int_equal (c->followed, b->arcs);
  assert_int_equal (c->deadlocks, b->deadlocks);
  assert_int_equal (c->max_tokens, b->max_per_marking);
  assert_memory_equal (c->fired, b->fired, b->net->transitions);
  assert_memory_equal (c->place_max, b->place_max,
                       b->net->places * sizeof *b->place_max);
}

static tl_visit_verdict begin (void *context, tl_search *s) {
  deal *d = context;
  d->search = s;
  d->state = test_calloc (s->layout.words, sizeof *d->state);
  d->key = test_calloc (s->code.key_words, sizeof *d->key);
  d->fits = all_fit (d);
  for (unsigned i = 0; i < WORKERS; i++)
    assert_int_equal (
        tl_worker_open (d->worker + i, s,
                        &(tl_worker_plan){.mem = &s->engine,
                                          .room = s->net->transitions + 1,
                                          .visits = true,
                                          .lists = true}),
        TL_OK);
  if (d->fits) {
    deal_out (d);
    assert_int_equal (tl_search_expanded (s), d->b.states);
    *(s->fire->scratch_words ? &d->sparse : &d->dense) += 1;
  }
  tl_worker_close (d->worker + 1);
  tl_worker_close (d->worker);
  tl_worker_close (d->worker + 2);
  assert_null (s->workers);
  if (d->fits && d->b.complete)
    check_census (d);
  test_free (d->state);
  test_free (d->key);
  return TL_VISIT_STOP;
}

static void try_net (deal *d, const tl_net *net) {
  const tl_options options = tl_options_default ();
  const tl_visitor visitor = {.context = d, .begin = begin};
  tl_exploration result;
  tl_mem root = TL_MEM (0, "total");
  d->marking = test_calloc (net->places + 1, sizeof *d->marking);
  assert_int_equal (tl_explore_on (&root, net, &options, &visitor, &result, 0),
                    TL_OK);
  assert_int_equal (root.used, 0);
  tl_exploration_close (&result);
  test_free (d->marking);
}

static void small_nets (void **state) {
  (void)state;
  deal d = {0};
  tl_mem mem = TL_MEM (0, "net");
  random_net *r = test_calloc (1, sizeof *r);
  for (uint64_t seed = 0; seed < NETS; seed++) {
    random_net_make (r, seed);
    tl_net *net = random_net_build (r, &mem);
    d.b = brute_explore (net, CAP);
    if (d.b.complete)
      try_net (&d, net);
    brute_close (&d.b);
    tl_net_close (net);
  }
  test_free (r);
  assert_true (d.dense > NETS / 4);
}

// One for which the successor generator needs scratch, and some of its states.
static void large_net (void **state) {
  (void)state;
  deal d = {0};
  tl_net *net;
  assert_int_equal (
      tl_net_example (&net, "philosophers", 1, (const uint64_t[]){100}, 0),
      TL_OK);
  d.b = brute_explore (net, CAP);
  try_net (&d, net);
  assert_int_equal (d.sparse, 1);
  brute_close (&d.b);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (small_nets),
                                     cmocka_unit_test (large_net)};
  return cmocka_run_group_tests (tests, 0, 0);
}
