// Workers of one search in several threads: what the search has is only read.
// Built with ThreadSanitizer, which ends the program at the first race.

#include "base/random.h"
#include "explore/worker.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 3, STATES = 3000 };

typedef struct part {
  tl_worker worker;
  const uint64_t *keys; // [STATES] of all
  uint64_t *sum;        // [STATES] to be filled, of what a state leads to
  unsigned from, step;  // which states are its own
} part;

static void expand (part *p) {
  tl_worker *w = &p->worker;
  const uint32_t words = w->key_words;
  for (unsigned i = p->from; i < STATES; i += p->step) {
    memcpy (w->key, p->keys + i * words, words * sizeof *w->key);
    tl_worker_load (w);
    if (tl_worker_visit (w))
      continue;
    tl_worker_prune (w, 0);
    const uint32_t count = tl_worker_steps (w, w->enabled, w->count);
    for (uint32_t k = 0; k < count * words; k++)
      p->sum[i] = 31 * p->sum[i] + w->keys[k];
    p->sum[i] += count;
  }
}

static void *run (void *context) {
  expand (context);
  return 0;
}

static void open_part (part *p, tl_search *s) {
  assert_int_equal (
      tl_worker_open (&p->worker, s,
                      &(tl_worker_plan){.mem = &s->engine,
                                        .room = s->net->transitions,
                                        .visits = true,
                                        .lists = true}),
      TL_OK);
}

// The states of a random walk.
static uint64_t *walk (tl_search *s, tl_worker *w) {
  tl_random r = {1};
  const uint32_t words = s->code.key_words;
  uint64_t *keys = test_calloc (STATES * words, sizeof *keys);
  assert_int_equal (tl_worker_begin (w), TL_OK);
  for (unsigned i = 0; i < STATES; i++) {
    memcpy (keys + i * words, w->key, words * sizeof *keys);
    tl_worker_load (w);
    assert_true (w->count);
    const uint32_t t = w->enabled[tl_random_below (&r, w->count)];
    assert_int_equal (tl_worker_steps (w, &t, 1), 1);
    tl_worker_enter (w, t);
  }
  return keys;
}

static tl_visit_verdict begin (void *context, tl_search *s) {
  bool *done = context;
  part alone = {.step = 1}, p[THREADS] = {{.from = 0}};
  pthread_t thread[THREADS];
  tl_search_open_sleep (s, 0);
  open_part (&alone, s);
  uint64_t *keys = walk (s, &alone.worker);
  uint64_t *right = test_calloc (STATES, sizeof *right);
  uint64_t *sum = test_calloc (STATES, sizeof *sum);
  alone.keys = keys;
  alone.sum = right;
  expand (&alone);
  for (unsigned i = 0; i < THREADS; i++) {
    p[i] = (part){.keys = keys, .sum = sum, .from = i, .step = THREADS};
    open_part (p + i, s);
  }
  for (unsigned i = 0; i < THREADS; i++)
    assert_int_equal (pthread_create (thread + i, 0, run, p + i), 0);
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join (thread[i], 0);
  assert_memory_equal (sum, right, STATES * sizeof *sum);
  assert_int_equal (tl_search_expanded (s), 2 * STATES);
  const uint64_t arcs = alone.worker.census.arcs;
  tl_worker_close (&alone.worker);
  for (unsigned i = 0; i < THREADS; i++)
    tl_worker_close (&p[i].worker);
  assert_int_equal (s->census.arcs, 2 * arcs);
  test_free (keys);
  test_free (right);
  test_free (sum);
  *done = true;
  return TL_VISIT_STOP;
}

static void share (const char *family, uint64_t size, const char *stubborn) {
  tl_net *net;
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  tl_options options = tl_options_default ();
  options.stubborn = stubborn;
  bool done = false;
  const tl_visitor visitor = {.context = &done, .begin = begin};
  tl_exploration result = {.size = sizeof result};
  tl_mem root = TL_MEM (0, "total");
  assert_int_equal (tl_explore_on (&root, net, &options, &visitor, &result, 0),
                    TL_OK);
  assert_true (done);
  tl_exploration_close (&result);
  tl_net_close (net);
}

static void small_net (void **state) {
  (void)state;
  share ("kanban", 3, "none");
}

static void large_net (void **state) {
  (void)state;
  share ("dbm", 12, "none");
}

static void stubborn_sets (void **state) {
  (void)state;
  share ("kanban", 3, "deadlock");
  share ("dbm", 12, "deadlock");
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (small_net),
      cmocka_unit_test (large_net),
      cmocka_unit_test (stubborn_sets),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
