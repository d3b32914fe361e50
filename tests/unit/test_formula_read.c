// Reading questions: what every operator means, what binds how, what is said
// about every mistake, and that what is printed is read back as the same.

#include "../random_formula.h"

#include "read/formula_text.h"
#include "read/formula_xml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Names of all kinds: plain, like words of the language, with odd characters.
static const char *const places[] = {
    "p",     "q",    "r",     "fork1", "fork2",     "a-b",   "F",
    "AND",   "true", "x.y_1", "1st",   "two words", "12",    "\xc3\xa4",
    "\"'\\", "EF",   "u",     "=",     "*/",        "bounds"};
static const char *const transitions[] = {"t",     "go",  "go on", "FIREABLE",
                                          "t,(u)", "eat", "'"};

#define COUNT(ARRAY) ((uint32_t)(sizeof (ARRAY) / sizeof *(ARRAY)))

static tl_net *make_net (tl_mem *mem) {
  tl_builder *b;
  tl_net *net;
  assert_int_equal (tl_builder_open (&b, mem), TL_OK);
  for (uint32_t i = 0; i < COUNT (places); i++)
    assert_int_equal (tl_builder_place (b, places[i], 0, i < 2 ? i + 1 : 0, 0),
                      TL_OK);
  for (uint32_t i = 0; i < COUNT (transitions); i++)
    assert_int_equal (tl_builder_transition (b, transitions[i], 0, 0), TL_OK);
  assert_int_equal (tl_builder_finish (b, "test", "pnml", &net, 0), TL_OK);
  return net;
}

static tl_questions *open_questions (const tl_net *net, tl_mem *parent) {
  tl_questions *q;
  assert_int_equal (tl_questions_open (&q, net, 0), TL_OK);
  q->mem.parent = parent; // to see that all is given back
  return q;
}

static char *printed (const tl_questions *q, size_t number) {
  static char out[20000];
  tl_question_print (q->question + number, q->net, out, sizeof out);
  return out;
}

// ---- Text ------------------------------------------------------------------

// What is written, and how it is printed.
static const struct {
  const char *text, *meaning;
} readings[] = {
    // comparisons
    {"p <= 3", "p <= 3"},
    {"p < 3", "p <= 2"},
    {"p >= 3", "p >= 3"},
    {"p > 3", "p >= 4"},
    {"p = 3", "p = 3"},
    {"p == 3", "p = 3"},
    {"p != 3", "p != 3"},
    {"p <> 3", "p != 3"},
    {"p # 3", "p != 3"},
    {"3 = p", "p = 3"},
    {"3 != p", "p != 3"},
    {"3 <= p", "p >= 3"},
    {"3 > p", "p <= 2"},
    {"p <= q", "p <= q"},
    {"p < q", "p + 1 <= q"},
    {"p > q", "q + 1 <= p"},
    {"p = q", "p = q"},
    {"p + 2 != q", "p + 2 != q"},
    {"3 <= 3", "TRUE"},
    {"3 < 3", "FALSE"},
    {"3 = 4", "FALSE"},
    {"3 != 4", "TRUE"},
    // sums
    {"2 * p - q + 3 >= r", "q + r <= 2 * p + 3"},
    {"p * 2 <= 3", "2 * p <= 3"},
    {"2 * (p + q) - p <= 3 - q", "p + 3 * q <= 3"},
    {"p - (q - r) <= 0", "p + r <= q"},
    {"-p <= -3", "p >= 3"},
    {"-p >= -3", "p <= 3"},
    {"--p <= 3", "p <= 3"},
    {"-2 * p <= -3", "2 * p >= 3"},
    {"-(p + q) >= -7", "p + q <= 7"},
    {"p - p <= 0", "TRUE"},
    {"0 * p >= 1", "FALSE"},
    {"2 * 3 <= p", "p >= 6"},
    {"((p)) <= (3)", "p <= 3"},
    {"p>=-3", "p >= -3"},
    {"p <= 9223372036854775807", "p <= 9223372036854775807"},
    {"p >= -9223372036854775807", "p >= -9223372036854775807"},
    {"p <= -9223372036854775808", "p <= -9223372036854775808"},
    {"p >= 9223372036854775808", "p >= 9223372036854775808"},
    {"9223372036854775807 * p <= 1", "9223372036854775807 * p <= 1"},
    // atoms
    {"TRUE", "TRUE"},
    {"FALSE", "FALSE"},
    {"DEADLOCK", "DEADLOCK"},
    {"FIREABLE(t)", "FIREABLE(t)"},
    {"FIREABLE ( go on , t)", 0},
    {"FIREABLE(\"go on\", t, go, t)", "FIREABLE(t, go, \"go on\")"},
    {"FIREABLE(FIREABLE)", "FIREABLE(\"FIREABLE\")"},
    {"INITIAL",
     "r + fork1 + fork2 + \"a-b\" + \"F\" + \"AND\" + \"true\" + x.y_1 + "
     "\"1st\" + \"two words\" + \"12\" + \"\xc3\xa4\" + \"\\\"'\\\\\" + "
     "\"EF\" + u + \"=\" + \"*/\" + bounds <= 0 AND p = 1 AND q = 2"},
    // operators, and what binds tighter
    {"NOT p = 1", "NOT (p = 1)"},
    {"! p = 1", "NOT (p = 1)"},
    {"NOT NOT DEADLOCK", "NOT NOT DEADLOCK"},
    {"TRUE AND FALSE AND TRUE", "TRUE AND FALSE AND TRUE"},
    {"TRUE && FALSE & TRUE", "TRUE AND FALSE AND TRUE"},
    {"(TRUE AND FALSE) AND TRUE", "(TRUE AND FALSE) AND TRUE"},
    {"TRUE OR FALSE || TRUE | FALSE", "TRUE OR FALSE OR TRUE OR FALSE"},
    {"TRUE OR FALSE AND TRUE", "TRUE OR (FALSE AND TRUE)"},
    {"NOT TRUE AND FALSE", "NOT TRUE AND FALSE"},
    {"p = 1 XOR q = 1", "(p = 1 AND NOT (q = 1)) OR (NOT (p = 1) AND q = 1)"},
    {"TRUE OR FALSE XOR TRUE", "((TRUE OR FALSE) AND NOT TRUE) OR "
                               "(NOT (TRUE OR FALSE) AND TRUE)"},
    {"TRUE -> FALSE", "NOT TRUE OR FALSE"},
    {"TRUE AND FALSE -> TRUE OR FALSE",
     "NOT (TRUE AND FALSE) OR (TRUE OR FALSE)"},
    {"(TRUE -> FALSE) -> TRUE", "NOT (NOT TRUE OR FALSE) OR TRUE"},
    {"TRUE <-> FALSE", "(TRUE AND FALSE) OR (NOT TRUE AND NOT FALSE)"},
    {"TRUE -> FALSE <-> TRUE", "((NOT TRUE OR FALSE) AND TRUE) OR "
                               "(NOT (NOT TRUE OR FALSE) AND NOT TRUE)"},
    // time
    {"EF DEADLOCK", "EF DEADLOCK"},
    {"E F DEADLOCK", "EF DEADLOCK"},
    {"EXPATH EVENTUALLY DEADLOCK", "EF DEADLOCK"},
    {"ALLPATH ALWAYS DEADLOCK", "AG DEADLOCK"},
    {"AX EG AF DEADLOCK", "AX EG AF DEADLOCK"},
    {"AGEF DEADLOCK", "AG EF DEADLOCK"},
    {"E NEXTSTEP A NEXTSTATE DEADLOCK", "EX AX DEADLOCK"},
    {"REACHABLE TRUE AND FALSE", "EF (TRUE AND FALSE)"},
    {"INVARIANT TRUE OR FALSE", "AG (TRUE OR FALSE)"},
    {"IMPOSSIBLE TRUE OR FALSE", "AG NOT (TRUE OR FALSE)"},
    {"EF p = 1 AND q = 1", "EF (p = 1) AND q = 1"},
    {"AG (p + q <= 3 AND NOT FIREABLE(t))",
     "AG (p + q <= 3 AND NOT FIREABLE(t))"},
    {"A (p = 1 U q > 0)", "A (p = 1 U q >= 1)"},
    {"E (p = 1 UNTIL q > 0)", "E (p = 1 U q >= 1)"},
    {"E (p = 1 R q > 0)", "E (p = 1 R q >= 1)"},
    {"E (p = 1 RELEASE q > 0)", "E (p = 1 R q >= 1)"},
    {"E (p = 1 W q > 0)", "E (q >= 1 R (p = 1 OR q >= 1))"},
    {"E (TRUE U FALSE U TRUE)", "E (TRUE U (FALSE U TRUE))"},
    {"E (TRUE U FALSE AND TRUE)", "E ((TRUE U FALSE) AND TRUE)"},
    {"E (NOT TRUE U FALSE)", "E ((NOT TRUE) U FALSE)"},
    {"A ((EF TRUE) U FALSE)", "A ((EF TRUE) U FALSE)"},
    {"G F FIREABLE(t)", "AG F FIREABLE(t)"}, // a path formula: of all runs
    {"NOT X TRUE", "A NOT X TRUE"},
    {"EF TRUE AND F FALSE", "A (EF TRUE AND F FALSE)"},
    {"A (F TRUE -> G FALSE)", "A (NOT F TRUE OR G FALSE)"},
    // small letters where no place is called so
    {"ef deadlock", "EF DEADLOCK"},
    {"ag (not false or fireable(t))", "AG (NOT FALSE OR FIREABLE(t))"},
    {"e (p = 1 u q = 1)", 0},
    {"E (p = 1 u q = 1)", "E (p = 1 U q = 1)"},
    {"Not False xor False",
     "(NOT FALSE AND NOT FALSE) OR (NOT NOT FALSE AND FALSE)"},
    {"true <= 3", "\"true\" <= 3"}, // a place
    // words of the language that are names, too
    {"F <= 3", "\"F\" <= 3"},
    {"p + F <= 3", "p + \"F\" <= 3"},
    {"3 <= F AND TRUE", "\"F\" >= 3 AND TRUE"},
    {"F F <= 3", "AF (\"F\" <= 3)"},
    {"F -p <= 3", "\"F\" <= p + 3"},
    {"G -p <= 3", "AG (p >= -3)"},
    {"AND + EF <= 3", "\"AND\" + \"EF\" <= 3"},
    {"EF EF = 1", "EF (\"EF\" = 1)"},
    {"MAX(F)", "MAX(\"F\")"},
    {"bounds >= 1", "bounds >= 1"},
    // odd names
    {"a-b <= 3", "\"a-b\" <= 3"},
    {"a-b<=3 AND p-q<=3", "\"a-b\" <= 3 AND p <= q + 3"},
    {"p+a-b<=3", "p + \"a-b\" <= 3"},
    {"'two words' = 1", "\"two words\" = 1"},
    {"\"12\" = 12", "\"12\" = 12"},
    {"1st = 1", "\"1st\" = 1"},
    {"\xc3\xa4 = 1", "\"\xc3\xa4\" = 1"},
    {"'\"\\'\\\\' = 1", "\"\\\"'\\\\\" = 1"},
    {"\"=\" = 1", "\"=\" = 1"},
    {"FIREABLE('t,(u)', \"'\")", "FIREABLE(\"t,(u)\", \"'\")"},
    // bounds
    {"MAX(p + q)", "MAX(p + q)"},
    {"BOUND(2 * p + q - p)", "MAX(p + q)"},
    {"max(p)", "MAX(p)"},
    {"MAX((p))", "MAX(p)"},
    {"MAX(p - p)", "MAX(0)"},
    {"MAX(0)", "MAX(0)"},
    // blanks and comments
    {" \t\n p\r\n=\n1 ", "p = 1"},
    {"{ one } p /* two\n ** */ = 1 {three}", "p = 1"},
    {"FORMULA p = 1;", "p = 1"},
    {"p = 1;;", "p = 1"},
};

static void texts_mean_what_they_say (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = make_net (&mem);
  const size_t before = mem.used;
  for (size_t i = 0; i < COUNT (readings); i++) {
    tl_questions *q = open_questions (net, &mem);
    tl_error err = {0};
    const tl_status rc = tl_questions_add_text (q, readings[i].text, &err);
    if (!readings[i].meaning) {
      assert_int_equal (rc, TL_E_SYNTAX);
    } else {
      if (rc)
        print_message ("%s: %s\n", readings[i].text, err.text);
      assert_int_equal (rc, TL_OK);
      assert_int_equal (tl_questions_count (q), 1);
      assert_string_equal (printed (q, 0), readings[i].meaning);
    }
    tl_questions_close (q);
    assert_int_equal (mem.used, before);
  }
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static const struct {
  const char *text;
  long line, column;
  const char *message;
} mistakes[] = {
    {"", 1, 1, "expected a formula or a sum of places, found the end"},
    {"  \n ", 2, 2, "expected a formula or a sum of places, found the end"},
    {"AG", 1, 3, "expected a formula or a sum of places, found the end"},
    {"p = 1 AND\n  AND q = 1", 2, 3,
     "expected a formula or a sum of places, found 'AND'"},
    {"p = 1 q = 1", 1, 7, "expected an operator, found 'q'"},
    {"p = 1 = 2", 1, 7, "two comparisons in a row; join them with AND"},
    {"p < q < r", 1, 7, "two comparisons in a row; join them with AND"},
    {"TRUE -> TRUE -> TRUE", 1, 14, "a second '->' needs parentheses"},
    {"E p = 1 U q = 1", 1, 1,
     "a quantifier needs parentheses before U, R and W, as in E (a U b)"},
    {"TRUE AND AX p = 1 W q = 1", 1, 10,
     "a quantifier needs parentheses before U, R and W, as in E (a U b)"},
    {"(p = 1", 1, 1, "'(' is not closed"},
    {"p = 1 AND (q = 1 OR (r = 1)", 1, 11, "'(' is not closed"},
    {"p = 1)", 1, 6, "')' without '('"},
    {"()", 1, 2, "expected a formula or a sum of places, found ')'"},
    {"p AND TRUE", 1, 1,
     "this is a number of tokens, not a formula; compare it, as in 'p >= 1'"},
    {"EF (p + q)", 1, 4,
     "this is a number of tokens, not a formula; compare it, as in 'p >= 1'"},
    {"p", 1, 1,
     "this is a number of tokens, not a formula; compare it, as in 'p >= 1'"},
    {"p <= (q = 1)", 1, 6, "this is a formula, not a sum of places"},
    {"TRUE + 1 <= p", 1, 1, "unknown place 'TRUE'; did you mean 'true'?"},
    {"-DEADLOCK <= p", 1, 2, "unknown place 'DEADLOCK'"},
    {"-(TRUE) <= p", 1, 2, "this is a formula, not a sum of places"},
    {"p * q <= 1", 1, 3,
     "a product of places is not supported; one factor has to be a number"},
    {"fork3 = 1", 1, 1, "unknown place 'fork3'; did you mean 'fork1'?"},
    {"\xc3\xa4 = 1 AND FORK2x = 1", 1, 11,
     "unknown place 'FORK2x'; did you mean 'fork2'?"},
    {"philosopher = 1", 1, 1, "unknown place 'philosopher'"},
    {"eat = 1", 1, 1, "'eat' is a transition, not a place"},
    {"FIREABLE(fork1)", 1, 10, "'fork1' is a place, not a transition"},
    {"FIREABLE(eats)", 1, 10, "unknown transition 'eats'; did you mean 'eat'?"},
    {"FIREABLE(t, nothing)", 1, 13, "unknown transition 'nothing'"},
    {"FIREABLE t", 1, 10, "expected '(' after FIREABLE, found 't'"},
    {"FIREABLE()", 1, 10, "expected the name of a transition, found ')'"},
    {"FIREABLE(t", 1, 11, "expected ',' or ')', found the end"},
    {"FIREABLE(t eat)", 1, 12, "expected ',' or ')', found 'eat'"},
    {"MAX p", 1, 5, "expected '(' after MAX, found 'p'"},
    {"MAX(p", 1, 1, "'(' is not closed"},
    {"MAX(p - q)", 1, 1, "the maximum of a difference is not supported"},
    {"MAX(p + 1)", 1, 1, "a maximum is of places, without a number added"},
    {"MAX(p = 1)", 1, 5, "this is a formula, not a sum of places"},
    {"EF MAX(p) > 1", 1, 4,
     "a maximum stands alone, it is not part of a formula"},
    {"NOT MAX(p)", 1, 5, "a maximum stands alone, it is not part of a formula"},
    {"\"two words = 1", 1, 1, "the quotes of this name are not closed"},
    {"p = 1 /* why", 1, 7, "this comment is not closed"},
    {"p = 1 { why", 1, 7, "this comment is not closed"},
    {"p => 1", 1, 3, "'=>' is no operator; write '>=' or '->'"},
    {"p % 2 = 1", 1, 3,
     "unexpected character '%'; names with special characters need quotes"},
    {"p = 18446744073709551616", 1, 5, "the number is too large"},
    {"p = 18446744073709551615", 1, 5, "the number is too large"},
    {"9223372036854775808 * p <= 1", 1, 21, "the numbers are too large"},
    {"9223372036854775807 * p + q <= 1", 1, 29, "the numbers are too large"},
    {"p <= 9223372036854775808", 1, 3, "the numbers are too large"},
    {"9223372036854775807 * 9223372036854775807 = p", 1, 21,
     "the numbers are too large"},
    {"p + 9223372036854775808 + 1 = p", 1, 25, "the numbers are too large"},
    {"MAX(9223372036854775807 * p + q)", 1, 1, "the numbers are too large"},
    {"p = 1; q = 1; zz = 1", 1, 15, "unknown place 'zz'"},
    {"FORMULA", 1, 8, "expected a formula or a sum of places, found the end"},
    {": p = 1", 1, 1, "expected a formula or a sum of places, found ':'"},
};

static void mistakes_are_explained (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = make_net (&mem);
  tl_questions *q = open_questions (net, &mem);
  assert_int_equal (tl_questions_add_text (q, "TRUE", 0), TL_OK);
  for (size_t i = 0; i < COUNT (mistakes); i++) {
    tl_error err = {0};
    assert_int_equal (tl_questions_add_text (q, mistakes[i].text, &err),
                      TL_E_SYNTAX);
    assert_string_equal (err.text, mistakes[i].message);
    assert_string_equal (err.file, "formula");
    assert_int_equal (err.line, mistakes[i].line);
    assert_int_equal (err.column, mistakes[i].column);
    // What was there before is there, and nothing else.
    assert_int_equal (tl_questions_count (q), 1);
    assert_string_equal (printed (q, 0), "TRUE");
    assert_int_equal (tl_questions_add_text (q, mistakes[i].text, 0),
                      TL_E_SYNTAX);
  }
  tl_questions_close (q);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void lists_give_several_questions (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = make_net (&mem);
  tl_questions *q = open_questions (net, &mem);
  assert_int_equal (
      tl_questions_add_text (q,
                             " FORMULA EF p = 1 ; : FORMULA\n AG\n q = 2 : "
                             "MAX(p);\nformula TRUE; {end}",
                             0),
      TL_OK);
  assert_int_equal (tl_questions_count (q), 4);
  assert_string_equal (q->question[0].name, "EF p = 1");
  assert_string_equal (q->question[1].name, "AG  q = 2");
  assert_string_equal (q->question[2].name, "MAX(p)");
  assert_string_equal (q->question[3].name, "TRUE");
  assert_string_equal (printed (q, 1), "AG (q = 2)");
  assert_int_equal (q->question[2].kind, TL_ASK_BOUND);
  assert_null (q->question[2].formula);
  assert_int_equal (q->question[2].term_count, 1);
  tl_questions_close (q);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void properties_have_names (void **state) {
  (void)state;
  static const struct {
    const char *name;
    tl_question_kind kind;
  } named[] = {{"deadlock", TL_ASK_DEADLOCK},
               {"one-safe", TL_ASK_ONE_SAFE},
               {"quasi-live", TL_ASK_QUASI_LIVE},
               {"live", TL_ASK_LIVE},
               {"stable-marking", TL_ASK_STABLE_MARKING}};
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = make_net (&mem);
  tl_questions *q = open_questions (net, &mem);
  for (size_t i = 0; i < COUNT (named); i++) {
    assert_int_equal (tl_questions_add_text (q, named[i].name, 0), TL_OK);
    assert_int_equal (q->question[i].kind, named[i].kind);
    assert_string_equal (q->question[i].name, named[i].name);
    assert_string_equal (printed (q, i), named[i].name);
  }
  assert_int_equal (tl_questions_add_text (q, " bounds\n", 0), TL_OK);
  assert_int_equal (tl_questions_count (q), COUNT (named) + COUNT (places));
  for (uint32_t i = 0; i < COUNT (places); i++) {
    const tl_question *question = q->question + COUNT (named) + i;
    assert_int_equal (question->kind, TL_ASK_BOUND);
    assert_string_equal (question->name, places[i]);
    assert_int_equal (question->term_count, 1);
    assert_int_equal (question->term->place, i);
    assert_int_equal (question->term->coefficient, 1);
  }
  tl_questions_close (q);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void home_has_a_predicate (void **state) {
  (void)state;
  static const struct {
    const char *text, *name, *formula;
  } good[] = {
      {"home 'p <= 1'", "home 'p <= 1'", "AG EF (p <= 1)"},
      {" home\n\"p > 0 AND 'p' <= 3\" ", "home \"p > 0 AND 'p' <= 3\"",
       "AG EF (p >= 1 AND p <= 3)"},
  };
  static const struct {
    const char *text, *why;
  } bad[] = {
      {"home", "home needs a predicate in quotes: home 'p = 1'"},
      {"home ''", "home needs a predicate in quotes: home 'p = 1'"},
      {"home '", "home needs a predicate in quotes: home 'p = 1'"},
      {"home 'p = 1", "home needs a predicate in quotes: home 'p = 1'"},
      {"home 'EF p = 1'", "home needs a predicate without temporal operators"},
      {"home 'MAX(p)'", "home needs a predicate without temporal operators"},
      {"home 'p = 1; p = 2'", "home needs one predicate, not several"},
  };
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = make_net (&mem);
  tl_questions *q = open_questions (net, &mem);
  for (size_t i = 0; i < COUNT (good); i++) {
    assert_int_equal (tl_questions_add_text (q, good[i].text, 0), TL_OK);
    assert_int_equal (q->question[i].kind, TL_ASK_FORMULA);
    assert_string_equal (q->question[i].name, good[i].name);
    assert_string_equal (printed (q, i), good[i].formula);
  }
  for (size_t i = 0; i < COUNT (bad); i++) {
    tl_error err = {0};
    assert_true (tl_questions_add_text (q, bad[i].text, &err));
    assert_string_equal (err.text, bad[i].why);
  }
  assert_true (tl_questions_add_text (q, "home 'nowhere > 1'", 0));
  assert_int_equal (tl_questions_count (q), COUNT (good));
  tl_questions_close (q);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- Printed and read back -------------------------------------------------

static void printed_formulas_are_read_back (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = make_net (&mem);
  tl_random random = {2};
  for (int i = 0; i < 6000; i++) {
    tl_arena arena = TL_ARENA (&mem);
    tl_formula *f = random_formula (&arena, net, (random_logic)(i % 4),
                                    (unsigned)i / 4 % 5, &random);
    if (tl_formula_is_path (f))
      f = tl_formula_unary (&arena, TL_ALL, f);
    const size_t length = tl_formula_print (f, net, 0, 0);
    char *text = test_malloc (length + 1);
    assert_int_equal (tl_formula_print (f, net, text, length + 1), length);
    tl_questions *q = open_questions (net, &mem);
    tl_error err = {0};
    const tl_status rc = tl_questions_add_text (q, text, &err);
    if (rc || tl_formula_order (f, q->question[0].formula))
      print_message ("%s: %ld: %s\n", text, err.column, err.text);
    assert_int_equal (rc, TL_OK);
    assert_int_equal (tl_formula_order (f, q->question[0].formula), 0);
    tl_questions_close (q);
    test_free (text);
    tl_arena_close (&arena);
  }
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- Limits ----------------------------------------------------------------

// `count` times `part`, then `middle`, then `count` times `end`.
static char *nested (size_t count, const char *part, const char *middle,
                     const char *end) {
  const size_t length =
      count * (strlen (part) + strlen (end)) + strlen (middle) + 1;
  char *text = test_malloc (length), *at = text;
  for (size_t i = 0; i < count; i++)
    at = stpcpy (at, part);
  at = stpcpy (at, middle);
  for (size_t i = 0; i < count; i++)
    at = stpcpy (at, end);
  return text;
}

static void expect_text (const tl_net *net, char *text, tl_status want,
                         const char *message) {
  tl_questions *q;
  tl_error err = {0};
  assert_int_equal (tl_questions_open (&q, net, 0), TL_OK);
  const tl_status rc = tl_questions_add_text (q, text, &err);
  if (want)
    assert_string_equal (err.text, message);
  assert_int_equal (rc, want);
  tl_questions_close (q);
  test_free (text);
}

static void depth_and_size_are_limited (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = make_net (&mem);
  const char *deep = "the formula is nested more than 1000 deep";
  const char *large = "the formula has more than 1048576 operators";
  expect_text (net, nested (999, "NOT ", "TRUE", ""), TL_OK, 0);
  expect_text (net, nested (1000, "NOT ", "TRUE", ""), TL_E_SYNTAX, deep);
  expect_text (net, nested (300000, "!", "TRUE", ""), TL_E_SYNTAX, deep);
  expect_text (net, nested (332, "AG (p = 1 OR ", "TRUE", ")"), TL_OK, 0);
  expect_text (net, nested (333, "AG (p = 1 OR ", "TRUE", ")"), TL_E_SYNTAX,
               deep);
  // Parentheses and long chains are neither deep nor large.
  expect_text (net, nested (300000, "(", "TRUE", ")"), TL_OK, 0);
  expect_text (net, nested (300000, "(", "p", ") + q"), TL_E_SYNTAX,
               "this is a number of tokens, not a formula; compare it, as in "
               "'p >= 1'");
  expect_text (net, nested (100000, "p = 1 AND ", "TRUE", ""), TL_OK, 0);
  expect_text (net, nested (500000, "(", "TRUE", ""), TL_E_SYNTAX,
               "'(' is not closed");
  // XOR doubles what it stands for.
  expect_text (net, nested (15, "p = 1 XOR (", "TRUE", ")"), TL_OK, 0);
  expect_text (net, nested (30, "p = 1 XOR (", "TRUE", ")"), TL_E_SYNTAX,
               large);
  expect_text (net, nested (500, "p = 1 XOR ", "TRUE", ""), TL_E_SYNTAX, large);
  expect_text (net, nested (70000, "x", " = 1", ""), TL_E_SYNTAX,
               "this name is longer than 65536 bytes");
  expect_text (net, nested (70000, "x", "' = 1", ""), TL_E_SYNTAX,
               "this name is longer than 65536 bytes");
  char *quoted = nested (70000, "x", "' = 1", "");
  quoted[0] = '\'';
  expect_text (net, quoted, TL_E_SYNTAX,
               "this name is longer than 65536 bytes");
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- XML -------------------------------------------------------------------

static tl_status read_xml (tl_questions *q, const char *text, tl_error *err) {
  tl_input in;
  tl_input_open_memory (&in, "test.xml", text, strlen (text));
  const tl_status rc = tl_formula_xml_read (q, &in, err);
  tl_input_close (&in);
  return rc;
}

// A document with one property, its formula on line 3.
static char *document (const char *formula) {
  static char text[20000];
  snprintf (text, sizeof text,
            "<property-set xmlns=\"http://mcc.lip6.fr/\"><property>\n"
            "<id> name </id><description>a <b>c</b></description>\n"
            "<formula>%s</formula></property></property-set>",
            formula);
  return text;
}

#define P "<tokens-count><place>p</place></tokens-count>"
#define ONE "<integer-constant>1</integer-constant>"
#define ATOM "<integer-le>" P ONE "</integer-le>"
#define GO "<is-fireable><transition>go</transition></is-fireable>"

static const struct {
  const char *xml, *meaning;
} documents[] = {
    {ATOM, "p <= 1"},
    {"<integer-le>" ONE P "</integer-le>", "p >= 1"},
    {"<integer-le> <tokens-count>\n<place> p </place><place>a-b</place>"
     "<place>p</place></tokens-count>" P "</integer-le>",
     "p + \"a-b\" <= 0"},
    {"<integer-le>" ONE ONE "</integer-le>", "TRUE"},
    {"<is-fireable><transition>t,(u)</transition><transition>t</transition>"
     "</is-fireable>",
     "FIREABLE(t, \"t,(u)\")"},
    {"<negation>" ATOM "</negation>", "NOT (p <= 1)"},
    {"<conjunction>" ATOM GO ATOM "</conjunction>",
     "p <= 1 AND FIREABLE(go) AND p <= 1"},
    {"<disjunction>" ATOM GO "</disjunction>", "p <= 1 OR FIREABLE(go)"},
    {"<conjunction>" ATOM "</conjunction>", "p <= 1"},
    {"<exists-path><finally>" ATOM "</finally></exists-path>", "EF (p <= 1)"},
    {"<all-paths><globally>" ATOM "</globally></all-paths>", "AG (p <= 1)"},
    {"<all-paths><next>" GO "</next></all-paths>", "AX FIREABLE(go)"},
    {"<exists-path><until><before>" ATOM "</before><reach>" GO
     "</reach></until></exists-path>",
     "E (p <= 1 U FIREABLE(go))"},
    {"<globally><finally>" GO "</finally></globally>", "AG F FIREABLE(go)"},
    {"<place-bound><place>q</place></place-bound>", "MAX(q)"},
    {"<place-bound><place>q</place><place>p</place></place-bound>",
     "MAX(p + q)"},
    {"<exists-path><finally><deadlock/></finally></exists-path>",
     "EF DEADLOCK"},
    {"<disjunction><true/><false/></disjunction>", "TRUE OR FALSE"},
    {"<m:negation xmlns:m=\"http://mcc.lip6.fr/\">" ATOM "</m:negation>",
     "NOT (p <= 1)"},
    {"<integer-le>" P "<integer-constant> 9223372036854775807 "
     "</integer-constant></integer-le>",
     "p <= 9223372036854775807"},
};

static void documents_mean_what_they_say (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = make_net (&mem);
  for (size_t i = 0; i < COUNT (documents); i++) {
    tl_questions *q = open_questions (net, &mem);
    tl_error err = {0};
    const tl_status rc = read_xml (q, document (documents[i].xml), &err);
    if (rc)
      print_message ("%s: %s\n", documents[i].xml, err.text);
    assert_int_equal (rc, TL_OK);
    assert_int_equal (tl_questions_count (q), 1);
    assert_string_equal (q->question[0].name, "name");
    assert_string_equal (printed (q, 0), documents[i].meaning);
    tl_questions_close (q);
  }
  tl_questions *q = open_questions (net, &mem);
  assert_int_equal (read_xml (q, "<property-set/>", 0), TL_OK);
  assert_int_equal (tl_questions_count (q), 0);
  tl_questions_close (q);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// Formulas on line 3, or whole documents.
static const struct {
  const char *xml;
  long line;
  const char *message;
} bad_documents[] = {
    {"\n<integer-le>" ONE "<tokens-count><place>fork</place></tokens-count>"
     "</integer-le>",
     4, "unknown place 'fork'; did you mean 'fork1'?"},
    {"<is-fireable>\n\n<transition>p</transition></is-fireable>", 5,
     "'p' is a place, not a transition"},
    {"<is-fireable><place>p</place></is-fireable>", 3,
     "<place> does not belong in <is-fireable> here"},
    {"<exclusive-or>" ATOM "</exclusive-or>", 3,
     "unknown element <exclusive-or> in <formula>"},
    {"<negation><p/></negation>", 3, "unknown element <p> in <negation>"},
    {"<negation>" ATOM ATOM "</negation>", 3,
     "<integer-le> is one too many in this <negation>, which takes 1"},
    {"<negation/>", 3, "<negation> needs 1 inside, it has 0"},
    {"<conjunction></conjunction>", 3,
     "<conjunction> needs 1 inside, it has 0"},
    {"<is-fireable/>", 3, "<is-fireable> needs 1 inside, it has 0"},
    {"<integer-le>" ONE "</integer-le>", 3,
     "<integer-le> needs 2 inside, it has 1"},
    {"<integer-le>" ATOM ONE "</integer-le>", 3,
     "<integer-le> does not belong in <integer-le> here"},
    {ONE, 3, "<integer-constant> does not belong in <formula> here"},
    {"", 3, "<formula> needs 1 inside, it has 0"},
    {"<negation><place-bound><place>p</place></place-bound></negation>", 3,
     "<place-bound> does not belong in <negation> here"},
    {"<until><reach>" ATOM "</reach><before>" ATOM "</before></until>", 3,
     "<reach> does not belong in <until> here"},
    {"<until><before>" ATOM "</before></until>", 3,
     "<until> needs 2 inside, it has 1"},
    {"<integer-le><integer-constant>1x</integer-constant>" ONE "</integer-le>",
     3, "'1x' is not a whole number"},
    {"<integer-le><integer-constant>-1</integer-constant>" ONE "</integer-le>",
     3, "'-1' is not a whole number"},
    {"<integer-le><integer-constant/>" ONE "</integer-le>", 3,
     "'' is not a whole number"},
    {"<integer-le><integer-constant>100000000000000000000</"
     "integer-constant>" ONE "</integer-le>",
     3, "the number is too large"},
    {"<integer-le>" P "<integer-constant>9223372036854775808"
     "</integer-constant></integer-le>",
     3, "the numbers are too large"},
    {"<negation>" ATOM "</conjunction>", 3, "XML: mismatched tag"},
};

static void bad_documents_are_refused (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = make_net (&mem);
  tl_questions *q = open_questions (net, &mem);
  for (size_t i = 0; i < COUNT (bad_documents); i++) {
    tl_error err = {0};
    const tl_status rc = read_xml (q, document (bad_documents[i].xml), &err);
    assert_string_equal (err.text, bad_documents[i].message);
    assert_int_equal (rc, TL_E_SYNTAX);
    assert_string_equal (err.file, "test.xml");
    assert_int_equal (err.line, bad_documents[i].line);
    assert_int_equal (tl_questions_count (q), 0);
  }
  tl_questions_close (q);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void documents_must_be_whole (void **state) {
  (void)state;
  static const struct {
    const char *xml, *message;
  } bad[] = {
      {"", "XML: no element found"},
      {"p <= 1", "XML: syntax error"},
      {"<pnml/>", "the document is a <pnml>, not a <property-set>"},
      {"<property-set><property><formula>" ATOM
       "</formula></property></property-set>",
       "the property has no <id>"},
      {"<property-set><property><id/><formula>" ATOM
       "</formula></property></property-set>",
       "the <id> is empty"},
      {"<property-set><property><id>x</id></property></property-set>",
       "property 'x' needs one <formula>"},
      {"<property-set><property><id>x</id><id>y</id></property></property-set>",
       "property 'y' needs one <formula>"},
      {"<property-set><property><id>x</id><formula>" ATOM
       "</formula><formula>" ATOM "</formula></property></property-set>",
       "<formula> is one too many in this <property>, which takes 2"},
      {"<property-set><formula>" ATOM "</formula></property-set>", 0},
      {"<!DOCTYPE x [<!ENTITY a \"&b;\">]><property-set/>", 0},
  };
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = make_net (&mem);
  tl_questions *q = open_questions (net, &mem);
  for (size_t i = 0; i < COUNT (bad); i++) {
    tl_error err = {0};
    const tl_status rc = read_xml (q, bad[i].xml, &err);
    if (bad[i].message) {
      assert_string_equal (err.text, bad[i].message);
      assert_int_equal (rc, TL_E_SYNTAX);
    }
    assert_int_equal (tl_questions_count (q), 0);
  }
  // Every beginning of a good document is a bad one.
  char *text =
      document ("<exists-path><until><before>" ATOM "</before><reach>" GO
                "</reach></until></exists-path>");
  for (size_t length = strlen (text) - 1; length; length--) {
    text[length] = 0;
    assert_int_equal (read_xml (q, text, 0), TL_E_SYNTAX);
    assert_int_equal (tl_questions_count (q), 0);
  }
  tl_questions_close (q);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void expect_xml (const tl_net *net, char *formula, tl_status want,
                        const char *message) {
  char *text = test_malloc (strlen (formula) + 200);
  sprintf (text,
           "<property-set><property><id>x</id><formula>%s</formula></property>"
           "</property-set>",
           formula);
  tl_questions *q;
  tl_error err = {0};
  assert_int_equal (tl_questions_open (&q, net, 0), TL_OK);
  const tl_status rc = read_xml (q, text, &err);
  if (want)
    assert_string_equal (err.text, message);
  assert_int_equal (rc, want);
  tl_questions_close (q);
  test_free (text);
  test_free (formula);
}

static void documents_are_limited (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = make_net (&mem);
  expect_xml (net, nested (900, "<negation>", ATOM, "</negation>"), TL_OK, 0);
  expect_xml (net, nested (5000, "<negation>", ATOM, "</negation>"),
              TL_E_SYNTAX, "elements are nested more than 1000 deep");
  // Long lists are fine, long names are not.
  char *list = nested (5000, "<transition>go</transition>", "", "");
  char *atom = test_malloc (strlen (list) + 100);
  sprintf (atom, "<is-fireable>%s</is-fireable>", list);
  expect_xml (net, atom, TL_OK, 0);
  test_free (list);
  char *name = nested (70000, "x", "", "");
  atom = test_malloc (strlen (name) + 100);
  sprintf (atom, "<is-fireable><transition>%s</transition></is-fireable>",
           name);
  expect_xml (net, atom, TL_E_SYNTAX, "a text is longer than 65536 bytes");
  test_free (name);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void missing_files_are_told (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = make_net (&mem);
  tl_questions *q = open_questions (net, &mem);
  tl_error err = {0};
  assert_int_equal (tl_questions_add_file (q, "/does/not/exist.xml", &err),
                    TL_E_IO);
  assert_string_equal (err.file, "/does/not/exist.xml");
  assert_int_equal (tl_questions_add_file (q, 0, &err), TL_E_ARG);
  assert_int_equal (tl_questions_add_text (q, 0, &err), TL_E_ARG);
  assert_int_equal (tl_questions_open (&q, 0, &err), TL_E_ARG);
  tl_questions_close (q);
  tl_questions_close (0);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- No memory -------------------------------------------------------------

static tl_status read_everything (tl_questions *q, tl_error *err) {
  static const char *const texts[] = {
      "AG (p = 1 OR FIREABLE(go) U", // a mistake
      "AG (p + 2 * q - r <= 3 AND (INITIAL -> FIREABLE(t, go)) OR DEADLOCK)",
      "E (p = 1 W q # 3); MAX(p + q); 'two words' < a-b <-> TRUE", "bounds",
      "deadlock"};
  tl_status rc = tl_questions_add_text (q, texts[0], err);
  if (rc == TL_E_NOMEM)
    return rc;
  assert_int_equal (rc, TL_E_SYNTAX);
  rc = TL_OK;
  for (size_t i = 1; !rc && i < COUNT (texts); i++)
    rc = tl_questions_add_text (q, texts[i], err);
  return rc ? rc
            : read_xml (
                  q,
                  document (
                      "<exists-path><until><before><conjunction>" ATOM GO ATOM
                      "</conjunction></before><reach>" GO
                      "</reach></until></exists-path>"),
                  err);
}

static void no_memory_is_told (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = make_net (&mem);
  const size_t before = mem.used;
  tl_status rc = TL_E_NOMEM;
  long n = 0;
  for (; rc; n++) {
    tl_questions *q = open_questions (net, &mem);
    tl_error err = {0};
    q->mem.fail_after = n;
    rc = read_everything (q, &err);
    if (rc) {
      assert_int_equal (rc, TL_E_NOMEM);
      assert_int_equal (err.code, TL_E_NOMEM);
      // It goes on where there is memory again.
      const size_t count = tl_questions_count (q);
      q->mem.fail_after = -1;
      assert_int_equal (tl_questions_add_text (q, "EF p = 1", &err), TL_OK);
      assert_int_equal (tl_questions_count (q), count + 1);
      assert_string_equal (printed (q, count), "EF (p = 1)");
    }
    tl_questions_close (q);
    assert_int_equal (mem.used, before);
  }
  assert_true (n > 20);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (texts_mean_what_they_say),
      cmocka_unit_test (mistakes_are_explained),
      cmocka_unit_test (lists_give_several_questions),
      cmocka_unit_test (properties_have_names),
      cmocka_unit_test (home_has_a_predicate),
      cmocka_unit_test (printed_formulas_are_read_back),
      cmocka_unit_test (depth_and_size_are_limited),
      cmocka_unit_test (documents_mean_what_they_say),
      cmocka_unit_test (bad_documents_are_refused),
      cmocka_unit_test (documents_must_be_whole),
      cmocka_unit_test (documents_are_limited),
      cmocka_unit_test (missing_files_are_told),
      cmocka_unit_test (no_memory_is_told),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
