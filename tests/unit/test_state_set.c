// Formulas of CTL are evaluated on sets of any kind: one that is made of whole
// numbers and has no bits to show gives the sets that bits of a graph give.

#include "../random_formula.h"

#include "check/fixpoint.h"
#include "check/sat.h"
#include "net/net.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

// ---- Another kind ----------------------------------------------------------

struct tl_state_set {
  uint64_t member;
};

typedef struct small {
  tl_sets sets;
  const tl_labels *labels;
  unsigned states; // at most 64
  uint64_t next[64];
  int open; // sets
} small;

static small *small_of (tl_sets *s) {
  return (small *)(void *)s;
}

static uint64_t everything (const small *s) {
  return ~(uint64_t)0 >> (64 - s->states);
}

static tl_state_set *make (tl_sets *s, uint64_t member) {
  tl_state_set *set = malloc (sizeof *set);
  assert_non_null (set);
  set->member = member;
  small_of (s)->open++;
  return set;
}

static tl_state_set *open_set (tl_sets *s) {
  return make (s, 0);
}

static tl_state_set *label (tl_sets *s, const tl_formula *formula) {
  return make (s, *tl_labels_find (small_of (s)->labels, formula));
}

static void close_set (tl_sets *s, tl_state_set *set) {
  small_of (s)->open -= set != 0;
  free (set);
}

static bool has (tl_sets *s, const tl_state_set *set, uint64_t state) {
  (void)s;
  assert_int_equal (state, 0);
  return set->member & 1;
}

static tl_status complement (tl_sets *s, tl_state_set *set) {
  set->member ^= everything (small_of (s));
  return TL_OK;
}

static tl_status intersect (tl_sets *s, tl_state_set *a,
                            const tl_state_set *b) {
  (void)s;
  a->member &= b->member;
  return TL_OK;
}

static tl_status unite (tl_sets *s, tl_state_set *a, const tl_state_set *b) {
  (void)s;
  a->member |= b->member;
  return TL_OK;
}

// States with a successor among these; with `dead`, and those without any.
static uint64_t leading (const small *s, uint64_t into, bool dead) {
  uint64_t found = 0;
  for (unsigned i = 0; i < s->states; i++)
    if (s->next[i] & into || (dead && !s->next[i]))
      found |= (uint64_t)1 << i;
  return found;
}

static tl_status before (tl_sets *s, const tl_state_set *set,
                         tl_state_set *result) {
  result->member = leading (small_of (s), set->member, false);
  return TL_OK;
}

static tl_status until (tl_sets *s, const tl_state_set *along,
                        tl_state_set *result) {
  const uint64_t through = along ? along->member : everything (small_of (s));
  for (unsigned i = 0; i < small_of (s)->states; i++)
    result->member |= through & leading (small_of (s), result->member, false);
  return TL_OK;
}

static tl_status stay (tl_sets *s, tl_state_set *result) {
  for (unsigned i = 0; i < small_of (s)->states; i++)
    result->member &= leading (small_of (s), result->member, true);
  return TL_OK;
}

// It has no `copy`: copies are for runs, and runs go from state to state.
static const tl_set_kind numbers = {.open = open_set,
                                    .label = label,
                                    .close = close_set,
                                    .has = has,
                                    .complement = complement,
                                    .intersect = intersect,
                                    .unite = unite,
                                    .before = before,
                                    .until = until,
                                    .stay = stay};

// ---- Both ------------------------------------------------------------------

typedef struct both {
  tl_mem mem;
  tl_arena arena;
  tl_net *net; // whose names formulas use
  tl_labels labels;
  tl_graph *graph;
  tl_fixpoints bits;
  small small;
} both;

// A random graph, in which some states are dead.  States are numbered as they
// are found.
static void open_graph (both *b, tl_random *r) {
  small *s = &b->small;
  assert_int_equal (tl_graph_open (&b->graph, &b->mem), TL_OK);
  s->states = 1;
  for (unsigned i = 0; i < s->states; i++) {
    uint64_t target[3];
    const size_t count = (size_t)tl_random_below (r, 4);
    for (size_t k = 0; k < count; k++) {
      const bool new = s->states < 64 && tl_random_below (r, 2);
      target[k] = new ? s->states++ : tl_random_below (r, s->states);
      s->next[i] |= (uint64_t)1 << target[k];
    }
    assert_int_equal (tl_graph_targets (b->graph, target, count), TL_OK);
    assert_int_equal (tl_graph_end_state (b->graph), TL_OK);
  }
  assert_int_equal (tl_graph_finish (b->graph, s->states), TL_OK);
}

static void open_both (both *b, tl_random *r) {
  const uint64_t size = 3;
  *b = (both){.mem = TL_MEM (0, "sets")};
  b->arena = TL_ARENA (&b->mem);
  assert_int_equal (tl_net_example (&b->net, "philosophers", 1, &size, 0),
                    TL_OK);
  assert_int_equal (tl_labels_open (&b->labels, &b->mem, b->net), TL_OK);
  open_graph (b, r);
  assert_int_equal (tl_fixpoints_open (&b->bits, &b->mem, b->graph, &b->labels),
                    TL_OK);
  b->small.sets.kind = &numbers;
  b->small.labels = &b->labels;
}

static void close_both (both *b) {
  tl_fixpoints_close (&b->bits);
  tl_graph_close (b->graph);
  tl_labels_close (&b->labels);
  tl_arena_close (&b->arena);
  tl_net_close (b->net);
  assert_int_equal (b->small.open, 0);
  assert_int_equal (b->mem.used, 0);
}

// Takes the formula apart; its labels hold anywhere.
static tl_sat *take_apart (both *b, const tl_formula *f, tl_random *r) {
  const tl_sat_ways ways = {
      .arena = &b->arena, .mem = &b->mem, .labels = &b->labels};
  tl_sat *sat;
  assert_int_equal (tl_sat_open (&sat, &ways, f), TL_OK);
  for (size_t i = 0; i < b->labels.count; i++) {
    tl_state_label *l = b->labels.label + i;
    assert_true (TL_ROOM (&b->mem, l->bits, &l->room, 1));
    *l->bits = tl_random_next (r) & everything (&b->small);
  }
  return sat;
}

static void same_sets (void **state) {
  (void)state;
  tl_random r = {1};
  for (int i = 0; i < 2000; i++) {
    both b;
    tl_state_set *one, *two;
    bool holds, too;
    tl_run run, none;
    open_both (&b, &r);
    tl_sat *sat = take_apart (
        &b, random_formula (&b.arena, b.net, RANDOM_CTL, 4, &r), &r);
    tl_sat_means on_bits = {.sets = &b.bits.sets},
                 on_numbers = {.sets = &b.small.sets};
    assert_int_equal (tl_sat_states (&on_bits, sat, &one), TL_OK);
    assert_int_equal (tl_sat_states (&on_numbers, sat, &two), TL_OK);
    assert_int_equal (*tl_bits_in (one), two->member);
    assert_int_equal (tl_sat_decide (&on_bits, sat, &holds, &run), TL_OK);
    assert_int_equal (tl_sat_decide (&on_numbers, sat, &too, &none), TL_OK);
    assert_int_equal (holds, two->member & 1);
    assert_int_equal (too, holds);
    assert_false (none.found);
    free (run.arc);
    b.bits.sets.kind->close (&b.bits.sets, one);
    close_set (&b.small.sets, two);
    tl_sat_close (sat);
    close_both (&b);
  }
}

// An automaton goes from state to state: without bits that is refused.
static void automata (void **state) {
  (void)state;
  tl_random r = {2};
  both b;
  open_both (&b, &r);
  tl_formula *f = tl_formula_deadlock (&b.arena);
  f = tl_formula_unary (&b.arena, TL_GLOBALLY,
                        tl_formula_unary (&b.arena, TL_FINALLY, f));
  tl_sat *sat = take_apart (&b, tl_formula_unary (&b.arena, TL_EXISTS, f), &r);
  bool holds;
  tl_run run;
  tl_sat_means means = {.sets = &b.small.sets};
  assert_int_equal (tl_sat_decide (&means, sat, &holds, &run), TL_E_MODEL);
  assert_null (run.arc);
  means.sets = &b.bits.sets;
  assert_int_equal (tl_sat_decide (&means, sat, &holds, &run), TL_OK);
  free (run.arc);
  tl_sat_close (sat);
  close_both (&b);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (same_sets),
                                     cmocka_unit_test (automata)};
  return cmocka_run_group_tests (tests, 0, 0);
}
