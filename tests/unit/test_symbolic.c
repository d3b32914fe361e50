// The symbolic engine: numbers that no machine word holds, sets, what ends it,
// and allocations that fail.

#include "../brute.h"
#include "base/budget.h"
#include "base/natural.h"
#include "base/random.h"
#include "check/check.h"
#include "explore/explore.h"
#include "symbolic/algebra.h"
#include "symbolic/followers.h"
#include "symbolic/symbolic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// ---- Numbers ---------------------------------------------------------------

static void assert_text (tl_natural n, const char *digits) {
  char *text = tl_natural_text (n);
  assert_string_equal (text, digits);
  free (text);
}

static void numbers_are_printed (void **state) {
  (void)state;
  uint64_t limb[8] = {0};
  tl_natural n = {limb, 0};
  uint64_t ten = 10, seven = 7;
  assert_text (n, "0");
  assert_int_equal (tl_natural_bits (n), 0);
  tl_natural_add (&n, (tl_natural){&seven, 1});
  assert_text (n, "7");
  for (int i = 0; i < 40; i++) { // ten times as much
    uint64_t old[8];
    memcpy (old, limb, sizeof old);
    const tl_natural before = {old, n.count};
    n.count = 0;
    tl_natural_add_product (&n, before, (tl_natural){&ten, 1});
  }
  assert_text (n, "70000000000000000000000000000000000000000");
  assert_true (tl_natural_clipped (n) == UINT64_MAX);
}

static void numbers_carry (void **state) {
  (void)state;
  uint64_t limb[4] = {UINT64_MAX, UINT64_MAX}, one = 1, product[6] = {0};
  tl_natural n = {limb, 2}, square = {product, 0};
  tl_natural_add_product (&square, n, n);
  assert_text (square, "115792089237316195423570985008687907852589419931798687"
                       "112530834793049593217025");
  tl_natural_add (&n, (tl_natural){&one, 1});
  assert_int_equal (n.count, 3);
  assert_int_equal (tl_natural_bits (n), 129);
  assert_text (n, "340282366920938463463374607431768211456");
}

// ---- Runs ------------------------------------------------------------------

static tl_status explore (tl_mem *root, const char *family, uint64_t size,
                          const tl_symbolic_stress *stress, tl_exploration *x,
                          tl_error *error) {
  tl_net *net;
  const tl_options options = tl_options_whole ();
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  const tl_status rc =
      tl_symbolic_explore (root, net, &options, stress, x, error);
  tl_net_close (net);
  return rc;
}

static void more_states_than_words_hold (void **state) {
  (void)state;
  tl_mem root = TL_MEM (0, "total");
  tl_exploration x;
  assert_int_equal (explore (&root, "philosophers-both", 100, 0, &x, 0), TL_OK);
  assert_true (x.complete);
  assert_string_equal (x.states_text, // 3^100
                       "515377520732011331036461129765621272702107522001");
  assert_true (x.states == UINT64_MAX);
  assert_int_equal (x.deadlocks, 2);
  tl_exploration_close (&x);
  assert_int_equal (root.used, 0);
}

// Every allocation of a run fails once.
static void fail_each (const char *family, uint64_t states,
                       const tl_symbolic_stress *stress) {
  bool unharmed = false;
  long failures = 0;
  for (; !unharmed; failures++) {
    tl_mem root = TL_MEM (0, "total");
    tl_exploration x;
    tl_error error = {0};
    root.fail_after = failures;
    const tl_status rc = explore (&root, family, 2, stress, &x, &error);
    unharmed = root.fail_after > 0;
    if (rc) {
      assert_int_equal (rc, TL_E_NOMEM);
      assert_true (error.text[0]);
    } else {
      assert_true (x.complete || x.stop == TL_STOP_MEMORY);
      assert_true (x.states == (x.complete ? states : 1));
      tl_exploration_close (&x);
    }
    assert_int_equal (root.used, 0);
  }
  assert_true (failures > 30);
}

static void allocations_fail (void **state) {
  (void)state;
  fail_each ("kanban", 4600, &(tl_symbolic_stress){{50, 16}, 0, false, 0});
  fail_each ("fms", 3444, &(tl_symbolic_stress){{50, 16}, 0, true, 3});
}

// ---- Places that follow from others ----------------------------------------

// a and b move tokens around; c has as many as both, and `more`; d has as many
// as a and twice those of b, and the transition that takes from a wants `need`
// tokens of it.
static tl_net *sum_net (tl_mem *mem, uint32_t more, uint32_t need) {
  tl_builder *b;
  tl_net *net;
  uint32_t p[5], t[3];
  static const char *const place[] = {"a", "b", "c", "d", "e"},
                           *const move[] = {"t", "u", "v"};
  const uint32_t initial[] = {2, 1, 3 + more, 4, 2};
  assert_int_equal (tl_builder_open (&b, mem), TL_OK);
  for (size_t i = 0; i < 5; i++)
    assert_int_equal (
        tl_builder_place (b, place[i], place[i], initial[i], p + i), TL_OK);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal (tl_builder_transition (b, move[i], move[i], t + i),
                      TL_OK);
  const struct {
    tl_arc_kind kind;
    uint32_t place, transition, weight;
  } arc[] = {{TL_ARC_PRE, 0, 0, 1},    {TL_ARC_POST, 1, 0, 1},
             {TL_ARC_PRE, 3, 0, need}, {TL_ARC_POST, 3, 0, need + 1},
             {TL_ARC_PRE, 1, 1, 1},    {TL_ARC_PRE, 2, 1, 1},
             {TL_ARC_PRE, 3, 1, 2},    {TL_ARC_PRE, 4, 2, 1},
             {TL_ARC_POST, 0, 2, 1},   {TL_ARC_POST, 2, 2, 1},
             {TL_ARC_POST, 3, 2, 1}};
  for (size_t i = 0; i < sizeof arc / sizeof *arc; i++)
    assert_int_equal (tl_builder_arc (b, arc[i].kind, p[arc[i].place],
                                      t[arc[i].transition], arc[i].weight),
                      TL_OK);
  assert_int_equal (tl_builder_finish (b, "sums", "test", &net, 0), TL_OK);
  return net;
}

static void places_follow_from_sums (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  for (uint32_t more = 0; more < 3; more++) {
    tl_net *net = sum_net (&mem, more, 1);
    tl_followers f;
    assert_int_equal (tl_followers_open (&f, &mem, net, 10), TL_OK);
    assert_int_equal (f.found, 2);
    assert_int_equal (f.sums, 2);
    assert_true (f.follows[2] && f.follows[3]);
    assert_int_equal (f.constant[2], more);
    assert_int_equal (f.constant[3], 0);
    const tl_vector sum = tl_follower_sum (&f, 3);
    assert_int_equal (sum.count, 2);
    assert_int_equal (sum.term[0].factor, 1);
    assert_int_equal (sum.term[1].factor, 2);
    tl_followers_close (&f);
    assert_int_equal (tl_followers_open (&f, &mem, net, 0), TL_OK);
    assert_int_equal (f.found, 0);
    tl_followers_close (&f);
    tl_net_close (net);
  }
  assert_int_equal (mem.used, 0);
}

// One that keeps a transition waiting does not.
static void places_that_count_do_not_follow (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = sum_net (&mem, 0, 2);
  tl_followers f;
  assert_int_equal (tl_followers_open (&f, &mem, net, 10), TL_OK);
  assert_true (f.follows[2] && !f.follows[3]);
  tl_followers_close (&f);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- Questions -------------------------------------------------------------

static const struct asked {
  const char *text;
  tl_verdict verdict;
} asked[] = {
    {"EF DEADLOCK", TL_VERDICT_TRUE},
    {"AG EF INITIAL", TL_VERDICT_FALSE},
    {"live", TL_VERDICT_FALSE},
    {"quasi-live", TL_VERDICT_TRUE},
    {"stable-marking", TL_VERDICT_FALSE},
    {"home-state", TL_VERDICT_TRUE},
    {"EG NOT DEADLOCK", TL_VERDICT_TRUE},
    {"AX E (NOT DEADLOCK U DEADLOCK)", TL_VERDICT_TRUE},
    {"E (G (F FIREABLE(put_1) AND F FIREABLE(put_2)))",
     TL_VERDICT_TRUE}, // by an automaton, as the next ones
    {"A (F G DEADLOCK)", TL_VERDICT_FALSE},
    {"A (G (FIREABLE(put_1) OR X NOT DEADLOCK))", TL_VERDICT_FALSE},
    {"E (F (FIREABLE(put_1) AND X FIREABLE(put_2)))", TL_VERDICT_FALSE}};

enum { ASKED = sizeof asked / sizeof *asked };

static tl_status ask (tl_mem *root, tl_options options, tl_answers *answers,
                      tl_error *error) {
  tl_net *net;
  tl_questions *list;
  const uint64_t size = 3;
  assert_int_equal (tl_net_example (&net, "philosophers", 1, &size, 0), TL_OK);
  assert_int_equal (tl_questions_open (&list, net, 0), TL_OK);
  for (size_t i = 0; i < ASKED; i++)
    assert_int_equal (tl_questions_add_text (list, asked[i].text, 0), TL_OK);
  options.engine = "symbolic";
  options.unaided = true;
  const tl_status rc =
      tl_check_on (root, net, 0, list, &options, answers, error);
  tl_questions_close (list);
  tl_net_close (net);
  return rc;
}

// Does the loop let two philosophers eat?
static bool fires_both (const tl_trace *trace) {
  tl_net *net;
  const uint64_t size = 3;
  unsigned seen = 0;
  assert_int_equal (tl_net_example (&net, "philosophers", 1, &size, 0), TL_OK);
  for (uint64_t i = trace->loop_from; i < trace->length; i++) {
    const char *id = tl_net_transition_id (net, trace->transition[i]);
    seen |= (unsigned)!strcmp (id, "put_1") | (unsigned)!strcmp (id, "put_2")
                                                  << 1;
  }
  tl_net_close (net);
  return seen == 3;
}

static void questions_are_answered (void **state) {
  (void)state;
  tl_mem root = TL_MEM (0, "total");
  tl_answers answers;
  assert_int_equal (ask (&root, tl_options_default (), &answers, 0), TL_OK);
  for (size_t i = 0; i < ASKED; i++) {
    const tl_answer *a = answers.answer + i;
    assert_int_equal (a->verdict, asked[i].verdict);
    assert_string_equal (a->engine, "symbolic");
  }
  assert_int_equal (answers.answer[0].trace.length, 3);
  assert_int_equal (answers.answer[1].trace.length, 3);
  assert_non_null (answers.answer[2].trace.transition);
  assert_int_equal (answers.answer[5].trace.length, 3);
  assert_true (answers.answer[6].trace.loop);
  assert_true (answers.answer[8].trace.loop);
  assert_true (fires_both (&answers.answer[8].trace));
  assert_true (answers.answer[9].trace.loop);
  assert_int_equal (answers.answer[10].trace.length, 3);
  assert_null (answers.answer[11].trace.transition);
  tl_answers_close (&answers);
  assert_int_equal (root.used, 0);
}

// Every allocation once: what is said is right, or nothing is.
static void questions_survive (void **state) {
  (void)state;
  bool unharmed = false;
  long failures = 0;
  for (; !unharmed; failures++) {
    tl_mem root = TL_MEM (0, "total");
    tl_answers answers;
    tl_error error = {0};
    root.fail_after = failures;
    const tl_status rc = ask (&root, tl_options_default (), &answers, &error);
    unharmed = root.fail_after > 0;
    if (rc) {
      assert_int_equal (rc, TL_E_NOMEM);
      assert_true (error.text[0]);
    }
    for (size_t i = 0; !rc && i < ASKED; i++)
      assert_true (
          answers.answer[i].verdict == asked[i].verdict ||
          (!unharmed && answers.answer[i].verdict == TL_VERDICT_UNKNOWN));
    if (!rc)
      tl_answers_close (&answers);
    assert_int_equal (root.used, 0);
  }
  assert_true (failures > 100);
}

// A transition that puts tokens, with `both` on two places, where others take
// them away.
static tl_net *endless_net (tl_mem *mem, bool both) {
  tl_builder *b;
  tl_net *net;
  uint32_t p, q, t, u, v;
  assert_int_equal (tl_builder_open (&b, mem), TL_OK);
  tl_builder_place (b, "p", 0, 0, &p);
  tl_builder_place (b, "q", 0, 0, &q);
  tl_builder_transition (b, "t", 0, &t);
  tl_builder_transition (b, "u", 0, &u);
  tl_builder_transition (b, "v", 0, &v);
  tl_builder_arc (b, TL_ARC_POST, p, t, 1);
  if (both) {
    tl_builder_arc (b, TL_ARC_POST, q, t, 1);
    tl_builder_arc (b, TL_ARC_PRE, p, u, 1);
    tl_builder_arc (b, TL_ARC_PRE, q, v, 1);
  }
  assert_int_equal (tl_builder_finish (b, "endless", "example", &net, 0),
                    TL_OK);
  return net;
}

// ---- Both engines at once --------------------------------------------------

static tl_exploration race (const char *family, uint64_t size) {
  tl_net *net;
  tl_exploration x;
  tl_options options = tl_options_default ();
  options.engine = "auto";
  options.memory = (uint64_t)1 << 30;
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  assert_int_equal (tl_explore (net, &options, &x, 0), TL_OK);
  assert_true (x.complete);
  tl_net_close (net);
  return x;
}

static void who_ends_first_wins (void **state) {
  (void)state;
  tl_exploration x = race ("philosophers", 3);
  assert_string_equal (x.engine, "explicit");
  assert_int_equal (x.states, 14);
  assert_int_equal (x.deadlock.length, 3);
  tl_exploration_close (&x);
  x = race ("philosophers-both", 30);
  assert_string_equal (x.engine, "symbolic");
  assert_true (x.states == 205891132094649u);
  tl_exploration_close (&x);
}

static double bits_of (const char *family, uint64_t size) {
  tl_mem mem = TL_MEM (0, "total");
  tl_net *net;
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  const double bits = tl_reachable_bits (&mem, net);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
  return bits;
}

static void structure_says_how_many (void **state) {
  (void)state;
  const double few = bits_of ("philosophers", 3),
               many = bits_of ("kanban", 100);
  assert_true (few > 3.8 && few <= 20);  // 14 states
  assert_true (many > 63 && many < 200); // 1.7e19
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = endless_net (&mem, true);
  assert_true (tl_reachable_bits (&mem, net) > 1e6);
  tl_net_close (net);
}

static void races_end (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = endless_net (&mem, true);
  tl_exploration x;
  tl_options options = tl_options_default ();
  int flag = 1;
  options.engine = "auto";
  assert_int_equal (tl_explore (net, &options, &x, 0), TL_OK);
  assert_int_equal (x.stop, TL_STOP_UNBOUNDED);
  tl_exploration_close (&x);
  options.cancel = &flag;
  assert_int_equal (tl_explore (net, &options, &x, 0), TL_OK);
  assert_false (x.complete);
  tl_exploration_close (&x);
  tl_net_close (net);
}

// ---- What ends it ----------------------------------------------------------

static tl_stop stop_of (const tl_net *net, size_t limit, double seconds,
                        int *cancel) {
  tl_mem root = TL_MEM (0, "total");
  tl_options options = tl_options_whole ();
  tl_exploration x;
  const tl_budget budget = tl_budget_of (seconds, cancel);
  options.timeout = seconds;
  options.cancel = cancel;
  root.limit = limit;
  root.budget = &budget;
  assert_int_equal (tl_symbolic_explore (&root, net, &options, 0, &x, 0),
                    TL_OK);
  const tl_stop stop = x.stop;
  assert_false (x.complete);
  assert_true (x.states == 1 && !x.states_text);
  tl_exploration_close (&x);
  assert_int_equal (root.used, 0);
  return stop;
}

static void endless_nets_end (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = endless_net (&mem, false);
  assert_int_equal (stop_of (net, 0, 0, 0), TL_STOP_TOKENS);
  tl_net_close (net);
  net = endless_net (&mem, true);
  assert_int_equal (stop_of (net, 0, 0.2, 0), TL_STOP_TIME);
  assert_int_equal (stop_of (net, 4 << 20, 0, 0), TL_STOP_MEMORY);
  int flag = 1;
  assert_int_equal (stop_of (net, 0, 0, &flag), TL_STOP_CANCEL);
  tl_net_close (net);
}

// ---- Sets ------------------------------------------------------------------

enum { LEVELS = 3, VALUES = 4, PATHS = VALUES * VALUES * VALUES };

// The set of the paths whose bits are set, on a slot.
static tl_set build (tl_diagram *d, uint64_t paths) {
  const size_t first = d->slots;
  tl_diagram_push (d, TL_EMPTY_SET, 0);
  for (uint32_t path = 0; path < PATHS; path++) {
    if (!(paths >> path & 1))
      continue;
    tl_set set = TL_ALL_SET;
    for (uint32_t level = 1, rest = path; level <= LEVELS; level++) {
      const size_t base = d->slots;
      tl_diagram_push (d, set, rest % VALUES);
      set = tl_diagram_make (d, level, base);
      rest /= VALUES;
    }
    tl_diagram_push (d, set, 0);
    const tl_set both = tl_union (d, d->slot[first].to, set);
    d->slots--;
    d->slot[first].to = both;
  }
  return d->slot[first].to;
}

static void sets_are_unique (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "nodes");
  tl_random r = {7};
  tl_diagram d;
  const tl_diagram_limits limits = {20, 2};
  assert_int_equal (tl_diagram_open (&d, &mem, &limits), TL_OK);
  for (int i = 0; i < 300; i++) {
    d.slots = 0;
    const uint64_t a = tl_random_below (&r, UINT64_MAX),
                   b = tl_random_below (&r, UINT64_MAX);
    build (&d, a);
    build (&d, b);
    build (&d, a | b);
    const tl_set both = tl_union (&d, d.slot[0].to, d.slot[1].to);
    assert_int_equal (both, d.slot[2].to);
    assert_true (tl_diagram_is_sound (&d));
  }
  assert_true (d.collections > 10);
  tl_diagram_close (&d);
  assert_int_equal (mem.used, 0);
}

// Breaks something; false: there is nothing left to break.
static bool corrupt (tl_diagram *d, tl_set_node *n, int how) {
  switch (how) {
  case 0: n->edge[0].value++; return true;
  case 1: n->edge[0].to = TL_EMPTY_SET; return true;
  case 2: n->edge[0].to = (tl_set)d->top; return true;
  case 3: n->edge[0].to = TL_ALL_SET; return true;
  case 4: n->level--; return true;
  case 5: n->level = 0; return true; // free
  case 6: n->count = 0; return true;
  case 7: n->marked = true; return true;
  case 8: d->nodes++; return true;
  case 9: d->free_units++; return true;
  case 10: n->edge[1] = n->edge[0]; return true;
  case 11: memset (d->bucket, 0, d->buckets * sizeof *d->bucket); return true;
  default: return false;
  }
}

static void what_is_broken_is_seen (void **state) {
  (void)state;
  bool more = true;
  for (int how = 0; more; how++) {
    tl_mem mem = TL_MEM (0, "nodes");
    tl_diagram d;
    assert_int_equal (tl_diagram_open (&d, &mem, 0), TL_OK);
    // The top node has the edges 0 and 1.
    const tl_set set = build (&d, 1 | (uint64_t)1 << PATHS / VALUES);
    assert_int_equal (tl_diagram_node (&d, set)->count, 2);
    assert_true (tl_diagram_is_sound (&d));
    more = corrupt (&d, tl_diagram_node (&d, set), how);
    assert_int_equal (tl_diagram_is_sound (&d), !more);
    tl_diagram_close (&d);
    assert_int_equal (mem.used, 0);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (numbers_are_printed),
      cmocka_unit_test (numbers_carry),
      cmocka_unit_test (more_states_than_words_hold),
      cmocka_unit_test (allocations_fail),
      cmocka_unit_test (places_follow_from_sums),
      cmocka_unit_test (places_that_count_do_not_follow),
      cmocka_unit_test (questions_are_answered),
      cmocka_unit_test (questions_survive),
      cmocka_unit_test (who_ends_first_wins),
      cmocka_unit_test (structure_says_how_many),
      cmocka_unit_test (races_end),
      cmocka_unit_test (endless_nets_end),
      cmocka_unit_test (sets_are_unique),
      cmocka_unit_test (what_is_broken_is_seen),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
