// Cuts the digits into pieces and gives each its bits in the key.

#include "encode/pieces.h"

#include <stdlib.h>

// Values of a piece that are looked up: its share of the table stays in the
// second-level cache.
enum { MOST_VALUES = 8192 };

static bool power_of_two (uint64_t n) {
  return !(n & (n - 1));
}

static int by_radix (const void *left, const void *right) {
  const tl_digit *const *l = left, *const *r = right;
  if ((*l)->radix != (*r)->radix)
    return (*l)->radix < (*r)->radix ? -1 : 1;
  return (*l > *r) - (*l < *r);
}

// How many of `left` digits of a radix go into one piece: as many as lose the
// smallest part of a bit each.
static uint32_t best_share (uint64_t radix, uint32_t left) {
  uint64_t values = 1;
  uint32_t best = 1;
  double best_bits = 64;
  for (uint32_t n = 1; n <= left; n++) {
    if (values > MOST_VALUES / radix)
      break;
    values *= radix;
    const double bits = (double)tl_bits_for (values - 1) / n;
    if (bits < best_bits - 1e-9) {
      best = n;
      best_bits = bits;
    }
  }
  return best;
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

// Joins as many digits from `from` on as fit, whatever their radix.
static tl_status join_rest (tl_cut *cut, uint32_t end) {
  while (cut->placed < end) {
    uint64_t values = cut->order[cut->placed]->radix;
    uint32_t n = 1;
    while (cut->placed + n < end &&
           values <= MOST_VALUES / cut->order[cut->placed + n]->radix)
      values *= cut->order[cut->placed + n++]->radix;
    const tl_status rc = close_piece (cut, n, values);
    if (rc)
      return rc;
  }
  return TL_OK;
}

static tl_status cut_digits (tl_cut *cut, uint32_t count, bool join_bits) {
  tl_status rc = TL_OK;
  while (!rc && cut->placed < count) {
    const uint64_t radix = cut->order[cut->placed]->radix;
    uint32_t same = 1;
    while (cut->placed + same < count &&
           cut->order[cut->placed + same]->radix == radix)
      same++;
    if (radix > MOST_VALUES || (power_of_two (radix) && !join_bits))
      rc = close_piece (cut, 1, radix);
    else if (power_of_two (radix))
      rc = join_rest (cut, cut->placed + same);
    else {
      uint32_t n = best_share (radix, same);
      uint64_t values = 1;
      for (uint32_t i = 0; i < n; i++)
        values *= radix;
      rc = close_piece (cut, n, values);
    }
  }
  return rc;
}

static int by_width (const void *left, const void *right) {
  const tl_cut_piece *l = left, *r = right;
  if (l->width != r->width)
    return l->width > r->width ? -1 : 1;
  return (l->first > r->first) - (l->first < r->first);
}

// Widest first into the first word that has room.
static tl_status give_bits (tl_cut *cut) {
  uint8_t *used = 0;
  size_t room = 0, full = 0;
  if (cut->pieces)
    qsort (cut->piece, cut->pieces, sizeof *cut->piece, by_width);
  cut->words = 1;
  if (!TL_ROOM (cut->mem, used, &room, 1))
    return TL_E_NOMEM;
  for (size_t i = 0; i < cut->pieces; i++) {
    tl_cut_piece *p = cut->piece + i;
    uint32_t word = (uint32_t)full;
    while (word < cut->words && used[word] + p->width > 64)
      word++;
    if (word == cut->words) {
      if (!TL_ROOM (cut->mem, used, &room, word + 1)) {
        TL_DEL (cut->mem, used, room);
        return TL_E_NOMEM;
      }
      cut->words++;
    }
    p->word = word;
    p->shift = used[word];
    used[word] = (uint8_t)(used[word] + p->width);
    cut->bits += p->width;
    while (full < cut->words && used[full] == 64)
      full++;
  }
  cut->top_bits = used[cut->words - 1];
  TL_DEL (cut->mem, used, room);
  return TL_OK;
}

tl_status tl_cut_open (tl_cut *cut, tl_mem *mem, const tl_digits *digits,
                       bool join_bits) {
  *cut = (tl_cut){.mem = mem, .digits = digits->count};
  if (!TL_NEW (mem, cut->order, digits->count))
    return TL_E_NOMEM;
  for (uint32_t i = 0; i < digits->count; i++)
    cut->order[i] = digits->digit + i;
  if (digits->count)
    qsort (cut->order, digits->count, sizeof *cut->order, by_radix);
  tl_status rc = cut_digits (cut, digits->count, join_bits);
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
