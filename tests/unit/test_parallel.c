// Searches with several threads: where memory fails, where fields are too
// small, and what they are made of.

#include "../failing.h"
#include "../random_net.h"

#include "base/bits.h"
#include "base/random.h"
#include "base/threads.h"
#include "explore/explore.h"
#include "explore/deal.h"
#include "explore/growing.h"
#include "explore/lane.h"
#include "explore/least.h"
#include "explore/search.h"
#include "store/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static tl_options in_parallel (const char *store) {
  tl_options options = tl_options_default ();
  options.store = store;
  options.threads = 2;
  options.parallel_from = 1;
  return options;
}

static tl_net *example (const char *family, uint64_t size) {
  tl_net *net;
  assert_int_equal (tl_net_example (&net, family, 1, &size, 0), TL_OK);
  return net;
}

// ---- What waits
// --------------------------------------------------------------

typedef struct look {
  uint64_t expanded, looks;
  bool fewer;
} look;

static bool skips (void *context, const tl_visit *v, uint64_t *room) {
  (void)context, (void)v, (void)room;
  return true;
}

static tl_visit_verdict visit (void *context, const tl_visit *v) {
  (void)context, (void)v;
  return TL_VISIT_CONTINUE;
}

static bool look_up (void *context, const tl_search *s) {
  look *l = context;
  const uint64_t expanded = tl_search_seen (s) - s->queued;
  l->fewer |= expanded < l->expanded;
  l->expanded = expanded;
  l->looks++;
  return false;
}

// In the middle of a level, too: others find new states meanwhile.
static void test_waiting (void **state) {
  (void)state;
  tl_net *net = example ("kanban", 4);
  tl_options how = tl_options_whole ();
  tl_exploration x;
  look l = {0};
  const tl_visitor visitor = {
      .context = &l, .visit = visit, .skips = skips, .is_due = look_up};
  tl_mem account = {.name = "test", .fail_after = -1};
  how.threads = 2;
  how.parallel_from = 1;
  how.order = "bfs";
  how.store = "table";
  how.stubborn = "none";
  how.monotone = how.exact_count = how.trim = false;
  assert_int_equal (tl_explore_on (&account, net, &how, &visitor, &x, 0),
                    TL_OK);
  assert_int_equal (x.states, 454475);
  assert_int_equal (x.threads, 2);
  assert_true (l.looks > 100);
  assert_false (l.fewer);
  assert_in_range (l.expanded, 400000, 454475);
  tl_exploration_close (&x);
  tl_net_close (net);
  assert_int_equal (account.used, 0);
}

// ---- Trying the tree -------------------------------------------------------

// Walkers along a wall of bricks, of which each has three sides: long keys that
// have much in common.
static tl_net *walkers (unsigned count, unsigned bricks) {
  char *text = 0;
  size_t length = 0;
  FILE *f = open_memstream (&text, &length);
  fprintf (f, "net walkers\n");
  for (unsigned w = 0; w < count; w++)
    for (unsigned i = 0; i < bricks; i++) {
      fprintf (f, "pl open%u_%u (3)\ntr step%u_%u open%u_%u", w, i, w, i, w, i);
      if (i)
        fprintf (f, " done%u_%u?3", w, i - 1);
      fprintf (f, " -> done%u_%u\n", w, i);
    }
  fclose (f);
  tl_net *net;
  assert_int_equal (tl_net_read (&net, text, length, "walkers.net", 0, 0),
                    TL_OK);
  free (text);
  return net;
}

// By several threads, on a few of the shards, before the first time one would.
static void test_trial (void **state) {
  (void)state;
  tl_net *net = walkers (2, 120);
  for (uint32_t threads = 1; threads < 3; threads++) {
    tl_options options = in_parallel (0);
    tl_exploration x;
    options.threads = threads;
    assert_int_equal (tl_explore (net, &options, &x, 0), TL_OK);
    assert_int_equal (x.states, 361 * 361);
    assert_int_equal (x.threads, threads);
    assert_string_equal (x.store, "tree");
    tl_exploration_close (&x);
  }
  tl_net_close (net);
}

// ---- Memory that fails -----------------------------------------------------

// In steps that are small where something new is being made.
static void fails_everywhere (const tl_net *net, const char *store) {
  const tl_options options = in_parallel (store);
  brute b = brute_explore (net, 5000);
  long n = 0;
  while (!survives (net, &options, &b, n))
    n += 1 + n / 50;
  assert_true (n > 50);
  brute_close (&b);
}

// A place that grows beyond any first guess of its bound, until an inhibitor
// arc ends it: states are laid out anew.
static tl_net *growing (tl_mem *mem) {
  const random_net sketch = {.places = 2,
                             .transitions = 2,
                             .arcs = 5,
                             .initial = {1},
                             .arc = {{TL_ARC_PRE, 1, 0, 1000},
                                     {TL_ARC_PRE, 0, 1, 1},
                                     {TL_ARC_POST, 0, 1, 1},
                                     {TL_ARC_POST, 1, 1, 1},
                                     {TL_ARC_INHIBITOR, 1, 1, 700}}};
  tl_net *net = random_net_build (&sketch, mem);
  assert_non_null (net);
  return net;
}

static void test_failing (void **state) {
  (void)state;
  static const char *const store[] = {"table", "plain", "tree"};
  tl_net *net = example ("philosophers", 4);
  for (size_t i = 0; i < 3; i++)
    fails_everywhere (net, store[i]);
  tl_net_close (net);
}

static void test_growing (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = growing (&mem);
  tl_options options = in_parallel ("auto");
  tl_exploration run = {0};
  assert_int_equal (tl_explore (net, &options, &run, 0), TL_OK);
  assert_true (run.complete);
  assert_int_equal (run.states, 701);
  assert_int_equal (run.max_tokens_in_place, 700);
  assert_int_equal (run.deadlock.length, 700);
  assert_true (run.widened);
  assert_int_equal (run.threads, 2);
  tl_exploration_close (&run);
  fails_everywhere (net, "table");
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- Narrow levels ---------------------------------------------------------

// Some counters, each with its own number of steps.
static tl_net *counters (tl_mem *mem, uint32_t count, const uint32_t *steps) {
  random_net sketch = {
      .places = 2 * count, .transitions = count, .arcs = 2 * count};
  for (uint32_t i = 0; i < count; i++) {
    sketch.initial[2 * i] = steps[i];
    sketch.arc[2 * i] = (random_arc){TL_ARC_PRE, 2 * i, i, 1};
    sketch.arc[2 * i + 1] = (random_arc){TL_ARC_POST, 2 * i + 1, i, 1};
  }
  tl_net *net = random_net_build (&sketch, mem);
  assert_non_null (net);
  return net;
}

static tl_exploration count (const tl_net *net, uint32_t threads,
                             uint64_t from) {
  tl_options options = in_parallel ("table");
  options.threads = threads;
  options.parallel_from = from;
  tl_exploration run = {0};
  assert_int_equal (tl_explore (net, &options, &run, 0), TL_OK);
  assert_true (run.complete);
  return run;
}

// There are many states, but one thread finds them sooner.
static void test_narrow (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = counters (&mem, 2, (const uint32_t[]){99, 1999});
  tl_exploration run = count (net, 2, 0);
  assert_int_equal (run.states, 100 * 2000);
  assert_int_equal (run.threads, 1);
  assert_string_equal (run.threads_why,
                       "so few states at a time are found sooner by one");
  tl_exploration_close (&run);
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// Levels get wide, and narrow again: several threads begin, then one goes on
// with what all of them have found.
static void test_wide_and_narrow (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net = counters (&mem, 3, (const uint32_t[]){20, 20, 60});
  for (uint64_t from = 1; from < 300; from += from / 3 + 1) {
    tl_exploration run = count (net, 4, from);
    assert_int_equal (run.states, 21 * 21 * 61);
    assert_int_equal (run.deadlocks, 1);
    assert_int_equal (run.deadlock.length, 100);
    assert_int_equal (run.threads, 4);
    tl_exploration_close (&run);
  }
  tl_net_close (net);
  assert_int_equal (mem.used, 0);
}

// ---- Accounts --------------------------------------------------------------

enum { THREADS = 4, TURNS = 20000, LIMIT = 1000 };

static void draw (void *account, unsigned who) {
  tl_mem *mem = account;
  for (size_t i = 0; i < TURNS; i++) {
    const size_t bytes = 1 + (i + who) % 400;
    if (!tl_mem_charge (mem, bytes))
      continue;
    if (tl_mem_used (mem->parent) > LIMIT)
      abort ();
    tl_mem_discharge (mem, bytes);
  }
}

static void test_accounts (void **state) {
  (void)state;
  tl_mem root = TL_MEM (0, "root"), mem = TL_MEM (&root, "mem");
  tl_threads *threads;
  root.limit = LIMIT;
  tl_mem_share (&mem, true);
  assert_int_equal (tl_threads_open (&threads, &mem, THREADS), TL_OK);
  assert_int_equal (tl_threads_size (threads), THREADS);
  tl_threads_run (threads, draw, &mem);
  tl_threads_run (threads, draw, &mem);
  tl_threads_close (threads);
  tl_mem_share (&mem, false);
  assert_int_equal (root.used, 0);
  assert_int_equal (mem.used, 0);
  assert_true (root.peak <= LIMIT);
}

// ---- Lanes -----------------------------------------------------------------

static void write_and_read (uint32_t words, uint32_t bits, uint32_t events,
                            size_t limit) {
  enum { KEYS = 30000 };
  tl_mem mem = TL_MEM (0, "lane");
  tl_packer packer = TL_PACKER (&mem);
  tl_lane lane;
  tl_lane_reader reader = TL_LANE_READER (&mem);
  tl_lane_open (&lane, &mem, &packer, words, bits, events, 16);
  for (unsigned turn = 1; turn <= 2; turn++) {
    tl_lane_begin (&lane, 1000 * turn, limit);
    for (uint64_t i = 0; i < KEYS; i++) {
      const uint64_t key[3] = {i * 0x9e3779b97f4a7c15 & tl_low_bits (bits),
                               words == 2 ? i & tl_low_bits (bits - 64) : i, i};
      assert_int_equal (tl_lane_push (&lane, key, (uint32_t)(i % events)),
                        TL_OK);
    }
    if (turn == 2)
      tl_lane_flush (&lane);
    uint64_t n = 0, blocks = tl_lane_blocks (&lane);
    assert_true (blocks >= KEYS / limit);
    for (uint64_t b = 0; b < blocks; b++) {
      uint64_t key[3] = {0};
      assert_int_equal (tl_lane_read (&reader, &lane, b), TL_OK);
      for (; reader.number < reader.end; n++) {
        assert_int_equal (reader.number, 1000 * turn + n);
        assert_int_equal (tl_lane_next (&reader, key), n % events);
        assert_int_equal (key[0], n * 0x9e3779b97f4a7c15 & tl_low_bits (bits));
        assert_int_equal (key[1], words == 1   ? 0
                                  : words == 2 ? n & tl_low_bits (bits - 64)
                                               : n);
        assert_int_equal (key[2], words == 3 ? n : 0);
      }
    }
    assert_int_equal (n, KEYS);
  }
  tl_lane_close (&lane);
  tl_lane_reader_close (&reader);
  tl_packer_close (&packer);
  assert_int_equal (mem.used, 0);
}

static void test_lanes (void **state) {
  (void)state;
  write_and_read (1, 1, 3, 64);
  write_and_read (1, 47, 256, 1000);
  write_and_read (1, 64, 255, 100000);
  write_and_read (2, 70, 70000, 500);
  write_and_read (3, 190, 2, 500);
}

// ---- Shards that grow ------------------------------------------------------

enum { SHARDS = 8, KEY_BITS = 30 };

// Puts keys from `from` to `to` as threads do, and says how many; returns how
// many were new.
static uint64_t put_keys (tl_shards *shards, uint64_t from, uint64_t to) {
  uint64_t added = 0;
  for (uint64_t key = from; key < to; key++) {
    uint16_t number;
    uint64_t part;
    uint8_t isnew;
    tl_shards_split (shards, &key, 1, &number, &part);
    tl_shards_claim (shards, number);
    tl_shards_call (shards, number, &part, 1);
    assert_int_equal (
        tl_shards_put (shards, number,
                       &(tl_batch){.count = 1, .keys = &part, .isnew = &isnew}),
        TL_OK);
    tl_shards_release (shards, number);
    added += isnew;
  }
  tl_shards_add (shards, added);
  return added;
}

static uint32_t count_full (const tl_shards *shards, uint64_t more) {
  uint32_t full = 0;
  for (uint32_t i = 0; i < SHARDS; i++)
    full += tl_shards_fill (shards, i, more) >= 1;
  return full;
}

// New keys after which one shard, the fullest, has to grow, and not all have.
static uint64_t find_width (const tl_shards *shards) {
  uint64_t width = 1;
  while (!count_full (shards, width + width / 8))
    width++;
  return width;
}

static void test_shards (void **state) {
  (void)state;
  enum { KEYS = 50000, TEAM = 3 };
  tl_mem mem = TL_MEM (0, "states");
  const tl_store_spec spec = {
      .key_words = 1, .key_bits = KEY_BITS, .owner_bits = 3};
  tl_store *store;
  tl_growing growing;
  assert_int_equal (tl_store_open (&store, &tl_store_table, &mem, &spec),
                    TL_OK);
  tl_shards *shards = (tl_shards *)store;
  assert_int_equal (put_keys (shards, 0, KEYS), KEYS);
  assert_int_equal (store->count, KEYS);
  assert_int_equal (tl_growing_open (&growing, &mem, shards), TL_OK);
  // None has to grow for few keys; all of them for many.
  tl_growing_choose (&growing, shards, 0, UINT64_MAX, TEAM);
  assert_int_equal (growing.count, 0);
  tl_growing_choose (&growing, shards, (uint64_t)KEYS * 100, UINT64_MAX, TEAM);
  assert_int_equal (growing.count, SHARDS);
  // Nor where few are to come after all.
  tl_growing_choose (&growing, shards, (uint64_t)KEYS * 100, 0, TEAM);
  assert_int_equal (growing.count, 0);
  // Where few have to, others that are nearly as full do so with them.
  const uint64_t width = find_width (shards);
  const uint32_t full = count_full (shards, width + width / 8);
  tl_growing_choose (&growing, shards, width, UINT64_MAX, TEAM);
  assert_int_equal (growing.count, (full + TEAM - 1) / TEAM * TEAM);
  const uint32_t chosen = growing.full[growing.count - 1];
  const double before = tl_shards_fill (shards, chosen, 0);
  tl_growing_help (&growing, shards);
  assert_int_equal (count_full (shards, width + width / 8), 0);
  assert_true (tl_shards_fill (shards, chosen, 0) < before);
  // What was there still is.
  assert_int_equal (put_keys (shards, 0, KEYS), 0);
  assert_int_equal (put_keys (shards, KEYS, KEYS + 10), 10);
  assert_int_equal (store->count, KEYS + 10);
  tl_growing_close (&growing);
  store->kind->close (store);
  assert_int_equal (mem.used, 0);
}

// Bytes that shards of so many keys take after all have grown, where so many
// are foreseen.  If these are few there is room for all of them.
static size_t grow_foreseen (uint64_t keys, uint64_t foreseen) {
  tl_mem mem = TL_MEM (0, "states");
  const tl_store_spec spec = {
      .key_words = 1, .key_bits = KEY_BITS, .owner_bits = 3};
  tl_store *store;
  assert_int_equal (tl_store_open (&store, &tl_store_table, &mem, &spec),
                    TL_OK);
  tl_shards *shards = (tl_shards *)store;
  put_keys (shards, 0, keys);
  tl_shards_foresee (shards, foreseen);
  for (uint32_t i = 0; i < SHARDS; i++)
    tl_shards_grow (shards, i);
  const size_t used = mem.used;
  if (foreseen < keys + keys / 8) {
    put_keys (shards, keys, foreseen);
    assert_int_equal (count_full (shards, 0), 0);
    assert_true (mem.used < used + used / 32); // only where the last keys go
  }
  assert_int_equal (put_keys (shards, 0, keys), 0);
  // What was wrong again and again is not believed any more.
  size_t before = 0;
  for (int turn = 0; turn < 4; turn++) {
    before = mem.used;
    for (uint32_t i = 0; i < SHARDS; i++)
      tl_shards_grow (shards, i);
  }
  assert_true (mem.used > before + before / 5);
  store->kind->close (store);
  assert_int_equal (mem.used, 0);
  return used;
}

// The last time a shard grows by what is still to come.
static void test_foreseen (void **state) {
  (void)state;
  enum { KEYS = 500000 };
  const size_t any = grow_foreseen (KEYS, 0),
               few = grow_foreseen (KEYS, KEYS + KEYS / 10),
               fewer = grow_foreseen (KEYS, KEYS / 2),
               many = grow_foreseen (KEYS, (uint64_t)KEYS * 2);
  assert_true (few < any - any / 16);
  assert_true (fewer < few);
  assert_int_equal (many, any);
}

// Of keys that are the same in a round the one of the least event is new, and
// of those before all that was new.
static void test_deal (void **state) {
  (void)state;
  enum { KEYS = 6, EVENTS = 100 };
  tl_mem mem = TL_MEM (0, "states");
  const tl_store_spec spec = {
      .key_words = 1, .key_bits = KEY_BITS, .owner_bits = 3};
  const uint64_t keys[KEYS] = {7, 7, 9, 7, 9, 8};
  const uint32_t events[KEYS] = {EVENTS - 1, 3, 50, 60, 90, 0};
  const uint8_t first[KEYS] = {0, 1, 1, 0, 0, 1};
  tl_store *store;
  tl_deal deal;
  assert_int_equal (tl_store_open (&store, &tl_store_table, &mem, &spec),
                    TL_OK);
  tl_shards *shards = (tl_shards *)store;
  assert_int_equal (tl_deal_open (&deal, &mem, SHARDS, 1, KEYS, 1, EVENTS),
                    TL_OK);
  for (int again = 0; again < 2; again++) {
    tl_deal_begin (&deal, KEYS);
    tl_deal_sort (&deal, &shards, keys, events, KEYS, 5);
    assert_int_equal (tl_deal_put (&deal, false), TL_OK);
    for (size_t i = 0; i < KEYS; i++)
      assert_int_equal (deal.isnew[i], again ? 0 : first[i]);
    assert_int_equal (deal.added, again ? 0 : 3);
  }
  tl_deal_close (&deal);
  store->kind->close (store);
  assert_int_equal (mem.used, 0);
}

// One thread: of the same keys in a batch that of the least event, and of these
// the first, is marked where one was.  Where that gains nothing it rests.
static void choose_least (uint32_t words, uint32_t different, uint32_t events) {
  enum { COUNT = 1500 };
  static tl_least least;
  static uint64_t row[100000];
  tl_sleep sleep = {.transitions = events, .words = 1, .row = row};
  static uint64_t keys[COUNT * 3];
  static uint32_t event[COUNT];
  static uint8_t isnew[COUNT], first[COUNT], best[COUNT];
  tl_random r = {words + different + events};
  size_t where[COUNT]; // of each key: which is the best, plus 1
  assert_true (different <= COUNT);
  memset (where, 0, sizeof where);
  memset (best, 0, sizeof best);
  for (size_t i = 0; i < COUNT; i++) {
    const uint32_t k = (uint32_t)tl_random_below (&r, different);
    for (uint32_t w = 0; w < words; w++)
      keys[i * words + w] = w + 1 == words ? k : 5;
    event[i] = (uint32_t)tl_random_below (&r, events);
    first[i] = !where[k] && k % 3; // the others were there before
    if (!where[k] || event[i] < event[where[k] - 1])
      where[k] = i + 1;
  }
  for (uint32_t k = 0; k < different; k++)
    if (where[k] && k % 3)
      best[where[k] - 1] = 1;
  for (uint32_t e = 0; e < events; e++)
    row[e] = UINT64_MAX << 63 * e / events;
  memset (&least, 0, sizeof least);
  for (int turn = 0; turn < 3; turn++) {
    memcpy (isnew, first, sizeof first);
    tl_least_choose (&least, &sleep, keys, words, event, isnew, COUNT);
    assert_memory_equal (isnew, best, sizeof best);
    assert_int_equal (least.rest, 0);
  }
  // A single one tells nothing, many that are all different do.
  static uint64_t others[COUNT * 3];
  for (size_t i = 0; i < COUNT; i++)
    others[i * words] = i;
  memset (isnew, 1, sizeof isnew);
  tl_least_choose (&least, &sleep, others, words, event, isnew, 1);
  assert_int_equal (least.rest, 0);
  tl_least_choose (&least, &sleep, others, words, event, isnew, COUNT);
  const unsigned rests = least.rest;
  assert_in_range (rests, 1, 100);
  for (unsigned turn = 0; turn <= rests; turn++) {
    memcpy (isnew, first, sizeof first);
    tl_least_choose (&least, &sleep, keys, words, event, isnew, COUNT);
    assert_memory_equal (isnew, turn < rests ? first : best, sizeof best);
  }
  // Nor do moves that put nothing to sleep.
  memset (row, 0, sizeof row);
  memcpy (isnew, first, sizeof first);
  tl_least_choose (&least, &sleep, keys, words, event, isnew, COUNT);
  assert_memory_equal (isnew, best, sizeof best);
  const bool moves = memcmp (first, best, sizeof best);
  assert_int_equal (least.rest, moves ? rests : 0);
}

static void test_least (void **state) {
  (void)state;
  choose_least (1, 500, 40);
  choose_least (1, 1, 3);
  choose_least (1, 1500, 100000);
  choose_least (2, 300, 2);
  choose_least (3, 700, 40);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_failing),  cmocka_unit_test (test_growing),
      cmocka_unit_test (test_narrow),   cmocka_unit_test (test_wide_and_narrow),
      cmocka_unit_test (test_accounts), cmocka_unit_test (test_lanes),
      cmocka_unit_test (test_shards),   cmocka_unit_test (test_foreseen),
      cmocka_unit_test (test_trial),    cmocka_unit_test (test_deal),
      cmocka_unit_test (test_least),    cmocka_unit_test (test_waiting),
  };
  return cmocka_run_group_tests_name ("parallel", tests, 0, 0);
}
