// Random coloured nets: unfolded and explored, and by the naive interpreter.
//
//   coloured [--nets N] [--seed S] [--long]
//
// --long, or the variable LONG, stands for many nets.  Net number i is made
// from seed S + i.

#include "../brute.h"
#include "../naive_coloured.h"
#include "../random_coloured.h"
#include "colour/unfold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NORMAL = 2500, LONG = 100000, STATES = 150 };

typedef struct tally {
  uint64_t same, refused, wrong, large;
} tally;

static bool compare (const tl_coloured *coloured, const tl_net *net,
                     tally *all) {
  const naive_coloured naive = naive_coloured_explore (coloured, STATES);
  if (naive.wrong || !naive.complete) {
    ++*(naive.wrong ? &all->wrong : &all->large);
    return true;
  }
  brute b = brute_explore (net, 2 * STATES);
  const bool same = b.complete && b.states == naive.states &&
                    b.arcs == naive.arcs && b.deadlocks == naive.deadlocks &&
                    b.max_in_place == naive.most_in_place;
  if (!same)
    printf ("unfolded: %" PRIu64 " states, %" PRIu64 " arcs, %" PRIu64
            " deadlocks\nnaive: %" PRIu64 " states, %" PRIu64 " arcs, %" PRIu64
            " deadlocks\n",
            b.states, b.arcs, b.deadlocks, naive.states, naive.arcs,
            naive.deadlocks);
  brute_close (&b);
  all->same += same;
  return same;
}

static bool try_seed (uint64_t seed, tally *all) {
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  const tl_unfold_limits limits = {.transitions = 100000, .seconds = 10};
  tl_coloured *const coloured = random_coloured (&mem, seed);
  tl_net *net;
  bool ok = true;
  const tl_status s = tl_unfold (coloured, &limits, &mem, &net, &err);
  if (s == TL_E_MODEL)
    all->refused++;
  else if (s)
    ok = false, printf ("%s\n", err.text);
  else
    ok = compare (coloured, net, all);
  tl_net_close (net);
  tl_coloured_close (coloured);
  if (mem.used)
    ok = false, printf ("memory is lost\n");
  return ok;
}

int main (int count, char **word) {
  uint64_t nets = getenv ("LONG") ? LONG : NORMAL, seed = 1;
  for (int i = 1; i < count; i++) {
    if (!strcmp (word[i], "--long"))
      nets = LONG;
    else if (i + 1 < count && !strcmp (word[i], "--nets"))
      nets = strtoull (word[++i], 0, 10);
    else if (i + 1 < count && !strcmp (word[i], "--seed"))
      seed = strtoull (word[++i], 0, 10);
    else
      return fprintf (stderr, "coloured [--nets N] [--seed S] [--long]\n"), 2;
  }
  tally all = {0};
  for (uint64_t i = 0; i < nets; i++)
    if (!try_seed (seed + i, &all)) {
      printf ("not ok - coloured net of seed %" PRIu64 "\n", seed + i);
      return 1;
    }
  printf ("ok - %" PRIu64 " coloured nets: %" PRIu64 " compared, %" PRIu64
          " too large, %" PRIu64 " not unfolded, %" PRIu64 " wrong\n",
          nets, all.same, all.large, all.refused, all.wrong);
  return 0;
}
