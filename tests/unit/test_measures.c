// Measures of random nets: weights and offsets belong together, on every
// transition and along random walks, and every kind of measure is what it
// claims to be.

#include "../random_net.h"

#include "base/random.h"
#include "measure/candidates.h"
#include "net/marking.h"
#include "structure/modular.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANDOM_NETS = 1500, STEPS = 40 };

static tl_mem account = {.name = "test", .fail_after = -1};

// ---- What holds for every measure ------------------------------------------

// a * change of t, straight from the arcs.
static __int128 offset_of (const int64_t *weight, const tl_net *net,
                           uint32_t t) {
  const tl_arcs pre = tl_net_pre (net, t), post = tl_net_post (net, t);
  __int128 sum = 0;
  for (uint32_t i = 0; i < pre.count; i++)
    sum -= (__int128)weight[pre.arc[i].place] * pre.arc[i].weight;
  for (uint32_t i = 0; i < post.count; i++)
    sum += (__int128)weight[post.arc[i].place] * post.arc[i].weight;
  return sum;
}

static void check_offsets (const tl_measure *m, const tl_net *net) {
  uint32_t regress = 0;
  for (uint32_t t = 0; t < net->transitions; t++) {
    int sign = 0;
    for (uint32_t i = 0; i < m->parts; i++) {
      const int64_t offset = m->offset[(size_t)t * m->parts + i];
      assert_true (offset ==
                   offset_of (m->weight + (size_t)i * net->places, net, t));
      if (!sign)
        sign = (offset > 0) - (offset < 0);
    }
    regress += sign < 0;
  }
  assert_int_equal (m->regress, regress);
}

// A transition that is enabled, or the number of transitions.
static uint32_t choose (const tl_net *net, const uint64_t *marking,
                        tl_random *random) {
  for (uint32_t i = 0, n = net->transitions; i < 3 * n; i++) {
    const uint32_t t = (uint32_t)tl_random_below (random, n);
    if (tl_marking_enables (net, marking, t))
      return t;
  }
  return net->transitions;
}

// Along a walk the progress changes by the offsets.
static void check_walk (const tl_measure *m, const tl_net *net, uint64_t seed) {
  uint64_t *marking = calloc ((size_t)net->places + 1, sizeof *marking);
  tl_random random = {seed};
  int64_t before[TL_MEASURE_PARTS], after[TL_MEASURE_PARTS];
  tl_marking_initial (net, marking);
  tl_status rc = tl_measure_value (m, net, marking, before, 0);
  assert_int_equal (rc, TL_OK);
  assert_memory_equal (before, m->start, m->parts * sizeof *before);
  for (int step = 0; step < STEPS; step++) {
    const uint32_t t = choose (net, marking, &random);
    if (t == net->transitions)
      break;
    tl_marking_fire (net, marking, t);
    if (tl_measure_value (m, net, marking, after, 0))
      break; // it does not fit any more
    for (uint32_t i = 0; i < m->parts; i++)
      assert_int_equal (after[i],
                        before[i] + m->offset[(size_t)t * m->parts + i]);
    memcpy (before, after, sizeof before);
  }
  free (marking);
}

// Weights and an expression that has to be evaluated have the same values.
static void check_evaluation (tl_measures *list, size_t number,
                              const char *text, uint64_t seed) {
  const tl_net *net = list->net;
  char *slow = malloc (strlen (text) + 20);
  sprintf (slow, "%s + p0 / 1 - p0", text);
  if (!net->places || tl_measures_add_expression (list, slow, 0)) {
    free (slow);
    return;
  }
  const tl_measure *m = list->measure + number,
                   *e = list->measure + list->count - 1;
  uint64_t *marking = calloc (net->places, sizeof *marking);
  tl_random random = {seed};
  int64_t value[2][TL_MEASURE_PARTS];
  assert_null (e->weight);
  for (int i = 0; i < 5; i++) {
    for (uint32_t p = 0; p < net->places; p++)
      marking[p] = tl_random_below (&random, 10);
    if (tl_measure_value (m, net, marking, value[0], 0) ||
        tl_measure_value (e, net, marking, value[1], 0))
      continue;
    assert_memory_equal (value[0], value[1], m->parts * sizeof **value);
  }
  free (marking);
  free (slow);
  tl_measures_drop_last (list);
}

// It is the same when it is read back from its text.
static void check_text (tl_measures *list, size_t number, uint64_t seed) {
  const tl_net *net = list->net;
  char *text = tl_measure_text_full (list->measure + number, net);
  if (!tl_measures_add_expression (list, text, 0)) {
    const tl_measure *m = list->measure + number,
                     *again = list->measure + list->count - 1;
    assert_non_null (again->weight);
    assert_memory_equal (again->weight, m->weight,
                         m->parts * net->places * sizeof *m->weight);
    assert_memory_equal (again->start, m->start, m->parts * sizeof *m->start);
    tl_measures_drop_last (list);
  }
  check_evaluation (list, number, text, seed);
  free (text);
}

static void check_all (tl_measures *list, uint64_t seed) {
  for (size_t i = 0; i < list->count; i++) {
    const tl_measure *m = list->measure + i;
    assert_true (m->parts > 0 && m->parts <= TL_MEASURE_PARTS);
    check_offsets (m, list->net);
    check_walk (m, list->net, seed);
    check_text (list, i, seed);
  }
}

// ---- Schmidt ---------------------------------------------------------------

static const tl_prime prime = {1, ((uint64_t)1 << 61) - 1};

// Is the change of t a combination of the rows before?  Else it becomes one.
static bool depends (uint64_t *rows, uint32_t *count, const tl_net *net,
                     uint32_t t) {
  const uint32_t places = net->places;
  uint64_t *row = rows + (size_t)*count * places;
  memset (row, 0, places * sizeof *row);
  for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
    row[c.place] = tl_mod_of (prime, c.amount);
  for (uint32_t i = 0; i < *count; i++) {
    const uint64_t *other = rows + (size_t)i * places;
    uint32_t pivot = 0;
    while (!other[pivot])
      pivot++;
    const uint64_t factor =
        tl_mod_times (prime, row[pivot], tl_mod_inverse (prime, other[pivot]));
    for (uint32_t p = 0; factor && p < places; p++)
      row[p] =
          tl_mod_minus (prime, row[p], tl_mod_times (prime, factor, other[p]));
  }
  for (uint32_t p = 0; p < places; p++)
    if (row[p]) {
      ++*count;
      return false;
    }
  return true;
}

static void check_schmidt (const tl_measure *m, const tl_net *net) {
  uint64_t *rows =
      calloc ((size_t)(net->transitions + 1) * (net->places + 1), sizeof *rows);
  uint32_t count = 0;
  int64_t one = 0;
  for (uint32_t t = 0; t < net->transitions; t++) {
    if (depends (rows, &count, net, t))
      continue;
    if (!one)
      one = m->offset[t];
    assert_true (one > 0);
    assert_int_equal (m->offset[t], one);
  }
  free (rows);
}

// ---- Random nets -----------------------------------------------------------

static void add_random_weights (tl_measures *list, uint64_t seed) {
  tl_random random = {seed};
  const uint32_t parts = 1 + (uint32_t)tl_random_below (&random, 3);
  const size_t count = parts * (size_t)list->net->places;
  int64_t *weight = calloc (count + 1, sizeof *weight);
  for (size_t i = 0; i < count; i++)
    weight[i] = (int64_t)tl_random_below (&random, 9) - 4;
  assert_int_equal (tl_measures_add (list, "random", parts, weight), TL_OK);
  free (weight);
}

static void random_nets (void **state) {
  (void)state;
  size_t schmidt = 0;
  for (uint64_t seed = 1; seed <= RANDOM_NETS; seed++) {
    random_net random;
    random_net_make (&random, seed);
    tl_net *net = random_net_build (&random, &account);
    tl_structure *s;
    assert_int_equal (tl_structure_open (&s, &account, net, 0, 0), TL_OK);
    tl_measures list = {.mem = &account, .net = net};
    assert_int_equal (tl_candidates_schmidt (&list, s), TL_OK);
    if (list.count)
      check_schmidt (list.measure, net);
    schmidt += list.count;
    add_random_weights (&list, seed);
    check_all (&list, seed);
    tl_measures_close (&list);
    tl_structure_close (s);
    tl_net_close (net);
    assert_int_equal (account.used, 0);
  }
  print_message ("%zu of %d nets have Schmidt's measure\n", schmidt,
                 RANDOM_NETS);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (random_nets)};
  return cmocka_run_group_tests_name ("measures", tests, 0, 0);
}
