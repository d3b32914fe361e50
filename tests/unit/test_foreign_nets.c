// Nets of TAPAAL and of GreatSPN: what each construct means, that a net which
// is written in these formats reads as that net, and memory that runs out.

#include "../random_net.h"

#include "base/random.h"
#include "read/read.h"
#include "read/write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tl_net *read_text (const char *path, const char *text, tl_mem *mem) {
  tl_net *net;
  tl_error err = {0};
  if (tl_read_net_text (&net, mem, path, text, strlen (text), &err))
    fail_msg ("%s:%ld:%ld: %s\n%s", err.file, err.line, err.column, err.text,
              text);
  return net;
}

// The net as TINA would write it; to be freed.
static char *as_tina (const tl_net *net) {
  char *text = 0;
  size_t length;
  tl_mem mem = TL_MEM (0, "writing");
  FILE *f = open_memstream (&text, &length);
  assert_int_equal (tl_write_net (net, &mem, f, "tina", 0), TL_OK);
  fclose (f);
  return text;
}

static void means (const char *path, const char *format, const char *text,
                   const char *meaning) {
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = read_text (path, text, &mem);
  char *tina = as_tina (net);
  assert_string_equal (net->format, format);
  assert_string_equal (tina, meaning);
  free (tina);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void fails_cleanly (const char *path, const char *text) {
  for (long n = 0;; n++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_error err = {0};
    tl_net *net;
    mem.fail_after = n;
    const tl_status status =
        tl_read_net_text (&net, &mem, path, text, strlen (text), &err);
    if (!status)
      tl_net_close (net);
    assert_int_equal (mem.used, 0);
    if (!status)
      return;
    assert_int_equal (status, TL_E_NOMEM);
    assert_int_equal (err.code, TL_E_NOMEM);
    assert_null (net);
  }
}

// ---- TAPAAL

#define OF_EDITOR                                                              \
  "<?xml version='1.0'?><!-- <place/> -->"                                     \
  "<pnml xmlns='x'><constant name='two' value='2'/>"                           \
  "<constant name='none' value='0'/>"                                          \
  "<shared-place name='wire' initialMarking='1' invariant='&lt; inf'/>"        \
  "<shared-transition name='reset'/><shared-transition name='nowhere'/>"       \
  "<net active='true' id='A' type='P/T net'><labels>a text</labels>"           \
  "<place id='P0' name='idle' initialMarking='5' invariant='&lt;inf'>"         \
  "<type><text>dot</text><structure><usersort declaration='dot'/></structure>" \
  "</type></place>"                                                            \
  "<place id='P1' name='wire' initialMarking='9' invariant='&lt;= 3'/>"        \
  "<arc source='T0' target='P1' type='normal' weight='two' inscription='1'>"   \
  "<arcpath/></arc>"                                                           \
  "<arc source='P0' target='T0' type='timed' inscription='[none, inf)'/>"      \
  "<arc source='P1' target='T0' type='tapnInhibitor' weight='3'"               \
  " inscription='[0,inf)'/>"                                                   \
  "<transition id='T0' name='send' urgent='true' priority='0'/>"               \
  "<transition id='T1' name='reset'/><arc source='T1' target='P0'/></net>"     \
  "<net id='B'><place id='P0' initialMarking='0'/>"                            \
  "<place id='P1' name='wire'/><transition name='T0'/>"                        \
  "<transition id='T1' name='reset'/>"                                         \
  "<arc source='P1' target='T0' type='transport' inscription='[0,inf):1'/>"    \
  "<arc source='T0' target='P0' type='transport' inscription='[0,inf):1'/>"    \
  "<arc source='P0' target='T1' type='timed' inscription='[0,inf)'/></net>"    \
  "<net id='C' active='false'><place id='P0' invariant='&lt;= 1'/>"            \
  "<arc source='x' target='y' inscription='[1,2]'/></net>"                     \
  "<query name='q'><formula/></query><k-bound bound='3'/>"                     \
  "<feature isGame='true' isTimed='true' isColored='false'/></pnml>"

static void test_tapaal_editor (void **state) {
  (void)state;
  const char *meaning = "net x\npl wire (1)\npl {A.idle} : idle (5)\n"
                        "pl {B.P0} : P0\n"
                        "tr {A.send} : send {A.idle} wire?-3 -> wire*2\n"
                        "tr reset {B.P0} -> {A.idle}\n"
                        "tr {B.T0} : T0 wire -> {B.P0}\n";
  means ("x.tapn", "tapaal", OF_EDITOR, meaning);
  means ("x.pnml", "tapaal", OF_EDITOR, meaning);
}

// What the editor hands to its engines has one net, perhaps without a name, and
// an element for each kind of arc.
static void test_tapaal_engine (void **state) {
  (void)state;
  means ("x.xml", "tapaal",
         "<pnml><net><inputArc inscription='[0,inf)' source='p' target='t'"
         " weight='2'/><outputArc source='t' target='q' inscription='1'/>"
         "<transportArc source='p' transition='t' target='r' weight='3'"
         " inscription='[0,inf)'/>"
         "<inhibitorArc source='q' target='t' inscription='[0,inf)'/>"
         "<place id='p' name='p' initialMarking='7' invariant='&lt; inf'/>"
         "<place id='q' name='q'/><place id='r' name='r'/>"
         "<transition id='t' name='t'/></net></pnml>",
         "net x\npl p (7)\npl q\npl r\ntr t p*5 q?-1 -> q r*3\n");
}

// Standard PNML is read as such, whatever it says about others.
static void test_tapaal_is_told (void **state) {
  (void)state;
  means ("x.pnml", "pnml",
         "<pnml><!-- <shared-place/> --><net><name><text>"
         "<![CDATA[<place initialMarking='1'>]]></text></name>"
         "<place id='initialMarking=' x=\" initialMarking='1'>\">"
         "<initialMarking><text>2</text></initialMarking></place></net>"
         "</pnml>",
         "net x\npl {initialMarking=} (2)\n");
}

// ---- GreatSPN

#define OF_GREATSPN                                                            \
  "|0|\nA comment\n\n|\nf 2 3 1 2 0 0 0\n"                                     \
  "N 4 1.0 2.5 0\nM -7134 1 1 2 3 0\n"                                         \
  "p|tag|more -1 1.0 1.0 1.2 0.9 1 2 0\r\n"                                    \
  "q   0   3.0 1.0\n\n"                                                        \
  "r 3 1e+00 1.0 -0.5 2.0 0\n"                                                 \
  "mu 0.5 1.0 1.0 0\n"                                                         \
  "t|a  -1.000000e+00   0   0   2 0 1 1 2 2 3 3 0\n"                           \
  "   2   1   2 0\n1.0 2.0\n3.0 4.0\n   -1   2   0 1 0\n"                      \
  "   1\n   1   3   0\n   1\n   3   3   0 0\n"                                 \
  "u 2.5 1 0 0 0 1 1\n 0\n 0\n"                                                \
  "the name of a layer\n"

static void test_greatspn (void **state) {
  (void)state;
  means ("x.net", "greatspn", OF_GREATSPN,
         "net x\npl p (4)\npl q\npl r (3)\ntr t p*2 q r?-3 -> r\ntr u ->\n");
}

// All transitions are immediate, and none is preferred.
static void test_greatspn_immediate (void **state) {
  (void)state;
  means ("x", "greatspn",
         "|0|\n|\nf 0 1 0 2 3 0\np 1 1 1 1 1 0\nG1 0 0 4\nG2 0 0\nG3 0 0 2\n"
         "t 1.0 1 2 1 0 1 1\n 1 1 0 0\n 0\n 0\n"
         "u 1.0 1 3 0 0 1 1\n 1\n 1 1 0 0\n 0\n",
         "net x\npl p (1)\ntr t p ->\ntr u -> p\n");
}

// What is preferred to others inhibits them: u has priority over v, and v, like
// w, over t.
static void test_greatspn_priorities (void **state) {
  (void)state;
  means ("x", "greatspn",
         "|0|\n|\nf 0 3 0 4 2 0 0\np 1 1 1\nq 1 1 1\nr 0 1 1\n"
         "G1 0 0 1\nG2 0 0 7\n"
         "t 1.0 0 0 1 0 1 1\n1 1 0 0\n0\n0\n"
         "u 1.0 1 2 1 0 1 1\n2 2 0 0\n1\n1 3 0 0\n0\n"
         "v 1.0 1 1 1 0 1 1\n1 3 0 0\n0\n0\n"
         "w 1.0 1 1 1 0 1 1\n3 2 0 0\n0\n0\n",
         "net x\npl p (1)\npl q (1)\npl r\ntr t p q?-2 r?-1 ->\n"
         "tr u q*2 -> r\ntr v r q?-2 ->\ntr w q*3 q?-2 ->\n");
}

// ---- Random nets, written and read

// The arcs of all kinds of a transition.
static tl_arcs arcs_of (const tl_net *net, tl_arc_kind kind, uint32_t t) {
  return kind == TL_ARC_PRE    ? tl_net_pre (net, t)
         : kind == TL_ARC_POST ? tl_net_post (net, t)
                               : tl_net_inhibitors (net, t);
}

#define GROUPS 2

// The kinds of the transitions: 0 timed, else the number of a group.
static void write_greatspn (const tl_net *net, const uint32_t *kind_of,
                            tl_random *random, FILE *f) {
  fprintf (f, "|0|\n|\nf %u %u 0 %u %d 0 0\n", net->places, net->places,
           net->transitions, GROUPS);
  for (uint32_t p = 0; p < net->places; p++)
    fprintf (f, "m%u %u 1.0 1.0 0\n", p, net->initial[p]);
  for (uint32_t p = 0; p < net->places; p++)
    if (tl_random_below (random, 2))
      fprintf (f, "%s -%u 1.0 1.0\n", net->place_id[p], p + 1);
    else
      fprintf (f, "%s  %u 1.0 1.0 2 2 0\n", net->place_id[p], net->initial[p]);
  for (uint32_t g = 1; g <= GROUPS; g++)
    fprintf (f, "G%u 1.0 1.0 %u\n", g, g);
  for (uint32_t t = 0; t < net->transitions; t++) {
    fprintf (f, "%s 1.0 1 %u %u 0 1 1\n", net->transition_id[t], kind_of[t],
             tl_net_pre (net, t).count);
    for (tl_arc_kind kind = TL_ARC_PRE; kind <= TL_ARC_INHIBITOR; kind++) {
      const tl_arcs arcs = arcs_of (net, kind, t);
      if (kind != TL_ARC_PRE)
        fprintf (f, "%u\n", arcs.count);
      for (uint32_t i = 0; i < arcs.count; i++) {
        const uint32_t points = (uint32_t)tl_random_below (random, 2);
        fprintf (f, " %u %u %u 0\n%s", arcs.arc[i].weight,
                 arcs.arc[i].place + 1, points, points ? "1 1\n" : "");
      }
    }
  }
}

#define COMPONENTS 3

// In which component a node is; COMPONENTS: it is shared.
typedef struct parts {
  uint32_t place[RANDOM_PLACES], transition[RANDOM_TRANSITIONS];
} division;

// A transition that has places of several components is shared.
static void divide (const tl_net *net, tl_random *random, division *parts) {
  for (uint32_t p = 0; p < net->places; p++)
    parts->place[p] = (uint32_t)tl_random_below (random, COMPONENTS + 1);
  for (uint32_t t = 0; t < net->transitions; t++) {
    uint32_t *part = parts->transition + t;
    *part = (uint32_t)tl_random_below (random, COMPONENTS);
    bool any = false;
    for (tl_arc_kind kind = TL_ARC_PRE; kind <= TL_ARC_INHIBITOR; kind++) {
      const tl_arcs arcs = arcs_of (net, kind, t);
      for (uint32_t i = 0; i < arcs.count; i++) {
        const uint32_t at = parts->place[arcs.arc[i].place];
        if (at == COMPONENTS)
          continue;
        *part = any && *part != at ? COMPONENTS : at;
        any = true;
      }
    }
  }
}

static void write_arc (FILE *f, tl_arc_kind kind, const char *place,
                       const char *transition, uint32_t weight) {
  const bool post = kind == TL_ARC_POST;
  fprintf (f, "<arc source='%s' target='%s' type='%s' weight='%u'/>",
           post ? transition : place, post ? place : transition,
           post                 ? "normal"
           : kind == TL_ARC_PRE ? "timed"
                                : "tapnInhibitor",
           weight);
}

// Arcs of shared places to shared transitions are in the first component.
static void write_component (const tl_net *net, const division *parts,
                             uint32_t part, FILE *f) {
  fprintf (f, "<net id='C%u'>", part);
  for (uint32_t p = 0; p < net->places; p++)
    if (parts->place[p] == part || parts->place[p] == COMPONENTS)
      fprintf (f, "<place id='a%u' name='%s' initialMarking='%u'/>", p,
               net->place_id[p], net->initial[p]);
  for (uint32_t t = 0; t < net->transitions; t++) {
    const bool shared = parts->transition[t] == COMPONENTS;
    if (parts->transition[t] != part && !shared)
      continue;
    char id[20];
    sprintf (id, "b%u", t);
    fprintf (f, "<transition id='%s' name='%s'/>", id, net->transition_id[t]);
    for (tl_arc_kind kind = TL_ARC_PRE; kind <= TL_ARC_INHIBITOR; kind++) {
      const tl_arcs arcs = arcs_of (net, kind, t);
      for (uint32_t i = 0; i < arcs.count; i++) {
        const uint32_t of = parts->place[arcs.arc[i].place];
        char place[20];
        sprintf (place, "a%u", arcs.arc[i].place);
        if (of == part || (of == COMPONENTS && (!shared || !part)))
          write_arc (f, kind, place, id, arcs.arc[i].weight);
      }
    }
  }
  fputs ("</net>\n", f);
}

static void write_tapaal (const tl_net *net, const division *parts, FILE *f) {
  fputs ("<pnml>", f);
  for (uint32_t p = 0; p < net->places; p++)
    if (parts->place[p] == COMPONENTS)
      fprintf (f, "<shared-place name='%s' initialMarking='%u'/>",
               net->place_id[p], net->initial[p]);
  for (uint32_t t = 0; t < net->transitions; t++)
    if (parts->transition[t] == COMPONENTS)
      fprintf (f, "<shared-transition name='%s'/>", net->transition_id[t]);
  for (uint32_t part = 0; part < COMPONENTS; part++)
    write_component (net, parts, part, f);
  fputs ("<k-bound bound='3'/></pnml>", f);
}

// The node of the net that was read which stands for one of the net that was
// written.
static uint32_t find (const tl_names *ids, const char *id, uint32_t part) {
  char text[64];
  sprintf (text, "C%u.%s", part, id);
  const uint32_t found = tl_names_find (ids, part == COMPONENTS ? id : text);
  assert_int_not_equal (found, TL_NO_NAME);
  return found;
}

static void is_same (const tl_net *net, const tl_net *back,
                     const division *parts) {
  assert_int_equal (back->places, net->places);
  assert_int_equal (back->transitions, net->transitions);
  assert_int_equal (back->arcs, net->arcs);
  for (uint32_t p = 0; p < net->places; p++)
    assert_int_equal (back->initial[find (&back->place_ids, net->place_id[p],
                                          parts->place[p])],
                      net->initial[p]);
  for (uint32_t t = 0; t < net->transitions; t++) {
    const uint32_t u = find (&back->transition_ids, net->transition_id[t],
                             parts->transition[t]);
    for (tl_arc_kind kind = TL_ARC_PRE; kind <= TL_ARC_INHIBITOR; kind++) {
      const tl_arcs here = arcs_of (net, kind, t);
      const tl_arcs there = arcs_of (back, kind, u);
      assert_int_equal (there.count, here.count);
      for (uint32_t i = 0; i < here.count; i++) {
        const uint32_t p = here.arc[i].place;
        const uint32_t q =
            find (&back->place_ids, net->place_id[p], parts->place[p]);
        uint32_t at = 0;
        while (at < there.count && there.arc[at].place != q)
          at++;
        assert_true (at < there.count);
        assert_int_equal (there.arc[at].weight, here.arc[i].weight);
      }
    }
  }
}

static void test_random (void **state) {
  (void)state;
  static random_net made;
  static division parts;
  static const uint32_t timed[RANDOM_TRANSITIONS];
  for (uint64_t seed = 1; seed <= 200; seed++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_random random = {seed};
    char *text, *expected, *found;
    size_t length;
    random_net_make (&made, seed);
    tl_net *net = random_net_build (&made, &mem);
    FILE *f = open_memstream (&text, &length);
    write_greatspn (net, timed, &random, f);
    fclose (f);
    tl_net *back = read_text (net->name, text, &mem);
    assert_string_equal (expected = as_tina (net), found = as_tina (back));
    free (expected);
    free (found);
    free (text);
    tl_net_close (back);
    divide (net, &random, &parts);
    f = open_memstream (&text, &length);
    write_tapaal (net, &parts, f);
    fclose (f);
    back = read_text ("x.tapn", text, &mem);
    is_same (net, back, &parts);
    free (text);
    tl_net_close (back);
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
}

static bool is_enabled (const tl_net *net, const uint32_t *marking,
                        uint32_t t) {
  const tl_arcs pre = tl_net_pre (net, t);
  const tl_arcs inhibitors = tl_net_inhibitors (net, t);
  for (uint32_t i = 0; i < pre.count; i++)
    if (marking[pre.arc[i].place] < pre.arc[i].weight)
      return false;
  for (uint32_t i = 0; i < inhibitors.count; i++)
    if (marking[inhibitors.arc[i].place] >= inhibitors.arc[i].weight)
      return false;
  return true;
}

// Of the enabled transitions of the net those of the highest kind are enabled
// in the net that was read.
static void is_preferring (const tl_net *net, const tl_net *back,
                           const uint32_t *kind, const uint32_t *marking) {
  uint32_t highest = 0;
  for (uint32_t t = 0; t < net->transitions; t++)
    if (is_enabled (net, marking, t) && kind[t] > highest)
      highest = kind[t];
  for (uint32_t t = 0; t < net->transitions; t++)
    assert_int_equal (is_enabled (back, marking, t),
                      is_enabled (net, marking, t) && kind[t] == highest);
}

// Transitions that may be preferred are, some of them.
static void test_random_priorities (void **state) {
  (void)state;
  static random_net made;
  static uint32_t kind[RANDOM_TRANSITIONS], marking[RANDOM_PLACES];
  for (uint64_t seed = 1; seed <= 200; seed++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_random random = {seed};
    char *text;
    size_t length;
    random_net_make (&made, seed);
    tl_net *net = random_net_build (&made, &mem);
    for (uint32_t t = 0; t < net->transitions; t++)
      kind[t] =
          tl_net_pre (net, t).count == 1 && !tl_net_inhibitors (net, t).count
              ? (uint32_t)tl_random_below (&random, GROUPS + 1)
              : 0;
    FILE *f = open_memstream (&text, &length);
    write_greatspn (net, kind, &random, f);
    fclose (f);
    tl_net *back = read_text ("x.net", text, &mem);
    for (int i = 0; i < 50; i++) {
      for (uint32_t p = 0; p < net->places; p++)
        marking[p] = (uint32_t)tl_random_below (&random, 4);
      is_preferring (net, back, kind, marking);
    }
    free (text);
    tl_net_close (back);
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
}

static void test_no_memory (void **state) {
  (void)state;
  fails_cleanly ("x.tapn", OF_EDITOR);
  fails_cleanly ("x.net", OF_GREATSPN);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_tapaal_editor),
      cmocka_unit_test (test_tapaal_engine),
      cmocka_unit_test (test_tapaal_is_told),
      cmocka_unit_test (test_greatspn),
      cmocka_unit_test (test_greatspn_immediate),
      cmocka_unit_test (test_greatspn_priorities),
      cmocka_unit_test (test_random),
      cmocka_unit_test (test_random_priorities),
      cmocka_unit_test (test_no_memory)};
  return cmocka_run_group_tests_name ("foreign nets", tests, 0, 0);
}
