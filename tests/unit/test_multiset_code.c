// The condensed code of multi-sets: decoding gives back what was encoded, also
// with other codes around it.

#include "base/random.h"
#include "colour/condense.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_TOKENS = 12, MOST_CELLS = 16 };

typedef struct bag {
  tl_cell token[MOST_TOKENS * MOST_CELLS];
  uint32_t many[MOST_TOKENS];
  uint32_t count;
} bag;

static void random_value (tl_random *r, const tl_type *t, tl_cell *value) {
  memset (value, 0, t->cells * sizeof *value);
  if (tl_type_is_discrete (t)) {
    *value =
        (tl_cell)(t->first + (int64_t)tl_random_below (r, tl_type_values (t)));
    return;
  }
  uint32_t n = t->elements;
  if (t->kind == TL_TYPE_LIST)
    *value++ = (tl_cell)(n = (uint32_t)tl_random_below (r, t->elements + 1));
  for (uint32_t i = 0; i < n; i++)
    random_value (r, t->element, value + i * t->element->cells);
}

// A multi-set with ascending tokens.
static void random_bag (tl_random *r, const tl_cplace *p, bag *b) {
  const uint32_t want = (uint32_t)tl_random_below (r, MOST_TOKENS + 1);
  b->count = 0;
  for (uint32_t i = 0; i < want; i++) {
    tl_cell token[MOST_CELLS] = {0};
    for (uint32_t k = 0; k < p->parts; k++)
      random_value (r, p->part[k], token + p->part_offset[k]);
    uint32_t at = 0;
    int order = -1;
    while (at < b->count && (order = tl_value_compare (b->token + at * p->cells,
                                                       token, p->cells)) < 0)
      at++;
    if (at < b->count && !order)
      continue;
    memmove (b->token + (at + 1) * p->cells, b->token + at * p->cells,
             (b->count - at) * p->cells * sizeof *token);
    memcpy (b->token + at * p->cells, token, p->cells * sizeof *token);
    b->count++;
  }
  const uint32_t most = p->capacity == TL_NO_CAPACITY ? 70000 : p->capacity;
  for (uint32_t i = 0; i < b->count; i++)
    b->many[i] = 1 + (uint32_t)tl_random_below (r, i % 2      ? most
                                                   : most > 3 ? 3
                                                              : most);
}

// The decoder gives tokens by multiplicity; looks each one up.
static void check_same (const tl_cplace *p, const bag *b,
                        const tl_place_bag *got) {
  assert_int_equal (got->count, b->count);
  for (uint32_t i = 0; i < b->count; i++) {
    uint32_t k = 0;
    while (k < got->count &&
           tl_value_compare (got->token + k * p->cells, b->token + i * p->cells,
                             p->cells))
      k++;
    assert_true (k < got->count);
    assert_int_equal (got->many[k], b->many[i]);
  }
}

static void go_through (tl_random *r, const tl_cplace *p) {
  tl_mem mem = TL_MEM (0, "test");
  tl_place_code code = tl_place_code_of (p);
  tl_bit_stream out = {.mem = &mem};
  tl_place_bag got = {.mem = &mem};
  bag b[8];
  uint64_t least = UINT64_MAX, most = 0;
  for (int i = 0; i < 8; i++) {
    random_bag (r, p, b + i);
    uint64_t all = 0;
    for (uint32_t k = 0; k < b[i].count; k++)
      all += b[i].many[k];
    least = all < least ? all : least;
    most = all > most ? all : most;
  }
  // Every third time it is known exactly, every third time about.
  const uint64_t spread = tl_random_below (r, 3);
  if (spread)
    tl_place_code_bound (&code, least / spread, most * spread);
  for (int i = 0; i < 8; i++)
    tl_place_encode (&code, &(tl_tokens){b[i].token, b[i].many, b[i].count},
                     &out);
  const uint64_t bits = out.bits;
  out.bits = 0;
  for (int i = 0; i < 8; i++) {
    assert_int_equal (tl_place_decode (&code, &out, &got), TL_OK);
    check_same (p, b + i, &got);
  }
  assert_int_equal (out.bits, bits);
  tl_stream_close (&out);
  tl_place_bag_close (&got);
  assert_int_equal (mem.used, 0);
}

static void decode_of_encode_is_the_identity (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "types");
  tl_arena arena = TL_ARENA (&mem);
  tl_random random = {7};
  bool limit;
  const tl_type *digit = tl_type_range (&arena, "digit", -3, 6);
  const tl_type *bit = tl_type_mod (&arena, "bit", 2);
  const tl_type *all = tl_type_range (&arena, "int", INT32_MIN, INT32_MAX);
  const tl_type *vector =
      tl_type_vector (&arena, "vector", &bit, 1, digit, &limit);
  const tl_type *wide = tl_type_vector (&arena, "wide", &bit, 1, all, &limit);
  const tl_type *list =
      tl_type_container (&arena, "list", TL_TYPE_LIST, digit, digit, 5, &limit);
  const tl_type *type[] = {digit, bit, all, vector, wide, list};
  const uint32_t capacity[] = {1, 2, 5, 100, TL_NO_CAPACITY};
  for (int round = 0; round < 3000; round++) {
    const tl_type *part[3];
    uint32_t offset[3];
    tl_cplace p = {.part = part,
                   .part_offset = offset,
                   .parts = (uint32_t)tl_random_below (&random, 4),
                   .capacity = capacity[tl_random_below (&random, 5)]};
    for (uint32_t i = 0; i < p.parts; i++) {
      part[i] = type[tl_random_below (&random, i ? 4 : 6)];
      offset[i] = p.cells;
      p.cells += part[i]->cells;
    }
    go_through (&random, &p);
  }
  tl_arena_close (&arena);
}

// Ten sites of which each is in one place at most: what the code takes.
static void sets_take_few_bits (void **state) {
  (void)state;
  tl_mem mem = TL_MEM (0, "test");
  tl_arena arena = TL_ARENA (&mem);
  const tl_type *site = tl_type_mod (&arena, "site", 10);
  uint32_t offset = 0;
  const tl_cplace p = {.part = &site,
                       .part_offset = &offset,
                       .parts = 1,
                       .cells = 1,
                       .capacity = 1};
  const tl_place_code code = tl_place_code_of (&p);
  const tl_cell all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const uint32_t many[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  tl_bit_stream out = {.mem = &mem};
  tl_place_encode (&code, &(tl_tokens){all, many, 0}, &out);
  assert_int_equal (out.bits, 1); // that it is empty
  tl_place_encode (&code, &(tl_tokens){all, many, 10}, &out);
  assert_int_equal (out.bits, 1 + 1 + 4); // ten of ten: all of them
  tl_place_encode (&code, &(tl_tokens){all + 4, many, 1}, &out);
  assert_int_equal (out.bits, 6 + 1 + 4 + 4);
  // One to three of them: two bits and two tokens.
  tl_place_code few = code;
  tl_place_code_bound (&few, 1, 3);
  out.bits = 0;
  tl_place_encode (&few, &(tl_tokens){all + 4, many, 2}, &out);
  assert_int_equal (out.bits, 2 + 4 + 3);
  // Always all: nothing is said.
  tl_place_code sure = code;
  tl_place_code_bound (&sure, 10, 10);
  out.bits = 0;
  tl_place_encode (&sure, &(tl_tokens){all, many, 10}, &out);
  assert_int_equal (out.bits, 0);
  tl_stream_close (&out);
  tl_arena_close (&arena);
  assert_int_equal (mem.used, 0);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (decode_of_encode_is_the_identity),
      cmocka_unit_test (sets_take_few_bits),
  };
  return cmocka_run_group_tests (tests, 0, 0);
}
