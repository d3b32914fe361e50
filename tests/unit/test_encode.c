// Keys and working states: the way from one to the other and back, on nets
// whose states take from one to more than twenty words and whose keys have
// every kind of piece.

#include "../brute.h"
#include "base/random.h"
#include "encode/code.h"
#include "encode/pieces.h"
#include "explore/widths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WALK = 300, MOST_WORDS = 64 };

// What the parts of a net are made of; each becomes another kind of piece.
typedef enum part {
  PART_RING,    // one token in seven places: a digit that is no power of two
  PART_SMALL,   // one token in four places: with the last left out, too
  PART_COUNTER, // up to six tokens in two places: one is told by the other
  PART_LARGE,   // up to 2^20 tokens: a digit that is too large to look up
  PART_SWITCH,  // two places of one token each that nothing relates: bits
  PARTS
} part;

static uint32_t add_place (tl_builder *b, uint32_t tokens) {
  static uint32_t number;
  char id[32];
  uint32_t p;
  snprintf (id, sizeof id, "p%u", number++);
  assert_int_equal (tl_builder_place (b, id, 0, tokens, &p), TL_OK);
  return p;
}

static uint32_t add_transition (tl_builder *b) {
  static uint32_t number;
  char id[32];
  uint32_t t;
  snprintf (id, sizeof id, "t%u", number++);
  assert_int_equal (tl_builder_transition (b, id, 0, &t), TL_OK);
  return t;
}

static void add_step (tl_builder *b, uint32_t from, uint32_t to, uint32_t n) {
  const uint32_t t = add_transition (b);
  assert_int_equal (tl_builder_arc (b, TL_ARC_PRE, from, t, n), TL_OK);
  assert_int_equal (tl_builder_arc (b, TL_ARC_POST, to, t, n), TL_OK);
}

static void add_ring (tl_builder *b, uint32_t length) {
  const uint32_t first = add_place (b, 1);
  uint32_t last = first;
  for (uint32_t i = 1; i < length; i++) {
    const uint32_t next = add_place (b, 0);
    add_step (b, last, next, 1);
    last = next;
  }
  add_step (b, last, first, 1);
}

static void add_counter (tl_builder *b, uint32_t tokens) {
  const uint32_t from = add_place (b, tokens), to = add_place (b, 0);
  add_step (b, from, to, 1);
  add_step (b, from, to, tokens / 2);
  add_step (b, to, from, 1);
}

// Tokens come and go, never two: an inhibitor arc sees to that, which no
// linear function knows of.
static void add_switch (tl_builder *b) {
  const uint32_t p = add_place (b, 0);
  const uint32_t on = add_transition (b), off = add_transition (b);
  assert_int_equal (tl_builder_arc (b, TL_ARC_POST, p, on, 1), TL_OK);
  assert_int_equal (tl_builder_arc (b, TL_ARC_INHIBITOR, p, on, 1), TL_OK);
  assert_int_equal (tl_builder_arc (b, TL_ARC_PRE, p, off, 1), TL_OK);
}

static tl_net *make_net (tl_mem *mem, const uint32_t count[PARTS]) {
  tl_builder *b;
  tl_net *net;
  tl_error err;
  assert_int_equal (tl_builder_open (&b, mem), TL_OK);
  for (uint32_t i = 0; i < count[PART_RING]; i++)
    add_ring (b, 7);
  for (uint32_t i = 0; i < count[PART_SMALL]; i++)
    add_ring (b, 4);
  for (uint32_t i = 0; i < count[PART_COUNTER]; i++)
    add_counter (b, 6);
  for (uint32_t i = 0; i < count[PART_LARGE]; i++)
    add_counter (b, (1 << 20) + 3);
  for (uint32_t i = 0; i < count[PART_SWITCH]; i++)
    add_switch (b);
  add_place (b, 5); // that never changes
  assert_int_equal (tl_builder_finish (b, "parts", "test", &net, &err), TL_OK);
  return net;
}

typedef struct coding {
  tl_mem mem;
  tl_net *net;
  tl_structure *structure;
  uint8_t *width;
  uint64_t *most;
  tl_layout layout;
  tl_code code;
} coding;

typedef enum way { WAY_SHORT, WAY_EACH, WAY_IDENTITY, WAYS } way;

static void open_coding (coding *c, const uint32_t count[PARTS], way how) {
  *c = (coding){.mem = TL_MEM (0, "test")};
  tl_error err;
  tl_digits digits;
  c->net = make_net (&c->mem, count);
  const uint32_t places = c->net->places;
  assert_int_equal (
      tl_structure_open (&c->structure, &c->mem, c->net, 0.5, &err), TL_OK);
  assert_true (TL_NEW (&c->mem, c->width, places) &&
               TL_NEW (&c->mem, c->most, places));
  assert_int_equal (tl_widths_choose (&c->mem, c->structure, c->width, c->most),
                    TL_OK);
  assert_int_equal (tl_layout_open (&c->layout, &c->mem, c->net, c->width, 0),
                    TL_OK);
  if (how == WAY_IDENTITY) {
    assert_int_equal (tl_code_open (&c->code, &c->mem, &c->layout, 0), TL_OK);
    return;
  }
  assert_int_equal (
      how == WAY_EACH
          ? tl_digits_open_each (&digits, &c->mem, &c->layout, c->most)
          : tl_digits_open (&digits, &c->mem, &c->layout, c->structure,
                            c->most),
      TL_OK);
  assert_int_equal (tl_code_open (&c->code, &c->mem, &c->layout, &digits),
                    TL_OK);
  tl_digits_close (&digits);
}

static void close_coding (coding *c) {
  const uint32_t places = c->net->places;
  tl_code_close (&c->code);
  tl_layout_close (&c->layout);
  TL_DEL (&c->mem, c->width, places);
  TL_DEL (&c->mem, c->most, places);
  tl_structure_close (c->structure);
  tl_net_close (c->net);
  assert_int_equal (c->mem.used, 0);
}

// No bit of a key is set above the bits that a store was told of.
static void assert_within (const tl_code *c, const uint64_t *key) {
  for (uint32_t b = c->key_bits; b < 64 * c->key_words; b++)
    assert_false (key[b / 64] >> b % 64 & 1);
}

// The marking, its state and its key tell each other; so do those of a
// successor, whose key is a sum, and of the state before it.
static void check_step (const coding *c, uint64_t *marking, uint32_t t) {
  uint64_t state[MOST_WORDS], back[MOST_WORDS];
  uint64_t key[MOST_WORDS], next[MOST_WORDS], summed[MOST_WORDS];
  const size_t words = c->layout.words, keys = c->code.key_words;
  assert_true (words <= MOST_WORDS && keys <= MOST_WORDS);
  assert_true (tl_layout_pack (&c->layout, marking, state));
  tl_code_key (&c->code, state, key);
  assert_within (&c->code, key);
  tl_code_state (&c->code, key, back);
  assert_memory_equal (state, back, words * sizeof *state);
  for (uint32_t p = 0; p < c->net->places; p++)
    assert_int_equal (tl_layout_tokens (&c->layout, back, p), marking[p]);
  brute_fire (c->net, marking, t);
  assert_true (tl_layout_pack (&c->layout, marking, state));
  tl_code_key (&c->code, state, next);
  tl_code_steps (&c->code, key, &t, 1, summed);
  assert_memory_equal (next, summed, keys * sizeof *next);
  assert_true (tl_code_undo (&c->code, t, summed));
  assert_memory_equal (key, summed, keys * sizeof *key);
}

static void walk (const coding *c, uint64_t seed) {
  const tl_net *net = c->net;
  tl_random rng = {seed};
  uint64_t *marking = malloc (net->places * sizeof *marking);
  uint32_t *list = malloc (net->transitions * sizeof *list);
  brute_initial (net, marking);
  for (unsigned i = 0; i < WALK; i++) {
    uint32_t n = 0;
    for (uint32_t t = 0; t < net->transitions; t++)
      if (brute_enabled (net, marking, t))
        list[n++] = t;
    assert_true (n);
    check_step (c, marking, list[tl_random_below (&rng, n)]);
  }
  free (marking);
  free (list);
}

// What was met: kinds of pieces, and how they are looked up.
typedef struct met {
  bool mixed, field, direct, looked_up, dense, listed, several_mixed;
  uint32_t least_words, most_words, most_key_words;
} met;

static void note (met *m, const coding *c) {
  const tl_code *k = &c->code;
  for (uint32_t i = 0; i < k->pieces; i++) {
    const tl_piece *p = k->piece + i;
    m->mixed |= p->mixed;
    m->field |= !p->mixed;
    m->looked_up |= p->looked_up;
    m->direct |= !p->looked_up;
    m->several_mixed |= p->mixed && !p->first;
    m->dense |= p->looked_up && k->dense;
    m->listed |= p->looked_up && !k->dense;
  }
  if (!m->least_words || c->layout.words < m->least_words)
    m->least_words = c->layout.words;
  if (c->layout.words > m->most_words)
    m->most_words = c->layout.words;
  if (k->key_words > m->most_key_words)
    m->most_key_words = k->key_words;
}

// Every part alone and several together, from few to many.
static void test_round_trip (void **unused) {
  (void)unused;
  met m = {0};
  for (uint32_t mask = 1; mask < 1u << PARTS; mask++)
    for (uint32_t scale = 1; scale <= 64; scale *= mask % 3 ? 4 : 8) {
      uint32_t count[PARTS] = {0};
      for (uint32_t k = 0; k < PARTS; k++)
        count[k] = mask >> k & 1 ? (scale + k) / (k == PART_LARGE ? 2 : 1) : 0;
      if (mask == 1u << PART_LARGE && !count[PART_LARGE])
        continue;
      for (way how = 0; how < WAYS; how++) {
        coding c;
        if (scale > 16 && mask & (mask - 1) && mask % 5)
          continue; // enough of those
        open_coding (&c, count, how);
        if (c.layout.words <= MOST_WORDS) {
          note (&m, &c);
          walk (&c, mask * 1000 + scale);
        }
        close_coding (&c);
      }
    }
  assert_true (m.mixed && m.field && m.direct && m.looked_up);
  assert_true (m.dense && m.listed && m.several_mixed);
  assert_int_equal (m.least_words, 1);
  assert_true (m.most_words >= 20);
  assert_true (m.most_key_words >= 8);
}

// A number too large for its field is refused, not cut.
static void test_too_many (void **unused) {
  (void)unused;
  coding c;
  open_coding (&c, (const uint32_t[PARTS]){[PART_COUNTER] = 1}, WAY_SHORT);
  uint64_t marking[8], state[4];
  brute_initial (c.net, marking);
  assert_true (tl_layout_pack (&c.layout, marking, state));
  marking[1] = tl_low_bits (c.width[1]) + 1;
  assert_false (tl_layout_pack (&c.layout, marking, state));
  close_coding (&c);
}

// Two digits fill a word, and what can only be 0 stands behind them.
static void test_no_bits_left (void **unused) {
  (void)unused;
  tl_mem mem = TL_MEM (0, "test");
  const uint32_t place[] = {0, 1, 2};
  tl_digit digit[] = {{(uint64_t)1 << 32, place, 1},
                      {(uint64_t)1 << 32, place + 1, 1},
                      {1, place + 2, 1}};
  const tl_digits digits = {.digit = digit, .count = 3};
  tl_cut cut;
  assert_int_equal (tl_cut_open (&cut, &mem, &digits, false), TL_OK);
  assert_int_equal (cut.words, 1);
  assert_int_equal (cut.bits, 64);
  for (size_t i = 0; i < cut.pieces; i++)
    assert_true (cut.piece[i].factor);
  tl_cut_close (&cut);
  assert_int_equal (mem.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test (test_round_trip),
                                     cmocka_unit_test (test_too_many),
                                     cmocka_unit_test (test_no_bits_left)};
  return cmocka_run_group_tests (tests, 0, 0);
}
