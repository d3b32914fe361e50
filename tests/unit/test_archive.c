// Layers that go to the disk, and what is known of them afterwards: every key
// comes back, and of the states that a later sweep finds those are expanded
// that were not visited before, whatever fails on the way.

#include "base/random.h"
#include "base/tuning.h"
#include "sweep/layers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static tl_pool_kind kind_of (tl_mem *mem, const char *store, uint32_t bits) {
  return (tl_pool_kind){
      .mem = mem,
      .store = tl_store_find (store),
      .spec = {.key_words = (bits + 63) / 64 + !bits, .key_bits = bits}};
}

// Key number n; different numbers give different ones, as far as bits go.
static void make_key (const tl_pool_kind *kind, uint64_t n, uint64_t *key) {
  const uint32_t words = kind->spec.key_words, bits = kind->spec.key_bits;
  for (uint32_t w = 0; w < words; w++)
    key[w] = tl_mix (n) * (w + 1);
  key[0] = n;
  key[words - 1] &= tl_low_bits (bits - 64 * (words - 1));
}

static void put (tl_pool *pool, const tl_pool_kind *kind, uint64_t n) {
  uint64_t key[kind->spec.key_words];
  uint8_t isnew;
  make_key (kind, n, key);
  assert_int_equal (
      tl_pool_put (pool, kind,
                   &(tl_batch){.count = 1, .keys = key, .isnew = &isnew}),
      TL_OK);
}

// The keys that come back are those of numbers below `count`, once each.
static void is_read (tl_archive *a, const tl_pool_kind *kind,
                     const tl_archived *archived, uint64_t count) {
  const uint32_t words = kind->spec.key_words;
  uint8_t *seen = test_calloc (count + 1, 1);
  uint64_t total = 0, key[words];
  const uint64_t *keys;
  size_t n;
  for (tl_archive_cursor c = TL_ARCHIVE_CURSOR (*archived);;) {
    assert_int_equal (tl_archive_read (a, &c, &keys, &n), TL_OK);
    if (!n)
      break;
    for (size_t i = 0; i < n; i++) {
      const uint64_t *got = keys + i * words;
      assert_true (*got < count && !seen[*got]++);
      make_key (kind, *got, key);
      assert_memory_equal (got, key, sizeof key);
    }
    total += n;
  }
  assert_int_equal (total, count);
  test_free (seen);
}

// Adds the keys from .. to-1.
static void add (tl_archive *a, const tl_pool_kind *kind, tl_archived *archived,
                 uint64_t from, uint64_t to) {
  enum { SOME = 90 };
  const uint32_t words = kind->spec.key_words;
  uint64_t record[SOME * (words + 1)];
  for (uint64_t n = from, some; n < to; n += some) {
    some = to - n < SOME ? to - n : SOME;
    for (uint64_t i = 0; i < some; i++)
      make_key (kind, n + i, record + i * (words + 1));
    assert_int_equal (tl_archive_append (a, archived, record, words + 1, some),
                      TL_OK);
  }
}

// Layers of which some get other pieces, by turns.
static void keys_come_back (void **state) {
  (void)state;
  static const uint32_t widths[] = {17, 24, 63, 64, 65, 100, 128, 300};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    tl_mem mem = TL_MEM (0, "archive");
    const tl_pool_kind kind = kind_of (&mem, "table", widths[i]);
    tl_archive *a;
    tl_pool small = {0}, large = {0};
    tl_archived first, second, third = {0};
    enum { FEW = 100, MANY = 30000, MORE = 700 };
    assert_int_equal (tl_archive_open (&a, &mem, &kind), TL_OK);
    for (uint64_t n = 0; n < MANY; n++)
      put (n < FEW ? &small : &large, &kind, n);
    for (uint64_t n = 0; n < FEW; n++)
      put (&large, &kind, n);
    assert_int_equal (tl_archive_write (a, &small, &first), TL_OK);
    assert_int_equal (tl_archive_write (a, &large, &second), TL_OK);
    for (uint64_t n = 0; n < MORE; n += FEW) {
      add (a, &kind, &third, n, n + FEW / 2);
      add (a, &kind, &third, n + FEW / 2, n + FEW);
      if (n)
        add (a, &kind, &first, n, n + FEW);
    }
    is_read (a, &kind, &first, MORE);
    is_read (a, &kind, &second, MANY);
    is_read (a, &kind, &third, MORE);
    tl_pool_clear (&small, &mem);
    tl_pool_clear (&large, &mem);
    tl_archive_close (a);
    assert_int_equal (mem.used, 0);
  }
}

// ---- Sifting ---------------------------------------------------------------

typedef struct world {
  tl_mem mem;
  tl_layers layers;
  tl_layer *layer;
} world;

static void begin (world *w, const char *store) {
  *w = (world){.mem = TL_MEM (0, "layers")};
  const tl_pool_kind kind = kind_of (&w->mem, store, 100);
  w->layers = tl_layers_init (&kind, &w->mem, 1);
  tl_layers_open_archive (&w->layers);
}

static void end (world *w) {
  tl_layers_close (&w->layers);
  assert_int_equal (w->mem.used, 0);
}

// Finds the states from .. to-1 in the layer of value 7.
static void find (world *w, uint64_t from, uint64_t to) {
  tl_layers *l = &w->layers;
  const int64_t value = 7;
  uint64_t record[3];
  uint8_t isnew;
  assert_int_equal (tl_layers_at (l, &value, &w->layer), TL_OK);
  assert_int_equal (tl_layers_enter (l, w->layer), TL_OK);
  for (uint64_t n = from; n < to; n++) {
    make_key (&l->kind, n, record);
    record[2] = n;
    assert_int_equal (
        tl_layers_put (
            l, w->layer,
            &(tl_batch){.count = 1, .keys = record, .isnew = &isnew}),
        TL_OK);
    if (isnew)
      assert_int_equal (tl_layers_push (l, w->layer, record), TL_OK);
  }
}

// A call that may run out of memory, once.
static void try (world *w, tl_status (*call) (tl_layers *, tl_layer *)) {
  tl_status rc = call (&w->layers, w->layer);
  if (rc) {
    assert_int_equal (rc, TL_E_NOMEM);
    w->mem.fail_after = -1;
    rc = call (&w->layers, w->layer);
  }
  assert_int_equal (rc, TL_OK);
}

// Expands states, at most so many; returns how many.  They are among from ..
// to-1, and not seen so far.
static uint64_t expand_some (world *w, uint64_t most, uint64_t from,
                             uint64_t to, uint8_t *seen) {
  tl_layers *l = &w->layers;
  uint64_t record[8], count = 0;
  while (count < most &&
         (tl_layer_left (w->layer) || tl_layer_checked (w->layer))) {
    if (!tl_layer_left (w->layer)) {
      try (w, tl_layers_take_new);
      continue;
    }
    assert_int_equal (tl_layers_pop (l, w->layer, record), TL_OK);
    const uint64_t n = record[l->kind.spec.key_words];
    assert_true (n >= from && n < to);
    assert_false (seen[n - from]++);
    count++;
  }
  return count;
}

// Expands all that are there; they are the states from .. to-1.
static void expand (world *w, uint64_t from, uint64_t to) {
  uint8_t *seen = test_calloc (to - from, 1);
  assert_int_equal (expand_some (w, UINT64_MAX, from, to, seen), to - from);
  test_free (seen);
}

static void sweep_is_over (world *w) {
  bool any;
  assert_null (tl_layers_line (&w->layers));
  assert_int_equal (tl_layers_restart (&w->layers, &any), TL_OK);
  assert_false (any);
  assert_int_equal (w->layers.stored, 0);
  assert_int_equal (w->layers.unprocessed, 0);
}

static void detect (world *w) {
  assert_ptr_equal (tl_layers_line (&w->layers), w->layer);
  assert_int_equal (tl_layer_left (w->layer), 0);
  assert_int_equal (tl_layers_detect (&w->layers, w->layer), TL_OK);
}

static void old_ones_are_known (void **state) {
  (void)state;
  static const char *const stores[] = {"table", "plain", "tree"};
  for (int i = 0; i < 3; i++) {
    world w;
    begin (&w, stores[i]);
    find (&w, 0, 20000);
    expand (&w, 0, 20000);
    sweep_is_over (&w);
    find (&w, 10000, 20500);
    detect (&w);
    expand (&w, 20000, 20500);
    // Some a second time, some the first, until the layer has had enough.
    uint64_t last = 20500;
    for (; !w.layer->whole; last += 500) {
      assert_in_range (last, 20500, 21000 + 500 * TL_SWEEP_PASSES);
      find (&w, last - 1500, last + 500);
      detect (&w);
      expand (&w, last, last + 500);
    }
    find (&w, 0, last + 10); // all is there: no need to look
    expand (&w, last, last + 10);
    sweep_is_over (&w);
    find (&w, 0, last + 20);
    detect (&w);
    expand (&w, last + 10, last + 20);
    sweep_is_over (&w);
    assert_false (w.layers.lost);
    end (&w);
  }
}

// A detection that runs out of memory can be tried again.
static void detection_survives (void **state) {
  (void)state;
  bool unharmed = false;
  for (long failures = 0; !unharmed; failures++) {
    world w;
    begin (&w, failures % 2 ? "table" : "tree");
    find (&w, 0, 6000);
    expand (&w, 0, 6000);
    sweep_is_over (&w);
    find (&w, 500, 11000);
    w.mem.fail_after = failures;
    try (&w, tl_layers_detect);
    expand (&w, 6000, 11000);
    unharmed = w.mem.fail_after > 0;
    w.mem.fail_after = -1;
    sweep_is_over (&w);
    end (&w);
  }
}

// A second sweep, in which half of the states of the first were found, and 4000
// others, and the duplicates detected.
static void begin_second (world *w) {
  begin (w, "table");
  find (w, 0, 5000);
  expand (w, 0, 5000);
  sweep_is_over (w);
  find (w, 2500, 9000);
  detect (w);
}

// Others are found while some go through the duplicates, and another layer is
// the line for a while.
static void others_are_found (void **state) {
  (void)state;
  world w;
  begin_second (&w);
  uint8_t *seen = test_calloc (9000, 1);
  uint64_t count = expand_some (&w, 1500, 5000, 9000, seen);
  assert_int_equal (count, 1500);
  const tl_archived archived = w.layer->archived;
  const int64_t other = 6;
  tl_layer *layer;
  assert_int_equal (tl_layers_at (&w.layers, &other, &layer), TL_OK);
  add (w.layers.archive, &w.layers.kind, &layer->archived, 0, 10);
  find (&w, 0, 9000);
  count += expand_some (&w, UINT64_MAX, 5000, 9000, seen);
  assert_int_equal (count, 4000);
  assert_int_equal (w.layer->archived.total, 9000);
  assert_true (w.layer->archived.at > archived.at); // another piece
  assert_null (w.layer->duplicates);
  detect (&w);
  expand (&w, 0, 0);
  sweep_is_over (&w);
  test_free (seen);
  end (&w);
}

// Keeps the states from .. to-1 of the layer, which is gone, as roots.
static void keep (world *w, uint64_t from, uint64_t to) {
  tl_layers *l = &w->layers;
  uint64_t record[3];
  uint8_t isnew;
  tl_batch one = {.count = 1, .keys = record, .isnew = &isnew};
  for (uint64_t n = from; n < to; n++) {
    make_key (&l->kind, n, record);
    record[2] = n;
    assert_int_equal (tl_layers_keep (l, w->layer, &one), TL_OK);
    if (isnew)
      assert_int_equal (tl_layers_push_root (l, w->layer, record), TL_OK);
  }
}

static void next_sweep (world *w, uint64_t roots) {
  bool any;
  assert_int_equal (tl_layers_persistent (&w->layers), roots);
  assert_null (tl_layers_line (&w->layers));
  assert_int_equal (tl_layers_restart (&w->layers, &any), TL_OK);
  assert_true (any);
  assert_int_equal (w->layers.stored, roots);
  assert_int_equal (w->layers.unprocessed, roots);
}

// Roots are the first states of their layer in the next sweep, and compared
// with the archive like those that are found there; a few that are found late
// wait for the next one.
static void roots_come_first (void **state) {
  (void)state;
  world w;
  begin (&w, "table");
  find (&w, 0, 5000);
  expand (&w, 0, 5000);
  tl_layers_free_least (&w.layers);
  keep (&w, 4000, 5900);
  keep (&w, 4500, 6000);
  next_sweep (&w, 2000);
  find (&w, 4900, 6500);
  assert_int_equal (w.layers.stored, 2500);
  detect (&w);
  expand (&w, 5000, 6500);
  keep (&w, 10000, 10001); // there is another sweep to come
  find (&w, 0, 20);
  find (&w, 6500, 6520);
  detect (&w);
  expand (&w, 0, 0);
  next_sweep (&w, 41);
  detect (&w);
  uint8_t *seen = test_calloc (10001, 1);
  assert_int_equal (expand_some (&w, UINT64_MAX, 6500, 10001, seen), 21);
  sweep_is_over (&w);
  test_free (seen);
  end (&w);
}

// However often duplicates are detected after that: those that wait were not
// visited, and do not go to the archive with it.
static void those_that_wait_come (void **state) {
  (void)state;
  world w;
  begin (&w, "table");
  find (&w, 0, 5000);
  expand (&w, 0, 5000);
  sweep_is_over (&w);
  find (&w, 4900, 5500);
  detect (&w);
  expand (&w, 5000, 5500);
  keep (&w, 20000, 20001); // there is another sweep to come
  find (&w, 5500, 5510);
  detect (&w);
  expand (&w, 0, 0);
  for (uint64_t from = 6000; from < 16000; from += 500) {
    find (&w, from, from + 500);
    detect (&w);
    expand (&w, from, from + 500);
  }
  next_sweep (&w, 11);
  detect (&w);
  uint8_t *seen = test_calloc (20001, 1);
  assert_int_equal (expand_some (&w, UINT64_MAX, 5500, 20001, seen), 11);
  sweep_is_over (&w);
  test_free (seen);
  end (&w);
}

// When the disk fails, roots remain roots.
static void roots_survive_a_loss (void **state) {
  (void)state;
  world w;
  bool any;
  begin (&w, "table");
  find (&w, 0, 100);
  expand (&w, 0, 100);
  tl_layers_free_least (&w.layers);
  keep (&w, 50, 150);
  tl_layers_lose_archive (&w.layers);
  keep (&w, 150, 170);
  assert_int_equal (tl_layers_restart (&w.layers, &any), TL_OK);
  assert_true (any);
  assert_ptr_equal (tl_layers_line (&w.layers), w.layer);
  find (&w, 0, 60);
  expand (&w, 0, 170);
  assert_null (tl_layers_line (&w.layers));
  assert_int_equal (tl_layers_restart (&w.layers, &any), TL_OK);
  assert_false (any);
  assert_int_equal (w.layers.stored, 20);
  end (&w);
}

static void lengthen (const void *context, const uint64_t *old, uint64_t *key) {
  (void)context;
  key[0] = old[0];
  key[1] = old[1];
  key[2] = ~old[0] & 1;
}

// Keys take another shape while some go through the duplicates.
static void shapes_change (void **state) {
  (void)state;
  world w;
  begin_second (&w);
  uint8_t *seen = test_calloc (4000, 1);
  uint64_t count = expand_some (&w, 1300, 5000, 9000, seen);
  assert_true (tl_layer_left (w.layer) && tl_layer_checked (w.layer));
  const tl_pool_kind kind = kind_of (&w.mem, "table", 129);
  assert_int_equal (tl_layers_move (&w.layers, &kind, lengthen, 0), TL_OK);
  assert_int_equal (w.layers.unprocessed, 4000 - count);
  count += expand_some (&w, UINT64_MAX, 5000, 9000, seen);
  assert_int_equal (count, 4000);
  assert_int_equal (w.layer->archived.total, 9000);
  sweep_is_over (&w);
  assert_false (w.layers.lost);
  test_free (seen);
  end (&w);
}

// What cannot be read back is as good as never visited.
static void with_a_broken_disk (void **state) {
  (void)state;
  world w;
  begin (&w, "table");
  find (&w, 0, 200000);
  expand (&w, 0, 200000);
  sweep_is_over (&w);
  assert_true (tl_archive_spilled (w.layers.archive) > 0);
  struct stat what;
  for (int file = 3; file < 64; file++) // the one without a name
    if (!fstat (file, &what) && S_ISREG (what.st_mode) && !what.st_nlink)
      assert_int_equal (ftruncate (file, 0), 0);
  find (&w, 0, 201000);
  detect (&w);
  assert_true (w.layers.lost && !w.layers.archive);
  assert_true (tl_layer_checked (w.layer) >= 1000);
  end (&w);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (keys_come_back),
      cmocka_unit_test (old_ones_are_known),
      cmocka_unit_test (detection_survives),
      cmocka_unit_test (others_are_found),
      cmocka_unit_test (roots_come_first),
      cmocka_unit_test (those_that_wait_come),
      cmocka_unit_test (roots_survive_a_loss),
      cmocka_unit_test (shapes_change),
      cmocka_unit_test (with_a_broken_disk),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
