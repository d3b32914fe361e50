#ifndef TL_ENCODE_CODE_H
#define TL_ENCODE_CODE_H

#include "encode/digits.h"

// How a marking becomes a stored key and back.  Stores see only keys.
//
// Each digit has a place value inside one word of the key, so a key is a sum
// of factor * tokens over the places: the key of a successor is the key of the
// state plus a constant of the transition.  Nothing is packed in the inner
// loop of a search.
//
// Going back, the words of the key are taken apart into pieces of one digit or
// several, and what each value of a piece contributes to the working state is
// looked up.  That too is a sum: a place that is a linear function of others
// adds its share to theirs.
//
// States that are not only tokens have keys of another kind, which whoever
// knows them makes.
typedef struct tl_piece {
  uint32_t word;  // of the key
  bool mixed;     // the remainder by `values` of what those before it left
  bool first;     // of the pieces in mixed radix of its word
  bool looked_up; // else: one place, its tokens are the value
  uint8_t shift;  // of a bit field, or of the first piece in mixed radix
  uint64_t mask, values;
  uint32_t place;
  uint64_t start; // row of value 0 in the table
} tl_piece;

// A number to be added to a word.
typedef struct tl_share {
  uint32_t word;
  uint64_t add;
} tl_share;

// A digit as it stands in the key: `stride` times its value is added to a word.
// Which places it tells of see encode/digits.h.
typedef struct tl_code_digit {
  uint32_t word;
  uint64_t stride, radix;
  uint32_t first, count; // of code->digit_place
} tl_code_digit;

// Lists of shares, one after the other.
typedef struct tl_shares {
  uint64_t *start; // [rows + 1]
  tl_share *share;
  size_t rows, room;
} tl_shares;

typedef struct tl_code tl_code;

typedef struct tl_code_kind {
  void (*key) (const tl_code *, const uint64_t *state, uint64_t *key);
  void (*state) (const tl_code *, const uint64_t *key, uint64_t *state);
  void (*steps) (const tl_code *, const uint64_t *key, const uint32_t *list,
                 uint32_t count, uint64_t *keys);
  bool (*undo) (const tl_code *, uint32_t step, uint64_t *key);
  // Where keys are not sums: a hash that each step changes by a constant of its
  // own, and that constant.  Else null.
  uint64_t (*hash) (const tl_code *, const uint64_t *key);
  uint64_t (*change) (const tl_code *, uint32_t step);
  // A key or a state of another code of the net, in this one.  `room` is for a
  // state of the other layout, or for the tokens of all places.
  void (*convert_key) (const tl_code *, const tl_code *from,
                       const uint64_t *old, uint64_t *room, uint64_t *key);
  void (*convert_state) (const tl_code *, const tl_code *from,
                         const uint64_t *old, uint64_t *room, uint64_t *state);
  void (*close) (tl_code *);
} tl_code_kind;

struct tl_code {
  const tl_code_kind *kind;
  tl_mem *mem;
  const tl_layout *layout;
  void *maker;   // of keys of another kind
  bool one_word; // keys have one word, and are sums
  uint32_t key_words;
  uint32_t key_bits;    // that may be set, counted from the low end
  uint32_t bits;        // of these in use: sum over the pieces
  bool lengths;         // keys have many lengths (store.h)
  bool identity;        // the key is the working state
  uint64_t *factor;     // [places]
  uint32_t *word;       // [places] of the key; TL_NO_NAME: not in the key
  tl_code_digit *digit; // the key taken apart, for who writes programs
  uint32_t *digit_place;
  uint32_t digits, digit_places;
  tl_shares step;       // for each transition: what firing adds to the key
  uint64_t *short_step; // the same for keys of one word
  // For the way back.
  tl_piece *piece;
  uint32_t pieces, piece_room;
  uint64_t *base;  // [state words] the state when every digit is 0
  tl_shares place; // for each place with a digit: what a token adds
  tl_shares table; // for each value of a piece; states of many words
  uint64_t *dense; // the same with all words of the state; few words
  size_t dense_room;
};

// Digits null: the key is the working state itself, the fastest code.
tl_status tl_code_open (tl_code *, tl_mem *, const tl_layout *,
                        const tl_digits *);
void tl_code_close (tl_code *);

static inline void tl_code_key (const tl_code *c, const uint64_t *state,
                                uint64_t *key) {
  c->kind->key (c, state, key);
}

static inline void tl_code_state (const tl_code *c, const uint64_t *key,
                                  uint64_t *state) {
  c->kind->state (c, key, state);
}

// Takes a step back: the key before it was fired.  False, where keys are no
// sums: no state that was met leads here by it.
static inline bool tl_code_undo (const tl_code *c, uint32_t step,
                                 uint64_t *key) {
  return c->kind->undo (c, step, key);
}

// The keys of the successors by the listed transitions, side by side.
static inline void tl_code_steps (const tl_code *c, const uint64_t *key,
                                  const uint32_t *list, uint32_t count,
                                  uint64_t *keys) {
  if (!c->one_word) {
    c->kind->steps (c, key, list, count, keys);
    return;
  }
  const uint64_t from = *key;
  for (uint32_t i = 0; i < count; i++)
    keys[i] = from + c->short_step[list[i]];
}

#endif
