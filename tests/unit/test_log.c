// Traces read from the log against a plain list of parents, on random trees
// that were expanded in order, and in others.

#include "base/random.h"
#include "explore/explore.h"
#include "explore/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

// A tree of states, numbered as they were found: state n was found from
// parent[n] by transition[n].
typedef struct tree {
  uint64_t states;
  uint64_t *parent;
  uint32_t *transition;
} tree;

// Each state has up to `most` children; `chain`: as a rule one.
static void make_tree (tree *t, uint64_t states, uint64_t transitions,
                       uint64_t most, bool chain, uint64_t seed) {
  tl_random r = {seed};
  t->states = 1;
  t->parent = test_calloc (states, sizeof *t->parent);
  t->transition = test_calloc (states, sizeof *t->transition);
  for (uint64_t n = 0; t->states < states; n++) {
    uint64_t children = tl_random_below (&r, most + 1);
    if (chain && tl_random_below (&r, 1000))
      children = 1;
    if (!children && n + 1 == t->states)
      children = 1; // else it would end here
    for (; children-- && t->states < states; t->states++) {
      t->parent[t->states] = n;
      t->transition[t->states] = (uint32_t)tl_random_below (&r, transitions);
    }
  }
}

static void drop_tree (tree *t) {
  test_free (t->parent);
  test_free (t->transition);
}

typedef struct checked {
  tl_mem mem;
  tl_packer packer;
  tl_log *log;
} checked;

static void begin (checked *c) {
  *c = (checked){.mem = TL_MEM (0, "log")};
  c->packer = TL_PACKER (&c->mem);
}

static void end (checked *c) {
  tl_log_close (c->log);
  tl_packer_close (&c->packer);
  assert_int_equal (c->mem.used, 0);
}

// Must the call be repeated?  From the allocation on that was asked to fail,
// all of them do until one was missed.
static bool again (checked *c, tl_status rc) {
  if (!rc)
    return false;
  assert_int_equal (rc, TL_E_NOMEM);
  assert_int_equal (c->mem.fail_after, 0);
  c->mem.fail_after = -1;
  return true;
}

static void write_log (checked *c, const tree *t) {
  while (again (c, tl_log_open (&c->log, &c->mem, &c->packer)))
    ;
  for (uint64_t n = 1; n < t->states; n++)
    while (again (c, tl_log_add (c->log, t->parent[n], t->transition[n])))
      ;
}

static void check_trace (checked *c, const tree *t, uint64_t number) {
  tl_trace trace;
  assert_int_equal (tl_log_trace (c->log, number, &trace), TL_OK);
  assert_non_null (trace.transition);
  uint64_t left = trace.length;
  for (uint64_t n = number; n; n = t->parent[n]) {
    assert_true (left > 0);
    assert_int_equal (trace.transition[--left], t->transition[n]);
  }
  assert_int_equal (left, 0);
  tl_trace_close (&trace);
}

static void check_some (checked *c, const tree *t, int count) {
  tl_random r = {7};
  check_trace (c, t, 0);
  check_trace (c, t, 1);
  check_trace (c, t, t->states - 1);
  while (count--)
    check_trace (c, t, tl_random_below (&r, t->states));
}

static void follow (checked *c, const tree *t, uint64_t number) {
  uint32_t transition;
  assert_int_equal (tl_log_follow (c->log, &transition), TL_OK);
  assert_int_equal (transition, t->transition[number]);
}

static void follow_all (checked *c, const tree *t) {
  uint32_t none;
  for (uint64_t n = 1; n < t->states; n++)
    follow (c, t, n);
  assert_int_equal (tl_log_follow (c->log, &none), TL_E_LIMIT);
}

static void check_made (tree *t, int count) {
  checked c;
  begin (&c);
  write_log (&c, t);
  check_some (&c, t, count);
  follow_all (&c, t);
  end (&c);
  drop_tree (t);
}

static void check_tree (uint64_t states, uint64_t transitions, uint64_t most,
                        bool chain, int count) {
  tree t;
  make_tree (&t, states, transitions, most, chain, states + transitions);
  check_made (&t, count);
}

static void small_trees (void **state) {
  (void)state;
  for (uint64_t states = 2; states < 60; states++)
    check_tree (states, states % 7 + 1, states % 5 + 1, false, 100);
}

// Where the number of bytes of an entry changes.
static void many_transitions (void **state) {
  (void)state;
  for (unsigned bits = 7; bits < 32; bits += bits % 7 ? 1 : 6)
    for (uint64_t more = 0; more < 3; more++)
      check_tree (20000, ((uint64_t)1 << bits) - 1 + more, 3, false, 50);
  check_tree (60000, (uint64_t)1 << 32, 2, false, 50);
}

// A tree whose states were not expanded in the order in which they are
// numbered: the parent of a state is at most so far before it, or any.
static void make_any (tree *t, uint64_t states, uint64_t most, uint64_t seed) {
  tl_random r = {seed};
  t->states = states;
  t->parent = test_calloc (states, sizeof *t->parent);
  t->transition = test_calloc (states, sizeof *t->transition);
  for (uint64_t n = 1; n < states; n++) {
    const uint64_t near = most && most < n ? most : n;
    t->parent[n] = n - 1 - tl_random_below (&r, near);
    t->transition[n] = (uint32_t)tl_random_below (&r, 200);
  }
}

static void any_order (void **state) {
  (void)state;
  tree t;
  for (uint64_t most = 1; most < 20; most++) {
    make_any (&t, 5000, most, most);
    check_made (&t, 5);
  }
  make_any (&t, 300000, 0, 1);
  check_made (&t, 100);
  // Where parents leap between the ends of what there is.
  make_any (&t, 300000, 3, 2);
  for (uint64_t n = 2; n < t.states; n += 2)
    t.parent[n] = n % 7 < n ? n % 7 : 0;
  check_made (&t, 100);
}

// Breadth-first, what the log takes must not depend on how far the search is
// ahead of the states it expands.
static void few_bytes (void **state) {
  (void)state;
  checked c;
  begin (&c);
  assert_int_equal (tl_log_open (&c.log, &c.mem, &c.packer), TL_OK);
  size_t before = 0; // with all that compressing takes
  for (uint64_t n = 0; n < 1000000; n++) {
    assert_int_equal (tl_log_add (c.log, n / 3, (uint32_t)(n * n % 11)), TL_OK);
    if (n == 100000)
      before = c.mem.used;
  }
  assert_true (c.mem.used - before < 100000);
  end (&c);
}

static void while_it_grows (void **state) {
  (void)state;
  tree t;
  checked c;
  make_tree (&t, 100000, 1000, 2, false, 5);
  begin (&c);
  assert_int_equal (tl_log_open (&c.log, &c.mem, &c.packer), TL_OK);
  uint64_t child = 1;
  for (uint64_t n = 0; n < t.states; n++) {
    for (; child < t.states && t.parent[child] == n; child++)
      assert_int_equal (tl_log_add (c.log, n, t.transition[child]), TL_OK);
    if (n % 1009 == 0)
      check_trace (&c, &t, child - 1);
    if (n)
      follow (&c, &t, n);
  }
  end (&c);
  drop_tree (&t);
}

static void long_traces (void **state) {
  (void)state;
  check_tree (500000, 300, 2, true, 10);
}

// ---- The disk --------------------------------------------------------------

static void make_large (tree *t) {
  make_tree (t, 600000, 1 << 20, 3, false, 9);
}

// In a small budget nothing is compressed, and all of it is there at once.
static void small_goes_to_disk (void **state) {
  (void)state;
  tree t;
  checked c;
  make_large (&t);
  begin (&c);
  c.mem.limit = 1500000;
  write_log (&c, &t);
  assert_true (tl_log_spilled (c.log) > 1000000);
  assert_true (c.mem.peak < 300000);
  assert_false (tl_log_flush (c.log));
  check_some (&c, &t, 300);
  for (uint64_t n = 1; n < t.states / 8; n++)
    follow (&c, &t, n);
  end (&c);
  drop_tree (&t);
}

static void goes_to_disk (void **state) {
  (void)state;
  tree t;
  checked c;
  make_large (&t);
  begin (&c);
  c.mem.limit = 20000000;
  write_log (&c, &t);
  assert_true (tl_log_spilled (c.log) > 1000000);
  check_some (&c, &t, 300);
  for (uint64_t n = 1; n < t.states / 2; n++)
    follow (&c, &t, n);
  const uint64_t before = c.mem.used;
  assert_true (tl_log_flush (c.log));
  assert_true (c.mem.used < before);
  assert_false (tl_log_flush (c.log));
  check_some (&c, &t, 300);
  for (uint64_t n = t.states / 2; n < t.states; n++)
    follow (&c, &t, n);
  end (&c);
  drop_tree (&t);
}

static void without_a_folder (void **state) {
  (void)state;
  setenv ("TMPDIR", "build/there-is-no-such-folder", 1);
  tree t;
  checked c;
  make_large (&t);
  begin (&c);
  write_log (&c, &t);
  assert_int_equal (tl_log_spilled (c.log), 0);
  assert_false (tl_log_flush (c.log));
  check_some (&c, &t, 300);
  end (&c);
  begin (&c); // the log ends where memory does, and is right until there
  c.mem.limit = 1500000;
  assert_int_equal (tl_log_open (&c.log, &c.mem, &c.packer), TL_OK);
  tl_status rc = TL_OK;
  uint64_t child = 1;
  for (; !rc && child < t.states; child += !rc)
    rc = tl_log_add (c.log, t.parent[child], t.transition[child]);
  assert_int_equal (rc, TL_E_NOMEM);
  t.states = child;
  check_some (&c, &t, 300);
  end (&c);
  drop_tree (&t);
}

// Files that cannot be read any more: those that a log opens next are known by
// their descriptor.
static void with_a_broken_disk (void **state) {
  (void)state;
  tree t;
  checked c;
  make_large (&t);
  begin (&c);
  const int file = dup (0);
  close (file); // the next file gets this number
  write_log (&c, &t);
  assert_true (tl_log_spilled (c.log) > 0);
  assert_int_equal (ftruncate (file, 0), 0);
  tl_trace trace;
  assert_int_equal (tl_log_trace (c.log, t.states - 1, &trace), TL_E_IO);
  assert_null (trace.transition);
  uint32_t transition = 0;
  tl_status rc;
  while (!(rc = tl_log_follow (c.log, &transition)))
    ;
  assert_int_equal (rc, TL_E_IO);
  check_trace (&c, &t, 1000); // in memory
  end (&c);
  drop_tree (&t);
}

static void every_allocation_fails (void **state) {
  (void)state;
  tree t;
  make_tree (&t, 80000, 1 << 20, 3, false, 11);
  bool asked = true;
  for (long n = 0; asked; n++) {
    checked c;
    begin (&c);
    c.mem.fail_after = n;
    write_log (&c, &t);
    asked = c.mem.fail_after <= 0;
    c.mem.fail_after = -1;
    check_some (&c, &t, 20);
    end (&c);
    assert_true (asked || n > 5);
  }
  drop_tree (&t);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (small_trees),
      cmocka_unit_test (many_transitions),
      cmocka_unit_test (any_order),
      cmocka_unit_test (few_bytes),
      cmocka_unit_test (while_it_grows),
      cmocka_unit_test (long_traces),
      cmocka_unit_test (goes_to_disk),
      cmocka_unit_test (small_goes_to_disk),
      cmocka_unit_test (with_a_broken_disk),
      cmocka_unit_test (every_allocation_fails),
      cmocka_unit_test (without_a_folder), // the last: it changes TMPDIR
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
