#include "failing.h"

#include "base/mem.h"
#include "explore/explore.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void figures_are_lower_bounds (const tl_exploration *run,
                                      const brute *b) {
  if (!run->counted) {
    assert_true (run->sweep.sweeps > 1);
    assert_true (run->max_tokens_in_place <= b->max_in_place || !b->complete);
    return;
  }
  if (run->complete) {
    assert_int_equal (run->states, b->states);
    assert_int_equal (run->arcs, b->arcs);
    assert_int_equal (run->deadlocks, b->deadlocks);
    assert_int_equal (run->max_tokens_in_place, b->max_in_place);
    return;
  }
  assert_true (run->states <= b->states || !b->complete);
  assert_true (run->arcs <= b->arcs || !b->complete);
  assert_true (run->deadlocks <= b->deadlocks || !b->complete);
  assert_true (run->max_tokens_in_place <= b->max_in_place || !b->complete);
}

bool survives (const tl_net *net, const tl_options *options, const brute *b,
               long n) {
  tl_mem root = TL_MEM (0, "total");
  tl_exploration run = {0};
  tl_error err = {0};
  root.fail_after = n;
  const tl_status rc = tl_explore_on (&root, net, options, 0, &run, &err);
  const bool unharmed = root.fail_after > 0;
  if (rc) {
    assert_int_equal (rc, TL_E_NOMEM);
    assert_int_equal (err.code, TL_E_NOMEM);
    assert_int_not_equal (err.text[0], 0);
    assert_false (unharmed);
  } else {
    figures_are_lower_bounds (&run, b);
    if (!run.complete && !unharmed && run.stop != TL_STOP_UNBOUNDED &&
        run.stop != TL_STOP_STATES)
      assert_int_equal (run.stop, TL_STOP_MEMORY);
  }
  tl_exploration_close (&run);
  assert_int_equal (root.used, 0);
  assert_false (root.shared);
  return unharmed;
}
