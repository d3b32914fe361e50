// Searches on an emulated device against the brute-force explorer: every
// figure, traces, questions, each kind of table, and too little memory.  The
// kernels are compiled for each net, which takes most of the time.
//
//   device [--nets N] [--seed S] [--long]

#include "../brute.h"
#include "../predicate.h"
#include "../random_net.h"
#include "../trials.h"
#include "explore/explore.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NORMAL = 100, LONG = 6000, STATES = 20000, LEAST = 20 };

typedef struct tally {
  uint64_t nets, runs, whole, maps, slots, pairs, lanes, elsewhere;
} tally;

static const char *compare (const brute *b, const tl_exploration *x) {
  const tl_net *net = b->net;
  const bool all = x->complete;
  if (all ? x->states != b->states : x->states > b->states)
    return "states";
  if (all ? x->arcs != b->arcs : x->arcs > b->arcs)
    return "arcs";
  if (all ? x->deadlocks != b->deadlocks : x->deadlocks > b->deadlocks)
    return "deadlocks";
  for (uint32_t t = 0; t < net->transitions; t++)
    if (all ? x->fired[t] != b->fired[t] : x->fired[t] > b->fired[t])
      return "dead transitions";
  for (uint32_t p = 0; p < net->places; p++)
    if (all ? x->place_max[p] != b->place_max[p]
            : x->place_max[p] > b->place_max[p])
      return "tokens in a place";
  if (all ? x->max_tokens_per_marking != b->max_per_marking
          : x->max_tokens_per_marking > b->max_per_marking)
    return "tokens in a marking";
  return 0;
}

static const char *compare_trace (const brute *b, const tl_exploration *x,
                                  const tl_exploration *host) {
  uint64_t marking[RANDOM_PLACES];
  if (!x->deadlock.transition)
    return 0; // lanes know of no events
  if (!brute_replay (b->net, x->deadlock.transition, x->deadlock.length,
                     marking) ||
      !brute_dead (b->net, marking))
    return "trace";
  return x->deadlock.length == host->deadlock.length ? 0
                                                     : "length of the trace";
}

static void note (const tl_exploration *x, tally *sum) {
  const char *table = x->device.table ? x->device.table : "";
  sum->runs++;
  sum->whole += x->complete;
  sum->maps += !strcmp (table, "map");
  sum->slots += !strcmp (table, "slots");
  sum->pairs += !strcmp (table, "pairs");
  sum->lanes += !strcmp (table, "lanes");
  sum->elsewhere += !*table;
}

// Claims about units need not be true, and then places outgrow their fields.
static bool may_be_left (const char *why) {
  return !strcmp (why, "keys are too long") ||
         !strcmp (why, "places outgrow their fields");
}

static bool run (const brute *b, const tl_options *options,
                 const tl_exploration *host, tally *sum) {
  tl_mem root = TL_MEM (0, "total");
  tl_exploration x;
  tl_error error = {0};
  const char *wrong = 0;
  root.limit = 4 * options->memory; // the host needs some, too
  const tl_status rc = tl_explore_on (&root, b->net, options, 0, &x, &error);
  if (rc)
    wrong = options->memory && rc == TL_E_NOMEM ? 0 : error.text;
  else {
    wrong = compare (b, &x);
    if (!wrong && x.complete && x.depth != host->depth)
      wrong = "depth";
    if (!wrong)
      wrong = compare_trace (b, &x, host);
    if (!wrong && !x.complete && !options->memory)
      wrong = "not complete";
    if (!wrong && !options->memory && strcmp (x.device.kind, "emulated") &&
        !may_be_left (x.device.why))
      wrong = "left to the processor";
    note (&x, sum);
    tl_exploration_close (&x);
  }
  if (!wrong && root.used)
    wrong = "memory is lost";
  if (wrong)
    printf ("%s (memory %" PRIu64 ", every place %d, threads %" PRIu32 ")\n",
            wrong, options->memory, options->every_place, options->threads);
  return !wrong;
}

// ---- Questions -------------------------------------------------------------

static tl_questions *questions_of (const brute *b, uint64_t seed) {
  static const char *const named[] = {"deadlock", "quasi-live",
                                      "stable-marking", "bounds"};
  tl_random r = {seed};
  tl_questions *q;
  if (tl_questions_open (&q, b->net, 0))
    abort ();
  for (int i = 0; i < 4; i++)
    if (tl_questions_add_text (q, named[i], 0))
      abort ();
  for (int i = 0; i < 6; i++) {
    predicate p;
    char text[2100];
    predicate_make (&p, b, &r);
    snprintf (text, sizeof text, "%s (%s)", i % 2 ? "AG" : "EF", p.text);
    if (tl_questions_add_text (q, text, 0))
      abort ();
  }
  return q;
}

static bool same_answer (const tl_answer *a, const tl_answer *b) {
  const bool same = a->verdict == b->verdict && a->value == b->value &&
                    (!a->trace.transition || !b->trace.transition ||
                     a->trace.length == b->trace.length);
  if (!same)
    printf ("verdicts %d and %d, values %" PRIu64 " and %" PRIu64
            ", traces of %" PRIu64 " and %" PRIu64 " steps\n",
            a->verdict, b->verdict, a->value, b->value, a->trace.length,
            b->trace.length);
  return same;
}

static bool ask (const brute *b, const tl_options *options, uint64_t seed,
                 tally *sum) {
  tl_questions *q = questions_of (b, seed);
  tl_options host = *options;
  tl_answers here, there;
  tl_error error = {0};
  host.device = 0;
  host.threads = 1;
  if (tl_check (b->net, q, &host, &here, &error) ||
      tl_check (b->net, q, options, &there, &error)) {
    printf ("%s\n", error.text);
    abort ();
  }
  bool ok = here.count == there.count;
  for (size_t i = 0; ok && i < here.count; i++)
    ok = same_answer (here.answer + i, there.answer + i);
  note (&there.run, sum);
  tl_answers_close (&here);
  tl_answers_close (&there);
  tl_questions_close (q);
  return ok;
}

// ---- Nets ------------------------------------------------------------------

// Most ways with a program of its own are tried on some nets only.
static bool run_all (const brute *b, uint64_t seed, tally *sum) {
  tl_options options = tl_options_whole ();
  tl_mem root = TL_MEM (0, "host");
  tl_exploration host;
  options.threads = 1;
  if (tl_explore_on (&root, b->net, &options, 0, &host, 0))
    abort ();
  options.device = "emulated";
  options.threads = 1 + (uint32_t)(seed % 3);
  bool ok = run (b, &options, &host, sum);
  options.device_from = 1 + seed % b->states;
  options.parallel_from = 1 + seed % 7;
  if (ok)
    ok = run (b, &options, &host, sum);
  if (ok && seed % 2 == 0)
    ok = ask (b, &options, seed, sum);
  options.device_from = options.parallel_from = 0;
  options.every_place = seed % 4 == 1;
  if (ok && options.every_place)
    ok = run (b, &options, &host, sum);
  for (uint64_t part = 0; ok && seed % 4 < 2 && part < 4; part++) {
    options.memory = (16 << 10) + (b->states * 12 << part);
    ok = run (b, &options, &host, sum);
  }
  options.memory = 0;
  options.every_place = false;
  options.unaided = true;
  if (ok && seed % 2)
    ok = ask (b, &options, seed, sum);
  tl_exploration_close (&host);
  return ok;
}

static bool good (const random_net *sketch, uint64_t seed, tally *sum) {
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = random_net_build (sketch, &mem);
  if (!net)
    abort ();
  brute b = brute_explore (net, STATES);
  bool ok = true;
  if (b.complete && b.states >= LEAST && net->transitions) {
    ok = run_all (&b, seed, sum);
    sum->nets++;
  }
  brute_close (&b);
  tl_net_close (net);
  return ok;
}

typedef struct failing {
  uint64_t seed;
} failing;

static bool fails (const random_net *sketch, void *context) {
  return !good (sketch, ((failing *)context)->seed, &(tally){0});
}

static bool try_seed (uint64_t seed, void *sum) {
  random_net *net = malloc (sizeof *net);
  if (!net)
    abort ();
  random_net_make (net, seed);
  if (seed % 3 == 1)
    random_net_multiply (net, 1u << (6 + seed % 11));
  const bool ok = good (net, seed, sum);
  if (!ok) {
    random_net_shrink (net, fails, &(failing){seed}, 20);
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
  const bool ok = trials_run (&t, "device", try_seed, &sum);
  printf ("%" PRIu64 " nets, %" PRIu64 " runs, %" PRIu64
          " of them complete; tables: %" PRIu64 " maps, %" PRIu64
          " of slots, %" PRIu64 " of pairs, %" PRIu64 " of lanes; %" PRIu64
          " by the processor\n",
          sum.nets, sum.runs, sum.whole, sum.maps, sum.slots, sum.pairs,
          sum.lanes, sum.elsewhere);
  printf ("%" PRIu64 " passed, %d failed\n", ok ? sum.nets : 0, !ok);
  return !ok;
}
