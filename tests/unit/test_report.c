// Reports of made-up results: what a figure looks like, and that an incomplete
// run shows none that could be taken for final.

#include "../reporting.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t path[] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2,
                          0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
static uint8_t fired[] = {1, 1, 0};

static tl_exploration complete_run (void) {
  return (tl_exploration){
      .size = sizeof (tl_exploration),
      .complete = true,
      .counted = true,
      .states = 1234567,
      .arcs = 7654321,
      .deadlocks = 2,
      .dead_transitions = 1,
      .depth = 31,
      .max_tokens_in_place = 5,
      .max_tokens_per_marking = 20,
      .fired = fired,
      .transitions = 3,
      .deadlock = {.transition = path, .length = 24},
      .order = "bfs",
      .store = "plain",
      .bits = 33,
      .plain_bits = 128,
      .store_bytes = 10 << 20,
      .bytes_per_state = 8.4934,
      .peak_rss_bytes = 12 << 20,
      .seconds = 0.5,
      .threads = 1,
      .memory = {{"states", 10 << 20, 20 << 20}, {"queue", 1 << 20, 0}},
      .memory_rows = 2};
}

static tl_exploration cut_off_run (tl_stop stop) {
  tl_exploration x = complete_run ();
  x.complete = false;
  x.stop = stop;
  x.unbounded =
      (tl_trace){.transition = path, .length = 3, .loop = true, .loop_from = 1};
  return x;
}

static void test_figures (void **state) {
  (void)state;
  assert_string_equal (tl_count (0).text, "0");
  assert_string_equal (tl_count (999).text, "999");
  assert_string_equal (tl_count (1000).text, "1,000");
  assert_string_equal (tl_count (UINT64_MAX).text,
                       "18,446,744,073,709,551,615");
  assert_string_equal (tl_amount (1000, true).text, "1,000");
  assert_string_equal (tl_amount (UINT64_MAX, false).text,
                       "at least 18,446,744,073,709,551,615");
  assert_string_equal (tl_size (1023).text, "1023 B");
  assert_string_equal (tl_size (1536).text, "1.5 KiB");
  assert_string_equal (tl_several (1, "place").text, "1 place");
  assert_string_equal (tl_several (0, "place").text, "0 places");
  assert_string_equal (tl_rate (3000000, 2).text, "1.5 million");
}

static void test_complete_text (void **state) {
  (void)state;
  const tl_exploration x = complete_run ();
  char *text = explored (&x, TL_FORM_TEXT);
  has (text, "states            1,234,567\n");
  has (text, "first deadlock, after 24 transitions");
  has (text, "... and 4 more; --trace FILE writes all of them");
  has (text, "50 %");
  has (text, "kernel says");
  has_not (text, "at least");
  has_not (text, "INCOMPLETE");
  tl_text_close (text);
}

// 2^20 states of 33 bits: 13 bits and log2 e; a set of all keys takes none.
static void test_information_bound (void **state) {
  (void)state;
  tl_exploration x = complete_run ();
  x.states = 1 << 20;
  char *text = explored (&x, TL_FORM_TEXT);
  has (text, "  information bound                1.8 B\n");
  tl_text_close (text);
  text = explored (&x, TL_FORM_JSON);
  has (text, "\"information_bound_bits\":14.443");
  tl_text_close (text);
  x.bytes_per_state = 1.7; // in a store that they do not bound
  text = explored (&x, TL_FORM_TEXT);
  has (text, "  a state  ");
  has_not (text, "information bound");
  tl_text_close (text);
  text = explored (&x, TL_FORM_JSON);
  has (text, "\"information_bound_bits\":null");
  tl_text_close (text);
  x.bits = 16;
  assert_true (tl_information_bound (&x) == 0);
  x.states = 0;
  assert_true (tl_information_bound (&x) == 0);
}

static void test_incomplete_text (void **state) {
  (void)state;
  for (tl_stop stop = TL_STOP_MEMORY; stop <= TL_STOP_TOKENS; stop++) {
    const tl_exploration x = cut_off_run (stop);
    for (tl_form form = TL_FORM_TEXT; form <= TL_FORM_SHORT; form++) {
      char *text = explored (&x, form);
      has (text, stop == TL_STOP_UNBOUNDED ? "infinitely many; 1,234,567 were"
                                           : "at least 1,234,567\n");
      has (text, "dead transitions  at most 1, ");
      // The warning is the last line but for what to try.
      const char *warning = strstr (text, "\nINCOMPLETE: ");
      assert_non_null (warning);
      const char *hint = strchr (warning + 1, '\n');
      assert_int_equal (strncmp (hint, "\ntry: ", 6), 0);
      assert_ptr_equal (strchr (hint + 1, '\n'), text + strlen (text) - 1);
      tl_text_close (text);
    }
  }
}

static void test_exploration_json (void **state) {
  (void)state;
  static const char *const keys[] = {"tool",
                                     "version",
                                     "model",
                                     "format",
                                     "net",
                                     "complete",
                                     "states",
                                     "arcs",
                                     "max_tokens_in_place",
                                     "max_tokens_per_marking",
                                     "deadlocks",
                                     "dead_transitions",
                                     "order",
                                     "store",
                                     "encoding",
                                     "store_bytes",
                                     "bytes_per_state",
                                     "peak_rss_bytes",
                                     "seconds",
                                     "threads"};
  const tl_exploration x = complete_run ();
  char *text = explored (&x, TL_FORM_JSON);
  has (text, "\"bytes_per_state\":8.493,");
  json_t *j = json_loads (text, 0, 0);
  void *at = json_object_iter (j);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    assert_string_equal (json_object_iter_key (at), keys[i]);
    at = json_object_iter_next (j, at);
  }
  assert_int_equal (json_array_size (json_object_get (
                        json_object_get (j, "deadlock_trace"), "transitions")),
                    24);
  json_decref (j);
  tl_text_close (text);
}

static void test_incomplete_json (void **state) {
  (void)state;
  const tl_exploration x = cut_off_run (TL_STOP_UNBOUNDED);
  char *text = explored (&x, TL_FORM_JSON);
  has (text, "\"complete\":false,\"stopped\":\"unbounded\",");
  has (text, "\"dead_transitions\":null,");
  has (text, "\"kind\":\"lasso\"");
  has (text, "\"loop_from\":1");
  tl_text_close (text);
}

static void test_contest (void **state) {
  (void)state;
  tl_exploration x = complete_run ();
  char *text = explored (&x, TL_FORM_MCC);
  assert_string_equal (
      text, "STATE_SPACE STATES 1234567 TECHNIQUES EXPLICIT\n"
            "STATE_SPACE TRANSITIONS 7654321 TECHNIQUES EXPLICIT\n"
            "STATE_SPACE MAX_TOKEN_PER_MARKING 20 TECHNIQUES EXPLICIT\n"
            "STATE_SPACE MAX_TOKEN_IN_PLACE 5 TECHNIQUES EXPLICIT\n");
  tl_text_close (text);
  x = cut_off_run (TL_STOP_TIME);
  text = explored (&x, TL_FORM_MCC);
  assert_string_equal (text, "CANNOT_COMPUTE\n");
  tl_text_close (text);
}

static tl_answer answer_list[] = {
    {.name = "yes",
     .formula = (char[]){"EF p"},
     .verdict = TL_VERDICT_TRUE,
     .engine = "reach",
     .trace = {.transition = path, .length = 2}},
    {.name = "no",
     .verdict = TL_VERDICT_FALSE,
     .engine = "reach",
     .trace = {.transition = path, .length = 0}},
    {.name = "most", .verdict = TL_VERDICT_BOUND, .value = 7},
    {.name = "endless", .verdict = TL_VERDICT_BOUND, .infinite = true},
    {.name = "open",
     .verdict = TL_VERDICT_UNKNOWN,
     .value = 3,
     .unknown_why = "the memory budget was reached"},
    {.name = "caf\xe9",
     .verdict = TL_VERDICT_TRUE,
     .engine = "structure",
     .unfolded = true,
     .reduced = true}};

static char *answered (tl_form form) {
  tl_net *net = open_net ();
  const tl_answers answers = {.size = sizeof answers,
                              .answer_size = sizeof *answer_list,
                              .run = cut_off_run (TL_STOP_MEMORY),
                              .answer = answer_list,
                              .count = 6};
  char *text = tl_answers_report (net, &answers, form);
  assert_non_null (text);
  tl_net_close (net);
  return text;
}

static void test_answers_text (void **state) {
  (void)state;
  char *text = answered (TL_FORM_TEXT);
  has (text, "\ntrue      yes\n          EF p\n"
             "          shown by 2 transitions:\n"
             "            take_left_1 take_right_1\n");
  has (text, "\nfalse     no\n          shown by the initial marking\n");
  has (text, "\n7         most\n");
  has (text, "\ninfinite  endless\n");
  has (text, "\nunknown   open\n          the memory budget was reached; "
             "at least 3\n          try: more --memory, --order sweep; "
             "--engine fly, which keeps no graph\n");
  has (text, "2 true, 1 false, 2 bounded, 1 unknown\n");
  has (text, "\nINCOMPLETE: 1 of 6 questions not answered\n");
  tl_text_close (text);
}

// Why an answer is missing where the search itself was complete.
static void test_unknown_json (void **state) {
  (void)state;
  static const char *const row[][2] = {
      {"there was no memory for the terminal components", "memory"},
      {"the memory budget was reached", "memory"},
      {"the time limit was reached", "time"},
      {"its automaton is too large", "unsupported"},
  };
  tl_net *net = open_net ();
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    tl_answer open = {.size = sizeof open,
                      .name = "open",
                      .verdict = TL_VERDICT_UNKNOWN,
                      .unknown_why = row[i][0]};
    const tl_answers answers = {.size = sizeof answers,
                                .answer_size = sizeof open,
                                .run = complete_run (),
                                .answer = &open,
                                .count = 1};
    char *text = tl_answers_report (net, &answers, TL_FORM_JSON), stopped[64];
    assert_non_null (text);
    snprintf (stopped, sizeof stopped, "\"stopped\":\"%s\"", row[i][1]);
    has (text, stopped);
    tl_text_close (text);
    text = tl_answers_report (net, &answers, TL_FORM_TEXT);
    has (text, "\n          try: ");
    tl_text_close (text);
  }
  tl_net_close (net);
}

// Stubborn sets are not named where they would be refused.
static void test_unknown_hint (void **state) {
  (void)state;
  static const char *const row[][2] = {
      {"reach", "--timeout; --stubborn property"},
      {"bounds", "--timeout; --stubborn property"},
      {"ctl-graph", "--timeout; --engine fly, --engine symbolic"},
      {"home", "--timeout; --engine fly, --engine symbolic"},
  };
  tl_net *net = open_net ();
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    tl_answer open = {.size = sizeof open,
                      .name = "open",
                      .verdict = TL_VERDICT_UNKNOWN,
                      .engine = row[i][0],
                      .unknown_why = "the time limit was reached"};
    const tl_answers answers = {.size = sizeof answers,
                                .answer_size = sizeof open,
                                .run = complete_run (),
                                .answer = &open,
                                .count = 1};
    char *text = tl_answers_report (net, &answers, TL_FORM_TEXT);
    assert_non_null (text);
    has (text, row[i][1]);
    tl_text_close (text);
  }
  tl_net_close (net);
}

static void test_answers_contest (void **state) {
  (void)state;
  char *text = answered (TL_FORM_MCC);
  has (text, "FORMULA yes TRUE TECHNIQUES EXPLICIT\n"
             "FORMULA no FALSE TECHNIQUES EXPLICIT\n"
             "FORMULA most 7 TECHNIQUES EXPLICIT\n"
             "FORMULA endless +inf TECHNIQUES EXPLICIT\n"
             "FORMULA open CANNOT_COMPUTE\n"
             "FORMULA caf\xe9 TRUE TECHNIQUES TOPOLOGICAL UNFOLDING_TO_PT\n");
  tl_text_close (text);
}

static void test_answers_json (void **state) {
  (void)state;
  char *text = answered (TL_FORM_JSON);
  json_t *j = json_loads (text, 0, 0);
  assert_non_null (j);
  has (text, "\"complete\":false,\"stopped\":\"memory\",\"properties\":[");
  has (text, "{\"name\":\"yes\",\"formula\":\"EF p\",\"verdict\":\"true\","
             "\"engine\":\"reach\",\"seconds\":0.0,\"trace\":{\"kind\":"
             "\"path\",\"transitions\":[\"take_left_1\",\"take_right_1\"]}}");
  has (text, "\"verdict\":\"true\",\"value\":7,\"infinite\":false,");
  has (text, "\"verdict\":\"true\",\"value\":null,\"infinite\":true,");
  has (text, "\"verdict\":\"unknown\",\"at_least\":3,");
  has (text, "\"name\":\"caf?\""); // what is not UTF-8
  json_decref (j);
  tl_text_close (text);
}

static void test_traces (void **state) {
  (void)state;
  tl_net *net = open_net ();
  tl_exploration x = cut_off_run (TL_STOP_UNBOUNDED);
  x.deadlock.length = 2;
  char *text = tl_exploration_traces (net, &x, TL_FORM_TEXT);
  assert_string_equal (
      text, "# a deadlock: 2 transitions of philosophers-1\n"
            "take_left_1\ntake_right_1\n"
            "# a place without a bound: 3 transitions of philosophers-1\n"
            "take_left_1\n# from here again and again\n"
            "take_right_1\nput_1\n");
  tl_text_close (text);
  tl_net_close (net);
}

static void test_progress (void **state) {
  (void)state;
  char *text = tl_progress_report (&(tl_progress){.size = sizeof (tl_progress),
                                                  .states = 1500000,
                                                  .queued = 1000,
                                                  .depth = 7,
                                                  .bytes = 1 << 20,
                                                  .budget = 4 << 20,
                                                  .seconds = 1});
  assert_string_equal (text, "1.0 s  1,500,000 states  1.5 M/s  queue 1,000  "
                             "depth 7  1.0 MiB (25 %)");
  tl_text_close (text);
  text = tl_progress_report (&(tl_progress){.size = sizeof (tl_progress),
                                            .nodes = 12345,
                                            .peak_nodes = 20000,
                                            .events = 42,
                                            .cache = 65536,
                                            .bytes = 1 << 20,
                                            .seconds = 2});
  assert_string_equal (text, "2.0 s  12,345 nodes (at most 20,000)  42 events  "
                             "cache 65,536  1.0 MiB");
  tl_text_close (text);
  text = tl_progress_report (&(tl_progress){.size = sizeof (tl_progress),
                                            .states = 1500000,
                                            .bytes = 1 << 20,
                                            .seconds = 1,
                                            .most_states = 3000000,
                                            .most_seconds = 10});
  assert_string_equal (text, "1.0 s (10 %)  1,500,000 states (50 %)  1.5 M/s  "
                             "queue 0  depth 0  1.0 MiB");
  tl_text_close (text);
  text = tl_progress_report (&(tl_progress){.size = sizeof (tl_progress),
                                            .states = 1500000,
                                            .bytes = 1 << 20,
                                            .seconds = 1,
                                            .expected = 5951234});
  assert_string_equal (text, "1.0 s  1,500,000 states, about 25 % of an "
                             "estimated 6,000,000  1.5 M/s  queue 0  depth 0  "
                             "1.0 MiB");
  tl_text_close (text);
}

// Words of every length, so that one ends at every column.
static void test_columns (void **state) {
  (void)state;
  enum { MOST = 79, INDENT = 7 };
  for (int length = 1; length < 40; length++) {
    char *text = 0;
    size_t size, wide = 0, widest = 0;
    FILE *f = open_memstream (&text, &size);
    assert_non_null (f);
    tl_column c = tl_column_at (f, INDENT);
    fprintf (f, "%*s", INDENT, "");
    for (int i = 0; i < 100; i++)
      tl_column_word (&c, &"0123456789012345678901234567890123456789"[length]);
    tl_column_close (&c);
    fclose (f);
    for (const char *at = text; *at; at++) {
      wide = *at == '\n' ? 0 : wide + 1;
      widest = wide > widest ? wide : widest;
    }
    assert_in_range (widest, MOST - (40 - length), MOST);
    free (text);
  }
}

// Of one deadlock there are no others.
static void test_one_deadlock (void **state) {
  (void)state;
  for (uint64_t deadlocks = 1; deadlocks <= 2; deadlocks++) {
    tl_exploration x = complete_run ();
    x.deadlocks = deadlocks;
    char *text = explored (&x, TL_FORM_TEXT);
    (deadlocks > 1 ? has : has_not) (text, "other deadlock");
    tl_text_close (text);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_figures),
      cmocka_unit_test (test_complete_text),
      cmocka_unit_test (test_information_bound),
      cmocka_unit_test (test_incomplete_text),
      cmocka_unit_test (test_exploration_json),
      cmocka_unit_test (test_incomplete_json),
      cmocka_unit_test (test_contest),
      cmocka_unit_test (test_answers_text),
      cmocka_unit_test (test_unknown_json),
      cmocka_unit_test (test_unknown_hint),
      cmocka_unit_test (test_answers_contest),
      cmocka_unit_test (test_answers_json),
      cmocka_unit_test (test_traces),
      cmocka_unit_test (test_progress),
      cmocka_unit_test (test_columns),
      cmocka_unit_test (test_one_deadlock),
  };
  return cmocka_run_group_tests_name ("report", tests, 0, 0);
}
