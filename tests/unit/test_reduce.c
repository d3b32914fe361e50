// Nets made smaller: cases that random nets rarely have, sizes, and traces that
// are told back.

#include "logic/formula.h"
#include "read/read.h"
#include "reduce/reduced.h"
#include "tideline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static tl_net *net_of (tl_mem *mem, const char *text) {
  tl_net *net;
  assert_int_equal (
      tl_read_net_text (&net, mem, "x.net", text, strlen (text), 0), TL_OK);
  return net;
}

static tl_questions *ask (const tl_net *net, const char *const *text) {
  tl_questions *questions;
  assert_int_equal (tl_questions_open (&questions, net, 0), TL_OK);
  for (; *text; text++)
    assert_int_equal (tl_questions_add_text (questions, *text, 0), TL_OK);
  return questions;
}

static tl_answers answers_of (const tl_net *net, const tl_questions *questions,
                              const char *engine) {
  tl_options options = tl_options_default ();
  tl_answers answers;
  options.engine = engine;
  options.unaided = true;
  assert_int_equal (tl_check (net, questions, &options, &answers, 0), TL_OK);
  return answers;
}

typedef struct example {
  const char *net;
  const char *question[3];
  bool holds; // the last one
  uint32_t places, transitions;
} example;

static const example examples[] = {
    // Of two tokens each goes another way.
    {"pl a (1)\ntr f a -> p*2\ntr g p -> x\ntr h p -> y\ntr k x*2 -> x*2\n"
     "tr l y*2 -> y*2\n",
     {"deadlock"},
     true,
     4,
     5},
    // Two tokens come from different sides.
    {"pl a (1)\npl b (1)\ntr f a -> p\ntr g b -> p\ntr h p*2 -> d\n",
     {"EF d >= 1"},
     true,
     4,
     3},
    // One side makes both, so its transition waits and fires twice.
    {"pl a (2)\ntr f a -> p\ntr h p*2 -> d\n", {"EF d >= 1"}, true, 2, 1},
    // p is not twice q: it gets as many, so the first d takes both of s.
    {"pl s (2)\ntr u s -> p q\ntr t p*2 q -> p d\n",
     {"EF (d >= 1 AND s >= 1)"},
     false,
     3,
     2},
    // With one of them p has two tokens never.
    {"pl s (1)\ntr u s -> p q\ntr t p*2 q -> p d\n",
     {"EF d >= 1"},
     false,
     1,
     0},
    {"pl s (2)\ntr u s -> p*2 q\ntr t p*2 q -> d\n", {"EF d >= 1"}, true, 2, 1},
    // With dead markings alone the first of these would not be seen.
    {"pl a (1)\ntr f a -> p\ntr h p -> x\n",
     {"deadlock", "EF (a = 0 AND x = 0)"},
     true,
     3,
     2},
    {"pl a (1)\ntr f a -> p\ntr h p -> x\n", {"deadlock"}, true, 1, 1},
    // Tokens are moved on before the first step.
    {"pl p (7)\ntr h p*2 -> x\ntr g x*3 -> d\ntr i d -> p*2\n",
     {"EF d >= 1"},
     true,
     2,
     2},
    // Neither the loop nor what only takes matters; to a deadlock both do.
    {"pl a (1)\ntr l a -> a\ntr s a ->\ntr f a -> d\n",
     {"EF d >= 1"},
     true,
     2,
     1},
    {"pl a (1)\ntr l a -> a\ntr s a ->\n", {"deadlock"}, true, 1, 2},
    // Which way a token goes is open when that is asked where it can go; of a
    // run it does not matter when it is decided.
    {"pl a (1)\ntr f a -> p s\ntr g p -> x\ntr h p -> y\ntr i x -> d\n"
     "tr k y -> e\n",
     {"EF (s >= 1 AND EF d >= 1 AND EF e >= 1)"},
     true,
     7,
     5},
    {"pl a (1)\ntr f a -> p s\ntr g p -> x\ntr h p -> y\ntr i x -> d\n"
     "tr k y -> e\n",
     {"E (s = 0 U (s >= 1 AND d = 0 AND F d >= 1))"},
     true,
     4,
     3},
    // The same of where it comes from.
    {"pl a (1)\npl b (1)\ntr f a -> p\ntr g b -> p\ntr h a b -> p\n"
     "tr k p -> d\n",
     {"EF (d = 0 AND NOT EF d >= 2)"},
     true,
     4,
     4},
    {"pl a (1)\npl b (1)\ntr f a -> p\ntr g b -> p\ntr h a b -> p\n"
     "tr k p -> d\n",
     {"A G F d >= 2"},
     false,
     3,
     3},
    // With X nothing is put together.
    {"pl a (1)\ntr f a -> p\ntr h p -> d\n", {"EX EX d >= 1"}, true, 3, 2},
    {"pl a (1)\ntr f a -> p\ntr h p -> d\n", {"A F d >= 1"}, true, 2, 1},
    // An inhibitor keeps what empties its place.
    {"pl a (1)\npl b (1)\ntr s a ->\ntr f b a?-1 -> d\n",
     {"EF d >= 1"},
     true,
     3,
     2},
};

static void test_examples (void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
    const example *e = examples + i;
    tl_mem mem = TL_MEM (0, "net");
    tl_net *net = net_of (&mem, e->net), *smaller;
    tl_questions *asked = ask (net, e->question), *again;
    assert_int_equal (tl_net_reduce (&smaller, asked, 0, 0), TL_OK);
    again = ask (smaller, e->question);
    tl_answers there = answers_of (net, asked, "auto"),
               here = answers_of (smaller, again, "auto");
    for (size_t k = 0; k < there.count; k++)
      assert_int_equal (there.answer[k].verdict, here.answer[k].verdict);
    assert_int_equal (here.answer[here.count - 1].verdict,
                      e->holds ? TL_VERDICT_TRUE : TL_VERDICT_FALSE);
    if (tl_net_places (smaller) != e->places ||
        tl_net_transitions (smaller) != e->transitions)
      fail_msg ("example %zu has %u places and %u transitions", i,
                (unsigned)tl_net_places (smaller),
                (unsigned)tl_net_transitions (smaller));
    tl_answers_close (&there);
    tl_answers_close (&here);
    tl_questions_close (again);
    tl_questions_close (asked);
    tl_net_close (smaller);
    tl_net_close (net);
  }
}

// A long series is one transition, and its trace is long again.
static void test_series (void **state) {
  (void)state;
  enum { STEPS = 300 };
  static char text[STEPS * 40];
  int at = sprintf (text, "pl p0 (1)\n");
  for (int i = 0; i < STEPS; i++)
    at += sprintf (text + at, "tr t%d p%d -> p%d\n", i, i, i + 1);
  const char *const question[] = {"EF p300 >= 1", 0};
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = net_of (&mem, text), *smaller;
  tl_questions *asked = ask (net, question);
  assert_int_equal (tl_net_reduce (&smaller, asked, 0, 0), TL_OK);
  assert_int_equal (tl_net_transitions (smaller), 1);
  tl_answers answers = answers_of (net, asked, "guided");
  assert_int_equal (answers.answer[0].verdict, TL_VERDICT_TRUE);
  assert_string_equal (answers.answer[0].engine, "guided");
  assert_int_equal (answers.answer[0].trace.length, STEPS);
  assert_true (tl_trace_replay (net, &answers.answer[0].trace));
  tl_answers_close (&answers);
  tl_questions_close (asked);
  tl_net_close (smaller);
  tl_net_close (net);
}

static void test_whole_net (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  const char *const question[] = {"one-safe", 0};
  tl_net *net = net_of (&mem, "pl a (1)\ntr f a -> b\n"), *smaller;
  tl_questions *asked = ask (net, question);
  tl_error err = {0};
  assert_int_equal (tl_net_reduce (&smaller, asked, 0, &err), TL_E_ARG);
  assert_null (smaller);
  assert_string_equal (err.text, "'one-safe' is about the whole net");
  tl_questions_close (asked);
  tl_net_close (net);
}

// Wherever memory ends, nothing is left behind.
static void test_no_memory (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = net_of (&mem, "pl a (3)\ntr f a -> p\ntr g a -> p\n"
                              "tr h p -> x\ntr i x -> y\ntr j y -> a b\n");
  tl_formula dead = {.op = TL_DEADLOCK}, *list = &dead;
  tl_status rc = TL_E_NOMEM;
  for (long n = 0; rc; n++) {
    tl_mem little = TL_MEM (0, "reduction");
    tl_reduced *r;
    little.fail_after = n;
    rc = tl_reduced_open (&r, &little,
                          &(tl_reducing){.net = net,
                                         .formula = &list,
                                         .formulas = 1,
                                         .rules = TL_ALL_RULES});
    assert_true (!rc || rc == TL_E_NOMEM);
    assert_true (rc || !r->same);
    tl_reduced_close (r);
    assert_int_equal (little.used, 0);
    assert_true (n < 1000);
  }
  tl_net_close (net);
}

// Without time the net is what it was.
static void test_no_time (void **state) {
  (void)state;
  const uint64_t size = 50;
  const char *const question[] = {"deadlock", 0};
  tl_net *net, *smaller;
  assert_int_equal (tl_net_example (&net, "philosophers", 1, &size, 0), TL_OK);
  tl_questions *asked = ask (net, question);
  tl_settings settings = tl_settings_default ();
  settings.timeout = 1e-9;
  assert_int_equal (tl_net_reduce (&smaller, asked, &settings, 0), TL_OK);
  assert_int_equal (tl_net_places (smaller), tl_net_places (net));
  tl_net_close (smaller);
  settings.timeout = 0;
  assert_int_equal (tl_net_reduce (&smaller, asked, &settings, 0), TL_OK);
  assert_true (tl_net_places (smaller) < tl_net_places (net));
  tl_net_close (smaller);
  tl_questions_close (asked);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_examples), cmocka_unit_test (test_series),
      cmocka_unit_test (test_whole_net), cmocka_unit_test (test_no_memory),
      cmocka_unit_test (test_no_time)};
  return cmocka_run_group_tests (tests, 0, 0);
}
