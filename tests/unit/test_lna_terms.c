// Expressions of Helena's language: what they mean.  Each is the condition of a
// proposition, which is read and evaluated.

#include "colour/evaluate.h"
#include "lna/lna.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// What the expressions below may use
#define WORLD                                                                  \
  "world (N := 5) {\n"                                                         \
  "type small : range 1 .. 10; type ring : mod 5; type key : % 7;\n"           \
  "type colour : enum (red, yellow, green, blue);\n"                           \
  "type fruit : enum (plum, green);\n"                                         \
  "subtype warm : colour range red .. green; subtype tiny : small range 2..4;" \
  "\n"                                                                         \
  "type row : vector [ring] of int; type table : vector [ring, bool] of int;"  \
  "\n"                                                                         \
  "type pair : struct { small a; bool b; };\n"                                 \
  "type pile : list [small] of int with capacity 4;\n"                         \
  "type bag : set of small with capacity 5;\n"                                 \
  "type deep : struct { row r; pair p; };\n"                                   \
  "constant int minus := -3; constant small s3 := 3; constant ring r4 := 4;\n" \
  "constant colour c := blue; constant warm w := green;\n"                     \
  "constant tiny t2 := 2;\n"                                                   \
  "constant row zero := [0]; constant row some := [7, 8, 9];\n"                \
  "constant table both := [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];\n"                  \
  "constant pair p := {3, true}; constant pile l := |10, 20, 30|;\n"           \
  "constant pile none := empty; constant bag b := |4, 2, 4|;\n"                \
  "constant deep d := { [1, 2], { 9, false } };\n"                             \
  "function plus (int x, int y) -> int return x + y;\n"                        \
  "function up (int n) -> int return n < 2 ? 1 : n * up (n - 1);\n"            \
  "place tokens { dom : small * ring; init : 2*<(1, 0)> + <(2, 3)>; "          \
  "capacity : 2; }\n"                                                          \
  "place plain { dom : epsilon; init : 3*epsilon; capacity : 3; }\n"

static tl_status read_text (tl_coloured **net, tl_mem *mem, const char *text,
                            tl_error *err) {
  tl_input in;
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  const tl_status status = tl_input_next (&in, err);
  return status ? status : tl_read_lna (net, mem, &in, 0, err);
}

// The marking that the places of the world have at first
static const tl_cell token[] = {1, 0, 2, 3};
static const uint32_t twice_and_once[] = {2, 1}, thrice[] = {3};
static const tl_tokens marking[] = {{token, twice_and_once, 2},
                                    {token, thrice, 1}};

static tl_status evaluate (const char *expression, tl_error *err,
                           int64_t *value) {
  char text[4096];
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *net;
  snprintf (text, sizeof text, "%sproposition it : %s; }", WORLD, expression);
  tl_status status = read_text (&net, &mem, text, err);
  if (!status) {
    tl_evaluation e;
    tl_cell frame[100] = {0};
    const tl_proposition *p = net->proposition;
    assert_true (p->frame < 100);
    tl_evaluation_open (&e, &mem, "x.lna", err);
    e.marking = marking;
    e.place = net->place;
    status = tl_evaluate_number (&e, p->term, frame, value);
    tl_evaluation_close (&e);
    tl_coloured_close (net);
  }
  assert_int_equal (mem.used, 0);
  return status;
}

static void holds (const char *const *expression) {
  for (; *expression; expression++) {
    tl_error err = {0};
    int64_t value = 0;
    if (evaluate (*expression, &err, &value))
      fail_msg ("%s: %ld:%ld: %s", *expression, err.line, err.column, err.text);
    if (value != 1)
      fail_msg ("%s does not hold", *expression);
  }
}

#define HOLDS(...) holds ((const char *const[]){__VA_ARGS__, 0})

static void fails (const char *expression, const char *why) {
  tl_error err = {0};
  int64_t value;
  if (!evaluate (expression, &err, &value))
    fail_msg ("%s is all right", expression);
  if (!strstr (err.text, why))
    fail_msg ("%s: %s", expression, err.text);
}

static void test_precedence (void **state) {
  (void)state;
  HOLDS ("1 + 2 * 3 = 7", "(1 + 2) * 3 = 9", "10 - 3 - 2 = 5", "20 / 3 / 2 = 3",
         "20 % 7 mod 4 = 2", "-2 * 3 + 10 = 4", "- 7 / 2 = -3", "-7 % 3 = -1",
         "2 * -3 = -6", "+5 = 5", "not false and true",
         "not (false or true) = false", "true or false and false",
         "1 < 2 = true", "not (2 in b) or true",
         "false ? false : true ? true : false", "N = 5", "1 = 1 and 2 != 3",
         "3 in b or 4 in b", "succ s3 + 1 = 5", "pred s3 = 2",
         "l'first + 1 = 11", "b - 2 - 4 = empty");
}

static void test_numbers (void **state) {
  (void)state;
  HOLDS ("s3 - 5 < 1", "r4 + 3 = 2", "r4 * 4 = 1", "- r4 = 1", "succ r4 = 0",
         "pred ring (0) = 4", "int (r4) + 3 = 7", "small (r4) = 4",
         "r4 = ring (s3) + 1", "tiny (s3) = s3", "t2 + s3 = 5", "minus = 0 - 3",
         "nat (N) = 5", "short (minus) < 0", "ushort'last = 65535",
         "small'first = 1 and small'last = 10", "tiny'card = 3",
         "int'first = - 2147483647 - 1", "plus (2, 3) = N", "up (5) = 120");
}

static void test_enumerations (void **state) {
  (void)state;
  HOLDS ("c = blue", "c != red", "red < blue", "succ c = red",
         "pred colour'first = blue", "colour'card = 4", "w = green",
         "warm'last = green", "plum = fruit'first", "colour (w) >= yellow",
         "(c = red ? w : c) = blue", "bool'last", "false < true");
}

static void test_structures (void **state) {
  (void)state;
  HOLDS ("p.a = 3 and p.b", "p = {3, true}", "(p :: (a := 4)).a = 4",
         "p :: (a := 4) :: (b := false) = {4, false}", "d.p.a = 9",
         "d.r[1] = 2 and d.r[4] = 2", "d :: (p := p) != d",
         "some[0] = 7 and some[2] = 9 and some[4] = 9", "zero = [0, 0]",
         "some :: ([1] := 0) = [7, 0, 9]", "some[r4 + 2] = 8",
         "both[0, false] = 1 and both[1, true] = 4",
         "(both :: ([2, true] := 0))[2, true] = 0");
}

static void test_lists (void **state) {
  (void)state;
  HOLDS ("l[1] = 10 and l[3] = 30", "l'first = 10 and l'last = 30",
         "l'size = 3 and l'capacity = 4 and l'space = 1",
         "not l'empty and not l'full and none'empty", "none = empty",
         "l'prefix = |10, 20|", "l'suffix'first = 20", "l[2 .. 3] = |20, 30|",
         "l[3 .. 2] = empty", "l & 40 = |10, 20, 30, 40|", "0 & none = |0|",
         "l'prefix & l'suffix'suffix = l", "20 in l and not (5 in l)",
         "(l :: ([2] := 21))[2] = 21", "l'first_index = 1", "l'last_index = 3",
         "|1, 2| & 3 = |1, 2, 3| or true");
}

static void test_sets (void **state) {
  (void)state;
  HOLDS ("b = |2, 4|", "b'size = 2", "4 in b", "(b or 3) = |2, 3, 4|",
         "(3 or b) = |4, 3, 2|", "(b and |4, 5|) = |4|", "(b and 2) = |2|",
         "b - |2, 9| = |4|", "b - 4 = |2|", "|2| < b and |2, 4| <= b",
         "b > |4| and b >= b and not (b > b)", "(b or |1, 3|) > b");
}

static void test_iterators (void **state) {
  (void)state;
  HOLDS (
      "forall (x in small : x <= 10)", "exists (x in small | x * x = 49)",
      "card (x in small, y in small | x < y) = 45",
      "sum (x in small range 2 .. 4 : x) = 9",
      "product (x in small range 1 .. 5 : int (x)) = 120",
      "max (x in b : x) = 4 and min (x in l : x) = 10",
      "card (x in l | x > 10) = 2", "card (x in tokens | x->1 = x->1) = 2",
      "mult (x in tokens | x->2 = 0) = 2", "mult (x in tokens) = 3",
      "exists (x in tokens, y in tokens | x->1 != y->1 and y->2 = 3)",
      "forall (x in tokens | x->1 = 1 : x->2 = 0)",
      "tokens'card = 2 and tokens'mult = 3",
      "plain'card = 1 and plain'mult = 3", "card (x in plain) = 1",
      "forall (x in small range 3 .. 2 : false)",
      "sum (x in small range 3 .. 2 : x) = 0", "max (x in tokens : x->1) = 2",
      "card (x in tokens | exists (y in small range x->1 .. 2 | y = 2)) = 2");
}

static void test_errors_at_run_time (void **state) {
  (void)state;
  fails ("small (N + 6) = 1", "cast failed");
  fails ("1 / (N - 5) = 0", "division by 0");
  fails ("l[4] = 0", "invalid list index");
  fails ("none'first = 0", "the list is empty");
  fails ("some[ring (N)] = 0", "cast failed");
  fails ("row (some)[7] = 0", "out of range");
  fails ("|1, 2, 3, 4, 5, 6| = b", "capacity");
  fails ("l & l = l", "capacity exceeded");
  fails ("plus (2147483647, 1 + 2147483647) = 0", "out of range");
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_precedence),
      cmocka_unit_test (test_numbers),
      cmocka_unit_test (test_enumerations),
      cmocka_unit_test (test_structures),
      cmocka_unit_test (test_lists),
      cmocka_unit_test (test_sets),
      cmocka_unit_test (test_iterators),
      cmocka_unit_test (test_errors_at_run_time),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
