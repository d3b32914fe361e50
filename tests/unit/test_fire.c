// What is enabled, where it leads and back: both kinds of successor
// generators against the definition, on random nets with weights and
// inhibitor arcs, in layouts of one word to many.

#include "../brute.h"
#include "../random_net.h"
#include "base/random.h"
#include "fire/fire_kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NETS = 2000, WALK = 60, MOST_WORDS = 256 };

typedef struct firing {
  tl_mem mem;
  tl_net *net;
  uint8_t *width;
  tl_layout layout;
  tl_fire *dense, *sparse; // dense: null where it does not do
  uint32_t *sample;        // for every second net
  uint64_t *marking;
  uint32_t *right, *list; // transitions
  uint64_t *scratch;      // of `sparse`
} firing;

// Widths that hold the initial marking and what one firing adds, and no more
// than that for some: so what does not fit is met as well.  Places that never
// change have none.
static void choose_widths (firing *f, tl_random *rng) {
  const tl_net *net = f->net;
  const uint64_t wide = tl_random_below (rng, 4) ? 9 : 30;
  for (uint32_t t = 0; t < net->transitions; t++)
    for (tl_change c = tl_net_change (net, t); tl_net_change_next (&c);) {
      const uint64_t gain =
          c.amount < 0 ? (uint64_t)-c.amount : (uint64_t)c.amount;
      const unsigned need = tl_bits_for (gain),
                     first = tl_bits_for (net->initial[c.place]);
      if (f->width[c.place] < need)
        f->width[c.place] = (uint8_t)need;
      if (f->width[c.place] < first)
        f->width[c.place] = (uint8_t)first;
    }
  for (uint32_t p = 0; p < net->places; p++)
    if (f->width[p] && tl_random_below (rng, 2))
      f->width[p] = (uint8_t)(f->width[p] + tl_random_below (rng, wide));
}

static void open_firing (firing *f, uint64_t seed) {
  static random_net sketch;
  tl_random rng = {seed};
  tl_firing program;
  *f = (firing){.mem = TL_MEM (0, "test")};
  random_net_make (&sketch, seed);
  f->net = random_net_build (&sketch, &f->mem);
  const uint32_t places = f->net->places, transitions = f->net->transitions;
  assert_true (TL_NEW (&f->mem, f->width, places) &&
               TL_NEW (&f->mem, f->sample, places) &&
               TL_NEW (&f->mem, f->marking, places) &&
               TL_NEW (&f->mem, f->right, transitions) &&
               TL_NEW (&f->mem, f->list, transitions));
  choose_widths (f, &rng);
  for (uint32_t p = 0; p < places; p++)
    f->sample[p] = (uint32_t)tl_random_below (&rng, 100);
  assert_int_equal (tl_layout_open (&f->layout, &f->mem, f->net, f->width, 0),
                    TL_OK);
  assert_int_equal (tl_firing_open (&program, &f->mem, &f->layout), TL_OK);
  if (f->layout.words <= TL_DENSE_WORDS && !program.doubled) {
    assert_int_equal (
        tl_fire_dense_open (&f->dense, &f->mem, &f->layout, &program), TL_OK);
    assert_int_equal (tl_firing_open (&program, &f->mem, &f->layout), TL_OK);
  }
  assert_int_equal (tl_fire_sparse_open (&f->sparse, &f->mem, &f->layout,
                                         &program, seed % 2 ? f->sample : 0),
                    TL_OK);
  assert_true (TL_NEW (&f->mem, f->scratch, f->sparse->scratch_words));
}

static void close_firing (firing *f) {
  const uint32_t places = f->net->places, transitions = f->net->transitions;
  tl_fire_close (f->dense);
  TL_DEL (&f->mem, f->scratch, f->sparse->scratch_words);
  tl_fire_close (f->sparse);
  tl_layout_close (&f->layout);
  TL_DEL (&f->mem, f->width, places);
  TL_DEL (&f->mem, f->sample, places);
  TL_DEL (&f->mem, f->marking, places);
  TL_DEL (&f->mem, f->right, transitions);
  TL_DEL (&f->mem, f->list, transitions);
  tl_net_close (f->net);
  assert_int_equal (f->mem.used, 0);
}

// Does every place hold what it would get?
static bool fits (firing *f, uint32_t t) {
  for (tl_change c = tl_net_change (f->net, t); tl_net_change_next (&c);)
    if (f->marking[c.place] + (uint64_t)c.amount >
        tl_low_bits (f->width[c.place]))
      return false;
  return true;
}

// One generator in the marking at hand, of which `count` transitions are
// enabled, the first `good` of which fit.
static void check_kind (firing *f, const tl_fire *kind, const uint64_t *state,
                        uint32_t count, uint32_t good) {
  uint64_t next[MOST_WORDS], wanted[MOST_WORDS];
  const size_t bytes = f->layout.words * sizeof *next;
  assert_int_equal (tl_fire_enabled (kind, state, f->list, f->scratch), count);
  for (uint32_t w = 0; w < kind->scratch_words; w++)
    assert_int_equal (f->scratch[w], 0);
  assert_memory_equal (f->list, f->right, count * sizeof *f->list);
  assert_int_equal (tl_fire_fits (kind, state, f->list, count), good);
  for (uint32_t i = 0; i < good; i++) {
    memcpy (next, state, bytes);
    tl_fire_step (kind, f->list[i], next);
    brute_fire (f->net, f->marking, f->list[i]);
    assert_true (tl_layout_pack (&f->layout, f->marking, wanted));
    assert_memory_equal (next, wanted, bytes);
    tl_fire_undo (kind, f->list[i], next);
    assert_memory_equal (next, state, bytes);
    tl_layout_unpack (&f->layout, state, f->marking);
  }
}

typedef struct met {
  uint32_t dense[TL_DENSE_WORDS + 1], sparse, overflows, most_words;
} met;

static void walk (firing *f, uint64_t seed, met *m) {
  tl_random rng = {seed ^ 77};
  uint64_t state[MOST_WORDS];
  brute_initial (f->net, f->marking);
  for (unsigned i = 0; i < WALK; i++) {
    uint32_t count = 0, good = 0;
    for (uint32_t t = 0; t < f->net->transitions; t++)
      if (brute_enabled (f->net, f->marking, t))
        f->right[count++] = t;
    while (good < count && fits (f, f->right[good]))
      good++;
    m->overflows += good < count;
    assert_true (tl_layout_pack (&f->layout, f->marking, state));
    check_kind (f, f->sparse, state, count, good);
    if (f->dense)
      check_kind (f, f->dense, state, count, good);
    if (!good)
      return;
    brute_fire (f->net, f->marking, f->right[tl_random_below (&rng, good)]);
  }
}

static void test_against_definition (void **unused) {
  (void)unused;
  met m = {0};
  for (uint64_t seed = 1; seed <= NETS; seed++) {
    firing f;
    open_firing (&f, seed);
    assert_true (f.layout.words <= MOST_WORDS);
    if (f.dense)
      m.dense[f.layout.words]++;
    m.sparse++;
    if (f.layout.words > m.most_words)
      m.most_words = f.layout.words;
    walk (&f, seed, &m);
    close_firing (&f);
  }
  for (uint32_t w = 1; w <= TL_DENSE_WORDS; w++)
    assert_true (m.dense[w] > 2);
  assert_true (m.overflows > 20);
  assert_true (m.most_words > TL_DENSE_WORDS);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_against_definition)};
  return cmocka_run_group_tests (tests, 0, 0);
}
