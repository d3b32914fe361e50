// What a sweep keeps its states in: pools and layers; and the timeline of its
// picture.

#include "base/random.h"
#include "sweep/layers.h"
#include "sweep/timeline.h"
#include "store/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tl_pool_kind kind_of (tl_mem *mem, uint32_t words) {
  return (tl_pool_kind){
      .mem = mem,
      .store = &tl_store_table,
      .spec = {.key_words = words, .key_bits = 64 * words - 7}};
}

// Key number n of keys that differ in their last word only.
static void make_key (uint64_t *key, uint32_t words, uint64_t n) {
  memset (key, 0, words * sizeof *key);
  key[words - 1] = n * 3 + 1;
}

static bool put (tl_pool *pool, const tl_pool_kind *kind, uint64_t n,
                 tl_status *rc) {
  uint64_t key[4];
  uint8_t isnew = 0;
  make_key (key, kind->spec.key_words, n);
  *rc = tl_pool_put (pool, kind,
                     &(tl_batch){.count = 1, .keys = key, .isnew = &isnew});
  return isnew;
}

static uint64_t count_each (const tl_pool *pool, const tl_pool_kind *kind) {
  uint64_t keys[4 * 100], cursor = 0, count = 0;
  for (size_t n; (n = tl_pool_each (pool, kind, &cursor, 100, keys));)
    count += n;
  return count;
}

// Small at first and a store in the end, the same set all the time.
static void pools_grow (void **state) {
  (void)state;
  for (uint32_t words = 1; words <= 3; words++) {
    tl_mem mem = TL_MEM (0, "pool");
    const tl_pool_kind kind = kind_of (&mem, words);
    tl_pool pool = {0};
    tl_status rc;
    for (uint64_t n = 0; n < 10000; n++) {
      assert_true (put (&pool, &kind, n, &rc) && !rc);
      assert_false (put (&pool, &kind, n / 2, &rc) || rc);
      assert_int_equal (pool.count, n + 1);
    }
    assert_non_null (pool.store);
    assert_int_equal (count_each (&pool, &kind), 10000);
    tl_pool_clear (&pool, &mem);
    assert_int_equal (mem.used, 0);
  }
}

// Every allocation fails once; the keys put before remain.
static void pools_survive (void **state) {
  (void)state;
  for (long fail = 0;; fail++) {
    tl_mem mem = TL_MEM (0, "pool");
    const tl_pool_kind kind = kind_of (&mem, 2);
    tl_pool pool = {0};
    tl_status rc = TL_OK;
    mem.fail_after = fail;
    uint64_t n = 0, failures = 0;
    for (; n < 5000; n++) {
      put (&pool, &kind, n, &rc);
      if (rc) { // once more, with memory
        mem.fail_after = -1;
        failures++;
        assert_int_equal (rc, TL_E_NOMEM);
        assert_int_equal (pool.count, n);
        assert_true (put (&pool, &kind, n, &rc) && !rc);
      }
    }
    assert_int_equal (count_each (&pool, &kind), 5000);
    tl_pool_clear (&pool, &mem);
    assert_int_equal (mem.used, 0);
    if (!failures)
      break;
  }
}

static void put_state (tl_layers *l, const int64_t *value, uint64_t n) {
  tl_layer *layer;
  uint64_t record[2];
  uint8_t isnew;
  make_key (record, 1, n);
  record[1] = n;
  assert_int_equal (tl_layers_at (l, value, &layer), TL_OK);
  assert_int_equal (tl_layers_enter (l, layer), TL_OK);
  assert_int_equal (
      tl_layers_put (l, layer,
                     &(tl_batch){.count = 1, .keys = record, .isnew = &isnew}),
      TL_OK);
  if (isnew)
    assert_int_equal (tl_layers_push (l, layer, record), TL_OK);
}

// The line goes from the least value to the largest, whatever the order in
// which layers came, and everything can be freed behind it.
static void lines_ascend (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "layers");
  const tl_pool_kind kind = kind_of (&mem, 1);
  tl_layers l = tl_layers_init (&kind, &mem, 2);
  tl_random random = {7};
  for (uint64_t n = 0; n < 20000; n++) {
    const int64_t value[2] = {(int64_t)tl_random_below (&random, 40) - 20,
                              (int64_t)tl_random_below (&random, 10) - 5};
    put_state (&l, value, n);
  }
  assert_int_equal (l.stored, 20000);
  assert_int_equal (l.unprocessed, 20000);
  uint64_t popped = 0, record[2];
  int64_t last[2] = {INT64_MIN, 0};
  for (tl_layer *line; (line = tl_layers_line (&l));) {
    assert_true (tl_layers_compare (&l, line->value, last) >= 0);
    memcpy (last, line->value, sizeof last);
    while (tl_layers_least (&l) != line)
      tl_layers_free_least (&l);
    assert_int_equal (tl_layers_pop (&l, line, record), TL_OK);
    assert_int_equal (record[0], record[1] * 3 + 1);
    popped++;
  }
  assert_int_equal (popped, 20000);
  tl_layers_free_least (&l);
  assert_int_equal (l.stored, 0);
  assert_int_equal (l.count, 0);
  tl_layers_close (&l);
  assert_int_equal (mem.used, 0);
}

// What is kept survives the sweep and is known in the next one.
static void kept_states_return (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "layers");
  const tl_pool_kind kind = kind_of (&mem, 1);
  tl_layers l = tl_layers_init (&kind, &mem, 1);
  const int64_t value = -3;
  uint64_t record[2] = {5, 9};
  uint8_t isnew;
  tl_layer *layer;
  bool any;
  assert_int_equal (tl_layers_at (&l, &value, &layer), TL_OK);
  tl_batch batch = {.count = 1, .keys = record, .isnew = &isnew};
  assert_int_equal (tl_layers_keep (&l, layer, &batch), TL_OK);
  assert_int_equal (isnew, 1);
  assert_int_equal (tl_layers_push_root (&l, layer, record), TL_OK);
  assert_null (tl_layers_line (&l));
  assert_int_equal (tl_layers_restart (&l, &any), TL_OK);
  assert_true (any);
  assert_ptr_equal (tl_layers_line (&l), layer);
  assert_int_equal (tl_layers_put (&l, layer, &batch), TL_OK);
  assert_int_equal (isnew, 0); // it is there twice now, and found
  assert_int_equal (l.stored, 1);
  assert_int_equal (tl_layers_pop (&l, layer, record), TL_OK);
  assert_int_equal (record[1], 9);
  assert_int_equal (tl_layers_restart (&l, &any), TL_OK);
  assert_false (any);
  assert_int_equal (l.stored, 1);
  tl_layers_close (&l);
  assert_int_equal (mem.used, 0);
}

// Records of a key and others words: those of number n.
static void make_record (const tl_backlog_kind *kind, uint64_t n,
                         uint64_t *record) {
  const size_t top = kind->key_words - 1;
  for (size_t w = 0; w < kind->words; w++)
    record[w] = n % 5 == 0 ? tl_mix (n + w) : 1000 * w + n * (w + 3);
  record[top] &= tl_low_bits ((unsigned)(kind->key_bytes - 8 * top) * 8);
}

static void is_record (const tl_backlog_kind *kind, const uint64_t *record,
                       uint64_t n) {
  uint64_t wanted[8];
  make_record (kind, n, wanted);
  assert_memory_equal (record, wanted, kind->words * sizeof *record);
}

// Whatever is pushed is shown, and popped, the last ones first.
static void backlogs_give_back (void **state) {
  (void)state;
  enum { RECORDS = 20000, SOME = 64 };
  for (size_t bytes = 1; bytes <= 33; bytes += 4) {
    tl_mem mem = TL_MEM (0, "backlog");
    const size_t words = (bytes + 7) / 8;
    tl_backlog_kind kind = {.mem = &mem,
                            .words = words + 1 + bytes % 3 % 2,
                            .key_words = words,
                            .key_bytes = bytes};
    tl_backlog b = {0};
    uint64_t record[SOME * 8], left = 0;
    const uint64_t *shown;
    size_t n;
    for (; left < RECORDS; left++) {
      make_record (&kind, left, record);
      assert_int_equal (tl_backlog_push (&b, &kind, record), TL_OK);
    }
    uint64_t count = 0;
    for (uint64_t block = 0;; block++) {
      assert_int_equal (tl_backlog_show (&b, &kind, block, &shown, &n), TL_OK);
      if (!n)
        break;
      for (size_t i = 0; i < n; i++)
        is_record (&kind, shown + i * kind.words, count++);
    }
    assert_int_equal (count, RECORDS);
    tl_backlog some = {0};
    while (tl_backlog_left (&b)) {
      if (left % 3)
        assert_int_equal (tl_backlog_move (&b, &some, &kind), TL_OK);
      tl_backlog *from = left % 3 ? &some : &b;
      do {
        assert_int_equal (tl_backlog_pop (from, &kind, SOME, record, &n),
                          TL_OK);
        assert_true (n);
        for (size_t i = n; i--;)
          is_record (&kind, record + i * kind.words, --left);
      } while (tl_backlog_left (&some));
    }
    assert_int_equal (left, 0);
    tl_backlog_close (&some, &kind);
    tl_backlog_close (&b, &kind);
    tl_backlog_kind_close (&kind);
    assert_int_equal (mem.used, 0);
  }
}

// The first record of a block is far from zero, and the others are not far from
// it.
static void backlogs_begin_anywhere (void **state) {
  (void)state;
  enum { RECORDS = 5000 };
  const uint64_t far = (uint64_t)1 << 40;
  tl_mem mem = TL_MEM (0, "backlog");
  tl_backlog_kind kind = {
      .mem = &mem, .words = 2, .key_words = 1, .key_bytes = 8};
  tl_backlog b = {0};
  uint64_t record[2];
  for (uint64_t n = 0; n < RECORDS; n++)
    assert_int_equal (
        tl_backlog_push (&b, &kind, (const uint64_t[]){n, far + n}), TL_OK);
  for (uint64_t left = RECORDS; left--;) {
    size_t n;
    assert_int_equal (tl_backlog_pop (&b, &kind, 1, record, &n), TL_OK);
    assert_int_equal (n, 1);
    assert_true (record[0] == left && record[1] == far + left);
  }
  tl_backlog_close (&b, &kind);
  tl_backlog_kind_close (&kind);
  assert_int_equal (mem.used, 0);
}

// Many that are small one by one take little memory together.
static void backlogs_share_memory (void **state) {
  (void)state;
  enum { BACKLOGS = 100, RECORDS = 30000, MOST = 12 << 20, SOME = 1024 };
  tl_mem mem = TL_MEM (0, "backlogs");
  tl_backlog_kind kind = {
      .mem = &mem, .words = 2, .key_words = 1, .key_bytes = 8};
  static tl_backlog b[BACKLOGS];
  static uint64_t record[2 * SOME];
  for (uint64_t n = 0; n < RECORDS; n++)
    for (size_t i = 0; i < BACKLOGS; i++) {
      make_record (&kind, n, record);
      assert_int_equal (tl_backlog_push (b + i, &kind, record), TL_OK);
    }
  assert_in_range (mem.peak, MOST / 2, MOST);
  size_t on_disk = 0;
  for (size_t i = 0; i < BACKLOGS; i++) {
    uint64_t left = RECORDS;
    for (size_t n; left; left -= n) {
      assert_int_equal (tl_backlog_pop (b + i, &kind, SOME, record, &n), TL_OK);
      for (size_t k = 0; k < n; k++)
        is_record (&kind, record + 2 * k, left - n + k);
    }
    assert_int_equal (tl_backlog_left (b + i), 0);
    on_disk += tl_backlog_close (b + i, &kind) > 0;
  }
  assert_true (on_disk > BACKLOGS / 2);
  tl_backlog_kind_close (&kind);
  assert_int_equal (mem.used, 0);
}

// One that runs out of memory has what it had.
static void backlogs_survive (void **state) {
  (void)state;
  bool unharmed = false;
  for (long failures = 0; !unharmed; failures++) {
    tl_mem mem = TL_MEM (0, "backlog");
    tl_backlog_kind kind = {
        .mem = &mem, .words = 3, .key_words = 2, .key_bytes = 11};
    tl_backlog b = {0};
    uint64_t record[3], left = 0;
    size_t n;
    mem.fail_after = failures;
    for (; left < 5000; left++) {
      make_record (&kind, left, record);
      while (tl_backlog_push (&b, &kind, record))
        mem.fail_after = -1;
    }
    unharmed = mem.fail_after > 0;
    mem.fail_after = -1;
    while (tl_backlog_left (&b)) {
      assert_int_equal (tl_backlog_pop (&b, &kind, 1, record, &n), TL_OK);
      is_record (&kind, record, --left);
    }
    assert_int_equal (left, 0);
    tl_backlog_close (&b, &kind);
    tl_backlog_kind_close (&kind);
    assert_int_equal (mem.used, 0);
  }
}

static void peaks_stay (void **state) {
  (void)state;
  tl_timeline m = {0};
  for (uint64_t i = 0; i < 100000; i++)
    tl_timeline_add (&m,
                     &(tl_sweep_point){.sweep = 1 + i / 60000,
                                       .progress = (int64_t)i,
                                       .stored = i == 77777 ? 1000 : i % 9});
  assert_true (m.count > 500 && m.count <= 2048);
  bool peak = false;
  for (size_t i = 0; i < m.count; i++) {
    peak |= m.point[i].stored == 1000;
    assert_true (!i || m.point[i - 1].progress < m.point[i].progress);
  }
  assert_true (peak);
  free (m.point);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (pools_grow),
      cmocka_unit_test (pools_survive),
      cmocka_unit_test (lines_ascend),
      cmocka_unit_test (kept_states_return),
      cmocka_unit_test (backlogs_begin_anywhere),
      cmocka_unit_test (backlogs_give_back),
      cmocka_unit_test (backlogs_share_memory),
      cmocka_unit_test (backlogs_survive),
      cmocka_unit_test (peaks_stay),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
