// Several threads put keys into one store, in rounds, and one thread puts the
// same keys into another: all numbers are the same, whatever was dropped.

#include "base/random.h"
#include "store/joint.h"
#include "store/kinds.h"
#include "store/plain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { LISTS = 12, KEYS = 160, WORDS = 2, THREADS = 3 };

typedef struct trial {
  tl_random random;
  tl_mem mem;
  uint32_t words;
  tl_store *one;
  tl_joint joint;
  tl_joint_list list[LISTS];
  tl_joint_share share[THREADS];
  uint64_t keys[LISTS][KEYS * WORDS], number[LISTS][KEYS];
  uint32_t rank[LISTS][KEYS], which[LISTS][KEYS], repeat[LISTS][KEYS];
  uint64_t key[LISTS][KEYS * WORDS], at[LISTS][KEYS];
  bool isnew[LISTS][KEYS];
  enum { LOOK, SETTLE, NUMBER } step;
  uint32_t given;
} trial;

static void open_trial (trial *t, uint64_t seed, uint32_t words) {
  *t = (trial){.random = {seed}, .words = words, .mem = TL_MEM (0, "stores")};
  const tl_store_spec spec = {
      .key_words = words, .key_bits = 64 * words, .numbered = true};
  assert_int_equal (tl_store_plain.open (&t->one, &t->mem, &spec), TL_OK);
  assert_int_equal (tl_store_plain.open (&t->joint.store, &t->mem, &spec),
                    TL_OK);
  assert_int_equal (tl_threads_open (&t->joint.team, &t->mem, THREADS), TL_OK);
  assert_true (tl_joint_suits (t->joint.store));
  t->joint.list = t->list;
}

static void close_trial (trial *t) {
  t->one->kind->close (t->one);
  t->joint.store->kind->close (t->joint.store);
  tl_threads_close (t->joint.team);
  assert_int_equal (t->mem.used, 0);
}

// Keys of which many are equal, and many were put before.
static void make_lists (trial *t, uint64_t keys) {
  for (uint32_t l = 0; l < LISTS; l++) {
    const size_t count = tl_random_below (&t->random, KEYS + 1);
    for (size_t i = 0; i < count; i++) {
      uint64_t *key = t->keys[l] + i * t->words;
      memset (key, 0, t->words * sizeof *key);
      key[t->words - 1] = tl_random_below (&t->random, keys) * 977;
    }
    t->list[l] = (tl_joint_list){.count = count,
                                 .keys = t->keys[l],
                                 .number = t->number[l],
                                 .repeat = t->repeat[l],
                                 .which = t->which[l],
                                 .key = t->key[l],
                                 .at = t->at[l],
                                 .rank = t->rank[l],
                                 .isnew = t->isnew[l]};
  }
}

static void work (void *context, unsigned who) {
  trial *t = context;
  for (uint32_t l;
       (l = __atomic_fetch_add (&t->given, 1, __ATOMIC_RELAXED)) < LISTS;)
    if (t->step == LOOK)
      tl_joint_look (&t->joint, l, t->share + who);
    else if (t->step == SETTLE)
      tl_joint_settle (&t->joint, l);
    else
      tl_joint_number (&t->joint, l);
}

static void step (trial *t, int what) {
  t->step = what;
  t->given = 0;
  tl_threads_run (t->joint.team, work, t);
}

// Keys that will be dropped come first, and others stand behind them.
static void look_backwards (trial *t) {
  for (uint32_t l = LISTS; l-- > 0;)
    tl_joint_look (&t->joint, l, t->share);
}

// From some key on, or from the first that was not looked for, nothing counts.
static void cut (trial *t, bool anywhere) {
  const uint64_t from = anywhere ? tl_random_below (&t->random, LISTS) : LISTS;
  bool gone = false;
  for (uint32_t l = 0; l < LISTS; l++) {
    tl_joint_list *list = t->list + l;
    const bool here = l == from || list->looked < list->count;
    if (gone)
      list->count = 0;
    else if (here)
      list->count = tl_random_below (&t->random, list->looked + 1);
    gone |= here;
  }
}

// One thread puts what counts, and gets the same numbers.
static void put_alone (trial *t) {
  for (uint32_t l = 0; l < LISTS; l++) {
    uint64_t number[KEYS];
    uint8_t isnew[KEYS];
    const tl_joint_list *list = t->list + l;
    tl_batch batch = {.count = list->count,
                      .keys = list->keys,
                      .isnew = isnew,
                      .numbers = number};
    assert_int_equal (t->one->kind->put (t->one, &batch), TL_OK);
    size_t found = 0, k = 0;
    for (size_t i = 0; i < list->count; i++) {
      const bool is = k < list->candidates && list->which[k] == i;
      assert_int_equal (number[i], list->number[i]);
      assert_int_equal (isnew[i], is && list->isnew[k]);
      found += isnew[i];
      k += is;
    }
    assert_int_equal (found, list->found);
  }
  assert_int_equal (t->one->count, t->joint.store->count);
}

// Every key is there, with its number, and no other.
static void compare (trial *t, uint64_t keys) {
  for (uint64_t k = 0; k < keys; k++) {
    uint64_t key[WORDS] = {0}, a = 0, b = 0, same[WORDS];
    uint8_t new_a, new_b;
    key[t->words - 1] = k * 977;
    tl_batch one = {.count = 1,
                    .keys = key,
                    .look = true,
                    .isnew = &new_a,
                    .numbers = &a},
             other = one;
    other.isnew = &new_b;
    other.numbers = &b;
    t->one->kind->put (t->one, &one);
    t->joint.store->kind->put (t->joint.store, &other);
    assert_int_equal (new_a, new_b);
    if (new_a)
      continue;
    assert_int_equal (a, b);
    t->joint.store->get (t->joint.store, b, same);
    assert_memory_equal (key, same, t->words * sizeof *key);
  }
}

static void put_round (trial *t, bool cuts, uint64_t keys) {
  make_lists (t, keys);
  memset (t->share, 0, sizeof t->share);
  if (cuts && tl_random_below (&t->random, 2))
    look_backwards (t);
  else
    step (t, LOOK);
  cut (t, cuts);
  step (t, SETTLE);
  uint64_t found = 0;
  for (uint32_t l = 0; l < LISTS; l++) {
    t->list[l].first = t->joint.store->count + found;
    found += t->list[l].found;
  }
  assert_int_equal (tl_joint_room (&t->joint, found), TL_OK);
  step (t, NUMBER);
  for (uint32_t l = 0; l < LISTS; l++)
    tl_joint_drop (&t->joint, l);
  tl_joint_end (&t->joint, found, t->share, THREADS);
  put_alone (t);
}

static void test_numbers (void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 12; seed++) {
    trial t;
    open_trial (&t, seed, 1 + seed % WORDS);
    uint64_t keys = 0;
    for (uint32_t round = 0; round < 30; round++) {
      keys += LISTS * KEYS / 8;
      assert_int_equal (tl_joint_begin (&t.joint, LISTS * KEYS), TL_OK);
      put_round (&t, tl_random_below (&t.random, 3) == 0, keys);
      if (round % 5 == 4)
        compare (&t, keys);
    }
    close_trial (&t);
  }
}

// Rounds begin with room for hardly anything: threads stop looking.
static void test_full (void **state) {
  (void)state;
  trial t;
  open_trial (&t, 5, 1);
  const uint64_t keys = 40000;
  uint64_t stopped = 0;
  for (uint32_t round = 0; round < 60; round++) {
    assert_int_equal (tl_joint_begin (&t.joint, 1), TL_OK);
    put_round (&t, false, keys);
    for (uint32_t l = 0; l < LISTS; l++)
      stopped += !t.list[l].count;
    const tl_slots *s = &((const tl_plain *)t.joint.store)->slots;
    assert_true (s->count <= s->homes / 8 * 7); // there is room left
  }
  assert_true (stopped > 0);
  compare (&t, keys);
  close_trial (&t);
}

// Without memory a round does not begin, and the store is as it was.
static void test_no_memory (void **state) {
  (void)state;
  trial t;
  open_trial (&t, 7, 1);
  assert_int_equal (tl_joint_begin (&t.joint, LISTS * KEYS), TL_OK);
  put_round (&t, false, 1000);
  t.mem.limit = t.mem.used;
  assert_int_equal (tl_joint_begin (&t.joint, 1 << 20), TL_E_NOMEM);
  compare (&t, 1000);
  t.mem.limit = 0;
  assert_int_equal (tl_joint_begin (&t.joint, 1 << 12), TL_OK);
  put_round (&t, true, 2000);
  compare (&t, 2000);
  close_trial (&t);
}

// Numbers get as large as what tells candidates apart, maybe in the middle of a
// level: then no round begins.
static void test_large_numbers (void **state) {
  (void)state;
  trial t;
  open_trial (&t, 9, 1);
  assert_int_equal (tl_joint_begin (&t.joint, 1), TL_OK);
  t.joint.store->count = (uint64_t)1 << 33;
  assert_int_equal (tl_joint_begin (&t.joint, 1), TL_E_NOMEM);
  t.joint.store->count = 0;
  close_trial (&t);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_numbers),
      cmocka_unit_test (test_full),
      cmocka_unit_test (test_no_memory),
      cmocka_unit_test (test_large_numbers),
  };
  return cmocka_run_group_tests_name ("joint", tests, 0, 0);
}
