#include "compare.h"

#include "base/random.h"
#include "brute.h"
#include "compare_graph.h"
#include "compare_home.h"
#include "explore/search.h"
#include "logic/formula.h"
#include "predicate.h"
#include "random_measure.h"
#include "saved.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct trial {
  const tl_net *net;
  const brute *b;
  tl_random random;
  tl_options options;  // of the run being judged
  const char *running; // what that run is for
  bool saved;          // its graph is built first, and then asked
  // Of breadth-first search with one thread.
  uint64_t depth, deadlock_depth;
  random_measure measure;
  char *why;
  size_t why_size;
} trial;

// ---- Saying what differs --------------------------------------------------

static bool differ (trial *t, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

static bool differ (trial *t, const char *format, ...) {
  char text[400];
  va_list arguments;
  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
  snprintf (t->why, t->why_size,
            "%s, order %s, store %s, %" PRIu32
            " threads, stubborn %s, max_states %" PRIu64 ", memory %" PRIu64
            ", progress '%s', window %" PRIu64 ", bfs_memory %" PRIu64
            "%s, disk_room %" PRIu64 ": %s",
            t->running, t->options.order, t->options.store, t->options.threads,
            t->options.stubborn, t->options.max_states, t->options.memory,
            t->options.progress, t->options.window, t->options.bfs_memory,
            t->options.exact_count ? ", exact" : "",
            t->options.disk ? t->options.disk_room : 0, text);
  return false;
}

// Equal, or for a run that did not finish, not more than the truth.
static bool fits (trial *t, bool exact, const char *what, uint64_t got,
                  uint64_t truth) {
  if (exact ? got == truth : got <= truth)
    return true;
  return differ (t, "%s is %" PRIu64 ", %s %" PRIu64, what, got,
                 exact ? "not" : "more than", truth);
}

// ---- Traces ---------------------------------------------------------------

static uint64_t *new_marking (const tl_net *net) {
  uint64_t *m = calloc (net->places + 1u, sizeof *m);
  if (!m)
    abort ();
  return m;
}

// Replays the trace by the library's and by our own means; the last marking.
static bool replay (trial *t, const char *what, const tl_trace *trace,
                    uint64_t *m) {
  if (!trace->transition)
    return differ (t, "%s: there is no trace", what);
  if (!brute_replay (t->net, trace->transition, trace->length, m))
    return differ (t, "%s: the trace cannot be fired", what);
  if (!tl_trace_replay (t->net, trace))
    return differ (t, "%s: tl_trace_replay refuses the trace", what);
  return true;
}

static bool deadlock_trace_ends_dead (trial *t, const tl_trace *trace) {
  uint64_t *m = new_marking (t->net);
  const bool ok =
      replay (t, "deadlock", trace, m) &&
      (brute_dead (t->net, m) || differ (t, "the deadlock is not dead"));
  free (m);
  return ok;
}

// The part from loop_from on must lead to a marking that covers the one it
// starts from, with more tokens in the place named, and must be possible
// again and again.
static bool loop_can_repeat (trial *t, const tl_exploration *run) {
  const tl_trace *trace = &run->unbounded;
  const uint32_t place = run->unbounded_place;
  uint64_t *before = new_marking (t->net), *m = new_marking (t->net);
  bool ok = replay (t, "unbounded", trace, m);
  if (ok && (!trace->loop || trace->loop_from >= trace->length))
    ok = differ (t, "unbounded: the trace has no loop");
  if (ok)
    brute_replay (t->net, trace->transition, trace->loop_from, before);
  for (uint32_t p = 0; ok && p < t->net->places; p++)
    if (m[p] < before[p])
      ok = differ (t, "unbounded: the loop loses tokens");
  if (ok && (place >= t->net->places || m[place] <= before[place]))
    ok = differ (t, "unbounded: the place named does not grow");
  for (int round = 0; ok && round < 100; round++)
    for (uint64_t i = trace->loop_from; ok && i < trace->length; i++) {
      ok = brute_enabled (t->net, m, trace->transition[i]) ||
           differ (t, "unbounded: the loop does not go on for ever");
      if (ok)
        brute_fire (t->net, m, trace->transition[i]);
    }
  for (uint64_t i = 0; ok && i < trace->length; i++)
    ok = run->fired[trace->transition[i]] ||
         differ (t, "unbounded: a transition that fires did not fire");
  free (before);
  free (m);
  return ok;
}

// ---- Figures --------------------------------------------------------------

// Where states were visited again only that there are any can be compared.
static bool counts_fit (trial *t, const tl_exploration *run, bool exact) {
  const brute *b = t->b;
  if (!run->counted)
    return (exact && t->options.exact_count && !t->options.memory
                ? differ (t, "the states were not counted")
                : true) &&
           (run->sweep.sweeps > 1 || differ (t, "one sweep does not count")) &&
           fits (t, exact, "existence of deadlocks", run->deadlocks > 0,
                 b->deadlocks > 0);
  return fits (t, exact, "states", run->states, b->states) &&
         fits (t, exact, "arcs", run->arcs, b->arcs) &&
         fits (t, exact, "deadlocks", run->deadlocks, b->deadlocks);
}

static bool figures_fit (trial *t, const tl_exploration *run, bool exact) {
  const brute *b = t->b;
  bool ok = counts_fit (t, run, exact) &&
            (exact ? fits (t, exact, "dead_transitions", run->dead_transitions,
                           b->dead_transitions)
                   : run->dead_transitions >= b->dead_transitions ||
                         differ (t, "dead_transitions is too small")) &&
            fits (t, exact, "max_tokens_in_place", run->max_tokens_in_place,
                  b->max_in_place) &&
            fits (t, exact, "max_tokens_per_marking",
                  run->max_tokens_per_marking, b->max_per_marking);
  for (uint32_t p = 0; ok && p < t->net->places; p++)
    ok = fits (t, exact, t->net->place_id[p], run->place_max[p],
               b->place_max[p]);
  for (uint32_t i = 0; ok && i < t->net->transitions; i++)
    ok = fits (t, exact, t->net->transition_id[i], run->fired[i], b->fired[i]);
  // With little memory the log may have been given up.
  if (ok && run->deadlocks && (run->deadlock.transition || !t->options.memory))
    ok = deadlock_trace_ends_dead (t, &run->deadlock);
  if (ok && !run->deadlocks && run->deadlock.transition)
    ok = differ (t, "a trace to a deadlock, but no deadlock");
  return ok;
}

// A run without a budget, or one with a budget that must (`cut`) or may be
// reached.
enum { WHOLE, MAY_BE_CUT, CUT };

static bool judge (trial *t, const tl_exploration *run, int budget) {
  const brute *b = t->b;
  if (run->places != t->net->places || run->transitions != t->net->transitions)
    return differ (t, "wrong number of places or transitions");
  if (run->complete != (run->stop == TL_STOP_DONE))
    return differ (t, "complete, but '%s'", tl_stop_text (run->stop));
  if (run->stop == TL_STOP_UNBOUNDED)
    return b->complete ? differ (t, "said to be unbounded")
                       : loop_can_repeat (t, run);
  if (run->complete && budget == CUT)
    return differ (t, "complete in spite of the budget");
  if (run->complete && !b->complete)
    return differ (t, "complete with %" PRIu64 " states, there are more",
                   run->states);
  if (!b->complete)
    return true;
  if (!run->complete && budget == WHOLE)
    return differ (t, "not complete: %s", tl_stop_text (run->stop));
  return figures_fit (t, run, run->complete);
}

// With how many threads does not matter: shortest ways are as long.
static bool as_before (trial *t, const tl_exploration *run) {
  if (!run->complete || strcmp (t->options.order, "bfs"))
    return true;
  if (t->options.threads == 1 && strcmp (t->running, "explore on disk")) {
    t->depth = run->depth;
    t->deadlock_depth = run->deadlock.length;
    return true;
  }
  if (run->states > 8 && !t->options.memory &&
      run->threads != t->options.threads && strncmp (run->store, "delta", 5) &&
      t->options.parallel_from == 1)
    return differ (t, "%" PRIu32 " threads", run->threads);
  return fits (t, true, "depth", run->depth, t->depth) &&
         fits (t, true, "depth of a deadlock", run->deadlock.length,
               t->deadlock_depth);
}

static bool explore (trial *t, int budget) {
  tl_exploration run = {0};
  tl_error err = {0};
  const tl_status rc = tl_explore (t->net, &t->options, &run, &err);
  bool ok = rc ? (rc == TL_E_NOMEM && t->options.memory) ||
                     differ (t, "%s: %s", tl_status_text (rc), err.text)
               : judge (t, &run, budget) && as_before (t, &run);
  tl_exploration_close (&run);
  return ok;
}

// ---- Which runs -----------------------------------------------------------

static uint32_t below (trial *t, uint32_t n) {
  return (uint32_t)tl_random_below (&t->random, n);
}

// So little is in memory that a few successors are too many.
static void pick_disk (trial *t) {
  t->options.disk = P_tmpdir;
  t->options.disk_room = 1 + below (t, below (t, 2) ? 40 : 4000);
}

// Number i of all pairs of an order and a store ("auto" among them); false
// when there are not so many.
static bool pick (trial *t, const char *running, size_t i) {
  size_t orders, stores;
  const tl_kind_row *order = tl_orders (&orders);
  const tl_kind_row *store = tl_stores (&stores);
  if (i >= orders * (stores + 1))
    return false;
  const size_t s = i / orders;
  t->running = running;
  t->options = tl_options_default ();
  t->options.threads = 1;
  t->options.parallel_from = below (t, 2); // 1: it takes the least event
  t->options.order = order[i % orders].name;
  t->options.store = s < stores ? store[s].name : "auto";
  t->options.seed = 1 + below (t, 1000);
  static const uint32_t delta_k[] = {1, 2, 3, 20};
  t->options.delta_k = delta_k[below (t, 4)];
  t->options.every_place = !below (t, 4);
  if (!strcmp (t->options.order, "sweep"))
    random_measure_pick (&t->measure, &t->random, t->net->places, &t->options);
  if (!strcmp (t->options.order, "sweep") &&
      !strncmp (t->options.store, "delta", 5))
    t->options.store = "auto"; // that one cannot be swept
  if (!strcmp (t->options.order, "bfs") && !below (t, 4))
    pick_disk (t);
  // Where there is no end, the search must still come to one.
  t->options.max_states = t->b->complete ? 0 : t->b->states;
  return true;
}

static void pick_any (trial *t, const char *running) {
  size_t orders, stores;
  tl_orders (&orders);
  tl_stores (&stores);
  pick (t, running, tl_random_below (&t->random, orders * (stores + 1)));
}

static bool explore_in_all_ways (trial *t) {
  for (size_t i = 0; pick (t, "explore", i); i++)
    if (!explore (t, WHOLE))
      return false;
  return true;
}

// From the first state on, however few there are; or some levels are expanded
// by one thread.
static void pick_threads (trial *t, uint32_t threads) {
  t->options.threads = threads;
  t->options.parallel_from = below (t, 3) ? 1 : 2 + below (t, 6);
}

static void pick_parallel (trial *t, const char *running, uint32_t threads) {
  static const char *const store[] = {"auto", "table", "plain", "tree"};
  pick (t, running, 0);
  t->options.order = "bfs";
  t->options.store = store[below (t, 4)];
  pick_threads (t, threads);
}

static void pick_swept (trial *t, const char *running, uint32_t threads) {
  size_t orders, stores;
  tl_orders (&orders);
  tl_stores (&stores);
  do
    pick (t, running, tl_random_below (&t->random, orders * (stores + 1)));
  while (strcmp (t->options.order, "sweep"));
  pick_threads (t, threads);
}

static bool explore_in_parallel (trial *t) {
  static const uint32_t threads[] = {2, 3, 8};
  for (size_t i = 0; i < 3; i++) {
    pick_parallel (t, "explore", threads[i]);
    if (!explore (t, WHOLE))
      return false;
    pick_swept (t, "sweep", threads[i]);
    if (!explore (t, WHOLE))
      return false;
  }
  return true;
}

static bool explore_on_disk (trial *t) {
  static const uint32_t threads[] = {1, 2, 3, 8};
  for (size_t i = 0; i < 4; i++) {
    pick_parallel (t, "explore on disk", threads[i]);
    pick_disk (t);
    if (!explore (t, WHOLE))
      return false;
  }
  pick_parallel (t, "explore on disk", 1 + below (t, 3));
  pick_disk (t);
  t->options.disk_room = 0;
  t->options.memory = (uint64_t)4096 << below (t, 12);
  return explore (t, MAY_BE_CUT);
}

static bool explore_with_budgets (trial *t) {
  if (t->b->states > 1) {
    pick_any (t, "explore");
    t->options.max_states = t->b->states / 2;
    pick_threads (t, 1 + below (t, 3));
    if (!explore (t, CUT))
      return false;
  }
  pick_any (t, "explore");
  t->options.memory = (uint64_t)4096 << below (t, 12);
  return explore (t, MAY_BE_CUT);
}

// ---- States ---------------------------------------------------------------

typedef struct visits {
  trial *trial;
  uint64_t *seen; // [states of the brute force] in which sweep the last time
  uint64_t *marking, *replayed;
  bool ok;
} visits;

static bool enabled_are_right (visits *v, const tl_visit *visit) {
  const tl_net *net = v->trial->net;
  uint32_t n = 0;
  for (uint32_t t = 0; t < net->transitions; t++)
    if (brute_enabled (net, v->marking, t) &&
        (n == visit->enabled_count || visit->enabled[n++] != t))
      return differ (v->trial, "%s is missing in a list of enabled ones",
                     net->transition_id[t]);
  return n == visit->enabled_count ||
         differ (v->trial, "a list of enabled transitions has too many");
}

static bool trace_leads_here (visits *v, const tl_visit *visit) {
  tl_trace trace;
  const tl_net *net = v->trial->net;
  const tl_status rc = tl_search_trace (visit->search, &trace);
  bool ok = rc ? differ (v->trial, "trace: %s", tl_status_text (rc))
               : replay (v->trial, "visit", &trace, v->replayed);
  if (ok && memcmp (v->marking, v->replayed, net->places * sizeof *v->marking))
    ok = differ (v->trial, "a trace leads to another state");
  tl_trace_close (&trace);
  return ok;
}

static tl_visit_verdict see (void *context, const tl_visit *visit) {
  visits *v = context;
  trial *t = v->trial;
  tl_layout_unpack (visit->layout, visit->state, v->marking);
  const uint64_t s = brute_find (t->b, v->marking);
  const tl_sweep *sweep = &visit->search->result->sweep;
  const uint64_t now = 1 + sweep->sweeps + ((uint64_t)sweep->discarded << 32);
  if (s == BRUTE_NONE)
    v->ok = differ (t, "a state is visited that cannot be reached");
  else if (v->seen[s] == now)
    v->ok = differ (t, "a state is visited twice in a sweep");
  else if (t->options.exact_count && v->seen[s] &&
           v->seen[s] >> 32 == sweep->discarded)
    v->ok = differ (t, "a state is visited twice although it is counted");
  else
    v->ok = enabled_are_right (v, visit) &&
            (below (t, 64) || trace_leads_here (v, visit));
  if (s != BRUTE_NONE)
    v->seen[s] = now;
  return v->ok ? TL_VISIT_CONTINUE : TL_VISIT_STOP;
}

// A search on disk begins anew where a field was too small.
static tl_visit_verdict see_again (void *context) {
  visits *v = context;
  memset (v->seen, 0, v->trial->b->states * sizeof *v->seen);
  return TL_VISIT_CONTINUE;
}

// Are the states themselves the right ones?  Their number was compared.  With
// stubborn sets only the dead ones must all be visited.
static bool visit (trial *t, const char *stubborn) {
  const bool all = !strcmp (stubborn, "none");
  visits v = {t, calloc (t->b->states, sizeof *v.seen), new_marking (t->net),
              new_marking (t->net), true};
  tl_exploration run = {0};
  tl_error err = {0};
  tl_mem root = TL_MEM (0, "total");
  pick_any (t, all ? "visit" : "visit for deadlocks");
  t->options.stubborn = stubborn;
  const tl_visitor visitor = {.context = &v, .visit = see, .again = see_again};
  const tl_status rc =
      tl_explore_on (&root, t->net, &t->options, &visitor, &run, &err);
  if (rc)
    v.ok = differ (t, "%s: %s", tl_status_text (rc), err.text);
  for (uint64_t s = 0; v.ok && s < t->b->states; s++)
    v.ok = v.seen[s] ||
           (!all && !brute_dead (t->net, brute_marking (t->b, s))) ||
           differ (t, "a state is not visited");
  if (v.ok && run.sweep.sweeps < 2) // else some are counted again
    v.ok = fits (t, true, "deadlocks", run.deadlocks, t->b->deadlocks);
  if (v.ok && run.deadlocks)
    v.ok = deadlock_trace_ends_dead (t, &run.deadlock);
  tl_exploration_close (&run);
  if (v.ok && root.used)
    v.ok = differ (t, "%zu bytes are not given back", root.used);
  free (v.seen);
  free (v.marking);
  free (v.replayed);
  return v.ok;
}

static bool visit_states (trial *t) {
  return !t->b->complete || (visit (t, "none") && visit (t, "deadlock"));
}

// ---- Questions ------------------------------------------------------------

typedef enum ask { EXISTS, ALWAYS, NAMED } ask;

typedef struct question {
  ask kind;
  predicate predicate;
  size_t name; // of NAMED
  char text[sizeof ((predicate *)0)->text + 16];
} question;

static bool unsafe (const tl_net *net, const uint64_t *m) {
  for (uint32_t p = 0; p < net->places; p++)
    if (m[p] > 1)
      return true;
  return false;
}

static tl_verdict truth (bool yes) {
  return yes ? TL_VERDICT_TRUE : TL_VERDICT_FALSE;
}

static tl_verdict some_state_is_dead (const brute *b) {
  return truth (b->deadlocks);
}

static tl_verdict no_place_has_two (const brute *b) {
  return truth (b->max_in_place <= 1);
}

static tl_verdict all_transitions_fire (const brute *b) {
  return truth (!b->dead_transitions);
}

static tl_verdict some_place_is_stable (const brute *b) {
  for (uint32_t p = 0; p < b->net->places; p++)
    if (b->place_min[p] == b->place_max[p])
      return TL_VERDICT_TRUE;
  return TL_VERDICT_FALSE;
}

// The named properties: what is true, and what the last marking of a trace
// shows when the verdict is `shown`.
static const struct {
  const char *name;
  tl_verdict (*truth) (const brute *);
  tl_verdict shown; // TL_VERDICT_UNKNOWN: no trace
  bool (*evidence) (const tl_net *, const uint64_t *);
} named[] = {
    {"deadlock", some_state_is_dead, TL_VERDICT_TRUE, brute_dead},
    {"one-safe", no_place_has_two, TL_VERDICT_FALSE, unsafe},
    {"quasi-live", all_transitions_fire, TL_VERDICT_UNKNOWN, 0},
    {"stable-marking", some_place_is_stable, TL_VERDICT_UNKNOWN, 0},
};

enum { NAMES = sizeof named / sizeof *named, PREDICATES = 6 };

static void make_question (trial *t, question *q, size_t i) {
  memset (q, 0, sizeof *q);
  if (i < NAMES || !t->net->places || !t->net->transitions) {
    q->kind = NAMED;
    q->name = i % NAMES;
    snprintf (q->text, sizeof q->text, "%s", named[q->name].name);
    return;
  }
  q->kind = below (t, 2) ? EXISTS : ALWAYS;
  predicate_make (&q->predicate, t->b, &t->random);
  snprintf (q->text, sizeof q->text, "%s (%s)", q->kind == EXISTS ? "EF" : "AG",
            q->predicate.text);
}

static tl_verdict true_verdict (const brute *b, const question *q) {
  if (q->kind == NAMED)
    return named[q->name].truth (b);
  const bool looked_for = q->kind == EXISTS;
  for (uint64_t s = 0; s < b->states; s++)
    if (predicate_holds (&q->predicate, b->net, brute_marking (b, s)) ==
        looked_for)
      return truth (looked_for);
  return truth (!looked_for);
}

// Does the trace end where the verdict is seen to be right?
static bool shows (const trial *t, const question *q, const uint64_t *m) {
  return q->kind == NAMED ? named[q->name].evidence (t->net, m)
                          : predicate_holds (&q->predicate, t->net, m) ==
                                (q->kind == EXISTS);
}

static bool judge_answer (trial *t, const question *q, const tl_answer *a) {
  const tl_verdict shown = q->kind == EXISTS   ? TL_VERDICT_TRUE
                           : q->kind == ALWAYS ? TL_VERDICT_FALSE
                                               : named[q->name].shown;
  const tl_verdict right = true_verdict (t->b, q);
  if (a->verdict == TL_VERDICT_BOUND)
    return differ (t, "%s: a bound is no answer", q->text);
  // Beyond the cap only what the brute force has seen can be judged.
  const bool certain = t->b->complete || right == shown;
  if (a->verdict == TL_VERDICT_UNKNOWN)
    return !t->b->complete ||
           differ (t, "%s: unknown, %s", q->text,
                   a->unknown_why ? a->unknown_why : "for no reason");
  if (certain && a->verdict != right)
    return differ (t, "%s: the verdict is wrong", q->text);
  if (a->verdict != shown)
    return true;
  uint64_t *m = new_marking (t->net);
  const bool ok =
      replay (t, q->text, &a->trace, m) &&
      (shows (t, q, m) || differ (t, "%s: the trace shows nothing", q->text));
  free (m);
  return ok;
}

static bool check_list (trial *t, const question *q, size_t count) {
  tl_questions *list = 0;
  tl_answers answers = {0};
  tl_error err = {0};
  bool ok = true;
  tl_status rc = tl_questions_open (&list, t->net, &err);
  size_t asked = 0;
  while (!rc && asked < count)
    rc = tl_questions_add_text (list, q[asked++].text, &err);
  if (!rc)
    rc = (t->saved ? check_saved : tl_check) (t->net, list, &t->options,
                                              &answers, &err);
  if (rc)
    ok = differ (t, "%s: %s, last asked: %s", tl_status_text (rc), err.text,
                 asked ? q[asked - 1].text : "nothing");
  else if (answers.count != count)
    ok = differ (t, "%zu answers, not %zu", answers.count, count);
  for (size_t i = 0; i < count && ok; i++)
    ok = judge_answer (t, q + i, answers.answer + i);
  tl_answers_close (&answers);
  tl_questions_close (list);
  return ok;
}

// Some questions together and some alone, with stubborn sets: these are the
// smallest for single ones.
static bool check_reduced (trial *t, const question *q, size_t count) {
  pick_any (t, "check reduced");
  t->options.stubborn = "property";
  const size_t some = 2 + below (t, 3);
  if (!check_list (t, q + below (t, (uint32_t)(count - some)), some))
    return false;
  for (int i = 0; i < 2; i++) {
    pick_any (t, "check one reduced");
    t->options.stubborn = "property";
    if (!check_list (t, q + below (t, (uint32_t)count), 1))
      return false;
  }
  pick_any (t, "check deadlock reduced");
  t->options.stubborn = "deadlock";
  return check_list (t, q, 1); // it is the first of those named
}

// All questions in one run, and some alone, which may then end early.
static bool check_questions (trial *t) {
  enum { QUESTIONS = NAMES + PREDICATES };
  static question q[QUESTIONS];
  for (size_t i = 0; i < QUESTIONS; i++)
    make_question (t, q + i, i);
  pick_any (t, "check");
  pick_threads (t, 1 + below (t, 3));
  if (!check_list (t, q, QUESTIONS))
    return false;
  for (int i = 0; i < 2; i++) {
    pick_any (t, "check one");
    pick_threads (t, 1 + below (t, 3));
    if (!check_list (t, q + below (t, QUESTIONS), 1))
      return false;
  }
  for (int i = 0; i < 2; i++) {
    pick_parallel (t, "check one in parallel", 2 + below (t, 2));
    t->options.unaided = true; // nobody else decides it
    if (!check_list (t, q + below (t, i ? QUESTIONS : NAMES), 1))
      return false;
  }
  t->saved = true;
  pick_any (t, "check a graph");
  const bool ok = check_list (t, q, QUESTIONS) &&
                  check_list (t, q + below (t, QUESTIONS), 1);
  t->saved = false;
  return ok && check_reduced (t, q, QUESTIONS);
}

// ---- Bounds ---------------------------------------------------------------

static uint64_t sum (const tl_question *q, const uint64_t *m) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < q->term_count; i++)
    total += (uint64_t)q->term[i].coefficient * m[q->term[i].place];
  return total;
}

static bool judge_bound (trial *t, const tl_question *q, const tl_answer *a) {
  uint64_t most = 0;
  for (uint64_t s = 0; s < t->b->states; s++) {
    const uint64_t here = sum (q, brute_marking (t->b, s));
    most = here > most ? here : most;
  }
  if (a->verdict == TL_VERDICT_UNKNOWN)
    return !t->b->complete || differ (t, "bound of %s: unknown", a->name);
  if (a->verdict != TL_VERDICT_BOUND)
    return differ (t, "bound of %s: a verdict, not a bound", a->name);
  if (a->infinite)
    return !t->b->complete || differ (t, "bound of %s: infinite", a->name);
  if (t->b->complete ? a->value != most : a->value < most)
    return differ (t, "bound of %s is %" PRIu64 ", not %" PRIu64, a->name,
                   a->value, most);
  if (!a->trace.transition)
    return true;
  uint64_t *m = new_marking (t->net);
  const bool ok = replay (t, "bound", &a->trace, m) &&
                  (sum (q, m) == a->value ||
                   differ (t, "bound of %s: the trace shows less", a->name));
  free (m);
  return ok;
}

// A sum of two places, which only property files can ask for.
static tl_status ask_sum (trial *t, tl_questions *list) {
  tl_question *q = tl_questions_add (list, "sum");
  const uint32_t first = below (t, t->net->places);
  if (!q || !TL_ARENA_NEW (&list->arena, q->term, 2))
    return TL_E_NOMEM;
  q->kind = TL_ASK_BOUND;
  q->term[q->term_count++] = (tl_summand){first, 1};
  if (first + 1 < t->net->places)
    q->term[q->term_count++] = (tl_summand){
        first + 1 + below (t, t->net->places - first - 1), 1 + below (t, 2)};
  return TL_OK;
}

static bool check_bounds (trial *t) {
  tl_questions *list = 0;
  tl_answers answers = {0};
  tl_error err = {0};
  bool ok = true;
  pick_any (t, "bounds");
  pick_threads (t, 1 + below (t, 3));
  t->options.stubborn = below (t, 2) ? "property" : "none";
  t->saved = below (t, 2);
  tl_status rc = tl_questions_open (&list, t->net, &err);
  if (!rc)
    rc = tl_questions_add_text (list, "bounds", &err);
  for (int i = 0; i < 2 && !rc && t->net->places; i++)
    rc = ask_sum (t, list);
  if (!rc)
    rc = (t->saved ? check_saved : tl_check) (t->net, list, &t->options,
                                              &answers, &err);
  if (rc)
    ok = differ (t, "%s: %s", tl_status_text (rc), err.text);
  for (size_t i = 0; i < answers.count && ok; i++)
    ok = judge_bound (t, list->question + i, answers.answer + i);
  t->saved = false;
  tl_answers_close (&answers);
  tl_questions_close (list);
  return ok;
}

bool compare_net (const tl_net *net, uint64_t seed, uint64_t cap, char *why,
                  size_t size) {
  brute b = brute_explore (net, cap);
  trial t = {
      .net = net, .b = &b, .random = {~seed}, .why = why, .why_size = size};
  const bool ok = explore_in_all_ways (&t) && explore_in_parallel (&t) &&
                  explore_on_disk (&t) && compare_graph (&b, why, size) &&
                  explore_with_budgets (&t) && visit_states (&t) &&
                  check_questions (&t) && check_bounds (&t) &&
                  (seed % 4 || compare_home (&b, seed, why, size));
  brute_close (&b);
  return ok;
}
