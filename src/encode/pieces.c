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

// Digits come in the order of their places: what belongs together in the net
// stays together in the key.
static int by_place (const void *left, const void *right) {
  const tl_digit *const *l = left, *const *r = right;
  return ((*l)->place[0] > (*r)->place[0]) - ((*l)->place[0] < (*r)->place[0]);
}

// A piece joins neighbours of one kind, powers of two or not.  For states of
// many words single bits stay single: most of them are 0 and cost nothing.
static tl_status cut_digits (tl_cut *cut, bool join_bits) {
  tl_status rc = TL_OK;
  while (!rc && cut->placed < cut->digits) {
    const bool power = power_of_two (cut->order[cut->placed]->radix);
    uint32_t end = cut->placed + 1;
    while (end < cut->digits && (join_bits || !power) &&
           power_of_two (cut->order[end]->radix) == power)
      end++;
    rc = join_digits (cut, end);
  }
  return rc;
}

// What a word of the key holds so far: bit fields, and above them so many
// values in mixed radix.
typedef struct word {
  unsigned fields;
  uint64_t radix;
} word;

static unsigned bits_of (const word *w) {
  return w->fields + tl_bits_for (w->radix - 1);
}

static bool add_piece (word *w, const tl_cut_piece *p) {
  word more = *w;
  if (power_of_two (p->values))
    more.fields += p->width;
  else if (__builtin_mul_overflow (w->radix, p->values, &more.radix))
    return false;
  if (bits_of (&more) > 64)
    return false;
  *w = more;
  return true;
}

// Gives the pieces [from, to) their factors in a word: fields first.  One that
// has a single value may stand behind a full word; it takes no bits anywhere.
static void fill_word (tl_cut *cut, size_t from, size_t to, const word *w) {
  uint64_t field = 1, mixed = (uint64_t)1 << w->fields % 64;
  for (size_t i = from; i < to; i++) {
    tl_cut_piece *p = cut->piece + i;
    p->word = cut->words;
    p->mixed = !power_of_two (p->values);
    p->factor = p->mixed ? mixed : p->width ? field : 1;
    *(p->mixed ? &mixed : &field) *= p->values;
  }
  cut->words++;
  cut->bits += bits_of (w);
  cut->top_bits = bits_of (w);
  cut->top_fields = w->fields;
  cut->top_radix = w->radix;
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

// Words are filled one after the other.
static void give_bits (tl_cut *cut) {
  word w = {.radix = 1};
  size_t from = 0;
  for (size_t i = 0; i < cut->pieces; i++) {
    if (add_piece (&w, cut->piece + i))
      continue;
    fill_word (cut, from, i, &w);
    w = (word){.radix = 1};
    add_piece (&w, cut->piece + i);
    from = i;
  }
  fill_word (cut, from, cut->pieces, &w);
  if (cut->pieces)
    qsort (cut->piece, cut->pieces, sizeof *cut->piece, by_position);
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
    qsort (cut->order, digits->count, sizeof *cut->order, by_place);
  tl_status rc = cut_digits (cut, short_states);
  if (rc)
    tl_cut_close (cut);
  else
    give_bits (cut);
  return rc;
}

void tl_cut_close (tl_cut *cut) {
  TL_DEL (cut->mem, cut->order, cut->digits);
  TL_DEL (cut->mem, cut->piece, cut->piece_room);
}
