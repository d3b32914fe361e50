// Random nets by several ranks, against the brute-force explorer and against
// one rank: figures, verdicts, lengths of traces; the same of searches that are
// broken off and go on from their checkpoints; and verdicts of sweeps (their
// figures are compared by sweeps.c).
//
//   mpirun -n 3 ranks [--nets N] [--seed S] [--long] [--threads T] [MODEL...]
//
// With models these are compared with one rank, and asked some random
// questions, and there are no random nets.  The
// variable TIDELINE_MPI names the plugin.

#include "../random_measure.h"
#include "../ranks_real.h"
#include "../trials.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NORMAL = 40, LONG = 2000, STATES = 2000, ASKED = 7 };

typedef struct tally {
  uint64_t nets, ended, answers, open, traces, resumed, blocks;
  uint32_t threads;
  tl_ranks *ranks;
  bool any_way;    // traces need not be the shortest
  char folder[64]; // of checkpoints
} tally;

static bool fails (const char *what, uint64_t one, uint64_t many) {
  fprintf (stderr, "%s: one rank %" PRIu64 ", several %" PRIu64 "\n", what, one,
           many);
  return false;
}

#define SAME(FIELD)                                                            \
  (one->FIELD == many->FIELD ||                                                \
   fails (#FIELD, (uint64_t)one->FIELD, (uint64_t)many->FIELD))

// ---- Figures ---------------------------------------------------------------

static bool same_figures (const tl_exploration *one,
                          const tl_exploration *many) {
  return SAME (complete) && SAME (states) && SAME (arcs) && SAME (deadlocks) &&
         SAME (dead_transitions) && SAME (depth) && SAME (widened) &&
         SAME (max_tokens_in_place) && SAME (max_tokens_per_marking) &&
         SAME (deadlock.length) &&
         (!memcmp (one->place_max, many->place_max,
                   one->places * sizeof *one->place_max) ||
          fails ("largest numbers of tokens", 0, 0)) &&
         (!memcmp (one->fired, many->fired, one->transitions) ||
          fails ("transitions enabled", 0, 0));
}

static bool right (const brute *b, const tl_exploration *x) {
  return (x->states == b->states || fails ("states", b->states, x->states)) &&
         (x->arcs == b->arcs || fails ("arcs", b->arcs, x->arcs)) &&
         (x->deadlocks == b->deadlocks ||
          fails ("deadlocks", b->deadlocks, x->deadlocks));
}

// What ended it is the same; how far it came need not be.
static bool same_end (const tl_exploration *one, const tl_exploration *many) {
  return SAME (complete) && SAME (stop);
}

// With a limit that is just large enough rounds and packets are small.
static bool explore_tightly (const tl_net *net, tl_options how,
                             const tl_exploration *one) {
  tl_exploration many;
  tl_error err = {0};
  how.max_states = one->states + 1;
  if (tl_explore (net, &how, &many, &err))
    return fprintf (stderr, "tightly: %s\n", err.text), false;
  const bool ok = same_figures (one, &many);
  tl_exploration_close (&many);
  return ok;
}

static bool clear (const tally *sum) {
  char command[100];
  snprintf (command, sizeof command, "rm -rf '%s'", sum->folder);
  return !system (command);
}

// A search in parts, of which each is broken off by a limit and the next goes
// on from where it stood; checkpoints are written all the time.
static bool explore_in_parts (tally *sum, const tl_net *net, tl_options how,
                              const tl_exploration *one, tl_random *random) {
  bool ok = true, over = false;
  how.checkpoint = sum->folder;
  how.checkpoint_seconds = 1e-9;
  for (uint64_t limit = 0; ok && !over; how.resume = true) {
    tl_exploration many;
    tl_error err = {0};
    limit += 1 + tl_random_below (random, one->states);
    how.max_states = limit > one->states ? 0 : limit;
    if (tl_explore (net, &how, &many, &err))
      return fprintf (stderr, "in parts: %s %s\n", err.text, err.file), false;
    over = many.complete || !how.max_states;
    ok = !over || same_figures (one, &many);
    sum->resumed += many.checkpoints.part > 1;
    sum->blocks += many.rank_blocks;
    tl_exploration_close (&many);
  }
  return clear (sum) && ok;
}

static bool explore (tally *sum, const tl_net *net, tl_options how,
                     const brute *all, tl_random *random) {
  tl_exploration one, many;
  tl_error err = {0};
  if (tl_explore (net, &how, &one, &err))
    return fprintf (stderr, "one: %s\n", err.text), false;
  how.ranks = sum->ranks;
  how.threads = sum->threads;
  if (tl_explore (net, &how, &many, &err))
    return fprintf (stderr, "several: %s\n", err.text), false;
  bool ok = one.complete
                ? same_figures (&one, &many) && (!all || right (all, &many))
                : same_end (&one, &many);
  if (ok && one.complete && random)
    ok = explore_tightly (net, how, &one) &&
         explore_in_parts (sum, net, how, &one, random);
  sum->nets++;
  sum->ended += !many.complete;
  sum->blocks += many.rank_blocks;
  tl_exploration_close (&one);
  tl_exploration_close (&many);
  return ok;
}

// ---- Questions -------------------------------------------------------------

static bool same_answer (tally *sum, const tl_answer *one,
                         const tl_answer *many, bool unbounded) {
  if (many->verdict == TL_VERDICT_UNKNOWN && unbounded) {
    sum->open++; // one rank goes on for a while
    return true;
  }
  sum->answers++;
  sum->traces += many->trace.transition != 0;
  return SAME (verdict) && SAME (value) && SAME (infinite) &&
         (sum->any_way || SAME (trace.length)) &&
         (!!one->trace.transition == !!many->trace.transition ||
          fails ("trace", !!one->trace.transition, !!many->trace.transition));
}

static bool same_answers (tally *sum, const tl_answers *one,
                          const tl_answers *many) {
  for (size_t i = 0; i < one->count; i++)
    if (!same_answer (sum, one->answer + i, many->answer + i,
                      one->run.unbounded.transition != 0)) {
      fprintf (stderr, "question: %s\n", one->answer[i].formula);
      return false;
    }
  return true;
}

static tl_formula *somewhere (trial_net *in, tl_op path, tl_op when,
                              tl_random *random) {
  return tl_formula_unary (
      &in->arena, path,
      tl_formula_unary (
          &in->arena, when,
          random_formula (&in->arena, in->net, RANDOM_STATE, 2, random)));
}

// Has them answered by one rank and by several.
static bool answer (tally *sum, const tl_net *net, tl_questions *list,
                    tl_options how) {
  tl_answers one, many;
  tl_error err = {0};
  if (tl_check (net, list, &how, &one, &err))
    return fprintf (stderr, "one: %s\n", err.text), false;
  how.ranks = sum->ranks;
  how.threads = sum->threads;
  if (tl_check (net, list, &how, &many, &err))
    return fprintf (stderr, "several: %s\n", err.text), false;
  const bool ok = same_answers (sum, &one, &many);
  tl_answers_close (&one);
  tl_answers_close (&many);
  return ok;
}

static bool check (tally *sum, trial_net *in, tl_options how,
                   tl_random *random) {
  static const tl_question_kind kinds[] = {TL_ASK_DEADLOCK, TL_ASK_ONE_SAFE,
                                           TL_ASK_QUASI_LIVE,
                                           TL_ASK_STABLE_MARKING};
  tl_questions *list;
  tl_summand term = {(uint32_t)tl_random_below (random, in->net->places), 1};
  const size_t asked = 1 + tl_random_below (random, ASKED);
  if (tl_questions_open (&list, in->net, 0))
    abort ();
  for (size_t i = 0; i < asked; i++) {
    tl_question *q = tl_questions_add (list, "asked");
    const uint32_t which = (uint32_t)tl_random_below (random, ASKED);
    q->kind = which < 4    ? kinds[which]
              : which == 4 ? TL_ASK_BOUND
                           : TL_ASK_FORMULA;
    q->term = &term;
    q->term_count = 1;
    if (which > 4)
      q->formula = which == 5 ? somewhere (in, TL_EXISTS, TL_FINALLY, random)
                              : somewhere (in, TL_ALL, TL_GLOBALLY, random);
  }
  how.unaided = tl_random_below (random, 4);
  const bool ok = answer (sum, in->net, list, how);
  tl_questions_close (list);
  return ok;
}

// By sweeps, with a measure of which all know.
static bool sweep (tally *sum, trial_net *in, tl_options how,
                   tl_random *random) {
  random_measure measure;
  how.order = "sweep";
  random_measure_pick (&measure, random, in->net->places, &how);
  sum->any_way = true;
  const bool ok = check (sum, in, how, random);
  sum->any_way = false;
  if (!ok)
    fprintf (stderr, "by %s\n", how.progress);
  return ok;
}

// ---- Wider fields ----------------------------------------------------------

// Transitions that fire once each, so that levels are binomial coefficients;
// and one that outgrows a field, at the widest level.  The next level is so
// narrow that one thread of each rank expands it.
enum { SHOTS = 11, HALF = 6, WIDE = 400 };

static tl_net *make_widening (tl_mem *mem) {
  tl_builder *b;
  tl_net *net;
  tl_error err = {0};
  bool ok = !tl_builder_open (&b, mem);
  for (uint32_t i = 0; ok && i < SHOTS; i++) {
    char id[32];
    snprintf (id, sizeof id, "x%u", i);
    ok = !tl_builder_place (b, id, 0, 1, 0) &&
         !tl_builder_transition (b, id, 0, 0) &&
         !tl_builder_arc (b, TL_ARC_PRE, i, i, 1);
  }
  ok = ok && !tl_builder_place (b, "sum", 0, 200, 0) &&
       !tl_builder_transition (b, "grow", 0, 0) &&
       !tl_builder_arc (b, TL_ARC_POST, SHOTS, SHOTS, 200) &&
       !tl_builder_arc (b, TL_ARC_INHIBITOR, SHOTS, SHOTS, 201);
  for (uint32_t i = 0; ok && i < HALF; i++)
    ok = !tl_builder_arc (b, TL_ARC_INHIBITOR, i, SHOTS, 1);
  if (!ok || tl_builder_finish (b, "widening", "test", &net, &err))
    abort ();
  return net;
}

// None can be fired any more: the last level shows that.
static bool ask_for_the_end (tally *sum, const tl_net *net, tl_options how,
                             tl_mem *mem) {
  tl_arena arena = TL_ARENA (mem);
  tl_questions *list;
  uint32_t all[SHOTS];
  for (uint32_t i = 0; i < SHOTS; i++)
    all[i] = i;
  if (tl_questions_open (&list, net, 0))
    abort ();
  tl_question *q = tl_questions_add (list, "asked");
  q->kind = TL_ASK_FORMULA;
  q->formula = tl_formula_unary (
      &arena, TL_EXISTS,
      tl_formula_unary (
          &arena, TL_FINALLY,
          tl_formula_unary (&arena, TL_NOT,
                            tl_formula_fireable (&arena, all, SHOTS))));
  how.unaided = true;
  const bool ok = answer (sum, net, list, how);
  tl_questions_close (list);
  tl_arena_close (&arena);
  return ok;
}

static bool try_widening (tally *sum) {
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = make_widening (&mem);
  tl_options how = tl_options_default ();
  how.threads = 1;
  how.parallel_from = WIDE / tl_ranks_count (sum->ranks);
  bool ok = explore (sum, net, how, 0, &(tl_random){1}) &&
            ask_for_the_end (sum, net, how, &mem);
  tl_net_close (net);
  return ok;
}

// ---- Long keys -------------------------------------------------------------

// Two tokens on their way through many places: keys of some words.
static bool try_long_keys (tally *sum) {
  enum { PLACES = 70 };
  tl_mem mem = TL_MEM (0, "net");
  tl_builder *b;
  tl_net *net;
  tl_error err = {0};
  bool ok = !tl_builder_open (&b, &mem);
  for (uint32_t i = 0; ok && i < PLACES; i++) {
    char id[32];
    snprintf (id, sizeof id, "x%u", i);
    ok = !tl_builder_place (b, id, 0, i ? 0 : 2, 0) &&
         !tl_builder_transition (b, id, 0, 0) &&
         !tl_builder_arc (b, TL_ARC_PRE, i, i, 1) &&
         (!i || !tl_builder_arc (b, TL_ARC_POST, i, i - 1, 1));
  }
  if (!ok || tl_builder_finish (b, "long", "test", &net, &err))
    abort ();
  tl_options how = tl_options_default ();
  how.threads = 1;
  how.every_place = true;
  how.parallel_from = 10;
  ok = explore (sum, net, how, 0, &(tl_random){1});
  tl_net_close (net);
  return ok;
}

// ---- Nets ------------------------------------------------------------------

static tl_options options_of (tl_random *random) {
  static const char *const stores[] = {"auto", "table", "plain", "tree"};
  tl_options how = tl_options_default ();
  how.threads = 1;
  how.store = stores[tl_random_below (random, 4)];
  how.every_place = !tl_random_below (random, 4);
  how.parallel_from = 1 + tl_random_below (random, 20);
  how.stubborn = tl_random_below (random, 6) ? "none" : "deadlock";
  return how;
}

static bool try_seed (uint64_t seed, void *context) {
  tally *sum = context;
  random_net sketch;
  trial_net in;
  tl_random random = {seed};
  random_net_make_long (&sketch, seed);
  if (!trial_net_open (&in, &sketch, seed, STATES)) {
    tl_mem mem = TL_MEM (0, "net");
    tl_net *net = random_net_build (&sketch, &mem);
    tl_options how = options_of (&random);
    how.max_states = STATES;
    how.stubborn = "none";
    const bool ok = explore (sum, net, how, 0, 0);
    tl_net_close (net);
    return ok;
  }
  tl_options how = options_of (&random);
  const bool whole = !strcmp (how.stubborn, "none");
  bool ok = explore (sum, in.net, how, whole ? &in.all : 0, &random);
  how.stubborn = "none";
  ok = ok && check (sum, &in, how, &random) && sweep (sum, &in, how, &random);
  return trial_net_close (&in) && ok;
}

static bool try_model (tally *sum, const char *path) {
  tl_net *net;
  tl_error err = {0};
  tl_options how = tl_options_default ();
  if (tl_net_open (&net, path, &err))
    return fprintf (stderr, "%s: %s\n", path, err.text), false;
  how.parallel_from = 1;
  how.threads = 1;
  trial_net in = {.mem = TL_MEM (0, "formulas"), .net = net};
  in.arena = TL_ARENA (&in.mem);
  bool ok = explore (sum, net, how, 0, 0);
  for (uint64_t seed = 1; ok && tl_net_has_arcs (net) && seed <= 2; seed++)
    ok = check (sum, &in, how, &(tl_random){seed});
  if (!ok)
    fprintf (stderr, "in %s\n", path);
  tl_arena_close (&in.arena);
  tl_net_close (net);
  return ok;
}

// ---- The first rank --------------------------------------------------------

static bool lead (tl_ranks *ranks, uint32_t threads, int count, char **word) {
  tally sum = {.threads = threads, .ranks = ranks};
  trials wanted;
  snprintf (sum.folder, sizeof sum.folder, P_tmpdir "/tideline-ranks-%ld",
            (long)getpid ());
  bool ok = true;
  if (count > 1 && word[1][0] != '-') {
    for (int i = 1; i < count; i++)
      ok = try_model (&sum, word[i]) && ok;
  } else
    ok = trials_wanted (&wanted, count, word, NORMAL, LONG) &&
         try_widening (&sum) && try_long_keys (&sum) &&
         trials_run (&wanted, "ranks", try_seed, &sum) &&
         (tl_ranks_count (sum.ranks) == 1 || sum.blocks ||
          fails ("blocks", 0, 0));
  printf ("%" PRIu32 " ranks of %" PRIu32 " threads: %" PRIu64 " nets, %" PRIu64
          " of them not whole, %" PRIu64 " answers, %" PRIu64
          " traces, %" PRIu64 " left open, %" PRIu64 " parts resumed, %" PRIu64
          " blocks given away\n",
          tl_ranks_count (sum.ranks), sum.threads, sum.nets, sum.ended,
          sum.answers, sum.traces, sum.open, sum.resumed, sum.blocks);
  return ok;
}

int main (int count, char **word) {
  return ranks_real_run (count, word, lead);
}
