// Runs that an automaton accepts, on graphs and with automata made by hand.

#include "check/fixpoint.h"
#include "check/product.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

// A graph, a set of states for each of two atoms, and an automaton with one
// state: an edge wherever it is, one of set 0 where atom 0 holds, and one of
// set 1 where atom 1 holds.
typedef struct bench {
  tl_mem mem;
  tl_graph *graph;
  tl_arc_list arcs;
  tl_fixpoints bits;
  tl_state_set *atom[2];
  tl_automaton automaton;
  tl_product product;
} bench;

static void describe (bench *b, uint64_t states, const uint64_t *target,
                      const uint32_t *degree) {
  b->mem = TL_MEM (0, "graph");
  assert_int_equal (tl_graph_open (&b->graph, &b->mem), TL_OK);
  for (uint64_t i = 0; i < states; target += degree[i++]) {
    assert_int_equal (tl_graph_targets (b->graph, target, degree[i]), TL_OK);
    assert_int_equal (tl_graph_end_state (b->graph), TL_OK);
  }
  assert_int_equal (tl_graph_finish (b->graph, states), TL_OK);
  assert_int_equal (tl_arc_list_open (&b->arcs, &b->mem, b->graph, 0), TL_OK);
}

static void open (bench *b, uint64_t states, const uint64_t *target,
                  const uint32_t *degree) {
  describe (b, states, target, degree);
  assert_int_equal (tl_fixpoints_open (&b->bits, &b->mem, b->graph, 0), TL_OK);
  tl_sets *sets = &b->bits.sets;
  b->automaton = TL_AUTOMATON (&b->mem);
  b->automaton.sets = 2;
  assert_int_equal (tl_automaton_add_state (&b->automaton), TL_OK);
  for (unsigned i = 0; i < 2; i++) {
    assert_non_null (b->atom[i] = sets->kind->open (sets));
    assert_int_equal (
        tl_automaton_add_edge (&b->automaton,
                               &(tl_edge){.holds = 1u << i, .sets = 1u << i}),
        TL_OK);
  }
  assert_int_equal (tl_automaton_add_edge (&b->automaton, &(tl_edge){.to = 0}),
                    TL_OK);
  assert_int_equal (tl_automaton_finish (&b->automaton), TL_OK);
  tl_product_open (&b->product, &b->mem, &b->arcs, &b->automaton,
                   (const tl_state_set *const *)b->atom, 2);
}

static void close (bench *b) {
  tl_sets *sets = &b->bits.sets;
  tl_product_close (&b->product);
  tl_automaton_close (&b->automaton);
  for (unsigned i = 0; i < 2; i++)
    sets->kind->close (sets, b->atom[i]);
  tl_fixpoints_close (&b->bits);
  tl_arc_list_close (&b->arcs);
  tl_graph_close (b->graph);
  assert_int_equal (b->mem.used, 0);
}

// State 0 has a way to state 1 and back, and one to state 2 and back.  Each has
// an edge of one set, so that a round that ends when it is home again has only
// seen one of them.
static void a_round_takes_every_set (void **state) {
  (void)state;
  static const uint64_t target[] = {1, 2, 0, 0};
  static const uint32_t degree[] = {2, 1, 1};
  bench b;
  tl_run run = {0};
  bool accepted, seen[3] = {0};
  open (&b, 3, target, degree);
  tl_bits_add (b.atom[0], 1);
  tl_bits_add (b.atom[1], 2);
  assert_int_equal (tl_product_search (&b.product, &accepted), TL_OK);
  assert_true (accepted);
  assert_int_equal (tl_product_run (&b.product, &run), TL_OK);
  assert_true (run.loop_from < run.length);
  uint64_t at = 0, home = 0;
  for (uint64_t i = 0; i < run.length; i++) {
    home = i == run.loop_from ? at : home;
    seen[at] |= i >= run.loop_from;
    at = tl_numbers_get (&b.arcs.target, b.arcs.first[at] + run.arc[i]);
  }
  assert_int_equal (at, home);
  assert_true (seen[1] && seen[2]);
  free (run.arc);
  close (&b);
}

// No run of the ring is accepted, but only the whole of it shows that.
static void a_search_is_cancelled (void **state) {
  (void)state;
  enum { STATES = 10000 };
  static uint64_t target[STATES];
  static uint32_t degree[STATES];
  static const int set = 1;
  for (uint64_t i = 0; i < STATES; i++) {
    target[i] = (i + 1) % STATES;
    degree[i] = 1;
  }
  for (unsigned i = 0; i < 3; i++) {
    bench b;
    bool accepted;
    open (&b, STATES, target, degree);
    b.product.cancel = i == 1 ? &set : 0;
    b.product.deadline = i == 2 ? 1e-9 : 0; // long ago
    assert_int_equal (tl_product_search (&b.product, &accepted),
                      i ? TL_E_LIMIT : TL_OK);
    assert_false (accepted);
    close (&b);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (a_round_takes_every_set),
                                     cmocka_unit_test (a_search_is_cancelled)};
  return cmocka_run_group_tests_name ("product", tests, 0, 0);
}
