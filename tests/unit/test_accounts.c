// What a search says of itself: the bytes it reports are those that its
// accounts had, and every trace was fired again before it is given.

#include "explore/covering.h"
#include "explore/explore.h"
#include "explore/replay.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static tl_net *example (const char *family, uint64_t size) {
  tl_net *net;
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  return net;
}

// ---- Bytes -----------------------------------------------------------------

// No row has more than all had at once, and together they had that much.
static void rows_fit (const tl_exploration *x, const tl_mem *root) {
  size_t sum = 0;
  for (size_t i = 0; i < x->memory_rows; i++) {
    assert_true (x->memory[i].used <= root->peak);
    sum += x->memory[i].used;
  }
  assert_true (sum >= root->peak);
  assert_int_equal (x->store_bytes, x->memory[0].used);
  assert_int_equal (root->used, 0);
}

static void test_rows (void **state) {
  (void)state;
  static const struct {
    const char *family, *order, *store;
    uint64_t size, most_states;
  } runs[] = {{"kanban", "bfs", "auto", 3, 0},
              {"kanban", "dfs", "plain", 3, 0},
              {"kanban", "sweep", "auto", 3, 0},
              {"dbm", "bfs", "tree", 6, 0},
              {"dbm", "bfs", "delta", 6, 0},
              // Another store is tried at 65,536 states, and given up.
              {"philosophers-both", "bfs", "auto", 60, 66000},
              {"philosophers-both", "dfs", "auto", 60, 66000},
              {"token-ring", "bfs", "auto", 40, 70000}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    tl_net *net = example (runs[i].family, runs[i].size);
    tl_mem root = TL_MEM (0, "total");
    tl_options how = tl_options_default ();
    tl_exploration x;
    how.order = runs[i].order;
    how.store = runs[i].store;
    how.max_states = runs[i].most_states;
    assert_int_equal (tl_explore_on (&root, net, &how, 0, &x, 0), TL_OK);
    rows_fit (&x, &root);
    tl_exploration_close (&x);
    tl_net_close (net);
  }
}

// ---- Pages -----------------------------------------------------------------

// Read-only data of this program, of which a page lies in the middle.
static const unsigned char constants[1 << 14] = {1};

// Is the page in the memory of this process?
static bool is_here (int pagemap) {
  const size_t page = (size_t)sysconf (_SC_PAGESIZE);
  const uintptr_t at = (uintptr_t)constants + sizeof constants / 2;
  uint64_t entry = 0;
  const bool known = pread (pagemap, &entry, sizeof entry,
                            (off_t)(at / page * sizeof entry)) == sizeof entry;
  return known && entry >> 63;
}

// What belongs to the process is left alone, unless the caller wants it so (and
// then it is the system that decides what goes).
static void test_pages (void **state) {
  (void)state;
  const int pagemap = open ("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  const volatile unsigned char *touched = constants;
  if (touched[sizeof constants / 2] || !is_here (pagemap))
    skip ();
  tl_net *net = example ("kanban", 2);
  tl_options how = tl_options_default ();
  tl_exploration x;
  assert_false (how.trim);
  assert_int_equal (tl_explore (net, &how, &x, 0), TL_OK);
  assert_true (is_here (pagemap));
  tl_exploration_close (&x);
  tl_net_close (net);
  close (pagemap);
}

// ---- Traces ----------------------------------------------------------------

// Its deadlock: everybody takes the left fork.
static void test_deadlock (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 3);
  tl_exploration x;
  assert_int_equal (tl_explore (net, 0, &x, 0), TL_OK);
  assert_int_equal (x.deadlock.length, 3);
  assert_int_equal (tl_replay_result (net, &x), TL_OK);
  x.deadlock.length = 2; // something is enabled there
  assert_int_equal (tl_replay_result (net, &x), TL_E_INTERNAL);
  x.deadlock.length = 3;
  const uint32_t first = x.deadlock.transition[0];
  x.deadlock.transition[0] = x.deadlock.transition[1]; // cannot be fired twice
  assert_int_equal (tl_replay_result (net, &x), TL_E_INTERNAL);
  x.deadlock.transition[0] = UINT32_MAX;
  assert_int_equal (tl_replay_result (net, &x), TL_E_INTERNAL);
  x.deadlock.transition[0] = first;
  assert_int_equal (tl_replay_result (net, &x), TL_OK);
  // The same trace shows none of the others.
  x.unbounded = x.deadlock;
  assert_int_equal (tl_replay_result (net, &x), TL_E_INTERNAL);
  x.unbounded = (tl_trace){0};
  x.regress = x.deadlock;
  assert_int_equal (tl_replay_result (net, &x), TL_OK);
  x.deadlock = (tl_trace){0};
  x.regress.transition[0] = UINT32_MAX;
  assert_int_equal (tl_replay_result (net, &x), TL_E_INTERNAL);
  x.fault_trace = x.regress;
  x.regress = (tl_trace){0};
  assert_int_equal (tl_replay_result (net, &x), TL_E_INTERNAL);
  tl_exploration_close (&x);
  tl_net_close (net);
}

enum { MAKE, GROW, TAKE };

// p -MAKE-> q, q -GROW-> q and r, r -TAKE->; with `stop` r inhibits GROW.
static tl_net *growing (tl_mem *mem, bool stop) {
  tl_builder *b;
  tl_net *net;
  assert_int_equal (tl_builder_open (&b, mem), TL_OK);
  tl_builder_place (b, "p", 0, 1, 0);
  tl_builder_place (b, "q", 0, 0, 0);
  tl_builder_place (b, "r", 0, 0, 0);
  tl_builder_transition (b, "make", 0, 0);
  tl_builder_transition (b, "grow", 0, 0);
  tl_builder_transition (b, "take", 0, 0);
  tl_builder_arc (b, TL_ARC_PRE, 0, MAKE, 1);
  tl_builder_arc (b, TL_ARC_POST, 1, MAKE, 1);
  tl_builder_arc (b, TL_ARC_PRE, 1, GROW, 1);
  tl_builder_arc (b, TL_ARC_POST, 1, GROW, 1);
  tl_builder_arc (b, TL_ARC_POST, 2, GROW, 1);
  tl_builder_arc (b, TL_ARC_PRE, 2, TAKE, 1);
  if (stop)
    tl_builder_arc (b, TL_ARC_INHIBITOR, 2, GROW, 2);
  assert_int_equal (tl_builder_finish (b, "growing", "example", &net, 0),
                    TL_OK);
  return net;
}

static void test_unbounded (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  uint32_t steps[] = {MAKE, GROW, TAKE, GROW};
  const tl_trace right = {
      .transition = steps, .length = 2, .loop = true, .loop_from = 1};
  tl_net *net = growing (&mem, false);
  assert_true (tl_covering_proves (net, &right, 2));
  assert_false (tl_covering_proves (net, &right, 1)); // this one does not grow
  assert_false (tl_covering_proves (net, &right, 3));
  tl_trace wrong = right;
  wrong.length = 3; // what grew is taken again
  assert_false (tl_covering_proves (net, &wrong, 2));
  wrong.loop_from = 3;
  assert_false (tl_covering_proves (net, &wrong, 2));
  wrong = right;
  wrong.loop = false;
  assert_false (tl_covering_proves (net, &wrong, 2));
  // A trace that cannot be fired proves nothing, whatever it would add.
  bool found;
  uint32_t place, early[] = {GROW, GROW};
  wrong = (tl_trace){.transition = early, .length = 2};
  assert_int_equal (tl_covering_find (&mem, net, &wrong, &found, &place),
                    TL_E_INTERNAL);
  assert_false (found);
  wrong = (tl_trace){.transition = steps, .length = 2};
  assert_int_equal (tl_covering_find (&mem, net, &wrong, &found, &place),
                    TL_OK);
  assert_true (found && place == 2 && wrong.loop_from == 1);
  tl_net_close (net);
  net = growing (&mem, true);
  assert_false (tl_covering_proves (net, &right, 2));
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_rows),
      cmocka_unit_test (test_pages),
      cmocka_unit_test (test_deadlock),
      cmocka_unit_test (test_unbounded),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
