#ifndef TL_ENCODE_LAYOUT_H
#define TL_ENCODE_LAYOUT_H

#include "base/bits.h"
#include "net/net.h"

// The working state: a marking in 64-bit words, laid out for firing.  Each
// place that can change has a field of its own inside one word.
//
//     counted place   | guard | width bits |     guard is 0 in every state
//     one-token place | 1 bit |
//
// The guard catches a borrow when tokens are taken and a carry when tokens are
// put, so that enabling and firing work on all places of a word at once.  A
// place that is known to hold one token at most needs no guard: masks do.
// Places that no transition changes are not in the state at all.
typedef struct tl_field {
  uint32_t word;
  uint8_t shift;
  uint8_t width; // 0: the place never changes
  bool guarded;  // a guard bit stands above the field
} tl_field;

enum { TL_FIELD_MAX_WIDTH = 40 }; // tokens beyond 2^40 are not counted

typedef struct tl_layout {
  tl_mem *mem;
  const tl_net *net;
  tl_field *field;     // [places]
  uint64_t *guards;    // [words] the guard bits of each word
  uint32_t words;      // at least 1
  uint32_t fields;     // of these hold fields; the others belong to whoever
                       // asked for them
  uint32_t bits;       // sum of the widths
  uint32_t plain_bits; // the same with whole bytes for every place
} tl_layout;

// Lays out fields that are `width[p]` bits wide; 0 only for places that never
// change; widths of 1 get no guard.  `more` words follow them.
tl_status tl_layout_open (tl_layout *, tl_mem *, const tl_net *,
                          const uint8_t *width, uint32_t more);
void tl_layout_close (tl_layout *);

static inline uint64_t
tl_layout_tokens (const tl_layout *l, const uint64_t *state, uint32_t place) {
  const tl_field *f = l->field + place;
  return f->width ? state[f->word] >> f->shift & tl_low_bits (f->width)
                  : l->net->initial[place];
}

// Writes a whole marking; false: a number does not fit its field.
bool tl_layout_pack (const tl_layout *, const uint64_t *tokens,
                     uint64_t *state);
// The same, but the words behind the fields stay as they are.
bool tl_layout_set (const tl_layout *, const uint64_t *tokens, uint64_t *state);
void tl_layout_unpack (const tl_layout *, const uint64_t *state,
                       uint64_t *tokens);

#endif
