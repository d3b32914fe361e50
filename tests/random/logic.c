// Random formulas on random nets against the naive checker.
//
//   logic [--pairs N] [--seed S]
//
// The variable LONG stands for many pairs.

#include "../naive.h"
#include "../random_formula.h"
#include "../random_net.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NORMAL = 10000, LONG = 100000, STATES = 400, FORMULAS = 10 };

typedef struct tally {
  uint64_t passed, failed, pairs;
} tally;

static void show (const tl_net *net, const random_net *sketch, uint64_t seed,
                  const tl_formula *formula, const tl_answer *answer,
                  bool right) {
  char text[2000];
  tl_formula_print (formula, net, text, sizeof text);
  printf ("seed %" PRIu64 ": %s is %s, not %s (%s)\n", seed, text,
          answer->verdict == TL_VERDICT_TRUE    ? "true"
          : answer->verdict == TL_VERDICT_FALSE ? "false"
                                                : "unknown",
          right ? "true" : "false",
          answer->unknown_why ? answer->unknown_why : "-");
  random_net_print (sketch, stdout);
}

static void check_all (tally *sum, const random_net *sketch, const naive *n,
                       tl_questions *list, uint64_t seed) {
  const tl_net *net = n->b->net;
  const tl_options options = tl_options_default ();
  tl_answers answers = {0};
  tl_error err = {0};
  if (tl_check (net, list, &options, &answers, &err)) {
    printf ("seed %" PRIu64 ": %s\n", seed, err.text);
    sum->failed++;
    return;
  }
  for (size_t i = 0; i < answers.count; i++) {
    uint8_t *set = naive_ctl (n, list->question[i].formula);
    const bool right = set[0];
    free (set);
    const bool ok = answers.answer[i].verdict ==
                    (right ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
    sum->passed += ok;
    sum->failed += !ok;
    if (!ok)
      show (net, sketch, seed, list->question[i].formula, answers.answer + i,
            right);
  }
  tl_answers_close (&answers);
}

static void try_net (tally *sum, uint64_t seed) {
  random_net *sketch = malloc (sizeof *sketch);
  tl_mem mem = TL_MEM (0, "net");
  random_net_make (sketch, seed);
  tl_net *net = random_net_build (sketch, &mem);
  brute b = brute_explore (net, STATES);
  if (b.complete && net->places && net->transitions) {
    tl_questions *list;
    tl_random random = {seed * 77};
    naive n = naive_open (&b);
    if (tl_questions_open (&list, net, 0))
      abort ();
    for (int i = 0; i < FORMULAS; i++) {
      tl_question *q = tl_questions_add (list, "random");
      if (!q)
        abort ();
      q->kind = TL_ASK_FORMULA;
      q->formula =
          random_formula (&list->arena, net, RANDOM_CTL,
                          1 + (unsigned)tl_random_below (&random, 6), &random);
    }
    check_all (sum, sketch, &n, list, seed);
    sum->pairs += FORMULAS;
    tl_questions_close (list);
    naive_close (&n);
  }
  brute_close (&b);
  tl_net_close (net);
  free (sketch);
}

int main (int count, char **arguments) {
  uint64_t pairs = getenv ("LONG") ? LONG : NORMAL, seed = 1;
  for (int i = 1; i + 1 < count; i += 2) {
    const uint64_t value = strtoull (arguments[i + 1], 0, 0);
    if (!strcmp (arguments[i], "--pairs"))
      pairs = value;
    else if (!strcmp (arguments[i], "--seed"))
      seed = value;
  }
  tally sum = {0};
  while (sum.pairs < pairs && sum.failed < 3)
    try_net (&sum, seed++);
  printf ("%" PRIu64 " passed, %" PRIu64 " failed\n", sum.passed, sum.failed);
  return sum.failed > 0;
}
