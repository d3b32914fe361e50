// The delta store with keys that are no sums: tokens move between pots, a key
// has the numbers of tokens in disguise, events get numbers when they are met,
// and keys get longer on the way.

#include "base/bits.h"
#include "store/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POTS = 6, TOKENS = 12, STATES = 6188, MOST_WORDS = 4, MOVES = 36 };

// What stands for the net.
typedef struct pots {
  unsigned width;         // bits of a pot in a key
  unsigned before;        // the same, before keys got longer
  unsigned shift;         // of weights: with a large one, few hashes differ
  uint32_t number[MOVES]; // event + 1 of each move, or 0
  uint32_t move[MOVES];   // of each event
  uint32_t events;
} pots;

static uint32_t words_of (unsigned width) {
  return POTS * width / 64 + 1;
}

static unsigned get (unsigned width, const uint64_t *key, unsigned pot) {
  return (unsigned)(tl_get_bits (key, (uint64_t)pot * width, width) ^ 0x55);
}

static void set (unsigned width, uint64_t *key, unsigned pot, unsigned tokens) {
  tl_set_bits (key, (uint64_t)pot * width, width, tokens ^ 0x55);
}

static uint64_t weight (const pots *p, unsigned pot) {
  return tl_mix (pot + 1) << p->shift;
}

static bool shift_token (const pots *p, uint64_t *key, unsigned from,
                         unsigned to) {
  const unsigned tokens = get (p->width, key, from);
  if (!tokens)
    return false;
  set (p->width, key, from, tokens - 1);
  set (p->width, key, to, get (p->width, key, to) + 1);
  return true;
}

static bool undo (const void *context, uint32_t event, uint64_t *key) {
  const pots *p = context;
  return shift_token (p, key, p->move[event] % POTS, p->move[event] / POTS);
}

static void redo (const void *context, uint32_t event, uint64_t *key) {
  const pots *p = context;
  assert_true (
      shift_token (p, key, p->move[event] / POTS, p->move[event] % POTS));
}

static uint64_t hash (const void *context, const uint64_t *key) {
  const pots *p = context;
  uint64_t sum = 0;
  for (unsigned i = 0; i < POTS; i++)
    sum += weight (p, i) * get (p->width, key, i);
  return sum;
}

static uint64_t change (const void *context, uint32_t event) {
  const pots *p = context;
  return weight (p, p->move[event] % POTS) - weight (p, p->move[event] / POTS);
}

static void convert (const void *context, const uint64_t *old, uint64_t *key) {
  const pots *p = context;
  memset (key, 0, words_of (p->width) * sizeof *key);
  for (unsigned i = 0; i < POTS; i++)
    set (p->width, key, i, get (p->before, old, i));
}

static uint32_t event_of (pots *p, uint32_t move) {
  if (!p->number[move]) {
    p->move[p->events] = move;
    p->number[move] = ++p->events;
  }
  return p->number[move] - 1;
}

static tl_store_spec spec_of (const pots *p, uint32_t k) {
  return (tl_store_spec){.key_words = words_of (p->width),
                         .key_bits = POTS * p->width,
                         .delta_k = k,
                         .steps = {.context = p,
                                   .undo = undo,
                                   .hash = hash,
                                   .change = change,
                                   .redo = redo}};
}

// States in the order in which they are found, and how deep they are.
typedef struct search {
  pots pots;
  tl_mem mem;
  tl_store *store;
  uint32_t k;
  uint64_t found[STATES][MOST_WORDS];
  uint32_t depth[STATES];
  size_t count;
} search;

static void lengthen (search *s, unsigned width) {
  pots *p = &s->pots;
  p->before = p->width;
  p->width = width;
  for (size_t i = 0; i < s->count; i++) {
    uint64_t key[MOST_WORDS] = {0};
    convert (p, s->found[i], key);
    memcpy (s->found[i], key, sizeof key);
  }
  const tl_store_spec spec = spec_of (p, s->k);
  assert_int_equal (
      s->store->reshape (s->store, &spec, &(tl_conversion){p, convert}), TL_OK);
}

// Puts a key; while memory is short, more of it is given.
static bool put (search *s, const uint64_t *key, const uint32_t *event,
                 uint32_t depth) {
  uint8_t isnew;
  tl_batch batch = {.count = 1,
                    .keys = key,
                    .events = event,
                    .depth = depth,
                    .isnew = &isnew};
  while (s->store->kind->put (s->store, &batch)) {
    assert_int_equal (batch.done, 0);
    s->mem.limit += 20000;
  }
  return isnew;
}

static void keep (search *s, const uint64_t *key, uint32_t depth) {
  assert_true (s->count < STATES);
  memcpy (s->found[s->count], key,
          words_of (s->pots.width) * sizeof *s->found[0]);
  s->depth[s->count++] = depth;
}

static void expand (search *s, size_t state) {
  for (uint32_t move = 0; move < MOVES; move++) {
    uint64_t key[MOST_WORDS];
    memcpy (key, s->found[state], sizeof key);
    if (!shift_token (&s->pots, key, move / POTS, move % POTS))
      continue;
    const uint32_t event = event_of (&s->pots, move);
    if (put (s, key, &event, s->depth[state] + 1))
      keep (s, key, s->depth[state] + 1);
  }
}

static int compare_keys (const void *a, const void *b) {
  return memcmp (a, b, sizeof (uint64_t[MOST_WORDS]));
}

// The store tells each state once.
static void compare_all (search *s) {
  static uint64_t told[STATES + 1][MOST_WORDS];
  const uint32_t words = words_of (s->pots.width);
  uint64_t keys[7 * MOST_WORDS], cursor = 0;
  size_t count = 0;
  memset (told, 0, sizeof told);
  for (size_t n; (n = s->store->kind->each (s->store, &cursor, 7, keys, true));)
    for (size_t i = 0; i < n; i++) {
      assert_true (count < STATES);
      memcpy (told[count++], keys + i * words, words * sizeof *keys);
    }
  assert_int_equal (count, s->count);
  qsort (told, count, sizeof *told, compare_keys);
  qsort (s->found, count, sizeof *told, compare_keys);
  assert_memory_equal (told, s->found, count * sizeof *told);
}

static void run (search *s, size_t limit, bool depth_first) {
  s->mem = TL_MEM (0, "states");
  s->pots.width = 7;
  const tl_store_spec spec = spec_of (&s->pots, s->k);
  assert_int_equal (tl_store_delta.open (&s->store, &s->mem, &spec), TL_OK);
  s->mem.limit = limit ? s->mem.used + limit : 0;
  uint64_t first[MOST_WORDS] = {0};
  for (unsigned i = 0; i < POTS; i++)
    set (s->pots.width, first, i, i ? 0 : TOKENS);
  assert_true (put (s, first, 0, 0));
  keep (s, first, 0);
  for (size_t done = 0; done < s->count; done++) {
    // Not breadth-first: some of those found last are expanded first.
    if (depth_first && done + 1 < s->count) {
      const size_t last = s->count - 1;
      uint64_t key[MOST_WORDS];
      memcpy (key, s->found[done], sizeof key);
      memcpy (s->found[done], s->found[last], sizeof key);
      memcpy (s->found[last], key, sizeof key);
      const uint32_t depth = s->depth[done];
      s->depth[done] = s->depth[last];
      s->depth[last] = depth;
    }
    expand (s, done);
    if (done == 40 || done == 1500 || done == 3000) {
      s->mem.limit = 0;
      lengthen (s, s->pots.width + 9);
      s->mem.limit = limit ? s->mem.used + limit : 0;
    }
  }
  assert_int_equal (s->count, STATES);
  assert_int_equal (s->store->count, STATES);
  for (size_t i = 0; i < s->count; i++)
    assert_false (put (s, s->found[i], 0, 0));
  compare_all (s);
  s->store->kind->close (s->store);
  assert_int_equal (s->mem.used, 0);
}

static void try_all (unsigned shift, size_t limit) {
  static search s;
  static const uint32_t ks[] = {1, 2, 5, 20, 255};
  for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
    for (int depth_first = 0; depth_first < 2; depth_first++) {
      memset (&s, 0, sizeof s);
      s.k = ks[i];
      s.pots.shift = shift;
      run (&s, limit, depth_first);
    }
}

static void test_states (void **state) {
  (void)state;
  try_all (0, 0);
}

// Hashes that are alike: many states are twins.
static void test_twins (void **state) {
  (void)state;
  try_all (52, 0);
}

static void test_little_memory (void **state) {
  (void)state;
  try_all (0, 1000);
}

// Lengthening without memory: the store can be closed.
static void test_no_memory (void **state) {
  (void)state;
  pots p = {.width = 7};
  tl_mem mem = TL_MEM (0, "states");
  tl_store *store;
  const tl_store_spec spec = spec_of (&p, 5);
  for (size_t more = 0; more < 40000; more += 2000) {
    mem.limit = 0;
    assert_int_equal (tl_store_delta.open (&store, &mem, &spec), TL_OK);
    mem.limit = mem.used + more;
    pots longer = p;
    longer.before = p.width;
    longer.width = 60;
    const tl_store_spec then = spec_of (&longer, 5);
    store->reshape (store, &then, &(tl_conversion){&longer, convert});
    store->kind->close (store);
    assert_int_equal (mem.used, 0);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_states), cmocka_unit_test (test_twins),
      cmocka_unit_test (test_little_memory), cmocka_unit_test (test_no_memory)};
  return cmocka_run_group_tests (tests, 0, 0);
}
