// Guided searches, and sets of all markings, on random nets against the
// brute-force explorer: questions
// about what can be reached, sums, and named properties, one at a time, with
// nothing known of the net beforehand.  On bounded nets each of them must be
// decided, and every trace must lead where the answer says.
//
//   guided [--nets N] [--seed S] [--long]

#include "../brute.h"
#include "../random_net.h"
#include "../reaching.h"
#include "../trials.h"
#include "symbolic/edges.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  NORMAL = 620,
  LONG = 20000,
  STATES = 600,
  FORMULAS = 20,
  SUMS = 20,
  SOME = 4
};

typedef struct tally {
  uint64_t nets, questions, walks, guided, symbolic, open;
} tally;

static uint32_t below (tl_random *r, uint32_t n) {
  return (uint32_t)tl_random_below (r, n);
}

static bool judge_all (const brute *b, const tl_questions *list,
                       const tl_answers *answers, bool may_be_open,
                       tally *sum) {
  bool ok = true;
  for (size_t i = 0; i < list->count; i++) {
    const tl_answer *a = answers->answer + i;
    const bool open = a->verdict == TL_VERDICT_UNKNOWN && may_be_open;
    sum->open += open;
    const char *wrong = open ? 0 : reaching_judge (b, list->question + i, a);
    sum->questions++;
    sum->walks += a->engine && a->engine[0] == 'w';
    sum->guided += a->engine && a->engine[0] == 'g';
    sum->symbolic += a->engine && !strcmp (a->engine, "symbolic");
    if (wrong)
      printf ("%s %s (by %s)\n", a->formula, wrong, a->engine);
    ok &= !wrong;
  }
  return ok;
}

static bool ask (const brute *b, const tl_questions *list, tl_options options,
                 const char *engine, tally *sum) {
  tl_answers answers = {0};
  tl_error error = {0};
  options.engine = engine;
  bool ok = !tl_check (b->net, list, &options, &answers, &error);
  if (ok)
    ok = judge_all (b, list, &answers, options.timeout > 0, sum);
  else
    printf ("%s\n", error.text);
  tl_answers_close (&answers);
  return ok;
}

// Alone; with what linear programs know; beside a search; and with too little
// to come to an end.
static bool ask_all (const brute *b, const tl_questions *list, tl_random *r,
                     tally *sum) {
  tl_options aided = tl_options_default (), beside = aided;
  beside.interludes_from = 1 + below (r, 10);
  tl_options alone = aided, short_of_states = aided;
  alone.unaided = true;
  short_of_states.unaided = true;
  short_of_states.max_states = 1 + below (r, 1 + (uint32_t)b->states / 2);
  short_of_states.timeout = 0.01;
  return ask (b, list, alone, "guided", sum) &&
         ask (b, list, aided, "guided", sum) &&
         (b->max_in_place >= TL_SYMBOLIC_TOKENS ||
          ask (b, list, alone, "symbolic", sum)) &&
         (below (r, SOME) || ask (b, list, beside, "auto", sum)) &&
         (below (r, SOME) || ask (b, list, short_of_states, "guided", sum));
}

static bool good (const random_net *sketch, uint64_t seed, tally *sum) {
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = random_net_build (sketch, &mem);
  if (!net)
    abort ();
  brute b = brute_explore (net, STATES);
  bool ok = true;
  if (b.complete && net->places && net->transitions) {
    tl_random r = {~seed};
    tl_questions *list = reaching_questions (net, FORMULAS, SUMS, &r);
    sum->nets++;
    ok = ask_all (&b, list, &r, sum);
    tl_questions_close (list);
  }
  brute_close (&b);
  tl_net_close (net);
  return ok;
}

int main (int count, char **arguments) {
  trials t;
  if (!trials_wanted (&t, count, arguments, NORMAL, LONG))
    return 2;
  random_net *net = malloc (sizeof *net);
  tally sum = {0};
  bool ok = net;
  uint64_t passed = 0;
  for (uint64_t seed = t.seed; ok && passed < t.nets; seed++) {
    random_net_make (net, seed);
    ok = good (net, seed, &sum);
    passed += ok;
    if (!ok) {
      printf ("seed %" PRIu64 " fails\n", seed);
      random_net_print (net, stdout);
    }
  }
  free (net);
  printf ("%" PRIu64 " bounded nets, %" PRIu64 " questions, %" PRIu64
          " decided by guided searches, %" PRIu64 " by walks, %" PRIu64
          " on the set of all markings, %" PRIu64 " left open\n",
          sum.nets, sum.questions, sum.guided, sum.walks, sum.symbolic,
          sum.open);
  printf ("%" PRIu64 " passed, %d failed\n", passed, !ok);
  return !ok;
}
