// The reader of PNML symmetric nets: what its terms become, and what it says
// about those that make no sense.

#include "read/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Short names for the elements of terms.
#define NET(...)                                                               \
  "<pnml><net id='n' type='http://x/symmetricnet'>\n" __VA_ARGS__              \
  "</net></pnml>"
#define DECLARE(...)                                                           \
  "<declaration><structure><declarations>" __VA_ARGS__                         \
  "</declarations></structure></declaration>\n"
#define RANGE(ID, FIRST, LAST)                                                 \
  "<namedsort id='" ID "' name='" ID "'><finiteintrange start='" FIRST         \
  "' end='" LAST "'/></namedsort>"
#define COLOURS                                                                \
  "<namedsort id='C' name='colour'><cyclicenumeration>"                        \
  "<feconstant id='c0' name='red'/><feconstant id='c1' name='green'/>"         \
  "<feconstant id='c2' name='blue'/></cyclicenumeration></namedsort>"
#define PAIR                                                                   \
  "<namedsort id='P' name='pair'><productsort><usersort declaration='C'/>"     \
  "<usersort declaration='N'/></productsort></namedsort>"
#define VARIABLE(ID, SORT)                                                     \
  "<variabledecl id='" ID "' name='" ID "'><usersort declaration='" SORT       \
  "'/></variabledecl>"
#define ALL_DECLARED                                                           \
  DECLARE (COLOURS RANGE ("N", "1", "4") PAIR VARIABLE ("x", "C")              \
               VARIABLE ("y", "C") VARIABLE ("n", "N") VARIABLE ("p", "P"))
#define PLACE(ID, SORT, MARKING)                                               \
  "<place id='" ID "'><type><structure>" SORT "</structure></type>"            \
  "<hlinitialMarking><structure>" MARKING                                      \
  "</structure></hlinitialMarking></place>\n"
#define SORT(ID) "<usersort declaration='" ID "'/>"
#define SUB(...) "<subterm>" __VA_ARGS__ "</subterm>"
#define NUMBER(N)                                                              \
  SUB ("<numberconstant value='" N "'><positive/></numberconstant>")
#define OF(N, ...) "<numberof>" NUMBER (N) SUB (__VA_ARGS__) "</numberof>"
#define VAR(ID) "<variable refvariable='" ID "'/>"
#define VALUE(ID) "<useroperator declaration='" ID "'/>"
#define INT(N)                                                                 \
  "<finiteintrangeconstant value='" N                                          \
  "'><finiteintrange start='1' end='4'/></finiteintrangeconstant>"
#define ALL(ID) "<all>" SORT (ID) "</all>"
#define TUPLE2(A, B) "<tuple>" SUB (A) SUB (B) "</tuple>"
#define TWO(OP, A, B) "<" OP ">" SUB (A) SUB (B) "</" OP ">"
#define TRANSITION(ID, GUARD)                                                  \
  "<transition id='" ID "'><condition><structure>" GUARD                       \
  "</structure></condition></transition>\n"
#define ARC(FROM, TO, LABEL)                                                   \
  "<arc id='a' source='" FROM "' target='" TO                                  \
  "'><hlinscription><structure>" LABEL "</structure></hlinscription></arc>\n"

static tl_coloured *read_net (tl_mem *mem, const char *text) {
  tl_coloured *net;
  tl_error err = {0};
  if (tl_read_coloured_text (&net, mem, "x.pnml", text, strlen (text), &err))
    fail_msg ("%ld:%ld: %s", err.line, err.column, err.text);
  return net;
}

static void close_net (tl_coloured *net, tl_mem *mem) {
  tl_coloured_close (net);
  assert_int_equal (mem->used, 0);
}

// ---- Sorts and markings ----------------------------------------------------

static void test_domains (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  // Declarations may come last, and sorts before those they are made of.
  tl_coloured *net = read_net (
      &mem, NET ("<page id='g'>" PLACE ("a", SORT ("P"), ALL ("P")) PLACE (
                "b", "<dot/>", OF ("3", "<dotconstant/>"))
                     PLACE ("c", SORT ("C"), VALUE ("c1")) "</page>" DECLARE (
                         PAIR COLOURS RANGE ("N", "1", "4"))));
  assert_int_equal (net->places, 3);
  assert_string_equal (net->name, "x");
  const tl_cplace *a = net->place, *b = a + 1, *c = a + 2;
  assert_int_equal (a->parts, 2);
  assert_string_equal (a->part[0]->name, "colour");
  assert_string_equal (a->part[1]->name, "N");
  assert_int_equal (a->part[1]->last, 4);
  assert_int_equal (a->initial.tuple[0].loops, 2);
  assert_int_equal (a->capacity, TL_NO_CAPACITY);
  assert_int_equal (b->cells, 0);
  assert_int_equal (b->initial.tuple[0].factor, 3);
  assert_int_equal (c->initial.tuple[0].part[0]->value[0], 1);
  assert_string_equal (c->part[0]->constant[1], "green");
  close_net (net, &mem);
}

// Sums in a tuple are multiplied out; what is subtracted has a negative factor.
static void test_sums (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *net = read_net (
      &mem,
      NET (ALL_DECLARED PLACE (
          "a", SORT ("P"),
          TWO ("subtract",
               OF ("2", TUPLE2 (TWO ("add", VALUE ("c0"), VALUE ("c1")),
                                TWO ("add", INT ("1"), ALL ("N")))),
               "<tuple>" SUB (TUPLE2 (VALUE ("c0"), INT ("2"))) "</tuple>"))));
  const tl_label *label = &net->place->initial;
  assert_int_equal (label->tuples, 5);
  static const int64_t factors[] = {2, 2, 2, 2, -1};
  static const uint32_t loops[] = {0, 1, 0, 1, 0};
  for (int i = 0; i < 5; i++) {
    assert_int_equal (label->tuple[i].factor, factors[i]);
    assert_int_equal (label->tuple[i].loops, loops[i]);
  }
  close_net (net, &mem);
}

// ---- Transitions -----------------------------------------------------------

static void test_variables (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  // x is bound by a, y only told apart from it, n is in no input as such.
  tl_coloured *net = read_net (
      &mem,
      NET (ALL_DECLARED PLACE ("a", SORT ("C"), ALL ("C")) PLACE (
          "b", SORT ("P"),
          ALL ("P")) TRANSITION ("t", TWO ("inequality", VAR ("x"), VAR ("y")))
               ARC ("a", "t", VAR ("x")) ARC (
                   "b", "t",
                   TUPLE2 ("<successor>" SUB (VAR ("y")) "</successor>",
                           "<predecessor>" SUB (VAR ("n")) "</predecessor>"))
                   ARC ("t", "b", TUPLE2 (VAR ("y"), VAR ("n")))));
  const tl_ctransition *t = net->transition;
  assert_int_equal (t->variables, 3);
  assert_int_equal (t->frame, 3);
  for (uint32_t i = 0; i < 3; i++) {
    const bool bound = !strcmp (t->variable[i].name, "x");
    assert_int_equal (t->variable[i].kind,
                      bound ? TL_VARIABLE_ARC : TL_VARIABLE_PICK);
    assert_ptr_equal (t->variable[i].pick.type,
                      bound ? 0 : t->variable[i].type);
  }
  assert_int_equal (t->guard->kind, TL_TERM_UNEQUAL);
  assert_int_equal (t->ins, 2);
  assert_int_equal (t->outs, 1);
  const tl_tuple *in = t->in[1].label.tuple;
  assert_int_equal (in->part[0]->kind, TL_TERM_SUCC);
  assert_int_equal (in->part[1]->kind, TL_TERM_CHOOSE); // it wraps
  close_net (net, &mem);
}

// A variable of a product is one for each part.
static void test_product_variable (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *net = read_net (
      &mem,
      NET (ALL_DECLARED PLACE ("b", SORT ("P"), ALL ("P")) TRANSITION (
          "t", TWO ("equality", VAR ("p"), TUPLE2 (VALUE ("c0"), INT ("3"))))
               ARC ("b", "t", VAR ("p"))));
  const tl_ctransition *t = net->transition;
  assert_int_equal (t->variables, 2);
  assert_string_equal (t->variable[1].name, "p.2");
  assert_int_equal (t->variable[1].kind, TL_VARIABLE_ARC);
  assert_int_equal (t->guard->kind, TL_TERM_AND);
  close_net (net, &mem);
}

static void test_partition (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *net = read_net (
      &mem,
      NET (DECLARE (COLOURS "<partition id='H' name='heat'>" SORT (
          "C") "<partitionelement id='warm' "
               "name='warm'>" VALUE ("c0") "</"
                                           "partitionelement><"
                                           "partitionelement "
                                           "id='cold' "
                                           "name='cold'"
                                           ">" VALUE ("c1") VALUE (
                                               "c2") "</"
                                                     "pa"
                                                     "rt"
                                                     "it"
                                                     "io"
                                                     "ne"
                                                     "le"
                                                     "me"
                                                     "nt"
                                                     "><"
                                                     "/p"
                                                     "ar"
                                                     "ti"
                                                     "ti"
                                                     "on"
                                                     ">" VARIABLE ("x", "C")
                                                         VARIABLE ("k", "cold"))
               PLACE ("a", SORT ("C"), ALL ("cold")) TRANSITION (
                   "t", TWO ("equality",
                             "<partitionelementof refpartition='H'>" SUB (
                                 VAR ("x")) "</partitionelementof>",
                             VALUE ("warm"))) ARC ("a", "t", VAR ("x"))
                   ARC ("t", "a", VAR ("k"))));
  const tl_ctransition *t = net->transition;
  const tl_tuple *initial = net->place->initial.tuple;
  assert_int_equal (initial->loop[0].type->first, 1);
  assert_int_equal (initial->loop[0].type->last, 2);
  assert_int_equal (t->guard->operand[0]->kind, TL_TERM_CHOOSE);
  assert_string_equal (t->guard->operand[1]->type->name, "heat");
  close_net (net, &mem);
}

// Pages are flattened, references stand for what they lead to.
static void test_references (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *net = read_net (
      &mem, NET ("<page id='g'><referencePlace id='r' ref='q'/>"
                 "<referencePlace id='q' ref='a'/>" ARC (
                     "r", "t",
                     "<dotconstant/>") "<page id='h'>" PLACE ("a", "<dot/>",
                                                              "<dotconstant/"
                                                              ">") "<transit"
                                                                   "ion "
                                                                   "id='t'/"
                                                                   "></page>"
                                                                   "<arc "
                                                                   "id='b' "
                                                                   "source='"
                                                                   "t' "
                                                                   "target='"
                                                                   "q'/></"
                                                                   "page>"));
  const tl_ctransition *t = net->transition;
  assert_int_equal (t->ins, 1);
  assert_int_equal (t->outs, 1);
  assert_int_equal (t->in[0].place, 0);
  assert_int_equal (t->out[0].label.tuples, 1);
  close_net (net, &mem);
}

// ---- Faults ----------------------------------------------------------------

static const struct bad {
  const char *text;
  long line;
  const char *message;
} bad[] = {
    {NET ("\n" PLACE ("a", SORT ("Z"), "")), 3, "unknown sort 'Z'"},
    {NET (ALL_DECLARED PLACE ("a", SORT ("C"), VALUE ("c9"))), 3,
     "unknown constant 'c9'"},
    {NET (ALL_DECLARED PLACE ("a", SORT ("C"), VAR ("x"))), 3,
     "in an initial marking"},
    {NET (ALL_DECLARED PLACE ("a", SORT ("C"), INT ("1"))), 3,
     "a value of the sort 'N', where the place has 'colour'"},
    {NET (ALL_DECLARED PLACE ("a", SORT ("C"), ALL ("P"))), 3,
     "a token of 2 parts for place 'a', which has 1"},
    {NET (ALL_DECLARED PLACE ("a", SORT ("N"), INT ("5"))), 3, "out of range"},
    {NET (ALL_DECLARED PLACE ("a", SORT ("C"), OF ("-1", VALUE ("c0")))), 3,
     "out of range"},
    {NET (ALL_DECLARED PLACE ("a", SORT ("C"), OF ("many", VALUE ("c0")))), 3,
     "'many' is not a number"},
    {NET (ALL_DECLARED PLACE ("a", SORT ("C"), "<frob/>")), 3,
     "<frob> is not known"},
    {NET (ALL_DECLARED PLACE ("a", SORT ("C"), "<and/>")), 3,
     "<and> cannot stand here"},
    {NET (ALL_DECLARED PLACE ("a", "<add/>", "")), 3, "is not a sort"},
    {NET (ALL_DECLARED PLACE ("a", SORT ("C"), VALUE ("c0") VALUE ("c1"))), 3,
     "a second term"},
    {NET (ALL_DECLARED TRANSITION ("t", VAR ("x"))), 3, "not a condition"},
    {NET (
         ALL_DECLARED TRANSITION ("t", TWO ("equality", VAR ("x"), VAR ("n")))),
     3, "different sorts"},
    {NET (ALL_DECLARED TRANSITION ("t",
                                   TWO ("lessthan", ALL ("C"), VALUE ("c0")))),
     3, "a multi-set where a value is needed"},
    {NET (
         ALL_DECLARED TRANSITION ("t", TWO ("lessthan", VAR ("p"), VAR ("p")))),
     3, "single values"},
    {NET (ALL_DECLARED TRANSITION ("t", "<not/>")), 3, "one condition"},
    {NET (DECLARE (COLOURS COLOURS)), 2, "a second declaration of 'C'"},
    {NET (DECLARE (RANGE ("N", "3", "1"))), 2, "out of range"},
    {NET (DECLARE ("<namedsort id='A'>" SORT ("B") "</namedsort>"
                                                   "<namedsort id='B'>" SORT (
                                                       "A") "</namedsort>")),
     2, "nested too deep"},
    {NET (DECLARE ("<namedsort id='A'><finiteenumeration/></namedsort>")), 2,
     "without constants"},
    {NET (PLACE ("a", "<dot/>", "") PLACE ("a", "<dot/>", "")), 3,
     "a second node 'a'"},
    {NET (PLACE ("a", "<dot/>", "") ARC ("a", "b", "<dotconstant/>")), 3,
     "unknown node 'b'"},
    {NET (PLACE ("a", "<dot/>", "") ARC ("a", "a", "<dotconstant/>")), 3,
     "connects two places"},
    {NET (ALL_DECLARED PLACE (
         "a", SORT ("C"),
         VALUE ("c0")) "<transition id='t'/><arc source='a' target='t'/>"),
     4, "no inscription"},
    {NET (PLACE ("a", "<dot/>",
                 "") "<transition id='t'/><arc source='a' target='t'>"
                     "<type value='reset'/></arc>"),
     3, "arcs of type 'reset'"},
    {NET (PLACE ("a", "<dot/>",
                 "") "<transition id='t'/><arc source='t' target='a'>"
                     "<type value='inhibitor'/></arc>"),
     3, "this inhibitor arc leads to a place"},
    {NET ("<place id='a'><initialMarking><text>1</text></initialMarking>"
          "</place>"),
     2, "a plain number"},
    {NET ("<referencePlace id='r' ref='q'/><referencePlace id='q' ref='r'/>"),
     2, "does not lead to a node"},
};

static void test_bad (void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_coloured *net;
    tl_error err = {0};
    if (!tl_read_coloured_text (&net, &mem, "x.pnml", bad[i].text,
                                strlen (bad[i].text), &err))
      fail_msg ("was read: %s", bad[i].text);
    if (err.line != bad[i].line || !strstr (err.text, bad[i].message))
      fail_msg ("%ld: %s, not %ld: %s", err.line, err.text, bad[i].line,
                bad[i].message);
    assert_null (net);
    assert_int_equal (mem.used, 0);
  }
}

// The n-th allocation fails, for each n.
static void test_no_memory (void **state) {
  (void)state;
  const char *text =
      NET (ALL_DECLARED PLACE ("b", SORT ("P"), ALL ("P"))
               TRANSITION ("t", TWO ("equality", VAR ("x"), VALUE ("c0")))
                   ARC ("b", "t", TUPLE2 (VAR ("x"), VAR ("n"))));
  for (long n = 0;; n++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_coloured *net;
    tl_error err = {0};
    mem.fail_after = n;
    const tl_status status =
        tl_read_coloured_text (&net, &mem, "x", text, strlen (text), &err);
    tl_coloured_close (net);
    assert_int_equal (mem.used, 0);
    if (!status)
      break;
    assert_int_equal (status, TL_E_NOMEM);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_domains),
      cmocka_unit_test (test_sums),
      cmocka_unit_test (test_variables),
      cmocka_unit_test (test_product_variable),
      cmocka_unit_test (test_partition),
      cmocka_unit_test (test_references),
      cmocka_unit_test (test_bad),
      cmocka_unit_test (test_no_memory),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
