#ifndef TL_TESTS_FUZZ_FORMULA_H
#define TL_TESTS_FUZZ_FORMULA_H

#include "logic/eval.h"
#include "net/marking.h"
#include "logic/reach.h"
#include "logic/simplify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is done with the questions a fuzzed reader gave: printed, read back and
// compared; simplified and compiled, which must not change their meaning.

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length);

static inline void fuzz_check (bool good) {
  if (!good)
    abort ();
}

static inline tl_net *fuzz_formula_net (tl_mem *mem) {
  static const char *const places[] = {"p", "q", "a-b", "F", "two words", "\""};
  static const char *const transitions[] = {"t", "u", "t u"};
  tl_builder *b;
  tl_net *net;
  fuzz_check (!tl_builder_open (&b, mem));
  for (uint32_t i = 0; i < 6; i++)
    fuzz_check (!tl_builder_place (b, places[i], 0, i % 3, 0));
  for (uint32_t i = 0; i < 3; i++)
    fuzz_check (!tl_builder_transition (b, transitions[i], 0, 0) &&
                !tl_builder_arc (b, TL_ARC_PRE, i, i, 1));
  fuzz_check (!tl_builder_finish (b, "fuzz", "pnml", &net, 0));
  return net;
}

static inline void fuzz_read_back (const tl_question *question,
                                   const tl_net *net) {
  const size_t length = tl_question_print (question, net, 0, 0);
  char *text = malloc (length + 1);
  tl_questions *q;
  tl_error err = {0};
  tl_question_print (question, net, text, length + 1);
  fuzz_check (!tl_questions_open (&q, net, 0));
  if (tl_questions_add_text (q, text, &err) || q->count != 1) {
    fprintf (stderr, "%s\n%ld:%ld: %s\n", text, err.line, err.column, err.text);
    abort ();
  }
  fuzz_check (q->question->kind == question->kind);
  if (question->formula)
    fuzz_check (!tl_formula_order (question->formula, q->question->formula));
  tl_questions_close (q);
  free (text);
}

// On a few markings the goal, its program and what it came from agree.
static inline void fuzz_evaluate (tl_formula *f, const tl_net *net,
                                  tl_arena *arena) {
  const tl_formula *negated = tl_formula_negate (arena, f);
  tl_predicate program;
  fuzz_check (!tl_predicate_open (&program, arena->mem, net, f));
  for (uint64_t i = 0; i < 16; i++) {
    uint64_t marking[6], enabled = 0;
    for (uint32_t p = 0; p < 6; p++)
      marking[p] = (i * 7 + p * 5) % 9 % 4;
    for (uint32_t t = 0; t < 3; t++)
      enabled |= (uint64_t)tl_marking_enables (net, marking, t) << t;
    const bool holds = tl_formula_holds (f, net, marking);
    fuzz_check (tl_predicate_run (&program, marking, &enabled) == holds);
    fuzz_check (tl_formula_holds (negated, net, marking) != holds);
  }
  tl_predicate_close (&program);
}

static inline void fuzz_plan (tl_formula *f, const tl_net *net) {
  tl_mem mem = TL_MEM (0, "plan");
  tl_arena arena = TL_ARENA (&mem);
  tl_plan plan;
  const tl_status rc = tl_reach_plan (&arena, net, f, &plan);
  fuzz_check (rc == TL_OK || rc == TL_E_MODEL);
  for (uint32_t i = 0; !rc && i < plan.goals; i++)
    fuzz_evaluate (plan.goal[i], net, &arena);
  if (!tl_formula_has_temporal (f)) {
    const tl_verdict verdict = tl_plan_verdict (&plan, 0);
    uint64_t initial[6];
    for (uint32_t p = 0; p < 6; p++)
      initial[p] = net->initial[p];
    fuzz_check (tl_formula_holds (f, net, initial) ==
                (verdict == TL_VERDICT_TRUE));
    fuzz_evaluate (f, net, &arena);
  }
  tl_arena_close (&arena);
  fuzz_check (!mem.used);
}

// `read` gives the status and fills the error.
static inline int fuzz_questions (tl_status (*read) (tl_questions *,
                                                     const void *, size_t,
                                                     tl_error *),
                                  const uint8_t *bytes, size_t length) {
  tl_mem mem = TL_MEM (0, "net"), reading = TL_MEM (0, "reading");
  tl_net *net = fuzz_formula_net (&mem);
  tl_questions *q;
  tl_error err = {0};
  fuzz_check (!tl_questions_open (&q, net, 0));
  q->mem.parent = &reading;
  const tl_status rc = read (q, bytes, length, &err);
  if (rc)
    fuzz_check ((rc == TL_E_SYNTAX || rc == TL_E_MODEL) && err.code == rc &&
                err.text[0] && !q->count);
  for (size_t i = 0; i < q->count; i++) {
    fuzz_read_back (q->question + i, net);
    if (q->question[i].formula)
      fuzz_plan (q->question[i].formula, net);
  }
  tl_questions_close (q);
  tl_net_close (net);
  fuzz_check (!mem.used && !reading.used);
  return 0;
}

#endif
