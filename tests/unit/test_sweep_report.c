// Reports of made-up sweeps: figures, the picture, and where progress is lost.

#include "../reporting.h"

#include <expat.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t path[] = {0, 1, 2};
static uint8_t fired[] = {1, 1, 1};
static char weights[] = "2*a + b < c & d";

static tl_sweep_point points[] = {{1, -3, 10, 4, 0},    {1, -2, 40, 9, 2},
                                  {1, -1, 777, 100, 5}, {1, 40, 30, 3, 6},
                                  {2, -2, 60, 8, 6},    {2, 0, 50, 0, 6},
                                  {3, 123456, 7, 0, 6}};

static tl_exploration sweep_run (bool counted) {
  return (tl_exploration){.size = sizeof (tl_exploration),
                          .complete = true,
                          .counted = counted,
                          .states = 10000,
                          .arcs = 70000,
                          .deadlocks = 3,
                          .fired = fired,
                          .transitions = 3,
                          .order = "sweep",
                          .store = "table",
                          .store_bytes = 7770,
                          .bytes_per_state = 0.777,
                          .seconds = 1,
                          .threads = 1,
                          .sweep = {.measure = "maxfs",
                                    .weights = weights,
                                    .window = 4,
                                    .monotone = counted,
                                    .sweeps = 3,
                                    .explored = 12000,
                                    .persistent = 6,
                                    .peak_states = 777,
                                    .largest_layer = 600,
                                    .layers = 7,
                                    .discarded = 1,
                                    .choosing = 1.5,
                                    .point = points,
                                    .points = 7}};
}

static void test_counted_text (void **state) {
  (void)state;
  const tl_exploration x = sweep_run (true);
  char *text = explored (&x, TL_FORM_TEXT);
  has (text, "states            10,000\n");
  has (text, "sweep             3 sweeps, window 4; progress is never lost\n"
             "measure           maxfs\n"
             "                  2*a + b < c & d\n"
             "                  1 measure given up before\n"
             "stored            777 states at once, 7.77 % of all\n"
             "layers            7; 600 states in the largest\n"
             "persistent        6 states\n"
             "visits            12,000, 1.20 a state\n");
  has (text, "a state stored                  10.0 B\n");
  has_not (text, "information bound");
  has_not (text, "depth");
  tl_text_close (text);
}

static void test_declined_text (void **state) {
  (void)state;
  tl_exploration x = sweep_run (true);
  x.sweep.declined = true;
  char *text = explored (&x, TL_FORM_TEXT);
  has (text, "sweep             not made: of those tried none pays\n");
  has_not (text, "measure");
  tl_text_close (text);
}

// Where states were visited again there is no number of them.
static void test_visits_text (void **state) {
  (void)state;
  tl_exploration x = sweep_run (false);
  for (tl_form form = TL_FORM_TEXT; form <= TL_FORM_SHORT; form++) {
    char *text = explored (&x, form);
    has (text, "states            not counted: 10,000 visits, some states more "
               "than once\n                  (--exact-count tells");
    has (text, "arcs              not counted: 70,000 firings\n");
    has (text, "deadlocks         some, not counted: 3 visits\n");
    has_not (text, "% of all");
    tl_text_close (text);
  }
  x.deadlocks = 0;
  x.complete = false;
  x.stop = TL_STOP_TIME;
  char *text = explored (&x, TL_FORM_SHORT);
  has (text, "deadlocks         none found so far\n");
  has_not (text, "--exact-count");
  tl_text_close (text);
}

static json_t *loaded (const tl_exploration *x) {
  char *text = explored (x, TL_FORM_JSON);
  json_t *j = json_loads (text, 0, 0);
  assert_non_null (j);
  tl_text_close (text);
  return j;
}

static void test_json (void **state) {
  (void)state;
  tl_exploration x = sweep_run (false);
  json_t *j = loaded (&x);
  static const char *const unknown[] = {"states", "arcs", "deadlocks",
                                        "bytes_per_state", "depth"};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
    assert_true (json_is_null (json_object_get (j, unknown[i])));
  char *sweep = json_dumps (json_object_get (j, "sweep"),
                            JSON_COMPACT | JSON_PRESERVE_ORDER);
  assert_string_equal (
      sweep,
      "{\"measure\":\"maxfs\",\"sweeps\":3,\"peak_states\":777,\"explored\":"
      "12000,\"persistent\":6,\"monotone\":false,\"window\":4,\"largest_"
      "layer\":"
      "600,\"layers\":7,\"peak_bytes\":7770,\"discarded\":1,\"choosing_"
      "seconds\":1.5,\"weights\":\"2*a "
      "+ b "
      "< c & d\"}");
  free (sweep);
  json_decref (j);
  x.deadlocks = 0; // a complete run that saw none: that is certain
  x.sweep.window = UINT64_MAX;
  j = loaded (&x);
  assert_int_equal (json_integer_value (json_object_get (j, "deadlocks")), 0);
  assert_true (json_is_integer (json_object_get (j, "deadlocks")));
  assert_true (
      json_is_null (json_object_get (json_object_get (j, "sweep"), "window")));
  json_decref (j);
  x = sweep_run (true);
  j = loaded (&x);
  assert_int_equal (json_integer_value (json_object_get (j, "states")), 10000);
  json_decref (j);
}

static void test_contest (void **state) {
  (void)state;
  tl_exploration x = sweep_run (false);
  x.max_tokens_in_place = 2;
  x.max_tokens_per_marking = 5;
  char *text = explored (&x, TL_FORM_MCC);
  assert_string_equal (text, "STATE_SPACE MAX_TOKEN_PER_MARKING 5 TECHNIQUES "
                             "EXPLICIT STATE_COMPRESSION\n"
                             "STATE_SPACE MAX_TOKEN_IN_PLACE 2 TECHNIQUES "
                             "EXPLICIT STATE_COMPRESSION\n");
  tl_text_close (text);
}

// What stubborn sets leave out is not claimed, but dead states are all found.
static void test_stubborn (void **state) {
  (void)state;
  tl_exploration x = sweep_run (false);
  x.sweep = (tl_sweep){0};
  x.stubborn = "deadlock";
  x.followed = 20000;
  x.max_tokens_in_place = 2;
  char *text = explored (&x, TL_FORM_TEXT);
  has (text, "order sweep, stubborn sets: deadlock, 1 thread\n");
  has (text, "states            not counted: 10,000 visits, others were left "
             "out\narcs              not counted: 70,000 firings, 20,000 "
             "followed\ndeadlocks         3\n");
  has (text, "most tokens       at least 2 in a place");
  tl_text_close (text);
  json_t *j = loaded (&x);
  assert_int_equal (json_integer_value (json_object_get (j, "deadlocks")), 3);
  assert_true (json_is_null (json_object_get (j, "states")));
  assert_true (json_is_null (json_object_get (j, "max_tokens_in_place")));
  assert_int_equal (json_integer_value (json_object_get (
                        json_object_get (j, "stubborn"), "followed")),
                    20000);
  json_decref (j);
  text = explored (&x, TL_FORM_MCC);
  assert_string_equal (text, "CANNOT_COMPUTE\n");
  tl_text_close (text);
}

static void test_progress (void **state) {
  (void)state;
  char *text = tl_progress_report (&(tl_progress){.size = sizeof (tl_progress),
                                                  .states = 1500000,
                                                  .queued = 1000,
                                                  .bytes = 1 << 20,
                                                  .seconds = 1,
                                                  .sweep = 2,
                                                  .progress = -17,
                                                  .stored = 4321});
  assert_string_equal (text,
                       "1.0 s  1,500,000 visits  1.5 M/s  queue 1,000  sweep 2"
                       "  progress -17  stored 4,321  1.0 MiB");
  tl_text_close (text);
}

// A philosopher takes both forks and puts them down.
static void test_regress (void **state) {
  (void)state;
  tl_net *net;
  assert_int_equal (
      tl_net_example (&net, "philosophers", 1, (uint64_t[]){2}, 0), TL_OK);
  tl_exploration x = {.size = sizeof x,
                      .regress = {.transition = path, .length = 3},
                      .progress_before = 5,
                      .progress_after = -2};
  char *text = tl_regress_report (net, &x, TL_FORM_TEXT);
  has (text,
       "the measure is not monotone: transition put_1 takes progress from "
       "5 to -2\n");
  has (text, "\n  before            thinking_2 eating_1\n");
  has (text, "eating_1: 1->0\n");
  has (text, "\n  trace             3 transitions\n"
             "    take_left_1 take_right_1 put_1\n");
  tl_text_close (text);
  text = tl_exploration_traces (net, &x, TL_FORM_TEXT);
  has (text, "# progress is lost: 3 transitions of ");
  tl_text_close (text);
  x.progress_after = 5;
  text = tl_regress_report (net, &x, TL_FORM_TEXT);
  has (text,
       "loses progress in a later part of the measure (the first is 5)\n");
  tl_text_close (text);
  x.regress = (tl_trace){0};
  text = tl_regress_report (net, &x, TL_FORM_TEXT);
  has (text, "a transition loses");
  has (text, "not kept");
  tl_text_close (text);
  tl_net_close (net);
}

static void test_candidates (void **state) {
  (void)state;
  tl_candidate list[] = {
      {.name = "annealed",
       .weights = (char[]){"2*a - b"},
       .linear = true,
       .peak = 0.1234,
       .work = 1.5,
       .seconds = 0.25},
      {.name = "expression", .weights = (char[]){"a/b"}, .window = 12345},
      {.name = "none",
       .weights = (char[]){"0"},
       .linear = true,
       .window = UINT64_MAX}};
  const tl_candidates all = {.size = sizeof all,
                             .candidate_size = sizeof *list,
                             .candidate = list,
                             .count = 3,
                             .sampled = 5000,
                             .seconds = 2};
  tl_net *net = open_net ();
  char *text = tl_candidates_report (net, &all, TL_FORM_TEXT);
  has (text, "sample            5,000 states\n");
  has (text, "* annealed                 0         0       yes    12.3 %      "
             "1.50    0.25 s\n"
             "  expression          12,345         ?         ?         ?       "
             "  ?    0.00 s\n"
             "  none                   all         0       yes ");
  has (text, "chosen            annealed\n                  2*a - b\n");
  tl_text_close (text);
  text = tl_candidates_report (net, &all, TL_FORM_JSON);
  has (text,
       "\"chosen\":\"annealed\",\"candidates\":[{\"measure\":\"annealed\","
       "\"window\":0,\"regress\":0,\"monotone\":true,\"peak\":0.1234,"
       "\"work\":1.5,\"seconds\":0.25,\"weights\":\"2*a - b\"},");
  has (text,
       "\"window\":12345,\"regress\":null,\"monotone\":null,\"peak\":null");
  tl_text_close (text);
  tl_net_close (net);
}

static char *drawn (const tl_exploration *x) {
  tl_net *net = open_net ();
  char *text = tl_sweep_plot (net, x);
  assert_non_null (text);
  tl_net_close (net);
  XML_Parser parser = XML_ParserCreate ("UTF-8");
  if (!XML_Parse (parser, text, (int)strlen (text), 1))
    fail_msg ("line %lu: %s\n%s", XML_GetCurrentLineNumber (parser),
              XML_ErrorString (XML_GetErrorCode (parser)), text);
  XML_ParserFree (parser);
  has_not (text, "nan");
  has_not (text, "inf");
  has_not (text, "<script");
  return text;
}

static void test_plot (void **state) {
  (void)state;
  tl_exploration x = sweep_run (true);
  char *text = drawn (&x);
  has (text, "philosophers-1");
  has (text, "measure 2*a + b &lt; c &amp; d, window 4");
  has (text, "peak: 777 states");
  has (text, "3 sweeps; at most 777 states stored at once, 7.77 % of 10,000<");
  has (text, ">100,000<");
  has (text, "line s2");
  has (text, "persistent");
  tl_text_close (text);
}

// Nothing, one point, the same value everywhere, the largest numbers, many
// sweeps, and a measure in no encoding at all.
static void test_no_plot (void **state) {
  (void)state;
  tl_exploration x = sweep_run (false);
  x.sweep.points = 0;
  tl_net *net = open_net ();
  assert_null (tl_sweep_plot (net, &x));
  tl_net_close (net);
}

static void test_odd_plots (void **state) {
  (void)state;
  tl_exploration x = sweep_run (false);
  x.sweep.window = UINT64_MAX;
  x.sweep.weights = (char[]){"caf\xe9 \xc3\xa9 \x01 \xff\xfe"};
  x.sweep.points = 1;
  char *text = drawn (&x);
  has (text, "caf? \xc3\xa9 ? ??, everything kept");
  tl_text_close (text);
  // Characters that begin with 0xe0, 0xed, 0xf0 and 0xf4, as readers take them.
  x.sweep.weights =
      (char[]){"\u0905 \uad6d \U0001f600 \U00100000 \xed\xa0\x80"};
  text = drawn (&x);
  has (text, "\u0905 \uad6d \U0001f600 \U00100000 ???, everything kept");
  tl_text_close (text);
  tl_sweep_point most[] = {{1, INT64_MIN, UINT64_MAX, 0, 0},
                           {1, INT64_MAX, 0, UINT64_MAX, UINT64_MAX}};
  x.sweep.point = most;
  x.sweep.points = 2;
  tl_text_close (drawn (&x));
  tl_sweep_point many[50];
  for (size_t i = 0; i < 50; i++)
    many[i] = (tl_sweep_point){i + 1, 7, i, i, i};
  x.sweep.point = many;
  x.sweep.points = 50;
  text = drawn (&x);
  has (text, ">6 to 50<");
  tl_text_close (text);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_counted_text),
      cmocka_unit_test (test_declined_text),
      cmocka_unit_test (test_visits_text),
      cmocka_unit_test (test_json),
      cmocka_unit_test (test_contest),
      cmocka_unit_test (test_stubborn),
      cmocka_unit_test (test_progress),
      cmocka_unit_test (test_regress),
      cmocka_unit_test (test_candidates),
      cmocka_unit_test (test_plot),
      cmocka_unit_test (test_no_plot),
      cmocka_unit_test (test_odd_plots),
  };
  return cmocka_run_group_tests_name ("sweep report", tests, 0, 0);
}
