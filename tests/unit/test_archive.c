// The archive of visited states against what was put into it: keys of many
// widths, little memory, many runs, and every kind of failure.

#include "base/random.h"
#include "base/sort.h"
#include "explore/archive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_WORDS = 100 };

// An archive, and what it should say of the keys 0 .. distinct-1.
typedef struct checked {
  tl_mem mem;
  tl_packer packer;
  tl_archive *archive;
  uint32_t words, bits;
  bool alike; // keys are small numbers, one after the other
  uint64_t distinct;
  uint8_t *seen;
  uint64_t states, arcs, deadlocks;
} checked;

static void begin (checked *c, uint32_t bits, bool alike, uint64_t distinct,
                   size_t limit) {
  *c = (checked){.mem = TL_MEM (0, "archive"), .bits = bits, .alike = alike};
  c->words = bits ? (bits + 63) / 64 : 1;
  c->packer = TL_PACKER (&c->mem);
  c->mem.limit = limit;
  if (bits < 20 && distinct > (uint64_t)1 << bits)
    distinct = (uint64_t)1 << bits;
  c->distinct = distinct;
  c->seen = test_calloc (distinct, 1);
}

static void begin_open (checked *c, uint32_t bits, bool alike,
                        uint64_t distinct, size_t limit) {
  begin (c, bits, alike, distinct, limit);
  assert_int_equal (
      tl_archive_open (&c->archive, &c->mem, &c->packer, c->words, c->bits),
      TL_OK);
}

static void end (checked *c) {
  tl_archive_close (c->archive);
  tl_packer_close (&c->packer);
  assert_int_equal (c->mem.used, 0);
  test_free (c->seen);
}

// Key number n: the same number gives the same key, and different numbers give
// different ones.
static void key_of (const checked *c, uint64_t n, uint64_t *key) {
  tl_random r = {n};
  for (uint32_t w = 0; w < c->words; w++)
    key[w] = c->alike ? 0 : tl_random_next (&r);
  key[c->words - 1] &= tl_low_bits (c->bits - 64 * (c->words - 1));
  if (c->alike || c->bits < 64)
    key[0] = n; // as random bits may be the same
}

static uint32_t successors_of (uint64_t n) {
  return n % 7 ? (uint32_t)(n * 31 % 1000) : 0;
}

static tl_status add (checked *c, uint64_t n) {
  uint64_t key[MOST_WORDS];
  key_of (c, n, key);
  const tl_status rc = tl_archive_add (c->archive, key, successors_of (n));
  if (!rc && !c->seen[n]) {
    c->seen[n] = 1;
    c->states++;
    c->arcs += successors_of (n);
    c->deadlocks += !successors_of (n);
  }
  return rc;
}

static tl_status add_many (checked *c, uint64_t visits, uint64_t seed) {
  tl_random r = {seed};
  tl_status rc = TL_OK;
  while (!rc && visits--)
    rc = add (c, tl_random_below (&r, c->distinct));
  return rc;
}

static void counts_are_right (checked *c) {
  uint64_t states, arcs, deadlocks;
  assert_int_equal (tl_archive_settle (c->archive, &states, &arcs, &deadlocks),
                    TL_OK);
  assert_int_equal (states, c->states);
  assert_int_equal (arcs, c->arcs);
  assert_int_equal (deadlocks, c->deadlocks);
}

static const uint32_t widths[] = {0,  1,  7,  8,   9,   33,  63,
                                  64, 65, 99, 128, 200, 1000};
enum { WIDTHS = sizeof widths / sizeof *widths };

static void all_widths (void **state) {
  (void)state;
  for (size_t i = 0; i < 2 * WIDTHS; i++)
    for (uint64_t visits = 0; visits < 300; visits += 1 + visits * 2) {
      checked c;
      begin_open (&c, widths[i / 2], i % 2, 1 + visits, 0);
      assert_int_equal (add_many (&c, visits, visits), TL_OK);
      counts_are_right (&c);
      end (&c);
    }
}

// The least buffer there is: many runs, and more than are merged at once.
static void many_runs (void **state) {
  (void)state;
  for (size_t i = 0; i < 2 * WIDTHS; i++) {
    checked c;
    begin_open (&c, widths[i / 2], i % 2, 150000, 2 << 20);
    assert_int_equal (add_many (&c, 250000, i), TL_OK);
    counts_are_right (&c);
    assert_true (widths[i / 2] < 20 || tl_archive_spilled (c.archive) > 0);
    assert_true (c.mem.peak <= c.mem.limit);
    end (&c);
  }
}

// A key that is visited again and again fills no disk.
static void few_states (void **state) {
  (void)state;
  checked c;
  begin_open (&c, 65, false, 5000, 2 << 20);
  assert_int_equal (add_many (&c, 500000, 1), TL_OK);
  assert_int_equal (tl_archive_spilled (c.archive), 0);
  counts_are_right (&c);
  end (&c);
}

// Keys longer than a block.
static void long_keys (void **state) {
  (void)state;
  enum { WORDS = 1 << 16, KEYS = 8 };
  tl_mem mem = TL_MEM (0, "archive");
  tl_packer packer = TL_PACKER (&mem);
  tl_archive *a;
  uint64_t *key = test_calloc (WORDS, sizeof *key), states, arcs, deadlocks;
  mem.limit = 8 << 20;
  assert_int_equal (tl_archive_open (&a, &mem, &packer, WORDS, 64 * WORDS - 1),
                    TL_OK);
  for (uint32_t i = 0; i < 3 * KEYS; i++) {
    key[i % KEYS] = i % KEYS;
    assert_int_equal (tl_archive_add (a, key, i), TL_OK);
    key[i % KEYS] = 0;
  }
  assert_int_equal (tl_archive_settle (a, &states, &arcs, &deadlocks), TL_OK);
  assert_int_equal (states, KEYS);
  tl_archive_close (a);
  tl_packer_close (&packer);
  assert_int_equal (mem.used, 0);
  test_free (key);
}

static tl_status move_to (void *archive, const uint64_t *key,
                          uint32_t successors) {
  return tl_archive_add (archive, key, successors);
}

static void moves_to_another (void **state) {
  (void)state;
  checked c;
  begin_open (&c, 100, false, 60000, 4 << 20);
  assert_int_equal (add_many (&c, 90000, 3), TL_OK);
  tl_archive *old = c.archive;
  assert_int_equal (
      tl_archive_open (&c.archive, &c.mem, &c.packer, c.words, c.bits), TL_OK);
  assert_int_equal (tl_archive_drain (old, move_to, c.archive), TL_OK);
  tl_archive_close (old);
  assert_int_equal (add_many (&c, 90000, 4), TL_OK);
  counts_are_right (&c);
  end (&c);
}

static int by_key (const void *a, const void *b) {
  const uint64_t x = tl_read_word (a) & 0xffffff,
                 y = tl_read_word (b) & 0xffffff;
  return x < y ? -1 : x > y;
}

static void sorts (void **state) {
  (void)state;
  enum { MOST = 3000, SIZE = 9, KEY = 3 };
  tl_random r = {1};
  unsigned char got[MOST * SIZE], right[MOST * SIZE];
  for (int round = 0; round < 200; round++) {
    const size_t count = tl_random_below (&r, MOST);
    const uint64_t range = (uint64_t)1 << tl_random_below (&r, 25);
    for (size_t i = 0; i < count; i++) {
      got[i * SIZE + 8] = 0;
      // What is not part of the key follows from it: any order will do.
      const uint64_t key = tl_random_below (&r, range) & 0xffffff;
      tl_write_word (got + i * SIZE, key | key << 32);
    }
    memcpy (right, got, count * SIZE);
    qsort (right, count, SIZE, by_key);
    tl_sort_records (got, count, SIZE, KEY);
    assert_memory_equal (got, right, count * SIZE);
  }
}

// ---- Failures --------------------------------------------------------------

enum { MANY = 120000 }; // of 300 bits: five megabytes

static void without_memory (checked *c) {
  begin_open (c, 300, false, MANY, 1500000);
  assert_int_equal (add_many (c, 2 * MANY, 1), TL_E_NOMEM);
  assert_true (c->states > 10000);
  end (c);
}

static void with_a_full_disk (void **state) {
  (void)state;
  struct rlimit before, little = {300000, 300000};
  assert_int_equal (getrlimit (RLIMIT_FSIZE, &before), 0);
  little.rlim_max = before.rlim_max;
  assert_int_equal (setrlimit (RLIMIT_FSIZE, &little), 0);
  checked c;
  without_memory (&c);
  assert_int_equal (setrlimit (RLIMIT_FSIZE, &before), 0);
}

static void with_a_broken_disk (void **state) {
  (void)state;
  checked c;
  uint64_t n;
  begin_open (&c, 300, false, MANY, 2 << 20);
  assert_int_equal (add_many (&c, MANY, 1), TL_OK);
  assert_true (tl_archive_spilled (c.archive) > 0);
  // The file of the archive is the only one without a name.
  int found = 0;
  struct stat what;
  for (int file = 3; file < 64; file++)
    if (!fstat (file, &what) && S_ISREG (what.st_mode) && !what.st_nlink)
      found += !ftruncate (file, 0);
  assert_int_equal (found, 1);
  assert_int_equal (tl_archive_settle (c.archive, &n, &n, &n), TL_E_IO);
  end (&c);
}

static void without_a_folder (void **state) {
  (void)state;
  setenv ("TMPDIR", "build/there-is-no-such-folder", 1);
  checked c;
  without_memory (&c);
  begin_open (&c, 300, false, MANY, 0); // and with room enough
  c.mem.limit = 32 << 20;
  assert_int_equal (add_many (&c, MANY, 1), TL_OK);
  counts_are_right (&c);
  assert_int_equal (tl_archive_spilled (c.archive), 0);
  end (&c);
}

static void every_allocation_fails (void **state) {
  (void)state;
  bool unharmed = false;
  long n = 0;
  for (; !unharmed; n++) {
    checked c;
    uint64_t states, arcs, deadlocks;
    begin (&c, 300, false, 30000, 2 << 20);
    c.mem.fail_after = n;
    tl_status rc =
        tl_archive_open (&c.archive, &c.mem, &c.packer, c.words, 300);
    if (!rc)
      rc = add_many (&c, 30000, 1);
    if (!rc)
      rc = tl_archive_settle (c.archive, &states, &arcs, &deadlocks);
    if (!rc) {
      assert_int_equal (states, c.states);
      assert_int_equal (arcs, c.arcs);
      assert_int_equal (deadlocks, c.deadlocks);
    } else
      assert_int_equal (rc, TL_E_NOMEM);
    unharmed = c.mem.fail_after > 0;
    assert_true (!unharmed || !rc);
    end (&c);
  }
  assert_true (n > 10);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (sorts),
      cmocka_unit_test (all_widths),
      cmocka_unit_test (many_runs),
      cmocka_unit_test (few_states),
      cmocka_unit_test (long_keys),
      cmocka_unit_test (moves_to_another),
      cmocka_unit_test (with_a_full_disk),
      cmocka_unit_test (with_a_broken_disk),
      cmocka_unit_test (every_allocation_fails),
      cmocka_unit_test (without_a_folder), // the last: it changes TMPDIR
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
