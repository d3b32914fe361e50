// Readers and writers of nets: what each construct of a format means, and that
// what is written reads back as the same net.

#include "../random_net.h"

#include "base/random.h"
#include "read/read.h"
#include "read/write.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static tl_net *read_text (const char *path, const char *text, size_t length,
                          tl_mem *mem) {
  tl_net *net;
  tl_error err = {0};
  if (tl_read_net_text (&net, mem, path, text, length, &err))
    fail_msg ("%s:%ld:%ld: %s\n%s", err.file, err.line, err.column, err.text,
              text);
  return net;
}

// The net in a format, as a text to be freed.
static char *write_text (const tl_net *net, const char *format,
                         size_t *length) {
  char *text = 0;
  tl_error err = {0};
  tl_mem mem = TL_MEM (0, "writing");
  FILE *f = open_memstream (&text, length);
  if (tl_write_net (net, &mem, f, format, &err))
    fail_msg ("writing %s: %s", format, err.text);
  fclose (f);
  assert_int_equal (mem.used, 0);
  return text;
}

// The file reads as the net that TINA would write as `meaning`.
static void means_bytes (const char *path, const char *text, size_t length,
                         const char *meaning) {
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = read_text (path, text, length, &mem);
  size_t n;
  char *tina = write_text (net, "tina", &n);
  assert_string_equal (tina, meaning);
  free (tina);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void means (const char *path, const char *text, const char *meaning) {
  means_bytes (path, text, strlen (text), meaning);
}

// ---- PNML

#define PNML(CONTENT)                                                          \
  "<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">"             \
  "<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">"     \
  "<page id=\"g\">" CONTENT "</page></net></pnml>"

static void test_pnml_elements (void **state) {
  (void)state;
  means ("x.pnml",
         PNML ("<place id='p'><initialMarking><text> 12\n</text>"
               "<graphics/></initialMarking></place>"
               "<place id='q'><name><text> a\nname </text></name></place>"
               "<place id='r'><initialMarking><text/></initialMarking>"
               "<capacity><value>0</value></capacity></place>"
               "<transition id='t'><name><text>t</text></name></transition>"
               "<arc id='1' source='p' target='t'><inscription><text>3</text>"
               "</inscription></arc>"
               "<arc id='2' source='t' target='q'/>"
               "<arc id='3' source='t' target='q'><inscription/></arc>"),
         "net x\npl p (12)\npl q : {a name}\npl r\ntr t p*3 -> q*2\n");
}

static void test_pnml_order (void **state) {
  (void)state;
  means ("x.pnml",
         PNML ("<arc id='1' source='p' target='t'/><transition id='t'/>"
               "<arc id='2' source='t' target='p'/><place id='p'/>"),
         "net x\npl p\ntr t p -> p\n");
}

static void test_pnml_without_page (void **state) {
  (void)state;
  means ("x.pnml", "<pnml><net><place id='p'/></net></pnml>", "net x\npl p\n");
}

static void test_pnml_pages (void **state) {
  (void)state;
  means ("x.pnml",
         PNML ("<page id='h'><referencePlace id='r1' ref='r2'/>"
               "<transition id='t'/><arc id='a' source='r1' target='t'/>"
               "<page id='i'><referenceTransition id='s' ref='t'/>"
               "<arc id='b' source='s' target='r2'/></page></page>"
               "<referencePlace id='r2' ref='p'/><place id='p'/>"),
         "net x\npl p\ntr t p -> p\n");
}

static void test_pnml_arc_types (void **state) {
  (void)state;
  means (
      "x.pnml",
      PNML ("<place id='p'/><place id='q'/><place id='r'/><transition id='t'/>"
            "<arc id='1' source='p' target='t'><inscription><text>2</text>"
            "</inscription><type value='inhibitor'/></arc>"
            "<arc id='2' source='q' target='t'><type><text>inhibitor</text>"
            "</type></arc>"
            "<arc id='3' source='r' target='t'><arctype><text> inhibitor "
            "</text></arctype></arc>"
            "<arc id='4' source='p' target='t'><type value='read'/></arc>"
            "<arc id='5' source='q' target='t'><arctype><text>test</text>"
            "</arctype></arc>"
            "<arc id='6' source='r' target='t'><type value='normal'/></arc>"),
      "net x\npl p\npl q\npl r\n"
      "tr t p q r p?-2 q?-1 r?-1 -> p q\n");
}

static void test_pnml_read_arcs (void **state) {
  (void)state;
  // A read arc beside an input arc asks for the larger of the two weights.
  means ("x.net", "tr a p*2 p?3 p?1 -> \ntr b p*3 p?2 -> p\ntr c p?1 p?4 ->\n",
         "net x\npl p\ntr a p*3 -> p\ntr b p*3 -> p\ntr c p*4 -> p*4\n");
}

static void test_pnml_tolerance (void **state) {
  (void)state;
  means ("x",
         "\xef\xbb\xbf<?xml version='1.0'?>\n<!DOCTYPE pnml SYSTEM 'x.dtd'>"
         "<!-- a comment -->\n<ns:pnml xmlns:ns='urn:x'><ns:net type=''>"
         "<ns:place id='p'><unknown><text>9</text></unknown>"
         "<toolspecific tool='other'><node id='no'/></toolspecific>"
         "</ns:place></ns:net></ns:pnml>",
         "net x\npl p\n");
  means ("x.pnml",
         "<!DOCTYPE pnml [<!ENTITY two '2'>]><pnml><net><place id='a&lt;&#98;'>"
         "<initialMarking><text>1&two;</text></initialMarking></place></net>"
         "</pnml>",
         "net x\npl {a<b} (12)\n");
}

static void test_pnml_encodings (void **state) {
  (void)state;
  means ("x.pnml",
         "<?xml version='1.0' encoding='ISO-8859-1'?><pnml><net>"
         "<place id='pr\xeat'/></net></pnml>",
         "net x\npl pr\xc3\xaat\n");
  static const char ascii[] = "<pnml><net><place id='p'/></net></pnml>";
  char wide[2 * sizeof ascii] = "\xff\xfe";
  for (size_t i = 0; i < sizeof ascii - 1; i++)
    wide[2 + 2 * i] = ascii[i];
  means_bytes ("x", wide, sizeof wide - 2 + 2, "net x\npl p\n");
}

#define NUPN(STRUCTURE)                                                        \
  PNML ("<place id='p'/><place id='q'/><place id='r'/>"                        \
        "<toolspecific tool='nupn' version='1.1'>" STRUCTURE                   \
        "</toolspecific>")

static void test_pnml_units (void **state) {
  (void)state;
  static const char text[] =
      NUPN ("<size places='3'/><structure units='3' root='u' safe='true'>"
            "<unit id='v'><places>\n q\n</places><subunits/></unit>"
            "<unit id='w'><places>r p</places><subunits></subunits></unit>"
            "<unit id='u'><places/><subunits>w v</subunits></unit>"
            "</structure>");
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = read_text ("x.pnml", text, sizeof text - 1, &mem);
  assert_int_equal (net->units, 3);
  assert_true (net->units_safe);
  assert_string_equal (net->unit[0].id, "u");
  assert_int_equal (net->unit[0].parent, TL_NO_UNIT);
  assert_int_equal (net->unit[0].place_count, 0);
  assert_string_equal (net->unit[1].id, "v");
  assert_int_equal (net->unit[1].parent, 0);
  assert_int_equal (net->unit[1].places[0], 1);
  assert_string_equal (net->unit[2].id, "w");
  assert_int_equal (net->unit[2].place_count, 2);
  assert_int_equal (net->unit[2].places[0], 2);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- LoLA

static void test_lola (void **state) {
  (void)state;
  means ("x.lola",
         "{ a\n comment } PLACE SAFE 3: a, b; 7; SAFE: c-d'.x; // more\n"
         "MARKING a: 2, b, a: 1 /* and\n more */;\n"
         "TRANSITION t STRONG FAIR CONSUME a, b: 2, a; PRODUCE ;\n"
         "TRANSITION /u WEAK FAIR CONSUME ; PRODUCE 7, c-d'.x: 10;\n"
         "FORMULA EXPATH EVENTUALLY a > 0",
         "net x\npl a (3)\npl b (1)\npl 7\npl {c-d'.x}\n"
         "tr t a*2 b*2 ->\ntr {/u} -> 7 {c-d'.x}*10\n");
  means ("x", "PLACE ; MARKING ;", "net x\n");
  // Bytes that are not UTF-8 are read as ISO-8859-1.
  means ("x", "PLACE pr\xeat; MARKING;", "net x\npl pr\xc3\xaat\n");
  // A percent sign means nothing unless the file says so, and a zero byte in
  // a comment is not the end of it.
  static const char almost[] =
      "{ names are written with %XX for a byte \0\0}PLACE a%41; MARKING;";
  means_bytes ("x", almost, sizeof almost - 1, "net x\npl {a%41}\n");
  means ("x", "PLACE a%41; MARKING;", "net x\npl {a%41}\n");
}

// ---- TINA

static void test_tina (void **state) {
  (void)state;
  means ("x.net",
         "# comment\nnet {my net}\n"
         "tr t : {a label} [0,w[ p q*2 r?-3 \\\n s?1K -> {p\\}\\{\\\\}*2M\n"
         "tr t q -> p\npl q (3K)\n pl q : label (1) t -> u*2 t?-2\n"
         "lb u name # comment\nnt n 0 {some\nnote}\ntr v\n   -> q\n"
         "pl {tr} (4G) tr w ->",
         "net x\npl p\npl q : label (3001)\npl r\npl s\n"
         "pl {p\\}\\{\\\\}\npl {tr} (4000000000)\n"
         "tr t : {a label} p q*3 s*1000 q?-2 r?-3 -> p q s*1000 "
         "{p\\}\\{\\\\}*2000000\n"
         "tr u : name q*2 ->\ntr v -> q\ntr w ->\n");
}

static void test_format_by_ending (void **state) {
  (void)state;
  static const struct {
    const char *path, *text, *complaint;
  } rows[] = {
      {"x.pnml", "pnml", "XML: syntax error"},
      {"x.lola", "PLACES p", "expected PLACE, not PLACES"},
      {"x.net", "place p", "expected net, tr, pl, lb, nt or pr, not 'place'"},
      {"x", "place p",
       "this is neither a PNML nor a LoLA nor a TINA nor a TAPAAL nor a "
       "GreatSPN nor a Helena net"},
      {".lola", "place p",
       "this is neither a PNML nor a LoLA nor a TINA nor a TAPAAL nor a "
       "GreatSPN nor a Helena net"},
      {"x.lola.gz", "PLACES p", "expected PLACE, not PLACES"},
      {"x.cpn", "<workspace/>",
       "by its name this is a net of CPN Tools, which is not read; tideline "
       "reads PNML, LoLA, TINA, TAPAAL, GreatSPN and Helena nets"},
      {"x.pml.xz", "proctype p",
       "by its name this is a Promela model of Spin, which is not read; "
       "tideline reads PNML, LoLA, TINA, TAPAAL, GreatSPN and Helena nets"},
      {"x.pnml", "", "the file is empty"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tl_net *net;
    tl_error err = {0};
    tl_mem mem = TL_MEM (0, "net");
    assert_int_equal (tl_read_net_text (&net, &mem, rows[i].path, rows[i].text,
                                        strlen (rows[i].text), &err),
                      TL_E_SYNTAX);
    assert_string_equal (err.text, rows[i].complaint);
    assert_int_equal (mem.used, 0);
    assert_null (net);
  }
}

static void test_names (void **state) {
  (void)state;
  static const char pnml[] = "<pnml><net id='Own-PT-1'/></pnml>";
  static const struct {
    const char *path, *text, *name;
  } rows[] = {{"a/model.pnml", pnml, "Own-PT-1"},
              {"a/b.c.pnml", pnml, "b.c"},
              {"<stdin>", pnml, "Own-PT-1"},
              {"<stdin>", "<pnml><net/></pnml>", "stdin"},
              {"<stdin>", "net {a b}", "a b"},
              {"<stdin>", "PLACE; MARKING;", "stdin"},
              {"a/.net", "net b", ".net"},
              {"a/\xea\n", "net b", "\xc3\xaa"},
              {"model.pnml", "<pnml><net/></pnml>", "model"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_net *net =
        read_text (rows[i].path, rows[i].text, strlen (rows[i].text), &mem);
    assert_string_equal (net->name, rows[i].name);
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
}

// ---- Round trips

static bool same_texts (const char *const *a, const char *const *b,
                        uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp (a[i], b[i]))
      return false;
  return true;
}

static bool same_lists (const tl_net *a, const tl_net *b,
                        tl_arcs (*arcs) (const tl_net *, uint32_t)) {
  for (uint32_t t = 0; t < a->transitions; t++) {
    const tl_arcs l = arcs (a, t), r = arcs (b, t);
    if (l.count != r.count)
      return false;
    for (uint32_t i = 0; i < l.count; i++)
      if (l.arc[i].place != r.arc[i].place ||
          l.arc[i].weight != r.arc[i].weight)
        return false;
  }
  return true;
}

static bool same_units (const tl_net *a, const tl_net *b) {
  if (a->units != b->units || a->units_safe != b->units_safe)
    return false;
  for (uint32_t u = 0; u < a->units; u++) {
    const tl_unit *l = a->unit + u, *r = b->unit + u;
    if (strcmp (l->id, r->id) || l->parent != r->parent ||
        l->place_count != r->place_count ||
        memcmp (l->places, r->places, l->place_count * sizeof *l->places))
      return false;
  }
  return true;
}

static bool same_net (const tl_net *a, const tl_net *b, const char *format) {
  return a->places == b->places && a->transitions == b->transitions &&
         a->arcs == b->arcs &&
         same_texts (a->place_id, b->place_id, a->places) &&
         same_texts (a->transition_id, b->transition_id, a->transitions) &&
         !memcmp (a->initial, b->initial, a->places * sizeof *a->initial) &&
         same_lists (a, b, tl_net_pre) && same_lists (a, b, tl_net_post) &&
         same_lists (a, b, tl_net_inhibitors) &&
         (strcmp (format, "pnml") || same_units (a, b)) &&
         (!strcmp (format, "lola") ||
          (same_texts (a->place_name, b->place_name, a->places) &&
           same_texts (a->transition_name, b->transition_name,
                       a->transitions)));
}

static void round_trip (const tl_net *net, const char *format) {
  tl_mem mem = TL_MEM (0, "net");
  size_t length;
  char *text = write_text (net, format, &length);
  char path[16];
  snprintf (path, sizeof path, "x.%s", format);
  tl_net *back = read_text (path, text, length, &mem);
  assert_string_equal (back->format, format);
  if (!same_net (net, back, format))
    fail_msg ("another net came back from %s:\n%s", format, text);
  tl_net_close (back);
  free (text);
  assert_int_equal (mem.used, 0);
}

static void round_trips (const tl_net *net) {
  round_trip (net, "pnml");
  round_trip (net, "tina");
  if (!net->inhibitor_start[net->transitions])
    round_trip (net, "lola");
}

// Ids that each format has its own trouble with
static void make_id (char *id, tl_random *rng) {
  static const char *const parts[] = {
      "a",     "b",  "_",  "'", "-", ".",  "%", "%41",      "%zz",
      "/",     "//", "/*", "{", "}", "\\", ",", ";",        ":",
      "(",     ")",  "<",  ">", "&", "\"", " ", "\xc3\xa9", "\xe2\x82\xac",
      "PLACE", "tr", "0",  "7", "#", "*",  "?", "arc.1",    "transition.1",
      "SAFE",  "net"};
  *id = 0;
  for (uint64_t n = 1 + tl_random_below (rng, 3); n; n--)
    strcat (id, parts[tl_random_below (rng, sizeof parts / sizeof *parts)]);
}

static tl_net *odd_net (uint64_t seed, tl_mem *mem, bool inhibitors) {
  tl_random rng = {seed};
  tl_builder *b;
  tl_net *net;
  char id[64], name[80];
  assert_int_equal (tl_builder_open (&b, mem), TL_OK);
  uint32_t places = 0, transitions = 0, index;
  for (int i = 0; i < 12; i++) {
    make_id (id, &rng);
    snprintf (name, sizeof name, "n%s.", id);
    const char *called = tl_random_below (&rng, 2) ? name : 0;
    const uint32_t tokens = (uint32_t)tl_random_below (&rng, 3);
    places += !tl_builder_place (b, id, called, tokens, &index);
    if (tl_random_below (&rng, 3)) // else the same id for a transition
      make_id (id, &rng);
    transitions += !tl_builder_transition (b, id, called, &index);
  }
  for (int i = 0; i < 30; i++)
    assert_int_equal (
        tl_builder_arc (b,
                        (tl_arc_kind)tl_random_below (&rng, inhibitors ? 4 : 2),
                        (uint32_t)tl_random_below (&rng, places),
                        (uint32_t)tl_random_below (&rng, transitions),
                        1 + (uint32_t)tl_random_below (&rng, 3)),
        TL_OK);
  assert_int_equal (tl_builder_finish (b, "odd", "test", &net, 0), TL_OK);
  return net;
}

static void test_round_trip_odd_ids (void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_net *net = odd_net (seed, &mem, seed % 2);
    round_trips (net);
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
}

static void test_round_trip_random (void **state) {
  (void)state;
  static random_net made;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    tl_mem mem = TL_MEM (0, "net");
    random_net_make (&made, seed);
    tl_net *net = random_net_build (&made, &mem);
    round_trips (net);
    tl_net_close (net);
    assert_int_equal (mem.used, 0);
  }
}

static void test_round_trip_extremes (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_builder *b;
  tl_net *net;
  assert_int_equal (tl_builder_open (&b, &mem), TL_OK);
  assert_int_equal (tl_builder_finish (b, "", "test", &net, 0), TL_OK);
  round_trips (net);
  tl_net_close (net);
  assert_int_equal (tl_builder_open (&b, &mem), TL_OK);
  assert_int_equal (tl_builder_place (b, "p", 0, TL_MAX_TOKENS, 0), TL_OK);
  assert_int_equal (tl_builder_place (b, "unused", 0, 0, 0), TL_OK);
  assert_int_equal (tl_builder_transition (b, "t", 0, 0), TL_OK);
  assert_int_equal (tl_builder_transition (b, "idle", 0, 0), TL_OK);
  assert_int_equal (tl_builder_arc (b, TL_ARC_PRE, 0, 0, TL_MAX_TOKENS), TL_OK);
  assert_int_equal (tl_builder_finish (b, "p", "test", &net, 0), TL_OK);
  round_trips (net);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void test_unwritable (void **state) {
  (void)state;
  static const struct {
    const char *text, *format;
    tl_status code;
    const char *complaint;
  } rows[] = {{"tr t p?-1 ->", "lola", TL_E_MODEL,
               "LoLA's format has no inhibitor arcs"},
              {"tr t p ->", "svg", TL_E_ARG,
               "nets are written as pnml, lola, tina or dot, not as 'svg'"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_error err = {0};
    tl_net *net = read_text ("x", rows[i].text, strlen (rows[i].text), &mem);
    size_t length;
    char *text;
    FILE *f = open_memstream (&text, &length);
    assert_int_equal (tl_write_net (net, &mem, f, rows[i].format, &err),
                      rows[i].code);
    fclose (f);
    assert_string_equal (err.text, rows[i].complaint);
    assert_int_equal (length, 0);
    free (text);
    tl_net_close (net);
  }
}

// The lists of units are separated by blanks.
static void test_unwritable_unit (void **state) {
  (void)state;
  static const uint32_t places[] = {0};
  tl_mem mem = TL_MEM (0, "net");
  tl_builder *b;
  tl_net *net;
  tl_error err = {0};
  assert_int_equal (tl_builder_open (&b, &mem), TL_OK);
  assert_int_equal (tl_builder_place (b, "a b", 0, 0, 0), TL_OK);
  assert_int_equal (tl_builder_unit (b, "u", TL_NO_UNIT, places, 1), TL_OK);
  assert_int_equal (tl_builder_finish (b, "n", "test", &net, 0), TL_OK);
  assert_int_equal (tl_write_net (net, &mem, 0, "pnml", &err), TL_E_MODEL);
  assert_string_equal (err.text,
                       "a unit cannot name 'a b', because of the blank");
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

static void test_dot (void **state) {
  (void)state;
  static const char text[] = "tr {a\"\\\\} p*2 q?-1 -> q\npl p (3)\npl q (1)";
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = read_text ("x.net", text, sizeof text - 1, &mem);
  size_t length;
  char *dot = write_text (net, "dot", &length);
  static const char *const lines[] = {"p0 [label=\"3\", xlabel=\"p\"];",
                                      "p1 [label=\"\u25cf\", xlabel=\"q\"];",
                                      "t0 [label=\"a\\\"\\\\\"];",
                                      "p0 -> t0 [label=\"2\"];",
                                      "t0 -> p1;",
                                      "p1 -> t0 [arrowhead=odot];"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (!strstr (dot, lines[i]))
      fail_msg ("no line '%s' in\n%s", lines[i], dot);
  free (dot);
  tl_net_close (net);
}

// ---- No memory

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

static void test_no_memory (void **state) {
  (void)state;
  fails_cleanly ("x.pnml",
                 NUPN ("<structure units='2' root='u' safe='true'>"
                       "<unit id='v'><places>q s</places><subunits/></unit>"
                       "<unit id='u'><places>p</places><subunits>v</subunits>"
                       "</unit></structure></toolspecific>"
                       "<arc id='a' source='y' target='x'/>"
                       "<referencePlace id='y' ref='p'/><place id='s'>"
                       "<name><text>name</text></name></place>"
                       "<transition id='x'><toolspecific tool='tideline'>"
                       "<node id='p'/></toolspecific></transition>"
                       "<arc id='b' source='p' target='x'>"
                       "<type value='read'/></arc>"
                       "<toolspecific tool='x'>"));
  fails_cleanly ("x.lola",
                 "PLACE a, b\xea; MARKING a; TRANSITION t CONSUME a: 2; "
                 "PRODUCE b\xea;");
  fails_cleanly ("x.net", "net n\ntr t : l p?2 q?-1 -> r\npl p : m (1)");
}

static void test_no_memory_to_write (void **state) {
  (void)state;
  static const char text[] =
      NUPN ("<structure root='u'><unit id='u'><places>p</places></unit>"
            "</structure>");
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = read_text ("x.pnml", text, sizeof text - 1, &mem);
  for (long n = 0;; n++) {
    tl_mem writing = TL_MEM (0, "writing");
    writing.fail_after = n;
    size_t length;
    char *out;
    FILE *f = open_memstream (&out, &length);
    const tl_status status = tl_write_net (net, &writing, f, "pnml", 0);
    fclose (f);
    free (out);
    assert_int_equal (writing.used, 0);
    if (!status)
      break;
    assert_int_equal (status, TL_E_NOMEM);
    assert_int_equal (length, 0);
  }
  tl_net_close (net);
}

// ---- Files

static void test_files (void **state) {
  (void)state;
  static char path[] = "build/test-read.pnml";
  static const char text[] = "tr t p -> q\npl p (1)";
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = read_text ("x.net", text, sizeof text - 1, &mem), *back;
  assert_int_equal (tl_net_save (net, path, "pnml", 0), TL_OK);
  assert_int_equal (tl_net_open (&back, path, 0), TL_OK);
  assert_true (same_net (net, back, "pnml"));
  tl_net_close (back);
  tl_error err = {0};
  assert_int_equal (tl_net_save (net, "/dev/full", "pnml", &err), TL_E_IO);
  assert_string_equal (err.file, "/dev/full");
  assert_int_equal (tl_net_open (&back, "tests", &err), TL_E_IO);
  assert_string_equal (err.text, "cannot open: Is a directory");
  assert_int_equal (tl_net_open (&back, "tests/none", &err), TL_E_IO);
  assert_string_equal (err.file, "tests/none");
  assert_null (back);
  assert_int_equal (tl_net_open (0, path, &err), TL_E_ARG);
  assert_int_equal (tl_net_save (net, 0, "pnml", &err), TL_E_ARG);
  remove (path);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// Whoever has no time gets no file, and keeps the one that was there.
static void test_late (void **state) {
  (void)state;
  static char path[] = "build/test-late";
  static const char *const formats[] = {"pnml", "lola", "tina", "dot"};
  static const char text[] = "tr t p -> q\npl p (1)";
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = read_text ("x.net", text, sizeof text - 1, &mem);
  int cancel = 1;
  tl_error err;
  for (size_t i = 0; i < 4; i++) {
    tl_settings within = tl_settings_default ();
    within.timeout = 1e-9;
    assert_int_equal (tl_net_save_with (net, path, formats[i], &within, &err),
                      TL_E_LIMIT);
    assert_string_equal (err.file, path);
    assert_string_equal (err.text,
                         "the time limit was reached while writing the net");
    within.cancel = &cancel;
    assert_int_equal (tl_net_save_with (net, path, formats[i], &within, &err),
                      TL_E_CANCEL);
    assert_string_equal (err.text, "it was interrupted while writing the net");
    assert_int_equal (access (path, F_OK), -1);
  }
  assert_int_equal (tl_net_save_with (net, path, "pnml", 0, &err), TL_E_ARG);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_pnml_elements),
      cmocka_unit_test (test_pnml_order),
      cmocka_unit_test (test_pnml_without_page),
      cmocka_unit_test (test_pnml_pages),
      cmocka_unit_test (test_pnml_arc_types),
      cmocka_unit_test (test_pnml_read_arcs),
      cmocka_unit_test (test_pnml_tolerance),
      cmocka_unit_test (test_pnml_encodings),
      cmocka_unit_test (test_pnml_units),
      cmocka_unit_test (test_lola),
      cmocka_unit_test (test_tina),
      cmocka_unit_test (test_format_by_ending),
      cmocka_unit_test (test_names),
      cmocka_unit_test (test_round_trip_odd_ids),
      cmocka_unit_test (test_round_trip_random),
      cmocka_unit_test (test_round_trip_extremes),
      cmocka_unit_test (test_unwritable),
      cmocka_unit_test (test_unwritable_unit),
      cmocka_unit_test (test_dot),
      cmocka_unit_test (test_no_memory),
      cmocka_unit_test (test_no_memory_to_write),
      cmocka_unit_test (test_files),
      cmocka_unit_test (test_late)};
  return cmocka_run_group_tests_name ("read", tests, 0, 0);
}
