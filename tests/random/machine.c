// Random coloured nets that are not unfolded, against the naive interpreter.
//
//   machine [--nets N] [--seed S] [--long]
//
// --long, or the variable LONG, stands for many nets.  Net number i is made
// from seed S + i, and runs in one of the ways and as differences; the seed
// says in which, and how much memory there is: little for every seventh net,
// and as differences for every third, which then may end before all is found.
// Breadth-first, each net is also explored by 2, 3 or 8 threads.
//
// Some nets have an error of the model.  It is told exactly where the naive
// interpreter meets one, and it is one of those that it meets.  Propositions
// are not computed, for nobody asks.

#include "../naive_coloured.h"
#include "../random_coloured.h"
#include "../trials.h"
#include "compile/compiled.h"
#include "machine/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  NORMAL = 3500, // of which 2,500 are compared
  LONG = 100000,
  STATES = 150,
  MOST_WRONG = 40 // percent of the nets
};

typedef struct tally {
  uint64_t same, wrong, large;
  uint64_t starved;  // that ended for lack of memory
  uint64_t parallel; // runs with several threads
} tally;

typedef struct way {
  const char *order, *store;
} way;

static const way ways[] = {{"bfs", "auto"},       {"dfs", "auto"},
                           {"sweep", "auto"},     {"dfs", "collapse"},
                           {"sweep", "collapse"}, {"bfs", "table"},
                           {"dfs", "tree"},       {"sweep", "plain"},
                           {"dfs", "table"},      {"bfs", "plain"},
                           {"sweep", "table"},    {"bfs", "tree"}},
                 deltas[] = {{"bfs", "delta+collapse"},
                             {"dfs", "delta"},
                             {"bfs", "delta"},
                             {"dfs", "delta+collapse"}},
                 wide[] = {{"bfs", "auto"},
                           {"bfs", "collapse"},
                           {"bfs", "table"},
                           {"bfs", "tree"},
                           {"bfs", "plain"}};

#define PICK(LIST, SEED) ((LIST)[(SEED) % (sizeof (LIST) / sizeof *(LIST))])

enum { COMPILED = 50 }; // one net in so many, for a compiler takes its time

// An error is told where there is one, else all is as it should be.
static bool agree (const tl_exploration *x, const naive_coloured *naive) {
  if (x->stop == TL_STOP_FAULT)
    return naive->wrong && naive_coloured_knows (naive, x->fault.text);
  if (x->stop == TL_STOP_MEMORY)
    return x->states <= naive->states && x->arcs <= naive->arcs;
  return !naive->wrong && x->complete && x->states == naive->states &&
         x->arcs == naive->arcs && x->deadlocks == naive->deadlocks &&
         x->max_tokens_in_place == naive->most_in_place;
}

static void tell (const tl_exploration *x, const naive_coloured *naive) {
  printf ("as it is: %" PRIu64 " states, %" PRIu64 " arcs, %" PRIu64
          " deadlocks, %s\nnaive: %" PRIu64 " states, %" PRIu64
          " arcs, %" PRIu64 " deadlocks%s\n",
          x->states, x->arcs, x->deadlocks,
          x->stop == TL_STOP_FAULT ? x->fault.text : tl_stop_text (x->stop),
          naive->states, naive->arcs, naive->deadlocks,
          naive->wrong ? ", wrong" : "");
}

static bool run (uint64_t seed, way in, uint32_t threads, size_t memory,
                 const naive_coloured *naive, tally *all) {
  static const uint32_t ks[] = {1, 2, 3, 5, 20, 255};
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_net *net;
  tl_exploration x;
  tl_options how = tl_options_default ();
  how.order = in.order;
  how.store = in.store;
  how.memory = memory;
  how.delta_k = PICK (ks, seed / 2);
  how.threads = threads;
  how.parallel_from = 1 + seed % 3;
  tl_divide_early = seed % 4 != 0;
  bool same = memory; // it may be too little for the first state
  const tl_compile when = seed % COMPILED ? TL_COMPILE_NEVER : TL_COMPILE_NOW;
  if (tl_folded_open (&net, &mem, random_coloured (&mem, seed), when, &err) ||
      tl_explore (net, &how, &x, &err)) {
    same |= naive_coloured_knows (naive, err.text);
    if (!same)
      printf ("as it is: %s\n", err.text);
  } else {
    same = agree (&x, naive);
    all->starved += x.stop == TL_STOP_MEMORY;
    all->parallel += x.threads > 1;
    if (!same)
      tell (&x, naive);
    tl_exploration_close (&x);
  }
  tl_net_close (net);
  if (mem.used)
    same = false, printf ("memory is lost\n");
  return same;
}

static bool try_seed (uint64_t seed, void *sum) {
  tally *all = sum;
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *coloured = random_coloured (&mem, seed);
  const naive_coloured naive = naive_coloured_explore (coloured, STATES);
  tl_coloured_close (coloured);
  ++*(naive.wrong ? &all->wrong : naive.complete ? &all->same : &all->large);
  if (!naive.complete)
    return true;
  static const uint32_t threads[] = {2, 3, 8};
  const size_t memory = 300000 + seed % 1000 * 2000;
  return run (seed, PICK (ways, seed), 1, seed % 7 ? 0 : memory, &naive, all) &&
         run (seed, PICK (deltas, seed), 1, seed % 3 ? 0 : memory, &naive,
              all) &&
         run (seed, PICK (wide, seed), PICK (threads, seed / 5),
              seed % 11 ? 0 : 100 * memory, &naive, all);
}

int main (int count, char **word) {
  trials t;
  if (!trials_wanted (&t, count, word, NORMAL, LONG))
    return 2;
  tally all = {0};
  setenv ("XDG_CACHE_HOME", "/dev/null", 1); // keep nothing
  if (!trials_run (&t, "coloured net, not unfolded", try_seed, &all))
    return 1;
  const bool fair = t.nets < NORMAL || 100 * all.wrong <= MOST_WRONG * t.nets;
  printf ("%s - %" PRIu64 " coloured nets, not unfolded: %" PRIu64
          " without errors, %" PRIu64 " with, %" PRIu64 " too large, %" PRIu64
          " short of memory, %" PRIu64 " times several threads\n",
          fair ? "ok" : "not ok", t.nets, all.same, all.wrong, all.large,
          all.starved, all.parallel);
  return !fair;
}
