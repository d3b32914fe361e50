// Every kind of store against a simple table: keys of many lengths, random and
// close together, in batches of all sizes, with and without memory for growth.

#include "base/random.h"
#include "store/quotient.h"
#include "store/shards.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_WORDS = 30, BATCH = 300 };

static const uint32_t lengths[] = {1,  2,   7,   13,  16,  17,  22,  29, 31,
                                   32, 33,  40,  48,  63,  64,  65,  70, 96,
                                   99, 127, 128, 129, 180, 192, 250, 320};

// What is to be put: some keys, drawn so that most come more than once.
typedef struct supply {
  uint32_t bits, words;
  bool dense;  // small numbers instead of random ones
  bool ragged; // of many lengths
  uint64_t distinct;
  tl_random random;
} supply;

// Key number n of a supply: the same number gives the same key, and different
// numbers mostly give different ones.
static void make_key (const supply *s, uint64_t n, uint64_t *key) {
  memset (key, 0, s->words * sizeof *key);
  tl_random random = {n};
  for (uint32_t w = 0; w < s->words; w++)
    key[w] = s->dense ? (w == n % s->words ? n : 0) : tl_random_next (&random);
  const uint32_t bits =
      s->ragged ? 1 + (uint32_t)tl_random_below (&random, s->bits) : s->bits;
  for (uint32_t w = 0; w < s->words; w++) {
    const uint32_t left = bits > 64 * w ? bits - 64 * w : 0;
    key[w] &= tl_low_bits (left < 64 ? left : 64);
  }
}

// What is there: an open-addressing table too simple to be wrong.
typedef struct list {
  uint64_t *key;
  uint8_t *used; // 1: a key is there; 2: and was told
  size_t room, count;
  uint32_t words;
} list;

static list open_list (uint32_t words, uint64_t most) {
  list l = {.words = words, .room = 2 * (size_t)most + 2};
  l.key = calloc (l.room, words * sizeof *l.key);
  l.used = calloc (l.room, 1);
  assert_true (l.key && l.used);
  return l;
}

static void close_list (list *l) {
  free (l->key);
  free (l->used);
}

// Where the key is, or the place for it.
static size_t find (const list *l, const uint64_t *key) {
  uint64_t hash = 0;
  for (uint32_t w = 0; w < l->words; w++)
    hash = (hash ^ key[w]) * 0x9e3779b97f4a7c15u + 1;
  size_t at = tl_range (hash, l->room);
  while (l->used[at] &&
         memcmp (l->key + at * l->words, key, l->words * sizeof *key))
    at = at + 1 == l->room ? 0 : at + 1;
  return at;
}

static bool add_to_list (list *l, const uint64_t *key) {
  const size_t at = find (l, key);
  if (l->used[at])
    return false;
  l->used[at] = 1;
  memcpy (l->key + at * l->words, key, l->words * sizeof *key);
  l->count++;
  return true;
}

static bool no_undo (const void *context, uint32_t event, uint64_t *key) {
  (void)context;
  (void)event;
  (void)key;
  return true;
}

static tl_store *open_store (const tl_store_kind *kind, tl_mem *mem,
                             const supply *s, uint32_t salt) {
  tl_store *store;
  const tl_store_spec spec = {.key_words = s->words,
                              .key_bits = s->bits,
                              .salt = salt,
                              .lengths = s->ragged,
                              .steps = {.undo = no_undo, .events = 1},
                              .delta_k = 10};
  assert_int_equal (tl_store_open (&store, kind, mem, &spec), TL_OK);
  return store;
}

// Puts a batch and looks at what the store says of each key.  False: it has no
// memory any more, and what it says of the others was right.
static bool put_batch (tl_store *store, supply *s, list *there) {
  uint64_t keys[BATCH * MOST_WORDS];
  uint8_t isnew[BATCH];
  const size_t count = 1 + tl_random_below (&s->random, BATCH);
  for (size_t i = 0; i < count; i++)
    make_key (s, tl_random_below (&s->random, s->distinct),
              keys + i * s->words);
  tl_batch batch = {.count = count, .keys = keys, .isnew = isnew};
  const tl_status rc = store->kind->put (store, &batch);
  if (rc)
    assert_int_equal (rc, TL_E_NOMEM);
  else
    assert_int_equal (batch.done, count);
  for (size_t i = 0; i < batch.done; i++)
    assert_int_equal (isnew[i], add_to_list (there, keys + i * s->words));
  // A table that loses keys while it grows has counted the last one already.
  assert_in_range (store->count, there->count, there->count + (rc != 0));
  return !rc;
}

// Each key is told once, and no other.
static void tells_all (tl_store *store, list *there, bool drain) {
  uint64_t keys[BATCH * MOST_WORDS], cursor = 0;
  size_t told = 0;
  for (size_t n, most = 1;
       (n = store->kind->each (store, &cursor, most, keys, drain));
       most = most % (BATCH - 7) + 7) {
    assert_true (n <= most);
    for (size_t i = 0; i < n; i++) {
      const size_t at = find (there, keys + i * there->words);
      assert_int_equal (there->used[at], 1);
      there->used[at] = 2;
    }
    told += n;
  }
  assert_int_equal (told, there->count);
  for (size_t i = 0; i < there->room; i++)
    there->used[i] = there->used[i] != 0;
}

static void try_store (const tl_store_kind *kind, supply s, uint64_t puts) {
  tl_mem mem = TL_MEM (0, "states");
  tl_store *store = open_store (kind, &mem, &s, 0);
  list there = open_list (s.words, s.distinct);
  for (uint64_t done = 0; done < puts; done += BATCH / 2)
    assert_true (put_batch (store, &s, &there));
  tells_all (store, &there, false);
  tells_all (store, &there, true);
  store->kind->close (store);
  assert_int_equal (mem.used, 0);
  close_list (&there);
}

enum { MOST_KINDS = 16 };

// The kinds, each once though some have several names.
static size_t all_kinds (const tl_store_kind **kind) {
  size_t rows, count = 0;
  const tl_kind_row *row = tl_stores (&rows);
  assert_true (rows <= MOST_KINDS);
  for (size_t i = 0; i < rows; i++) {
    kind[count] = tl_store_find (row[i].name);
    count += !strcmp (kind[count]->name, row[i].name);
  }
  return count;
}

static void each_kind (void (*try) (const tl_store_kind *, supply),
                       uint64_t distinct) {
  const tl_store_kind *kind[MOST_KINDS];
  const size_t kinds = all_kinds (kind);
  for (size_t k = 0; k < kinds; k++)
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
      for (int how = 0; how < 2 + (kind[k]->unit > 0); how++)
        try (kind[k], (supply){.bits = lengths[i],
                               .words = (lengths[i] + 63) / 64,
                               .dense = how == 1,
                               .ragged = how == 2,
                               .distinct = distinct,
                               .random = {i}});
}

static void put_and_tell (const tl_store_kind *kind, supply s) {
  try_store (kind, s, 3 * s.distinct);
}

static void test_sets (void **state) {
  (void)state;
  each_kind (put_and_tell, 50);
  each_kind (put_and_tell, 3000);
}

// Many enough that tables do not double any more, but grow by parts.
static void test_large (void **state) {
  (void)state;
  const tl_store_kind *kind[MOST_KINDS];
  const size_t kinds = all_kinds (kind);
  for (size_t k = 0; k < kinds; k++) {
    for (uint32_t bits = 22; bits <= 72; bits += 25)
      try_store (kind[k],
                 (supply){.bits = bits,
                          .words = (bits + 63) / 64,
                          .distinct = 500000,
                          .ragged = kind[k]->unit && bits == 72,
                          .random = {bits}},
                 1000000);
  }
}

// Keys of several words, eight of which at a time the quotient table sends to
// the same head: only what is stored beside it tells them apart.
static void test_equal_heads (void **state) {
  (void)state;
  for (uint32_t bits = 65; bits <= 320; bits += 3) {
    const supply s = {.bits = bits, .words = (bits + 63) / 64};
    const tl_table shape = {.base.spec.key_words = s.words};
    tl_mem mem = TL_MEM (0, "states");
    mem.limit = 1 << 26;
    tl_store *store = open_store (&tl_store_table, &mem, &s, 0);
    uint64_t key[MOST_WORDS] = {0};
    for (uint32_t bit = 64; bit < bits; bit++) {
      uint8_t isnew;
      tl_batch batch = {.count = 1, .keys = key, .isnew = &isnew};
      key[bit / 64] ^= (uint64_t)1 << bit % 64;
      key[0] = bit / 8 ^ tl_tail_hash (&shape, key + 1);
      assert_int_equal (store->kind->put (store, &batch), TL_OK);
      assert_int_equal (isnew, 1);
      assert_int_equal (store->kind->put (store, &batch), TL_OK);
      assert_int_equal (isnew, 0);
    }
    store->kind->close (store);
    assert_int_equal (mem.used, 0);
  }
}

// A store that takes the keys of another, in the order in which that tells
// them, is no larger in the end; nor is it early on, as there may be no room
// for both.  Filled from one end it would be: the first blocks are full then.
static void move_over (const tl_store_kind *kind, supply s) {
  enum { MANY = 40000 };
  uint64_t keys[BATCH * MOST_WORDS];
  uint8_t isnew[BATCH];
  tl_mem from_mem = TL_MEM (0, "from"), to_mem = TL_MEM (0, "to");
  tl_store *from = open_store (kind, &from_mem, &s, 0),
           *to = open_store (kind, &to_mem, &s, 1);
  for (uint64_t n = 0; n < MANY; n += BATCH) {
    for (size_t i = 0; i < BATCH; i++)
      make_key (&s, n + i, keys + i * s.words);
    assert_int_equal (
        from->kind->put (
            from, &(tl_batch){.count = BATCH, .keys = keys, .isnew = isnew}),
        TL_OK);
  }
  uint64_t cursor = 0;
  for (size_t n; (n = from->kind->each (from, &cursor, BATCH, keys, true));) {
    assert_int_equal (
        to->kind->put (to,
                       &(tl_batch){.count = n, .keys = keys, .isnew = isnew}),
        TL_OK);
    if (to->count <= MANY / 8)
      assert_true (to_mem.used < from_mem.peak / 5 * 2);
  }
  assert_int_equal (from->count, to->count);
  assert_true (to_mem.peak < from_mem.peak + from_mem.peak / 3);
  from->kind->close (from);
  to->kind->close (to);
}

static void test_moved (void **state) {
  (void)state;
  const tl_store_kind *kind[MOST_KINDS];
  const size_t kinds = all_kinds (kind);
  for (size_t k = 0; k < kinds; k++)
    for (uint32_t bits = 30; bits <= 100; bits += 34)
      move_over (kind[k], (supply){.bits = bits, .words = (bits + 63) / 64});
}

// Memory is short again and again, for a while each time.  A store that has
// lost keys says so for ever; any other goes on as if nothing had been.
static void starve (const tl_store_kind *kind, supply s) {
  tl_mem mem = TL_MEM (0, "states");
  tl_store *store = open_store (kind, &mem, &s, 0);
  list there = open_list (s.words, s.distinct);
  bool ok = true;
  for (uint64_t round = 0; round < 60 && ok; round++) {
    mem.fail_after = (long)(round % 5);
    for (int i = 0; i < 3; i++)
      put_batch (store, &s, &there);
    mem.fail_after = -1;
    ok = put_batch (store, &s, &there);
  }
  if (ok)
    tells_all (store, &there, true);
  store->kind->close (store);
  assert_int_equal (mem.used, 0);
  close_list (&there);
}

static void test_starved (void **state) {
  (void)state;
  each_kind (starve, 20000);
}

// Every key of few bits is put once and told once, and at every size on the
// way a store says what it has, also where it is only asked to look.
static void put_every (const tl_store_kind *kind, uint32_t bits,
                       uint32_t salt) {
  tl_mem mem = TL_MEM (0, "states");
  const uint64_t all = (uint64_t)1 << bits;
  supply s = {.bits = bits, .words = 1};
  tl_store *store = open_store (kind, &mem, &s, salt);
  uint8_t *seen = calloc (all, 1);
  for (uint64_t i = 0; i < all; i++) {
    const uint64_t key = i * 0x9e3779b1u & (all - 1); // each once
    uint8_t isnew = 0;
    tl_batch batch = {
        .count = 1, .keys = &key, .isnew = &isnew, .look = kind->looks};
    for (int times = 0; times < 3; times++, batch.look = false) {
      assert_int_equal (store->kind->put (store, &batch), TL_OK);
      assert_int_equal (isnew, times == 2 ? 0 : kind->looks || !times);
      if (!kind->looks && times)
        break;
    }
    if (i & (i - 1))
      continue;
    uint64_t cursor = 0, keys[BATCH], told = 0;
    for (size_t n; (n = store->kind->each (store, &cursor, BATCH, keys, false));
         told += n)
      for (size_t k = 0; k < n; k++)
        assert_true (keys[k] < all);
    assert_int_equal (told, i + 1);
  }
  uint64_t cursor = 0, keys[BATCH];
  for (size_t n; (n = store->kind->each (store, &cursor, BATCH, keys, true));)
    for (size_t k = 0; k < n; k++)
      assert_int_equal (seen[keys[k]]++, 0);
  for (uint64_t i = 0; i < all; i++)
    assert_int_equal (seen[i], 1);
  free (seen);
  store->kind->close (store);
  assert_int_equal (mem.used, 0);
}

static void test_every_key (void **state) {
  (void)state;
  const tl_store_kind *kind[MOST_KINDS];
  const size_t kinds = all_kinds (kind);
  for (size_t k = 0; k < kinds; k++)
    for (uint32_t bits = 3; bits <= 13; bits += 2)
      for (uint32_t salt = 0; salt < 2; salt++)
        put_every (kind[k], bits, salt);
}

// Budgets of all sizes: the store fills up what there is and keeps to it.
static void test_budget (void **state) {
  (void)state;
  const tl_store_kind *kind[MOST_KINDS];
  const size_t kinds = all_kinds (kind);
  for (size_t k = 0; k < kinds; k++)
    for (size_t limit = 1 << 20; limit < 3 << 20; limit += 300000) {
      tl_mem mem = TL_MEM (0, "states");
      mem.limit = limit;
      supply s = {.bits = 70, .words = 2, .distinct = 100000, .random = {1}};
      tl_store *store = open_store (kind[k], &mem, &s, 0);
      list there = open_list (s.words, s.distinct);
      while (there.count < 90000 && put_batch (store, &s, &there))
        ;
      assert_true (there.count > limit / 128);
      assert_true (mem.peak <= limit);
      store->kind->close (store);
      close_list (&there);
    }
}

static void lengthen (const void *words, const uint64_t *old, uint64_t *key) {
  memcpy (key, old, *(const uint32_t *)words * sizeof *key);
}

// Keys of many lengths, the longest of which get longer while they are put.
static void test_lengths (void **state) {
  (void)state;
  const tl_store_kind *kind[MOST_KINDS];
  const size_t kinds = all_kinds (kind);
  for (size_t k = 0; k < kinds; k++) {
    if (!kind[k]->unit)
      continue;
    tl_mem mem = TL_MEM (0, "states");
    supply s = {.bits = 64, .words = 1, .ragged = true, .distinct = 30000};
    tl_store *store = open_store (kind[k], &mem, &s, 0);
    list there = open_list (MOST_WORDS, 4 * s.distinct);
    for (uint32_t words = 1; words <= MOST_WORDS; words++) {
      // The same keys again, with more room behind them, and some new ones.
      for (uint64_t n = 0; n < 2 * BATCH; n++) {
        uint64_t key[MOST_WORDS] = {0};
        uint8_t isnew;
        supply drawn = s;
        drawn.words = 1 + (uint32_t)(n % words);
        drawn.bits = 64 * drawn.words;
        make_key (&drawn, n + 1000 * words * (n % 2), key);
        tl_batch batch = {.count = 1, .keys = key, .isnew = &isnew};
        assert_int_equal (store->kind->put (store, &batch), TL_OK);
        assert_int_equal (isnew, add_to_list (&there, key));
      }
      assert_int_equal (store->count, there.count);
      tl_store_spec longer = store->spec;
      longer.key_words = words < MOST_WORDS ? words + 1 : words;
      longer.key_bits = 64 * longer.key_words;
      assert_int_equal (
          store->reshape (store, &longer, &(tl_conversion){&words, lengthen}),
          TL_OK);
    }
    tells_all (store, &there, true);
    store->kind->close (store);
    assert_int_equal (mem.used, 0);
    close_list (&there);
  }
}

// A short key costs what a short key costs, though some are long.
static void test_short_among_long (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "states");
  const supply s = {.bits = 64 * MOST_WORDS,
                    .words = MOST_WORDS,
                    .ragged = true},
               word = {.bits = 40, .words = 1};
  tl_store *store = open_store (&tl_store_table, &mem, &s, 0);
  enum { MANY = 100000 };
  for (uint64_t n = 0; n < MANY; n++) {
    uint64_t key[MOST_WORDS] = {0};
    uint8_t isnew;
    make_key (n % 100 ? &word : &s, n, key);
    assert_int_equal (
        store->kind->put (
            store, &(tl_batch){.count = 1, .keys = key, .isnew = &isnew}),
        TL_OK);
  }
  // 5 bytes each, 120 on an average for one in a hundred, and room for some
  // more of these in every class.
  assert_true (mem.peak < MANY * 9);
  store->kind->close (store);
  assert_int_equal (mem.used, 0);
}

// Every shard has about its part of the keys, whatever bits of them differ, all
// of them take hardly more memory than one store, and tell the same keys.
static void deal_out (const tl_store_kind *kind, uint32_t bits,
                      unsigned shift) {
  enum { SHARDS = 16, KEYS = SHARDS * 4000, WORDS = 3 };
  const tl_store_spec spec = {
      .key_words = (bits + 63) / 64, .key_bits = bits, .owner_bits = 4};
  tl_mem mem = TL_MEM (0, "store");
  tl_store *store;
  assert_int_equal (tl_store_open (&store, kind, &mem, &spec), TL_OK);
  const tl_shards *shards = (const tl_shards *)store;
  uint64_t count[SHARDS] = {0}, part[WORDS];
  assert_int_equal (tl_shards_count (shards), SHARDS);
  for (int round = 0; round < 2; round++)
    for (uint64_t n = 0; n < KEYS; n++) {
      uint64_t key[WORDS + 1] = {0};
      uint8_t isnew;
      uint16_t shard;
      key[shift / 64] = n << shift % 64;
      key[shift / 64 + 1] = shift % 64 ? n >> (64 - shift % 64) : 0;
      tl_batch batch = {.count = 1, .keys = key, .isnew = &isnew};
      assert_int_equal (store->kind->put (store, &batch), TL_OK);
      assert_int_equal (isnew, !round);
      tl_shards_split (shards, key, 1, &shard, part);
      count[shard] += !round;
    }
  assert_int_equal (store->count, KEYS);
  for (unsigned i = 0; i < SHARDS; i++)
    assert_in_range (count[i], KEYS / SHARDS * 9 / 10, KEYS / SHARDS * 11 / 10);
  // The bits that say which shard are not kept.  A table of so few keys may be
  // half empty, and each shard has some pages.
  if (kind == &tl_store_table && bits > 20)
    assert_true (mem.used < KEYS * (bits - 11) / 8 * 2 + SHARDS * 24000);
  uint8_t *told = test_calloc (KEYS, 1);
  uint64_t keys[100 * WORDS], cursor = 0;
  for (size_t n; (n = store->kind->each (store, &cursor, 100, keys, false));)
    for (size_t i = 0; i < n; i++) {
      const uint64_t *key = keys + i * spec.key_words;
      uint64_t number = key[shift / 64] >> shift % 64;
      if (shift % 64 && shift / 64 + 1 < spec.key_words)
        number |= key[shift / 64 + 1] << (64 - shift % 64);
      assert_true (number < KEYS);
      assert_int_equal (told[number]++, 0);
    }
  assert_null (memchr (told, 0, KEYS));
  test_free (told);
  store->kind->close (store);
  assert_int_equal (mem.used, 0);
}

static void test_shards (void **state) {
  (void)state;
  static const char *const name[] = {"table", "plain", "tree"};
  for (size_t k = 0; k < 3; k++) {
    const tl_store_kind *kind = tl_store_find (name[k]);
    deal_out (kind, 20, 0);
    deal_out (kind, 47, 31);
    deal_out (kind, 64, 48);
    deal_out (kind, 66, 50);
    deal_out (kind, 130, 3);
    deal_out (kind, 130, 114);
  }
}

// Words of a block of the table of a shard, for keys of so many bits in all.
static uint32_t block_words (uint32_t bits, unsigned owner_bits) {
  tl_mem mem = TL_MEM (0, "store");
  tl_store *store;
  assert_int_equal (
      tl_store_table.open (&store, &mem,
                           &(tl_store_spec){.key_words = 1,
                                            .key_bits = bits - owner_bits,
                                            .owner_bits = owner_bits}),
      TL_OK);
  const uint32_t words = ((const tl_table *)store)->shape.words;
  store->kind->close (store);
  return words;
}

// A shard never looks at two lines where one table would look at one, and its
// entries are as long as those of that table.
static void test_lines (void **state) {
  (void)state;
  assert_int_equal (block_words (42, 0), 8);
  assert_int_equal (block_words (38, 0), 16);
  for (unsigned owner_bits = 1; owner_bits <= 11; owner_bits++)
    for (uint32_t bits = 24; bits <= 60; bits++)
      assert_int_equal (block_words (bits, owner_bits),
                        bits <= 48 ? 8 : block_words (bits, 0));
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_lines),
      cmocka_unit_test (test_shards),
      cmocka_unit_test (test_sets),
      cmocka_unit_test (test_large),
      cmocka_unit_test (test_equal_heads),
      cmocka_unit_test (test_starved),
      cmocka_unit_test (test_every_key),
      cmocka_unit_test (test_budget),
      cmocka_unit_test (test_moved),
      cmocka_unit_test (test_lengths),
      cmocka_unit_test (test_short_among_long),
  };
  return cmocka_run_group_tests_name ("store", tests, 0, 0);
}
