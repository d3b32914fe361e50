// The symbolic engine on random nets against the brute-force explorer: every
// figure, with every order of the variables, with hardly any memory of results,
// with collections at every turn, and with too little memory.
//
//   symbolic [--nets N] [--seed S] [--long]

#include "../brute.h"
#include "../random_net.h"
#include "../reducible_net.h"
#include "../trials.h"
#include "explore/explore.h"
#include "symbolic/edges.h"
#include "symbolic/symbolic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NORMAL = 800, LONG = 60000, STATES = 2000 };

typedef struct tally {
  uint64_t nets, runs, collections, short_of_memory;
  size_t peak; // of the last run
} tally;

static const char *compare (const brute *b, const tl_exploration *x) {
  const tl_net *net = b->net;
  if (x->states != b->states || x->states_text)
    return "states";
  if (x->arcs != b->arcs || x->arcs_text)
    return "arcs";
  if (x->deadlocks != b->deadlocks || x->deadlocks_unknown)
    return "deadlocks";
  if (x->dead_transitions != b->dead_transitions ||
      memcmp (x->fired, b->fired, net->transitions))
    return "dead transitions";
  if (x->max_tokens_in_place != b->max_in_place ||
      memcmp (x->place_max, b->place_max, net->places * sizeof *b->place_max))
    return "tokens in a place";
  if (x->max_tokens_per_marking != b->max_per_marking)
    return "tokens in a marking";
  return 0;
}

// `limit`: of memory; it may then say that this was too little.
static bool run (const brute *b, const tl_symbolic_stress *stress, size_t limit,
                 tally *sum) {
  tl_options options = tl_options_whole ();
  tl_mem root = TL_MEM (0, "total");
  tl_exploration x;
  tl_error error = {0};
  const char *wrong = 0;
  root.limit = limit;
  options.threads = stress->threads ? stress->threads : 1;
  const tl_status rc =
      tl_symbolic_explore (&root, b->net, &options, stress, &x, &error);
  if (rc)
    wrong = limit && rc == TL_E_NOMEM ? 0 : error.text;
  else if (x.complete && !x.deadlocks_unknown)
    wrong = compare (b, &x);
  else if (x.stop == TL_STOP_TOKENS)
    wrong = b->max_in_place < TL_SYMBOLIC_TOKENS ? "too many tokens" : 0;
  else
    wrong = limit ? 0 : "not complete";
  if (!rc) {
    sum->collections += x.symbolic.collections;
    sum->short_of_memory += !x.complete;
    tl_exploration_close (&x);
  }
  sum->runs++;
  sum->peak = root.peak;
  if (root.used)
    wrong = "memory is lost";
  if (wrong)
    printf ("%s (order %zu, collected at %" PRIu64 ", %zu rows, limit %zu)\n",
            wrong, stress->first_order, stress->limits.collect_least,
            stress->limits.rows, limit);
  return !wrong;
}

// Parts of what the last run has taken.
static bool run_short (const brute *b, tally *sum) {
  const size_t peak = sum->peak;
  bool ok = true;
  for (size_t part = 1; ok && part < 16; part++)
    ok = run (
        b, &(tl_symbolic_stress){{200, 16}, part, part % 2, (uint32_t)part % 3},
        peak / 16 * part + 1, sum);
  return ok;
}

static bool run_all (const brute *b, tally *sum) {
  bool ok = true;
  for (size_t i = 0; ok && i < 9; i++)
    ok = run (b, &(tl_symbolic_stress){{0, 0}, i, i % 2, (uint32_t)i % 4}, 0,
              sum);
  return ok && run (b, &(tl_symbolic_stress){{1, 0}, 0, true, 0}, 0, sum) &&
         run (b, &(tl_symbolic_stress){{0, 1}, 0, true, 0}, 0, sum) &&
         run (b, &(tl_symbolic_stress){{1, 1}, 1, false, 2}, 0, sum) &&
         run (b, &(tl_symbolic_stress){{200, 16}, 2, false, 0}, 0, sum) &&
         run_short (b, sum);
}

static bool good (const random_net *sketch, tally *sum) {
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = random_net_build (sketch, &mem);
  if (!net)
    abort ();
  brute b = brute_explore (net, STATES);
  const bool ok = !b.complete || run_all (&b, sum);
  sum->nets += b.complete;
  brute_close (&b);
  tl_net_close (net);
  return ok;
}

static bool fails (const random_net *sketch, void *context) {
  (void)context;
  return !good (sketch, &(tally){0});
}

static bool try_seed (uint64_t seed, void *sum) {
  random_net *net = malloc (sizeof *net);
  if (!net)
    abort ();
  random_net_make (net, seed);
  if (seed % 2)
    reducible_net_decorate (net, seed);
  if (seed % 3)
    reducible_net_add_sum (net, seed);
  const bool ok = good (net, sum);
  if (!ok) {
    random_net_shrink (net, fails, 0, 2000);
    random_net_print (net, stdout);
  }
  free (net);
  return ok;
}

int main (int count, char **word) {
  trials t;
  tally sum = {0};
  if (!trials_wanted (&t, count, word, NORMAL, LONG))
    return 2;
  const bool ok = trials_run (&t, "symbolic", try_seed, &sum);
  printf ("%" PRIu64 " bounded nets, %" PRIu64 " runs, %" PRIu64
          " collections, %" PRIu64 " runs short of memory\n",
          sum.nets, sum.runs, sum.collections, sum.short_of_memory);
  printf ("%" PRIu64 " passed, %d failed\n", ok ? sum.nets : 0, !ok);
  return !ok;
}
