// Searches of several ranks where memory fails on one of them: none of them
// waits for ever, and figures are right or said not to be whole.

#include "../brute.h"
#include "../ranks_here.h"

#include "base/mem.h"
#include "explore/explore.h"
#include "net/net.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum {
  RANKS = 2,
  STATES = 2000,
  PATIENCE = 60, // seconds
  WRONG = 98,    // exit codes
  HARMED = 97
};

typedef struct attempt {
  const tl_net *net;
  const brute *all;
  tl_options how;
  unsigned victim; // the rank that has too little memory:
  long fail_after; // see tl_mem
  bool unharmed;   // it has not asked for so much
} attempt;

static void run_rank (tl_cluster *cluster, void *context) {
  attempt *a = context;
  const brute *all = a->all;
  const bool fails = cluster->rank == a->victim;
  tl_mem root = TL_MEM (0, "total");
  tl_exploration run = {0};
  tl_error err = {0};
  root.fail_after = fails ? a->fail_after : -1;
  const tl_status rc = tl_explore_share (
      &root, a->net, &a->how, 0, &(tl_fleet){.cluster = cluster}, &run, &err);
  if (fails)
    a->unharmed = root.fail_after > 0 || root.fail_after < -1;
  if (!rc && !cluster->rank && run.complete && run.counted &&
      (run.states != all->states || run.arcs != all->arcs ||
       run.deadlocks != all->deadlocks))
    _exit (WRONG);
  tl_exploration_close (&run);
  if (root.used)
    _exit (WRONG);
}

// In a process of its own, which a rank may end.  False: nothing failed.
static bool fails (attempt *a) {
  int status;
  const pid_t child = fork ();
  if (!child) {
    alarm (PATIENCE);
    ranks_here_run (RANKS, run_rank, a);
    _exit (a->unharmed ? 0 : HARMED);
  }
  assert_int_equal (waitpid (child, &status, 0), child);
  const int code = WEXITSTATUS (status);
  if (!WIFEXITED (status) ||
      (code && code != HARMED && code != RANKS_ABANDONED))
    fail_msg ("rank %u, %ld: status %x", a->victim, a->fail_after,
              (unsigned)status);
  return code;
}

static void forget (const char *folder) {
  char command[100];
  snprintf (command, sizeof command, "rm -rf '%s'", folder);
  assert_int_equal (system (command), 0);
}

// One request after the other fails, alone or with all behind it; of
// checkpoints, which wait for the disk, some of them.
static void starve (attempt a, bool once) {
  const bool saves = a.how.checkpoint_seconds > 0;
  const long step = saves && !getenv ("LONG") ? 7 : 1;
  char folder[] = P_tmpdir "/tideline-together-XXXXXX";
  assert_non_null (mkdtemp (folder));
  a.how.checkpoint = saves ? folder : 0;
  bool failed = true;
  for (long n = 0; failed; n += step) {
    a.fail_after = once ? -2 - n : n;
    failed = fails (&a);
    if (saves)
      forget (folder);
  }
  forget (folder);
}

// Transitions that fire once each, and one that ends it all when a transition
// has fired.  So there are dead states where several ranks begin.
enum { SHOTS = 5, TOGETHER = 8 };

static tl_net *make_net (tl_mem *mem) {
  const uint32_t go = SHOTS, fired = SHOTS + 1;
  tl_builder *b;
  tl_net *net;
  tl_error err = {0};
  bool ok = !tl_builder_open (&b, mem);
  for (uint32_t i = 0; ok && i < SHOTS + 2; i++) {
    char id[32];
    snprintf (id, sizeof id, "p%u", i);
    ok = !tl_builder_place (b, id, 0, i <= go, 0) &&
         (i > go || !tl_builder_transition (b, id, 0, 0));
  }
  for (uint32_t i = 0; ok && i < SHOTS; i++)
    ok = !tl_builder_arc (b, TL_ARC_PRE, i, i, 1) &&
         !tl_builder_arc (b, TL_ARC_PRE, go, i, 1) &&
         !tl_builder_arc (b, TL_ARC_POST, go, i, 1) &&
         !tl_builder_arc (b, TL_ARC_POST, fired, i, 1);
  ok = ok && !tl_builder_arc (b, TL_ARC_PRE, go, SHOTS, 1) &&
       !tl_builder_arc (b, TL_ARC_PRE, fired, SHOTS, 1) &&
       !tl_builder_arc (b, TL_ARC_POST, fired, SHOTS, 1);
  assert_true (ok && !tl_builder_finish (b, "shots", "test", &net, &err));
  return net;
}

static void starve_ranks (tl_options how, bool once) {
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = make_net (&mem);
  brute all = brute_explore (net, STATES);
  assert_true (all.complete && all.deadlocks);
  how.threads = 1;
  how.parallel_from = TOGETHER;
  for (unsigned victim = 0; victim < RANKS; victim++)
    starve ((attempt){.net = net, .all = &all, .how = how, .victim = victim},
            once);
  brute_close (&all);
  tl_net_close (net);
}

static void breadth_first (void **state) {
  (void)state;
  starve_ranks (tl_options_default (), false);
  starve_ranks (tl_options_default (), true);
}

static void with_checkpoints (void **state) {
  (void)state;
  tl_options how = tl_options_default ();
  how.checkpoint_seconds = 1e-9;
  starve_ranks (how, true);
}

static void sweeps (void **state) {
  (void)state;
  tl_options how = tl_options_default ();
  how.order = "sweep";
  how.progress = "p6";
  starve_ranks (how, false);
  starve_ranks (how, true);
}

// What is left behind goes to the disk.
static void sweeps_with_archives (void **state) {
  (void)state;
  tl_options how = tl_options_default ();
  how.order = "sweep";
  how.progress = "p6 - 3 * p0 + 2 * p1";
  how.exact_count = true;
  starve_ranks (how, true);
}

// ---- Wider fields ----------------------------------------------------------

// Two places that grow, of which the second is beyond the half of its field in
// the very state in which the first outgrows its own: one rank has seen that.
// Beside them places between which a token goes.
enum { GROWN = 51, PAIRS = 4 };

static tl_net *make_growing_net (tl_mem *mem, uint32_t pairs) {
  enum { FIRST = 250, SECOND = 123, LAST = 300, NEVER = 1000, GO = 2 };
  tl_builder *b;
  tl_net *net;
  tl_error err = {0};
  assert_true (!tl_builder_open (&b, mem) &&
               !tl_builder_place (b, "first", 0, FIRST, 0) &&
               !tl_builder_place (b, "second", 0, SECOND, 0) &&
               !tl_builder_place (b, "go", 0, 1, 0) &&
               !tl_builder_transition (b, "grow", 0, 0) &&
               !tl_builder_transition (b, "never", 0, 0) &&
               !tl_builder_arc (b, TL_ARC_PRE, GO, 0, 1) &&
               !tl_builder_arc (b, TL_ARC_POST, GO, 0, 1) &&
               !tl_builder_arc (b, TL_ARC_POST, 0, 0, 1) &&
               !tl_builder_arc (b, TL_ARC_POST, 1, 0, 1) &&
               !tl_builder_arc (b, TL_ARC_INHIBITOR, 0, 0, LAST) &&
               !tl_builder_arc (b, TL_ARC_PRE, 0, 1, NEVER) &&
               !tl_builder_arc (b, TL_ARC_PRE, 1, 1, NEVER));
  for (uint32_t i = 0; i < 2 * pairs; i++) {
    const uint32_t place = GO + 1 + i, other = GO + 1 + (i ^ 1);
    char id[32];
    snprintf (id, sizeof id, "p%u", i);
    assert_true (!tl_builder_place (b, id, 0, !(i % 2), 0) &&
                 !tl_builder_transition (b, id, 0, 0));
    if (i % 2)
      assert_true (!tl_builder_arc (b, TL_ARC_PRE, place, 1 + i, 1) &&
                   !tl_builder_arc (b, TL_ARC_POST, other, 1 + i, 1) &&
                   !tl_builder_arc (b, TL_ARC_PRE, other, 2 + i, 1) &&
                   !tl_builder_arc (b, TL_ARC_POST, place, 2 + i, 1));
  }
  assert_int_equal (tl_builder_finish (b, "growing", "test", &net, &err),
                    TL_OK);
  return net;
}

typedef struct growth {
  const tl_net *net;
  tl_options how;
  uint64_t states; // in all
} growth;

static void grow (tl_cluster *cluster, void *context) {
  const growth *g = context;
  tl_mem root = TL_MEM (0, "total");
  tl_exploration run = {0};
  tl_error err = {0};
  const tl_status rc = tl_explore_share (
      &root, g->net, &g->how, 0, &(tl_fleet){.cluster = cluster}, &run, &err);
  if (rc || (!cluster->rank && !g->how.max_states &&
             (!run.complete || run.widened != 1 || run.ranks != RANKS ||
              run.states != g->states)))
    _exit (WRONG);
  tl_exploration_close (&run);
}

// In a process of its own.
static void grow_together (growth *g) {
  int status;
  const pid_t child = fork ();
  if (!child) {
    alarm (PATIENCE);
    ranks_here_run (RANKS, grow, g);
    _exit (0);
  }
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_int_equal (status, 0);
}

// All ranks make the same fields wider, whoever has seen that they should be.
static void fields_get_equally_wide (void **state) {
  (void)state;
  static const char *const order[] = {"bfs", "sweep"};
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = make_growing_net (&mem, 0);
  growth g = {.net = net, .states = GROWN};
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    g.how = tl_options_default ();
    g.how.order = order[i];
    g.how.progress = i ? "first" : 0;
    g.how.threads = 1;
    g.how.parallel_from = TOGETHER;
    grow_together (&g);
  }
  tl_net_close (net);
}

// A search that is broken off in the level in which a field is too small goes
// on from a mark before the successor that does not fit.
static void broken_off_before_fields_get_wider (void **state) {
  (void)state;
  enum { FROM = 58, TO = 70 };
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = make_growing_net (&mem, PAIRS);
  growth g = {.net = net, .states = GROWN << PAIRS};
  char folder[] = P_tmpdir "/tideline-together-XXXXXX";
  assert_non_null (mkdtemp (folder));
  for (uint64_t most = FROM; most < TO; most++) {
    g.how = tl_options_default ();
    g.how.threads = 1;
    g.how.parallel_from = 2;
    g.how.checkpoint = folder;
    g.how.checkpoint_seconds = 1e-9;
    g.how.max_states = most;
    grow_together (&g);
    g.how.checkpoint_seconds = 1e9;
    g.how.max_states = 0;
    g.how.resume = true;
    grow_together (&g);
    forget (folder);
  }
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (breadth_first),
      cmocka_unit_test (with_checkpoints),
      cmocka_unit_test (sweeps),
      cmocka_unit_test (sweeps_with_archives),
      cmocka_unit_test (fields_get_equally_wide),
      cmocka_unit_test (broken_off_before_fields_get_wider),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
