// Packets between two ranks, on a wire as slow as a test says: what was written
// is read, packed or not.

#include "base/clock.h"
#include "base/mem.h"
#include "explore/post.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
  PACKETS = 100,
  SOME = 300,
  WORDS = 2,
  BITS = 100,
  EVENTS = 300,
  THREADS = 3
};

// What rank 0 has sent and rank 1 has not taken.
typedef struct wire {
  bool stuck; // nothing has left
  size_t count, taken, sizes[PACKETS];
  unsigned char *bytes[PACKETS];
} wire;

typedef struct end {
  tl_cluster base;
  wire *wire;
} end;

typedef struct doing {
  bool comes;
  void *bytes;
} doing;

static doing *begin (doing d) {
  doing *it = malloc (sizeof *it);
  assert_non_null (it);
  *it = d;
  return it;
}

static void *send_packet (tl_cluster *c, unsigned to, const void *bytes,
                          size_t size) {
  wire *w = ((end *)c)->wire;
  assert_int_equal (to, 1);
  assert_true (w->count < PACKETS);
  w->bytes[w->count] = malloc (size);
  assert_non_null (w->bytes[w->count]);
  memcpy (w->bytes[w->count], bytes, size);
  w->sizes[w->count++] = size;
  return begin ((doing){0});
}

static void *expect (tl_cluster *c, void *bytes, size_t most) {
  (void)c, (void)most;
  return begin ((doing){.comes = true, .bytes = bytes});
}

static bool is_done (tl_cluster *c, void *it, size_t *size) {
  wire *w = ((end *)c)->wire;
  const doing *d = it;
  if (d->comes ? !c->rank || w->taken == w->count : w->stuck)
    return false;
  if (d->comes) {
    *size = w->sizes[w->taken];
    memcpy (d->bytes, w->bytes[w->taken], *size);
    free (w->bytes[w->taken++]);
  }
  free (it);
  return true;
}

static void call_off (tl_cluster *c, void *it) {
  (void)c;
  free (it);
}

typedef struct ends {
  wire wire;
  end end[2];
  tl_mem mem[2];
  tl_post post[2];
  tl_outbox outbox[2];
} ends;

static ends *open_ends (void) {
  ends *e = calloc (1, sizeof *e);
  assert_non_null (e);
  for (unsigned i = 0; i < 2; i++) {
    e->end[i] = (end){.base = {.rank = i,
                               .ranks = 2,
                               .send = send_packet,
                               .expect = expect,
                               .is_done = is_done,
                               .call_off = call_off},
                      .wire = &e->wire};
    e->mem[i] = TL_MEM (0, "rank");
    assert_int_equal (
        tl_post_open (&e->post[i], &e->mem[i], &e->end[i].base, THREADS),
        TL_OK);
    assert_true (tl_post_shape (&e->post[i], WORDS, BITS, EVENTS));
    assert_int_equal (tl_outbox_open (&e->outbox[i], &e->post[i]), TL_OK);
  }
  assert_null (tl_post_take (&e->post[1])); // from now on it awaits some
  return e;
}

static void close_ends (ends *e) {
  assert_null (tl_post_take (&e->post[0])); // all leave
  for (unsigned i = 0; i < 2; i++) {
    tl_outbox_close (&e->outbox[i]);
    tl_post_close (&e->post[i]);
    assert_int_equal (e->mem[i].used, 0);
  }
  free (e);
}

// The i-th successor; those of a packet resemble each other.
static void make (uint64_t i, uint64_t *key, uint32_t *event,
                  uint64_t *parent) {
  key[0] = i * 0x100000001u;
  key[1] = i >> 3;
  *event = (uint32_t)(i % EVENTS);
  *parent = i / 5;
}

// Sends so many from `first` on, and what is left of a packet then.
static uint64_t send_some (ends *e, uint64_t first, uint64_t count) {
  const uint32_t only = 0;
  const uint16_t to = 1;
  for (uint64_t i = first; i < first + count; i++) {
    uint64_t key[WORDS], parent;
    uint32_t event;
    make (i, key, &event, &parent);
    const tl_sendings all = {key, &parent, &event, &to};
    assert_int_equal (
        tl_outbox_add (&e->outbox[0], &all, &only, 1, &(size_t){0}), TL_OK);
  }
  tl_outbox_send (&e->outbox[0]);
  return first + count;
}

// Takes what has come, from the i-th on; returns how many there were.
static uint64_t take_all (ends *e, uint64_t i) {
  static uint64_t keys[TL_PACKET_RECORDS * WORDS], parents[TL_PACKET_RECORDS];
  static uint32_t events[TL_PACKET_RECORDS];
  const uint64_t first = i;
  for (tl_packet *packet; (packet = tl_post_take (&e->post[1]));) {
    assert_int_equal (tl_packet_unpack (&e->outbox[1], packet), TL_OK);
    assert_int_equal (packet->what, TL_POST_KEYS);
    assert_int_equal (packet->from, 0);
    const size_t count =
        tl_packet_read (&e->post[1], packet, keys, events, parents);
    tl_post_give_back (&e->post[1], packet);
    for (size_t k = 0; k < count; k++, i++) {
      uint64_t key[WORDS], parent;
      uint32_t event;
      make (i, key, &event, &parent);
      assert_memory_equal (keys + k * WORDS, key, sizeof key);
      assert_int_equal (events[k], event);
      assert_int_equal (parents[k], parent);
    }
  }
  return i - first;
}

// A level of a second, of which threads have waited for a part.
static void wait_for_wire (ends *e, double part) {
  tl_post *p = &e->post[0];
  p->began = tl_clock () - 1;
  p->rested = (uint64_t)(part * 1e9 * THREADS);
  tl_post_begin (p);
}

// Records are packed where the wire is slow, until it is quick again.
static void test_slow_wire (void **state) {
  (void)state;
  static const struct {
    double part;
    bool packed;
  } levels[] = {{0.2, false}, {0.3, true},   {0.2, true},
                {0.1, true},  {0.05, false}, {0.2, false}};
  ends *e = open_ends ();
  uint64_t sent = 0;
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
    wait_for_wire (e, levels[i].part);
    sent = send_some (e, sent, SOME);
    assert_int_equal (e->wire.count, i + 1);
    assert_int_equal (e->wire.sizes[i] < SOME * 8, levels[i].packed);
  }
  e->post[0].began = tl_clock (); // too short to say anything
  e->post[0].rested = 1u << 30;
  tl_post_begin (&e->post[0]);
  assert_false (e->post[0].slow);
  assert_int_equal (e->post[0].records, sent);
  assert_int_equal (take_all (e, 0), sent);
  close_ends (e);
}

// Packets that have not left are not forgotten when others leave behind them.
static void test_stuck_wire (void **state) {
  (void)state;
  ends *e = open_ends ();
  e->wire.stuck = true;
  uint64_t sent = send_some (e, 0, SOME);
  e->post[0].most_underway = 0;
  assert_true (tl_post_is_full (&e->post[0])); // it has looked at all
  sent = send_some (e, sent, SOME);
  assert_int_equal (e->post[0].underway, 2);
  e->wire.stuck = false;
  assert_null (tl_post_take (&e->post[0]));
  assert_int_equal (e->post[0].underway, 0);
  assert_int_equal (take_all (e, 0), sent);
  close_ends (e);
}

// One record would not have fewer bytes.
static void test_one_record (void **state) {
  (void)state;
  ends *e = open_ends ();
  wait_for_wire (e, 1);
  send_some (e, 0, 1);
  tl_packet *packet = tl_post_take (&e->post[1]);
  assert_non_null (packet);
  assert_int_equal (packet->what, TL_POST_KEYS);
  assert_int_equal (packet->records, 1);
  tl_post_give_back (&e->post[1], packet);
  close_ends (e);
}

// A rank without memory for packing sends what it has as it is; one without
// memory for what comes packed says so.
static void test_no_memory_to_pack (void **state) {
  (void)state;
  for (unsigned lacks = 0; lacks < 2; lacks++) {
    ends *e = open_ends ();
    wait_for_wire (e, 1);
    const size_t one = e->post[0].room + sizeof (tl_packet);
    e->mem[lacks].limit = e->mem[lacks].used + one;
    send_some (e, 0, SOME);
    tl_packet *packet = tl_post_take (&e->post[1]);
    assert_non_null (packet);
    assert_int_equal (packet->what, lacks ? TL_POST_PACKED : TL_POST_KEYS);
    assert_int_equal (tl_packet_unpack (&e->outbox[1], packet),
                      lacks ? TL_E_NOMEM : TL_OK);
    tl_post_give_back (&e->post[1], packet);
    close_ends (e);
  }
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_slow_wire),
      cmocka_unit_test (test_stuck_wire),
      cmocka_unit_test (test_one_record),
      cmocka_unit_test (test_no_memory_to_pack),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
