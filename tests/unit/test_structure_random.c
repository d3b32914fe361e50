// What is said about random nets before any state is visited: no reachable
// marking contradicts it, and it is the best that can be said.

#include "../brute.h"
#include "../random_net.h"

#include "base/random.h"
#include "structure/lp.h"
#include "structure/structure.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANDOM_NETS = 2000, STATES = 300, MANY = 16 };

static tl_mem account = {.name = "test", .fail_after = -1};

static void check_bounds (const tl_structure *s, const brute *b) {
  for (uint32_t p = 0; p < s->net->places; p++)
    if (s->source[p] != TL_BOUND_CLAIM && s->bound[p] < b->place_max[p])
      fail_msg ("p%u holds %lu tokens, its bound is %lu", p,
                (unsigned long)b->place_max[p], (unsigned long)s->bound[p]);
}

// Numbers of such size that rounding does not matter.
static bool is_ordinary (const tl_net *net) {
  for (uint32_t p = 0; p < net->places; p++)
    if (net->initial[p] > 1000)
      return false;
  for (uint32_t t = 0; t < net->transitions; t++)
    for (tl_change ch = tl_net_change (net, t); tl_net_change_next (&ch);)
      if (ch.amount > 1000 || ch.amount < -1000)
        return false;
  return true;
}

// The state equation, solved the other way round: the bounds of a small net
// are the best that it gives.
static void check_best (const tl_structure *s) {
  const tl_incidence *c = s->incidence;
  tl_lp *lp;
  assert_int_equal (
      tl_lp_open (&lp, &account, c->places, c->transitions, c->entries), TL_OK);
  for (uint32_t p = 0; p < c->places; p++)
    tl_lp_row (lp, p, -(double)s->net->initial[p], TL_LP_INFINITY);
  for (uint32_t t = 0; t < c->transitions; t++)
    tl_lp_column (lp, 0, TL_LP_INFINITY, 0, tl_incidence_transition (c, t));
  for (uint32_t p = 0; p < c->places; p++) {
    const tl_vector row = tl_incidence_place (c, p);
    for (uint32_t i = 0; i < row.count; i++)
      tl_lp_cost (lp, row.term[i].index, -(double)row.term[i].factor);
    const tl_lp_result found = tl_lp_solve (lp, TL_LP_PRIMAL, 10000, 10);
    const double most = floor (s->net->initial[p] - tl_lp_value (lp) + 1e-6);
    if (found == TL_LP_OPTIMAL && s->bound[p] > 1 && (double)s->bound[p] > most)
      fail_msg ("p%u has the bound %lu instead of %.0f", p,
                (unsigned long)s->bound[p], most);
    for (uint32_t i = 0; i < row.count; i++)
      tl_lp_cost (lp, row.term[i].index, 0);
  }
  tl_lp_close (lp);
}

static void check_bounding (const tl_semiflows *f, const brute *b) {
  for (size_t i = 0; i < f->count; i++) {
    const tl_vector y = tl_semiflows_terms (f, i);
    for (uint64_t n = 0; n < b->states; n++) {
      __int128 sum = 0;
      for (uint32_t k = 0; k < y.count; k++)
        sum +=
            (__int128)brute_marking (b, n)[y.term[k].index] * y.term[k].factor;
      assert_true (f->semiflow[i].kind == TL_SEMIFLOW_EXACT
                       ? sum == f->semiflow[i].tokens
                       : sum <= f->semiflow[i].tokens);
    }
  }
}

typedef tl_status find_groups (tl_structure *, tl_groups *, tl_error *);

static void check_groups (tl_structure *s, const brute *b, find_groups *find) {
  tl_groups g;
  assert_int_equal (find (s, &g, 0), TL_OK);
  bool *seen = calloc ((size_t)s->net->places + 1, 1);
  for (size_t i = 0; i < g.count; i++) {
    for (uint32_t k = 0; k < g.group[i].count; k++) {
      assert_false (seen[tl_group_places (&g, i)[k]]);
      seen[tl_group_places (&g, i)[k]] = true;
    }
    for (uint64_t n = 0; !g.group[i].claimed && n < b->states; n++) {
      uint64_t sum = 0;
      for (uint32_t k = 0; k < g.group[i].count; k++)
        sum += brute_marking (b, n)[tl_group_places (&g, i)[k]];
      assert_true (sum == 1 || (!sum && !g.group[i].full));
    }
  }
  free (seen);
  tl_groups_close (&g);
}

static void check_relations (const tl_elimination *e, const brute *b) {
  for (size_t i = 0; i < e->relations; i++) {
    const tl_relation *r = e->relation + i;
    const tl_vector terms = tl_relation_terms (e, r);
    for (uint64_t n = 0; n < b->states; n++) {
      const uint64_t *m = brute_marking (b, n);
      __int128 sum = r->constant;
      for (uint32_t k = 0; k < terms.count; k++) {
        assert_false (e->dependent[terms.term[k].index]);
        sum += (__int128)terms.term[k].factor * m[terms.term[k].index];
      }
      assert_true (sum == (__int128)r->denominator * m[r->place]);
    }
  }
}

// Rank of some rows, dense and modulo a small prime.
static uint32_t rank_of (const tl_incidence *c, const bool *chosen) {
  const int64_t prime = 1000003;
  const size_t columns = c->transitions;
  int64_t *basis = calloc (columns * columns + 1, sizeof *basis);
  int64_t *row = calloc (columns + 1, sizeof *row);
  uint32_t rank = 0;
  for (uint32_t p = 0; p < c->places; p++) {
    const tl_vector terms = tl_incidence_place (c, p);
    memset (row, 0, columns * sizeof *row);
    for (uint32_t i = 0; chosen[p] && i < terms.count; i++)
      row[terms.term[i].index] = (terms.term[i].factor % prime + prime) % prime;
    for (size_t t = 0; t < columns; t++) {
      int64_t *pivot = basis + t * columns;
      if (row[t] && !pivot[t]) {
        memcpy (pivot, row, columns * sizeof *row);
        rank++;
        break;
      }
      const int64_t up = row[t], down = pivot[t];
      for (size_t u = t; up && u < columns; u++)
        row[u] = ((row[u] * down - pivot[u] * up) % prime + prime) % prime;
    }
  }
  free (basis);
  free (row);
  return rank;
}

// The independent places cost least among all sets of places of full rank.
static void check_elimination (const tl_structure *s, const brute *b,
                               tl_random *random) {
  const uint32_t places = s->net->places;
  uint32_t *cost = calloc ((size_t)places + 1, sizeof *cost), paid = 0;
  bool *chosen = calloc ((size_t)places + 1, 1);
  for (uint32_t p = 0; p < places; p++) {
    cost[p] = (uint32_t)tl_random_below (random, 5);
    chosen[p] = true;
  }
  tl_elimination *e;
  assert_int_equal (tl_structure_eliminate (s, cost, &e, 0), TL_OK);
  check_relations (e, b);
  assert_true (e->complete);
  assert_int_equal (e->rank, rank_of (s->incidence, chosen));
  assert_int_equal (e->relations, places - e->rank);
  for (uint32_t p = 0; p < places; p++)
    paid += e->dependent[p] ? 0 : cost[p];
  for (uint32_t set = 0; places <= 7 && set < 1u << places; set++) {
    uint32_t price = 0;
    for (uint32_t p = 0; p < places; p++) {
      chosen[p] = set >> p & 1;
      price += chosen[p] ? cost[p] : 0;
    }
    assert_true (price >= paid || rank_of (s->incidence, chosen) < e->rank);
  }
  tl_elimination_close (e);
  free (chosen);
  free (cost);
}

static uint64_t support_of (tl_vector y) {
  uint64_t set = 0;
  for (uint32_t i = 0; i < y.count; i++)
    set |= (uint64_t)1 << y.term[i].index;
  return set;
}

// No support contains another, and every semiflow with small weights contains
// one of them.
static void check_minimal (const tl_semiflows *f) {
  const tl_incidence *c = f->combiner.incidence;
  for (size_t i = 0; i < f->count; i++)
    for (size_t k = 0; k < f->count; k++)
      if (i != k)
        assert_true (support_of (tl_semiflows_terms (f, i)) &
                     ~support_of (tl_semiflows_terms (f, k)));
  for (uint32_t code = 1; c->places <= 6 && code < 1u << 2 * c->places;
       code++) {
    bool semiflow = true, found = false;
    uint64_t set = 0;
    for (uint32_t t = 0; semiflow && t < c->transitions; t++) {
      const tl_vector column = tl_incidence_transition (c, t);
      int64_t sum = 0;
      for (uint32_t i = 0; i < column.count; i++)
        sum += column.term[i].factor * (code >> 2 * column.term[i].index & 3);
      semiflow = !sum;
    }
    for (uint32_t p = 0; p < c->places; p++)
      set |= (uint64_t)((code >> 2 * p & 3) != 0) << p;
    for (size_t i = 0; i < f->count; i++)
      found |= !(support_of (tl_semiflows_terms (f, i)) & ~set);
    assert_true (!semiflow || found);
  }
}

static void check_semiflows (const tl_structure *s, const brute *b) {
  tl_semiflow_report r;
  assert_int_equal (tl_structure_semiflows (s, &r, 0), TL_OK);
  check_bounding (&r.place, b);
  if (r.place_complete)
    check_minimal (&r.place);
  if (r.transition_complete)
    check_minimal (&r.transition);
  for (size_t i = 0; i < r.transition.count; i++) {
    const tl_vector x = tl_semiflows_terms (&r.transition, i);
    int64_t *sum = calloc ((size_t)s->net->places + 1, sizeof *sum);
    for (uint32_t k = 0; k < x.count; k++)
      for (tl_change ch = tl_net_change (s->net, x.term[k].index);
           tl_net_change_next (&ch);)
        sum[ch.place] += ch.amount * x.term[k].factor;
    for (uint32_t p = 0; p < s->net->places; p++)
      assert_int_equal (sum[p], 0);
    free (sum);
  }
  tl_semiflow_report_close (&r);
}

static void test_random_nets (void **state) {
  (void)state;
  static random_net sketch;
  tl_random random = {7};
  for (uint64_t seed = 0; seed < RANDOM_NETS; seed++) {
    random_net_make (&sketch, seed);
    tl_net *net = random_net_build (&sketch, &account);
    assert_non_null (net);
    brute b = brute_explore (net, STATES);
    tl_structure *s;
    assert_int_equal (tl_structure_open (&s, &account, net, 10, 0), TL_OK);
    check_bounds (s, &b);
    if (is_ordinary (net))
      check_best (s);
    check_groups (s, &b, tl_structure_groups);
    check_groups (s, &b, tl_structure_exclusive_groups);
    check_bounding (&s->semiflows, &b);
    check_elimination (s, &b, &random);
    if (net->places <= MANY && net->transitions <= MANY)
      check_semiflows (s, &b);
    brute_close (&b);
    tl_structure_close (s);
    tl_net_close (net);
    assert_int_equal (account.used, 0);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_random_nets)};
  return cmocka_run_group_tests_name ("structure of random nets", tests, 0, 0);
}
