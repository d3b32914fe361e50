// Nets in Helena's language: places, arcs, variables, functions, settings; and
// reading that runs out of memory.

#include "colour/evaluate.h"
#include "lna/lna.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static tl_status read_text (tl_coloured **net, tl_mem *mem, const char *text,
                            const tl_settings *settings, tl_error *err) {
  tl_input in;
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  const tl_status status = tl_input_next (&in, err);
  return status ? status : tl_read_lna (net, mem, &in, settings, err);
}

static tl_coloured *read_with (tl_mem *mem, const char *text,
                               const tl_settings *settings) {
  tl_coloured *net;
  tl_error err = {0};
  if (read_text (&net, mem, text, settings, &err))
    fail_msg ("%ld:%ld: %s\n%s", err.line, err.column, err.text, text);
  return net;
}

#define READ(MEM, TEXT) read_with ((MEM), (TEXT), 0)

static void close_net (tl_coloured *net, tl_mem *mem) {
  tl_coloured_close (net);
  assert_int_equal (mem->used, 0);
}

static const char everything[] =
    "everything (N := 3, M := 2) { // all there is\n"
    "  type id : mod N;\n"
    "  type bag : set of id with capacity N;\n"
    "  type row : vector [id] of int;\n"
    "  type pile : list [id] of bool with capacity 2;\n"
    "  type pair : struct { id a; row b; };\n"
    "  type state : enum (idle, busy);\n"
    "  subtype low : id range 0 .. id (M - 1);\n"
    "  constant row none := [0];\n"
    "  function last (bag s) -> id;\n"
    "  function total_of (row r) -> int {\n"
    "    int total := 0; constant int two := 2; pair p;\n"
    "    p.a := 1; p.b[p.a] := 2;\n"
    "    for (i in id, k in id range i .. i) total := total + r[i];\n"
    "    while (total > 100) { total := total - 1; }\n"
    "    if (total = two) total := 0; else { total := total; }\n"
    "    case (total) { 0 : return 0; 1 : { return 1; } default : return 2; }\n"
    "    assert: total >= 0;\n"
    "    return total;\n"
    "  }\n"
    "  function last (bag s) -> id {\n"
    "    id x; for (e in s) x := e; return x;\n"
    "  }\n"
    "  place p { dom : id * state; init : for (i in id, j in low range i .. 1)"
    " if (i = j) 2 * <( i, idle )> + <( 0, busy )>; capacity : 4;"
    " type : process; }\n"
    "  place q { dom : epsilon; init : M * epsilon; capacity : M; }\n"
    "  place r { dom : bag * row; type : shared; init : <( |0, 1|, none )>; }\n"
    "  transition t {\n"
    "    in { p : <( x, idle )> + for (i in low) if (i != x) <( i, s )>\n"
    "           + <( succ x, s )>;\n"
    "         q : epsilon; r : <( all, v )>; }\n"
    "    out { p : <( y, busy )> + if (y > 0) 3 * <( z, s )>; }\n"
    "    inhibit { p : <( free, busy )>; r : <( all or y, v )>; }\n"
    "    pick { y in id range x .. x; e in all - x; }\n"
    "    let { id z := last (all) + y; int n := total_of (v); }\n"
    "    guard : n > 0 and v[e] = 1;\n"
    "    safe;\n"
    "    priority : p'card - n;\n"
    "    description : \"x is %d,\\\n z %d\", x, z;\n"
    "  }\n"
    "  proposition some : exists (k in p | k->1 = 0) or q'mult > M;\n"
    "  progress : q'mult + sum (k in r : total_of (k->2));\n"
    "}\n";

static void test_places (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *net = READ (&mem, everything);
  assert_string_equal (net->name, "everything");
  assert_string_equal (net->format, "lna");
  assert_int_equal (net->places, 3);
  const tl_cplace *p = net->place;
  assert_string_equal (p[0].name, "p");
  assert_int_equal (p[0].parts, 2);
  assert_int_equal (p[0].cells, 2);
  assert_int_equal (p[0].capacity, 4);
  assert_int_equal (p[0].where.line, 24);
  assert_int_equal (p[0].initial.tuples, 2);
  assert_int_equal (p[0].initial.tuple[0].loops, 2);
  assert_int_equal (p[0].initial.tuple[0].factor, 2);
  assert_non_null (p[0].initial.tuple[0].condition);
  assert_int_equal (p[0].initial_frame, 2);
  assert_int_equal (p[1].parts, 0);
  assert_int_equal (p[1].capacity, 2);
  assert_int_equal (p[1].initial.tuple[0].factor, 2);
  assert_int_equal (p[2].cells, 4 + 3);
  assert_int_equal (p[2].part_offset[1], 4);
  assert_int_equal (p[2].capacity, 1);
  close_net (net, &mem);
}

static void is_variable (const tl_variable *v, const char *name,
                         tl_variable_kind kind, const char *type) {
  assert_string_equal (v->name, name);
  assert_int_equal (v->kind, kind);
  assert_string_equal (v->type->name, type);
}

static void test_transition (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *net = READ (&mem, everything);
  const tl_ctransition *t = net->transition;
  assert_int_equal (net->transitions, 1);
  assert_int_equal (t->variables, 9);
  is_variable (t->variable + 0, "x", TL_VARIABLE_ARC, "id");
  is_variable (t->variable + 1, "s", TL_VARIABLE_ARC, "state");
  is_variable (t->variable + 2, "all", TL_VARIABLE_ARC, "bag");
  is_variable (t->variable + 3, "v", TL_VARIABLE_ARC, "row");
  is_variable (t->variable + 4, "y", TL_VARIABLE_PICK, "id");
  is_variable (t->variable + 5, "e", TL_VARIABLE_PICK, "id");
  is_variable (t->variable + 6, "z", TL_VARIABLE_LET, "id");
  is_variable (t->variable + 7, "n", TL_VARIABLE_LET, "int");
  is_variable (t->variable + 8, "free", TL_VARIABLE_INHIBITOR, "id");
  assert_int_equal (t->variable[5].pick.kind, TL_LOOP_CONTAINER);
  assert_int_equal (t->ins, 3);
  assert_int_equal (t->outs, 1);
  assert_int_equal (t->inhibits, 2);
  const tl_tuple *in = t->in[0].label.tuple;
  assert_int_equal (in[0].part[0]->kind, TL_TERM_VARIABLE);
  assert_int_equal (in[0].part[1]->kind, TL_TERM_CONSTANT);
  assert_int_equal (in[1].loops, 1);
  assert_int_equal (in[2].part[0]->kind, TL_TERM_SUCC);
  assert_int_equal (t->out[0].label.tuple[1].factor, 3);
  assert_non_null (t->guard);
  assert_non_null (t->priority);
  assert_string_equal (t->description, "x is %d, z %d");
  assert_int_equal (t->description_parts, 2);
  assert_int_equal (net->propositions, 1);
  assert_int_equal (net->measures, 1);
  close_net (net, &mem);
}

// Checks stand where bounds could be violated, and only there.
static void test_checks (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *net =
      READ (&mem, "n { type s : range 1 .. 10; subtype t : s range 1 .. 5; "
                  "type m : mod 4; type c : enum (a, b, d); "
                  "subtype ab : c range a .. b; subtype m2 : m range 0 .. 2;"
                  "place p { dom : s; } place q { dom : t; } "
                  "place r { dom : m; } place u { dom : ab; } "
                  "place v { dom : m2; } "
                  "transition x { in { p : <( i )>; q : <( j )>; r : <( k )>; "
                  "u : <( l )>; v : <( o )>; }"
                  "out { p : <( i )> + <( j )> + <( i + 1 )> + <( 11 )>"
                  " + <( succ i )>;"
                  "q : <( i )> + <( 3 )> + <( j )>;"
                  "r : <( k + 9 )> + <( succ k )> + <( o )> + <( 7 )>;"
                  "u : <( succ l )> + <( true ? a : b )> + <( d )>"
                  " + <( c (l) )>; v : <( k )> + <( o + 1 )> + <( succ o )>"
                  " + <( succ k )>; } } }");
  static const char *const checked[] = {"00111", "100", "0001", "0011", "1101"};
  const tl_ctransition *t = net->transition;
  for (uint32_t i = 0; i < t->outs; i++)
    for (uint32_t k = 0; k < t->out[i].label.tuples; k++) {
      const bool check =
          t->out[i].label.tuple[k].part[0]->kind == TL_TERM_CHECK;
      if (check != (checked[i][k] == '1'))
        fail_msg ("arc %u, tuple %u: a check is %s", i, k,
                  check ? "there" : "missing");
    }
  close_net (net, &mem);
}

static int64_t value_of (const tl_coloured *net, uint32_t proposition) {
  tl_evaluation e;
  tl_error err = {0};
  tl_mem mem = TL_MEM (0, "values");
  tl_cell frame[10];
  int64_t value;
  tl_evaluation_open (&e, &mem, "x", &err);
  if (tl_evaluate_number (&e, net->proposition[proposition].term, frame,
                          &value))
    fail_msg ("%s", err.text);
  tl_evaluation_close (&e);
  return value;
}

// Settings count before anything is computed.
static void test_settings (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  const char *text = "n (N := 2, M := 7) { constant int k := N + M;\n"
                     "#ifdef BIG\n type t : mod 100;\n#else\n"
                     "type t : mod N;\n#endif\n"
                     "proposition p : k = 19 and t'card = 100;\n"
                     "proposition q : t'card = N; }";
  const char *const name[] = {"N", "BIG", "UNUSED"};
  const char *const value[] = {"12", 0, 0};
  const tl_settings settings = {.name = name, .value = value, .count = 3};
  tl_coloured *net = read_with (&mem, text, &settings);
  assert_int_equal (value_of (net, 0), 1);
  close_net (net, &mem);
  const tl_settings less = {.name = name, .value = value, .count = 1};
  net = read_with (&mem, text, &less);
  assert_int_equal (value_of (net, 0), 0);
  assert_int_equal (value_of (net, 1), 1);
  close_net (net, &mem);
}

static void test_directives (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *net =
      READ (&mem, "#define A\r\n#ifndef A\nnonsense \" /*\n#ifdef B\n#else\n"
                  "more\n#endif\n#else // here\nn {\n#endif\n#undef A\n"
                  "  #ifdef A\n}\n  #else\n#set line 5\n"
                  "place p { dom : int; }\n#endif\n}");
  assert_int_equal (net->places, 1);
  assert_int_equal (net->place[0].where.line, 16);
  assert_int_equal (net->place[0].where.column, 7);
  close_net (net, &mem);
}

// One name in every name space
static void test_name_spaces (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *net =
      READ (&mem, "x (x := 4) { type x : range 0 .. x;\n"
                  "function x (x x) -> x return x;\n"
                  "place x { dom : x; init : <( x (2) )>; }\n"
                  "place y { dom : x; }\n"
                  "transition x { in { y : <( y )>; x : <( z )>; }"
                  " out { y : <( x (y) )>; } guard : y < x (3) and z = y; }\n"
                  "proposition x : x'card = 0 and x'last = 4; }");
  assert_int_equal (net->transition[0].variables, 2);
  close_net (net, &mem);
}

static void is_recognised (const char *text, bool yes) {
  tl_input in;
  tl_error err = {0};
  tl_input_open_memory (&in, "x", text, strlen (text));
  assert_int_equal (tl_input_next (&in, &err), TL_OK);
  assert_int_equal (tl_is_lna (&in), yes);
}

static void test_recognition (void **state) {
  (void)state;
  is_recognised ("n { }", true);
  is_recognised ("/* c */ n (N := 1) {", true);
  is_recognised ("#ifdef A\n#endif\nn{", true);
  is_recognised ("PLACE a, b; MARKING", false);
  is_recognised ("net n\ntr t", false);
  is_recognised ("<pnml>", false);
  is_recognised ("", false);
}

static void test_memory (void **state) {
  (void)state;
  tl_status status = TL_E_NOMEM;
  for (long n = 1; status; n++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_error err = {0};
    tl_coloured *net;
    mem.fail_after = n;
    status = read_text (&net, &mem, everything, 0, &err);
    if (status) {
      assert_int_equal (status, TL_E_NOMEM);
      assert_int_equal (err.code, TL_E_NOMEM);
    } else
      tl_coloured_close (net);
    assert_int_equal (mem.used, 0);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_places),      cmocka_unit_test (test_transition),
      cmocka_unit_test (test_checks),      cmocka_unit_test (test_settings),
      cmocka_unit_test (test_directives),  cmocka_unit_test (test_name_spaces),
      cmocka_unit_test (test_recognition), cmocka_unit_test (test_memory),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
