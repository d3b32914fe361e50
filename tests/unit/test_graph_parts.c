// Graphs whose parts are each in order but do not belong together.

#include "graph/construct.h"
#include "graph/file.h"
#include "graph/walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const name[] = {TL_SECTION_NET, "most",  "figures", "starts",
                                   "code",         "order", "images"};
enum { SECTIONS = sizeof name / sizeof *name };

static tl_net *net_of (const char *text) {
  char path[] = "net-XXXXXX";
  tl_net *net;
  const int fd = mkstemp (path);
  assert_true (fd >= 0);
  assert_int_equal (write (fd, text, strlen (text)), strlen (text));
  close (fd);
  assert_int_equal (tl_net_open (&net, path, 0), TL_OK);
  unlink (path);
  return net;
}

// Opens what the sections of a file say when one of them is shorter.
static tl_status open_without (const char *path, size_t which, uint64_t bytes) {
  char shorter[] = "graph-XXXXXX";
  tl_mem mem = TL_MEM (0, "graph");
  tl_container whole;
  tl_section section[SECTIONS];
  tl_graph_file file;
  const int fd = mkstemp (shorter);
  assert_true (fd >= 0);
  close (fd);
  assert_int_equal (tl_container_open (&whole, path, 0), TL_OK);
  for (size_t i = 0; i < SECTIONS; i++) {
    section[i].name = name[i];
    assert_int_equal (tl_container_find (&whole, section + i, 0), TL_OK);
  }
  assert_true (section[which].length > bytes);
  section[which].length -= bytes;
  assert_int_equal (tl_container_save (shorter, section, SECTIONS, 0), TL_OK);
  tl_container_close (&whole);
  const tl_status rc = tl_graph_file_open (&file, &mem, shorter, 0);
  if (!rc)
    tl_graph_file_close (&file);
  assert_int_equal (mem.used, 0);
  unlink (shorter);
  return rc;
}

// The net is looked at by who reads it, and bounds by who needs them.
static void short_sections (void **state) {
  (void)state;
  static const char path[] = "parts.tlg";
  const uint64_t size = 3;
  tl_options options = tl_options_default ();
  tl_net *net;
  tl_condensed *graph;
  tl_exploration run;
  options.order = "sweep";
  options.progress = "eating_1"; // comes and goes: numbers are not in order
  assert_int_equal (tl_net_example (&net, "philosophers", 1, &size, 0), TL_OK);
  assert_int_equal (tl_condensed_build (&graph, net, &options, &run, 0), TL_OK);
  assert_int_equal (tl_condensed_save (graph, path, 0), TL_OK);
  assert_int_equal (open_without (path, 0, 0), TL_OK);
  for (size_t i = 2; i < SECTIONS; i++) {
    assert_int_equal (open_without (path, i, 1), TL_E_SYNTAX);
    assert_int_equal (open_without (path, i, 8), TL_E_SYNTAX);
  }
  unlink (path);
  tl_condensed_close (graph);
  tl_exploration_close (&run);
  tl_net_close (net);
}

static tl_status look (void *context, const tl_walk_visit *v) {
  (void)context;
  (void)v;
  return TL_OK;
}

// A net that enables more than a state has arcs, and one that enables less.
static void another_net (void **state) {
  (void)state;
  tl_net *net[] = {net_of ("net a\ntr t p -> q\npl p (1)\n"),
                   net_of ("net b\ntr t p -> q\ntr u p -> p\npl p (1)\n")};
  const tl_options options = tl_options_default ();
  for (int i = 0; i < 2; i++) {
    tl_mem mem = TL_MEM (0, "graph");
    tl_graph *g;
    tl_exploration run;
    assert_int_equal (
        tl_graph_build (&g, &mem, &mem, net[i], &options, &run, 0), TL_OK);
    for (int j = 0; j < 2; j++)
      assert_int_equal (tl_graph_walk (g, &mem, net[j], run.place_max, look, 0),
                        i == j ? TL_OK : TL_E_SYNTAX);
    tl_graph_close (g);
    tl_exploration_close (&run);
  }
  tl_net_close (net[0]);
  tl_net_close (net[1]);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (short_sections),
                                     cmocka_unit_test (another_net)};
  return cmocka_run_group_tests (tests, 0, 0);
}
