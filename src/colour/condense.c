#include "colour/condense.h"

#include "base/bits.h"

#include <assert.h>
#include <string.h>

// ---- Bits ------------------------------------------------------------------

void tl_stream_put (tl_bit_stream *s, uint64_t value, unsigned width) {
  const size_t at = (size_t)(s->bits / 64),
               end = (size_t)((s->bits + width) / 64);
  if (!width || s->failed)
    return;
  if (!TL_ROOM (s->mem, s->word, &s->room, end + 2)) {
    s->failed = true;
    return;
  }
  // What is left there from before goes.
  if (s->bits % 64 == 0)
    s->word[at] = 0;
  if (end != at)
    s->word[end] = 0;
  tl_set_bits (s->word, s->bits, width, value);
  s->bits += width;
}

uint64_t tl_stream_take (tl_bit_stream *s, unsigned width) {
  const uint64_t value = width ? tl_get_bits (s->word, s->bits, width) : 0;
  s->bits += width;
  return value;
}

void tl_stream_close (tl_bit_stream *s) {
  TL_DEL (s->mem, s->word, s->room);
}

static unsigned range_width (uint64_t low, uint64_t high) {
  return tl_bits_for (high - low);
}

static void put_range (tl_bit_stream *s, uint64_t value, uint64_t low,
                       uint64_t high) {
  tl_stream_put (s, value - low, range_width (low, high));
}

static uint64_t take_range (tl_bit_stream *s, uint64_t low, uint64_t high) {
  return low + tl_stream_take (s, range_width (low, high));
}

// ---- Values ----------------------------------------------------------------

// How many values a type has; 0: more than 2^62, or it has lists or sets.
static uint64_t values_of (const tl_type *t) {
  uint64_t all = 1;
  switch (t->kind) {
  case TL_TYPE_RANGE:
  case TL_TYPE_MOD:
  case TL_TYPE_ENUM: return tl_type_values (t);
  case TL_TYPE_VECTOR:
    for (uint32_t i = 0; all && i < t->elements; i++)
      if (__builtin_mul_overflow (all, values_of (t->element), &all) ||
          all >> 62)
        all = 0;
    return all;
  case TL_TYPE_STRUCT:
    for (uint32_t i = 0; all && i < t->component_count; i++)
      if (__builtin_mul_overflow (all, values_of (t->component[i].type),
                                  &all) ||
          all >> 62)
        all = 0;
    return all;
  case TL_TYPE_LIST:
  case TL_TYPE_SET: break;
  }
  return 0;
}

// The rank of a value: the first cell counts most, so that it grows with the
// order of values.
static uint64_t rank_of (const tl_type *t, const tl_cell *value) {
  uint64_t rank = 0;
  if (tl_type_is_discrete (t))
    return (uint64_t)(*value - t->first);
  if (t->kind == TL_TYPE_VECTOR)
    for (uint32_t i = 0; i < t->elements; i++)
      rank = rank * values_of (t->element) +
             rank_of (t->element, value + (size_t)i * t->element->cells);
  else
    for (uint32_t i = 0; i < t->component_count; i++)
      rank = rank * values_of (t->component[i].type) +
             rank_of (t->component[i].type, value + t->component[i].offset);
  return rank;
}

static void value_at (const tl_type *t, uint64_t rank, tl_cell *value) {
  if (tl_type_is_discrete (t)) {
    *value = (tl_cell)(t->first + (int64_t)rank);
    return;
  }
  if (t->kind == TL_TYPE_VECTOR) {
    const uint64_t values = values_of (t->element);
    for (uint32_t i = t->elements; i-- > 0; rank /= values)
      value_at (t->element, rank % values,
                value + (size_t)i * t->element->cells);
    return;
  }
  for (uint32_t i = t->component_count; i-- > 0;) {
    const uint64_t values = values_of (t->component[i].type);
    value_at (t->component[i].type, rank % values,
              value + t->component[i].offset);
    rank /= values;
  }
}

// Part by part.
static void put_value (tl_bit_stream *s, const tl_type *t,
                       const tl_cell *value) {
  const uint64_t values = values_of (t);
  if (values) {
    put_range (s, rank_of (t, value), 0, values - 1);
    return;
  }
  uint32_t elements = t->elements;
  if (t->kind == TL_TYPE_STRUCT)
    for (uint32_t i = 0; i < t->component_count; i++)
      put_value (s, t->component[i].type, value + t->component[i].offset);
  if (t->kind == TL_TYPE_STRUCT)
    return;
  if (tl_type_is_container (t)) {
    elements = (uint32_t)*value++;
    put_range (s, elements, 0, t->elements);
  }
  for (uint32_t i = 0; i < elements; i++)
    put_value (s, t->element, value + (size_t)i * t->element->cells);
}

static void take_value (tl_bit_stream *s, const tl_type *t, tl_cell *value) {
  const uint64_t values = values_of (t);
  if (values) {
    value_at (t, take_range (s, 0, values - 1), value);
    return;
  }
  uint32_t elements = t->elements;
  if (t->kind == TL_TYPE_STRUCT)
    for (uint32_t i = 0; i < t->component_count; i++)
      take_value (s, t->component[i].type, value + t->component[i].offset);
  if (t->kind == TL_TYPE_STRUCT)
    return;
  if (tl_type_is_container (t)) {
    memset (value, 0, t->cells * sizeof *value);
    elements = (uint32_t)take_range (s, 0, t->elements);
    *value++ = (tl_cell)elements;
  }
  for (uint32_t i = 0; i < elements; i++)
    take_value (s, t->element, value + (size_t)i * t->element->cells);
}

static uint64_t token_rank (const tl_place_code *c, const tl_cell *token) {
  uint64_t rank = 0;
  for (uint32_t i = 0; i < c->place->parts; i++)
    rank = rank * values_of (c->place->part[i]) +
           rank_of (c->place->part[i], token + c->place->part_offset[i]);
  return rank;
}

static void token_at (const tl_place_code *c, uint64_t rank, tl_cell *token) {
  for (uint32_t i = c->place->parts; i-- > 0;) {
    const uint64_t values = values_of (c->place->part[i]);
    value_at (c->place->part[i], rank % values,
              token + c->place->part_offset[i]);
    rank /= values;
  }
}

tl_place_code tl_place_code_of (const tl_cplace *place) {
  tl_place_code c = {.place = place, .values = 1};
  for (uint32_t i = 0; c.values && i < place->parts; i++)
    if (__builtin_mul_overflow (c.values, values_of (place->part[i]),
                                &c.values) ||
        c.values >> 62)
      c.values = 0;
  if (!c.values || place->capacity == TL_NO_CAPACITY ||
      __builtin_mul_overflow (c.values, (uint64_t)place->capacity, &c.most) ||
      c.most >> 32)
    c.most = TL_CODE_ENDLESS;
  if (place->most)
    tl_place_code_bound (&c, place->least, place->most);
  return c;
}

void tl_place_code_bound (tl_place_code *c, uint64_t least, uint64_t most) {
  if (least > c->least)
    c->least = least;
  if (most < c->most)
    c->most = most;
}

// ---- Cardinality -----------------------------------------------------------

// Where nothing is known of it: shorter codes for smaller numbers.
static const struct step {
  unsigned prefix, prefix_width, width;
} steps[] = {{0, 1, 3}, {1, 2, 8}, {3, 3, 16}, {7, 3, 32}};

static void put_any (tl_bit_stream *s, uint64_t t) {
  uint64_t low = 1;
  for (unsigned i = 0;; i++) {
    const uint64_t count = (uint64_t)1 << steps[i].width;
    if (t - low < count || i == 3) {
      tl_stream_put (s, steps[i].prefix, steps[i].prefix_width);
      tl_stream_put (s, t - low, steps[i].width);
      return;
    }
    low += count;
  }
}

static uint64_t take_any (tl_bit_stream *s) {
  uint64_t low = 1;
  unsigned i = 0;
  while (i < 3 && tl_stream_take (s, 1))
    low += (uint64_t)1 << steps[i++].width;
  return low + tl_stream_take (s, steps[i].width);
}

// A place that can be empty mostly is: a bit for that comes first.
static bool tells_empty (const tl_place_code *c) {
  return !c->least && c->most;
}

static void put_cardinality (const tl_place_code *c, tl_bit_stream *s,
                             uint64_t t) {
  const bool told = tells_empty (c);
  assert (t >= c->least && t <= c->most);
  if (told)
    tl_stream_put (s, t != 0, 1);
  if (told && !t)
    return;
  if (c->most == TL_CODE_ENDLESS)
    put_any (s, t);
  else
    put_range (s, t, told ? 1 : c->least, c->most);
}

static uint64_t take_cardinality (const tl_place_code *c, tl_bit_stream *s) {
  const bool told = tells_empty (c);
  if (told && !tl_stream_take (s, 1))
    return 0;
  return c->most == TL_CODE_ENDLESS
             ? take_any (s)
             : take_range (s, told ? 1 : c->least, c->most);
}

// ---- Multi-sets ------------------------------------------------------------

static uint64_t least (uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

// The range of the number of distinct tokens among t.
static void distinct_range (const tl_place_code *c, uint64_t t, uint64_t *low,
                            uint64_t *high) {
  const uint64_t capacity = c->place->capacity;
  *low = (t + capacity - 1) / capacity;
  *high = c->values ? least (t, c->values) : t;
}

// The range of the largest multiplicity when t tokens have d values.
static void multiplicity_range (uint64_t t, uint64_t d, uint64_t before,
                                uint64_t *low, uint64_t *high) {
  *low = (t + d - 1) / d;
  *high = least (before, 1 + t - d);
}

static void put_tokens (const tl_place_code *c, const tl_tokens *tokens,
                        uint32_t many, tl_bit_stream *s) {
  uint64_t next = 0, left = 0;
  for (uint32_t i = 0; i < tokens->count; i++)
    left += tokens->many[i] == many;
  for (uint32_t i = 0; i < tokens->count; i++) {
    if (tokens->many[i] != many)
      continue;
    const tl_cell *token = tokens->token + (size_t)i * c->place->cells;
    if (c->values) {
      const uint64_t rank = token_rank (c, token);
      put_range (s, rank, next, c->values - left);
      next = rank + 1;
    } else
      for (uint32_t p = 0; p < c->place->parts; p++)
        put_value (s, c->place->part[p], token + c->place->part_offset[p]);
    left--;
  }
}

// The largest multiplicity below another one.
static uint32_t next_multiplicity (const tl_tokens *tokens, uint64_t below) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < tokens->count; i++)
    if (tokens->many[i] < below && tokens->many[i] > most)
      most = tokens->many[i];
  return most;
}

void tl_place_encode (const tl_place_code *c, const tl_tokens *tokens,
                      tl_bit_stream *s) {
  uint64_t t = 0, d = tokens->count, low, high;
  for (uint32_t i = 0; i < tokens->count; i++)
    t += tokens->many[i];
  put_cardinality (c, s, t);
  if (!t)
    return;
  distinct_range (c, t, &low, &high);
  put_range (s, d, low, high);
  uint64_t before = c->place->capacity, rest = t;
  uint64_t below = UINT64_MAX;
  for (uint32_t m; (m = next_multiplicity (tokens, below)); below = m)
    for (uint32_t i = 0; i < tokens->count; i++)
      if (tokens->many[i] == m) {
        multiplicity_range (rest, d--, before, &low, &high);
        put_range (s, m, low, high);
        rest -= before = m;
      }
  below = UINT64_MAX;
  for (uint32_t m; (m = next_multiplicity (tokens, below)); below = m)
    put_tokens (c, tokens, m, s);
}

static void take_token (const tl_place_code *c, tl_bit_stream *s,
                        uint64_t *next, uint64_t left, tl_cell *token) {
  if (c->values) {
    const uint64_t rank = take_range (s, *next, c->values - left);
    token_at (c, rank, token);
    *next = rank + 1;
  } else
    for (uint32_t p = 0; p < c->place->parts; p++)
      take_value (s, c->place->part[p], token + c->place->part_offset[p]);
}

tl_status tl_place_decode (const tl_place_code *c, tl_bit_stream *s,
                           tl_place_bag *bag) {
  const uint64_t t = take_cardinality (c, s);
  uint64_t low, high, rest = t, before = c->place->capacity, next = 0;
  bag->count = 0;
  if (!t)
    return TL_OK;
  distinct_range (c, t, &low, &high);
  const uint64_t distinct = take_range (s, low, high);
  const size_t cells = c->place->cells;
  if (!TL_ROOM (bag->mem, bag->many, &bag->many_room, (size_t)distinct + 1) ||
      !TL_ROOM (bag->mem, bag->token, &bag->token_room,
                (size_t)distinct * cells + 1))
    return TL_E_NOMEM;
  for (uint64_t d = distinct; d; d--) {
    multiplicity_range (rest, d, before, &low, &high);
    before = take_range (s, low, high);
    rest -= before;
    bag->many[bag->count++] = (uint32_t)before;
  }
  for (uint32_t i = 0; i < bag->count; i++) {
    if (i && bag->many[i] != bag->many[i - 1])
      next = 0;
    uint64_t left = 1;
    while (i + left < bag->count && bag->many[i + left] == bag->many[i])
      left++;
    take_token (c, s, &next, left, bag->token + i * cells);
  }
  return TL_OK;
}

void tl_place_bag_close (tl_place_bag *bag) {
  TL_DEL (bag->mem, bag->token, bag->token_room);
  TL_DEL (bag->mem, bag->many, bag->many_room);
}
