// States on disk: sorted runs, sorting, searches whose memory or disk fails.

#include "../failing.h"
#include "../random_net.h"

#include "base/random.h"
#include "disk/run.h"
#include "disk/successors.h"
#include "explore/explore.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

// ---- Sorted runs -----------------------------------------------------------

enum { KEYS = 3000 };

typedef struct fixture {
  tl_mem mem;
  tl_pages pages;
  tl_run_form form;
  tl_sorted_run run;
  bool events;
  size_t count;
  uint64_t *key; // [count] ascending
} fixture;

static uint32_t compared_words;

static int compare_keys (const void *a, const void *b) {
  return tl_key_compare (a, b, compared_words);
}

// Keys that are close to each other, and some that are not.
static void make_keys (fixture *x, tl_random *random, unsigned spread) {
  const uint32_t words = x->form.words;
  const uint64_t top = tl_low_bits (x->form.key_bits - 64 * (words - 1));
  x->key = calloc (KEYS * words, sizeof *x->key);
  assert_non_null (x->key);
  for (size_t i = 0; i < KEYS; i++)
    for (uint32_t w = 0; w < words; w++) {
      const uint64_t any = tl_random_next (random),
                     key = any >> 63 ? any : any & tl_low_bits (spread);
      x->key[i * words + w] = w + 1 < words ? key : key & top;
    }
  compared_words = words;
  qsort (x->key, KEYS, words * sizeof *x->key, compare_keys);
  for (size_t i = 0; i < KEYS; i++)
    if (!x->count ||
        compare_keys (x->key + (x->count - 1) * words, x->key + i * words))
      memmove (x->key + x->count++ * words, x->key + i * words,
               words * sizeof *x->key);
}

static uint32_t event_of (const fixture *x, size_t i) {
  return (uint32_t)i % 250 + (x->form.event_bytes > 1 ? 1000 : 0);
}

static void open_run (fixture *x, uint32_t bits, unsigned spread, bool events,
                      bool in_file, tl_random *random) {
  tl_run_writer w;
  *x = (fixture){.mem = TL_MEM (0, "test"),
                 .form = {.words = (bits + 63) / 64,
                          .key_bits = bits,
                          .event_bytes = 1 + bits % 2},
                 .events = events};
  make_keys (x, random, spread);
  const size_t least = tl_run_page_least (&x->form);
  tl_pages_open (&x->pages, &x->mem, P_tmpdir,
                 least + tl_random_below (random, 4096));
  assert_int_equal (tl_pages_make (&x->pages), TL_OK);
  x->pages.file_only = in_file;
  assert_int_equal (tl_run_writer_open (&w, &x->pages, &x->form, events), 0);
  // Two parts that are joined.
  tl_sorted_run part = {0};
  const size_t first = tl_random_below (random, x->count);
  tl_run_writer_begin (&w, &x->run);
  for (size_t i = 0; i < x->count; i++) {
    if (i == first) {
      assert_int_equal (tl_run_writer_end (&w), TL_OK);
      tl_run_writer_begin (&w, &part);
    }
    assert_int_equal (
        tl_run_write (&w, x->key + i * x->form.words, event_of (x, i)), TL_OK);
  }
  assert_int_equal (tl_run_writer_end (&w), TL_OK);
  assert_int_equal (tl_run_join (&x->run, &part, &x->pages, &x->form), TL_OK);
  tl_run_fit (&x->run, &x->pages, &x->form);
  assert_int_equal (x->run.count, x->count);
  tl_run_writer_close (&w);
}

static void close_run (fixture *x) {
  free (x->key);
  tl_run_close (&x->run, &x->pages, &x->form);
  assert_int_equal (x->pages.held, 0);
  tl_pages_close (&x->pages);
  assert_int_equal (x->mem.used, 0);
}

// Reads from key number `from` on, up to key number `end`, some at a time.
static void reads_range (fixture *x, tl_run_reader *r, size_t from, size_t end,
                         size_t most) {
  const uint32_t words = x->form.words;
  uint64_t *keys = calloc (most * words, sizeof *keys);
  uint32_t *events = calloc (most, sizeof *events);
  assert_true (keys && events);
  size_t n = from;
  assert_int_equal (tl_run_seek (r, &x->run, from ? x->key + from * words : 0,
                                 end < x->count ? x->key + end * words : 0),
                    TL_OK);
  for (size_t got = 1; got;) {
    assert_int_equal (tl_run_read (r, most, keys, x->events ? events : 0, &got),
                      TL_OK);
    assert_true (n + got <= end);
    for (size_t i = 0; i < got; i++, n++) {
      assert_memory_equal (keys + i * words, x->key + n * words,
                           words * sizeof *keys);
      if (x->events)
        assert_int_equal (events[i], event_of (x, n));
    }
  }
  assert_int_equal (n, end);
  free (keys);
  free (events);
}

// A page at a time, and nothing of the next.
static void reads_pages (fixture *x, tl_run_reader *r) {
  uint64_t *keys = calloc (KEYS * x->form.words, sizeof *keys);
  size_t n = 0, got;
  assert_non_null (keys);
  for (size_t p = 0; p < x->run.pages; p++) {
    assert_int_equal (tl_run_seek_page (r, &x->run, p), TL_OK);
    assert_int_equal (tl_run_read (r, KEYS, keys, 0, &got), TL_OK);
    assert_memory_equal (keys, x->key + n * x->form.words,
                         got * x->form.words * sizeof *keys);
    n += got;
  }
  assert_int_equal (n, x->count);
  free (keys);
}

// Every n-th key, and one beside it.
static void strikes (fixture *x, tl_run_reader *r, size_t distance) {
  const uint32_t words = x->form.words;
  uint64_t *keys = calloc (2 * KEYS * words, sizeof *keys);
  uint8_t *mark = calloc (2 * KEYS, 1), *there = calloc (2 * KEYS, 1);
  size_t count = 0;
  assert_true (keys && mark && there);
  for (size_t i = 0; i < x->count; i += distance) {
    uint64_t *key = keys + count * words;
    const uint64_t *next = i + 1 < x->count ? x->key + (i + 1) * words : 0;
    tl_copy_words (key, x->key + i * words, words);
    there[count++] = 1;
    tl_copy_words (key + words, key, words);
    ++key[words]; // unless that is the next one, or too large
    if (key[words] && (!next || tl_key_compare (key + words, next, words)) &&
        (words > 1 || key[words] <= tl_low_bits (x->form.key_bits)))
      count++;
  }
  assert_int_equal (tl_run_strike (r, &x->run, keys, count, mark), TL_OK);
  assert_memory_equal (mark, there, count);
  free (keys);
  free (mark);
  free (there);
}

static void test_runs (void **state) {
  (void)state;
  static const uint32_t bits[] = {12, 31, 63, 64, 65, 128, 130, 700};
  static const size_t distance[] = {1, 2, 7, 100, 999};
  tl_random random = {7};
  for (unsigned i = 0; i < 8 * 8; i++) {
    fixture x;
    tl_run_reader r;
    open_run (&x, bits[i % 8], 4 + 3 * (i / 8), i & 8, i & 16, &random);
    assert_int_equal (tl_run_reader_open (&r, &x.pages, &x.form, x.events), 0);
    reads_range (&x, &r, 0, x.count, 256);
    for (unsigned k = 0; k < 20; k++) {
      const size_t from = tl_random_below (&random, x.count);
      reads_range (&x, &r, from,
                   from + tl_random_below (&random, x.count - from + 1),
                   1 + tl_random_below (&random, 300));
    }
    reads_pages (&x, &r);
    for (unsigned k = 0; k < 5 && !x.events; k++)
      strikes (&x, &r, distance[k]);
    tl_run_reader_close (&r);
    close_run (&x);
  }
}

// Space in the file is used again; what cannot be read back as it was is told.
static void test_pages (void **state) {
  (void)state;
  enum { BYTES = 500 };
  tl_mem mem = TL_MEM (0, "test");
  tl_pages pages;
  tl_page page[3];
  unsigned char bytes[BYTES], room[BYTES];
  const unsigned char *got;
  tl_pages_open (&pages, &mem, P_tmpdir, BYTES);
  assert_int_equal (tl_pages_make (&pages), TL_OK);
  pages.file_only = true;
  for (unsigned round = 0; round < 100; round++) {
    for (unsigned i = 0; i < 3; i++) {
      memset (bytes, (int)(round + i), BYTES);
      assert_int_equal (tl_pages_put (&pages, bytes, BYTES - 150 * i, page + i),
                        TL_OK);
    }
    for (unsigned i = 0; i < 3; i++) {
      assert_int_equal (tl_pages_get (&pages, page + i, room, &got), TL_OK);
      assert_int_equal (got[0], (unsigned char)(round + i));
      tl_pages_drop (&pages, page + i);
    }
  }
  assert_true (pages.end <= 3 * 512);
  assert_int_equal (pages.held, 0);
  assert_int_equal (tl_pages_put (&pages, bytes, BYTES, page), TL_OK);
  page->sum ^= 1;
  assert_int_equal (tl_pages_get (&pages, page, room, &got), TL_E_IO);
  assert_int_equal (pages.sys, EIO);
  tl_pages_drop (&pages, page);
  tl_pages_close (&pages);
  assert_int_equal (mem.used, 0);
}

// ---- Sorting ---------------------------------------------------------------

static void sorts (uint32_t words, uint32_t bits, uint32_t events, size_t count,
                   unsigned spread, tl_random *random) {
  const tl_successor_form f = tl_successor_form_of (words, bits, events);
  uint64_t *list = calloc (count * f.size + 1, sizeof *list),
           *room = calloc (count * f.size + 1, sizeof *room),
           *keys = calloc (count * words + 1, sizeof *keys), key[words];
  assert_true (list && room && keys);
  const uint64_t top = tl_low_bits (bits - 64 * (words - 1));
  for (size_t i = 0; i < count; i++) {
    for (uint32_t w = 0; w < words; w++)
      key[w] = tl_random_next (random) & tl_low_bits (spread);
    key[words - 1] &= top;
    tl_copy_words (keys + i * words, key, words);
    // The event can be told from the key.
    tl_successor_make (&f, key, (uint32_t)(key[0] % (events + 1)),
                       list + i * f.size);
  }
  compared_words = words;
  qsort (keys, count, words * sizeof *keys, compare_keys);
  const size_t left = tl_successors_sort (&f, list, count, room);
  size_t n = 0;
  for (size_t i = 0; i < count; i++) {
    if (i && !compare_keys (keys + (i - 1) * words, keys + i * words))
      continue;
    assert_true (n < left);
    tl_successor_key (&f, list + n * f.size, key);
    assert_memory_equal (key, keys + i * words, words * sizeof *key);
    assert_int_equal (tl_successor_event (&f, list + n * f.size),
                      key[0] % (events + 1));
    n++;
  }
  assert_int_equal (n, left);
  free (list);
  free (room);
  free (keys);
}

static void test_sorting (void **state) {
  (void)state;
  tl_random random = {3};
  for (unsigned spread = 1; spread <= 64; spread += 7)
    for (size_t count = 0; count < 5000; count += count / 2 + 1) {
      sorts (1, 40, 16, count, spread, &random);
      sorts (1, 64, 1000, count, spread, &random);
      sorts (2, 100, 16, count, spread, &random);
      sorts (3, 192, 16, count, spread, &random);
    }
}

// ---- Searches --------------------------------------------------------------

static tl_options on_disk (uint32_t threads, uint64_t room) {
  tl_options options = tl_options_default ();
  options.threads = threads;
  options.parallel_from = 1;
  options.disk = P_tmpdir;
  options.disk_room = room;
  return options;
}

static tl_net *example (const char *family, uint64_t size) {
  tl_net *net;
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  return net;
}

// In steps that are small where something new is being made.
static void fails_everywhere (const tl_net *net, uint32_t threads) {
  const tl_options options = on_disk (threads, 16);
  brute b = brute_explore (net, 5000);
  long n = 0;
  while (!survives (net, &options, &b, n))
    n += 1 + n / 20;
  assert_true (n > 50);
  brute_close (&b);
}

static void test_failing (void **state) {
  (void)state;
  tl_net *net = example ("philosophers", 4);
  fails_everywhere (net, 1);
  fails_everywhere (net, 2);
  tl_net_close (net);
}

// A place that grows beyond any first guess of its bound: the search begins
// anew.
static void test_growing (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  const random_net sketch = {.places = 2,
                             .transitions = 2,
                             .arcs = 5,
                             .initial = {1},
                             .arc = {{TL_ARC_PRE, 1, 0, 1000},
                                     {TL_ARC_PRE, 0, 1, 1},
                                     {TL_ARC_POST, 0, 1, 1},
                                     {TL_ARC_POST, 1, 1, 1},
                                     {TL_ARC_INHIBITOR, 1, 1, 700}}};
  tl_net *net = random_net_build (&sketch, &mem);
  assert_non_null (net);
  const tl_options options = on_disk (2, 16);
  tl_exploration run = {0};
  assert_int_equal (tl_explore (net, &options, &run, 0), TL_OK);
  assert_true (run.complete);
  assert_int_equal (run.states, 701);
  assert_int_equal (run.arcs, 700);
  assert_int_equal (run.max_tokens_in_place, 700);
  assert_int_equal (run.deadlock.length, 700);
  assert_true (run.widened);
  assert_true (run.disk.used);
  tl_exploration_close (&run);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// Within a budget that is much too small for the states.
static void test_budget (void **state) {
  (void)state;
  tl_net *net = example ("kanban", 4);
  for (uint32_t threads = 1; threads <= 2; threads++) {
    tl_options options = on_disk (threads, 0);
    options.memory = 600 << 10;
    tl_exploration run = {0};
    assert_int_equal (tl_explore (net, &options, &run, 0), TL_OK);
    assert_true (run.complete);
    assert_int_equal (run.states, 454475);
    assert_int_equal (run.arcs, 3979850);
    assert_true (run.disk.written > 454475);
    assert_true (run.disk.read > run.disk.written);
    assert_true (run.disk.merges > 3);
    tl_exploration_close (&run);
  }
  tl_net_close (net);
}

// A file that may not get longer: the message says so.
static void test_full (void **state) {
  (void)state;
  struct rlimit before, small;
  assert_int_equal (getrlimit (RLIMIT_FSIZE, &before), 0);
  small = before;
  small.rlim_cur = 100 << 10;
  assert_int_equal (setrlimit (RLIMIT_FSIZE, &small), 0);
  tl_net *net = example ("kanban", 3);
  const tl_options options = on_disk (2, 1000);
  tl_exploration run = {0};
  tl_error error = {0};
  assert_int_equal (tl_explore (net, &options, &run, &error), TL_E_IO);
  assert_int_equal (error.sys, EFBIG);
  assert_non_null (strstr (error.text, "File too large, after "));
  assert_int_equal (setrlimit (RLIMIT_FSIZE, &before), 0);
  tl_net_close (net);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_runs),    cmocka_unit_test (test_pages),
      cmocka_unit_test (test_sorting), cmocka_unit_test (test_failing),
      cmocka_unit_test (test_growing), cmocka_unit_test (test_budget),
      cmocka_unit_test (test_full),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
