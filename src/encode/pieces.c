// Cuts the digits into pieces and gives each its bits in the key.

#include "encode/pieces.h"

#include <stdlib.h>

// Values of a piece that are looked up: the table is to stay in the
// second-level cache, and rows for states of many words are long.
enum { MOST_VALUES = 4096, MOST_VALUES_LONG = 32 };

static bool power_of_two (uint64_t n) {
  return !(n & (n - 1));
}

static tl_status close_piece (tl_cut *cut, uint32_t digits, uint64_t values) {
  if (!TL_ROOM (cut->mem, cut->piece, &cut->piece_room, cut->pieces + 1))
    return TL_E_NOMEM;
  cut->piece[cut->pieces++] = (tl_cut_piece){.first = cut->placed,
                                             .count = digits,
                                             .values = values,
                                             .width = tl_bits_for (values - 1)};
  cut->placed += digits;
  return TL_OK;
}

// Joins digits from the next one on, as many as a look-up allows.
static tl_status join_digits (tl_cut *cut, uint32_t end) {
  uint64_t values = cut->order[cut->placed]->radix;
  uint32_t n = 1;
  while (cut->placed + n < end &&
         values <= cut->most_values / cut->order[cut->placed + n]->radix)
    values *= cut->order[cut->placed + n++]->radix;
  return close_piece (cut, n, values);
}

// Digits come in this order: powers of two, so that a piece is one too if its
// first digit is; then the others.
static int by_kind_and_radix (const void *left, const void *right) {
  const tl_digit *const *l = left, *const *r = right;
  const bool lp = power_of_two ((*l)->radix), rp = power_of_two ((*r)->radix);
  if (lp != rp)
    return lp ? -1 : 1;
  if ((*l)->radix != (*r)->radix)
    return (*l)->radix < (*r)->radix ? -1 : 1;
  return (*l > *r) - (*l < *r);
}

// For states of many words single bits stay single: most of them are 0 and
// cost nothing.
static tl_status cut_digits (tl_cut *cut, bool join_bits) {
  tl_status rc = TL_OK;
  uint32_t powers = 0;
  while (powers < cut->digits && power_of_two (cut->order[powers]->radix))
    powers++;
  while (!rc && cut->placed < cut->digits) {
    const bool power = cut->placed < powers;
    rc = join_digits (cut, !power      ? cut->digits
                           : join_bits ? powers
                                       : cut->placed + 1);
  }
  return rc;
}

// Pieces get their bits in this order: those in mixed radix at the low end of
// a word, then bit fields; wide ones first.
static int by_kind_and_size (const void *left, const void *right) {
  const tl_cut_piece *l = left, *r = right;
  const bool lp = power_of_two (l->values), rp = power_of_two (r->values);
  if (lp != rp)
    return lp ? 1 : -1;
  if (l->values != r->values)
    return l->values > r->values ? -1 : 1;
  return (l->first > r->first) - (l->first < r->first);
}

// What a word of the key holds so far: `radix` values in mixed radix, in the
// low `used` bits together with the fields above them.
typedef struct word {
  unsigned __int128 radix;
  unsigned used;
} word;

static bool place_piece (word *w, tl_cut_piece *p) {
  if (power_of_two (p->values)) {
    if (w->used + p->width > 64)
      return false;
    p->factor = (uint64_t)1 << w->used;
    w->used += p->width;
    return true;
  }
  const unsigned __int128 radix = w->radix * p->values;
  if (radix > (unsigned __int128)1 << 64)
    return false;
  p->mixed = true;
  p->factor = (uint64_t)w->radix;
  w->radix = radix;
  w->used = tl_bits_for ((uint64_t)(radix - 1));
  return true;
}

// In the end pieces stand in the order in which they are taken out of a key.
static int by_position (const void *left, const void *right) {
  const tl_cut_piece *l = left, *r = right;
  if (l->mixed != r->mixed)
    return l->mixed ? -1 : 1;
  if (l->word != r->word)
    return l->word < r->word ? -1 : 1;
  return (l->factor > r->factor) - (l->factor < r->factor);
}

// Each piece into the first word that has room.
static tl_status give_bits (tl_cut *cut) {
  word *words = 0;
  size_t room = 0;
  if (cut->pieces)
    qsort (cut->piece, cut->pieces, sizeof *cut->piece, by_kind_and_size);
  cut->words = 0;
  for (size_t i = 0, full = 0; i < cut->pieces || !cut->words; i++) {
    tl_cut_piece *p = i < cut->pieces ? cut->piece + i : 0;
    uint32_t w = (uint32_t)full;
    while (p && w < cut->words && !place_piece (words + w, p))
      w++;
    if (w == cut->words) {
      if (!TL_ROOM (cut->mem, words, &room, w + 1))
        break;
      words[cut->words++] = (word){.radix = 1};
      if (p)
        place_piece (words + w, p);
    }
    if (p)
      p->word = w;
    while (full < cut->words && words[full].used == 64)
      full++;
  }
  if (cut->pieces)
    qsort (cut->piece, cut->pieces, sizeof *cut->piece, by_position);
  for (uint32_t w = 0; w < cut->words; w++)
    cut->bits += words[w].used;
  if (cut->words)
    cut->top_bits = words[cut->words - 1].used;
  const bool done = words;
  if (words)
    TL_DEL (cut->mem, words, room);
  return done ? TL_OK : TL_E_NOMEM;
}

tl_status tl_cut_open (tl_cut *cut, tl_mem *mem, const tl_digits *digits,
                       bool short_states) {
  *cut = (tl_cut){.mem = mem, .digits = digits->count};
  cut->most_values = short_states ? MOST_VALUES : MOST_VALUES_LONG;
  if (!TL_NEW (mem, cut->order, digits->count))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < digits->count; i++)
    cut->order[i] = digits->digit + i;
  if (digits->count)
    qsort (cut->order, digits->count, sizeof *cut->order, by_kind_and_radix);
  tl_status rc = cut_digits (cut, short_states);
  if (!rc)
    rc = give_bits (cut);
  if (rc)
    tl_cut_close (cut);
  return rc;
}

void tl_cut_close (tl_cut *cut) {
  if (cut->order)
    TL_DEL (cut->mem, cut->order, cut->digits);
  if (cut->piece)
    TL_DEL (cut->mem, cut->piece, cut->piece_room);
}
