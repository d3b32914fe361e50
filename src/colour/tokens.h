#ifndef TL_COLOUR_TOKENS_H
#define TL_COLOUR_TOKENS_H

#include "colour/coloured.h"

// A growing set of tokens of one place.  Tokens are numbered in the order in
// which they come; they can be found by their value, and by the values of some
// of their parts.

// The tokens that have the same values in the parts of `mask`, as chains from
// the newest one down.
typedef struct tl_token_index {
  uint64_t mask;
  uint32_t *head; // [slots] number + 1, or 0
  size_t slots;   // a power of two, or 0
  size_t keys;
  uint32_t *next; // [room] number + 1 of the next older one, or 0
  size_t room;
  uint32_t count; // tokens that are in it
} tl_token_index;

typedef struct tl_token_set {
  tl_mem *mem;
  const tl_cplace *place;
  tl_cell *token; // [count * cells]
  size_t room;    // cells
  uint32_t count;
  uint32_t *slot; // [slots] number + 1, or 0
  size_t slots;
  tl_token_index *index;
  size_t indices, index_room;
} tl_token_set;

#define TL_NO_TOKEN UINT32_MAX

void tl_token_set_open (tl_token_set *, tl_mem *, const tl_cplace *);
void tl_token_set_close (tl_token_set *);

// Null: its place has tokens without a value.
static inline const tl_cell *tl_token_at (const tl_token_set *set, uint32_t n) {
  return set->token ? set->token + (size_t)n * set->place->cells : 0;
}

// Its number, or TL_NO_TOKEN.
uint32_t tl_token_find (const tl_token_set *, const tl_cell *);
// Adds a token that may be there.  TL_E_LIMIT: there are 2^31 of them.
tl_status tl_token_add (tl_token_set *, const tl_cell *, uint32_t *number);

// Takes all of them out; there may be no index.
void tl_token_set_clear (tl_token_set *);

// An index over some of the first 64 parts; the one that is there if there is
// one.  TL_E_NOMEM.
tl_status tl_token_index_open (tl_token_set *, uint64_t mask, uint32_t *index);
// Brings the indices up to date.
tl_status tl_token_index_update (tl_token_set *);
// The newest token with the same parts as `like`, number + 1; or 0.
uint32_t tl_token_index_find (const tl_token_set *, uint32_t index,
                              const tl_cell *like);

#endif
