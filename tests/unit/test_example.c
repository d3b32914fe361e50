// The families of `tideline example` against numbers that other tools and
// formulas give, and what is said about sizes that make no sense.

#include "../brute.h"
#include "../naive_coloured.h"
#include "read/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct known {
  const char *family;
  size_t count;
  uint64_t sizes[2];
  uint64_t places, transitions; // 0: not checked
  uint64_t states, arcs, deadlocks;
} known;

static const known table[] = {
    {"philosophers", 1, {1}, 4, 3, 2, 1, 1},
    {"philosophers", 1, {5}, 20, 15, 82, 265, 1},
    {"philosophers", 1, {10}, 40, 30, 6726, 43480, 1},
    {"philosophers-both", 1, {1}, 5, 5, 3, 2, 2},
    {"philosophers-both", 1, {5}, 25, 25, 243, 945, 2},
    {"philosophers-both", 1, {8}, 40, 40, 6561, 40824, 2},
    {"dining", 1, {1}, 6, 4, 1, 0, 1},
    {"dining", 1, {8}, 41, 32, 24735, 160400, 0},
    {"dbm", 1, {1}, 4, 2, 2, 2, 0},
    {"dbm", 1, {2}, 15, 8, 7, 8, 0},
    {"dbm", 1, {5}, 96, 50, 406, 1090, 0},
    {"kanban", 1, {1}, 16, 16, 160, 616, 0},
    {"kanban", 1, {2}, 16, 16, 4600, 28120, 0},
    {"fms", 1, {1}, 22, 20, 120, 345, 0},
    {"fms", 1, {2}, 22, 20, 3444, 16311, 0},
    {"token-ring", 1, {1}, 4, 4, 3, 4, 0},
    {"token-ring", 1, {8}, 32, 32, 3072, 14848, 0},
    {"peterson", 1, {2}, 30, 30, 158, 316, 0},
    {"peterson", 1, {3}, 102, 126, 20754, 62262, 0},
    {"leader", 1, {1}, 5, 2, 3, 2, 1},
    {"leader", 1, {8}, 40, 44, 4407, 24596, 1},
    {"chains", 2, {1, 1}, 2, 1, 2, 1, 1},
    {"chains", 2, {4, 5}, 24, 20, 1296, 4320, 1},
    {"pipe", 2, {10, 5}, 5, 4, 1001, 2860, 1},
    {"pipe", 2, {3, 1}, 1, 0, 1, 0, 1},
    // Growth by the same amount with every packet once the slots are in use.
    {"stop-and-wait", 1, {1}, 16, 6, 9, 15, 1},
    {"stop-and-wait", 1, {10}, 52, 84, 4084, 22526, 1},
    {"stop-and-wait", 1, {20}, 92, 174, 10404, 58806, 1},
    {"stop-and-wait", 1, {30}, 132, 264, 16724, 95086, 1},
    {"sliding-window", 2, {1, 3}, 16, 6, 9, 15, 1},
    {"sliding-window", 2, {10, 2}, 50, 103, 2352, 12058, 1},
    {"sliding-window", 2, {20, 2}, 90, 213, 5352, 27738, 1},
    {"sliding-window", 2, {30, 2}, 130, 323, 8352, 43418, 1},
};

static void counts_are_the_known_ones (void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const known *k = table + i;
    tl_net *net;
    tl_error err;
    assert_int_equal (
        tl_net_example (&net, k->family, k->count, k->sizes, &err), TL_OK);
    assert_string_equal (net->format, "example");
    assert_int_equal (net->places, k->places);
    assert_int_equal (net->transitions, k->transitions);
    brute b = brute_explore (net, 30000);
    assert_true (b.complete);
    assert_int_equal (b.states, k->states);
    assert_int_equal (b.arcs, k->arcs);
    assert_int_equal (b.deadlocks, k->deadlocks);
    brute_close (&b);
    tl_net_close (net);
  }
}

static uint32_t place (const tl_net *net, const char *id) {
  const uint32_t p = tl_names_find (&net->place_ids, id);
  assert_int_not_equal (p, TL_NO_NAME);
  return p;
}

// Nothing decreases the places that a person will take as a measure.
static void protocols_progress (void **state) {
  (void)state;
  const uint64_t sizes[] = {6, 2};
  for (int window = 0; window < 2; window++) {
    tl_net *net;
    assert_int_equal (
        tl_net_example (&net, window ? "sliding-window" : "stop-and-wait",
                        window ? 2 : 1, sizes, 0),
        TL_OK);
    for (uint32_t t = 0; t < net->transitions; t++) {
      tl_change c = tl_net_change (net, t);
      while (tl_net_change_next (&c))
        if (c.place == place (net, "received") ||
            c.place == place (net, "acknowledged"))
          assert_true (c.amount > 0);
    }
    // All packets arrive, and that is the only end.
    brute b = brute_explore (net, 30000);
    assert_int_equal (b.dead_transitions, 0);
    for (uint64_t s = 0; s < b.states; s++)
      if (brute_dead (net, brute_marking (&b, s))) {
        const uint64_t *m = brute_marking (&b, s);
        assert_int_equal (m[place (net, "received")], 6);
        assert_int_equal (m[place (net, "all_acknowledged")], 1);
      }
    brute_close (&b);
    tl_net_close (net);
  }
}

static void ids_are_readable (void **state) {
  (void)state;
  const uint64_t five = 5;
  tl_net *net;
  assert_int_equal (tl_net_example (&net, "philosophers", 1, &five, 0), TL_OK);
  assert_string_equal (net->name, "philosophers-5");
  place (net, "fork_3");
  place (net, "thinking_5");
  tl_net_close (net);
  assert_int_equal (tl_net_example (&net, "dbm", 1, &five, 0), TL_OK);
  place (net, "sent_1_2");
  tl_net_close (net);
}

static naive_coloured explore_coloured (const char *family, size_t count,
                                        const uint64_t *sizes) {
  char *text;
  tl_mem mem = TL_MEM (0, "net");
  tl_coloured *net;
  assert_int_equal (tl_example_coloured (&text, family, count, sizes, 0),
                    TL_OK);
  assert_int_equal (
      tl_read_coloured_text (&net, &mem, "x", text, strlen (text), 0), TL_OK);
  const naive_coloured found = naive_coloured_explore (net, 1000);
  assert_true (found.complete && !found.wrong);
  tl_coloured_close (net);
  tl_text_close (text);
  return found;
}

// A coloured net has the graph of the place/transition net.
static void coloured_ones_are_the_same (void **state) {
  (void)state;
  static const struct {
    const char *family;
    size_t count;
    uint64_t sizes[2];
  } both[] = {
      {"dining", 1, {1}},
      {"dining", 1, {4}},
      {"dbm", 1, {1}},
      {"dbm", 1, {4}},
      {"peterson", 1, {2}},
      {"leader", 1, {1}},
      {"leader", 1, {4}},
      {"stop-and-wait", 1, {1}},
      {"stop-and-wait", 1, {4}},
      {"sliding-window", 2, {1, 3}},
      {"sliding-window", 2, {3, 2}},
      {"sliding-window", 2, {2, 4}},
  };
  for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
    tl_net *net;
    assert_int_equal (
        tl_net_example (&net, both[i].family, both[i].count, both[i].sizes, 0),
        TL_OK);
    brute b = brute_explore (net, 1000);
    const naive_coloured found =
        explore_coloured (both[i].family, both[i].count, both[i].sizes);
    assert_int_equal (found.states, b.states);
    assert_int_equal (found.arcs, b.arcs);
    assert_int_equal (found.deadlocks, b.deadlocks);
    brute_close (&b);
    tl_net_close (net);
  }
}

static void coloured_ones_alone (void **state) {
  (void)state;
  const uint64_t one = 1, two = 2;
  naive_coloured found = explore_coloured ("client-server", 1, &two);
  assert_int_equal (found.states, 350);
  assert_int_equal (found.arcs, 596);
  assert_int_equal (found.deadlocks, 4);
  found = explore_coloured ("timed", 1, &one);
  assert_int_equal (found.states, 186);
  assert_int_equal (found.arcs, 297);
  tl_net *net;
  char *text;
  assert_int_equal (tl_net_example (&net, "timed", 1, &one, 0), TL_E_ARG);
  assert_null (net);
  assert_int_equal (tl_example_coloured (&text, "kanban", 1, &one, 0),
                    TL_E_ARG);
  assert_null (text);
  assert_int_equal (tl_example_coloured (&text, "client-server", 1, &one, 0),
                    TL_E_ARG);
}

static void refuse (const char *family, size_t count, uint64_t n, uint64_t k,
                    const char *text) {
  tl_net *net = (tl_net *)&net;
  tl_error err = {0};
  const uint64_t sizes[] = {n, k, 1};
  assert_int_equal (tl_net_example (&net, family, count, sizes, &err),
                    TL_E_ARG);
  assert_null (net);
  assert_non_null (strstr (err.text, text));
}

static void bad_sizes_are_refused (void **state) {
  (void)state;
  refuse ("ring", 1, 3, 0, "no family 'ring'");
  refuse ("kanban", 1, 0, 0, "too small");
  refuse ("peterson", 1, 1, 0, "2 is the least");
  refuse ("chains", 2, 3, 0, "too small");
  refuse ("chains", 1, 3, 0, "takes 2 sizes (M K), not 1");
  refuse ("kanban", 0, 0, 0, "takes 1 size (N), not 0");
  refuse ("kanban", 3, 1, 1, "takes 1 size (N), not 3");
  refuse ("kanban", 1, UINT64_MAX, 0, "too large");
  refuse ("chains", 2, 70000, 70000, "more than 10000000 places");
  refuse ("dbm", 1, 20000, 0, "more than 10000000 places");
  refuse ("peterson", 1, 4000000000, 0, "more than 10000000 places");
  refuse ("sliding-window", 2, 4000000000, 4000000000,
          "more than 10000000 places");
}

static void families_are_listed (void **state) {
  (void)state;
  size_t count;
  const tl_family *f = tl_example_families (&count);
  for (size_t i = 0; i < count; i++) {
    const uint64_t two[] = {2, 2};
    tl_net *net;
    char *text;
    assert_int_equal (tl_net_example (&net, f[i].name, f[i].size_count, two, 0),
                      f[i].plain ? TL_OK : TL_E_ARG);
    assert_int_equal (
        tl_example_coloured (&text, f[i].name, f[i].size_count, two, 0),
        f[i].coloured ? TL_OK : TL_E_ARG);
    tl_net_close (net);
    tl_text_close (text);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (counts_are_the_known_ones),
      cmocka_unit_test (protocols_progress),
      cmocka_unit_test (coloured_ones_are_the_same),
      cmocka_unit_test (coloured_ones_alone),
      cmocka_unit_test (ids_are_readable),
      cmocka_unit_test (bad_sizes_are_refused),
      cmocka_unit_test (families_are_listed),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
