// The stack of a depth-first search against one that keeps everything.

#include "base/random.h"
#include "explore/explore.h"
#include "explore/stack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

// A state is a number; which transitions are enabled there is made up from it.
typedef struct level {
  uint64_t state;
  uint32_t next; // the smallest transition not yet tried
  uint32_t by;   // the transition that led to it
} level;

typedef struct checked {
  tl_mem mem;
  tl_packer packer;
  tl_stack stack;
  uint32_t transitions;
  level *level; // all of them
  size_t depth;
} checked;

static void begin (checked *c, uint32_t transitions, size_t deepest) {
  *c = (checked){.mem = TL_MEM (0, "stack"), .transitions = transitions};
  c->packer = TL_PACKER (&c->mem);
  c->level = test_calloc (deepest + 1, sizeof *c->level);
}

static void end (checked *c) {
  tl_stack_close (&c->stack);
  tl_packer_close (&c->packer);
  test_free (c->level);
  assert_int_equal (c->mem.used, 0);
}

static bool is_enabled (uint64_t state, uint32_t transition) {
  return tl_mix (state ^ tl_mix (transition)) % 3;
}

static uint32_t write_list (const checked *c, uint64_t state, uint32_t *list) {
  uint32_t n = 0;
  for (uint32_t t = 0; t < c->transitions; t++)
    if (is_enabled (state, t))
      list[n++] = t;
  return n;
}

static tl_status enter (checked *c, uint64_t state, uint32_t by) {
  const uint32_t count = write_list (c, state, tl_stack_room (&c->stack));
  const tl_status rc = tl_stack_enter (&c->stack, by, count);
  if (!rc)
    c->level[c->depth++] = (level){.state = state, .by = by};
  return rc;
}

// Goes on by the next transition, or to the `skip`-th after it.
static tl_status forth (checked *c, uint64_t skip) {
  for (;; skip--) {
    level *top = c->level + c->depth - 1;
    while (top->next < c->transitions && !is_enabled (top->state, top->next))
      top->next++;
    const uint32_t *next = tl_stack_next (&c->stack);
    if (top->next == c->transitions) {
      assert_null (next);
      return TL_OK;
    }
    assert_non_null (next);
    assert_int_equal (*next, top->next);
    const uint32_t by = top->next++;
    tl_stack_tried (&c->stack);
    if (!skip)
      return enter (c, tl_mix (top->state + by + 1), by);
  }
}

static tl_status back (checked *c) {
  uint32_t by = 0;
  const tl_status rc = tl_stack_leave (&c->stack, &by);
  if (rc)
    return rc;
  c->depth--;
  assert_int_equal (c->stack.depth, c->depth);
  if (!c->depth)
    return TL_OK;
  assert_int_equal (by, c->level[c->depth].by);
  if (!tl_stack_has_list (&c->stack)) {
    const uint32_t count =
        write_list (c, c->level[c->depth - 1].state, tl_stack_room (&c->stack));
    tl_stack_list_again (&c->stack, &by, count);
  }
  return TL_OK;
}

static void check_trace (checked *c) {
  tl_trace trace;
  assert_int_equal (tl_stack_trace (&c->stack, &trace), TL_OK);
  assert_int_equal (trace.length, c->depth - 1);
  for (size_t i = 0; i < trace.length; i++)
    assert_int_equal (trace.transition[i], c->level[i + 1].by);
  tl_trace_close (&trace);
}

static void open_stack (checked *c) {
  assert_int_equal (tl_stack_open (&c->stack, &c->mem, &c->packer,
                                   c->transitions, c->transitions),
                    TL_OK);
  assert_int_equal (enter (c, 42, 0), TL_OK);
}

// Ends at the bottom where all transitions were tried there.
static void go_down (checked *c, size_t deepest) {
  while (c->depth < deepest) {
    const size_t before = c->depth;
    assert_int_equal (forth (c, 0), TL_OK);
    if (c->depth > before)
      continue;
    if (c->depth == 1)
      return;
    assert_int_equal (back (c), TL_OK);
  }
}

static void go_up (checked *c, size_t least) {
  while (c->depth > least)
    assert_int_equal (back (c), TL_OK);
}

static void wander (uint32_t transitions, size_t deepest, int turns) {
  checked c;
  tl_random r = {transitions};
  begin (&c, transitions, deepest);
  open_stack (&c);
  for (int i = 0; i < turns; i++) {
    go_down (&c, 1 + tl_random_below (&r, deepest));
    check_trace (&c);
    go_up (&c, 1 + tl_random_below (&r, c.depth + 1) / 2);
    for (int k = 0; k < 1000; k++)
      if (c.depth < deepest && tl_random_below (&r, 2))
        assert_int_equal (forth (&c, tl_random_below (&r, 3)), TL_OK);
      else if (c.depth > 1)
        assert_int_equal (back (&c), TL_OK);
    check_trace (&c);
  }
  go_up (&c, 0);
  end (&c);
}

static void deep_and_shallow (void **state) {
  (void)state;
  wander (4, 100, 100);
  wander (7, 300000, 10);
  wander (256, 5000, 10);
  wander (257, 20000, 5);
  wander (30000, 20, 10); // one list nearly fills the room for lists
}

static void around_the_end_of_a_part (void **state) {
  (void)state;
  checked c;
  begin (&c, 5, 300000);
  open_stack (&c);
  for (size_t parts = 1; parts < 4; parts++)
    for (size_t off = 0; off < 3; off++) {
      go_down (&c, (parts << 16) + off);
      check_trace (&c);
      go_up (&c, (parts << 16) - 2);
      check_trace (&c);
    }
  go_up (&c, 0);
  end (&c);
}

static void goes_to_disk (void **state) {
  (void)state;
  checked c;
  begin (&c, 1 << 9, 600000);
  open_stack (&c);
  tl_random r = {3};
  while (c.depth < 600000) // not the first one each time
    assert_int_equal (forth (&c, tl_random_below (&r, 200)), TL_OK);
  assert_true (c.stack.path.written > 100000);
  check_trace (&c);
  go_up (&c, 300000);
  go_down (&c, 500000);
  check_trace (&c);
  go_up (&c, 0);
  assert_int_equal (c.stack.path.end, 0);
  end (&c);
}

// Of transitions that were looked up those to known states go; the others are
// looked up again when the search comes back.
static void known_successors_are_dropped (void **state) {
  (void)state;
  static const uint8_t isnew[] = {0, 1, 0, 1}, none[] = {0, 0};
  checked c;
  begin (&c, 6, 1);
  assert_int_equal (tl_stack_open (&c.stack, &c.mem, &c.packer, 6, 6), TL_OK);
  for (uint32_t t = 0; t < 6; t++)
    tl_stack_room (&c.stack)[t] = t;
  assert_int_equal (tl_stack_enter (&c.stack, 0, 6), TL_OK);
  assert_int_equal (tl_stack_unseen (&c.stack), 6);
  tl_stack_drop_known (&c.stack, 4, isnew);
  assert_int_equal (tl_stack_unseen (&c.stack), 0);
  assert_int_equal (*tl_stack_next (&c.stack), 1);
  tl_stack_tried (&c.stack);
  assert_int_equal (*tl_stack_next (&c.stack), 3);
  uint32_t by;
  tl_stack_room (&c.stack);
  assert_int_equal (tl_stack_enter (&c.stack, 1, 0), TL_OK);
  assert_null (tl_stack_next (&c.stack));
  assert_int_equal (tl_stack_leave (&c.stack, &by), TL_OK);
  assert_int_equal (tl_stack_unseen (&c.stack), 3);
  tl_stack_drop_known (&c.stack, 2, none);
  assert_int_equal (tl_stack_unseen (&c.stack), 1);
  assert_int_equal (*tl_stack_next (&c.stack), 5);
  end (&c);
}

static void with_a_broken_disk (void **state) {
  (void)state;
  checked c;
  begin (&c, 1 << 9, 600000);
  open_stack (&c);
  tl_random r = {3};
  while (c.depth < 600000)
    assert_int_equal (forth (&c, tl_random_below (&r, 200)), TL_OK);
  assert_int_equal (ftruncate (c.stack.path.file, 0), 0);
  tl_trace trace;
  assert_int_equal (tl_stack_trace (&c.stack, &trace), TL_E_IO);
  assert_null (trace.transition);
  tl_status rc = TL_OK;
  while (!rc && c.depth)
    rc = back (&c);
  assert_int_equal (rc, TL_E_IO);
  end (&c);
}

static void every_allocation_fails (void **state) {
  (void)state;
  bool asked = true;
  for (long n = 0; asked; n++) {
    checked c;
    begin (&c, 5, 400000);
    c.mem.fail_after = n;
    if (tl_stack_open (&c.stack, &c.mem, &c.packer, c.transitions,
                       c.transitions)) {
      end (&c);
      continue;
    }
    assert_int_equal (enter (&c, 42, 0), TL_OK);
    while (c.depth < 400000) {
      const size_t before = c.depth;
      if (forth (&c, 0)) {
        assert_int_equal (c.mem.fail_after, 0);
        c.mem.fail_after = -1;
      } else if (c.depth == before)
        assert_int_equal (back (&c), TL_OK);
    }
    asked = c.mem.fail_after <= 0;
    check_trace (&c);
    go_up (&c, 0);
    end (&c);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (deep_and_shallow),
      cmocka_unit_test (around_the_end_of_a_part),
      cmocka_unit_test (goes_to_disk),
      cmocka_unit_test (known_successors_are_dropped),
      cmocka_unit_test (with_a_broken_disk),
      cmocka_unit_test (every_allocation_fails),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
