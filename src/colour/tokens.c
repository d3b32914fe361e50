#include "colour/tokens.h"

#include "base/bits.h"

#include <string.h>

#define FEWEST_SLOTS 16u

void tl_token_set_open (tl_token_set *set, tl_mem *mem,
                        const tl_cplace *place) {
  *set = (tl_token_set){.mem = mem, .place = place};
}

void tl_token_set_close (tl_token_set *set) {
  TL_DEL (set->mem, set->token, set->room);
  TL_DEL (set->mem, set->slot, set->slots);
  for (size_t i = 0; i < set->indices; i++) {
    tl_token_index *const x = set->index + i;
    TL_DEL (set->mem, x->head, x->slots);
    TL_DEL (set->mem, x->next, x->room);
  }
  TL_DEL (set->mem, set->index, set->index_room);
}

static uint64_t hash_cells (uint64_t h, const tl_cell *cell, uint32_t cells) {
  for (uint32_t i = 0; i < cells; i++)
    h = tl_mix (h ^ (uint32_t)cell[i]) + i;
  return h;
}

static bool is_token (const tl_token_set *set, uint32_t n,
                      const tl_cell *token) {
  const uint32_t cells = set->place->cells;
  return !cells || !memcmp (tl_token_at (set, n), token, cells * sizeof *token);
}

// Where the token is, or the empty slot where it would be.
static size_t probe (const tl_token_set *set, const tl_cell *token) {
  size_t at = hash_cells (1, token, set->place->cells) & (set->slots - 1);
  while (set->slot[at] && !is_token (set, set->slot[at] - 1, token))
    at = (at + 1) & (set->slots - 1);
  return at;
}

uint32_t tl_token_find (const tl_token_set *set, const tl_cell *token) {
  return set->slots ? set->slot[probe (set, token)] - 1 : TL_NO_TOKEN;
}

static bool grow (tl_token_set *set) {
  const size_t slots = set->slots ? 2 * set->slots : FEWEST_SLOTS;
  uint32_t *slot;
  if (!TL_NEW (set->mem, slot, slots))
    return false;
  TL_DEL (set->mem, set->slot, set->slots);
  set->slot = slot;
  set->slots = slots;
  for (uint32_t n = 0; n < set->count; n++)
    slot[probe (set, tl_token_at (set, n))] = n + 1;
  return true;
}

tl_status tl_token_add (tl_token_set *set, const tl_cell *token,
                        uint32_t *number) {
  if (set->slots <= 2 * (size_t)set->count && !grow (set))
    return TL_E_NOMEM;
  const size_t at = probe (set, token);
  const uint32_t cells = set->place->cells;
  if (set->slot[at]) {
    *number = set->slot[at] - 1;
    return TL_OK;
  }
  if (set->count >= UINT32_MAX / 2)
    return TL_E_LIMIT;
  if (!TL_ROOM (set->mem, set->token, &set->room,
                ((size_t)set->count + 1) * cells))
    return TL_E_NOMEM;
  if (cells)
    memcpy (set->token + (size_t)set->count * cells, token,
            cells * sizeof *token);
  *number = set->count++;
  set->slot[at] = set->count;
  return TL_OK;
}

// The last one first, so that none is in the way of another.
void tl_token_set_clear (tl_token_set *set) {
  while (set->count) {
    const size_t at = probe (set, tl_token_at (set, set->count - 1));
    set->slot[at] = 0;
    set->count--;
  }
  for (size_t i = 0; i < set->indices; i++) {
    tl_token_index *index = set->index + i;
    if (index->count)
      memset (index->head, 0, index->slots * sizeof *index->head);
    index->count = 0;
    index->keys = 0;
  }
}

tl_status tl_token_index_open (tl_token_set *set, uint64_t mask,
                               uint32_t *index) {
  for (*index = 0; *index < set->indices; ++*index)
    if (set->index[*index].mask == mask)
      return TL_OK;
  if (!TL_ROOM (set->mem, set->index, &set->index_room, set->indices + 1))
    return TL_E_NOMEM;
  set->index[set->indices++] = (tl_token_index){.mask = mask};
  return TL_OK;
}

static uint64_t hash_parts (const tl_cplace *place, uint64_t mask,
                            const tl_cell *token) {
  uint64_t h = 1;
  for (; mask; mask &= mask - 1) {
    const uint32_t p = (uint32_t)__builtin_ctzll (mask);
    h = hash_cells (h, token + place->part_offset[p], place->part[p]->cells);
  }
  return h;
}

static bool same_parts (const tl_cplace *place, uint64_t mask, const tl_cell *a,
                        const tl_cell *b) {
  for (; mask; mask &= mask - 1) {
    const uint32_t p = (uint32_t)__builtin_ctzll (mask);
    const uint32_t at = place->part_offset[p];
    if (memcmp (a + at, b + at, place->part[p]->cells * sizeof *a))
      return false;
  }
  return true;
}

static size_t probe_index (const tl_token_set *set, const tl_token_index *x,
                           const tl_cell *like) {
  size_t at = hash_parts (set->place, x->mask, like) & (x->slots - 1);
  while (x->head[at] && !same_parts (set->place, x->mask, like,
                                     tl_token_at (set, x->head[at] - 1)))
    at = (at + 1) & (x->slots - 1);
  return at;
}

static bool grow_index (tl_token_set *set, tl_token_index *x) {
  const tl_token_index old = *x;
  x->slots = old.slots ? 2 * old.slots : FEWEST_SLOTS;
  if (!TL_NEW (set->mem, x->head, x->slots)) {
    *x = old;
    return false;
  }
  for (size_t i = 0; i < old.slots; i++)
    if (old.head[i])
      x->head[probe_index (set, x, tl_token_at (set, old.head[i] - 1))] =
          old.head[i];
  tl_mem_put (set->mem, old.head, old.slots, sizeof *old.head);
  return true;
}

static tl_status update (tl_token_set *set, tl_token_index *x) {
  if (!TL_ROOM (set->mem, x->next, &x->room, set->count))
    return TL_E_NOMEM;
  for (; x->count < set->count; x->count++) {
    if (x->slots <= 2 * x->keys && !grow_index (set, x))
      return TL_E_NOMEM;
    const size_t at = probe_index (set, x, tl_token_at (set, x->count));
    x->keys += !x->head[at];
    x->next[x->count] = x->head[at];
    x->head[at] = x->count + 1;
  }
  return TL_OK;
}

tl_status tl_token_index_update (tl_token_set *set) {
  tl_status s = TL_OK;
  for (size_t i = 0; i < set->indices && !s; i++)
    s = update (set, set->index + i);
  return s;
}

uint32_t tl_token_index_find (const tl_token_set *set, uint32_t index,
                              const tl_cell *like) {
  const tl_token_index *x = set->index + index;
  return x->slots ? x->head[probe_index (set, x, like)] : 0;
}
