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

// Codes of local markings up to this one.
static tl_status make_codes (tl_machine *m, uint32_t place, uint32_t local) {
  tl_coded *c = &m->coded;
  tl_bit_stream *pool = pool_of (m, place);
  if (!TL_ROOM (&m->numbers, c->start[place], c->start_room + place,
                (size_t)local + 2))
    return TL_E_NOMEM;
  for (; c->made[place] <= local; c->made[place]++) {
    const tl_status rc = show_sorted (m, place, c->made[place]);
    if (rc)
      return rc;
    tl_place_encode (c->code + place,
                     &(tl_tokens){c->bag.token, c->bag.many, c->bag.count},
                     pool);
    if (pool->failed)
      return TL_E_NOMEM;
    c->start[place][c->made[place] + 1] = pool->bits;
  }
  return TL_OK;
}

uint64_t tl_coded_bits (tl_machine *m, const uint32_t *state) {
  uint64_t bits = 0;
  for (uint32_t p = 0; p < m->places; p++) {
    if (m->coded.redundant[p])
      continue;
    if (state[p] >= m->coded.made[p] && make_codes (m, p, state[p]))
      return UINT64_MAX;
    bits += m->coded.start[p][state[p] + 1] - m->coded.start[p][state[p]];
  }
  return bits;
}

bool tl_coded_pack (tl_machine *m, const uint32_t *state, uint64_t *key) {
  const uint32_t words = m->shape.words;
  const uint64_t bits = tl_coded_bits (m, state);
  if (bits > m->view.longest_code)
    m->view.longest_code = bits;
  if (bits > 64 * (uint64_t)words)
    return false;
  memset (key, 0, words * sizeof *key);
  uint64_t at = 0;
  for (uint32_t p = 0; p < m->places; p++) {
    if (m->coded.redundant[p])
      continue;
    const uint64_t *start = m->coded.start[p] + state[p];
    for (uint64_t from = start[0]; from < start[1];) {
      const unsigned n =
          (unsigned)(start[1] - from < 64 ? start[1] - from : 64);
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

void tl_coded_unpack (tl_machine *m, const uint64_t *key, uint32_t *state) {
  tl_coded *c = &m->coded;
  tl_status rc = TL_OK;
  // The stream only reads; a word behind the key is read, too.
  if (!TL_ROOM (m->mem, c->input.word, &c->input.room,
                (size_t)m->shape.words + 2))
    rc = TL_E_NOMEM;
  else
    memcpy (c->input.word, key, m->shape.words * sizeof *key);
  c->input.bits = 0;
  for (uint32_t p = 0; !rc && p < m->places; p++)
    if (!c->redundant[p] &&
        !(rc = tl_place_decode (c->code + p, &c->input, &c->bag)))
      rc = tl_machine_number_bag (m, p, state + p);
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
