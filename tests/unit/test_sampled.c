// Samples, pilot sweeps and annealing on random nets: arcs of samples are fired
// again, pilot sweeps are compared with a simulation that does nothing
// cleverly, and weights and offsets belong together.

#include "../random_net.h"

#include "measure/anneal.h"
#include "measure/sampled.h"
#include "net/marking.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NETS = 200, FEW = 60 };

static tl_mem account = {.name = "test", .fail_after = -1};

static tl_net *make_net (uint64_t seed) {
  static random_net r;
  random_net_make (&r, seed);
  tl_net *net = random_net_build (&r, &account);
  assert_non_null (net);
  return net;
}

static void make_sample (tl_sample *s, const tl_net *net, uint64_t seed,
                         uint32_t markings) {
  const tl_sample_limits limits = {
      .markings = markings, .arcs = 100000, .bytes = 1 << 22, .seconds = 100};
  const tl_sample_kind kind = seed % 2 ? TL_SAMPLE_DEEP : TL_SAMPLE_NEAR;
  assert_int_equal (tl_sample_open (s, &account, net, kind, &limits, seed),
                    TL_OK);
}

// ---- Samples ---------------------------------------------------------------

// [count][places]: each marking, by firing what led to it.
static uint64_t *replay (const tl_sample *s) {
  const size_t places = s->net->places;
  uint64_t *all = calloc ((size_t)s->count * places + 1, sizeof *all);
  tl_marking_initial (s->net, all);
  for (uint32_t n = 1; n < s->count; n++) {
    uint64_t *marking = all + n * places;
    assert_true (s->from[n] < n);
    memcpy (marking, all + s->from[n] * places, places * sizeof *marking);
    assert_true (tl_marking_enables (s->net, marking, s->by[n]));
    tl_marking_fire (s->net, marking, s->by[n]);
  }
  return all;
}

// The number of a marking in the sample, or TL_OUTSIDE.
static uint32_t find (const tl_sample *s, const uint64_t *all,
                      const uint64_t *marking) {
  const size_t places = s->net->places;
  for (uint32_t n = 0; n < s->count; n++)
    if (!memcmp (all + n * places, marking, places * sizeof *all))
      return n;
  return TL_OUTSIDE;
}

// The transitions enabled at a marking, but for those that change nothing, are
// its arcs, each once.
static void check_arcs (const tl_sample *s, const uint64_t *all, uint32_t n) {
  const tl_net *net = s->net;
  uint64_t *next = calloc ((size_t)net->places + 1, sizeof *next);
  uint64_t arcs = 0;
  for (uint32_t t = 0; t < net->transitions; t++) {
    memcpy (next, all + (size_t)n * net->places, net->places * sizeof *next);
    if (!tl_marking_enables (net, next, t))
      continue;
    tl_marking_fire (net, next, t);
    const uint32_t target = find (s, all, next);
    if (target == n)
      continue;
    uint32_t found = 0;
    for (uint64_t i = s->start[n]; i < s->start[n + 1]; i++)
      if (s->arc[i].transition == t) {
        assert_int_equal (s->arc[i].target, target);
        found++;
      }
    assert_int_equal (found, 1);
    arcs++;
  }
  assert_int_equal (arcs, s->start[n + 1] - s->start[n]);
  free (next);
}

static void samples_have_right_arcs (void **state) {
  (void)state;
  unsigned whole = 0, part = 0;
  for (uint64_t seed = 0; seed < NETS; seed++) {
    tl_net *net = make_net (seed);
    tl_sample s;
    make_sample (&s, net, seed / 2, FEW);
    uint64_t *all = replay (&s);
    bool leaves = false;
    assert_true (s.count && s.count <= FEW);
    for (uint32_t n = 0; n < s.count; n++) {
      assert_int_equal (find (&s, all, all + (size_t)n * net->places), n);
      check_arcs (&s, all, n);
    }
    for (uint64_t i = 0; i < s.start[s.count]; i++)
      leaves |= s.arc[i].target == TL_OUTSIDE;
    assert_int_equal (s.all, !leaves);
    whole += s.all;
    part += !s.all;
    free (all);
    tl_sample_close (&s);
    tl_net_close (net);
  }
  assert_true (whole > NETS / 10 && part > NETS / 10);
  assert_int_equal (account.used, 0);
}

// ---- Pilot sweeps ----------------------------------------------------------

// One sweep after another, every question answered by looking at all markings.
typedef struct naive {
  const tl_sample *sample;
  const tl_pilot *pilot; // for the order of transitions
  const int64_t *progress;
  uint64_t window;
  bool *stored, *waiting, *visited, *root;
  uint32_t *when, clock; // it was found last
  uint32_t *found_from, *found_by;
  int64_t furthest;
  uint64_t arcs;  // that were followed
  uint64_t again; // stored although they need no visit
  tl_pilot_result result;
} naive;

static bool behind (const naive *x, uint32_t n) {
  return (__int128)x->progress[n] + (__int128)x->window < x->furthest;
}

static void count_stored (naive *x) {
  uint32_t now = 0;
  for (uint32_t n = 0; n < x->sample->count; n++)
    now += (uint32_t)x->stored[n] + x->root[n];
  if (now > x->result.peak)
    x->result.peak = now;
}

static void store (naive *x, uint32_t n) {
  uint64_t visited = 0;
  bool first = true;
  for (uint32_t k = 0; k < x->sample->count; k++)
    if (x->progress[k] == x->progress[n]) {
      first &= !x->stored[k];
      visited += x->visited[k];
    }
  x->result.read += first ? visited : 0;
  x->stored[n] = true;
  x->waiting[n] = !x->visited[n];
  x->when[n] = x->clock++;
  x->again += x->visited[n];
}

static void reach (naive *x, uint32_t from, uint32_t by, uint32_t n) {
  if (behind (x, n) ? !n || x->root[n] : x->stored[n])
    return;
  if (behind (x, n)) {
    x->root[n] = true;
    x->when[n] = x->clock++;
    x->again++;
  } else
    store (x, n);
  x->found_from[n] = from;
  x->found_by[n] = by;
}

// The other way round lies in the sample, too.
static bool sleeps (const naive *x, uint32_t n, uint32_t t) {
  const tl_sample *s = x->sample;
  const uint32_t by = x->found_by[n];
  if (!n || x->pilot->rank[t] >= x->pilot->rank[by] ||
      !tl_sleep_has (&x->pilot->may, by, t))
    return false;
  const uint32_t from = x->found_from[n];
  for (uint64_t i = s->start[from]; i < s->start[from + 1]; i++)
    if (s->arc[i].transition == t && s->arc[i].target != TL_OUTSIDE)
      return true;
  return false;
}

// Of the waiting markings of least progress, the one found last.
static uint32_t least (const naive *x) {
  uint32_t best = TL_OUTSIDE;
  for (uint32_t n = 0; n < x->sample->count; n++)
    if (x->waiting[n] &&
        (best == TL_OUTSIDE || x->progress[n] < x->progress[best] ||
         (x->progress[n] == x->progress[best] && x->when[n] > x->when[best])))
      best = n;
  return best;
}

// The root that was found first.
static uint32_t first_root (const naive *x) {
  uint32_t best = TL_OUTSIDE;
  for (uint32_t n = 0; n < x->sample->count; n++)
    if (x->root[n] && (best == TL_OUTSIDE || x->when[n] < x->when[best]))
      best = n;
  return best;
}

static void naive_sweep (naive *x) {
  const tl_sample *s = x->sample;
  x->result.sweeps++;
  for (uint32_t n; (n = least (x)) != TL_OUTSIDE;) {
    x->waiting[n] = false;
    x->visited[n] = true;
    x->result.visited++;
    if (x->progress[n] > x->furthest)
      x->furthest = x->progress[n];
    for (uint32_t k = 0; k < s->count; k++)
      x->stored[k] = x->stored[k] && !behind (x, k);
    for (uint32_t t = 0; t < s->net->transitions; t++)
      for (uint64_t i = s->start[n]; i < s->start[n + 1]; i++)
        if (s->arc[i].transition == t && s->arc[i].target != TL_OUTSIDE &&
            !sleeps (x, n, t)) {
          x->arcs++;
          reach (x, n, t, s->arc[i].target);
        }
    count_stored (x);
  }
}

// Stores the roots; false: there are none.
static bool begin_naively (naive *x) {
  bool any = false;
  memset (x->stored, 0, x->sample->count * sizeof *x->stored);
  x->furthest = INT64_MIN;
  for (uint32_t n; (n = first_root (x)) != TL_OUTSIDE; any = true) {
    x->root[n] = false;
    store (x, n);
  }
  return any;
}

static tl_pilot_result simulate (const tl_pilot *p, uint64_t window) {
  const tl_sample *s = p->sample;
  bool *flags = calloc ((size_t)s->count * 4, sizeof *flags);
  uint32_t *numbers = calloc ((size_t)s->count * 3, sizeof *numbers);
  naive x = {.sample = s,
             .pilot = p,
             .progress = p->progress,
             .window = window,
             .stored = flags,
             .waiting = flags + s->count,
             .visited = flags + 2 * (size_t)s->count,
             .root = flags + 3 * (size_t)s->count,
             .when = numbers,
             .found_from = numbers + s->count,
             .found_by = numbers + 2 * (size_t)s->count,
             .result = {.peak = 1}};
  x.root[0] = true;
  while (begin_naively (&x))
    naive_sweep (&x);
  free (flags);
  free (numbers);
  // Less for what is stored again than for a visit, and little for an arc and
  // for the disk.
  const uint64_t visit = TL_PILOT_VISIT + (p->writes ? TL_PILOT_VISIT / 32 : 0);
  x.result.work =
      visit * (uint64_t)x.result.visited + TL_PILOT_VISIT / 64 * x.arcs +
      TL_PILOT_VISIT * 5 / 8 * x.again + TL_PILOT_VISIT / 64 * x.result.read;
  return x.result;
}

static void check_pilot (tl_pilot *p, const int64_t *offset, uint64_t window) {
  tl_pilot_result r;
  tl_pilot_measure (p, offset);
  assert_true (tl_pilot_sweep (p, window, 0, INFINITY, &r));
  const tl_pilot_result right = simulate (p, window);
  assert_int_equal (r.peak, right.peak);
  assert_int_equal (r.visited, p->count);
  assert_int_equal (r.visited, right.visited);
  assert_int_equal (r.read, right.read);
  assert_int_equal (r.work, right.work);
  assert_int_equal (r.sweeps, right.sweeps);
  // Given up at exactly that cost, not before.
  const double cost = r.peak + 0.5 * tl_pilot_visits (&r);
  assert_true (tl_pilot_sweep (p, window, 0.5, cost, &r));
  assert_false (tl_pilot_sweep (p, window, 0.5, cost - 1.0 / 1024, &r));
}

static void pilot_sweeps_as_simulated (void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < NETS; seed++) {
    tl_net *net = make_net (seed);
    tl_random random = {seed};
    tl_sample s;
    tl_pilot p;
    int64_t *offset = calloc ((size_t)net->transitions + 1, sizeof *offset);
    make_sample (&s, net, seed, 150);
    assert_int_equal (tl_pilot_open (&p, &s), TL_OK);
    // Also values far apart, which are numbered in another way.
    for (int64_t scale = 1; scale < 1000000000; scale *= 30000) {
      for (uint32_t t = 0; t < net->transitions; t++)
        offset[t] = ((int64_t)tl_random_below (&random, 7) - 2) * scale;
      for (uint64_t window = 0; window < 4; window++)
        check_pilot (&p, offset, window * (uint64_t)scale);
      check_pilot (&p, offset, UINT64_MAX);
    }
    free (offset);
    tl_pilot_close (&p);
    tl_sample_close (&s);
    tl_net_close (net);
  }
  assert_int_equal (account.used, 0);
}

// ---- Annealing -------------------------------------------------------------

static void check_offsets (const tl_net *net, const int64_t *weight,
                           const int64_t *offset) {
  for (uint32_t t = 0; t < net->transitions; t++) {
    int64_t sum = 0;
    for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);)
      sum += weight[c.place] * c.amount;
    assert_int_equal (offset[t], sum);
  }
}

static void anneal_once (const tl_net *net, tl_pilot *p,
                         const tl_incidence *incidence, int64_t *best,
                         double *cost) {
  tl_alike alike;
  tl_anneal a;
  assert_int_equal (tl_alike_open (&alike, &account, net, incidence), TL_OK);
  assert_int_equal (tl_anneal_open (&a, p, incidence, &alike, 0.02, 7), TL_OK);
  int64_t *weight = calloc ((size_t)net->places + 1, sizeof *weight);
  tl_anneal_start (&a, weight, 1);
  const double before = a.cost;
  tl_anneal_run (&a, 100000, 5, 0.1, 0.5);
  check_offsets (net, a.weight, a.offset);
  assert_true (a.best_cost <= before && a.best_cost <= a.cost);
  memcpy (best, a.best, net->places * sizeof *best);
  *cost = a.best_cost;
  // The best is what it is said to be.
  tl_anneal_start (&a, a.best, a.best_window);
  assert_true (a.cost == *cost);
  free (weight);
  tl_anneal_close (&a);
  tl_alike_close (&alike);
}

static void annealing_is_repeatable (void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < NETS / 4; seed++) {
    tl_net *net = make_net (seed);
    tl_incidence *incidence;
    tl_sample s;
    tl_pilot p;
    int64_t *best = calloc (2 * (size_t)net->places + 1, sizeof *best);
    double cost[2];
    make_sample (&s, net, seed, 300);
    assert_int_equal (tl_pilot_open (&p, &s), TL_OK);
    assert_int_equal (
        tl_incidence_open (&incidence, &account, net, TL_COLUMNS_ALL), TL_OK);
    anneal_once (net, &p, incidence, best, cost);
    anneal_once (net, &p, incidence, best + net->places, cost + 1);
    assert_true (cost[0] == cost[1]);
    assert_memory_equal (best, best + net->places, net->places * sizeof *best);
    free (best);
    tl_incidence_close (incidence);
    tl_pilot_close (&p);
    tl_sample_close (&s);
    tl_net_close (net);
  }
  assert_int_equal (account.used, 0);
}

// ---- The choice ------------------------------------------------------------

static void check_list (const tl_measures *list) {
  assert_true (list->count > 0);
  for (size_t i = 0; i < list->count; i++)
    check_offsets (list->net, list->measure[i].weight, list->measure[i].offset);
  assert_int_equal (list->measure[list->count - 1].parts, 1);
}

// The whole choice, with `fail` as in tl_mem.
static tl_status choose (const tl_net *net, long fail) {
  tl_mem mem = TL_MEM (&account, "choice");
  tl_structure *structure;
  tl_measures list;
  assert_int_equal (tl_structure_open (&structure, &mem, net, 0, 0), TL_OK);
  mem.fail_after = fail;
  const tl_measure_request request = {
      .progress = "auto", .seed = 3, .seconds = 0.01};
  tl_error error = {0};
  const tl_status rc =
      tl_measures_open (&list, &mem, structure, &request, &error);
  if (rc)
    assert_int_not_equal (error.text[0], 0);
  else {
    check_list (&list);
    tl_measures_close (&list);
  }
  mem.fail_after = -1;
  tl_structure_close (structure);
  assert_int_equal (mem.used, 0);
  return rc;
}

static void choices_hold_on_random_nets (void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < NETS; seed++) {
    tl_net *net = make_net (seed);
    assert_int_equal (choose (net, -1), TL_OK);
    tl_net_close (net);
  }
  assert_int_equal (account.used, 0);
}

static void choices_survive_lack_of_memory (void **state) {
  (void)state;
  tl_net *net = make_net (4);
  for (long fail = 0; choose (net, fail); fail += 1 + fail / 4)
    ;
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

// The weights of the measures that so many threads choose, one after the other;
// how many.  On a machine that is too busy the choice is cut short: 0.
static size_t choose_with (const tl_net *net, unsigned threads, size_t most,
                           int64_t *weight) {
  tl_mem mem = TL_MEM (&account, "choice");
  tl_structure *structure;
  tl_measures list;
  assert_int_equal (tl_structure_open (&structure, &mem, net, 0, 0), TL_OK);
  const tl_measure_request request = {
      .progress = "sampled", .seed = 3, .seconds = 2, .threads = threads};
  assert_int_equal (tl_measures_open (&list, &mem, structure, &request, 0),
                    TL_OK);
  const bool cut = list.seconds > 4 * request.seconds;
  const size_t count = cut ? 0 : list.count < most ? list.count : most;
  for (size_t i = 0; i < count; i++)
    memcpy (weight + i * net->places, list.measure[i].weight,
            net->places * sizeof *weight);
  tl_measures_close (&list);
  tl_structure_close (structure);
  assert_int_equal (mem.used, 0);
  return count;
}

static void several_threads_choose_the_same (void **state) {
  (void)state;
  enum { MOST = 8, PLACES = 16 };
  int64_t one[MOST * PLACES], three[MOST * PLACES];
  tl_net *net;
  assert_int_equal (tl_net_example (&net, "kanban", 1, &(uint64_t){4}, 0),
                    TL_OK);
  assert_int_equal (net->places, PLACES);
  const size_t count = choose_with (net, 1, MOST, one),
               again = choose_with (net, 3, MOST, three);
  tl_net_close (net);
  if (!count || !again)
    skip ();
  assert_int_equal (count, again);
  assert_memory_equal (one, three, count * PLACES * sizeof *one);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (samples_have_right_arcs),
      cmocka_unit_test (pilot_sweeps_as_simulated),
      cmocka_unit_test (annealing_is_repeatable),
      cmocka_unit_test (choices_hold_on_random_nets),
      cmocka_unit_test (several_threads_choose_the_same),
      cmocka_unit_test (choices_survive_lack_of_memory)};
  return cmocka_run_group_tests (tests, 0, 0);
}
