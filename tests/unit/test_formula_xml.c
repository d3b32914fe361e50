// Reading questions from contest property files: what every element means, what
// is said about bad documents, and how much is read.

#include "../asking.h"

#include "read/formula_xml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(ARRAY) ((uint32_t)(sizeof (ARRAY) / sizeof *(ARRAY)))

static tl_status read_xml (tl_questions *q, const char *text, tl_error *err) {
  tl_input in;
  tl_input_open_memory (&in, "test.xml", text, strlen (text));
  tl_status rc = tl_input_next (&in, err);
  if (!rc)
    rc = tl_formula_xml_read (q, &in, err);
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
    {"<integer-lt>" P ONE "</integer-lt>", "p <= 0"},
    {"<integer-ge>" P ONE "</integer-ge>", "p >= 1"},
    {"<integer-gt>" P ONE "</integer-gt>", "p >= 2"},
    {"<integer-eq>" P ONE "</integer-eq>", "p = 1"},
    {"<integer-ne>" P ONE "</integer-ne>", "p != 1"},
    {"<integer-ge><integer-sum>" P ONE "<integer-product><integer-constant>3"
     "</integer-constant>" P "</integer-product></integer-sum>"
     "<integer-difference>" ONE P "</integer-difference></integer-ge>",
     "5 * p >= 0"},
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
    {"<implication><true/><false/></implication>", "NOT TRUE OR FALSE"},
    {"<equivalence><true/><false/></equivalence>",
     "(TRUE AND FALSE) OR (NOT TRUE AND NOT FALSE)"},
    {"<exclusive-disjunction><true/><false/></exclusive-disjunction>",
     "(TRUE AND NOT FALSE) OR (NOT TRUE AND FALSE)"},
    {"<m:negation xmlns:m=\"http://mcc.lip6.fr/\">" ATOM "</m:negation>",
     "NOT (p <= 1)"},
    {"<integer-le>" P "<integer-constant> 9223372036854775807 "
     "</integer-constant></integer-le>",
     "p <= 9223372036854775807"},
};

static void documents_mean_what_they_say (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = asking_net (&mem);
  for (size_t i = 0; i < COUNT (documents); i++) {
    tl_questions *q = asking_open (net, &mem);
    tl_error err = {0};
    const tl_status rc = read_xml (q, document (documents[i].xml), &err);
    if (rc)
      print_message ("%s: %s\n", documents[i].xml, err.text);
    assert_int_equal (rc, TL_OK);
    assert_int_equal (tl_questions_count (q), 1);
    assert_string_equal (q->question[0].name, "name");
    assert_string_equal (asking_printed (q, 0), documents[i].meaning);
    tl_questions_close (q);
  }
  tl_questions *q = asking_open (net, &mem);
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
  tl_net *net = asking_net (&mem);
  tl_questions *q = asking_open (net, &mem);
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
      {"<pnml/>", "this is a net, and it has no query"},
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
  tl_net *net = asking_net (&mem);
  tl_questions *q = asking_open (net, &mem);
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
  tl_net *net = asking_net (&mem);
  expect_xml (net, asking_nested (900, "<negation>", ATOM, "</negation>"),
              TL_OK, 0);
  expect_xml (net, asking_nested (5000, "<negation>", ATOM, "</negation>"),
              TL_E_SYNTAX, "elements are nested more than 1000 deep");
  // Long lists are fine, long names are not.
  char *list = asking_nested (5000, "<transition>go</transition>", "", "");
  char *atom = test_malloc (strlen (list) + 100);
  sprintf (atom, "<is-fireable>%s</is-fireable>", list);
  expect_xml (net, atom, TL_OK, 0);
  test_free (list);
  char *name = asking_nested (3 << 20, "x", "", "");
  atom = test_malloc (strlen (name) + 100);
  sprintf (atom, "<is-fireable><transition>%s</transition></is-fireable>",
           name);
  expect_xml (net, atom, TL_E_SYNTAX, "a text is longer than 2097152 bytes");
  test_free (name);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void missing_files_are_told (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_net *net = asking_net (&mem);
  tl_questions *q = asking_open (net, &mem);
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

// Queries inside a net of TAPAAL: names count, temporal operators take all
// that follows, and transitions alone are enabled.
#define QUERIES                                                                \
  "<pnml><net/><query name='one' query='EF p = 1 and go'/>"                    \
  "<query name='off' active='false' query='no'><formula><x/></formula>"        \
  "</query><query name='two' type='LTL'><formula>" ATOM "</formula></query>"   \
  "<query query='(AG p = 1) or AF !(p = 2) || go and E (p = 1 U go)'/>"        \
  "</pnml>"

static void queries_of_tapaal (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "all");
  tl_net *net = asking_net (&mem);
  tl_questions *q = asking_open (net, &mem);
  tl_error err = {0};
  if (read_xml (q, QUERIES, &err))
    fail_msg ("%s", err.text);
  assert_int_equal (q->count, 3);
  assert_string_equal (q->question[0].name, "one");
  assert_string_equal (asking_printed (q, 0), "EF (p = 1 AND FIREABLE(go))");
  assert_false (q->question[0].linear);
  assert_string_equal (q->question[1].name, "two");
  assert_true (q->question[1].linear);
  assert_string_equal (q->question[2].name, "query");
  assert_string_equal (asking_printed (q, 2),
                       "AG (p = 1) OR AF (NOT (p = 2) OR (FIREABLE(go) AND "
                       "E (p = 1 U FIREABLE(go))))");
  static const char *const bad[][2] = {
      {"<pnml>\n<query name='x'/></pnml>", "query 'x' has no formula"},
      {"<pnml>\n<query type='SMC'/></pnml>",
       "queries of type 'SMC' are not supported"},
      {"<pnml>\n<query query='p = 1; p = 2'/></pnml>",
       "a query is one formula"},
      {"<pnml>\n<query query='EF p = '/></pnml>",
       "expected a formula or a sum of places, found the end"}};
  for (size_t i = 0; i < COUNT (bad); i++) {
    assert_int_not_equal (read_xml (q, bad[i][0], &err), TL_OK);
    assert_string_equal (err.text, bad[i][1]);
    assert_int_equal (err.line, 2);
    assert_int_equal (q->count, 3);
  }
  tl_questions_close (q);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static tl_status read_queries (tl_questions *q, tl_error *err) {
  return read_xml (q, QUERIES, err);
}

static tl_status read_one (tl_questions *q, tl_error *err) {
  return read_xml (
      q,
      document ("<exists-path><until><before><conjunction>" ATOM GO ATOM
                "</conjunction></before><reach>" GO
                "</reach></until></exists-path>"),
      err);
}

static void no_memory_is_told (void **state) {
  (void)state;
  asking_starved (read_one);
  asking_starved (read_queries);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (documents_mean_what_they_say),
      cmocka_unit_test (bad_documents_are_refused),
      cmocka_unit_test (documents_must_be_whole),
      cmocka_unit_test (documents_are_limited),
      cmocka_unit_test (missing_files_are_told),
      cmocka_unit_test (queries_of_tapaal),
      cmocka_unit_test (no_memory_is_told),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
