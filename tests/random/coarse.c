// Random coloured nets that are not unfolded, with stubborn sets that keep
// deadlocks, against the naive interpreter: there are as many.
//
//   coarse [--nets N] [--seed S] [--long]
//
// --long, or the variable LONG, stands for many nets.  Net number i is made
// from seed S + i.  Nets with an error of the model are left out: that may lie
// in a state that need not be visited.

#include "../naive_coloured.h"
#include "../random_coloured.h"
#include "../trials.h"
#include "compile/compiled.h"

#include <inttypes.h>
#include <stdio.h>

enum { NORMAL = 2000, LONG = 100000, STATES = 150 };

typedef struct tally {
  uint64_t same, deadlocks, smaller, others;
} tally;

static bool compare (const tl_net *net, const naive_coloured *naive,
                     const char *order, tally *all) {
  tl_options how = tl_options_default ();
  tl_exploration x;
  tl_error err = {0};
  how.order = order;
  how.stubborn = "deadlock";
  how.exact_count = true;
  const tl_status rc = tl_explore (net, &how, &x, &err);
  if (rc) { // there may be a variable that nothing binds
    if (rc != TL_E_MODEL)
      printf ("%s\n", err.text);
    all->others += rc == TL_E_MODEL;
    return rc == TL_E_MODEL;
  }
  const bool same = x.complete && x.deadlocks == naive->deadlocks &&
                    x.states <= naive->states;
  if (!same)
    printf ("%s: %" PRIu64 " states, %" PRIu64 " deadlocks; naive: %" PRIu64
            " states, %" PRIu64 " deadlocks\n",
            order, x.states, x.deadlocks, naive->states, naive->deadlocks);
  all->smaller += x.states < naive->states;
  all->deadlocks += x.deadlocks;
  tl_exploration_close (&x);
  return same;
}

static bool try_seed (uint64_t seed, void *sum) {
  static const char *const orders[] = {"bfs", "dfs", "sweep"};
  tally *all = sum;
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_net *net;
  tl_coloured *coloured = random_coloured (&mem, seed);
  const naive_coloured naive = naive_coloured_explore (coloured, STATES);
  tl_coloured_close (coloured);
  const bool fit = naive.complete && !naive.wrong;
  ++*(fit ? &all->same : &all->others);
  if (!fit)
    return true;
  const bool same = !tl_folded_open (&net, &mem, random_coloured (&mem, seed),
                                     TL_COMPILE_NEVER, &err) &&
                    compare (net, &naive, orders[seed % 3], all);
  tl_net_close (net);
  return same && !mem.used;
}

int main (int count, char **word) {
  trials t;
  if (!trials_wanted (&t, count, word, NORMAL, LONG))
    return 2;
  tally all = {0};
  if (!trials_run (&t, "coloured net with stubborn sets", try_seed, &all))
    return 1;
  // Else nothing is tested.
  const bool fair = t.nets < NORMAL || 20 * all.smaller >= all.same;
  printf ("%s - %" PRIu64 " coloured nets with stubborn sets: %" PRIu64
          " deadlocks, %" PRIu64 " times fewer states; %" PRIu64
          " are wrong or too large\n",
          fair ? "ok" : "not ok", all.same, all.deadlocks, all.smaller,
          all.others);
  return !fair;
}
