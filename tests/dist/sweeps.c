// Sweeps of random nets by several ranks, with random measures and windows,
// against the brute-force explorer.
//
//   mpirun -n 3 sweeps [--nets N] [--seed S] [--long] [--threads T] [MODEL...]
//
// With models these are compared with breadth-first search by one rank, and
// there are no random nets.  The variable TIDELINE_MPI names the plugin.

#include "../random_measure.h"
#include "../ranks_real.h"
#include "../trials.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NORMAL = 60, LONG = 3000, STATES = 2000 };

typedef struct tally {
  uint64_t nets, together, several, counted, limited;
  uint32_t threads;
  tl_ranks *ranks;
} tally;

static bool fails (const char *what, uint64_t wanted, uint64_t got) {
  fprintf (stderr, "%s: %" PRIu64 " wanted, %" PRIu64 " found\n", what, wanted,
           got);
  return false;
}

static bool is (const char *what, uint64_t wanted, uint64_t got) {
  return wanted == got || fails (what, wanted, got);
}

static bool at_least (const char *what, uint64_t wanted, uint64_t got) {
  return wanted <= got || fails (what, wanted, got);
}

// ---- What a sweep has found ------------------------------------------------

// Where states may have been visited again the figures are those of visits.
static bool right_counts (const brute *b, const tl_exploration *x) {
  if (!x->counted)
    return at_least ("visits", b->states, x->sweep.explored) &&
           at_least ("arcs of visits", b->arcs, x->arcs) &&
           at_least ("dead visits", b->deadlocks, x->deadlocks) &&
           is ("anything dead", b->deadlocks > 0, x->deadlocks > 0);
  return is ("states", b->states, x->states) && is ("arcs", b->arcs, x->arcs) &&
         is ("deadlocks", b->deadlocks, x->deadlocks);
}

static bool right_places (const brute *b, const tl_exploration *x) {
  const tl_net *net = b->net;
  return is ("most tokens in a place", b->max_in_place,
             x->max_tokens_in_place) &&
         is ("most tokens", b->max_per_marking, x->max_tokens_per_marking) &&
         is ("dead transitions", b->dead_transitions, x->dead_transitions) &&
         is ("largest numbers of tokens", 0,
             memcmp (b->place_max, x->place_max,
                     net->places * sizeof *x->place_max) != 0) &&
         is ("transitions enabled", 0,
             memcmp (b->fired, x->fired, net->transitions) != 0);
}

// The way to a dead state leads to one.
static bool right_trace (const brute *b, const tl_exploration *x) {
  uint64_t marking[b->net->places];
  if (!b->deadlocks)
    return true;
  return is ("a way to a dead state", 1, x->deadlock.transition != 0) &&
         is ("steps that can be fired", 1,
             brute_replay (b->net, x->deadlock.transition, x->deadlock.length,
                           marking)) &&
         is ("a dead state there", 1, brute_dead (b->net, marking));
}

// When fields get wider states have other owners: each rank may have stored the
// most at another time.
static bool right_peak (const brute *b, const tl_exploration *x) {
  const char *what = "states that are kept";
  return x->widened ? at_least (what, b->states, x->sweep.peak_states)
                    : is (what, b->states, x->sweep.peak_states);
}

static bool right_sweep (const brute *b, const tl_options *how,
                         const tl_exploration *x) {
  const tl_sweep *s = &x->sweep;
  return at_least ("states of the largest layer", s->largest_layer,
                   b->states) &&
         at_least ("peak", 1, s->peak_states) &&
         (s->sweeps < 2 || is ("progress is kept", 0, s->monotone)) &&
         (how->window != UINT64_MAX || right_peak (b, x)) &&
         is ("counted", !how->exact_count && s->sweeps > 1 ? x->counted : 1,
             x->counted) &&
         at_least ("visits", b->states, s->explored) &&
         (!x->counted || x->widened || s->discarded || // it began anew
          is ("visits", b->states, s->explored));
}

// With stubborn sets only dead states are all there.
static bool right_deadlocks (const brute *b, const tl_options *how,
                             const tl_exploration *x) {
  const bool once = how->exact_count || x->sweep.sweeps < 2;
  return is ("anything dead", b->deadlocks > 0, x->deadlocks > 0) &&
         at_least ("dead visits", b->deadlocks, x->deadlocks) &&
         (!once || is ("deadlocks", b->deadlocks, x->deadlocks));
}

static bool sweep (tally *sum, const brute *b, const tl_options *how) {
  const bool whole = !strcmp (how->stubborn, "none");
  tl_exploration x;
  tl_error err = {0};
  if (tl_explore (b->net, how, &x, &err))
    return fprintf (stderr, "%s\n", err.text), false;
  const bool ok = is ("complete", 1, x.complete) && right_trace (b, &x) &&
                  (whole ? right_counts (b, &x) && right_places (b, &x) &&
                               right_sweep (b, how, &x)
                         : right_deadlocks (b, how, &x));
  sum->nets++;
  sum->together += x.ranks > 1;
  sum->several += x.ranks > 1 && x.sweep.sweeps > 1;
  sum->counted += x.ranks > 1 && x.counted && x.sweep.sweeps > 1;
  tl_exploration_close (&x);
  return ok;
}

// One that is broken off tells less than there is.
static bool sweep_partly (tally *sum, const brute *b, tl_options how,
                          tl_random *random) {
  tl_exploration x;
  tl_error err = {0};
  how.max_states = 1 + tl_random_below (random, b->states);
  if (tl_explore (b->net, &how, &x, &err))
    return fprintf (stderr, "%s\n", err.text), false;
  bool ok = x.complete ? right_counts (b, &x) &&
                             at_least ("limit", b->states, how.max_states)
                       : is ("limit", TL_STOP_STATES, x.stop) &&
                             at_least ("visits", how.max_states, x.states);
  if (ok && x.counted)
    ok = at_least ("states", x.states, b->states);
  sum->limited += !x.complete;
  tl_exploration_close (&x);
  return ok;
}

// Where no progress may be lost a sweep ends well, or with the step that does.
static bool sweep_monotone (const brute *b, tl_options how) {
  uint64_t marking[b->net->places];
  tl_exploration x;
  tl_error err = {0};
  how.monotone = true;
  if (tl_explore (b->net, &how, &x, &err))
    return fprintf (stderr, "%s\n", err.text), false;
  const bool ok =
      x.stop == TL_STOP_REGRESS
          ? is ("less progress", 1, x.progress_after < x.progress_before) &&
                is ("steps to a loss", 1,
                    brute_replay (b->net, x.regress.transition,
                                  x.regress.length, marking))
          : is ("progress is kept", 1, x.sweep.monotone) &&
                right_counts (b, &x);
  tl_exploration_close (&x);
  return ok;
}

// ---- Nets ------------------------------------------------------------------

// One place grows beyond its field, and nothing says so before.
enum { SHOTS = 6, GROWS = SHOTS, MOST = 900, BY = 100 };

static tl_net *make_widening (tl_mem *mem) {
  tl_builder *b;
  tl_net *net;
  tl_error err = {0};
  bool ok = !tl_builder_open (&b, mem);
  for (uint32_t i = 0; ok && i < SHOTS; i++) {
    char id[32];
    snprintf (id, sizeof id, "p%u", i);
    ok = !tl_builder_place (b, id, 0, 1, 0) &&
         !tl_builder_transition (b, id, 0, 0) &&
         !tl_builder_arc (b, TL_ARC_PRE, i, i, 1);
  }
  ok = ok && !tl_builder_place (b, "sum", 0, 0, 0) &&
       !tl_builder_transition (b, "grow", 0, 0) &&
       !tl_builder_arc (b, TL_ARC_POST, GROWS, GROWS, BY) &&
       !tl_builder_arc (b, TL_ARC_INHIBITOR, GROWS, GROWS, MOST);
  if (!ok || tl_builder_finish (b, "widening", "test", &net, &err))
    abort ();
  return net;
}

static bool try_widening (tally *sum, tl_options how) {
  static const char *const measures[] = {"sum", "p0 - sum", "p0 + p1"};
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = make_widening (&mem);
  brute all = brute_explore (net, STATES);
  bool ok = is ("whole", 1, all.complete);
  for (unsigned i = 0; ok && i < 6; i++) {
    how.progress = measures[i / 2];
    how.exact_count = i % 2;
    ok = sweep (sum, &all, &how);
  }
  brute_close (&all);
  tl_net_close (net);
  return ok;
}

// It has more states than that, and no end perhaps.
static bool try_large (tally *sum, const random_net *sketch, tl_options how) {
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = random_net_build (sketch, &mem);
  tl_exploration x;
  tl_error err = {0};
  how.max_states = STATES;
  const bool ok = !tl_explore (net, &how, &x, &err);
  if (ok) {
    sum->limited += !x.complete;
    tl_exploration_close (&x);
  } else
    fprintf (stderr, "large: %s\n", err.text);
  tl_net_close (net);
  return ok;
}

static tl_options options_of (const tally *sum, tl_random *random) {
  static const char *const stores[] = {"auto", "table", "plain", "tree"};
  tl_options how = tl_options_default ();
  how.order = "sweep";
  how.ranks = sum->ranks;
  how.threads = sum->threads;
  how.store = stores[tl_random_below (random, 4)];
  how.every_place = !tl_random_below (random, 4);
  return how;
}

static bool try_seed (uint64_t seed, void *context) {
  tally *sum = context;
  random_net sketch;
  random_measure measure;
  trial_net in;
  tl_random random = {seed};
  random_net_make (&sketch, seed);
  tl_options how = options_of (sum, &random);
  if (!trial_net_open (&in, &sketch, seed, STATES)) {
    random_measure_pick (&measure, &random, 0, &how);
    return try_large (sum, &sketch, how);
  }
  random_measure_pick (&measure, &random, in.net->places, &how);
  bool ok =
      sweep (sum, &in.all, &how) && sweep_partly (sum, &in.all, how, &random);
  ok = ok && sweep_monotone (&in.all, how);
  how.stubborn = "deadlock";
  ok = ok && sweep (sum, &in.all, &how);
  if (!ok)
    fprintf (stderr, "by %s, window %" PRIu64 "%s\n", how.progress, how.window,
             how.exact_count ? ", exact" : "");
  return trial_net_close (&in) && ok;
}

// A net from a file, by its structure and with the disk.
static bool try_model (tally *sum, const char *path) {
  tl_net *net;
  tl_error err = {0};
  tl_exploration one;
  tl_options how = tl_options_default ();
  if (tl_net_open (&net, path, &err) || tl_explore (net, &how, &one, &err))
    return fprintf (stderr, "%s: %s\n", path, err.text), false;
  const brute known = {.net = net,
                       .states = one.states,
                       .arcs = one.arcs,
                       .deadlocks = one.deadlocks,
                       .dead_transitions = one.dead_transitions,
                       .max_in_place = one.max_tokens_in_place,
                       .max_per_marking = one.max_tokens_per_marking,
                       .place_max = one.place_max,
                       .fired = one.fired};
  how = options_of (sum, &(tl_random){one.states});
  how.progress = "schmidt";
  how.exact_count = true;
  const bool ok = !one.complete || sweep (sum, &known, &how);
  if (!ok)
    fprintf (stderr, "in %s\n", path);
  tl_exploration_close (&one);
  tl_net_close (net);
  return ok;
}

// ---- The first rank --------------------------------------------------------

static bool lead (tl_ranks *ranks, uint32_t threads, int count, char **word) {
  tally sum = {.threads = threads, .ranks = ranks};
  trials wanted;
  bool ok = true;
  if (count > 1 && word[1][0] != '-') {
    for (int i = 1; i < count; i++)
      ok = try_model (&sum, word[i]) && ok;
  } else
    ok = trials_wanted (&wanted, count, word, NORMAL, LONG) &&
         try_widening (&sum, options_of (&sum, &(tl_random){1})) &&
         trials_run (&wanted, "sweeps", try_seed, &sum);
  printf ("%" PRIu32 " ranks of %" PRIu32 " threads: %" PRIu64
          " sweeps, %" PRIu64 " of them by all, %" PRIu64
          " of these in several, %" PRIu64 " of these counted, %" PRIu64
          " not whole\n",
          tl_ranks_count (sum.ranks), sum.threads, sum.nets, sum.together,
          sum.several, sum.counted, sum.limited);
  return ok;
}

int main (int count, char **word) {
  return ranks_real_run (count, word, lead);
}
