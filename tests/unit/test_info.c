// What is known about a net without visiting its states.

#include "net/net.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static tl_info about (tl_net *net) {
  tl_info info;
  tl_error err;
  if (tl_net_info (net, &info, &err))
    fail_msg ("%s", err.text);
  assert_int_equal (info.places, tl_net_places (net));
  tl_net_close (net);
  return info;
}

static tl_net *example (const char *family, uint64_t size) {
  tl_net *net;
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  return net;
}

static void test_kanban (void **state) {
  (void)state;
  tl_info info = about (example ("kanban", 5));
  assert_true (info.ordinary);
  assert_false (info.state_machine);
  assert_int_equal (info.initial_tokens, 20);
  for (uint32_t p = 0; p < info.places; p++) {
    assert_int_equal (info.bound[p], 5);
    assert_string_not_equal (info.bound_source[p], "none");
  }
  assert_true (info.place_invariants_complete);
  assert_int_equal (info.rank + info.dependent_places, info.places);
  assert_true (info.bits <= info.plain_bits);
  tl_info_close (&info);
}

// A ring of two places and two transitions with the given weight, or with a
// second transition out of the first place.
static tl_net *ring (tl_mem *mem, uint32_t weight, bool inhibited) {
  tl_builder *b;
  tl_net *net;
  assert_int_equal (tl_builder_open (&b, mem), TL_OK);
  tl_builder_place (b, "p", 0, 3, 0);
  tl_builder_place (b, "q", 0, 0, 0);
  tl_builder_transition (b, "t", 0, 0);
  tl_builder_transition (b, "u", 0, 0);
  tl_builder_arc (b, TL_ARC_PRE, 0, 0, weight);
  tl_builder_arc (b, TL_ARC_POST, 1, 0, weight);
  tl_builder_arc (b, TL_ARC_PRE, 1, 1, weight);
  tl_builder_arc (b, TL_ARC_POST, 0, 1, weight);
  if (inhibited)
    tl_builder_arc (b, TL_ARC_INHIBITOR, 1, 0, 2);
  assert_int_equal (tl_builder_finish (b, "ring", "example", &net, 0), TL_OK);
  return net;
}

static void test_classes (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_info info = about (ring (&mem, 1, false));
  assert_true (info.ordinary && info.state_machine && info.marked_graph &&
               info.free_choice);
  assert_int_equal (info.inhibitors, 0);
  tl_info_close (&info);
  info = about (ring (&mem, 2, false));
  assert_false (info.ordinary || info.state_machine || info.marked_graph ||
                info.free_choice);
  tl_info_close (&info);
  info = about (ring (&mem, 1, true));
  assert_true (info.ordinary);
  assert_int_equal (info.inhibitors, 1);
  assert_false (info.marked_graph);
  tl_info_close (&info);
  info = about (example ("philosophers", 4));
  assert_false (info.free_choice); // a fork lies between two
  tl_info_close (&info);
  assert_int_equal (mem.used, 0);
}

static void test_no_bound (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_builder *b;
  tl_net *net;
  assert_int_equal (tl_builder_open (&b, &mem), TL_OK);
  tl_builder_place (b, "p", 0, 0, 0);
  tl_builder_transition (b, "t", 0, 0);
  tl_builder_arc (b, TL_ARC_POST, 0, 0, 1);
  assert_int_equal (tl_builder_finish (b, "source", "example", &net, 0), TL_OK);
  char *text = 0;
  tl_info info;
  assert_int_equal (tl_net_info (net, &info, 0), TL_OK);
  assert_true (info.bound[0] == TL_NO_LIMIT);
  assert_string_equal (info.bound_source[0], "none");
  text = tl_info_report (net, &info, TL_FORM_JSON);
  assert_non_null (strstr (text, "{\"place\":\"p\",\"bound\":null,\"source\":"
                                 "\"none\",\"key\":\"stored: 0 to 255\"}"));
  tl_text_close (text);
  text = tl_info_report (net, &info, TL_FORM_TEXT);
  assert_non_null (strstr (text, "the net may be unbounded"));
  tl_text_close (text);
  tl_info_close (&info);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_kanban),
      cmocka_unit_test (test_classes),
      cmocka_unit_test (test_no_bound),
  };
  return cmocka_run_group_tests_name ("info", tests, 0, 0);
}
