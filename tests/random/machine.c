// Random coloured nets that run as they are, against the naive interpreter.
//
//   machine [--nets N] [--seed S] [--long]
//
// --long, or the variable LONG, stands for many nets.  Net number i is made
// from seed S + i, and runs in one of the ways and as differences; the seed
// says in which, and how much memory there is: little for every third net,
// which then may end before it has found all.
//
// Some nets have an error of the model.  Both must say the same of it.  But
// what goes wrong first depends on the order of computing: the naive one tries
// every value, and the schedule tests a guard before it has looked for all
// tokens.  So a few errors are told by one of them only.

#include "../naive_coloured.h"
#include "../random_coloured.h"
#include "../trials.h"
#include "compile/compiled.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  NORMAL = 2500,
  LONG = 100000,
  STATES = 150,
  MOST_WRONG = 30, // percent of the nets
  MOST_ALONE = 4   // percent of the nets
};

typedef struct tally {
  uint64_t same, wrong, large;
  uint64_t starved; // that ended for lack of memory
  uint64_t alone;   // runs that have met something else than the naive one
} tally;

typedef struct way {
  const char *order, *store;
} way;

static const way ways[] = {{"bfs", "auto"},       {"dfs", "collapse"},
                           {"sweep", "collapse"}, {"bfs", "table"},
                           {"dfs", "tree"},       {"sweep", "plain"}},
                 deltas[] = {{"bfs", "delta+collapse"}, {"dfs", "delta"}};

#define PICK(LIST, SEED) ((LIST)[(SEED) % (sizeof (LIST) / sizeof *(LIST))])

enum { COMPILED = 50 }; // one net in so many, for a compiler takes its time

// The same kind of error: what stands before the first colon.
static bool same_error (const char *a, const char *b) {
  const size_t length = strcspn (a, ":");
  return length && length == strcspn (b, ":") && !strncmp (a, b, length);
}

// `text`: what the machine says is wrong, or "".
static void compare_errors (const naive_coloured *naive, const char *text,
                            tally *all) {
  all->alone += !naive->wrong || !same_error (naive->error.text, text);
}

static bool agree (const tl_exploration *x, const naive_coloured *naive,
                   tally *all) {
  const bool fault = x->stop == TL_STOP_FAULT;
  if (naive->wrong || fault) {
    compare_errors (naive, fault ? x->fault.text : "", all);
    return true;
  }
  if (x->stop == TL_STOP_MEMORY)
    return x->states <= naive->states && x->arcs <= naive->arcs;
  return x->complete && x->states == naive->states && x->arcs == naive->arcs &&
         x->deadlocks == naive->deadlocks &&
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

static bool run (uint64_t seed, way in, size_t memory,
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
  how.max_states = 4 * STATES;        // what is wrong may be infinite, too
  bool same = naive->wrong || memory; // also before the first state
  const tl_compile when = seed % COMPILED ? TL_COMPILE_NEVER : TL_COMPILE_NOW;
  if (tl_folded_open (&net, &mem, random_coloured (&mem, seed), when, &err) ||
      tl_explore (net, &how, &x, &err)) {
    if (naive->wrong)
      compare_errors (naive, err.text, all);
    if (!same)
      printf ("as it is: %s\n", err.text);
  } else {
    same = agree (&x, naive, all);
    all->starved += x.stop == TL_STOP_MEMORY;
    if (!same)
      tell (&x, naive);
    tl_exploration_close (&x);
  }
  tl_net_close (net);
  if (mem.used)
    same = false, printf ("memory is lost\n");
  return same;
}

static bool try_seed (uint64_t seed, tally *all) {
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *coloured = random_coloured (&mem, seed);
  const naive_coloured naive = naive_coloured_explore (coloured, STATES);
  tl_coloured_close (coloured);
  ++*(naive.wrong ? &all->wrong : naive.complete ? &all->same : &all->large);
  if (!naive.complete && !naive.wrong)
    return true;
  const size_t memory = seed % 3 ? 0 : 300000 + seed % 1000 * 2000;
  return run (seed, PICK (ways, seed), 0, &naive, all) &&
         run (seed, PICK (deltas, seed), memory, &naive, all);
}

int main (int count, char **word) {
  trials t;
  if (!trials_wanted (&t, count, word, NORMAL, LONG))
    return 2;
  tally all = {0};
  setenv ("XDG_CACHE_HOME", "/dev/null", 1); // keep nothing
  for (uint64_t i = 0; i < t.nets; i++)
    if (!try_seed (t.seed + i, &all)) {
      printf ("not ok - coloured net of seed %" PRIu64 " as it is\n",
              t.seed + i);
      return 1;
    }
  const bool fair =
      t.nets < NORMAL || (100 * all.wrong <= MOST_WRONG * t.nets &&
                          100 * all.alone <= MOST_ALONE * t.nets);
  printf ("%s - %" PRIu64 " coloured nets as they are: %" PRIu64
          " the same, %" PRIu64 " wrong (%" PRIu64 " %%; %" PRIu64
          " runs say not the same of it), %" PRIu64 " too large, %" PRIu64
          " short of memory\n",
          fair ? "ok" : "not ok", t.nets, all.same, all.wrong,
          100 * all.wrong / t.nets, all.alone, all.large, all.starved);
  return !fair;
}
