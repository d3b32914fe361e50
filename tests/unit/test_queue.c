// The queue of keys against what was put into it: keys of all widths, with
// blocks in memory and on the disk, and with every kind of failure.

#include "base/random.h"
#include "explore/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_WORDS = 5 };

// A queue, and which keys it should hold: numbers first .. last-1.
typedef struct checked {
  tl_mem mem;
  tl_packer packer;
  tl_queue queue;
  uint32_t words, bits;
  bool alike; // neighbours differ by few numbers
  uint64_t first, last;
} checked;

static void begin_words (checked *c, uint32_t bits, uint32_t words,
                         bool alike) {
  *c = (checked){
      .mem = TL_MEM (0, "queue"), .bits = bits, .words = words, .alike = alike};
  c->packer = TL_PACKER (&c->mem);
  tl_queue_init (&c->queue, &c->mem, &c->packer, c->words, bits);
}

static void begin (checked *c, uint32_t bits, bool alike) {
  begin_words (c, bits, (bits + 63) / 64, alike);
}

static void end (checked *c) {
  tl_queue_close (&c->queue);
  tl_packer_close (&c->packer);
  assert_int_equal (c->mem.used, 0);
}

// Key number n.
static void key_of (const checked *c, uint64_t n, uint64_t *key) {
  tl_random r = {n * 77 + c->bits};
  for (uint32_t w = 0; w < c->words; w++)
    key[w] = c->alike ? n / 100 * 12345 + n % 3 : tl_random_next (&r);
  key[c->words - 1] &= tl_low_bits (c->bits - 64 * (c->words - 1));
}

static tl_status push (checked *c) {
  uint64_t key[MOST_WORDS];
  key_of (c, c->last, key);
  const tl_status rc = tl_queue_push (&c->queue, key);
  c->last += !rc;
  return rc;
}

static void push_many (checked *c, uint64_t count) {
  while (count--)
    assert_int_equal (push (c), TL_OK);
}

static void pop (checked *c) {
  uint64_t key[MOST_WORDS], right[MOST_WORDS];
  assert_int_equal (tl_queue_pop (&c->queue, key), TL_OK);
  key_of (c, c->first++, right);
  assert_memory_equal (key, right, c->words * sizeof *key);
  assert_int_equal (c->queue.count, c->last - c->first);
}

static void pop_many (checked *c, uint64_t count) {
  while (count--)
    pop (c);
}

static void pop_all (checked *c) {
  pop_many (c, c->last - c->first);
  assert_int_equal (c->queue.count, 0);
}

static void all_widths (void **state) {
  (void)state;
  tl_random r = {1};
  for (uint32_t bits = 1; bits <= 300; bits++) {
    checked c;
    begin (&c, bits, bits % 2);
    const uint64_t block = c.queue.per_block;
    for (int round = 0; round < 4; round++) {
      push_many (&c, tl_random_below (&r, 1000));
      pop_many (&c, tl_random_below (&r, c.last - c.first + 1));
    }
    if (bits % 16 < 2 || bits > 280) {
      push_many (&c, 2 * block + tl_random_below (&r, block));
      pop_many (&c, block + tl_random_below (&r, block));
      push_many (&c, tl_random_below (&r, block));
    }
    pop_all (&c);
    end (&c);
  }
}

// The bits end with a word, and the keys have one more, which is never used.
static void whole_words (void **state) {
  (void)state;
  for (uint32_t words = 1; words < MOST_WORDS; words++) {
    checked c;
    begin_words (&c, 64 * words, words + 1, words % 2);
    push_many (&c, 2 * c.queue.per_block);
    pop_all (&c);
    end (&c);
  }
}

static void empties_and_fills_again (void **state) {
  (void)state;
  checked c;
  begin (&c, 31, true);
  for (int i = 0; i < 3; i++) {
    push_many (&c, 3 * c.queue.per_block);
    pop_all (&c);
  }
  // Exactly a block, read while the next one is written.
  push_many (&c, c.queue.per_block);
  for (uint64_t i = 0; i < 2 * c.queue.per_block; i++) {
    pop (&c);
    push_many (&c, 1);
  }
  pop_all (&c);
  end (&c);
}

static void neighbours_are_small (void **state) {
  (void)state;
  checked c;
  begin (&c, 60, true);
  push_many (&c, 500000);
  assert_true (c.mem.used < 1500000); // of 4,000,000
  pop_all (&c);
  end (&c);
}

// ---- The disk --------------------------------------------------------------

enum { MANY = 60000 }; // of 300 bits: more than two megabytes

static void goes_to_disk (void **state) {
  (void)state;
  checked c;
  begin (&c, 300, false);
  push_many (&c, MANY);
  assert_true (c.queue.middle.written > 1000000);
  assert_true (c.mem.used < 2000000);
  pop_many (&c, MANY / 2);
  push_many (&c, MANY);
  pop_all (&c);
  assert_int_equal (c.queue.middle.in_file, 0);
  assert_int_equal (c.queue.middle.end, 0); // nothing is left in the file
  end (&c);
}

// Many blocks come and go, so that the list of them is moved.
static void lives_long (void **state) {
  (void)state;
  checked c;
  tl_random r = {5};
  begin (&c, 300, false);
  push_many (&c, MANY);
  while (c.last < 10 * MANY) {
    const uint64_t count = tl_random_below (&r, MANY);
    push_many (&c, count);
    pop_many (&c, count);
  }
  assert_true (c.queue.middle.base > 0);
  pop_all (&c);
  end (&c);
}

static void lives_in_little_memory (void **state) {
  (void)state;
  checked c;
  begin (&c, 300, false);
  c.mem.limit = 800000;
  push_many (&c, MANY);
  pop_all (&c);
  end (&c);
}

// Pushes until memory runs out; what is in the queue must still be there, and
// there must be room when it has been taken out.
static void stays_in_memory (checked *c) {
  c->mem.limit = 1500000;
  tl_status rc = TL_OK;
  for (int i = 0; !rc && i < MANY; i++)
    rc = push (c);
  assert_int_equal (rc, TL_E_NOMEM);
  assert_true (c->last > 10000);
  pop_many (c, c->last / 2);
  push_many (c, c->last / 4);
  pop_all (c);
}

static void without_a_folder (void **state) {
  (void)state;
  setenv ("TMPDIR", "build/there-is-no-such-folder", 1);
  checked c;
  begin (&c, 300, false);
  stays_in_memory (&c);
  assert_int_equal (c.queue.middle.written, 0);
  end (&c);
  begin (&c, 300, false); // and with room enough
  push_many (&c, MANY);
  pop_all (&c);
  assert_int_equal (c.queue.middle.written, 0);
  end (&c);
}

static void with_a_full_disk (void **state) {
  (void)state;
  struct rlimit before, little = {300000, 300000};
  assert_int_equal (getrlimit (RLIMIT_FSIZE, &before), 0);
  little.rlim_max = before.rlim_max;
  assert_int_equal (setrlimit (RLIMIT_FSIZE, &little), 0);
  checked c;
  begin (&c, 300, false);
  stays_in_memory (&c);
  assert_in_range (c.queue.middle.written, 100000, 600000);
  end (&c);
  assert_int_equal (setrlimit (RLIMIT_FSIZE, &before), 0);
}

// The file cannot be read any more.
static void with_a_broken_disk (void **state) {
  (void)state;
  checked c;
  uint64_t key[MOST_WORDS];
  begin (&c, 300, false);
  push_many (&c, MANY);
  assert_true (c.queue.middle.in_file > 0);
  assert_int_equal (ftruncate (c.queue.middle.file, 0), 0);
  tl_status rc = TL_OK;
  for (int i = 0; !rc && i < MANY; i++)
    rc = tl_queue_pop (&c.queue, key);
  assert_int_equal (rc, TL_E_IO);
  assert_int_equal (tl_queue_pop (&c.queue, key), TL_E_IO);
  end (&c);
}

// A byte of the file is not what was written.
static void with_a_damaged_file (void **state) {
  (void)state;
  for (int i = 0; i < 40; i++) {
    checked c;
    uint64_t key[MOST_WORDS];
    unsigned char byte;
    const off_t at = 20000 + 37 * i;
    begin (&c, 300, false);
    push_many (&c, MANY);
    const int file = c.queue.middle.file;
    assert_int_equal (pread (file, &byte, 1, at), 1);
    byte ^= (unsigned char)(1 << i % 8);
    assert_int_equal (pwrite (file, &byte, 1, at), 1);
    tl_status rc = TL_OK;
    while (!rc && c.queue.count)
      rc = tl_queue_pop (&c.queue, key);
    assert_int_equal (rc, TL_E_IO);
    end (&c);
  }
}

// Writing fails, once or for good.
static void with_a_file_that_cannot_be_written (void **state) {
  (void)state;
  checked c;
  begin (&c, 300, false);
  push_many (&c, MANY / 2);
  const int file = c.queue.middle.file;
  assert_true (file >= 0);
  pop_all (&c); // nothing of use is in it
  c.queue.middle.file = 1 << 20;
  push_many (&c, MANY / 2);
  c.queue.middle.file = file;
  push_many (&c, MANY / 2);
  pop_all (&c);
  end (&c);
}

static void every_allocation_fails (void **state) {
  (void)state;
  long asked = 0;
  for (long n = 0; n <= asked; n++) {
    checked c;
    begin (&c, 300, false);
    c.mem.fail_after = n;
    for (int i = 0; i < 10000; i++)
      if (push (&c)) {
        assert_int_equal (c.mem.fail_after, 0);
        c.mem.fail_after = -1;
        push_many (&c, 1);
      }
    if (c.mem.fail_after <= 0)
      asked = n + 1;
    c.mem.fail_after = -1;
    pop_all (&c);
    end (&c);
  }
  assert_true (asked > 5);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (all_widths),
      cmocka_unit_test (whole_words),
      cmocka_unit_test (empties_and_fills_again),
      cmocka_unit_test (neighbours_are_small),
      cmocka_unit_test (goes_to_disk),
      cmocka_unit_test (lives_long),
      cmocka_unit_test (lives_in_little_memory),
      cmocka_unit_test (with_a_full_disk),
      cmocka_unit_test (with_a_broken_disk),
      cmocka_unit_test (with_a_damaged_file),
      cmocka_unit_test (with_a_file_that_cannot_be_written),
      cmocka_unit_test (every_allocation_fails),
      cmocka_unit_test (without_a_folder), // the last: it changes TMPDIR
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
