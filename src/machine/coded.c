#include "base/error.h"
#include "machine/parts.h"

#include <stdlib.h>
#include <string.h>

// Keys that are the condensed code of the marking, place after place.  The code
// of a local marking is made once.  What is redundant is left out, and computed
// from the rest on the way back.

static tl_bit_stream *pool_of (tl_machine *m, uint32_t place) {
  return &m->coded.pool[place];
}

// The local marking as the code wants it: tokens ascending.
static tl_status show_sorted (tl_machine *m, uint32_t place, uint32_t local) {
  tl_place_bag *bag = &m->coded.bag;
  const uint32_t cells = m->coloured->place[place].cells;
  const tl_local_list list = tl_machine_list (m, place, local);
  const size_t pairs = list.count;
  if (!TL_ROOM (m->mem, bag->token, &bag->token_room, pairs * cells + 1) ||
      !TL_ROOM (m->mem, bag->many, &bag->many_room, pairs + 1))
    return TL_E_NOMEM;
  bag->count = 0;
  for (uint32_t i = 0; i < pairs; i++) {
    const tl_cell *token = (const tl_cell *)tl_intern_list (
        m->token + place, tl_list_token (list, i));
    size_t at = bag->count++;
    for (; at &&
           tl_value_compare (bag->token + (at - 1) * cells, token, cells) > 0;
         at--) {
      memcpy (bag->token + at * cells, bag->token + (at - 1) * cells,
              cells * sizeof *token);
      bag->many[at] = bag->many[at - 1];
    }
    memcpy (bag->token + at * cells, token, cells * sizeof *token);
    bag->many[at] = tl_list_many (list, i);
  }
  return TL_OK;
}

// In `start`: the local marking has no code, since no state has it (the empty
// one, for example, of a place that is always marked).
#define NO_CODE ((uint64_t)1 << 63)

static uint64_t count_bag (const tl_place_bag *bag) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < bag->count; i++)
    all += bag->many[i];
  return all;
}

// Codes of local markings up to this one.
static tl_status make_codes (tl_machine *m, uint32_t place, uint32_t local) {
  tl_coded *c = &m->coded;
  const tl_place_code *code = c->code + place;
  tl_bit_stream *pool = pool_of (m, place);
  if (!TL_ROOM (&m->numbers, c->start[place], c->start_room + place,
                (size_t)local + 2))
    return TL_E_NOMEM;
  for (; c->made[place] <= local; c->made[place]++) {
    uint64_t *start = c->start[place] + c->made[place];
    const tl_status rc = show_sorted (m, place, c->made[place]);
    if (rc)
      return rc;
    const uint64_t tokens = count_bag (&c->bag);
    *start = pool->bits;
    if (tokens < code->least || tokens > code->most)
      *start |= NO_CODE;
    else
      tl_place_encode (
          code, &(tl_tokens){c->bag.token, c->bag.many, c->bag.count}, pool);
    if (pool->failed)
      return TL_E_NOMEM;
    start[1] = pool->bits;
  }
  return TL_OK;
}

static tl_status excluded (tl_machine *m, uint32_t place) {
  const tl_cplace *p = m->coloured->place + place;
  return tl_fail_at (m->evaluation.error, TL_E_INTERNAL, m->coloured->path,
                     (long)p->where.line, (long)p->where.column,
                     "place %s has fewer or more tokens than it can have",
                     p->name);
}

tl_status tl_coded_bits (tl_machine *m, const uint32_t *state, uint64_t *bits) {
  *bits = 0;
  for (uint32_t p = 0; p < m->places; p++) {
    if (m->coded.redundant[p])
      continue;
    if (state[p] >= m->coded.made[p] && make_codes (m, p, state[p]))
      return TL_E_NOMEM;
    const uint64_t *start = m->coded.start[p] + state[p];
    if (*start & NO_CODE)
      return excluded (m, p);
    *bits += (start[1] & ~NO_CODE) - *start;
  }
  return TL_OK;
}

bool tl_coded_pack (tl_machine *m, const uint32_t *state, uint64_t *key) {
  const uint32_t words = m->shape.words;
  uint64_t bits;
  const tl_status rc = tl_coded_bits (m, state, &bits);
  if (rc) {
    tl_machine_fail (m, rc, TL_NO_EVENT);
    return false;
  }
  if (bits > m->view.longest_code)
    m->view.longest_code = bits;
  if (bits > 64 * (uint64_t)words)
    return false;
  memset (key, 0, words * sizeof *key);
  uint64_t at = 0;
  for (uint32_t p = 0; p < m->places; p++) {
    if (m->coded.redundant[p])
      continue;
    const uint64_t *start = m->coded.start[p] + state[p],
                   end = start[1] & ~NO_CODE;
    for (uint64_t from = *start; from < end;) {
      const unsigned n = (unsigned)(end - from < 64 ? end - from : 64);
      tl_set_bits (key, at, n, tl_get_bits (pool_of (m, p)->word, from, n));
      from += n;
      at += n;
    }
  }
  return true;
}

tl_status tl_machine_number_bag (tl_machine *m, uint32_t place,
                                 uint32_t *local) {
  const tl_place_bag *bag = &m->coded.bag;
  const uint32_t cells = m->coloured->place[place].cells;
  if (!TL_ROOM (m->mem, m->list, &m->list_room, 2 * (size_t)bag->count + 1))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < bag->count; i++) {
    const tl_cell *token = bag->token + (size_t)i * cells;
    const tl_status rc = tl_intern_put (
        m->token + place, (const uint32_t *)token, cells, m->list + 2 * i);
    if (rc)
      return rc;
    m->list[2 * i + 1] = bag->many[i];
  }
  return tl_machine_number_list (m, place, bag->count, local);
}

tl_status tl_coded_read (tl_machine *m, const uint64_t *key, uint32_t *state) {
  tl_coded *c = &m->coded;
  tl_status rc = TL_OK;
  // The stream only reads; a word behind the key is read, too.
  if (!TL_ROOM (m->mem, c->input.word, &c->input.room,
                (size_t)m->shape.words + 2))
    return TL_E_NOMEM;
  memcpy (c->input.word, key, m->shape.words * sizeof *key);
  c->input.bits = 0;
  for (uint32_t p = 0; !rc && p < m->places; p++)
    if (!c->redundant[p] &&
        !(rc = tl_place_decode (c->code + p, &c->input, &c->bag)))
      rc = tl_machine_number_bag (m, p, state + p);
  return rc;
}

void tl_coded_unpack (tl_machine *m, const uint64_t *key, uint32_t *state) {
  const tl_status rc = tl_coded_read (m, key, state);
  if (!rc)
    tl_follow (m, state);
  if (rc)
    tl_machine_fail (m, rc, TL_NO_EVENT);
}

tl_status tl_coded_open (tl_machine *m) {
  tl_coded *c = &m->coded;
  tl_arena *arena = &m->names;
  const size_t places = (size_t)m->places + 1;
  if (!TL_ARENA_NEW (arena, c->pool, places) ||
      !TL_ARENA_NEW (arena, c->start, places) ||
      !TL_ARENA_NEW (arena, c->start_room, places) ||
      !TL_ARENA_NEW (arena, c->made, places))
    return TL_E_NOMEM;
  c->input.mem = m->mem;
  for (uint32_t p = 0; p < m->places; p++)
    c->pool[p] = (tl_bit_stream){.mem = &m->numbers};
  return TL_OK;
}

void tl_coded_close (tl_machine *m) {
  tl_coded *c = &m->coded;
  for (uint32_t p = 0; c->made && p < m->places; p++) {
    tl_stream_close (c->pool + p);
    TL_DEL (&m->numbers, c->start[p], c->start_room[p]);
  }
  tl_place_bag_close (&c->bag);
  tl_stream_close (&c->input);
  tl_redundant_close (m);
}
