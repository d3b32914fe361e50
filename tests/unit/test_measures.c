// Measures of random nets: weights and offsets belong together, on every
// transition and along random walks, and every kind of measure is what it
// claims to be.

#include "../random_net.h"

#include "base/random.h"
#include "measure/candidates.h"
#include "measure/chains.h"
#include "measure/process.h"
#include "net/marking.h"
#include "structure/lp.h"
#include "structure/modular.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Linear programs are slow with sanitizers: one net in ten gets them.
enum { RANDOM_NETS = 1500, STEPS = 40, PROGRAMS = 10 };

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

// ---- Linear programs -------------------------------------------------------

// Numbers of such size that rounding does not matter.
static bool is_ordinary (const tl_net *net) {
  for (uint32_t t = 0; t < net->transitions; t++)
    for (tl_change ch = tl_net_change (net, t); tl_net_change_next (&ch);)
      if (ch.amount > 100 || ch.amount < -100)
        return false;
  return true;
}

// Is there x >= 0, not 0, with C x = 0?  Exactly then not all transitions can
// gain (Gordan).
static bool has_semiflow (const tl_incidence *c) {
  tl_lp *lp;
  tl_entry *term = calloc ((size_t)c->places + 1, sizeof *term);
  assert_int_equal (tl_lp_open (&lp, &account, c->places + 1, c->transitions,
                                c->entries + c->transitions),
                    TL_OK);
  for (uint32_t p = 0; p < c->places; p++)
    tl_lp_row (lp, p, 0, 0);
  tl_lp_row (lp, c->places, 1, 1);
  for (uint32_t t = 0; t < c->transitions; t++) {
    const tl_vector change = tl_incidence_transition (c, t);
    for (uint32_t i = 0; i < change.count; i++)
      term[i] = change.term[i];
    term[change.count] = (tl_entry){c->places, 1};
    // Those that change nothing are not asked for.
    tl_lp_column (lp, 0, change.count ? TL_LP_INFINITY : 0, 0,
                  (tl_vector){term, change.count + 1});
  }
  const tl_lp_result found = tl_lp_solve (lp, TL_LP_DUAL, 10000, 10);
  assert_true (found == TL_LP_OPTIMAL || found == TL_LP_INFEASIBLE);
  tl_lp_close (lp);
  free (term);
  return found == TL_LP_OPTIMAL;
}

// The least and the number of positive offsets of transitions that count.
static int64_t least_offset (const tl_measure *m, const tl_incidence *c,
                             uint32_t *gain) {
  int64_t least = INT64_MAX;
  *gain = 0;
  for (uint32_t t = 0; t < c->transitions; t++)
    if (tl_incidence_transition (c, t).count) {
      least = m->offset[t] < least ? m->offset[t] : least;
      *gain += m->offset[t] > 0;
    }
  return least;
}

// All gain where nothing forbids it; and where none loses, no other measure of
// that kind has more that gain.
static void check_programs (tl_measures *list, const tl_structure *s) {
  const tl_incidence *c = s->incidence;
  uint32_t gain, others;
  size_t first = list->count;
  assert_int_equal (tl_candidates_monotone (list, s, "monotone", 10), TL_OK);
  const bool monotone = list->count > first;
  assert_true (list->count <= first + 1);
  if (monotone)
    assert_true (least_offset (list->measure + first, c, &gain) >= 0 && gain);
  first = list->count;
  assert_int_equal (tl_candidates_maxfs (list, s, "maxfs", 0, 10), TL_OK);
  const bool all_gain = !has_semiflow (c);
  if (all_gain && c->entries) {
    // It is not added twice.
    const tl_measure *m = list->measure + (monotone ? first - 1 : first);
    assert_true (monotone);
    assert_true (least_offset (m, c, &gain) > 0);
    assert_int_equal (list->count - first <= 1, true);
  }
  for (size_t i = first; i < list->count; i++)
    if (least_offset (list->measure + i, c, &others) >= 0) {
      assert_true (monotone);
      assert_true (others <= gain);
    }
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
  size_t schmidt = 0, found = 0;
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
    tl_measures programs = {.mem = &account, .net = net};
    if (seed % PROGRAMS == 0 && is_ordinary (net))
      check_programs (&programs, s);
    found += programs.count;
    check_all (&programs, seed);
    tl_measures_close (&programs);
    assert_int_equal (tl_candidates_ranks (&list, s, "ranks"), TL_OK);
    add_random_weights (&list, seed);
    check_all (&list, seed);
    tl_measures_close (&list);
    tl_structure_close (s);
    tl_net_close (net);
    assert_int_equal (account.used, 0);
  }
  print_message ("%zu of %d nets have Schmidt's measure, %zu others\n", schmidt,
                 RANDOM_NETS, found);
}

// ---- Processes -------------------------------------------------------------

// A diamond with a way back, and a way out: p0 -> p1, p2; p1 -> p3; p2 -> p3;
// p3 -> p0; p3 -> nowhere.
static void process (void **state) {
  (void)state;
  static const int arcs[][2] = {{0, 1}, {0, 2}, {1, 3},
                                {2, 3}, {3, 0}, {3, -1}};
  static const tl_entry terms[] = {{0, 1}, {1, 1}, {2, 1}, {3, 1}};
  tl_builder *b;
  tl_net *net;
  tl_incidence *c;
  tl_process g;
  assert_int_equal (tl_builder_open (&b, &account), TL_OK);
  for (uint32_t i = 0; i < 6; i++) {
    char name[] = {'p', (char)('0' + i), 0};
    if (i < 4)
      assert_int_equal (tl_builder_place (b, name, 0, i == 0, 0), TL_OK);
    assert_int_equal (tl_builder_transition (b, name, 0, 0), TL_OK);
  }
  for (uint32_t i = 0; i < 6; i++) {
    tl_builder_arc (b, TL_ARC_PRE, (uint32_t)arcs[i][0], i, 1);
    if (arcs[i][1] >= 0)
      tl_builder_arc (b, TL_ARC_POST, (uint32_t)arcs[i][1], i, 1);
  }
  assert_int_equal (tl_builder_finish (b, "diamond", "pnml", &net, 0), TL_OK);
  assert_int_equal (tl_incidence_open (&c, &account, net, TL_COLUMNS_ALL), 0);
  assert_int_equal (tl_process_open (&g, &account, c, net->initial), TL_OK);
  assert_int_equal (tl_process_read (&g, (tl_vector){terms, 4}), TL_OK);
  assert_int_equal (g.edges, 6);
  assert_int_equal (g.origin, 0);
  assert_int_equal (tl_process_branching (&g), 2);
  tl_process_rank (&g);
  static const uint32_t longest[] = {0, 1, 1, 2, 3};
  for (uint32_t n = 0; n < 5; n++) {
    assert_int_equal (g.rank[TL_RANK_LONGEST][n], longest[n]);
    assert_int_equal (g.rank[TL_RANK_SHORTEST][n], longest[n]);
  }
  assert_int_equal (g.rank[TL_RANK_POSITION][0], 0);
  assert_int_equal (g.rank[TL_RANK_POSITION][3], 3);
  assert_int_equal (tl_process_width (&g, TL_RANK_POSITION), 4);
  int64_t weight[4] = {10};
  assert_int_equal (tl_process_weigh (&g, TL_RANK_LONGEST, 2, weight), TL_OK);
  assert_int_equal (weight[0], 4); // 10 + 2 * (0 - 3)
  assert_int_equal (weight[3], -2);
  weight[1] = INT64_MIN;
  assert_int_equal (tl_process_weigh (&g, TL_RANK_LONGEST, 2, weight),
                    TL_E_LIMIT);
  tl_process_close (&g);
  tl_incidence_close (c);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

// One manager after the other: only the return to the beginning loses.
static void managers (void **state) {
  (void)state;
  const uint64_t size = 5;
  tl_net *net;
  tl_structure *s;
  tl_measures list;
  const tl_measure_request request = {.progress = "ranks"};
  assert_int_equal (tl_net_example (&net, "dbm", 1, &size, 0), TL_OK);
  assert_int_equal (tl_structure_open (&s, &account, net, 1, 0), TL_OK);
  assert_int_equal (tl_measures_open (&list, &account, s, &request, 0), TL_OK);
  assert_true (list.count > 2);
  assert_int_equal (list.measure->regress, size);
  for (uint32_t t = 0; t < net->transitions; t++)
    assert_int_equal (list.measure->offset[t] < 0,
                      !strncmp (net->transition_id[t], "receive_ack", 11));
  check_all (&list, 1);
  tl_measures_close (&list);
  tl_structure_close (s);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

// ---- Opening ---------------------------------------------------------------

// Whatever is asked for, the list is not empty and ends with "none"; and the
// n-th allocation may fail.
static void words (void **state) {
  (void)state;
  static const char *const progress[] = {
      "schmidt",  "maxfs", "monotone", "ranks", "none", "waiting_1 + 3*mutex",
      "mutex / 2"};
  const uint64_t size = 3;
  tl_net *net;
  tl_structure *s;
  assert_int_equal (tl_net_example (&net, "dbm", 1, &size, 0), TL_OK);
  assert_int_equal (tl_structure_open (&s, &account, net, 1, 0), TL_OK);
  for (size_t i = 0; i < sizeof progress / sizeof *progress; i++) {
    const tl_measure_request request = {.progress = progress[i]};
    for (long n = 0;; n += n < 30 ? 1 : n / 8) {
      tl_mem mem = TL_MEM (0, "measures");
      tl_measures list;
      tl_error err = {0};
      mem.fail_after = n;
      const tl_status rc = tl_measures_open (&list, &mem, s, &request, &err);
      if (!rc) {
        const tl_measure *last = list.measure + list.count - 1;
        assert_string_equal (last->name, "none");
        assert_true (last->window == TL_WINDOW_ALL && !last->regress);
        tl_measures_close (&list);
      } else {
        assert_int_equal (rc, TL_E_NOMEM);
        assert_int_equal (err.code, TL_E_NOMEM);
      }
      assert_int_equal (mem.used, 0);
      if (!rc)
        break;
    }
  }
  tl_measures list;
  tl_error err = {0};
  assert_int_equal (
      tl_measures_open (&list, &account, s,
                        &(tl_measure_request){.progress = "mutexx"}, &err),
      TL_E_SYNTAX);
  assert_string_equal (err.text,
                       "unknown place 'mutexx'; did you mean 'mutex'?");
  tl_structure_close (s);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

// ---- Chains ----------------------------------------------------------------

// A ring of six transitions, and one more between the first two places.
static void chains (void **state) {
  (void)state;
  tl_builder *b;
  tl_net *net;
  assert_int_equal (tl_builder_open (&b, &account), TL_OK);
  for (uint32_t i = 0; i < 7; i++) {
    char name[] = {'p', (char)('0' + i), 0};
    if (i < 6)
      assert_int_equal (tl_builder_place (b, name, 0, i == 0, 0), TL_OK);
    name[0] = 't';
    assert_int_equal (tl_builder_transition (b, name, 0, 0), TL_OK);
  }
  for (uint32_t i = 0; i < 6; i++) {
    tl_builder_arc (b, TL_ARC_PRE, i, i, 1);
    tl_builder_arc (b, TL_ARC_POST, (i + 1) % 6, i, 1);
  }
  tl_builder_arc (b, TL_ARC_PRE, 0, 6, 1);
  tl_builder_arc (b, TL_ARC_POST, 1, 6, 1);
  assert_int_equal (tl_builder_finish (b, "ring", "pnml", &net, 0), TL_OK);
  tl_chains c;
  assert_int_equal (tl_chains_open (&c, &account, net), TL_OK);
  // From the worst to the best.
  static const char *const sets[] = {"t0 t6", "t1 t2", "t1 t3",
                                     "t1 t4", "t2 t5", "t5"};
  double before = 0;
  for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
    bool regress[7] = {0};
    for (const char *t = sets[i]; *t; t++)
      if (*t >= '0' && *t <= '6')
        regress[*t - '0'] = true;
    const double score = tl_chains_score (&c, regress);
    assert_true (score > before && score <= 1);
    before = score;
  }
  tl_chains_close (&c);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (random_nets), cmocka_unit_test (process),
      cmocka_unit_test (managers), cmocka_unit_test (words),
      cmocka_unit_test (chains)};
  return cmocka_run_group_tests_name ("measures", tests, 0, 0);
}
