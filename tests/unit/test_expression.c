// Progress measures given as expressions: what they mean, what is said about
// every mistake, and that weights and evaluation agree.

#include "measure/measure.h"
#include "net/marking.h"
#include "read/expression_text.h"
#include "read/pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const places[] = {
    "p",        "q",        "r",        "a-b",       "two words", "sum",
    "mod",      "sent_1_2", "sent_2_1", "sent_10_3", "w_x",       "\"",
    "received", "$1",       "a/b",      "w_7"};

#define PLACES (sizeof places / sizeof *places)

// The tokens of place number i in the marking that is looked at.
static uint64_t tokens (size_t i) {
  return 3 * i + 2;
}

static tl_net *make_net (tl_mem *mem) {
  tl_builder *b;
  tl_net *net;
  assert_int_equal (tl_builder_open (&b, mem), TL_OK);
  for (uint32_t i = 0; i < PLACES; i++)
    assert_int_equal (tl_builder_place (b, places[i], 0, i % 3, 0), TL_OK);
  assert_int_equal (tl_builder_transition (b, "t", 0, 0), TL_OK);
  assert_int_equal (tl_builder_arc (b, TL_ARC_PRE, 0, 0, 2), TL_OK);
  assert_int_equal (tl_builder_arc (b, TL_ARC_POST, 1, 0, 3), TL_OK);
  assert_int_equal (tl_builder_finish (b, "test", "pnml", &net, 0), TL_OK);
  return net;
}

typedef struct fixture {
  tl_mem net_mem, mem;
  tl_net *net;
  tl_measures list;
  uint64_t marking[PLACES];
} fixture;

static int open_fixture (void **state) {
  fixture *f = *state = calloc (1, sizeof *f);
  f->net_mem = TL_MEM (0, "net");
  f->mem = TL_MEM (0, "measures");
  f->net = make_net (&f->net_mem);
  f->list = (tl_measures){.mem = &f->mem, .net = f->net};
  for (size_t i = 0; i < PLACES; i++)
    f->marking[i] = tokens (i);
  return 0;
}

static int close_fixture (void **state) {
  fixture *f = *state;
  tl_measures_close (&f->list);
  assert_int_equal (f->mem.used, 0);
  tl_net_close (f->net);
  free (f);
  return 0;
}

static const tl_measure *add (fixture *f, const char *text) {
  tl_error err = {0};
  const tl_status rc = tl_measures_add_expression (&f->list, text, &err);
  if (rc)
    print_error ("%s: %ld: %s\n", text, err.column, err.text);
  assert_int_equal (rc, TL_OK);
  return f->list.measure + f->list.count - 1;
}

// ---- Meaning ---------------------------------------------------------------

static const struct {
  const char *text;
  bool linear;
  int64_t value; // p = 2, q = 5, r = 8
} meanings[] = {
    {"p", true, 2},
    {"7", true, 7},
    {"-p", true, -2},
    {"--p", true, 2},
    {"2*p + q - r", true, 1},
    {"p - q - r", true, -11},
    {"p - (q - r)", true, 5},
    {"2*(p + 3*(q - 1))", true, 28},
    {"(p + q)*-2", true, -14},
    {"p*(2 + 3)", true, 10},
    {"(7 - 2)*p/1 - p", false, 8},
    {"p*q", false, 10},
    {"p*q*r", false, 80},
    {"r / q", false, 1},
    {"-r / q", false, -2},
    {"-r mod q", false, 2},
    {"r mod -q", false, -2},
    {"-r mod -q", false, -3},
    {"-r / -q", false, 1},
    {"r MOD q * 2", false, 6},
    {"100 / r / q", false, 2},
    {"17 / 5", true, 3},
    {"-17 / 5", true, -4},
    {"-17 mod 5", true, 3},
    {"17 mod -1", true, 0},
    {"p / -1", false, -2},
    {"2 - 3 * p + 1", true, -3},
    {"a-b", true, 11}, // a name of the net
    {"a/b + 0*p", true, 44},
    {"'two words' * 2", true, 28},
    {"\"a-b\" - p", true, 9},
    {"\"\\\"\"", true, 35},
    {"sum - mod", true, -3}, // places that are called so
    {"mod mod sum", false, 3},
    {"p {one} /* two */ + q", true, 7},
    {"sum(sent_*)", true, 23 + 26 + 29},
    {"SUM ( 'sent_*' ) * p", false, 156},
    {"sum(sent_*_*, $1)", true, 23 + 52 + 290},
    {"sum(sent_*_*, 100*$1 - ($2))", true,
     102 * 23 - 4 * 23 + 199 * 26 + 997 * 29},
    {"sum(sent_*_*, $1 mod 2)", true, 23},
    {"p - 2*sum(w_*, 5)", true, 2 - 10 * (32 + 47)},
    {"sum(w_7, -1)", true, -47},
    {"sum(*)", true, 16 * 2 + 3 * 120},
    {"$1", true, 41},
};

static void means (void **state) {
  fixture *f = *state;
  for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
    const tl_measure *m = add (f, meanings[i].text);
    int64_t value;
    assert_int_equal (m->parts, 1);
    assert_int_equal (!m->expression, meanings[i].linear);
    assert_int_equal (!!m->offset, meanings[i].linear);
    assert_int_equal (tl_measure_value (m, f->net, f->marking, &value, 0), 0);
    if (value != meanings[i].value)
      print_error ("%s = %ld\n", meanings[i].text, value);
    assert_int_equal (value, meanings[i].value);
  }
}

static void lists (void **state) {
  fixture *f = *state;
  const tl_measure *m = add (f, "p + 4, 2*q - p");
  int64_t value[3];
  assert_int_equal (m->parts, 2);
  assert_int_equal (m->start[0], 4);
  assert_int_equal (m->start[1], 2);
  assert_int_equal (m->offset[0], -2);
  assert_int_equal (m->offset[1], 8);
  assert_int_equal (m->regress, 1);
  assert_int_equal (tl_measure_value (m, f->net, f->marking, value, 0), 0);
  assert_int_equal (value[0], 6);
  assert_int_equal (value[1], 8);
  // One part that is not linear makes all of them expressions.
  m = add (f, "p, q / 2, sum(sent_*)");
  assert_int_equal (m->parts, 3);
  assert_null (m->weight);
  assert_int_equal (tl_measure_value (m, f->net, f->marking, value, 0), 0);
  assert_int_equal (value[0], 2);
  assert_int_equal (value[1], 2);
  assert_int_equal (value[2], 78);
}

// Weights that fit only as long as they are not added up are evaluated.
static void too_large_for_weights (void **state) {
  fixture *f = *state;
  static const char *const texts[] = {
      "9223372036854775807*p + 9223372036854775807*p", "9223372036854775807*q",
      "p*0 + 9223372036854775807*q"};
  for (size_t i = 0; i < 3; i++) {
    tl_error err = {0};
    const tl_status rc = tl_measures_add_expression (&f->list, texts[i], &err);
    if (i) { // q has a token, and t adds three
      assert_int_equal (rc, TL_OK);
      int64_t value;
      const tl_measure *m = f->list.measure + f->list.count - 1;
      assert_null (m->weight);
      assert_int_equal (m->start[0], INT64_MAX);
      assert_int_equal (tl_measure_value (m, f->net, f->marking, &value, &err),
                        TL_E_ARG);
      assert_non_null (
          strstr (err.text, "overflow of 64 bits in the progress"));
    }
  }
}

// ---- Words -----------------------------------------------------------------

static const char *const texts[][2] = {
    {"2*received+p - r", "p - r + 2*received"},
    {"-p, q", "-p, q"},
    {"p + 4 - 2*q", "p - 2*q + 4"},
    {"-3", "-3"},
    {"0*p", "0"},
    {"'two words'*2 - a-b*3", "-3*\"a-b\" + 2*\"two words\""},
    {"p / 2,\n q", "p / 2,  q"},
    {"sum(*)", "p + q + r + \"a-b\" + \"two words\" + sum + mod + sent_1_2 + "
               "sent_2_1 + sent_10_3 + w_x + \"\\\"\" + ... (4 more)"},
};

static void words (void **state) {
  fixture *f = *state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char *text = tl_measure_text (add (f, texts[i][0]), f->net);
    assert_string_equal (text, texts[i][1]);
    free (text);
    // In full it is read back.
    const size_t here = f->list.count - 1;
    text = tl_measure_text_full (f->list.measure + here, f->net);
    const tl_measure *again = add (f, text);
    const tl_measure *m = f->list.measure + here;
    assert_int_equal (again->parts, m->parts);
    assert_memory_equal (again->start, m->start, m->parts * sizeof *m->start);
    if (m->weight)
      assert_memory_equal (again->weight, m->weight,
                           m->parts * PLACES * sizeof *m->weight);
    free (text);
  }
}

// ---- Mistakes --------------------------------------------------------------

static const struct {
  const char *text;
  long column;
  const char *says;
} mistakes[] = {
    {"", 1, "expected a number or a place, found the end"},
    {"p +", 4, "expected a number or a place, found the end"},
    {"p q", 3, "expected an operator, found 'q'"},
    {"p, ", 4, "expected a number or a place, found the end"},
    {", p", 1, "expected a number or a place, found ','"},
    {"2*recieved", 3, "unknown place 'recieved'; did you mean 'received'?"},
    {"p + t", 5, "'t' is a transition, not a place"},
    {"p + xyzzy", 5, "unknown place 'xyzzy'"},
    {"p ^ 2", 3, "unexpected character '^'"},
    {"(p + q", 1, "'(' is not closed"},
    {"p + q)", 6, "')' without '('"},
    {"(p, q)", 3, "expected an operator, found ','"},
    {"'p", 1, "the quotes of this name are not closed"},
    {"p /* q", 3, "this comment is not closed"},
    {"p < 3", 3, "expected an operator, found '<'"},
    {"p / 0", 3, "division by zero"},
    {"p mod (3 - 3)", 3, "division by zero"},
    {"1 / 0", 3, "division by zero"},
    {"99999999999999999999", 1, "the number is too large"},
    {"9223372036854775808", 1, "the number is too large"},
    {"p + 9223372036854775807 * 2", 25, "the number is too large"},
    {"p, q, 9223372036854775807 - -1", 27, "the number is too large"},
    {"(-9223372036854775807 - 1) / -1", 28, "the number is too large"},
    {"p,p,p,p,p,p,p,p,p", 16, "there are too many parts"},
    {"sum(foo_*)", 1, "no place matches 'foo_*'"},
    {"sum()", 5, "expected the name of places, with * for any text, found ')'"},
    {"sum(p", 6, "expected ',' or ')' after the pattern, found the end"},
    {"sum(p q)", 7, "expected ',' or ')' after the pattern, found 'q'"},
    {"sum(sent_*_*, $3)", 15, "the pattern of this sum has no such star"},
    {"sum(sent_*, $0)", 13, "the pattern of this sum has no such star"},
    {"sum(sent_*, p)", 13, "the weight of a sum has no places"},
    {"sum(sent_*, sum(p))", 13, "the weight of a sum has no places"},
    {"sum(sent_*, 2, 3)", 14, "expected an operator, found ','"},
    {"sum(sent_*, 2", 1, "'(' is not closed"},
    {"sum(sent_*, )", 13, "expected a number or a place, found ')'"},
    {"p + sum(w_*, $1)", 5, "the weight of 'w_x' cannot be computed"},
    {"sum(sent_*_*, 5 / ($1 - 2))", 1, "in the weight of 'sent_2_1'"},
    {"sum(sent_*_*, $1*9223372036854775807)", 1,
     "the weight of 'sent_2_1' is too large"},
    {"sum(**********)", 5, "a pattern may have nine stars at most"},
};

static void says_what_is_wrong (void **state) {
  fixture *f = *state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    tl_error err = {0};
    const tl_status rc =
        tl_measures_add_expression (&f->list, mistakes[i].text, &err);
    if (rc != TL_E_SYNTAX || err.column != mistakes[i].column ||
        strncmp (err.file, "progress", 9) ||
        !strstr (err.text, mistakes[i].says))
      print_error ("%s: %d %ld: %s\n", mistakes[i].text, rc, err.column,
                   err.text);
    assert_int_equal (rc, TL_E_SYNTAX);
    assert_int_equal (err.column, mistakes[i].column);
    assert_string_equal (err.file, "progress");
    assert_non_null (strstr (err.text, mistakes[i].says));
    assert_int_equal (f->list.count, 0);
  }
}

static void faults_at_a_marking (void **state) {
  fixture *f = *state;
  tl_error err = {0};
  int64_t value;
  // p is empty at the start.
  assert_int_equal (tl_measures_add_expression (&f->list, "q / p", &err),
                    TL_E_ARG);
  assert_string_equal (err.text,
                       "division by zero in the progress measure 'q / p'");
  assert_int_equal (f->list.count, 0);
  const tl_measure *m = add (f, "r, p / (p - 2)");
  assert_int_equal (tl_measure_value (m, f->net, f->marking, &value, &err),
                    TL_E_ARG);
  assert_string_equal (
      err.text, "division by zero in the progress measure 'r, p / (p - 2)'");
}

// Deep nesting and long sums are no trouble, too deep nesting is an error.
static void nests (void **state) {
  fixture *f = *state;
  enum { LONG = 100000 };
  char *text = malloc (4 * LONG);
  size_t n = 0;
  for (size_t i = 0; i < LONG; i++)
    n += (size_t)sprintf (text + n, "%sp", i ? " - " : "");
  assert_int_equal (add (f, text)->weight[0], 2 - LONG);
  memset (text, '(', LONG);
  text[LONG] = 'p';
  memset (text + LONG + 1, ')', LONG);
  text[2 * LONG + 1] = 0;
  assert_int_equal (add (f, text)->weight[0], 1);
  for (size_t depth = 254; depth < 257; depth++) {
    for (n = 0; n < 3 * depth;)
      n += (size_t)sprintf (text + n, "p-(");
    text[n++] = 'q';
    memset (text + n, ')', depth);
    text[n + depth] = 0;
    tl_error err = {0};
    const tl_status rc = tl_measures_add_expression (&f->list, text, &err);
    assert_int_equal (rc, depth < 256 ? TL_OK : TL_E_SYNTAX);
    if (rc)
      assert_string_equal (err.text, "the expression is nested too deeply");
  }
  free (text);
}

static void files (void **state) {
  fixture *f = *state;
  char name[] = "test_expression.XXXXXX", text[64];
  const int fd = mkstemp (name);
  static const char bytes[] = "{ a file }\n2*p +\n  q\n";
  assert_int_equal (write (fd, bytes, sizeof bytes - 1), sizeof bytes - 1);
  snprintf (text, sizeof text, "@%s", name);
  assert_int_equal (add (f, text)->weight[0], 2);
  tl_error err = {0};
  assert_int_equal (write (fd, "+ s", 3), 3);
  assert_int_equal (tl_measures_add_expression (&f->list, text, &err),
                    TL_E_SYNTAX);
  assert_string_equal (err.file, name);
  assert_int_equal (err.line, 4);
  assert_int_equal (err.column, 3);
  assert_int_equal (write (fd, "", 1), 1);
  assert_int_equal (tl_measures_add_expression (&f->list, text, &err),
                    TL_E_SYNTAX);
  close (fd);
  unlink (name);
  assert_int_equal (tl_measures_add_expression (&f->list, text, &err), TL_E_IO);
}

static void patterns (void **state) {
  (void)state;
  static const struct {
    const char *pattern, *name, *first; // what the first star stands for
  } rows[] = {
      {"*", "", ""},         {"*", "abc", "abc"},
      {"a*c", "abc", "b"},   {"a*c", "abcbc", "bcb"},
      {"*_*", "1_2_3", "1"}, {"a*", "b", 0},
      {"a*b", "aab", "a"},   {"abc", "abc", "-"},
      {"abc", "abcd", 0},    {"a*b*c", "axbxbxc", "x"},
      {"**", "ab", ""},      {"*a", "aaa", "aa"},
      {"", "a", 0},          {"a*a", "a", 0},
      {"*x*x", "axbx", "a"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tl_star star[TL_PATTERN_STARS];
    const bool match = tl_pattern_match (rows[i].pattern, rows[i].name, star);
    assert_int_equal (match, !!rows[i].first);
    if (!match || *rows[i].first == '-')
      continue;
    assert_int_equal (star[0].length, strlen (rows[i].first));
    assert_memory_equal (rows[i].name + star[0].start, rows[i].first,
                         star[0].length);
  }
}

// The n-th allocation fails, for every n.
static void without_memory (void **state) {
  fixture *f = *state;
  static const char *const measures[] = {"2*p + sum(sent_*_*, $1), q",
                                         "p / 2 + sum(sent_*_*, $1), q"};
  for (size_t i = 0; i < 2; i++)
    for (long n = 0;; n++) {
      tl_error err = {0};
      f->mem.fail_after = n;
      const tl_status rc =
          tl_measures_add_expression (&f->list, measures[i], &err);
      f->mem.fail_after = -1;
      if (!rc) {
        assert_true (n > 10);
        break;
      }
      assert_int_equal (err.code, TL_E_NOMEM);
      assert_int_equal (f->list.count, i);
    }
}

int main (void) {
  const struct CMUnitTest tests[] = {
#define TEST(NAME)                                                             \
  cmocka_unit_test_setup_teardown (NAME, open_fixture, close_fixture)
      TEST (means),
      TEST (lists),
      TEST (too_large_for_weights),
      TEST (words),
      TEST (says_what_is_wrong),
      TEST (faults_at_a_marking),
      TEST (nests),
      TEST (files),
      TEST (patterns),
      TEST (without_memory)};
  return cmocka_run_group_tests_name ("expressions", tests, 0, 0);
}
