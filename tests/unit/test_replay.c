// Traces are fired again: what was changed in one is noticed, in both kinds of
// nets.

#include "base/input.h"
#include "model/model.h"
#include "net/trace.h"
#include "read/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tl_net *open_pt (void) {
  const uint64_t size = 4;
  tl_net *net;
  assert_int_equal (tl_net_example (&net, "philosophers", 1, &size, 0), TL_OK);
  return net;
}

static tl_net *open_coloured (tl_mem *mem) {
  static const uint64_t size = 4;
  const tl_settings settings = {
      .size = sizeof settings, .no_unfold = true, .compile = TL_COMPILE_NEVER};
  tl_input in;
  tl_net *net;
  char *text;
  assert_int_equal (tl_example_coloured (&text, "dining", 1, &size, 0), TL_OK);
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  assert_int_equal (tl_read_net_as (&net, mem, &in, "lna", &settings, 0),
                    TL_OK);
  tl_input_close (&in);
  tl_text_close (text);
  return net;
}

// The way of two steps by the first transition that is enabled.
static tl_trace go (const tl_net *net, tl_mem *mem) {
  tl_trace way = {.length = 2, .transition = calloc (2, sizeof (uint32_t))};
  assert_non_null (way.transition);
  assert_int_equal (tl_model_of (net)->path (net, mem, &way), TL_OK);
  return way;
}

static bool replays (const tl_net *net, const tl_trace *way, bool closes) {
  uint64_t *marking = calloc (net->places + 1, sizeof *marking);
  assert_non_null (marking);
  const bool right = tl_model_of (net)->replay (net, way, closes, marking);
  free (marking);
  return right;
}

static void try_net (const tl_net *net) {
  tl_mem mem = TL_MEM (0, "path");
  tl_trace way = go (net, &mem);
  assert_true (replays (net, &way, true));
  // A loop that does not lead back.
  way.loop = true;
  assert_true (replays (net, &way, false));
  assert_false (replays (net, &way, true));
  way.loop_from = 1;
  assert_false (replays (net, &way, true));
  way.loop = false;
  // Another transition, with the words of the first one.
  const uint32_t first = way.transition[0];
  way.transition[0] = net->transitions - 1;
  assert_int_not_equal (way.transition[0], first);
  assert_false (replays (net, &way, true));
  way.transition[0] = first;
  assert_true (replays (net, &way, true));
  tl_trace_close (&way);
  assert_int_equal (mem.used, 0);
}

static void changed_traces_do_not_replay (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net[] = {open_pt (), open_coloured (&mem)};
  for (size_t i = 0; i < 2; i++) {
    try_net (net[i]);
    tl_net_close (net[i]);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (changed_traces_do_not_replay)};
  return cmocka_run_group_tests_name ("replay", tests, 0, 0);
}
