// Exploring up to symmetry: the marking of an orbit and the size of it, against
// all permutations; what is too symmetric; allocations that fail.

#include "base/input.h"
#include "base/random.h"
#include "explore/explore.h"
#include "read/read.h"
#include "symmetry/canonical.h"
#include "symmetry/symmetry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tl_net *read_net (tl_mem *mem, const char *text) {
  tl_settings settings = {.size = sizeof settings, .compile = TL_COMPILE_NEVER};
  tl_input in;
  tl_net *net = 0;
  tl_input_open_memory (&in, "x.lna", text, strlen (text));
  assert_int_equal (tl_read_net_as (&net, mem, &in, "lna", &settings, 0),
                    TL_OK);
  tl_input_close (&in);
  return net;
}

// ---- Orbits ----------------------------------------------------------------

// Pairs of one type, and another type.
static const char pairs[] =
    "pairs { type a : range 1 .. 4; type b : range 1 .. 3;\n"
    "place p { dom : a; init : for (x in a) <( x )>; capacity : 9; }\n"
    "place q { dom : b; init : for (y in b) <( y )>; capacity : 9; }\n"
    "place r { dom : a * a; capacity : 9; }\n"
    "place s { dom : b * a; capacity : 9; }\n"
    "transition t { in { p : <( x )> + <( z )>; } out { r : <( x, z )>; } }\n"
    "transition u { in { p : <( x )>; q : <( y )>; }\n"
    "  out { s : <( y, x )>; } } }\n";

enum { TRIALS = 300, MOST = 200 };

static void permute (const tl_classes *c, const uint32_t *to,
                     const uint64_t *from, uint64_t *image) {
  for (uint32_t p = 0; p < c->net->places; p++)
    image[tl_classes_image (c, p, to)] = from[p];
}

// The next permutation of the items, class by class; false: that was the last.
static bool next (const tl_classes *c, uint32_t *to) {
  for (uint32_t k = 0; k < c->classes; k++) {
    uint32_t *first = to + c->class[k].first, n = c->class[k].values, i = n - 1,
             j = n - 1;
    while (i && first[i - 1] > first[i])
      i--;
    const bool more = i;
    if (more) {
      while (first[j] < first[i - 1])
        j--;
      const uint32_t x = first[j];
      first[j] = first[i - 1], first[i - 1] = x;
    }
    for (j = n - 1; i < j; i++, j--) {
      const uint32_t x = first[j];
      first[j] = first[i], first[i] = x;
    }
    if (more)
      return true;
  }
  return false;
}

static bool is_known (const uint64_t *list, size_t count, const uint64_t *x,
                      uint32_t places) {
  for (size_t i = 0; i < count; i++)
    if (!memcmp (list + i * places, x, places * sizeof *x))
      return true;
  return false;
}

// All permutations of a marking: each has the same marking of its orbit, and
// the orbit has as many as there are different ones.
static void try_marking (const tl_classes *c, tl_canonical *canonical,
                         const uint64_t *tokens) {
  const uint32_t places = c->net->places;
  uint64_t wanted[MOST], image[MOST], orbit, other,
      *list = calloc (4 * 3 * 2 * 3 * 2, MOST * sizeof *list);
  uint32_t to[16];
  size_t count = 0;
  assert_non_null (list);
  memcpy (wanted, tokens, places * sizeof *tokens);
  assert_int_equal (tl_canonical_of (canonical, wanted, &orbit), TL_OK);
  for (uint32_t i = 0; i < c->items; i++)
    to[i] = i;
  do {
    permute (c, to, tokens, image);
    if (!is_known (list, count, image, places))
      memcpy (list + count++ * places, image, places * sizeof *image);
    assert_int_equal (tl_canonical_of (canonical, image, &other), TL_OK);
    assert_memory_equal (image, wanted, places * sizeof *image);
    assert_int_equal (other, orbit);
  } while (next (c, to));
  assert_int_equal (orbit, count);
  free (list);
}

// Most places are empty, so that there are twins.
static void orbits (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "all");
  tl_net *net = read_net (&mem, pairs);
  tl_classes c;
  tl_canonical canonical;
  tl_random random = {7};
  uint64_t tokens[MOST];
  assert_true (net->places <= MOST);
  assert_int_equal (tl_classes_open (&c, &mem, net), TL_OK);
  assert_int_equal (c.classes, 2);
  assert_int_equal (c.items, 7);
  assert_int_equal (tl_canonical_open (&canonical, &mem, &c), TL_OK);
  for (int i = 0; i < TRIALS; i++) {
    const uint64_t rare = 1 + tl_random_below (&random, 12);
    for (uint32_t p = 0; p < net->places; p++)
      tokens[p] = tl_random_below (&random, rare)
                      ? 0
                      : 1 + tl_random_below (&random, 2);
    try_marking (&c, &canonical, tokens);
  }
  tl_canonical_close (&canonical);
  tl_classes_close (&c);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// A ring of twelve in one place: all signs are equal, and nobody has a twin.
static void too_many_arrangements (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "all");
  tl_net *net = read_net (
      &mem, "ring { type a : range 1 .. 12;\n"
            "place p { dom : a; init : for (x in a) <( x )>; capacity : 9; }\n"
            "place r { dom : a * a; capacity : 9; }\n"
            "transition t { in { p : <( x )> + <( z )>; }\n"
            "  out { r : <( x, z )>; } } }\n");
  tl_classes c;
  tl_canonical canonical;
  uint64_t tokens[MOST] = {0}, orbit;
  assert_int_equal (tl_classes_open (&c, &mem, net), TL_OK);
  assert_int_equal (c.items, 12);
  assert_int_equal (tl_canonical_open (&canonical, &mem, &c), TL_OK);
  for (uint32_t p = 0; p < net->places; p++)
    if (c.part_from[p + 1] - c.part_from[p] == 2) {
      const uint32_t *item = c.part + c.part_from[p];
      tokens[p] = (item[0] + 1) % 12 == item[1];
    }
  assert_int_equal (tl_canonical_of (&canonical, tokens, &orbit), TL_E_LIMIT);
  tl_canonical_close (&canonical);
  tl_classes_close (&c);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- Runs ------------------------------------------------------------------

static void allocations_fail (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = read_net (&mem, pairs);
  const tl_options options = tl_options_whole ();
  bool unharmed = false;
  long failures = 0;
  uint64_t states = 0;
  for (; !unharmed; failures++) {
    tl_mem root = TL_MEM (0, "total");
    tl_exploration x;
    tl_error error = {0};
    root.fail_after = failures;
    const tl_status rc = tl_symmetry_explore (&root, net, &options, &x, &error);
    unharmed = root.fail_after > 0;
    if (rc) {
      assert_int_equal (rc, TL_E_NOMEM);
      assert_true (error.text[0]);
    } else {
      assert_true (x.complete || x.stop == TL_STOP_MEMORY);
      assert_true (x.states >= states);
      states = x.complete ? x.states : 0;
      tl_exploration_close (&x);
    }
    assert_int_equal (root.used, 0);
  }
  assert_true (failures > 30);
  assert_true (states > 100);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (orbits),
                                     cmocka_unit_test (too_many_arrangements),
                                     cmocka_unit_test (allocations_fail)};
  return cmocka_run_group_tests (tests, 0, 0);
}
