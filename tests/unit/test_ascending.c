// Ascending keys as bytes: what was written is read, keys of all lengths, dense
// and far apart; streams that are no such ones are refused and never read
// beyond their end.

#include "base/random.h"
#include "store/ascending.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST_WORDS = 4, BITS = 64 * MOST_WORDS, ROOM = 2 << 20 };

static unsigned char room[ROOM];

// What a writer wrote.
typedef struct stream {
  tl_mem mem;
  tl_packer packer;
  unsigned char *bytes;
  size_t length, blocks;
  long fails; // the sink does, after so many blocks
} stream;

static tl_status append (void *context, const void *bytes, size_t length) {
  stream *s = context;
  if (!s->fails--)
    return TL_E_IO;
  assert_true (s->length + length <= ROOM);
  memcpy (s->bytes + s->length, bytes, length);
  s->length += length;
  s->blocks++;
  return TL_OK;
}

static void begin (stream *s) {
  *s = (stream){.mem = TL_MEM (0, "stream"), .fails = -1};
  s->packer = TL_PACKER (&s->mem);
  s->bytes = room;
}

static void end (stream *s) {
  tl_packer_close (&s->packer);
  assert_int_equal (s->mem.used, 0);
}

static tl_status write_keys (stream *s, uint32_t bits, const uint64_t *keys,
                             size_t count) {
  tl_ascending_writer w;
  tl_status rc = tl_ascending_create (&w, &s->mem, &s->packer, bits, 1,
                                      (tl_ascending_sink){s, append});
  if (rc)
    return rc;
  rc = tl_ascending_write (&w, keys, count);
  if (!rc)
    rc = tl_ascending_flush (&w);
  tl_ascending_end (&w);
  return rc;
}

// Reads a copy that has no byte behind it, in parts of random length.
static tl_status read_keys (stream *s, uint32_t bits, uint64_t *keys,
                            size_t most, size_t *count) {
  unsigned char *copy = malloc (s->length ? s->length : 1);
  memcpy (copy, s->bytes, s->length);
  tl_memory_source source = {copy, s->length};
  tl_ascending_reader r;
  tl_status rc = tl_ascending_open (&r, &s->mem, &s->packer, bits,
                                    tl_ascending_memory (&source));
  tl_random random = {bits};
  *count = 0;
  size_t n = !rc;
  while (!rc && n && *count < most) {
    size_t part = 1 + tl_random_below (&random, 3000);
    part = part < most - *count ? part : most - *count;
    rc = tl_ascending_read (&r, keys + *count * r.key_words, part, &n);
    *count += n;
  }
  tl_ascending_close (&r);
  free (copy);
  return rc;
}

static int compare (const void *a, const void *b, void *words) {
  const uint32_t n = *(uint32_t *)words;
  return tl_key_less (b, a, n) - tl_key_less (a, b, n);
}

// Up to so many keys; the kinds are: anywhere, in clusters, one after the
// other.
static size_t make_keys (uint64_t *keys, size_t count, uint32_t bits,
                         unsigned how, tl_random *random) {
  uint32_t words = (bits + 63) / 64;
  const uint64_t top = tl_low_bits (bits - 64 * (words - 1));
  for (size_t i = 0; i < count; i++) {
    uint64_t *key = keys + i * words;
    for (uint32_t w = 0; w < words; w++)
      key[w] = how == 2 || (how && i % 50) ? 0 : tl_random_next (random);
    if (how)
      key[0] += how == 2 || !i ? i : keys[(i - 1) * words] + 1 + i % 3;
    for (uint32_t w = 1; w < words && how == 1 && i % 50; w++)
      key[w] = keys[(i - 1) * words + w];
    key[words - 1] &= top;
  }
  qsort_r (keys, count, words * sizeof *keys, compare, &words);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (!i || tl_key_less (keys + (kept - 1) * words, keys + i * words, words))
      memmove (keys + kept++ * words, keys + i * words, words * sizeof *keys);
  return kept;
}

static void reads_what_was_written (void **state) {
  (void)state;
  tl_random random = {7};
  uint64_t *keys = malloc (40000 * MOST_WORDS * sizeof *keys),
           *back = malloc (40001 * MOST_WORDS * sizeof *back);
  for (uint32_t bits = 1; bits <= BITS; bits += bits < 70 ? 1 : 31)
    for (unsigned how = 0; how < 3; how++) {
      const size_t sizes[] = {1, 2, 3000, bits % 8 ? 500 : 40000},
                   n = make_keys (keys, sizes[tl_random_below (&random, 4)],
                                  bits, how, &random);
      stream s;
      size_t count;
      begin (&s);
      assert_int_equal (write_keys (&s, bits, keys, n), TL_OK);
      assert_int_equal (read_keys (&s, bits, back, n + 1, &count), TL_OK);
      assert_int_equal (count, n);
      assert_memory_equal (back, keys, n * ((bits + 63) / 64) * sizeof *keys);
      end (&s);
    }
  free (keys);
  free (back);
}

// The last keys there are, and as many as there are.
static void reads_the_largest (void **state) {
  (void)state;
  for (uint32_t bits = 1; bits <= 64; bits++) {
    stream s;
    uint64_t keys[20], back[21];
    const size_t n = bits > 4 ? 20 : (size_t)1 << bits;
    size_t count;
    for (size_t i = 0; i < n; i++)
      keys[i] = tl_low_bits (bits) - (n - 1 - i);
    begin (&s);
    assert_int_equal (write_keys (&s, bits, keys, n), TL_OK);
    assert_int_equal (read_keys (&s, bits, back, 21, &count), TL_OK);
    assert_int_equal (count, n);
    assert_memory_equal (back, keys, n * sizeof *keys);
    if (bits > 1 && bits % 8) // with a bit less they are no keys
      assert_int_equal (read_keys (&s, bits - 1, back, 21, &count),
                        TL_E_SYNTAX);
    end (&s);
  }
}

// Lower words that stay as they are.
static void borrows (void **state) {
  (void)state;
  const uint64_t keys[] = {5, 1, 5, 2, 4, 3, 4, 4};
  uint64_t back[10];
  size_t count;
  stream s;
  begin (&s);
  assert_int_equal (write_keys (&s, 100, keys, 4), TL_OK);
  assert_int_equal (read_keys (&s, 100, back, 5, &count), TL_OK);
  assert_int_equal (count, 4);
  assert_memory_equal (back, keys, sizeof keys);
  end (&s);
}

static void takes_few_bytes (void **state) {
  (void)state;
  enum { N = 1 << 16 };
  uint64_t *keys = malloc (N * sizeof *keys);
  for (uint64_t i = 0; i < N; i++)
    keys[i] = i % 7 + i / 7 % 9 * 11 + i / 63 * 1000;
  stream s;
  begin (&s);
  assert_int_equal (write_keys (&s, 40, keys, N), TL_OK);
  assert_true (s.length < N / 16);
  assert_in_range (s.blocks, N / TL_ASCENDING_BYTES, N / 4096);
  end (&s);
  free (keys);
}

static void refuses_keys_that_descend (void **state) {
  (void)state;
  stream s;
  begin (&s);
  const uint64_t equal[] = {3, 5, 5}, less[] = {0, 2, 7, 1};
  assert_int_equal (write_keys (&s, 9, equal, 3), TL_E_ARG);
  assert_int_equal (write_keys (&s, 100, less, 2), TL_E_ARG);
  end (&s);
}

// Whatever is read instead of a stream: keys that ascend, or an error.
static void bears_damage (void **state) {
  (void)state;
  tl_random random = {3};
  uint64_t *keys = malloc (3000 * MOST_WORDS * sizeof *keys),
           *back = malloc (ROOM);
  for (unsigned trial = 0; trial < 1500; trial++) {
    const uint32_t bits = 1 + (uint32_t)tl_random_below (&random, BITS),
                   words = (bits + 63) / 64;
    const size_t n = make_keys (keys, 1 + tl_random_below (&random, 200), bits,
                                trial % 3, &random);
    stream s;
    size_t count;
    begin (&s);
    assert_int_equal (write_keys (&s, bits, keys, n), TL_OK);
    for (unsigned i = 0; i < 1 + trial % 3; i++)
      s.bytes[tl_random_below (&random, s.length)] =
          (unsigned char)tl_random_next (&random);
    if (trial % 5 == 0)
      s.length = tl_random_below (&random, s.length);
    const tl_status rc = read_keys (&s, bits, back, ROOM / (8 * words), &count);
    assert_true (rc == TL_OK || rc == TL_E_SYNTAX);
    for (size_t i = 1; !rc && i < count; i++)
      assert_true (
          tl_key_less (back + (i - 1) * words, back + i * words, words));
    end (&s);
  }
  free (keys);
  free (back);
}

static void tells_failures (void **state) {
  (void)state;
  uint64_t keys[] = {1, 2, 3};
  tl_status rc = TL_E_NOMEM;
  for (long n = 0; rc; n++) {
    stream s;
    size_t count = 0;
    begin (&s);
    s.mem.fail_after = n;
    rc = write_keys (&s, 10, keys, 3);
    if (!rc)
      rc = read_keys (&s, 10, keys, 3, &count);
    assert_true (rc == TL_E_NOMEM || (!rc && count == 3));
    s.mem.fail_after = -1;
    end (&s);
  }
  stream s;
  begin (&s);
  s.fails = 0;
  assert_int_equal (write_keys (&s, 10, keys, 3), TL_E_IO);
  end (&s);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (reads_what_was_written),
      cmocka_unit_test (reads_the_largest),
      cmocka_unit_test (borrows),
      cmocka_unit_test (takes_few_bytes),
      cmocka_unit_test (refuses_keys_that_descend),
      cmocka_unit_test (bears_damage),
      cmocka_unit_test (tells_failures),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
