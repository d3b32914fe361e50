// Searches of random nets that are broken off and go on from their checkpoints,
// again and again: by a limit on states, by an allocation that fails, or by a
// kill in the middle of anything.  In the end all figures are those of the
// brute-force explorer, and so are all answers where questions are asked.
// States are in memory or on disk, or are swept.
//
//   resume [--nets N] [--seed S] [--long] [--some]

#include "../brute.h"
#include "../random_net.h"
#include "../reaching.h"
#include "../trials.h"

#include "base/random.h"
#include "check/check.h"
#include "explore/explore.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  NORMAL = 200,
  LONG = 20000,
  CAP = 3000,   // states at which the brute force gives up
  PARTS = 6,    // of a run, at most
  KILLED = 4000 // microseconds until a kill, at most
};

typedef struct tally {
  uint64_t runs, parts, resumed, killed, failed, answers;
  char folder[64], disk[80];
} tally;

// What came out of a search: that, and where questions are asked the answers.
typedef struct outcome {
  const tl_questions *asked; // null: none are
  tl_answers answers;
  tl_exploration *x; // that of the answers
  tl_exploration alone;
  bool aided;   // others answer, too, in some of the parts
  bool starved; // some part had too little memory
} outcome;

static void outcome_close (outcome *out) {
  if (out->asked)
    tl_answers_close (&out->answers);
  else
    tl_exploration_close (out->x);
}

// All states were seen, or all questions are answered.
static bool is_over (const outcome *out) {
  if (!out->asked)
    return out->x->complete;
  for (size_t i = 0; i < out->answers.count; i++)
    if (out->answers.answer[i].verdict == TL_VERDICT_UNKNOWN)
      return false;
  return true;
}

// ---- A part of a run -------------------------------------------------------

typedef enum way { BY_STATES, BY_MEMORY, BY_KILL, TO_THE_END } way;

static uint32_t below (tl_random *r, uint32_t n) {
  return (uint32_t)tl_random_below (r, n);
}

static void sweep (tl_random *r, tl_options *o) {
  static const char *const measures[] = {"schmidt", "maxfs", "ranks"};
  o->order = "sweep";
  o->store = below (r, 2) ? "table" : "auto";
  o->progress = below (r, 20) ? measures[below (r, 3)] : "auto"; // that is slow
  o->window = below (r, 2) ? TL_WINDOW_AUTO : below (r, 4);
  o->bfs_memory = below (r, 4) ? 0 : o->bfs_memory;
  o->exact_count = strcmp (o->stubborn, "none") ? false : below (r, 2);
}

static tl_options options_for (tl_random *r, const tally *t) {
  static const char *const stores[] = {"auto", "plain", "table", "tree",
                                       "delta"};
  tl_options o = tl_options_whole ();
  o.store = stores[below (r, 5)];
  o.every_place = !below (r, 6);
  o.stubborn = below (r, 6) ? "none" : "deadlock";
  o.checkpoint = t->folder;
  o.disk = below (r, 3) ? 0 : t->disk;
  o.disk_room = below (r, 2) ? 8 + below (r, 100) : 0;
  if (!o.disk && below (r, 2))
    sweep (r, &o);
  return o;
}

// Some questions, such that nothing but markings decides them.
static void ask (tl_random *r, const tl_net *net, tl_options *o, outcome *out) {
  tl_questions *list = reaching_questions (net, 4, 3, r);
  for (int i = 0; i < 3; i++)
    reaching_add_joined (list, r);
  o->stubborn = "none";
  out->aided = !below (r, 3);
  o->unaided = !out->aided;
  o->interludes_from = out->aided ? 1 + below (r, 50) : 0;
  out->asked = list;
}

static tl_status search (const tl_net *net, const tl_options *o, long fails,
                         outcome *out, tl_error *error) {
  tl_mem root = TL_MEM (0, "total");
  root.fail_after = fails;
  out->x = out->asked ? &out->answers.run : &out->alone;
  const tl_status rc =
      out->asked
          ? tl_check_on (&root, net, 0, out->asked, o, &out->answers, error)
          : tl_explore_on (&root, net, o, 0, out->x, error);
  if (root.used) {
    printf ("%zu bytes are left on the account\n", root.used);
    abort ();
  }
  return rc;
}

// Runs in a child, and is killed at some time.
static void search_killed (const tl_net *net, const tl_options *o, outcome *out,
                           uint32_t microseconds, tally *t) {
  fflush (0);
  const pid_t child = fork ();
  if (child < 0)
    abort ();
  if (!child) {
    search (net, o, -1, out, 0);
    _exit (0);
  }
  usleep (microseconds);
  kill (child, SIGKILL);
  int status;
  if (waitpid (child, &status, 0) != child)
    abort ();
  t->killed += WIFSIGNALED (status);
}

// ---- What came out ---------------------------------------------------------

static bool same (const char *what, uint64_t got, uint64_t truth) {
  if (got != truth)
    printf ("%s: %" PRIu64 ", not %" PRIu64 "\n", what, got, truth);
  return got == truth;
}

static bool trace_is_good (const tl_net *net, const tl_exploration *x) {
  uint64_t *m = calloc (net->places + 1u, sizeof *m);
  const bool good = !x->deadlocks || (x->deadlock.transition &&
                                      brute_replay (net, x->deadlock.transition,
                                                    x->deadlock.length, m) &&
                                      brute_dead (net, m));
  if (!good)
    printf ("the trace leads to no dead marking\n");
  free (m);
  return good;
}

// A sweep may have visited states again: then nobody says how many there are.
static bool judge_sweep (const trial_net *n, const tl_exploration *straight,
                         const tl_exploration *x) {
  const brute *b = &n->all;
  bool ok = same ("complete", x->complete, true) && trace_is_good (n->net, x) &&
            same ("any dead", x->deadlocks > 0, b->deadlocks > 0);
  if (!ok || straight->stubborn)
    return ok;
  for (uint32_t p = 0; ok && p < n->net->places; p++)
    ok = same ("tokens of a place", x->place_max[p], b->place_max[p]);
  ok =
      ok && same ("dead transitions", x->dead_transitions, b->dead_transitions);
  return ok &&
         (!x->counted || (same ("states", x->states, b->states) &&
                          same ("arcs", x->arcs, b->arcs) &&
                          same ("deadlocks", x->deadlocks, b->deadlocks)));
}

// The figures of a straight run are those of the brute force, but for the depth
// and what stubborn sets leave out.
static bool judge (const trial_net *n, const tl_exploration *straight,
                   const tl_exploration *x) {
  const brute *b = &n->all;
  if (straight->sweep.measure)
    return judge_sweep (n, straight, x);
  bool ok = same ("complete", x->complete, straight->complete) &&
            same ("depth", x->depth, straight->depth) &&
            same ("followed", x->followed <= x->arcs, true) &&
            trace_is_good (n->net, x);
  if (ok && straight->deadlock.transition)
    ok = same ("length of the trace", x->deadlock.length,
               straight->deadlock.length);
  if (!ok || straight->stubborn)
    return ok && same ("visited", x->states, straight->states) &&
           same ("dead", x->deadlocks, b->deadlocks);
  ok = same ("states", x->states, b->states) &&
       same ("arcs", x->arcs, b->arcs) &&
       same ("deadlocks", x->deadlocks, b->deadlocks) &&
       same ("dead transitions", x->dead_transitions, b->dead_transitions) &&
       same ("tokens", x->max_tokens_per_marking, b->max_per_marking);
  for (uint32_t p = 0; ok && p < n->net->places; p++)
    ok = same ("tokens of a place", x->place_max[p], b->place_max[p]);
  return ok;
}

// Right, and with as long a way to where it is seen as in the straight run: in
// one that has nobody else who answers, that is not swept, and that has had the
// memory for its log.
static bool judge_answer (const trial_net *n, const tl_question *q,
                          const tl_answer *straight, const tl_answer *a,
                          bool same) {
  const char *wrong = reaching_judge (&n->all, q, a);
  if (!wrong && same &&
      (!straight->trace.transition != !a->trace.transition ||
       straight->trace.length != a->trace.length))
    wrong = "has another trace";
  if (!wrong && same && q->kind != TL_ASK_ONE_SAFE &&
      straight->culprits.count != a->culprits.count)
    wrong = "names other nodes";
  if (wrong)
    printf ("%s %s (by %s)\n", a->formula, wrong, a->engine);
  return !wrong;
}

static bool judge_answers (const trial_net *n, const tl_options *o,
                           const outcome *straight, const outcome *out,
                           tally *t) {
  const bool same = !out->aided && !out->starved && strcmp (o->order, "sweep");
  bool ok = true;
  for (size_t i = 0; i < out->answers.count; i++)
    ok &=
        judge_answer (n, out->asked->question + i, straight->answers.answer + i,
                      out->answers.answer + i, same);
  t->answers += out->answers.count;
  return ok;
}

static bool clean (const tally *t) {
  char command[200];
  snprintf (command, sizeof command, "rm -rf '%s' '%s'", t->folder, t->disk);
  return !system (command) && !mkdir (t->disk, 0777);
}

// ---- Runs ------------------------------------------------------------------

// One part, broken off in some way.  1: it came to its end, and *x is told; 0:
// it is to go on; -1: something is wrong.
static int run_part (const trial_net *n, tl_options *o, way how, tl_random *r,
                     tally *t, outcome *out) {
  tl_error error = {0};
  const uint64_t states = n->all.states;
  o->checkpoint_seconds = !below (r, 3)                ? 1000
                          : strcmp (o->order, "sweep") ? 1e-9
                                                       : 2e-3;
  o->threads = 1 + below (r, 3);
  o->parallel_from = 1 + below (r, 40);
  o->max_states = how == BY_STATES ? 1 + below (r, (uint32_t)states) : 0;
  t->parts++;
  if (how == BY_KILL) {
    search_killed (n->net, o, out, below (r, KILLED), t);
    return 0;
  }
  if (out->aided) // others may leave a smaller formula of a question
    o->unaided = below (r, 2);
  out->starved |= how == BY_MEMORY;
  const long fails = how == BY_MEMORY ? 1 + (long)below (r, 2000) : -1;
  const tl_status rc = search (n->net, o, fails, out, &error);
  if (rc == TL_E_ARG && strstr (error.text, "finished"))
    return 0; // a part that was killed had come to its end
  if (rc == TL_E_NOMEM && how == BY_MEMORY) {
    t->failed++;
    return 0;
  }
  if (rc) {
    printf ("%s\n", error.text);
    return -1;
  }
  const tl_exploration *x = out->x;
  t->resumed += x->checkpoints.part > 1;
  if (is_over (out))
    return 1;
  t->failed += x->stop == TL_STOP_MEMORY;
  const bool known = x->stop == TL_STOP_STATES || x->stop == TL_STOP_MEMORY;
  if (!known)
    printf ("stopped: %s\n", tl_stop_text (x->stop));
  outcome_close (out);
  return known ? 0 : -1;
}

static bool try_net (const trial_net *n, tl_random *r, tally *t) {
  outcome straight = {0}, out = {0};
  tl_options o = options_for (r, t);
  const char *folder = o.checkpoint;
  if (!below (r, 3))
    ask (r, n->net, &o, &straight);
  o.checkpoint = 0;
  o.threads = 1;
  if (search (n->net, &o, -1, &straight, 0))
    return false;
  o.checkpoint = folder;
  o.resume = true;
  out.asked = straight.asked;
  out.aided = straight.aided;
  int over = is_over (&straight) ? 0 : -2; // an unbounded net
  for (int i = 0; !over; i++)
    over =
        run_part (n, &o, i < PARTS ? (way)below (r, 3) : TO_THE_END, r, t, &out)
            ?: (i > PARTS ? -2 : 0);
  const bool ok =
      over == -2 ||
      (over == 1 && (out.asked ? judge_answers (n, &o, &straight, &out, t)
                               : judge (n, straight.x, out.x)));
  if (over == 1)
    outcome_close (&out);
  if (!ok)
    printf ("store %s, threads %" PRIu32 ", from %" PRIu64
            ", stubborn %s, disk %s, order %s, progress %s, window %" PRIu64
            "\n",
            o.store, o.threads, o.parallel_from, o.stubborn,
            o.disk ? "yes" : "no", o.order, o.progress, o.window);
  t->runs += over == 1;
  outcome_close (&straight);
  tl_questions_close ((tl_questions *)straight.asked);
  return clean (t) && ok;
}

static bool try_seed (uint64_t seed, void *tally_of_all) {
  tally *t = tally_of_all;
  random_net sketch;
  trial_net n;
  tl_random r = {seed};
  random_net_make_long (&sketch, seed);
  if (!trial_net_open (&n, &sketch, seed, CAP))
    return true;
  const bool ok = try_net (&n, &r, t);
  return trial_net_close (&n) && ok;
}

int main (int count, char **word) {
  trials wanted;
  tally t = {0};
  if (!trials_wanted (&wanted, count, word, NORMAL, LONG))
    return 2;
  snprintf (t.folder, sizeof t.folder, P_tmpdir "/tideline-resume-%ld",
            (long)getpid ());
  snprintf (t.disk, sizeof t.disk, "%s-disk", t.folder);
  clean (&t);
  const bool ok = trials_run (&wanted, "resumed searches", try_seed, &t);
  printf ("%" PRIu64 " runs in %" PRIu64 " parts, %" PRIu64 " resumed, %" PRIu64
          " killed, %" PRIu64 " without memory; %" PRIu64 " answers\n",
          t.runs, t.parts, t.resumed, t.killed, t.failed, t.answers);
  clean (&t);
  rmdir (t.disk);
  printf ("%d passed, %d failed\n", ok, !ok);
  return !ok;
}
