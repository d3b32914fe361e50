// The public header as a careless program uses it: nulls, zeroes, numbers out
// of range, structs of another version.  Nothing here may crash.

#include "tideline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tl_net *example (const char *family, uint64_t size) {
  tl_net *net;
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  return net;
}

static tl_questions *ask (const tl_net *net, const char *text) {
  tl_questions *q;
  assert_int_equal (tl_questions_open (&q, net, 0), TL_OK);
  assert_int_equal (tl_questions_add_text (q, text, 0), TL_OK);
  return q;
}

// A call that was refused says why.
static void refused (tl_status status, tl_error *err) {
  assert_int_equal (status, TL_E_ARG);
  assert_int_equal (err->code, TL_E_ARG);
  assert_true (err->text[0]);
  *err = (tl_error){0};
}

// ---- Nulls -----------------------------------------------------------------

static void test_null_requests (void **state) {
  (void)state;
  tl_error err = {0};
  tl_request *request;
  int code = 7;
  refused (tl_request_save (0, 0, 0, &err), &err);
  refused (tl_request_open (&request, 0, &err), &err);
  refused (tl_request_open (0, "x", &err), &err);
  refused (tl_request_finish (0, 0, &err), &err);
  assert_null (tl_request_at (0, 0));
  assert_false (tl_request_finished (0, &code));
  tl_request_close (0);
}

static void test_null_ranks (void **state) {
  (void)state;
  tl_error err = {0};
  tl_ranks *ranks;
  uint32_t rank = 7, count = 7;
  refused (tl_ranks_open (0, 0, &err), &err);
  refused (tl_ranks_open (&ranks, "there/is/no.so", &err), &err);
  assert_null (ranks);
  assert_false (tl_ranks_launched (&rank, &count));
  assert_int_equal (rank, 0);
  assert_int_equal (count, 1);
  assert_int_equal (tl_ranks_number (0), 0);
  assert_int_equal (tl_ranks_count (0), 1);
  tl_ranks_follow (0, 0);
  tl_ranks_close (0);
}

static void test_null_nets (void **state) {
  (void)state;
  tl_error err = {0};
  tl_net *net = example ("philosophers", 2);
  const uint64_t size = 2;
  char *text;
  refused (tl_net_open (0, "x", &err), &err);
  refused (tl_net_open (&net, 0, &err), &err);
  refused (tl_net_open_with (0, 0, 0, &err), &err);
  refused (tl_net_example (0, "kanban", 1, &size, &err), &err);
  refused (tl_net_save (0, "x", "pnml", &err), &err);
  refused (tl_net_save (net, 0, "pnml", &err), &err);
  refused (tl_net_save (net, "x", 0, &err), &err);
  refused (tl_net_save_with (net, "x", "pnml", 0, &err), &err);
  tl_net *smaller;
  refused (tl_net_reduce (&smaller, 0, 0, &err), &err);
  refused (tl_net_reduce (0, 0, 0, &err), &err);
  refused (tl_example_coloured (0, "dbm", 1, &size, &err), &err);
  refused (tl_example_coloured (&text, 0, 1, &size, &err), &err);
  refused (tl_example_coloured (&text, "dbm", 1, 0, &err), &err);
  tl_net *other;
  refused (tl_net_example (&other, 0, 1, &size, &err), &err);
  refused (tl_net_example (&other, "kanban", 1, 0, &err), &err);
  assert_int_equal (tl_net_open (0, 0, 0), TL_E_ARG);
  assert_null (tl_net_name (0));
  assert_null (tl_net_format (0));
  assert_int_equal (tl_net_places (0), 0);
  assert_int_equal (tl_net_transitions (0), 0);
  assert_int_equal (tl_net_arcs (0), 0);
  assert_null (tl_net_place_id (0, 0));
  assert_null (tl_net_transition_id (0, 0));
  assert_null (tl_net_step_name (0, 0));
  assert_false (tl_net_is_coloured (0));
  assert_false (tl_net_has_place (0, "p"));
  assert_false (tl_net_has_place (net, 0));
  tl_net_close (0);
  tl_info info;
  refused (tl_net_info (0, &info, &err), &err);
  refused (tl_net_info (net, 0, &err), &err);
  refused (tl_net_info_with (0, 0, &info, &err), &err);
  refused (tl_net_info_with (net, 0, 0, &err), &err);
  const tl_options unknown = {.size = 0};
  refused (tl_net_info_with (net, &unknown, &info, &err), &err);
  tl_info_close (0);
  tl_net_close (net);
}

static void refuse_games (const tl_net *net) {
  const tl_choice *list;
  size_t count;
  tl_game *g;
  tl_error err;
  refused (tl_game_open (0, net, &err), &err);
  refused (tl_game_open (&g, 0, &err), &err);
  assert_null (g);
  assert_int_equal (tl_game_open (&g, net, 0), TL_OK);
  refused (tl_game_fire (g, 0, &err), &err);
  refused (tl_game_fire (0, &(tl_choice){0}, &err), &err);
  refused (tl_game_fire (g, &(tl_choice){.transition = 99999}, &err), &err);
  refused (tl_game_find (g, 0, &count, &err), &err);
  refused (tl_game_find (g, "nothing", &count, &err), &err);
  refused (tl_game_back (0, 0, &err), &err);
  refused (tl_game_back (g, 1, &err), &err);
  refused (tl_playback_choices (0, &list, &count, &err), &err);
  refused (tl_playback_choices (tl_game_playback (g), 0, &count, &err), &err);
  assert_null (tl_game_trace (0));
  assert_null (tl_game_playback (0));
  assert_null (tl_game_report (net, 0, TL_FORM_TEXT));
  assert_null (tl_trace_report (net, 0, TL_FORM_TEXT));
  tl_game_close (g);
  tl_game_close (0);
}

static void test_null_builders (void **state) {
  (void)state;
  tl_error err = {0};
  tl_net *net;
  tl_net_builder *b;
  refused (tl_net_builder_open (0, "x", &err), &err);
  refused (tl_net_builder_open (&b, 0, &err), &err);
  assert_null (b);
  refused (tl_net_builder_open (&b, "\xff", &err), &err);
  assert_int_equal (tl_net_builder_open (&b, "x", 0), TL_OK);
  refused (tl_net_builder_place (0, "p", 0, 1, &err), &err);
  refused (tl_net_builder_place (b, 0, 0, 1, &err), &err);
  refused (tl_net_builder_transition (0, "t", 0, &err), &err);
  refused (tl_net_builder_transition (b, 0, 0, &err), &err);
  refused (tl_net_builder_arc (0, TL_ARC_PRE, "p", "t", 1, &err), &err);
  refused (tl_net_builder_arc (b, TL_ARC_PRE, 0, "t", 1, &err), &err);
  refused (tl_net_builder_arc (b, TL_ARC_PRE, "p", 0, 1, &err), &err);
  refused (tl_net_builder_finish (0, &net, &err), &err);
  refused (tl_net_builder_finish (b, 0, &err), &err);
  tl_net_builder_close (0);
  assert_int_equal (tl_net_builder_open (&b, "x", 0), TL_OK);
  tl_net_builder_close (b);
}

// What is asked of a net, and of no net.
static void test_null_nodes (void **state) {
  (void)state;
  tl_error err = {0};
  tl_net *net = example ("philosophers", 2), *other;
  const tl_arc *arcs;
  uint64_t marking[20] = {0};
  uint32_t node;
  refused (tl_net_read (0, "x", 1, 0, 0, &err), &err);
  refused (tl_net_read (&other, 0, 1, 0, 0, &err), &err);
  assert_null (tl_net_place_name (0, 0));
  assert_null (tl_net_place_name (net, 1000));
  assert_null (tl_net_transition_name (0, 0));
  assert_null (tl_net_transition_name (net, 1000));
  assert_false (tl_net_find_place (0, "p", &node));
  assert_false (tl_net_find_place (net, 0, &node));
  assert_false (tl_net_find_place (net, "fork_1", 0));
  assert_false (tl_net_find_transition (0, "t", &node));
  assert_false (tl_net_find_transition (net, 0, &node));
  assert_int_equal (tl_net_arcs_of (0, 0, TL_ARC_PRE, &arcs), 0);
  assert_int_equal (tl_net_arcs_of (net, 0, TL_ARC_PRE, 0), 0);
  assert_int_equal (tl_net_arcs_of (net, 1000, TL_ARC_PRE, &arcs), 0);
  assert_int_equal (tl_net_arcs_of (net, 0, (tl_arc_kind)99, &arcs), 0);
  refused (tl_net_initial (0, marking, &err), &err);
  refused (tl_net_initial (net, 0, &err), &err);
  assert_false (tl_net_enables (0, marking, 0));
  assert_false (tl_net_enables (net, 0, 0));
  assert_false (tl_net_enables (net, marking, 1000));
  refused (tl_net_fire (0, marking, 0, &err), &err);
  refused (tl_net_fire (net, 0, 0, &err), &err);
  refused (tl_net_fire (net, marking, 1000, &err), &err);
  tl_net_close (net);
}

static void test_null_runs (void **state) {
  (void)state;
  tl_error err = {0};
  tl_net *net = example ("philosophers", 2);
  tl_questions *q = ask (net, "deadlock");
  tl_exploration found;
  tl_answers answers;
  tl_candidates candidates;
  refused (tl_explore (0, 0, &found, &err), &err);
  refused (tl_explore (net, 0, 0, &err), &err);
  refused (tl_explore_dot (0, 0, "x", 10, &err), &err);
  refused (tl_explore_dot (net, 0, 0, 10, &err), &err);
  refused (tl_check (0, q, 0, &answers, &err), &err);
  refused (tl_check (net, 0, 0, &answers, &err), &err);
  refused (tl_check (net, q, 0, 0, &err), &err);
  refused (tl_candidates_find (0, 0, &candidates, &err), &err);
  refused (tl_candidates_find (net, 0, 0, &err), &err);
  assert_int_equal (tl_explore (0, 0, 0, 0), TL_E_ARG);
  tl_verification proven;
  refused (tl_verify (0, 0, 0, &proven, &err), &err);
  refused (tl_verify ("x", 0, 0, 0, &err), &err);
  assert_null (tl_verification_report (0, TL_FORM_TEXT));
  assert_null (tl_verification_proven (0, 0));
  tl_verification_close (0);
  tl_exploration_close (0);
  tl_answers_close (0);
  tl_candidates_close (0);
  tl_options_init (0, 100);
  tl_cancel (0);
  assert_false (tl_trace_replay (0, 0));
  assert_false (tl_trace_replay (net, 0));
  assert_false (tl_trace_replay (net, &(tl_trace){.length = 3}));
  tl_playback *play;
  const tl_marked *marked;
  refused (tl_playback_open (0, net, &(tl_trace){.length = 0}, &err), &err);
  refused (tl_playback_open (&play, 0, &(tl_trace){.length = 0}, &err), &err);
  refused (tl_playback_open (&play, net, 0, &err), &err);
  refused (tl_playback_open (&play, net, &(tl_trace){.length = 3}, &err), &err);
  refused (tl_playback_step (0, &err), &err);
  assert_int_equal (tl_playback_marking (0, &marked), 0);
  assert_int_equal (tl_playback_changes (0, &marked), 0);
  tl_playback_close (0);
  refuse_games (net);
  tl_questions_close (q);
  tl_net_close (net);
}

static void test_null_questions (void **state) {
  (void)state;
  tl_error err = {0};
  tl_net *net = example ("philosophers", 2);
  tl_questions *q;
  bool found;
  refused (tl_questions_open (0, net, &err), &err);
  refused (tl_questions_open (&q, 0, &err), &err);
  q = ask (net, "deadlock");
  tl_settings settings = tl_settings_default ();
  refused (tl_questions_limit (q, 0, &err), &err);
  refused (tl_questions_limit (0, &settings, &err), &err);
  settings.timeout = -1;
  refused (tl_questions_limit (q, &settings, &err), &err);
  refused (tl_questions_add_text (q, 0, &err), &err);
  refused (tl_questions_add_text (0, "deadlock", &err), &err);
  refused (tl_questions_add_formulas (q, 0, &err), &err);
  refused (tl_questions_add_formulas (0, "x", &err), &err);
  assert_null (tl_questions_warning (0, 0));
  assert_null (tl_questions_warning (q, 0));
  assert_null (tl_questions_warning (q, 1000));
  refused (tl_questions_add_file (q, 0, &err), &err);
  refused (tl_questions_add_file (0, "x", &err), &err);
  refused (tl_questions_add_property (q, 0, 0, 0, &found, &err), &err);
  refused (tl_questions_add_property (q, "x", 0, 0, 0, &err), &err);
  refused (tl_questions_add_property (0, "x", 0, 0, &found, &err), &err);
  assert_int_equal (tl_questions_count (0), 0);
  tl_questions_close (0);
  tl_questions_close (q);
  tl_net_close (net);
}

static int look (void *context, const tl_condensed_visit *v) {
  (void)v;
  ++*(int *)context;
  return 0;
}

static void refuse_walks (const tl_condensed *graph) {
  tl_error err = {0};
  uint64_t target;
  size_t count;
  int visits = 0;
  refused (tl_condensed_walk (0, 0, look, &visits, &err), &err);
  refused (tl_condensed_walk (graph, 0, 0, &visits, &err), &err);
  refused (
      tl_condensed_walk (graph, &(tl_settings){.size = 0}, look, &visits, &err),
      &err);
  assert_int_equal (visits, 0);
  refused (tl_condensed_targets (0, 0, &target, 1, &count, &err), &err);
  refused (tl_condensed_targets (graph, 0, 0, 1, &count, &err), &err);
  refused (tl_condensed_targets (graph, 0, &target, 1, 0, &err), &err);
  refused (tl_condensed_targets (graph, 1000, &target, 1, &count, &err), &err);
  assert_int_equal (tl_condensed_targets (graph, 0, 0, 0, &count, 0), TL_OK);
  assert_int_equal (count, 2);
}

static void test_null_graphs (void **state) {
  (void)state;
  tl_error err = {0};
  tl_net *net = example ("philosophers", 2);
  tl_condensed *graph;
  tl_exploration found;
  tl_answers answers;
  tl_trace trace;
  refused (tl_condensed_build (0, net, 0, &found, &err), &err);
  refused (tl_condensed_build (&graph, 0, 0, &found, &err), &err);
  refused (tl_condensed_build (&graph, net, 0, 0, &err), &err);
  refused (tl_condensed_open (0, "x", &err), &err);
  refused (tl_condensed_open (&graph, 0, &err), &err);
  refused (tl_condensed_save (0, "x", &err), &err);
  refused (tl_condensed_export (0, "x", "aut", TL_FORM_TEXT, &err), &err);
  refused (tl_condensed_path (0, 0, &trace, &err), &err);
  refused (tl_condensed_check (0, 0, 0, &answers, &err), &err);
  assert_false (tl_condensed_is (0));
  assert_null (tl_condensed_net (0));
  assert_int_equal (tl_condensed_sizes (0).states, 0);
  tl_condensed_sizes_sized (0, 0);
  tl_condensed_close (0);
  tl_condensed_path_close (0);
  assert_int_equal (tl_condensed_build (&graph, net, 0, &found, 0), TL_OK);
  refused (tl_condensed_save (graph, 0, &err), &err);
  uint64_t target;
  tl_trace way;
  refused (tl_condensed_next (0, 0, 0, &way, &target, &err), &err);
  refused (tl_condensed_next (graph, 0, 0, 0, &target, &err), &err);
  refused (tl_condensed_next (graph, 0, 0, &way, 0, &err), &err);
  refused (tl_condensed_next (graph, 1000, 0, &way, &target, &err), &err);
  assert_null (tl_condensed_state_report (0, 0, TL_FORM_TEXT));
  assert_null (tl_condensed_state_report (graph, 1000, TL_FORM_TEXT));
  refused (tl_condensed_export (graph, 0, "aut", TL_FORM_TEXT, &err), &err);
  refused (tl_condensed_export (graph, "x", 0, TL_FORM_TEXT, &err), &err);
  refused (tl_condensed_export_with (graph, "x", "aut", TL_FORM_TEXT, 0, &err),
           &err);
  refused (tl_condensed_export (graph, "x", "jpeg", TL_FORM_TEXT, &err), &err);
  refused (tl_condensed_draw (graph, "x", 0, 1, 9, TL_FORM_TEXT, 0, &err),
           &err);
  const tl_settings draws = tl_settings_default ();
  refused (tl_condensed_draw (graph, 0, 0, 1, 9, TL_FORM_TEXT, &draws, &err),
           &err);
  refused (
      tl_condensed_draw (graph, "x", 1000000, 1, 9, TL_FORM_TEXT, &draws, &err),
      &err);
  refused (tl_condensed_path (graph, 0, 0, &err), &err);
  refused (tl_condensed_path (graph, 1000000, &trace, &err), &err);
  refused (tl_condensed_check (graph, 0, 0, &answers, &err), &err);
  refuse_walks (graph);
  tl_exploration_close (&found);
  tl_condensed_close (graph);
  tl_net_close (net);
}

static const tl_form forms[] = {TL_FORM_TEXT, TL_FORM_SHORT, TL_FORM_JSON,
                                TL_FORM_MCC, (tl_form)9};

// Reports on nothing, on structs that were never filled, and on closed ones.
static void test_reports (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 2);
  tl_exploration found = {.size = 0}, closed;
  tl_answers answers = {.size = 0};
  tl_info info = {.size = 0};
  tl_candidates candidates = {.size = 0};
  tl_condensed_size sizes = {.size = 0};
  assert_int_equal (tl_explore (net, 0, &closed, 0), TL_OK);
  tl_exploration_close (&closed);
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    assert_null (tl_exploration_report (net, 0, forms[i]));
    assert_null (tl_exploration_report (0, &found, forms[i]));
    assert_null (tl_exploration_report (net, &found, forms[i]));
    assert_null (tl_exploration_report (net, &closed, forms[i]));
    assert_null (tl_answers_report (net, 0, forms[i]));
    assert_null (tl_answers_report (net, &answers, forms[i]));
    assert_null (tl_info_report (net, 0, forms[i]));
    assert_null (tl_info_report (net, &info, forms[i]));
    assert_null (tl_candidates_report (net, 0, forms[i]));
    assert_null (tl_candidates_report (net, &candidates, forms[i]));
    assert_null (tl_condensed_report (net, 0, forms[i]));
    assert_null (tl_condensed_report (net, &sizes, forms[i]));
    assert_null (tl_condensed_built_report (net, &sizes, &closed, forms[i]));
  }
  assert_null (tl_answer_report (0));
  assert_null (tl_answer_report (&(tl_answer){.size = 0}));
  assert_null (tl_answer_report (&(tl_answer){.size = sizeof (tl_answer)}));
  assert_null (tl_condensed_path_report (net, 0, 0, TL_FORM_TEXT));
  assert_null (
      tl_condensed_path_report (0, &(tl_trace){.length = 0}, 0, TL_FORM_TEXT));
  assert_null (tl_regress_report (net, 0, TL_FORM_TEXT));
  assert_null (tl_regress_report (0, &closed, TL_FORM_TEXT));
  assert_null (tl_fault_report (net, 0, TL_FORM_TEXT));
  assert_null (tl_unread_report (0, &(tl_error){0}, TL_FORM_TEXT));
  assert_null (tl_unread_report ("x", 0, TL_FORM_TEXT));
  assert_null (tl_sweep_plot (net, 0));
  assert_null (tl_sweep_plot (net, &closed));
  assert_null (tl_answers_page (net, 0, TL_FORM_TEXT, 0));
  assert_null (tl_answers_page (0, &answers, TL_FORM_TEXT, 0));
  assert_null (tl_answers_page (net, &answers, TL_FORM_TEXT, 0));
  assert_null (tl_exploration_page (net, 0, 0, TL_FORM_TEXT, 0));
  assert_null (tl_exploration_page (net, &closed, 0, TL_FORM_TEXT, 0));
  assert_null (tl_condensed_page (0, 0, TL_FORM_TEXT, 0));
  assert_null (tl_game_page (net, 0, TL_FORM_TEXT, 0));
  assert_null (tl_net_sketch (0, 100, TL_FORM_TEXT));
  assert_null (tl_net_sketch (net, 1, TL_FORM_TEXT));
  assert_null (tl_condensed_sketch (0));
  assert_null (tl_exploration_traces (net, 0, TL_FORM_TEXT));
  assert_null (tl_answers_traces (net, 0, TL_FORM_TEXT));
  assert_null (tl_progress_report (0));
  assert_null (
      tl_unread_report (0, &(tl_error){.code = TL_E_IO}, TL_FORM_TEXT));
  assert_null (tl_unread_report ("x", 0, TL_FORM_JSON));
  tl_text_close (0);
  assert_int_equal (tl_text_save (0, "x", 0), TL_E_ARG);
  assert_int_equal (tl_text_save ("x", 0, 0), TL_E_ARG);
  tl_net_close (net);
}

static void test_tables (void **state) {
  (void)state;
  const tl_kind_row *(*const tables[]) (size_t *) = {
      tl_orders,    tl_stores,  tl_measure_kinds, tl_reductions,    tl_engines,
      tl_explorers, tl_devices, tl_compilings,    tl_property_names};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    size_t count = 0;
    assert_ptr_equal (tables[i](0), tables[i](&count));
    for (size_t k = 0; k < count; k++)
      assert_true (tables[i](0)[k].name[0] && tables[i](0)[k].blurb[0]);
    assert_true (count);
  }
  assert_non_null (tl_example_families (0));
  assert_non_null (tl_status_text ((tl_status)99));
  assert_non_null (tl_stop_text ((tl_stop)99));
  assert_int_equal (tl_version_number (), TL_VERSION_NUMBER);
  char text[32];
  snprintf (text, sizeof text, "%u.%u.%u", tl_version_number () / 10000,
            tl_version_number () / 100 % 100, tl_version_number () % 100);
  assert_int_equal (strncmp (tl_version (), text, strlen (text)), 0);
}

// ---- Zeroes and numbers out of range ---------------------------------------

static void test_zeroed (void **state) {
  (void)state;
  tl_error err = {0};
  tl_net *net = example ("philosophers", 2);
  tl_exploration found;
  const tl_options zero = {.size = 0};
  refused (tl_explore (net, &zero, &found, &err), &err);
  tl_exploration_close (&found);
  const tl_settings nothing = {.size = 0};
  tl_net *other;
  refused (tl_net_open_with (&other, "x", &nothing, &err), &err);
  // With their size zeroes are what was not said, or not a number there is.
  tl_options sized = {.size = sizeof sized, .delta_k = 20};
  assert_int_equal (tl_explore (net, &sized, &found, &err), TL_OK);
  assert_string_equal (found.order, "bfs");
  tl_exploration_close (&found);
  sized.delta_k = 0;
  refused (tl_explore (net, &sized, &found, &err), &err);
  // A result whose size nobody set.
  memset (&found, 0, sizeof found);
  refused (tl_explore_sized (net, 0, &found, &err), &err);
  memset (&found, 0xa5, sizeof found);
  refused (tl_explore_sized (net, 0, &found, &err), &err);
  tl_net_close (net);
}

static void test_wrong_options (void **state) {
  (void)state;
  tl_error err = {0};
  tl_net *net = example ("philosophers", 2);
  static const struct wrong {
    const char *order, *store, *stubborn, *progress;
    uint32_t delta_k, threads;
    double timeout;
  } list[] = {
      {.order = "up"},      {.store = "attic"},
      {.stubborn = "mule"}, {.order = "sweep", .progress = "nonsense ("},
      {.delta_k = 256},     {.threads = 1000000},
      {.timeout = -1},      {.timeout = NAN},
      {.timeout = INFINITY}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    tl_options how = tl_options_default ();
    tl_exploration found;
    how.order = list[i].order;
    how.store = list[i].store;
    how.stubborn = list[i].stubborn;
    how.progress = list[i].progress;
    how.delta_k = list[i].delta_k ? list[i].delta_k : 20;
    how.threads = list[i].threads;
    how.timeout = list[i].timeout;
    assert_int_not_equal (tl_explore (net, &how, &found, &err), TL_OK);
    assert_true (err.text[0]);
    tl_exploration_close (&found);
  }
  tl_options how = tl_options_default ();
  how.engine = "steam";
  tl_questions *q = ask (net, "deadlock");
  tl_answers answers;
  refused (tl_check (net, q, &how, &answers, &err), &err);
  tl_questions_close (q);
  tl_net_close (net);
}

static void test_numbers (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 2);
  assert_non_null (tl_net_place_id (net, tl_net_places (net) - 1));
  assert_null (tl_net_place_id (net, tl_net_places (net)));
  assert_null (tl_net_place_id (net, UINT32_MAX));
  assert_non_null (tl_net_transition_id (net, tl_net_transitions (net) - 1));
  assert_null (tl_net_transition_id (net, tl_net_transitions (net)));
  assert_null (tl_net_transition_id (net, UINT32_MAX));
  assert_null (tl_net_step_name (net, tl_net_transitions (net)));
  assert_null (tl_net_step_name (net, UINT32_MAX));
  uint32_t far[] = {UINT32_MAX};
  const tl_trace odd = {.transition = far, .length = 1};
  assert_null (tl_trace_step (0, &odd, 0));
  assert_null (tl_trace_step (net, 0, 0));
  assert_null (tl_trace_step (net, &odd, 0));
  assert_null (tl_trace_step (net, &odd, 1));
  assert_null (tl_trace_step (net, &(tl_trace){.length = 1}, 0));
  assert_false (
      tl_trace_replay (net, &(tl_trace){.transition = far, .length = 1}));
  tl_net_close (net);
}

static void test_settings (void **state) {
  (void)state;
  tl_error err = {0};
  tl_net *net;
  const char *const none[] = {0};
  tl_settings s = tl_settings_default ();
  s.count = 1;
  refused (tl_net_open_with (&net, "x", &s, &err), &err);
  s.name = none;
  refused (tl_net_open_with (&net, "x", &s, &err), &err);
  s.value = none;
  refused (tl_net_open_with (&net, "x", &s, &err), &err);
  s = tl_settings_default ();
  s.timeout = NAN;
  refused (tl_net_open_with (&net, "x", &s, &err), &err);
  s.timeout = -1;
  refused (tl_net_open_with (&net, "x", &s, &err), &err);
  s = tl_settings_default ();
  s.compile = (tl_compile)17;
  refused (tl_net_open_with (&net, "x", &s, &err), &err);
}

// Questions about one net are not asked of another.
static void test_other_net (void **state) {
  (void)state;
  tl_error err = {0};
  tl_net *net = example ("philosophers", 2), *other = example ("kanban", 1);
  tl_questions *q = ask (other, "deadlock");
  tl_answers answers;
  refused (tl_check (net, q, 0, &answers, &err), &err);
  tl_questions_close (q);
  tl_net_close (net);
  tl_net_close (other);
}

// ---- Structs of another version --------------------------------------------

enum { BEYOND = 64 };

// A result with fewer fields, or with some more than the library knows: nothing
// beyond it is touched, and nothing is lost.
static void test_other_sizes (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 4);
  const size_t size[] = {offsetof (tl_exploration, stop),
                         offsetof (tl_exploration, place_max),
                         offsetof (tl_exploration, order),
                         sizeof (tl_exploration), sizeof (tl_exploration) + 32};
  for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
    unsigned char *bytes = malloc (size[i] + BEYOND);
    memset (bytes, 0x5a, size[i] + BEYOND);
    tl_exploration *found = (tl_exploration *)(void *)bytes;
    found->size = size[i];
    assert_int_equal (tl_explore_sized (net, 0, found, 0), TL_OK);
    assert_true (found->complete);
    assert_true (found->size <= size[i]);
    if (size[i] > offsetof (tl_exploration, order))
      assert_int_equal (found->states, 34);
    for (size_t k = size[i]; k < size[i] + BEYOND; k++)
      assert_int_equal (bytes[k], 0x5a);
    tl_exploration_close (found);
    free (bytes);
  }
  tl_net_close (net);
}

// Options that end before the last fields.
static void test_short_options (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 4);
  tl_options how;
  memset (&how, 0x5a, sizeof how); // what lies beyond is not looked at
  tl_options_init (&how, offsetof (tl_options, max_states));
  assert_int_equal (how.size, offsetof (tl_options, max_states));
  assert_int_equal (how.seed, 0x5a5a5a5a5a5a5a5a);
  tl_exploration found;
  assert_int_equal (tl_explore (net, &how, &found, 0), TL_OK);
  assert_true (found.complete);
  tl_exploration_close (&found);
  tl_net_close (net);
}

static void test_short_answers (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 4);
  tl_questions *q = ask (net, "deadlock");
  assert_int_equal (tl_questions_add_text (q, "one-safe", 0), TL_OK);
  const size_t stride = offsetof (tl_answer, trace);
  // Not to be seen through by a compiler that warns of short structs.
  const volatile size_t size =
      offsetof (tl_answers, run) + offsetof (tl_exploration, order);
  unsigned char *bytes = malloc (size);
  tl_answers *answers = (tl_answers *)(void *)bytes;
  answers->size = size;
  answers->answer_size = stride;
  assert_int_equal (tl_check_sized (net, q, 0, answers, 0), TL_OK);
  assert_int_equal (answers->count, 2);
  assert_int_equal (answers->run.size, offsetof (tl_exploration, order));
  const tl_answer *second =
      (const tl_answer *)(const void *)((char *)answers->answer + stride);
  assert_int_equal (second->size, stride);
  assert_string_equal (second->name, "one-safe");
  char *line = tl_answer_report (second);
  assert_string_equal (line, "FORMULA one-safe TRUE TECHNIQUES TOPOLOGICAL\n");
  tl_text_close (line);
  tl_answers_close (answers);
  assert_int_equal (answers->count, 0);
  tl_answers_close (answers);
  free (bytes);
  tl_questions_close (q);
  tl_net_close (net);
}

static void test_short_candidates (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 4);
  const size_t stride = offsetof (tl_candidate, linear);
  tl_options how = tl_options_default ();
  how.progress = "schmidt";
  tl_candidates all = {.size = sizeof all, .candidate_size = stride};
  assert_int_equal (tl_candidates_find_sized (net, &how, &all, 0), TL_OK);
  assert_true (all.count);
  char *text = tl_candidates_report (net, &all, TL_FORM_TEXT);
  assert_non_null (strstr (text, all.candidate->name));
  tl_text_close (text);
  tl_candidates_close (&all);
  tl_net_close (net);
}

// ---- Ending a run ----------------------------------------------------------

static int stop_at_once (void *context, const tl_progress *p) {
  assert_int_equal (p->size, sizeof *p);
  ++*(int *)context;
  return 1;
}

static void test_progress_stops (void **state) {
  (void)state;
  tl_net *net = example ("kanban", 6); // 11,261,376 states
  tl_options how = tl_options_default ();
  int calls = 0, flag = 0;
  how.on_progress = stop_at_once;
  how.context = &calls;
  how.cancel = &flag;
  tl_exploration found;
  assert_int_equal (tl_explore (net, &how, &found, 0), TL_OK);
  assert_int_equal (calls, 1);
  assert_int_equal (flag, 1);
  assert_false (found.complete);
  assert_int_equal (found.stop, TL_STOP_CANCEL);
  tl_exploration_close (&found);
  // A flag that is set already.
  assert_int_equal (tl_explore (net, &how, &found, 0), TL_OK);
  assert_int_equal (found.stop, TL_STOP_CANCEL);
  assert_int_equal (calls, 1);
  tl_exploration_close (&found);
  tl_net_close (net);
}

static int stop_at_answer (void *context, const tl_answer *a) {
  assert_int_equal (a->size, sizeof *a);
  ++*(int *)context;
  return 1;
}

static void test_answer_stops (void **state) {
  (void)state;
  tl_net *net = example ("kanban", 6);
  // The first one is decided on the way, the second by all states only.
  tl_questions *q = ask (net, "EF card_1 = 0");
  assert_int_equal (tl_questions_add_text (q, "bounds", 0), TL_OK);
  tl_options how = tl_options_default ();
  int calls = 0;
  how.on_answer = stop_at_answer;
  how.answer_context = &calls;
  how.unaided = true;
  tl_answers answers;
  tl_error err;
  if (tl_check (net, q, &how, &answers, &err))
    fail_msg ("%s", err.text);
  assert_true (calls >= 1);
  assert_int_equal (answers.run.stop, TL_STOP_CANCEL);
  assert_int_equal (answers.answer[0].verdict, TL_VERDICT_TRUE);
  assert_int_equal (answers.answer[1].verdict, TL_VERDICT_UNKNOWN);
  tl_answers_close (&answers);
  tl_questions_close (q);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_null_requests),
      cmocka_unit_test (test_null_ranks),
      cmocka_unit_test (test_null_nets),
      cmocka_unit_test (test_null_builders),
      cmocka_unit_test (test_null_nodes),
      cmocka_unit_test (test_null_runs),
      cmocka_unit_test (test_null_questions),
      cmocka_unit_test (test_null_graphs),
      cmocka_unit_test (test_reports),
      cmocka_unit_test (test_tables),
      cmocka_unit_test (test_zeroed),
      cmocka_unit_test (test_wrong_options),
      cmocka_unit_test (test_numbers),
      cmocka_unit_test (test_settings),
      cmocka_unit_test (test_other_net),
      cmocka_unit_test (test_other_sizes),
      cmocka_unit_test (test_short_options),
      cmocka_unit_test (test_short_answers),
      cmocka_unit_test (test_short_candidates),
      cmocka_unit_test (test_progress_stops),
      cmocka_unit_test (test_answer_stops),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
