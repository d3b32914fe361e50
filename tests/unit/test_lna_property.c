// Property files: what is read, what formulas it becomes, what is refused.

#include "lna/property.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NET                                                                    \
  "n { proposition p : true; proposition q : true; "                           \
  "proposition r : true; }"

static void open_text (tl_input *in, const char *text) {
  tl_error err = {0};
  tl_input_open_memory (in, "x.prop.lna", text, strlen (text));
  assert_int_equal (tl_input_next (in, &err), TL_OK);
}

static tl_coloured *read_net (tl_mem *mem) {
  tl_error err = {0};
  tl_coloured *net;
  tl_input in;
  open_text (&in, NET);
  assert_int_equal (tl_read_lna (&net, mem, &in, 0, &err), TL_OK);
  return net;
}

static tl_status read_text (tl_properties *all, tl_mem *mem, const char *text,
                            const tl_settings *settings, tl_error *err) {
  tl_mem own = TL_MEM (0, "net");
  tl_coloured *net = read_net (&own);
  tl_input in;
  open_text (&in, text);
  const tl_status status =
      tl_read_properties (all, mem, &in, net, settings, err);
  tl_coloured_close (net);
  assert_int_equal (own.used, 0);
  return status;
}

static size_t print (const tl_property_tree *t, char *out) {
  static const char *const word[] = {
      [TL_PROPERTY_TRUE] = "true",     [TL_PROPERTY_FALSE] = "false",
      [TL_PROPERTY_DEADLOCK] = "dead", [TL_PROPERTY_NOT] = "!",
      [TL_PROPERTY_ALWAYS] = "G",      [TL_PROPERTY_EVENTUALLY] = "F",
      [TL_PROPERTY_AND] = "&",         [TL_PROPERTY_OR] = "|",
      [TL_PROPERTY_IMPLIES] = ">",     [TL_PROPERTY_EQUIVALENT] = "=",
      [TL_PROPERTY_UNTIL] = "U"};
  size_t n = 0;
  if (t->op == TL_PROPERTY_PROPOSITION)
    return (size_t)sprintf (out, "%c", "pqr"[t->proposition]);
  if (t->op < TL_PROPERTY_NOT)
    return (size_t)sprintf (out, "%s", word[t->op]);
  if (t->op < TL_PROPERTY_AND) {
    n = (size_t)sprintf (out, "%s", word[t->op]);
    return n + print (t->operand[0], out + n);
  }
  n += (size_t)sprintf (out + n, "(");
  n += print (t->operand[0], out + n);
  n += (size_t)sprintf (out + n, "%s", word[t->op]);
  n += print (t->operand[1], out + n);
  return n + (size_t)sprintf (out + n, ")");
}

// The one property of a file
static void means (const char *text, bool linear, const char *tree) {
  tl_mem mem = TL_MEM (0, "properties");
  tl_error err = {0};
  tl_properties all;
  if (read_text (&all, &mem, text, 0, &err))
    fail_msg ("%s: %ld:%ld: %s", text, err.line, err.column, err.text);
  char out[1000];
  assert_int_equal (all.count, 1);
  print (all.property[0].tree, out);
  assert_string_equal (out, tree);
  assert_int_equal (all.property[0].linear, linear);
  tl_properties_close (&all);
  assert_int_equal (mem.used, 0);
}

static void run_means (const char *formula, const char *tree) {
  char text[1000];
  snprintf (text, sizeof text, "ltl property x: %s;", formula);
  means (text, true, tree);
}

static void test_state_properties (void **state) {
  (void)state;
  means ("state property x: reject p;", false, "!p");
  means ("state property x: reject deadlock; accept p; accept deadlock;", false,
         "((!dead|p)|dead)");
  means ("/* a /* b */ c */ state // d\nproperty x:reject q;", false, "!q");
}

static void test_precedence (void **state) {
  (void)state;
  run_means ("p or q and r", "(p|(q&r))");
  run_means ("p and q => r", "(p&(q>r))");
  run_means ("p => q <=> r", "(p>(q=r))");
  run_means ("p => q => r", "((p>q)>r)");
  run_means ("[] p until q", "(GpUq)");
  run_means ("[] <> not p and q", "(GF!p&q)");
  run_means ("p <=> q until r", "(p=(qUr))");
  run_means ("[] (p => <> (not p))", "G(p>F!p)");
  run_means ("true until false", "(trueUfalse)");
}

static void test_several (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "properties");
  tl_error err = {0};
  tl_properties all;
  const char *name = "MORE", *value = 0;
  const tl_settings settings = {.name = &name, .value = &value, .count = 1};
  const char *text = "state property a: reject p;\n#ifdef MORE\n"
                     "ltl property b: <> q;\n#endif\n";
  assert_int_equal (read_text (&all, &mem, text, &settings, &err), TL_OK);
  assert_int_equal (all.count, 2);
  assert_string_equal (all.property[1].name, "b");
  assert_int_equal (all.property[1].where.line, 3);
  tl_properties_close (&all);
  assert_int_equal (read_text (&all, &mem, text, 0, &err), TL_OK);
  assert_int_equal (all.count, 1);
  tl_properties_close (&all);
  assert_int_equal (read_text (&all, &mem, "", 0, &err), TL_OK);
  assert_int_equal (all.count, 0);
  tl_properties_close (&all);
  assert_int_equal (mem.used, 0);
}

static void is_refused (const char *text, long line, long column,
                        const char *message) {
  tl_mem mem = TL_MEM (0, "properties");
  tl_error err = {0};
  tl_properties all;
  assert_int_equal (read_text (&all, &mem, text, 0, &err), TL_E_SYNTAX);
  assert_string_equal (err.text, message);
  assert_int_equal (err.line, line);
  assert_int_equal (err.column, column);
  assert_int_equal (mem.used, 0);
}

static void test_mistakes (void **state) {
  (void)state;
  is_refused ("state property x: reject z;", 1, 26,
              "the net has no proposition 'z'");
  is_refused ("state property x: accept p;", 1, 19,
              "expected 'reject', not 'accept'");
  is_refused ("state property x: reject true;", 1, 26,
              "expected a proposition or 'deadlock', not 'true'");
  is_refused ("ltl property x: p;\nltl property x: q;", 2, 14,
              "a second property 'x'");
  is_refused ("ltl property x: deadlock;", 1, 17,
              "expected a formula, not 'deadlock'");
  is_refused ("ltl property x: (p;", 1, 19, "expected ')', not ';'");
  is_refused ("ltl property x: p q;", 1, 19, "expected ';', not 'q'");
  is_refused ("ctl property x: p;", 1, 1,
              "expected 'state' or 'ltl', not 'ctl'");
  is_refused ("ltl property until: p;", 1, 14,
              "expected the name of a property, not 'until'");
  is_refused ("ltl property x: p !", 1, 19, "'!' is out of place");
  is_refused ("/* /* */ ltl property x: p;", 1, 1, "this comment has no end");
}

static tl_status becomes (const char *text, const char *wanted) {
  tl_mem mem = TL_MEM (0, "properties");
  tl_error err = {0};
  tl_properties all;
  assert_int_equal (read_text (&all, &mem, text, 0, &err), TL_OK);
  tl_formula *dead = tl_formula_deadlock (&all.arena), *f;
  tl_formula *const proposition[] = {dead,
                                     tl_formula_constant (&all.arena, true),
                                     tl_formula_constant (&all.arena, false)};
  const tl_status status =
      tl_property_formula (all.property, &all.arena, proposition, &f);
  if (!status) {
    char out[1000];
    tl_formula_print (f, 0, out, sizeof out);
    assert_string_equal (out, wanted);
  }
  tl_properties_close (&all);
  assert_int_equal (mem.used, 0);
  return status;
}

static void test_formulas (void **state) {
  (void)state;
  becomes ("state property x: reject p; accept q;",
           "AG (NOT DEADLOCK OR TRUE)");
  becomes ("ltl property x: [] (p => <> q until r);",
           "AG (NOT DEADLOCK OR ((F TRUE) U FALSE))");
  becomes ("ltl property x: p <=> q;",
           "A ((DEADLOCK AND TRUE) OR (NOT DEADLOCK AND NOT TRUE))");
}

static void test_large_formula (void **state) {
  (void)state;
  char text[2000], *end = stpcpy (text, "ltl property x: p");
  for (int i = 0; i < 40; i++)
    end = stpcpy (end, " <=> p");
  stpcpy (end, ";");
  assert_int_equal (becomes (text, ""), TL_E_LIMIT);
}

static void test_memory (void **state) {
  (void)state;
  tl_status status = TL_E_NOMEM;
  for (long n = 1; status; n++) {
    tl_mem mem = TL_MEM (0, "properties");
    tl_error err = {0};
    tl_properties all;
    mem.fail_after = n;
    status = read_text (&all, &mem,
                        "state property a: reject p; accept q;"
                        "ltl property b: [] (p => <> r);",
                        0, &err);
    if (status)
      assert_int_equal (status, TL_E_NOMEM);
    else
      tl_properties_close (&all);
    assert_int_equal (mem.used, 0);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_state_properties),
      cmocka_unit_test (test_precedence),
      cmocka_unit_test (test_several),
      cmocka_unit_test (test_mistakes),
      cmocka_unit_test (test_formulas),
      cmocka_unit_test (test_large_formula),
      cmocka_unit_test (test_memory),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
