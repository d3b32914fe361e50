// Random formulas of CTL, LTL and CTL* on random nets against the naive
// checker, by every engine, on graphs that were built breadth-first and by some
// sweep, and every run that an answer shows against the definition.
//
//   logic [--nets N] [--seed S] [--long]
//
// N pairs of a net and a formula of each logic.  The variable LONG stands for
// many.

#include "../naive.h"
#include "../random_formula.h"
#include "../random_measure.h"
#include "../random_net.h"
#include "../reducible_net.h"
#include "../saved.h"
#include "../trials.h"
#include "logic/reach.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NORMAL = 10000, LONG = 100000, STATES = 400, FORMULAS = 50, SOME = 8 };

typedef struct tally {
  random_logic logic;
  uint64_t passed, failed, seed;
  uint64_t at_once, on_graph, on_fly, traces, lassos; // answers that are
  uint64_t unfolded;                                  // graphs
  uint64_t reduced;                                   // with stubborn sets
  uint64_t nested;   // by nested depth-first search
  uint64_t symbolic; // on the set of all markings
  uint64_t inner;    // runs that show all of a formula with several quantifiers
} tally;

// A net, its graph and its questions.
typedef struct trial {
  random_net *sketch;
  tl_net *net;
  brute b;
  naive n;
  tl_questions *list;
  uint8_t *holds[FORMULAS]; // by the naive checker
  bool shown[FORMULAS];     // there is a run on the graph
  tl_random random;
  uint64_t inner; // runs that were looked at inside
  bool aided;     // parts of formulas may be known without a run,
  bool helped;    // whoever decides
} trial;

static void fail (tally *sum, const trial *t, const tl_question *q,
                  const tl_answer *answer, const char *why) {
  static const char *const verdict[] = {[TL_VERDICT_UNKNOWN] = "unknown",
                                        [TL_VERDICT_TRUE] = "true",
                                        [TL_VERDICT_FALSE] = "false"};
  char text[2000];
  tl_formula_print (q->formula, t->net, text, sizeof text);
  printf ("seed %" PRIu64 ", %s%s is said to be %s: %s (%s)\n", sum->seed, text,
          q->linear ? " in LTL" : "", verdict[answer->verdict], why,
          answer->unknown_why ? answer->unknown_why : answer->engine);
  random_net_print (t->sketch, stdout);
  sum->failed++;
}

// ---- Runs ------------------------------------------------------------------

static bool is_at_once (const char *engine) {
  return !strcmp (engine, "rewrite") || !strcmp (engine, "initial") ||
         !strcmp (engine, "structure");
}

// The states that a trace passes; without a loop it goes on somehow, until it
// comes to a state again or to a dead one.  False: it is no run.
static bool walk (trial *t, const tl_trace *trace, uint64_t *state,
                  uint64_t *length, uint64_t *loop) {
  const naive *n = &t->n;
  uint64_t *m = calloc (t->net->places + 1, sizeof *m), s = 0;
  bool right = true;
  brute_initial (t->net, m);
  *length = 0;
  state[(*length)++] = s;
  for (uint64_t i = 0; right && i < trace->length; i++) {
    right = brute_enabled (t->net, m, trace->transition[i]);
    if (right)
      brute_fire (t->net, m, trace->transition[i]);
    state[(*length)++] = s = brute_find (&t->b, m);
  }
  free (m);
  if (!right || trace->loop) {
    *loop = trace->loop_from;
    return right && trace->loop_from < trace->length &&
           state[--*length] == state[*loop];
  }
  for (;;) {
    const uint64_t degree = n->first[s + 1] - n->first[s];
    if (degree)
      s = n->target[n->first[s] + tl_random_below (&t->random, degree)];
    for (uint64_t i = trace->length; i < *length; i++)
      if (state[i] == s) {
        *loop = i;
        return true;
      }
    state[(*length)++] = s;
  }
}

// Can one run show why the formula has this value, all of it?  Then it shows
// the formula without its quantifiers.
static bool is_chain (const tl_formula *f, bool value) {
  if (!tl_formula_has_temporal (f))
    return true;
  if (f->op == TL_NOT)
    return is_chain (f->operand[0], !value);
  if (f->op == TL_AND || f->op == TL_OR) {
    unsigned temporal = 0;
    for (uint32_t i = 0; i < f->count; i++) {
      temporal += tl_formula_has_temporal (f->operand[i]);
      if (!is_chain (f->operand[i], value))
        return false;
    }
    return (f->op == TL_AND) != value || temporal == 1;
  }
  if (f->op != (value ? TL_EXISTS : TL_ALL))
    return false;
  const tl_formula *path = f->operand[0];
  if (path->op < TL_NEXT)
    return false;
  const tl_formula *last = path->operand[path->count - 1];
  for (uint32_t i = 0; i + 1 < path->count; i++)
    if (tl_formula_has_temporal (path->operand[i]))
      return false;
  switch (path->op) {
  case TL_NEXT: return is_chain (last, value);
  case TL_FINALLY:
  case TL_UNTIL:
    return value ? is_chain (last, value) : !tl_formula_has_temporal (last);
  case TL_GLOBALLY:
  case TL_RELEASE:
    return value ? !tl_formula_has_temporal (last) : is_chain (last, value);
  default: return false;
  }
}

// The formula without its quantifiers.
static tl_formula *stripped (tl_arena *arena, const tl_formula *f) {
  if (!tl_formula_has_temporal (f))
    return (tl_formula *)(uintptr_t)f;
  if (f->op == TL_EXISTS || f->op == TL_ALL)
    return stripped (arena, f->operand[0]);
  tl_formula *operand[64];
  if (f->count > 64)
    abort ();
  for (uint32_t i = 0; i < f->count; i++)
    operand[i] = stripped (arena, f->operand[i]);
  tl_formula *g = f->op == TL_AND || f->op == TL_OR
                      ? tl_formula_nary (arena, f->op, operand, f->count)
                  : f->count == 1 ? tl_formula_unary (arena, f->op, operand[0])
                                  : tl_formula_binary (arena, f->op, operand[0],
                                                       operand[1]);
  if (!g)
    abort ();
  return g;
}

static bool has_inner_quantifier (const tl_formula *f, bool inside) {
  const bool quantifier = f->op == TL_EXISTS || f->op == TL_ALL;
  bool found = quantifier && inside;
  for (uint32_t i = 0; !found && i < tl_formula_operands (f); i++)
    found = has_inner_quantifier (f->operand[i], inside || quantifier);
  return found;
}

// Does a run that can show all of a formula of CTL do so?
static bool shows_inside (trial *t, const tl_question *q, bool holds,
                          const uint64_t *state, uint64_t length,
                          uint64_t loop) {
  const tl_formula *f = q->formula;
  if (q->linear || f->op != (holds ? TL_EXISTS : TL_ALL) ||
      tl_formula_fragment (f) > TL_FRAGMENT_CTL ||
      !has_inner_quantifier (f, false) || !is_chain (f, holds))
    return true;
  t->inner++;
  return naive_run (&t->n, stripped (&t->list->arena, f), state, length,
                    loop) != !holds;
}

// What is wrong with a trace; null: nothing.
static const char *judge (trial *t, const tl_question *q, const tl_answer *a) {
  uint64_t length, loop;
  uint64_t *state = calloc (a->trace.length + STATES + 2, sizeof *state);
  const bool is_run = walk (t, &a->trace, state, &length, &loop);
  const char *wrong = is_run ? 0 : "the trace is no run";
  // A run can show that E holds and that A does not.
  const bool holds = a->verdict == TL_VERDICT_TRUE;
  if (is_run && q->formula->op == (holds ? TL_EXISTS : TL_ALL) &&
      naive_run (&t->n, q->formula->operand[0], state, length, loop) != holds)
    wrong = "the run does not show it";
  if (!wrong && !is_at_once (a->engine) && !t->aided &&
      !shows_inside (t, q, holds, state, length, loop))
    wrong = "the run does not show what is inside";
  free (state);
  return wrong;
}

// Decision diagrams show what a graph shows of a quantifier.
static bool lacks_run (trial *t, size_t i, const tl_answer *a) {
  const tl_op op = t->list->question[i].formula->op;
  if (a->engine && strstr (a->engine, "-graph"))
    t->shown[i] |= a->trace.transition != 0;
  return a->engine && !strcmp (a->engine, "symbolic") && t->shown[i] &&
         (op == TL_EXISTS || op == TL_ALL) && !a->trace.transition;
}

// ---- Formulas --------------------------------------------------------------

static void check_answer (tally *sum, trial *t, size_t i, const tl_answer *a) {
  const tl_question *q = t->list->question + i;
  const bool ok =
      a->verdict == (*t->holds[i] ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
  const bool lacks = lacks_run (t, i, a);
  const char *wrong = !ok                   ? "it is not"
                      : a->trace.transition ? judge (t, q, a)
                      : lacks               ? "no run shows it"
                                            : 0;
  sum->at_once += a->engine && is_at_once (a->engine);
  sum->on_graph += a->engine && strstr (a->engine, "graph");
  sum->on_fly += a->engine && strstr (a->engine, "fly");
  sum->nested += a->engine && strstr (a->engine, "nested");
  sum->symbolic += a->engine && !strcmp (a->engine, "symbolic");
  sum->traces += a->trace.transition != 0;
  sum->lassos += a->trace.loop;
  if (wrong)
    fail (sum, t, q, a, wrong);
}

static bool has_next (const tl_formula *f) {
  bool found = f->op == TL_NEXT;
  for (uint32_t i = 0; !found && i < tl_formula_operands (f); i++)
    found = has_next (f->operand[i]);
  return found;
}

// Path formulas without X once more, with stubborn sets for runs.
static void check_reduced (tally *sum, trial *t, const char *engine) {
  tl_options options = tl_options_default ();
  tl_question some[FORMULAS];
  size_t number[FORMULAS];
  tl_questions list = {.net = t->net, .question = some};
  tl_answers answers = {0};
  tl_error err = {0};
  options.stubborn = "property";
  options.engine = engine;
  t->aided = false;
  options.unaided = true; // they are to decide alone
  for (size_t i = 0; i < t->list->count; i++)
    if (!has_next (t->list->question[i].formula)) {
      number[list.count] = i;
      some[list.count++] = t->list->question[i];
    }
  if (tl_check (t->net, &list, &options, &answers, &err)) {
    printf ("seed %" PRIu64 ": %s\n", sum->seed, err.text);
    sum->failed++;
  }
  for (size_t i = 0; i < answers.count; i++) {
    check_answer (sum, t, number[i], answers.answer + i);
    sum->reduced += !is_at_once (answers.answer[i].engine);
  }
  tl_answers_close (&answers);
}

// Asks a net, or a graph of it that was saved.
typedef tl_status asking (const tl_net *, const tl_questions *,
                          const tl_options *, tl_answers *, tl_error *);

static void check_by (tally *sum, trial *t, tl_options options, asking *ask,
                      const char *engine) {
  options.engine = engine;
  t->aided = t->helped || !strcmp (engine, "auto");
  options.unaided = !t->aided; // it is to decide alone
  tl_answers answers = {0};
  tl_error err = {0};
  if (ask (t->net, t->list, &options, &answers, &err)) {
    printf ("seed %" PRIu64 ": %s\n", sum->seed, err.text);
    sum->failed++;
    return;
  }
  const bool outgrown = answers.run.stop == TL_STOP_TOKENS; // a diagram has
  for (size_t i = 0; i < answers.count; i++)
    if ((!options.max_states && !outgrown) ||
        answers.answer[i].verdict != TL_VERDICT_UNKNOWN)
      check_answer (sum, t, i, answers.answer + i);
  sum->unfolded += answers.run.sweep.sweeps > 1;
  tl_answers_close (&answers);
}

static void check_all (tally *sum, trial *t, asking *ask, const char *engine) {
  tl_options options = tl_options_default ();
  options.threads = 1 + (uint32_t)tl_random_below (&t->random, 3);
  options.parallel_from = 1;
  // With little time for each, runs do not always show what is inside.
  if (!strcmp (engine, "auto"))
    options.interludes_from = tl_random_below (&t->random, 20);
  check_by (sum, t, options, ask, engine);
}

// With a limit on states there may be no answer, but no wrong one.
static void check_limited (tally *sum, trial *t, const char *engine) {
  tl_options options = tl_options_default ();
  options.max_states = 1 + tl_random_below (&t->random, 1 + t->b.states / 2);
  check_by (sum, t, options, tl_check, engine);
}

static void check_swept (tally *sum, trial *t, asking *ask,
                         const char *engine) {
  random_measure measure;
  tl_options options = tl_options_default ();
  options.order = "sweep";
  random_measure_pick (&measure, &t->random, t->net->places, &options);
  const uint64_t failed = sum->failed;
  check_by (sum, t, options, ask, engine);
  if (failed < sum->failed)
    printf ("progress %s, window %" PRIu64 "\n", options.progress,
            options.window);
}

static tl_formula *some_fireable (trial *t) {
  const uint32_t all = t->net->transitions ? t->net->transitions : 1;
  const uint32_t transition = (uint32_t)tl_random_below (&t->random, all);
  return t->net->transitions
             ? tl_formula_fireable (&t->list->arena, &transition, 1)
             : tl_formula_deadlock (&t->list->arena);
}

// Where a run has to come back again and again, automata are seldom weak.
static tl_formula *repeat (trial *t, tl_formula *f) {
  tl_arena *arena = &t->list->arena;
  const bool always = tl_random_below (&t->random, 2);
  f = tl_formula_unary (arena, always ? TL_FINALLY : TL_GLOBALLY, f);
  return f ? tl_formula_unary (arena, always ? TL_GLOBALLY : TL_FINALLY, f) : 0;
}

// With several of them, automata have several accepting sets.
static tl_formula *repeat_some (trial *t, tl_formula *f) {
  tl_formula *part[3] = {repeat (t, f)};
  const uint32_t count = 1 + (uint32_t)tl_random_below (&t->random, 3);
  for (uint32_t i = 1; i < count; i++)
    part[i] = repeat (t, some_fireable (t));
  return count == 1 ? part[0]
                    : tl_formula_nary (&t->list->arena,
                                       tl_random_below (&t->random, 3) ? TL_AND
                                                                       : TL_OR,
                                       part, count);
}

// AG (a -> AF b) and the like, or the opposite: two quantifiers, one inside of
// the other.
static tl_formula *chain (trial *t) {
  static const tl_op outer[] = {TL_GLOBALLY, TL_NEXT, TL_RELEASE};
  static const tl_op inner[] = {TL_FINALLY, TL_GLOBALLY, TL_NEXT, TL_UNTIL};
  tl_arena *arena = &t->list->arena;
  const tl_op out = outer[tl_random_below (&t->random, 3)],
              in = inner[tl_random_below (&t->random, 4)];
  tl_formula *f =
      in == TL_UNTIL
          ? tl_formula_binary (arena, in, some_fireable (t), some_fireable (t))
          : tl_formula_unary (arena, in, some_fireable (t));
  f = tl_formula_unary (arena, TL_ALL, f);
  tl_formula *const either[] = {
      tl_formula_unary (arena, TL_NOT, some_fireable (t)), f};
  f = tl_formula_nary (arena, TL_OR, either, 2);
  f = out == TL_RELEASE ? tl_formula_binary (arena, out, some_fireable (t), f)
                        : tl_formula_unary (arena, out, f);
  f = tl_formula_unary (arena, TL_ALL, f);
  return tl_random_below (&t->random, 2) ? tl_formula_unary (arena, TL_NOT, f)
                                         : f;
}

// Adds a question about time that the naive checker can decide.
static void add_question (random_logic logic, trial *t) {
  const unsigned deepest = logic == RANDOM_CTL ? 5 : 4;
  tl_arena *arena = &t->list->arena;
  tl_formula *f;
  bool linear;
  uint8_t *set;
  do {
    f = random_formula (arena, t->net, logic,
                        2 + (unsigned)tl_random_below (&t->random, deepest),
                        &t->random);
    linear = logic == RANDOM_PATH;
    if (logic == RANDOM_CTL && tl_random_below (&t->random, 4) == 0)
      f = chain (t);
    if (linear && tl_random_below (&t->random, 4) == 0)
      f = repeat_some (t, f);
    const bool path = tl_formula_is_path (f);
    if (path && logic == RANDOM_CTL_STAR)
      linear = tl_random_below (&t->random, 2);
    if (path)
      f = tl_formula_unary (
          arena, tl_random_below (&t->random, 2) ? TL_ALL : TL_EXISTS, f);
    if (!f)
      abort ();
    set = naive_states (&t->n, f, linear);
    if (!tl_formula_has_temporal (f)) {
      free (set);
      set = 0;
    }
  } while (!set);
  t->holds[t->list->count] = set;
  tl_question *q = tl_questions_add (t->list, "random");
  if (!q)
    abort ();
  *q = (tl_question){
      .kind = TL_ASK_FORMULA, .name = q->name, .formula = f, .linear = linear};
}

static void try_net (tally *sum) {
  trial t = {.sketch = malloc (sizeof *t.sketch), .random = {sum->seed * 77}};
  tl_mem mem = TL_MEM (0, "net");
  random_net_make (t.sketch, sum->seed);
  if (sum->seed % 2)
    reducible_net_decorate (t.sketch, sum->seed);
  t.net = random_net_build (t.sketch, &mem);
  t.b = brute_explore (t.net, sum->logic == RANDOM_CTL ? STATES : STATES / 4);
  if (t.b.complete && t.net->places && t.net->transitions) {
    t.n = naive_open (&t.b);
    if (tl_questions_open (&t.list, t.net, 0))
      abort ();
    for (int i = 0; i < FORMULAS; i++)
      add_question (sum->logic, &t);
    const uint64_t failed = sum->failed;
    check_all (sum, &t, tl_check, "graph");
    check_all (sum, &t, tl_check, "fly");
    check_all (sum, &t, tl_check, "guided");
    check_all (sum, &t, tl_check, "symbolic");
    check_swept (sum, &t, tl_check, "graph");
    if (sum->seed % SOME == 0) {
      check_all (sum, &t, tl_check, "auto");
      t.helped = true;
      check_all (sum, &t, tl_check, "guided");
      t.helped = false;
      check_all (sum, &t, check_saved, "auto");
      check_limited (sum, &t, "auto");
      check_limited (sum, &t, "fly");
      check_limited (sum, &t, "nested");
      check_swept (sum, &t, tl_check, "auto");
      check_swept (sum, &t, check_saved, "auto");
    }
    if (sum->logic == RANDOM_PATH) {
      check_all (sum, &t, tl_check, "nested");
      check_all (sum, &t, tl_check, "nested-graph");
      check_all (sum, &t, check_saved, "nested");
      check_reduced (sum, &t, "fly");
      check_reduced (sum, &t, "nested");
    }
    sum->passed += failed == sum->failed ? FORMULAS : 0;
    for (int i = 0; i < FORMULAS; i++)
      free (t.holds[i]);
    tl_questions_close (t.list);
    naive_close (&t.n);
    sum->inner += t.inner;
  }
  brute_close (&t.b);
  tl_net_close (t.net);
  free (t.sketch);
}

int main (int count, char **arguments) {
  trials t;
  if (!trials_wanted (&t, count, arguments, NORMAL, LONG))
    return 2;
  uint64_t passed = 0, failed = 0;
  for (size_t i = 0; i < TRIAL_LOGICS; i++) {
    tally sum = {.logic = trial_logics[i].logic, .seed = t.seed};
    for (; sum.passed < t.nets && sum.failed < 3; sum.seed++)
      try_net (&sum);
    printf ("# %s: %" PRIu64 " pairs, %" PRIu64
            " times decided without a search, %" PRIu64
            " on the graph, %" PRIu64 " on the fly, %" PRIu64
            " runs shown, %" PRIu64 " lassos; %" PRIu64
            " graphs of several sweeps\n",
            trial_logics[i].name, sum.passed + sum.failed, sum.at_once,
            sum.on_graph, sum.on_fly, sum.traces, sum.lassos, sum.unfolded);
    if (sum.nested)
      printf ("#   %" PRIu64 " by nested depth-first search\n", sum.nested);
    if (sum.symbolic)
      printf ("#   %" PRIu64 " on the set of all markings\n", sum.symbolic);
    if (sum.inner)
      printf ("#   %" PRIu64 " runs that show what is inside\n", sum.inner);
    if (sum.reduced)
      printf ("#   %" PRIu64 " with stubborn sets\n", sum.reduced);
    passed += sum.passed;
    failed += sum.failed;
  }
  printf ("%" PRIu64 " passed, %" PRIu64 " failed\n", passed, failed);
  return failed > 0;
}
