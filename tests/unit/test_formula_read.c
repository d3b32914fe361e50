// Reading questions as text: what every operator means, what binds how, what is
// said about every mistake, and that what is printed is read back as the same.

#include "../asking.h"
#include "../random_formula.h"
#include "logic/eval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(ARRAY) ((uint32_t)(sizeof (ARRAY) / sizeof *(ARRAY)))

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
    // as other tools write it
    {"[] <> DEADLOCK", "AG F DEADLOCK"},
    {"A[] p <> 1", "AG (p != 1)"},
    {"E<>(p == 1 && q != 1 || ! DEADLOCK)",
     "EF ((p = 1 AND q != 1) OR NOT DEADLOCK)"},
    {"TRUE => FALSE", "NOT TRUE OR FALSE"},
    {"TRUE <=> FALSE", "(TRUE AND FALSE) OR (NOT TRUE AND NOT FALSE)"},
    {"F <> 1", "\"F\" != 1"}, // a place
    {"AG p + 2 * q < oo", "AG (p + 2 * q < oo)"},
    {"G (p < oo)", "AG (p < oo)"},
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
  tl_net *net = asking_net (&mem);
  const size_t before = mem.used;
  for (size_t i = 0; i < COUNT (readings); i++) {
    tl_questions *q = asking_open (net, &mem);
    tl_error err = {0};
    const tl_status rc = tl_questions_add_text (q, readings[i].text, &err);
    if (!readings[i].meaning) {
      assert_int_equal (rc, TL_E_SYNTAX);
    } else {
      if (rc)
        print_message ("%s: %s\n", readings[i].text, err.text);
      assert_int_equal (rc, TL_OK);
      assert_int_equal (tl_questions_count (q), 1);
      assert_string_equal (asking_printed (q, 0), readings[i].meaning);
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
    {"p => 1", 1, 1,
     "this is a number of tokens, not a formula; compare it, as in 'p >= 1'"},
    {"p = oo", 1, 5,
     "'oo' is for AG p < oo alone, which asks whether p has a bound"},
    {"p < oo", 1, 1,
     "'oo' is for AG p < oo alone, which asks whether p has a bound"},
    {"EF p < oo", 1, 4,
     "'oo' is for AG p < oo alone, which asks whether p has a bound"},
    {"AG p < oo AND q < oo", 1, 4,
     "'oo' is for AG p < oo alone, which asks whether p has a bound"},
    {"oo", 1, 1,
     "'oo' is for AG p < oo alone, which asks whether p has a bound"},
    {"my-fork = 1", 1, 1,
     "unknown place 'my-fork' (a name with '-' stands in quotes: "
     "\"my-fork\")"},
    {"a-bx = 1", 1, 1,
     "unknown place 'a-bx'; did you mean 'a-b'? (a name with '-' stands in "
     "quotes: \"a-bx\")"},
    {"deadlok", 1, 1,
     "there is no property 'deadlok'; did you mean 'deadlock'?"},
    {" Quasi-live ", 1, 1,
     "there is no property 'Quasi-live'; did you mean 'quasi-live'?"},
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
  tl_net *net = asking_net (&mem);
  tl_questions *q = asking_open (net, &mem);
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
    assert_string_equal (asking_printed (q, 0), "TRUE");
    assert_int_equal (tl_questions_add_text (q, mistakes[i].text, 0),
                      TL_E_SYNTAX);
  }
  tl_questions_close (q);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// Where parentheses might have been forgotten.
static void surprises_are_told (void **state) {
  (void)state;
  static const struct {
    const char *text, *warning;
  } row[] = {
      {"EF p = 1 & q = 1",
       "in 'EF p = 1 & q = 1' EF ends before '&'; parentheses say whether all "
       "of it was meant"},
      {"AG p = 1 -> q = 1",
       "in 'AG p = 1 -> q = 1' AG ends before '->'; parentheses say whether "
       "all of it was meant"},
      {"DEADLOCK OR [] p = 1 OR q = 1",
       "in 'DEADLOCK OR [] p = 1 OR q = 1' [] ends before 'OR'; parentheses "
       "say whether all of it was meant"},
      {"(EF p = 1) & q = 1", 0},
      {"EF (p = 1 & q = 1)", 0},
      {"EF p = 1 & AG q = 1", 0},
      {"q = 1 & EF p = 1", 0},
      {"NOT p = 1 & q = 1", 0},
      {"deadlock-free", 0},
  };
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = asking_net (&mem);
  tl_questions *q = asking_open (net, &mem);
  for (size_t i = 0; i < COUNT (row); i++) {
    assert_int_equal (tl_questions_add_text (q, row[i].text, 0), TL_OK);
    const char *warning = tl_questions_warning (q, i);
    if (row[i].warning)
      assert_string_equal (warning, row[i].warning);
    else
      assert_null (warning);
  }
  assert_null (tl_questions_warning (q, COUNT (row)));
  tl_questions_close (q);
  tl_net_close (net);
}

static void names_have_other_words (void **state) {
  (void)state;
  static const char *const row[][2] = {
      {"safe", "one-safe"},
      {"1-safe", "one-safe"},
      {"liveness", "live"},
      {"quasi-liveness", "quasi-live"},
      {"deadlock-freedom", "AG NOT DEADLOCK"},
      {"deadlock-free", "AG NOT DEADLOCK"},
      {"boundedness", "bounded"},
      {" bounded ", "bounded"},
  };
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = asking_net (&mem);
  tl_questions *q = asking_open (net, &mem);
  for (size_t i = 0; i < COUNT (row); i++) {
    assert_int_equal (tl_questions_add_text (q, row[i][0], 0), TL_OK);
    assert_string_equal (asking_printed (q, i), row[i][1]);
  }
  assert_int_equal (tl_questions_add_text (q, "reversibility", 0), TL_OK);
  assert_string_equal (q->question[COUNT (row)].name, "reversible");
  tl_questions_close (q);
  tl_net_close (net);
}

// An even number of `p = 1` and so on joined by <-> is true if an even number
// of them is false; the size does not double with each.
static void long_chains_are_read (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = asking_net (&mem);
  tl_questions *q = asking_open (net, &mem);
  char text[2000];
  uint64_t *marking = calloc (net->places, sizeof *marking);
  for (unsigned count = 2; count <= 40; count++)
    for (int xor = 0; xor < 2; xor ++) {
      char *end = stpcpy (text, "p >= 1");
      for (unsigned i = 1; i < count; i++)
        end += sprintf (end, " %s %s >= %u", xor? "XOR" : "<->",
                        i % 2 ? "q" : "p", i / 2 + 1);
      assert_int_equal (tl_questions_add_text (q, text, 0), TL_OK);
      const tl_formula *f = q->question[q->count - 1].formula;
      for (unsigned p = 0; p < 25; p += 3)
        for (unsigned r = 0; r < 25; r += 4) {
          marking[0] = p, marking[1] = r;
          unsigned holding = 0;
          for (unsigned i = 0; i < count; i++)
            holding += (i % 2 ? r : p) >= i / 2 + 1;
          const bool expected = xor? holding % 2 : (count - holding) % 2 == 0;
          assert_int_equal (tl_formula_holds (f, net, marking), expected);
        }
    }
  free (marking);
  tl_questions_close (q);
  tl_net_close (net);
}

// Writes a formula that joins `count` comparisons, from number `first` on, in
// some nesting.  Markings are bits: where they hold, and where the formula
// does.
static uint64_t write_nested (char **end, tl_random *random, unsigned kinds,
                              unsigned first, unsigned count,
                              const uint64_t *holds) {
  static const char *const joined[] = {"<->", "XOR", "AND", "OR", "->"};
  if (count == 1) {
    *end += sprintf (*end, "%s >= %u", first % 2 ? "q" : "p", first / 2 + 1);
    return holds[first];
  }
  const uint64_t negated = tl_random_below (random, 4) ? 0 : UINT64_MAX;
  const size_t op = tl_random_below (random, kinds);
  const unsigned left =
      tl_random_below (random, 3)
          ? 1 + (count - 2) * (unsigned)tl_random_below (random, 2)
          : 1 + (unsigned)tl_random_below (random, count - 1);
  *end = stpcpy (*end, negated ? "NOT ((" : "((");
  const uint64_t a = write_nested (end, random, kinds, first, left, holds);
  *end += sprintf (*end, ") %s (", joined[op]);
  const uint64_t b =
      write_nested (end, random, kinds, first + left, count - left, holds);
  *end = stpcpy (*end, "))");
  const uint64_t value[] = {~(a ^ b), a ^ b, a & b, a | b, ~a | b};
  return value[op] ^ negated;
}

// Equivalence and XOR are associative, so that parentheses cost nothing.
static void nested_chains_are_read (void **state) {
  (void)state;
  enum { ATOMS = 24 };
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = asking_net (&mem);
  uint64_t *marking = calloc (net->places, sizeof *marking);
  uint64_t holds[ATOMS] = {0};
  for (unsigned i = 0; i < ATOMS; i++)
    for (unsigned m = 0; m < 64; m++)
      holds[i] |= (uint64_t)((i % 2 ? m % 8 : m / 8) * 2 >= i / 2 + 1) << m;
  tl_random random = {18};
  for (unsigned n = 0; n < 200; n++) {
    char text[2000], *end = text;
    const unsigned kinds = n % 2 ? 2 : 5;
    const uint64_t expected =
        write_nested (&end, &random, kinds, 0, ATOMS, holds);
    tl_questions *q = asking_open (net, &mem);
    assert_int_equal (tl_questions_add_text (q, text, 0), TL_OK);
    if (kinds == 2)
      assert_in_range (q->mem.used, 1, 1 << 20);
    for (unsigned m = 0; m < 64; m++) {
      marking[0] = m / 8 * 2, marking[1] = m % 8 * 2;
      assert_int_equal (tl_formula_holds (q->question[0].formula, net, marking),
                        expected >> m & 1);
    }
    tl_questions_close (q);
  }
  free (marking);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void lists_give_several_questions (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = asking_net (&mem);
  tl_questions *q = asking_open (net, &mem);
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
  assert_string_equal (asking_printed (q, 1), "AG (q = 2)");
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
  tl_net *net = asking_net (&mem);
  tl_questions *q = asking_open (net, &mem);
  for (size_t i = 0; i < COUNT (named); i++) {
    assert_int_equal (tl_questions_add_text (q, named[i].name, 0), TL_OK);
    assert_int_equal (q->question[i].kind, named[i].kind);
    assert_string_equal (q->question[i].name, named[i].name);
    assert_string_equal (asking_printed (q, i), named[i].name);
  }
  assert_int_equal (tl_questions_add_text (q, " bounds\n", 0), TL_OK);
  assert_int_equal (tl_questions_count (q), COUNT (named) + net->places);
  for (uint32_t i = 0; i < net->places; i++) {
    const tl_question *question = q->question + COUNT (named) + i;
    assert_int_equal (question->kind, TL_ASK_BOUND);
    assert_string_equal (question->name, net->place_id[i]);
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
  tl_net *net = asking_net (&mem);
  tl_questions *q = asking_open (net, &mem);
  for (size_t i = 0; i < COUNT (good); i++) {
    assert_int_equal (tl_questions_add_text (q, good[i].text, 0), TL_OK);
    assert_int_equal (q->question[i].kind, TL_ASK_FORMULA);
    assert_string_equal (q->question[i].name, good[i].name);
    assert_string_equal (asking_printed (q, i), good[i].formula);
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
  tl_net *net = asking_net (&mem);
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
    tl_questions *q = asking_open (net, &mem);
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
  tl_net *net = asking_net (&mem);
  const char *deep = "the formula is nested more than 1000 deep";
  const char *large = "the formula has more than 1048576 operators";
  expect_text (net, asking_nested (999, "NOT ", "TRUE", ""), TL_OK, 0);
  expect_text (net, asking_nested (1000, "NOT ", "TRUE", ""), TL_E_SYNTAX,
               deep);
  expect_text (net, asking_nested (300000, "!", "TRUE", ""), TL_E_SYNTAX, deep);
  expect_text (net, asking_nested (332, "AG (p = 1 OR ", "TRUE", ")"), TL_OK,
               0);
  expect_text (net, asking_nested (333, "AG (p = 1 OR ", "TRUE", ")"),
               TL_E_SYNTAX, deep);
  // Parentheses and long chains are neither deep nor large.
  expect_text (net, asking_nested (300000, "(", "TRUE", ")"), TL_OK, 0);
  expect_text (net, asking_nested (300000, "(", "p", ") + q"), TL_E_SYNTAX,
               "this is a number of tokens, not a formula; compare it, as in "
               "'p >= 1'");
  expect_text (net, asking_nested (100000, "p = 1 AND ", "TRUE", ""), TL_OK, 0);
  expect_text (net, asking_nested (500000, "(", "TRUE", ""), TL_E_SYNTAX,
               "'(' is not closed");
  // What an implication joins is there once.
  expect_text (net, asking_nested (200, "(p = 1 -> ", "TRUE", ")"), TL_OK, 0);
  // XOR doubles what it stands for, but parentheses make no difference.
  expect_text (net, asking_nested (100, "p = 1 XOR (", "TRUE", ")"), TL_OK, 0);
  expect_text (net, asking_nested (500, "p = 1 XOR (", "TRUE", ")"),
               TL_E_SYNTAX, large);
  expect_text (net, asking_nested (500, "p = 1 XOR ", "TRUE", ""), TL_E_SYNTAX,
               large);
  expect_text (net, asking_nested (30, "p = 1 XOR (p = 2 -> ", "TRUE", ")"),
               TL_E_SYNTAX, large);
  expect_text (net, asking_nested (70000, "x", " = 1", ""), TL_E_SYNTAX,
               "this name is longer than 65536 bytes");
  expect_text (net, asking_nested (70000, "x", "' = 1", ""), TL_E_SYNTAX,
               "this name is longer than 65536 bytes");
  char *quoted = asking_nested (70000, "x", "' = 1", "");
  quoted[0] = '\'';
  expect_text (net, quoted, TL_E_SYNTAX,
               "this name is longer than 65536 bytes");
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
  return rc;
}

static void no_memory_is_told (void **state) {
  (void)state;
  asking_starved (read_everything);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (texts_mean_what_they_say),
      cmocka_unit_test (mistakes_are_explained),
      cmocka_unit_test (surprises_are_told),
      cmocka_unit_test (long_chains_are_read),
      cmocka_unit_test (nested_chains_are_read),
      cmocka_unit_test (names_have_other_words),
      cmocka_unit_test (lists_give_several_questions),
      cmocka_unit_test (properties_have_names),
      cmocka_unit_test (home_has_a_predicate),
      cmocka_unit_test (printed_formulas_are_read_back),
      cmocka_unit_test (depth_and_size_are_limited),
      cmocka_unit_test (no_memory_is_told),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
