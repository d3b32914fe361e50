// Random coloured nets that are not unfolded, with time and without, swept by
// any measure: counts are those of the naive interpreter where that is not too
// slow, and with what is asked of terminal components those of breadth-first
// search.  Those without time are unfolded and swept, too, and
// stubborn sets find the same dead states.
//
//   coloured_sweep [--nets N] [--seed S] [--long]
//
// --long, or the variable LONG, stands for many nets.  Net number i is made
// from seed S + i.

#include "../naive_coloured.h"
#include "../trials.h"
#include "base/input.h"
#include "base/random.h"
#include "read/read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  NORMAL = 100,
  LONG = 20000,
  STATES = 3000,
  NAIVE = 100,
  PLACES = 4,
  COLOURS = 3
};

static const char *const questions[] = {
    "home-state",         "live",        "reversible",   "home 'p0 > 0'",
    "home 'p1 + p2 = 1'", "home 'some'", "AG EF p3 = 0", "home 'DEADLOCK'"};
enum { QUESTIONS = sizeof questions / sizeof *questions };

typedef struct tally {
  uint64_t nets, timed, homes, kept, large, smaller;
} tally;

typedef struct maker {
  tl_random random;
  FILE *text;
  bool timed[PLACES], any;
  char *asked; // a measure in the language of the net, or null
} maker;

static uint32_t below (maker *m, uint32_t n) {
  return (uint32_t)tl_random_below (&m->random, n);
}

// ---- Nets ------------------------------------------------------------------

static void write_place (maker *m, uint32_t p) {
  fprintf (m->text, "place p%u { dom : num; %s capacity : 9;", p,
           m->timed[p] ? "timed;" : "");
  const uint32_t tokens = below (m, 3);
  fputs (tokens ? " init :" : "", m->text);
  for (uint32_t i = 0; i < tokens; i++)
    fprintf (m->text, "%s <( %u )>", i ? " +" : "", 1 + below (m, COLOURS));
  fputs (tokens ? "; }\n" : " }\n", m->text);
}

static void write_out (maker *m, uint32_t p, const char *value) {
  fprintf (m->text, " p%u : <( %s )>", p, value);
  if (m->timed[p] && below (m, 3))
    fprintf (m->text, " @+ %u", below (m, 4));
  fputs (";", m->text);
}

// Takes one or two tokens and puts as many, so that a net without time is
// finite; time ends somewhere.
static void write_transition (maker *m, uint32_t t) {
  static const char *const forms[] = {"x", "y", "num (x % 3 + 1)", "1", "3"};
  const uint32_t first = below (m, PLACES), two = below (m, 2),
                 second = (first + 1 + below (m, PLACES - 1)) % PLACES;
  fprintf (m->text, "transition t%u { in { p%u : <( x )>;", t, first);
  if (two)
    fprintf (m->text, " p%u : <( y )>;", second);
  fputs (" } out {", m->text);
  for (uint32_t i = 0, p = below (m, PLACES); i < 1 + two; i++) {
    const uint32_t form = below (m, 5);
    write_out (m, p, forms[form == 1 && !two ? 0 : form]);
    p = (p + 1 + below (m, PLACES - 1)) % PLACES;
  }
  fputs (" }", m->text);
  const uint32_t inhibits = below (m, PLACES);
  if (!m->timed[inhibits] && !below (m, 4))
    fprintf (m->text, " inhibit { p%u : <( x )>; }", inhibits);
  const bool sees_time = m->timed[first] || (two && m->timed[second]);
  if (sees_time)
    fprintf (m->text, " guard : now < %u;", 4 + below (m, 8));
  else if (two && below (m, 2))
    fputs (" guard : x != y;", m->text);
  fputs (" }\n", m->text);
}

// Up to three parts over the tokens; not all of them are sums.
static void write_measure (maker *m, FILE *f) {
  static const char *const forms[] = {
      "sum (x in p%u : int (x->1))", "2 * p%u'card", "p%u'mult",
      "(p%u'card > 1 ? 3 : 1)", "card (x in p%u | x->1 > 1)"};
  const uint32_t parts = 1 + below (m, 3);
  for (uint32_t i = 0; i < parts; i++) {
    fputs (i ? ", " : "", f);
    fprintf (f, forms[below (m, 5)], below (m, PLACES));
    fputs (" + ", f);
    fprintf (f, forms[below (m, 5)], below (m, PLACES));
  }
}

static char *make_net (maker *m) {
  char *text = 0;
  size_t size;
  m->text = open_memstream (&text, &size);
  fprintf (m->text, "random {\ntype num : range 1 .. %u;\n", COLOURS);
  const bool times = below (m, 2);
  for (uint32_t p = 0; p < PLACES; p++)
    m->any |= m->timed[p] = times && below (m, 2);
  for (uint32_t p = 0; p < PLACES; p++)
    write_place (m, p);
  const uint32_t transitions = 2 + below (m, 4);
  for (uint32_t t = 0; t < transitions; t++)
    write_transition (m, t);
  fputs ("proposition some : exists (x in p1 | x->1 > 1);\n", m->text);
  if (below (m, 2)) {
    fputs ("progress : ", m->text);
    write_measure (m, m->text);
    fputs (";\n", m->text);
  }
  fputs ("}\n", m->text);
  return fclose (m->text) ? 0 : text;
}

// What a net is read with.
static void ask_measure (maker *m) {
  size_t size;
  if (below (m, 3))
    return;
  FILE *f = open_memstream (&m->asked, &size);
  write_measure (m, f);
  if (fclose (f))
    exit (1);
}

static tl_net *read_net (const maker *m, const char *text, bool unfold,
                         tl_mem *mem) {
  tl_settings settings = {.size = sizeof settings,
                          .no_unfold = !unfold,
                          .compile = TL_COMPILE_NEVER,
                          .progress = m->asked};
  tl_error err = {0};
  tl_input in;
  tl_net *net = 0;
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  if (tl_read_net_as (&net, mem, &in, "lna", &settings, &err))
    printf ("%s\n", err.text);
  tl_input_close (&in);
  return net;
}

// ---- Measures --------------------------------------------------------------

static void pick_measure (maker *m, char *text, size_t size, tl_options *how) {
  static const uint64_t windows[] = {0, 1, 4, UINT64_MAX, TL_WINDOW_AUTO};
  how->order = "sweep";
  how->progress = text;
  how->window = windows[below (m, 5)];
  how->exact_count = true;
  if (!below (m, 4))
    how->memory = 1 << 22;
  if (m->asked)
    snprintf (text, size, "%s", m->asked);
  else if (m->any && below (m, 2))
    snprintf (text, size, "time");
  else if (below (m, 2))
    snprintf (text, size, "auto");
  else
    snprintf (text, size, "%u*p%u - p%u, p%u", 1 + below (m, 3),
              below (m, PLACES), below (m, PLACES), below (m, PLACES));
}

// ---- Comparing -------------------------------------------------------------

static bool ask (const tl_net *net, const tl_options *how,
                 tl_answers *answers) {
  tl_questions *q;
  tl_error err = {0};
  *answers = (tl_answers){.size = sizeof *answers};
  tl_status rc = tl_questions_open (&q, net, &err);
  for (size_t i = 0; !rc && i < QUESTIONS; i++)
    rc = tl_questions_add_text (q, questions[i], &err);
  if (!rc)
    rc = tl_check (net, q, how, answers, &err);
  tl_questions_close (q);
  if (rc)
    printf ("%s\n", err.text);
  return !rc;
}

// A trace leads to where it cannot be any more.
static bool is_shown (const char *question, const tl_answer *a) {
  return a->verdict != TL_VERDICT_FALSE || a->trace.transition ||
         !strcmp (question, "home-state") || !strcmp (question, "reversible");
}

static bool compare_answers (const tl_net *net, const tl_options *how,
                             tally *all) {
  tl_options plain = tl_options_default ();
  tl_answers right, swept;
  if (!ask (net, &plain, &right) || !ask (net, how, &swept))
    return false;
  bool same = right.count == swept.count;
  for (size_t i = 0; same && i < right.count; i++) {
    const tl_answer *x = right.answer + i, *y = swept.answer + i;
    same = x->verdict == y->verdict && is_shown (questions[i], y);
    all->homes += x->verdict == TL_VERDICT_TRUE;
    if (!same)
      printf ("%s: verdict %d swept, %d by breadth; %s\n", questions[i],
              (int)y->verdict, (int)x->verdict,
              y->trace.transition ? "with a trace" : "no trace");
  }
  all->kept += swept.run.sweep.window == UINT64_MAX;
  tl_answers_close (&right);
  tl_answers_close (&swept);
  return same;
}

static bool compare_counts (const tl_exploration *right, const tl_net *net,
                            const tl_options *how) {
  tl_exploration x = {.size = sizeof x};
  tl_error err = {0};
  if (tl_explore (net, how, &x, &err)) {
    printf ("%s\n", err.text);
    return false;
  }
  const bool same = x.complete && x.counted && x.states == right->states &&
                    x.arcs == right->arcs && x.deadlocks == right->deadlocks;
  if (!same)
    printf ("%" PRIu64 " states, %" PRIu64 " arcs swept; %" PRIu64
            " states, %" PRIu64 " arcs by breadth\n",
            x.states, x.arcs, right->states, right->arcs);
  tl_exploration_close (&x);
  return same;
}

// Stubborn sets leave states out, but no dead one.
static bool compare_deadlocks (const tl_exploration *right, const tl_net *net,
                               tally *all) {
  tl_options how = tl_options_default ();
  tl_exploration x = {.size = sizeof x};
  how.stubborn = "deadlock";
  if (tl_explore (net, &how, &x, 0))
    return false;
  const bool same = x.complete && x.deadlocks == right->deadlocks;
  if (!same)
    printf ("%" PRIu64 " deadlocks, %" PRIu64 " with stubborn sets\n",
            right->deadlocks, x.deadlocks);
  all->smaller += x.states < right->states;
  tl_exploration_close (&x);
  return same;
}

static bool compare (maker *m, const tl_net *net, const tl_net *unfolded,
                     tally *all) {
  tl_options plain = tl_options_default (), how = plain;
  tl_exploration right = {.size = sizeof right};
  char measure[400];
  plain.max_states = STATES;
  if (tl_explore (net, &plain, &right, 0))
    return false;
  bool same = !right.complete || compare_deadlocks (&right, net, all);
  ++*(right.complete ? &all->nets : &all->large);
  all->timed += m->any;
  for (int i = 0; right.complete && same && i < 3; i++) {
    pick_measure (m, measure, sizeof measure, &how);
    same = compare_counts (&right, net, &how) &&
           compare_answers (net, &how, all) &&
           (!unfolded || compare_counts (&right, unfolded, &how));
    if (!same)
      printf ("progress %s, window %" PRIu64 "\n", measure, how.window);
  }
  tl_exploration_close (&right);
  return same;
}

// Breadth-first search is right, as far as small nets tell.
static bool compare_naive (const char *text, const tl_net *net) {
  tl_mem mem = TL_MEM (0, "net");
  tl_options how = tl_options_default ();
  tl_coloured *coloured;
  tl_exploration x = {.size = sizeof x};
  how.max_states = NAIVE;
  if (tl_explore (net, &how, &x, 0))
    return false;
  bool same = true;
  if (x.complete && !tl_read_coloured_text (&coloured, &mem, "x.lna", text,
                                            strlen (text), 0)) {
    const naive_coloured naive = naive_coloured_explore (coloured, NAIVE + 1);
    same = x.states == naive.states && x.arcs == naive.arcs &&
           x.deadlocks == naive.deadlocks;
    tl_coloured_close (coloured);
  }
  tl_exploration_close (&x);
  return same;
}

static bool try_seed (uint64_t seed, void *sum) {
  tally *all = sum;
  maker m = {.random = {seed}};
  tl_mem mem = TL_MEM (0, "net");
  char *text = make_net (&m);
  ask_measure (&m);
  tl_net *net = read_net (&m, text, false, &mem),
         *unfolded = m.any ? 0 : read_net (&m, text, true, &mem);
  const bool same =
      net && compare_naive (text, net) && compare (&m, net, unfolded, all);
  if (!same)
    printf ("%s", text);
  tl_net_close (net);
  tl_net_close (unfolded);
  free (text);
  free (m.asked);
  return same && !mem.used;
}

int main (int count, char **word) {
  trials t;
  if (!trials_wanted (&t, count, word, NORMAL, LONG))
    return 2;
  tally all = {0};
  if (!trials_run (&t, "sweep of a coloured net", try_seed, &all))
    return 1;
  printf ("ok - %" PRIu64 " coloured nets swept (%" PRIu64
          " with time, %" PRIu64 " too large): %" PRIu64
          " answers true, everything kept %" PRIu64
          " times, fewer states with stubborn sets %" PRIu64 " times\n",
          all.nets, all.timed, all.large, all.homes, all.kept, all.smaller);
  return 0;
}
