// Pages: the data in them are JSON whatever the names are, and have the net as
// people see it and what is fired, for nets of all kinds.

#include "page/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

// The data of a page, which is closed.
static json_t *data_of (char *page) {
  assert_non_null (page);
  char *begin = strstr (page, "id=\"data\">");
  assert_non_null (begin);
  begin = strchr (begin, '>') + 1;
  char *end = strchr (begin, '<'); // there is none inside
  assert_non_null (end);
  assert_int_equal (strncmp (end, "</script>\n<script>", 18), 0);
  *end = 0;
  json_t *data = json_loads (begin, 0, 0);
  assert_non_null (data);
  tl_text_close (page);
  return data;
}

static size_t count (const json_t *data, const char *key) {
  return json_array_size (json_object_get (json_object_get (data, "net"), key));
}

static const char *text_of (const json_t *list, size_t i, const char *key) {
  return json_string_value (json_object_get (json_array_get (list, i), key));
}

// ---- Texts -----------------------------------------------------------------

static json_t *written (void (*write) (FILE *, const char *),
                        const char *text) {
  tl_writing w;
  assert_true (tl_writing_open (&w));
  write (w.file, text);
  char *json = tl_writing_close (&w);
  for (const char *c = json; *c; c++)
    assert_true (!strchr ("<>&'", *c) && (unsigned char)*c >= ' ');
  json_t *j = json_loads (json, JSON_DECODE_ANY, 0);
  assert_non_null (j);
  tl_text_close (json);
  return j;
}

static void test_texts (void **state) {
  (void)state;
  static const char *const text[] = {"",
                                     "plain",
                                     "</script><script>alert('&amp;')",
                                     "\"quoted\" \\ \n\t\x01\x7f",
                                     "\u2028\u2029\u202e right to left \u20ac",
                                     "<!--",
                                     "]]>",
                                     0};
  for (size_t i = 0; text[i]; i++) {
    json_t *j = written (tl_page_string, text[i]);
    assert_string_equal (json_string_value (j), text[i]);
    char *dumped = json_dumps (j, JSON_ENCODE_ANY);
    json_t *again = written (tl_page_json, dumped);
    assert_true (json_equal (j, again));
    tl_text_close (dumped);
    json_decref (j);
    json_decref (again);
  }
  json_t *j = written (tl_page_string, "not \xff UTF-8");
  assert_string_equal (json_string_value (j), "not ? UTF-8");
  json_decref (j);
}

// ---- Nets ------------------------------------------------------------------

static tl_net *read_text (const char *text, bool no_unfold) {
  char path[] = "page_net_XXXXXX";
  const int fd = mkstemp (path);
  tl_settings settings = tl_settings_default ();
  tl_net *net;
  assert_true (fd >= 0);
  assert_int_equal (write (fd, text, strlen (text)), strlen (text));
  close (fd);
  settings.no_unfold = no_unfold;
  assert_int_equal (tl_net_open_with (&net, path, &settings, 0), TL_OK);
  unlink (path);
  return net;
}

static json_t *played (const tl_net *net, unsigned steps) {
  tl_game *game;
  const tl_choice *first;
  size_t n;
  assert_int_equal (tl_game_open (&game, net, 0), TL_OK);
  while (steps-- &&
         !tl_playback_choices (tl_game_playback (game), &first, &n, 0) && n)
    assert_int_equal (tl_game_fire (game, first, 0), TL_OK);
  json_t *data = data_of (tl_game_page (net, game, TL_FORM_TEXT, 0));
  tl_game_close (game);
  return data;
}

// Of a coloured net each token has its place, each step its transition.
static void test_coloured (void **state) {
  (void)state;
  char *text;
  const uint64_t size = 3;
  assert_int_equal (tl_example_coloured (&text, "dbm", 1, &size, 0), TL_OK);
  for (int no_unfold = 0; no_unfold < 2; no_unfold++) {
    tl_net *net = read_text (text, no_unfold);
    json_t *data = played (net, 6);
    const json_t *tokens = json_object_get (data, "tokens");
    const json_t *fired = json_object_get (
        json_array_get (json_object_get (data, "traces"), 0), "fired");
    const json_t *places =
        json_object_get (json_object_get (data, "net"), "places");
    const char *id;
    json_t *place;
    assert_int_equal (count (data, "places"), 7);
    assert_int_equal (count (data, "transitions"), 4);
    assert_int_equal (count (data, "inputs") + count (data, "outputs"), 16);
    assert_int_equal (json_array_size (fired), 6);
    for (size_t i = 0; i < json_array_size (fired); i++)
      assert_true (json_integer_value (json_array_get (fired, i)) < 4);
    assert_true (json_object_size (tokens) > 4);
    json_object_foreach ((json_t *)tokens, id, place) {
      const char *name =
          text_of (places, (size_t)json_integer_value (place), "id");
      assert_int_equal (strncmp (name, id, strlen (name)), 0);
    }
    json_decref (data);
    tl_net_close (net);
  }
  tl_text_close (text);
}

// The net that a file with a graph keeps knows only what it is unfolded into.
static void test_kept (void **state) {
  (void)state;
  static const char path[] = "page_graph.tlg";
  char *text;
  const uint64_t size = 3;
  tl_condensed *graph;
  tl_exploration x;
  assert_int_equal (tl_example_coloured (&text, "dbm", 1, &size, 0), TL_OK);
  tl_net *net = read_text (text, false);
  assert_int_equal (tl_condensed_build (&graph, net, 0, &x, 0), TL_OK);
  assert_int_equal (tl_condensed_save (graph, path, 0), TL_OK);
  tl_condensed_close (graph);
  assert_int_equal (tl_condensed_open (&graph, path, 0), TL_OK);
  json_t *data = data_of (tl_condensed_page (graph, &x, TL_FORM_TEXT, 0));
  assert_int_equal (count (data, "places"), 7);
  assert_int_equal (count (data, "inputs") + count (data, "outputs"), 16);
  assert_int_equal (json_array_size (json_object_get (data, "states")), 28);
  json_decref (data);
  char *sketch = tl_condensed_sketch (graph);
  assert_non_null (strstr (sketch, "s0->s1\n"));
  tl_text_close (sketch);
  tl_condensed_close (graph);
  unlink (path);
  tl_exploration_close (&x);
  tl_net_close (net);
  tl_text_close (text);
}

// ---- Reports ---------------------------------------------------------------

static void test_answers (void **state) {
  (void)state;
  const uint64_t size = 3;
  tl_net *net;
  tl_questions *q;
  tl_answers answers;
  assert_int_equal (tl_net_example (&net, "philosophers", 1, &size, 0), TL_OK);
  assert_int_equal (tl_questions_open (&q, net, 0), TL_OK);
  assert_int_equal (tl_questions_add_text (q, "one-safe", 0), TL_OK);
  assert_int_equal (tl_questions_add_text (q, "deadlock", 0), TL_OK);
  assert_int_equal (tl_check (net, q, 0, &answers, 0), TL_OK);
  const tl_page_layout layout = {.net = "graph 1 1 1\nstop\n"};
  json_t *data =
      data_of (tl_answers_page (net, &answers, TL_FORM_TEXT, &layout));
  const json_t *trace = json_array_get (json_object_get (data, "traces"), 0);
  assert_int_equal (count (data, "places"), tl_net_places (net));
  assert_int_equal (count (data, "inputs") + count (data, "outputs"),
                    tl_net_arcs (net));
  assert_int_equal (json_integer_value (json_object_get (trace, "number")), 1);
  assert_int_equal (json_array_size (json_object_get (trace, "fired")), 3);
  assert_string_equal (json_string_value (json_object_get (data, "net_layout")),
                       layout.net);
  json_decref (data);
  char *sketch = tl_net_sketch (net, 1000, TL_FORM_TEXT);
  assert_non_null (strstr (sketch, "->t0\n"));
  tl_text_close (sketch);
  tl_answers_close (&answers);
  tl_questions_close (q);
  tl_net_close (net);
}

// A sweep has its picture.
static void test_sweep (void **state) {
  (void)state;
  const uint64_t size = 2;
  tl_net *net;
  tl_exploration x;
  tl_options how = tl_options_default ();
  how.order = "sweep";
  how.bfs_memory = 0;
  assert_int_equal (tl_net_example (&net, "kanban", 1, &size, 0), TL_OK);
  assert_int_equal (tl_explore (net, &how, &x, 0), TL_OK);
  json_t *data = data_of (tl_exploration_page (net, &x, 0, TL_FORM_TEXT, 0));
  const char *plot = json_string_value (json_object_get (data, "plot"));
  assert_int_equal (strncmp (plot, "<svg", 4), 0);
  assert_true (json_is_null (json_object_get (data, "states")));
  json_decref (data);
  tl_exploration_close (&x);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_texts), cmocka_unit_test (test_coloured),
      cmocka_unit_test (test_kept),  cmocka_unit_test (test_answers),
      cmocka_unit_test (test_sweep),
  };
  return cmocka_run_group_tests_name ("page", tests, 0, 0);
}
