// A solver that lies.  This program has its own tl_lp_..., which says that
// every linear program has an optimum and makes its values up: nothings, small
// numbers, fractions, and numbers that are none.  What the library claims must
// still be true, since exact arithmetic decides.

#include "../brute.h"
#include "../excluding.h"
#include "../random_net.h"
#include "../reducible_net.h"
#include "../refuting.h"

#include "base/random.h"
#include "structure/lp.h"
#include "structure/structure.h"
#include "symbolic/followers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { NETS = 400, STATES = 400 };

static tl_mem account = {.name = "test", .fail_after = -1};

// ---- The solver ------------------------------------------------------------

struct tl_lp {
  tl_mem *mem;
  uint32_t rows, columns;
  size_t primal_room, dual_room, activity_room;
  double *primal, *dual, *activity;
};

static tl_random lies = {1};
static uint64_t solved;

tl_status tl_lp_open (tl_lp **out, tl_mem *mem, uint32_t rows, uint32_t columns,
                      uint64_t entries) {
  (void)entries;
  if (!TL_NEW (mem, *out, 1))
    return TL_E_NOMEM;
  **out = (tl_lp){.mem = mem, .rows = rows, .columns = columns};
  return TL_OK;
}

void tl_lp_column (tl_lp *lp, double low, double high, double cost,
                   tl_vector terms) {
  (void)lp, (void)low, (void)high, (void)cost, (void)terms;
}

tl_status tl_lp_add_row (tl_lp *lp, double low, double high, tl_vector terms) {
  (void)low, (void)high, (void)terms;
  lp->rows++;
  return TL_OK;
}

void tl_lp_row (tl_lp *lp, uint32_t row, double low, double high) {
  (void)lp, (void)row, (void)low, (void)high;
}

void tl_lp_bound (tl_lp *lp, uint32_t column, double low, double high) {
  (void)lp, (void)column, (void)low, (void)high;
}

void tl_lp_cost (tl_lp *lp, uint32_t column, double cost) {
  (void)lp, (void)column, (void)cost;
}

static double lie (uint64_t mood) {
  const double small = (double)tl_random_below (&lies, 7) - 3;
  switch (mood) {
  case 0: return 0;
  case 1: return small > 0 ? 1 : 0;
  case 2: return small;
  case 3: return small / 6;
  case 4: return tl_random_below (&lies, 4) ? 0 : small;
  case 5: return small * 1e15;
  default: return tl_random_below (&lies, 9) ? small : (double)NAN;
  }
}

tl_lp_result tl_lp_solve (tl_lp *lp, tl_lp_method method, int iterations,
                          double seconds) {
  (void)method, (void)iterations, (void)seconds;
  const uint64_t mood = tl_random_below (&lies, 7);
  if (!TL_ROOM (lp->mem, lp->primal, &lp->primal_room, lp->columns + 1) ||
      !TL_ROOM (lp->mem, lp->dual, &lp->dual_room, lp->rows + 1) ||
      !TL_ROOM (lp->mem, lp->activity, &lp->activity_room, lp->rows + 1))
    return TL_LP_STOPPED;
  for (uint32_t i = 0; i < lp->columns; i++)
    lp->primal[i] = lie (mood);
  for (uint32_t i = 0; i < lp->rows; i++)
    lp->dual[i] = lie (mood), lp->activity[i] = lie (mood);
  solved++;
  return TL_LP_OPTIMAL;
}

const double *tl_lp_primal (const tl_lp *lp) {
  return lp->primal;
}

const double *tl_lp_dual (const tl_lp *lp) {
  return lp->dual;
}

const double *tl_lp_activity (const tl_lp *lp) {
  return lp->activity;
}

double tl_lp_value (const tl_lp *lp) {
  (void)lp;
  return 1;
}

int tl_lp_iterations (const tl_lp *lp) {
  (void)lp;
  return 1;
}

void tl_lp_close (tl_lp *lp) {
  if (!lp)
    return;
  TL_DEL (lp->mem, lp->primal, lp->primal_room);
  TL_DEL (lp->mem, lp->dual, lp->dual_room);
  TL_DEL (lp->mem, lp->activity, lp->activity_room);
  TL_DEL (lp->mem, lp, 1);
}

// ---- What is believed of it ------------------------------------------------

static void test_excludes_nothing_reachable (void **state) {
  (void)state;
  excluding x = {0};
  solved = 0;
  for (uint64_t seed = 1; seed <= NETS; seed++)
    excluding_add (&x, &account, seed);
  assert_int_equal (account.used, 0);
  assert_int_equal (x.wrong, 0);
  assert_true (solved > 1000);
}

static void test_refutes_nothing_reachable (void **state) {
  (void)state;
  refuting x = {0};
  for (uint64_t seed = 1; seed <= NETS / 8; seed++)
    refuting_add (&x, &account, seed);
  assert_int_equal (account.used, 0);
  assert_int_equal (x.wrong, 0);
}

// A group has one token at most, and if it is full one in every marking.
static void check_groups (tl_structure *s, const brute *b) {
  tl_groups groups;
  if (tl_structure_groups (s, &groups, 0))
    fail ();
  for (size_t g = 0; g < groups.count; g++)
    for (uint64_t i = 0; i < b->states && !groups.group[g].claimed; i++) {
      uint64_t tokens = 0;
      for (uint32_t k = 0; k < groups.group[g].count; k++)
        tokens += brute_marking (b, i)[tl_group_places (&groups, g)[k]];
      assert_true (tokens <= 1);
      assert_true (tokens || !groups.group[g].full);
    }
  tl_groups_close (&groups);
}

static void test_bounds_hold (void **state) {
  (void)state;
  static random_net sketch;
  solved = 0;
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    random_net_make (&sketch, seed);
    tl_net *net = random_net_build (&sketch, &account);
    brute b = brute_explore (net, STATES);
    tl_structure *s;
    assert_int_equal (tl_structure_open (&s, &account, net, 10, 0), TL_OK);
    for (uint32_t p = 0; p < net->places; p++)
      assert_true (s->source[p] == TL_BOUND_CLAIM ||
                   b.place_max[p] <= s->bound[p]);
    check_groups (s, &b);
    tl_structure_close (s);
    brute_close (&b);
    tl_net_close (net);
  }
  assert_int_equal (account.used, 0);
  assert_true (solved > 100);
}

// Does what others leave of a transition's needs let it fire?
static bool fires_without (const tl_net *net, const tl_followers *f,
                           const uint64_t *m, uint32_t t) {
  const tl_arcs pre = tl_net_pre (net, t), no = tl_net_inhibitors (net, t);
  bool fires = true;
  for (uint32_t i = 0; i < pre.count; i++)
    fires &= f->follows[pre.arc[i].place] ||
             m[pre.arc[i].place] >= pre.arc[i].weight;
  for (uint32_t i = 0; i < no.count; i++)
    fires &= m[no.arc[i].place] < no.arc[i].weight;
  return fires;
}

// A place that follows has what its sum says, and keeps nobody waiting.
static void check_followers (const tl_net *net, const tl_followers *f,
                             const brute *b) {
  for (uint64_t i = 0; i < b->states; i++) {
    const uint64_t *m = brute_marking (b, i);
    for (uint32_t p = 0; p < net->places; p++) {
      const tl_vector sum = tl_follower_sum (f, p);
      int64_t tokens = f->constant[p];
      for (uint32_t k = 0; k < sum.count; k++)
        tokens += sum.term[k].factor * (int64_t)m[sum.term[k].index];
      assert_true (!f->follows[p] || tokens == (int64_t)m[p]);
    }
    for (uint32_t t = 0; t < net->transitions; t++)
      assert_true (!fires_without (net, f, m, t) || brute_enabled (net, m, t));
  }
}

static void test_followers_follow (void **state) {
  (void)state;
  static random_net sketch;
  uint32_t sums = 0;
  for (uint64_t seed = 1; seed <= NETS * 4; seed++) {
    random_net_make (&sketch, seed);
    if (sketch.places > 8)
      continue; // there, lies are seldom true
    reducible_net_add_sum (&sketch, seed);
    tl_net *net = random_net_build (&sketch, &account);
    brute b = brute_explore (net, STATES);
    tl_followers f;
    assert_int_equal (tl_followers_open (&f, &account, net, 10), TL_OK);
    check_followers (net, &f, &b);
    sums += f.sums;
    tl_followers_close (&f);
    brute_close (&b);
    tl_net_close (net);
  }
  assert_int_equal (account.used, 0);
  assert_true (sums > 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_excludes_nothing_reachable),
      cmocka_unit_test (test_refutes_nothing_reachable),
      cmocka_unit_test (test_bounds_hold),
      cmocka_unit_test (test_followers_follow)};
  return cmocka_run_group_tests (tests, 0, 0);
}
