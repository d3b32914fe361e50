// Random coloured nets: all properties that have names, and the initial
// marking, asked of the unfolded net, of the net that is not unfolded, and of
// the saved graph of that.
//
//   unfolding [--nets N] [--seed S] [--long]
//
// --long, or the variable LONG, stands for many nets.  Net number i is made
// from seed S + i.

#include "../random_coloured.h"
#include "../trials.h"
#include "colour/unfold.h"
#include "compile/compiled.h"
#include "net/origin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NORMAL = 1000, LONG = 50000, STATES = 300 };
enum { MOST_OPEN = 100 }; // one of so many

static const char *const questions[] = {"deadlock",
                                        "one-safe",
                                        "quasi-live",
                                        "live",
                                        "home-state",
                                        "stable-marking",
                                        "bounds",
                                        "reversible",
                                        "INITIAL",
                                        "EF (INITIAL AND DEADLOCK)",
                                        "EF (NOT INITIAL AND DEADLOCK)",
                                        "AG INITIAL",
                                        "AG (INITIAL OR EF INITIAL)",
                                        "E X INITIAL",
                                        "A X (E X INITIAL)",
                                        "A F (NOT INITIAL)",
                                        "A G F INITIAL",
                                        "home 'NOT INITIAL'"};

typedef struct tally {
  uint64_t same, yes, others;
  uint64_t answers, open; // of nets that are not unfolded
} tally;

// False: some net is wrong or too large.
static bool ask (const tl_net *net, const tl_condensed *graph,
                 tl_answers *answers) {
  tl_questions *q;
  tl_options how = tl_options_default ();
  tl_error err = {0};
  how.max_states = STATES;
  if (tl_questions_open (&q, net, &err))
    return false;
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
    if (tl_questions_add_text (q, questions[i], &err)) {
      printf ("%s: %s\n", questions[i], err.text);
      exit (1);
    }
  *answers = (tl_answers){.size = sizeof *answers};
  const bool asked =
      !(graph ? tl_condensed_check (graph, q, &how, answers, &err)
              : tl_check (net, q, &how, answers, &err));
  tl_questions_close (q);
  return asked;
}

static bool all_decided (const tl_answers *a) {
  for (size_t i = 0; i < a->count; i++)
    if (a->answer[i].verdict == TL_VERDICT_UNKNOWN)
      return false;
  return true;
}

// What is decided without a search may be more of an unfolded net: answers may
// be open where there are more states than are visited.
static bool agree (const tl_answers *right, const tl_answers *a,
                   const char *what, tally *all) {
  bool same = right->count == a->count;
  all->answers += a->count;
  for (size_t i = 0; same && i < a->count; i++) {
    const tl_answer *x = right->answer + i, *y = a->answer + i;
    const bool open = y->verdict == TL_VERDICT_UNKNOWN && !a->run.complete;
    all->open += open;
    same = open || (x->verdict == y->verdict && x->infinite == y->infinite &&
                    (x->verdict != TL_VERDICT_BOUND || x->value == y->value));
    if (!same)
      printf ("%s: verdict %d %s, %d unfolded\n", x->formula, (int)y->verdict,
              what, (int)x->verdict);
  }
  return same;
}

// The same of the saved graph, where there is one.
static bool try_graph (const tl_net *net, const tl_answers *right, tally *all) {
  tl_options how = tl_options_default ();
  tl_exploration x = {.size = sizeof x};
  tl_condensed *graph = 0;
  tl_answers answers;
  how.max_states = STATES;
  bool same = true;
  if (!tl_condensed_build (&graph, net, &how, &x, 0))
    tl_exploration_close (&x);
  if (graph && ask (net, graph, &answers)) {
    same = agree (right, &answers, "saved", all);
    tl_answers_close (&answers);
  }
  tl_condensed_close (graph);
  return same;
}

static bool compare (const tl_net *unfolded, const tl_net *net, tally *all) {
  tl_answers right, answers;
  bool same = true;
  if (!ask (unfolded, 0, &right)) {
    all->others++;
    return true;
  }
  const bool known = all_decided (&right) && ask (net, 0, &answers);
  if (known) {
    same = answers.run.stop != TL_STOP_FAULT &&
           agree (&right, &answers, "not unfolded", all) &&
           try_graph (net, &right, all);
    for (size_t i = 0; i < right.count; i++)
      all->yes += right.answer[i].verdict == TL_VERDICT_TRUE;
    tl_answers_close (&answers);
  }
  ++*(known ? &all->same : &all->others);
  tl_answers_close (&right);
  return same;
}

static bool try_seed (uint64_t seed, void *sum) {
  tally *all = sum;
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  const tl_unfold_limits limits = {.transitions = 100000, .seconds = 10};
  tl_coloured *coloured = random_coloured (&mem, seed);
  tl_net *unfolded, *net = 0;
  bool same = true;
  if (tl_unfold (coloured, &limits, &mem, &unfolded, &err) ||
      tl_folded_open (&net, &mem, random_coloured (&mem, seed),
                      TL_COMPILE_NEVER, &err))
    all->others++;
  else
    same = compare (unfolded, net, all);
  tl_net_close (net);
  tl_net_close (unfolded);
  tl_coloured_close (coloured);
  return same && !mem.used;
}

int main (int count, char **word) {
  trials t;
  if (!trials_wanted (&t, count, word, NORMAL, LONG))
    return 2;
  tally all = {0};
  if (!trials_run (&t, "coloured net, unfolded or not", try_seed, &all))
    return 1;
  // At least five hundred of them are compared, and few answers are open.
  const bool enough = t.nets < NORMAL || (all.same >= NORMAL / 2 &&
                                          all.open * MOST_OPEN < all.answers);
  printf ("%s - %" PRIu64 " coloured nets, unfolded or not: %" PRIu64
          " answered alike, %" PRIu64 " times true, %" PRIu64 " of %" PRIu64
          " left open; %" PRIu64 " are wrong or too large\n",
          enough ? "ok" : "not ok", t.nets, all.same, all.yes, all.open,
          all.answers, all.others);
  return !enough;
}
