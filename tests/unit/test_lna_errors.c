// Files in Helena's language that are wrong: where, and what is said.

#include "lna/lna.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tl_status read_text (tl_coloured **net, tl_mem *mem, const char *text,
                            const tl_settings *settings, tl_error *err) {
  tl_input in;
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  const tl_status status = tl_input_next (&in, err);
  return status ? status : tl_read_lna (net, mem, &in, settings, err);
}

typedef struct mistake {
  const char *text;
  long line, column;
  const char *message;
} mistake;

static const mistake mistakes[] = {
    {"n {", 1, 4, "expected a definition or '}', not the end of the file"},
    {"n { type t : range 3 .. 2; }", 1, 20, "the range 3 .. 2 is empty"},
    {"n { type t : mod 0; }", 1, 18, "a modulus is at least 1, not 0"},
    {"n { type t : range 0 .. 5000000000; }", 1, 25,
     "a number is at most 2147483647"},
    {"n { type t : range 0 .. 2147483647 + 1; }", 1, 36,
     "the bound 2147483648 needs more than 32 bits"},
    {"n { type t : foo; }", 1, 14, "expected what kind of type it is"},
    {"n { type t : enum (a, b, a); }", 1, 26, "a second constant 'a'"},
    {"n { type t : mod 3; type t : mod 4; }", 1, 26, "a second type 't'"},
    {"n { type int : mod 4; }", 1, 10, "a second type 'int'"},
    {"n { type v : vector [int] of int; }", 1, 10,
     "a vector has at most 65536 elements"},
    {"n { type v : vector [bool] of what; }", 1, 31, "there is no type 'what'"},
    {"n { type s : set of int with capacity 0; }", 1, 39,
     "a capacity is 1 to 65536, not 0"},
    {"n { type s : list [bool, bool] of int with capacity 2; }", 1, 26,
     "a list has one index"},
    {"n { type s : struct { int a; int a; }; }", 1, 34,
     "a second component 'a'"},
    {"n { type a : vector [ushort] of int; type b : vector [ushort] of a; }", 1,
     43, "values of type 'b' are too large"},
    {"n { subtype s : nat range 0 - 1 .. 5; }", 1, 29,
     "the range is not part of type nat"},
    {"n { subtype s : nat range 5 .. 2; }", 1, 27, "the range is empty"},
    {"n { type r : struct { int a; }; subtype s : r range 1 .. 2; }", 1, 45,
     "the type r has no ranges"},
    {"n { constant nat c := -1; }", 1, 23,
     "expression out of range: -1 is not in 0..2147483647 (type nat)"},
    {"n { constant int c := x; }", 1, 23,
     "there is no variable or constant 'x'"},
    {"n { constant int c := true; }", 1, 23,
     "expected a value of type int, not bool"},
    {"n { constant int c := 1 / 0; }", 1, 25, "division by 0"},
    {"n { constant int c := 1; constant int c := 2; }", 1, 39,
     "a second constant 'c'"},
    {"n (N := 1, N := 2) { }", 1, 12, "a second constant 'N'"},
    {"n (N := -1) { }", 1, 9, "expected a number, not '-'"},
    {"n { function f () -> int; }", 1, 14, "function 'f' has no body"},
    {"n { function f () -> int; constant int c := f (); }", 1, 45,
     "function f has no body yet"},
    {"n { function f () -> int { return f (); } constant int c := f (); }", 1,
     35, "calls of function f are nested deeper than 1000"},
    {"n { function f () -> int while (true) assert: true; constant int c := f "
     "(); }",
     1, 39, "the evaluation does not end: given up after 10000000 steps"},
    {"n { function f () -> int { int x; x := 1; } constant int c := f (); }", 1,
     14, "no value returned in function f"},
    {"n { function f (int a) -> int { a := 1; return a; } }", 1, 33,
     "'a' cannot be assigned to"},
    {"n { function f () -> int { constant int c := 1; c := 2; return 1; } }", 1,
     49, "'c' cannot be assigned to"},
    {"n { function f () -> int { for (i in bool) i := true; return 1; } }", 1,
     44, "'i' cannot be assigned to"},
    {"n { function f () -> int { g := 1; return 1; } }", 1, 28,
     "there is no variable 'g'"},
    {"n { function f () -> int { int x; x[1] := 1; return 1; } }", 1, 36,
     "the type int does not have such elements"},
    {"n { function f () -> int { int x; x.c := 1; return 1; } }", 1, 37,
     "the type int has no such component"},
    {"n { function f () -> int { int x; x'size := 1; return 1; } }", 1, 37,
     "this cannot be assigned to"},
    {"n { function f () -> int { int x; int x; return 1; } }", 1, 39,
     "a second variable 'x'"},
    {"n { function f () -> int { } }", 1, 28, "expected a statement, not '}'"},
    {"n { function f () -> int { print \"x\"; } }", 1, 28,
     "'print' is not supported"},
    {"n { import function f () -> int; }", 1, 5,
     "the function 'f' is imported: functions written in C are not supported"},
    {"n { function f (int a) -> int return a; function f (int a) -> int return "
     "a; }",
     1, 50, "a second function 'f'"},
    {"n { function f (int a) -> int; function f (nat a) -> int return a; }", 1,
     44, "this parameter was declared with type int"},
    {"n { function f (int a) -> int; function f (int a) -> nat return a; }", 1,
     54, "function 'f' was declared with type int"},
    {"n { function f (int a) -> int; function f () -> int return 1; }", 1, 41,
     "function 'f' was declared with 1 parameter"},
    {"n { function f (int a, int a) -> int return 1; }", 1, 28,
     "a second variable 'a'"},
    {"n { function f () -> int return true; }", 1, 33,
     "expected a value of type int, not bool"},
    {"n { function f () -> bool return f (1); }", 1, 34,
     "function 'f' has 0 parameters, not 1"},
    {"n { function f (int x) -> int case (x) { 1 : return 1; 1 : return 2; } }",
     1, 56, "a second case of this value"},
    {"n { function f (int x) -> int case (x) { x : return 1; } }", 1, 42,
     "there is no variable or constant 'x'"},
    {"n { type p : struct { int a; }; function f (p x) -> int case (x) { "
     "default : return 1; } }",
     1, 63, "'case' needs a number or an enumeration, not p"},
    {"n { place p { init : epsilon; } }", 1, 15, "expected 'dom', not 'init'"},
    {"n { place p { dom : nope; } }", 1, 21, "there is no type 'nope'"},
    {"n { place p { dom : int; init : <( true )>; } }", 1, 36,
     "expected a value of type int, not bool"},
    {"n { place p { dom : int; init : <( 1, 2 )>; } }", 1, 33,
     "a token of 'p' has 1 part, not 2"},
    {"n { place p { dom : int; init : epsilon; } }", 1, 33,
     "a token of 'p' has 1 part, not 0"},
    {"n { place p { dom : int; init : <( x )>; } }", 1, 36,
     "there is no variable or constant 'x'"},
    {"n { place p { dom : int; tokens : 0; } }", 1, 35,
     "'p' cannot have 0 to 0 tokens"},
    {"n { place p { dom : int; tokens : 3 .. 2; } }", 1, 40,
     "'p' cannot have 3 to 2 tokens"},
    {"n { place p { dom : int; tokens : 3; tokens : 3; } }", 1, 38,
     "a second 'tokens'"},
    {"n { place p { dom : int; tokens 3; } }", 1, 33,
     "expected ':', not a number"},
    {"n { place p { dom : int; capacity : 0 - 1; } }", 1, 39,
     "the capacity -1 is negative"},
    {"n { place p { dom : int; type : what; } }", 1, 33,
     "expected process, local, shared, protected, buffer or ack, not 'what'"},
    {"n { place p { dom : int; init : <( 1 )>; init : <( 2 )>; } }", 1, 42,
     "a second 'init'"},
    {"n { place p { dom : int; } place p { dom : int; } }", 1, 34,
     "a second place 'p'"},
    {"n { place p { dom : int; init : (0 - 2) * <( 1 )>; } }", 1, 36,
     "the factor -2 is negative"},
    {"n { place p { dom : int; init : for (i in q) <( 1 )>; } }", 1, 43,
     "there is no type 'q'"},
    {"n { place p { dom : int; init : if (1) <( 1 )>; } }", 1, 37,
     "expected a value of type bool, not a number"},
    {"n { transition t { in { p : epsilon; } out { } } }", 1, 25,
     "there is no place 'p'"},
    {"n { transition t { out { } in { } } }", 1, 20,
     "expected 'in', not 'out'"},
    {"n { place p { dom : int; } transition t { in { p : <( x )>; p : <( y )>; "
     "} out { } } }",
     1, 61, "a second arc of place 'p' here"},
    {"n { place p { dom : int; } transition t { in { p : <( x )>; } out { p : "
     "<( y )>; } } }",
     1, 76, "there is no variable or constant 'y'"},
    {"n { place p { dom : int; } transition t { in { p : if (true) <( x )>; } "
     "out { } } }",
     1, 65, "transition 't' cannot be evaluated: nothing gives 'x' a value"},
    {"n { place p { dom : int * int; } transition t { in { p : <( x, y + 1 )> "
     "+ <( x + 1, y )>; } out { } } }",
     1, 61, "transition 't' cannot be evaluated: nothing gives 'x' a value"},
    {"n { place p { dom : int; } place q { dom : bool; } transition t { in { p "
     ": <( x )>; q : <( x )>; } out { } } }",
     1, 92, "expected a value of type bool, not int"},
    {"n { place p { dom : int; } transition t { in { p : <( x )>; } out { } "
     "guard : x; } }",
     1, 79, "expected a value of type bool, not int"},
    {"n { place p { dom : int; } transition t { in { p : <( x )>; } out { } "
     "guard : p'card > 0; } }",
     1, 81,
     "the marking may be asked for in propositions, priorities, progress and "
     "initial markings only"},
    {"n { place p { dom : int; init : if (p'card = 0) <( 1 )>; } }", 1, 33,
     "the initial marking of 'p' asks for itself"},
    {"n { place p { dom : int; init : if (q'card = 0) <( 1 )>; } place q { dom "
     ": int; } }",
     1, 37, "there is no place, type or variable 'q'"},
    {"n { place p { dom : int; } transition t { in { p : <( x )>; } out { } "
     "guard : exists (y in bool | y); } }",
     1, 79,
     "'exists' is for propositions, priorities, progress and initial markings"},
    {"n { place p { dom : int; } transition t { in { p : <( x )>; } out { } "
     "guard : x > 0; guard : x > 1; } }",
     1, 86, "a second 'guard'"},
    {"n { place p { dom : int; } transition t { in { p : <( x )>; } out { } "
     "pick { x in bool; } } }",
     1, 78, "a second variable 'x'"},
    {"n { place p { dom : int; } transition t { in { p : <( x )>; } out { } "
     "pick { y in p; } } }",
     1, 83, "a variable cannot run over a place here"},
    {"n { place p { dom : int; } transition t { in { p : <( x )>; } out { } "
     "let { bool x := true; } } }",
     1, 82, "a second variable 'x'"},
    {"n { place p { dom : int; } transition t { in { } out { p : <( y )>; } "
     "inhibit { p : <( y )>; } } }",
     1, 63, "there is no variable or constant 'y'"},
    {"n { transition t { in { } out { } } transition t { in { } out { } } }", 1,
     48, "a second transition 't'"},
    {"n { transition t { in { } out { } priority : true; } }", 1, 46,
     "expected a value of type int, not bool"},
    {"n { transition t { in { } out { } description : 1; } }", 1, 49,
     "expected a string, not a number"},
    {"n { place p { dom : int; } transition t { in { p : for (i in short range "
     "x .. 1) <( x )>; } out { } } }",
     1, 74, "there is no variable or constant 'x'"},
    {"n { proposition p : 1; }", 1, 21,
     "expected a value of type bool, not a number"},
    {"n { proposition p : true; proposition p : false; }", 1, 39,
     "a second proposition 'p'"},
    {"n { place p { dom : int; } proposition q : exists (x in p | x = 1); }", 1,
     61, "'x' is a token: write x->1 for its first part"},
    {"n { place p { dom : int; } proposition q : exists (x in p | x->2 = 1); }",
     1, 61, "a token of 'p' has no part 2"},
    {"n { place p { dom : int; } proposition q : exists (x in bool | x->1 = "
     "1); }",
     1, 64, "'x' is not a token of a place"},
    {"n { place p { dom : int; } proposition q : mult (x in bool) = 1; }", 1,
     44, "'mult' needs one variable, over a place"},
    {"n { proposition q : p'card = 1; }", 1, 21,
     "there is no place, type or variable 'p'"},
    {"n { proposition q : int'size = 1; }", 1, 25,
     "the type int has no attribute 'size'"},
    {"n { proposition q : int'length = 1; }", 1, 25,
     "there is no attribute 'length'"},
    {"n { proposition q : f (1) = 1; }", 1, 21,
     "there is no function or type 'f'"},
    {"n { type t : enum (a, b); type u : enum (a, c); proposition q : a = a; }",
     1, 67, "this is ambiguous: it may be t or u"},
    {"n { type t : enum (a, b); proposition q : a = 1; }", 1, 45,
     "'=' does not fit its operands: t and a number"},
    {"n { type t : enum (a, b); proposition q : a + 1 = a; }", 1, 45,
     "'+' does not fit its operands: t and a number"},
    {"n { type t : enum (a, b); proposition q : not a; }", 1, 43,
     "'not' needs a condition, not t"},
    {"n { type t : enum (a, b); proposition q : -a = a; }", 1, 43,
     "a sign needs a number, not t"},
    {"n { type t : enum (a, b); proposition q : int (a) = 1; }", 1, 43,
     "a cast needs a number or a value of its type, not t"},
    {"n { type t : mod 3; type u : mod 3; constant t x := 1; constant u y := "
     "1; proposition q : x = y; }",
     1, 93, "'=' does not fit its operands: t and u"},
    {"n { proposition q : [1, 2] = [1]; }", 1, 21,
     "no vector type has such values"},
    {"n { proposition q : {1} = {1}; }", 1, 21,
     "no structure type has such values"},
    {"n { proposition q : |1| = empty; }", 1, 21,
     "no list or set type has such values"},
    {"n { type s : set of bool with capacity 2; proposition q : 1 in |true|; }",
     1, 61, "'in' does not fit its operands: a number and s"},
    {"n { type v : vector [bool] of int; constant v x := [1]; proposition q : "
     "x[1] = 1; }",
     1, 75, "expected a value of type bool, not a number"},
    {"n { type v : vector [bool] of int; constant v x := [1]; proposition q : "
     "x[true, true] = 1; }",
     1, 74, "an element of type v has 1 index, not 2"},
    {"n { type v : vector [bool] of int; constant v x := [1, 2, 3]; }", 1, 52,
     "no vector type has such values"},
    {"n { type v : vector [bool] of int; constant v x := [1]; proposition q : "
     "x.a = 1; }",
     1, 75, "v has no component 'a'"},
    {"n { type v : struct { int a; }; constant v x := {1}; proposition q : x "
     ":: (a := true) = x; }",
     1, 81, "expected a value of type int, not bool"},
    {"n { proposition q : true ? 1 : true; }", 1, 26,
     "the two values are of different types: a number and bool"},
    {"n { proposition q : 1 ? true : true; }", 1, 23,
     "'?' needs a condition, not a number"},
    {"n { proposition q : (true)>false; }", 1, 26, "expected ')', not ')>'"},
    {"n { progress : true; }", 1, 16, "expected a number, not bool"},
    {"n { progress : 1; progress : 2; }", 1, 19,
     "a second measure of progress"},
    {"n { foo : 1; }", 1, 5, "expected a definition or '}', not 'foo'"},
    {"n { } x", 1, 7, "expected the end of the file, not 'x'"},
    {"n { $ }", 1, 5, "'$' is out of place"},
    {"n { \"abc }", 1, 5, "this string has no end"},
    {"n { /* abc }", 1, 5, "this comment has no end"},
    {"#ifdef A\nn { }", 1, 1, "an #endif is missing"},
    {"#else\nn { }", 1, 1, "#else without #ifdef"},
    {"#endif\nn { }", 1, 1, "#endif without #ifdef"},
    {"#ifdef A\n#else\n#else\n#endif\nn { }", 3, 1, "a second #else"},
    {"#what\nn { }", 1, 1, "an unknown directive"},
    {"# define X\nn { }", 1, 1, "an unknown directive"},
    {"#include x\nn { }", 1, 1, "#include is not supported"},
    {"#define\nn { }", 1, 8, "expected a symbol"},
    {"#define X y\nn { }", 1, 11, "a directive has a line of its own"},
    {"n { #define X\n}", 1, 5, "'#' is out of place"},
    {"n { proposition p : 99999999999 = 1; }", 1, 21,
     "a number is at most 2147483647"},
    {"n { type a : enum (b, and); }", 1, 23,
     "expected the name of a constant, not 'and'"},
};

static void is_said (const mistake *m, const tl_settings *settings) {
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_coloured *net;
  const tl_status status = read_text (&net, &mem, m->text, settings, &err);
  if (!status)
    fail_msg ("%s\nis all right", m->text);
  if (strcmp (err.text, m->message) || err.line != m->line ||
      err.column != m->column)
    fail_msg ("%s\n%ld:%ld: %s\nnot %ld:%ld: %s", m->text, err.line, err.column,
              err.text, m->line, m->column, m->message);
  assert_int_equal (err.code, status);
  assert_null (net);
  assert_int_equal (mem.used, 0);
}

static void test_mistakes (void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
    is_said (mistakes + i, 0);
}

static void set_wrongly (const char *name, const char *value,
                         const char *message) {
  const tl_settings settings = {.name = &name, .value = &value, .count = 1};
  const mistake m = {"n (N := 1, M := 2) { constant int c := 1; }", 0, 0,
                     message};
  is_said (&m, &settings);
}

static void test_settings (void **state) {
  (void)state;
  set_wrongly ("X", "1", "the parameter 'X' does not exist: the net has N, M");
  set_wrongly ("c", "1", "the parameter 'c' does not exist: the net has N, M");
  set_wrongly ("N", "1x", "the parameter 'N' must be set to a number");
  set_wrongly ("N", "", "the parameter 'N' must be set to a number");
  set_wrongly ("N", "-", "the parameter 'N' must be set to a number");
  set_wrongly ("N", "2147483648",
               "the parameter 'N' is set to a number of more than 32 bits");
}

// A text between two others, as often as told
static char *repeat (const char *before, const char *text, const char *after,
                     size_t times) {
  const size_t n = strlen (text);
  char *all = malloc (strlen (before) + n * times + strlen (after) + 1);
  assert_non_null (all);
  char *end = stpcpy (all, before);
  while (times--)
    end = stpcpy (end, text);
  stpcpy (end, after);
  return all;
}

static void test_deep_nesting (void **state) {
  (void)state;
  static const struct {
    const char *before, *text, *after;
  } deep[] = {{"n { proposition p : ", "(", ""},
              {"n { proposition p : ", "not ", "true; }"},
              {"n { proposition p : 1", " + 1", " = 1; }"},
              {"n { proposition p : 1", " = 1 ? 1", ""},
              {"n { proposition p : x", "'first", "; }"},
              {"n { proposition p : ", "- ", "1; }"},
              {"n { proposition p : ", "|", ""},
              {"n { proposition p : ", "sum (x in int : ", ""},
              {"n { function f () -> int ", "{", ""},
              {"n { function f () -> int ", "if (true) ", ""}};
  for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
    char *text = repeat (deep[i].before, deep[i].text, deep[i].after, 100000);
    tl_mem mem = TL_MEM (0, "net");
    tl_error err = {0};
    tl_coloured *net;
    assert_int_equal (read_text (&net, &mem, text, 0, &err), TL_E_SYNTAX);
    if (strcmp (err.text, "this is nested too deeply"))
      fail_msg ("%s%s: %s", deep[i].before, deep[i].text, err.text);
    assert_int_equal (mem.used, 0);
    free (text);
  }
}

static void test_deep_types (void **state) {
  (void)state;
  char text[10000], *end = stpcpy (text, "n { type t0 : mod 3; ");
  for (int i = 1; i <= 65; i++)
    end += sprintf (end, "type t%d : struct { t%d a; }; ", i, i - 1);
  stpcpy (end, "}");
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_coloured *net;
  assert_int_equal (read_text (&net, &mem, text, 0, &err), TL_E_SYNTAX);
  assert_string_equal (err.text, "types nest at most 64 deep");
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_mistakes),
      cmocka_unit_test (test_settings),
      cmocka_unit_test (test_deep_nesting),
      cmocka_unit_test (test_deep_types),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
