// The table of runs against a list: what was added is found and nothing else,
// in the order of the heads, through growth, longer heads and lack of memory.

#include "base/random.h"
#include "store/runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS = 4 }; // of the longest payload

typedef struct pair {
  uint64_t head, payload[WORDS];
} pair;

typedef struct trial {
  tl_random random;
  tl_mem mem;
  tl_runs runs;
  pair *pair; // ascending once sorted
  size_t pairs;
} trial;

static int by_head (const void *a, const void *b) {
  return memcmp (a, b, sizeof (pair))
             ? (((const pair *)a)->head < ((const pair *)b)->head ? -1 : 1)
             : 0;
}

static void random_payload (trial *t, uint64_t *payload) {
  memset (payload, 0, WORDS * sizeof *payload);
  for (unsigned left = t->runs.payload_bits, w = 0, n; left; left -= n) {
    n = left < 64 ? left : 64;
    payload[w++] = tl_random_next (&t->random) & tl_low_bits (n);
  }
}

// Heads in heaps here and there, or all over.
static uint64_t random_head (trial *t, bool heaped) {
  uint64_t head = tl_random_next (&t->random);
  if (heaped)
    head = head >> 56 << 56 | (head & 0xfffff) << 30;
  return head >> (64 - t->runs.head_bits);
}

static bool has_head (const trial *t, uint64_t head) {
  tl_spot at;
  return tl_runs_find (&t->runs, head, &at);
}

static void add (trial *t, uint64_t head) {
  pair *p = t->pair + t->pairs++;
  *p = (pair){.head = head};
  random_payload (t, p->payload);
  tl_gap gap;
  assert_int_equal (tl_runs_gap (&t->runs, head, &gap), TL_OK);
  tl_runs_fill (&t->runs, &gap, p->payload);
}

static void compare (trial *t) {
  tl_runs_cursor c = {0};
  qsort (t->pair, t->pairs, sizeof *t->pair, by_head);
  assert_int_equal (t->runs.count, t->pairs);
  for (size_t i = 0; i < t->pairs; i++) {
    const pair *p = t->pair + i;
    pair seen = {0};
    assert_true (tl_runs_next (&t->runs, &c));
    assert_int_equal (tl_runs_head (&t->runs, c.home), p->head);
    assert_true (tl_runs_has (&t->runs, p->head, p->payload));
    tl_spot at;
    assert_true (tl_runs_find (&t->runs, p->head, &at));
    tl_runs_payload (&t->runs, at, seen.payload);
    assert_memory_equal (seen.payload, p->payload, sizeof seen.payload);
    tl_runs_cursor here;
    tl_runs_seek (&t->runs, p->head, &here);
    do
      assert_true (tl_runs_next (&t->runs, &here));
    while (tl_runs_head (&t->runs, here.home) < p->head);
    assert_int_equal (tl_runs_head (&t->runs, here.home), p->head);
    seen = *p;
    if (t->runs.payload_bits) {
      seen.payload[0] ^= 1;
      assert_false (tl_runs_has (&t->runs, p->head, seen.payload));
    }
  }
  assert_false (tl_runs_next (&t->runs, &c));
}

static void lengthen (trial *t, unsigned more) {
  uint64_t *low = calloc (t->pairs * more / 64 + 1, sizeof *low);
  qsort (t->pair, t->pairs, sizeof *t->pair, by_head);
  for (size_t i = 0; i < t->pairs; i++) {
    const uint64_t bits = tl_random_next (&t->random) & tl_low_bits (more);
    tl_set_bits (low, i * more, more, bits);
    t->pair[i].head = t->pair[i].head << more | bits;
  }
  assert_int_equal (tl_runs_grow (&t->runs, more, low), TL_OK);
  free (low);
}

static void one_trial (uint64_t seed, unsigned head_bits, unsigned payload_bits,
                       size_t pairs, bool heaped) {
  trial t = {.random = {seed}, .mem = TL_MEM (0, "runs")};
  t.pair = calloc (pairs, sizeof *t.pair);
  assert_int_equal (tl_runs_open (&t.runs, &t.mem, head_bits, payload_bits),
                    TL_OK);
  size_t next_look = 1;
  while (t.pairs < pairs) {
    const uint64_t head = random_head (&t, heaped);
    if (!has_head (&t, head))
      add (&t, head);
    if (t.pairs >= next_look) {
      compare (&t);
      next_look = 2 * t.pairs;
      if (t.runs.head_bits < 60)
        lengthen (&t, 1 + (unsigned)tl_random_below (&t.random, 4));
    }
  }
  compare (&t);
  tl_runs_close (&t.runs);
  assert_int_equal (t.mem.used, 0);
  free (t.pair);
}

static void heads_of_all_lengths (void **state) {
  (void)state;
  static const struct {
    unsigned head, payload;
    size_t pairs;
  } shape[] = {{7, 0, 60},      {14, 3, 3000},   {20, 9, 30000},
               {33, 17, 30000}, {40, 0, 5000},   {48, 64, 20000},
               {63, 1, 20000},  {64, 107, 9000}, {64, 200, 3000}};
  for (size_t i = 0; i < sizeof shape / sizeof *shape; i++)
    for (uint64_t seed = 0; seed < 4; seed++)
      one_trial (seed + 10 * i, shape[i].head, shape[i].payload, shape[i].pairs,
                 shape[i].head > 50 && seed == 3);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (heads_of_all_lengths)};
  return cmocka_run_group_tests_name ("runs", tests, 0, 0);
}
