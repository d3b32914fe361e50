// Duplicate detection finds which of the candidates were visited, and exactly
// these.

#include "base/bits.h"
#include "base/random.h"
#include "sweep/duplicates.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_WORDS = 4 };

typedef struct keys {
  uint32_t words, bytes, stride;
  uint64_t spread; // keys are numbers below that, or look random
} keys;

static void make_key (const keys *k, uint64_t n, uint64_t *key) {
  for (uint32_t w = 0; w < k->words; w++)
    key[w] = k->spread ? n % k->spread : tl_mix (n + w);
  key[0] = n;
  key[k->words - 1] &= tl_low_bits (8 * (k->bytes - 8 * (k->words - 1)));
}

// Wants the even numbers below `count`.
static void want (tl_duplicates *s, const keys *k, uint64_t count) {
  uint64_t record[MOST_WORDS + 1];
  for (uint64_t n = 0; n < count; n += 2) {
    make_key (k, n, record);
    tl_duplicates_add_candidates (s, record, k->stride, 1);
  }
}

// Tells the numbers below `count` that can be divided by three, some at a time.
static tl_status tell (tl_duplicates *s, const keys *k, uint64_t count) {
  enum { SOME = 100 };
  uint64_t told[SOME * MOST_WORDS];
  size_t some = 0;
  tl_status rc = TL_OK;
  for (uint64_t n = 0; !rc && n < count; n += 3) {
    make_key (k, n, told + some++ * k->words);
    if (some == SOME || n + 3 >= count) {
      rc = tl_duplicates_add_visited (s, told, some);
      some = 0;
    }
  }
  return rc;
}

// Looks at some records at a time.
static void look (const tl_duplicates *s, const keys *k, uint64_t count) {
  enum { SOME = 150 };
  uint64_t record[SOME * (MOST_WORDS + 1)];
  uint8_t isnew[SOME];
  for (uint64_t n = 0; n < count; n += 2 * SOME) {
    for (uint64_t i = 0; i < SOME; i++)
      make_key (k, n + 2 * i, record + i * k->stride);
    tl_duplicates_look (s, record, k->stride, SOME, isnew);
    for (uint64_t i = 0; i < SOME && n + 2 * i < count; i++)
      assert_int_equal (isnew[i], (n + 2 * i) % 3 != 0);
  }
}

static void told_ones_are_known (void **state) {
  (void)state;
  static const keys kinds[] = {{1, 3, 1, 0},  {1, 8, 2, 0},  {2, 9, 3, 0},
                               {2, 16, 4, 7}, {3, 21, 5, 0}, {4, 32, 5, 100}};
  static const uint64_t counts[] = {0, 1, 2, 7, 64, 1000, 100000};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
      tl_mem mem = TL_MEM (0, "duplicates");
      tl_duplicates s;
      const keys *k = kinds + i;
      assert_int_equal (
          tl_duplicates_open (&s, &mem, k->words, k->bytes, counts[c] / 2),
          TL_OK);
      want (&s, k, counts[c]);
      assert_int_equal (tell (&s, k, counts[c]), TL_OK);
      assert_int_equal (tl_duplicates_index (&s), TL_OK);
      look (&s, k, counts[c]);
      // Those that nobody wants are left out, but for a few.
      assert_true (s.count >= counts[c] / 6 &&
                   s.count <= counts[c] / 6 + counts[c] / 60 + 3);
      tl_duplicates_close (&s);
      assert_int_equal (mem.used, 0);
    }
}

// Whatever allocation fails, all is given back.
static void failures_are_told (void **state) {
  (void)state;
  static const keys k = {2, 11, 3, 0};
  bool unharmed = false;
  for (long failures = 0; !unharmed; failures++) {
    tl_mem mem = TL_MEM (0, "duplicates");
    tl_duplicates s;
    mem.fail_after = failures;
    tl_status rc = tl_duplicates_open (&s, &mem, k.words, k.bytes, 5000);
    if (!rc) {
      want (&s, &k, 10000);
      rc = tell (&s, &k, 10000);
    }
    if (!rc)
      rc = tl_duplicates_index (&s);
    assert_true (!rc || rc == TL_E_NOMEM);
    if (!rc)
      look (&s, &k, 10000);
    unharmed = mem.fail_after > 0;
    tl_duplicates_close (&s);
    assert_int_equal (mem.used, 0);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (told_ones_are_known),
      cmocka_unit_test (failures_are_told),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
