#include "encode/code.h"

#include "encode/pieces.h"

#include <string.h>

// States of more words than this are rebuilt from lists instead of rows.
enum { DENSE_WORDS = 4 };

// ---- Lists of shares -------------------------------------------------------

static tl_status open_shares (tl_mem *mem, tl_shares *s, size_t rows) {
  *s = (tl_shares){.rows = rows};
  return TL_NEW (mem, s->start, rows + 1) ? TL_OK : TL_E_NOMEM;
}

static void close_shares (tl_mem *mem, tl_shares *s) {
  TL_DEL (mem, s->start, s->rows + 1);
  TL_DEL (mem, s->share, s->room);
}

// Adds to a word in the list of `row`, the last one begun so far.
static tl_status add_share (tl_mem *mem, tl_shares *s, size_t row,
                            uint32_t word, uint64_t add) {
  for (uint64_t i = s->start[row]; i < s->start[row + 1]; i++)
    if (s->share[i].word == word) {
      s->share[i].add += add;
      return TL_OK;
    }
  const size_t n = (size_t)s->start[row + 1];
  if (!TL_ROOM (mem, s->share, &s->room, n + 1))
    return TL_E_NOMEM;
  s->share[n] = (tl_share){word, add};
  s->start[row + 1]++;
  return TL_OK;
}

static void begin_row (tl_shares *s, size_t row) {
  s->start[row + 1] = s->start[row];
}

static void apply (const tl_shares *s, uint64_t row, uint64_t times,
                   uint64_t *words) {
  for (uint64_t i = s->start[row]; i < s->start[row + 1]; i++)
    words[s->share[i].word] += times * s->share[i].add;
}

// ---- From the marking to the key -------------------------------------------

static void note_digit (tl_code *c, uint32_t word, uint64_t stride,
                        const tl_digit *d) {
  c->digit[c->digits++] =
      (tl_code_digit){word, stride, d->radix, c->digit_places, d->count};
  for (uint32_t n = 0; n < d->count; n++)
    c->digit_place[c->digit_places++] = d->place[n];
}

static void set_factors (tl_code *c, const tl_cut *cut) {
  for (uint32_t p = 0; p < c->layout->net->places; p++)
    c->word[p] = TL_NO_NAME;
  for (size_t i = 0; i < cut->pieces; i++) {
    const tl_cut_piece *piece = cut->piece + i;
    uint64_t stride = piece->factor;
    for (uint32_t k = 0; k < piece->count; k++) {
      const tl_digit *d = cut->order[piece->first + k];
      note_digit (c, piece->word, stride, d);
      for (uint32_t n = 0; n < d->count; n++) {
        c->word[d->place[n]] = piece->word;
        c->factor[d->place[n]] = (n + 1) * stride;
      }
      stride *= d->radix;
    }
  }
}

static void set_identity (tl_code *c) {
  const tl_layout *l = c->layout;
  for (uint32_t p = 0; p < l->net->places; p++) {
    c->word[p] = l->field[p].width ? l->field[p].word : TL_NO_NAME;
    c->factor[p] = (uint64_t)1 << l->field[p].shift;
  }
}

static tl_status set_steps (tl_code *c) {
  const tl_net *net = c->layout->net;
  tl_status rc = open_shares (c->mem, &c->step, net->transitions);
  if (!rc && !TL_NEW (c->mem, c->short_step, net->transitions))
    rc = TL_E_NOMEM;
  for (uint32_t t = 0; !rc && t < net->transitions; t++) {
    begin_row (&c->step, t);
    for (tl_change g = tl_net_change (net, t); !rc && tl_net_change_next (&g);)
      if (c->word[g.place] != TL_NO_NAME) {
        const uint64_t add = (uint64_t)g.amount * c->factor[g.place];
        c->short_step[t] += add;
        rc = add_share (c->mem, &c->step, t, c->word[g.place], add);
      }
  }
  return rc;
}

// Of a state in any layout of the net.
static void key_from (const tl_code *c, const tl_layout *layout,
                      const uint64_t *state, uint64_t *key) {
  memset (key, 0, c->key_words * sizeof *key);
  for (uint32_t p = 0; p < layout->net->places; p++)
    if (c->word[p] != TL_NO_NAME)
      key[c->word[p]] += c->factor[p] * tl_layout_tokens (layout, state, p);
}

static void key_of (const tl_code *c, const uint64_t *state, uint64_t *key) {
  key_from (c, c->layout, state, key);
}

static void steps (const tl_code *c, const uint64_t *key, const uint32_t *list,
                   uint32_t count, uint64_t *keys) {
  for (; count--; list++, keys += c->key_words) {
    memcpy (keys, key, c->key_words * sizeof *key);
    apply (&c->step, *list, 1, keys);
  }
}

static bool undo (const tl_code *c, uint32_t transition, uint64_t *key) {
  apply (&c->step, transition, ~(uint64_t)0, key);
  return true;
}

// ---- And back --------------------------------------------------------------

// What a token in place p adds to the state: its own field, and its share in
// those places that are functions of it.
static tl_status set_place_shares (tl_code *c, const tl_digits *digits) {
  const tl_layout *l = c->layout;
  const uint32_t places = l->net->places;
  uint64_t *share_count, rest = 0;
  tl_status rc = open_shares (c->mem, &c->place, places);
  if (rc)
    return rc;
  share_count = c->place.start + 1; // counted first, then summed up
  const tl_elimination *e = digits->functions;
  for (uint32_t p = 0; p < places; p++)
    share_count[p] = c->word[p] != TL_NO_NAME;
  for (uint32_t p = 0; e && p < places; p++) {
    if (digits->relation_of[p] == TL_NO_NAME)
      continue;
    const tl_relation *r = e->relation + digits->relation_of[p];
    const tl_vector terms = tl_relation_terms (e, r);
    for (uint32_t i = 0; i < terms.count; i++)
      share_count[terms.term[i].index]++;
  }
  for (uint32_t p = 0; p < places; p++)
    rest += share_count[p];
  if (!TL_NEW (c->mem, c->place.share, rest))
    return TL_E_NOMEM;
  c->place.room = (size_t)rest;
  for (uint32_t p = places; p-- > 0;) // start[p + 1] becomes the end, to be
    share_count[p] = rest -= share_count[p]; // moved up as shares come
  for (uint32_t p = 0; p < places; p++)
    if (c->word[p] != TL_NO_NAME)
      c->place.share[share_count[p]++] =
          (tl_share){l->field[p].word, (uint64_t)1 << l->field[p].shift};
  for (uint32_t p = 0; e && p < places; p++) {
    if (digits->relation_of[p] == TL_NO_NAME)
      continue;
    const tl_relation *r = e->relation + digits->relation_of[p];
    const tl_field *f = l->field + p;
    const tl_vector terms = tl_relation_terms (e, r);
    c->base[f->word] += (uint64_t)r->constant << f->shift;
    for (uint32_t i = 0; i < terms.count; i++)
      c->place.share[share_count[terms.term[i].index]++] =
          (tl_share){f->word, (uint64_t)terms.term[i].factor << f->shift};
  }
  return TL_OK;
}

// Adds to `words` what the value of a piece contributes to the state.
static void contribute (const tl_code *c, const tl_cut *cut,
                        const tl_cut_piece *piece, uint64_t value,
                        uint64_t *words) {
  for (uint32_t k = 0; k < piece->count; k++) {
    const tl_digit *d = cut->order[piece->first + k];
    const uint64_t digit = value % d->radix;
    value /= d->radix;
    if (d->count == 1)
      apply (&c->place, d->place[0], digit, words);
    else if (digit)
      apply (&c->place, d->place[digit - 1], 1, words);
  }
}

static tl_status add_dense_rows (tl_code *c, const tl_cut *cut,
                                 const tl_cut_piece *piece, tl_piece *out) {
  const size_t words = c->layout->words, rows = (size_t)piece->values;
  const size_t first = out->start * words;
  if (!TL_ROOM (c->mem, c->dense, &c->dense_room, first + rows * words))
    return TL_E_NOMEM;
  for (size_t v = 0; v < rows; v++)
    contribute (c, cut, piece, v, c->dense + first + v * words);
  return TL_OK;
}

static tl_status add_list_rows (tl_code *c, const tl_cut *cut,
                                const tl_cut_piece *piece, tl_piece *out,
                                uint64_t *words) {
  tl_status rc = TL_OK;
  for (uint64_t v = 0; !rc && v < piece->values; v++) {
    const size_t row = (size_t)(out->start + v);
    contribute (c, cut, piece, v, words);
    begin_row (&c->table, row);
    for (uint32_t w = 0; !rc && w < c->layout->words; w++)
      if (words[w]) {
        rc = add_share (c->mem, &c->table, row, w, words[w]);
        words[w] = 0;
      }
  }
  return rc;
}

static tl_status set_pieces (tl_code *c, const tl_cut *cut) {
  uint64_t rows = 0;
  if (!TL_NEW (c->mem, c->piece, cut->pieces))
    return TL_E_NOMEM;
  c->pieces = c->piece_room = (uint32_t)cut->pieces;
  for (uint32_t i = 0; i < c->pieces; i++) {
    const tl_cut_piece *from = cut->piece + i;
    const tl_digit *d = cut->order[from->first];
    c->piece[i] =
        (tl_piece){.word = from->word,
                   .mixed = from->mixed,
                   .shift = (uint8_t)(tl_bits_for (from->factor) - 1),
                   .mask = tl_low_bits (from->width),
                   .values = from->values,
                   .first = from->mixed && (!i || !cut->piece[i - 1].mixed ||
                                            from[-1].word != from->word),
                   .place = d->place[0],
                   .looked_up = from->count > 1 || d->count > 1,
                   .start = rows};
    if (c->piece[i].looked_up)
      rows += from->values;
  }
  tl_status rc = TL_OK;
  const bool few = c->layout->words <= DENSE_WORDS;
  uint64_t *words = 0;
  if (!few && ((rc = open_shares (c->mem, &c->table, (size_t)rows)) ||
               !TL_NEW (c->mem, words, c->layout->words)))
    return TL_E_NOMEM;
  for (uint32_t i = 0; !rc && i < c->pieces; i++)
    if (c->piece[i].looked_up)
      rc = few ? add_dense_rows (c, cut, cut->piece + i, c->piece + i)
               : add_list_rows (c, cut, cut->piece + i, c->piece + i, words);
  if (words)
    TL_DEL (c->mem, words, c->layout->words);
  return rc;
}

static void add_piece (const tl_code *c, const tl_piece *p, uint64_t value,
                       uint64_t *state) {
  const uint32_t words = c->layout->words;
  if (!value)
    return; // every digit 0 adds nothing
  if (!p->looked_up)
    apply (&c->place, p->place, value, state);
  else if (c->dense) {
    const uint64_t *row = c->dense + (p->start + value) * words;
    for (uint32_t w = 0; w < words; w++)
      state[w] += row[w];
  } else
    apply (&c->table, p->start + value, 1, state);
}

static void state_of (const tl_code *c, const uint64_t *key, uint64_t *state) {
  const uint32_t words = c->layout->words;
  if (c->identity) {
    memcpy (state, key, words * sizeof *state);
    return;
  }
  memcpy (state, c->base, words * sizeof *state);
  const tl_piece *p = c->piece, *end = p + c->pieces;
  for (uint64_t rest = 0; p < end && p->mixed; p++) {
    if (p->first)
      rest = key[p->word] >> p->shift;
    const uint64_t left = rest / p->values;
    add_piece (c, p, rest - left * p->values, state);
    rest = left;
  }
  for (; p < end; p++)
    add_piece (c, p, key[p->word] >> p->shift & p->mask, state);
}

static void convert_key (const tl_code *c, const tl_code *from,
                         const uint64_t *old, uint64_t *room, uint64_t *key) {
  state_of (from, old, room);
  key_from (c, from->layout, room, key);
}

static void convert_state (const tl_code *c, const tl_code *from,
                           const uint64_t *old, uint64_t *room,
                           uint64_t *state) {
  tl_layout_unpack (from->layout, old, room);
  tl_layout_pack (c->layout, room, state);
}

// ---- Opening ---------------------------------------------------------------

static tl_status open_digits (tl_code *c, const tl_digits *digits) {
  tl_cut cut;
  tl_status rc =
      tl_cut_open (&cut, c->mem, digits, c->layout->words <= DENSE_WORDS);
  if (rc)
    return rc;
  c->key_words = cut.words;
  c->bits = cut.bits;
  c->key_bits = 64 * (cut.words - 1) + cut.top_bits;
  set_factors (c, &cut);
  rc = set_place_shares (c, digits);
  if (!rc)
    rc = set_pieces (c, &cut);
  tl_cut_close (&cut);
  return rc;
}

static void close_sums (tl_code *c) {
  tl_mem *mem = c->mem;
  const tl_net *net = c->layout->net;
  TL_DEL (mem, c->factor, net->places);
  TL_DEL (mem, c->word, net->places);
  TL_DEL (mem, c->base, c->layout->words);
  TL_DEL (mem, c->digit, net->places);
  TL_DEL (mem, c->digit_place, net->places);
  TL_DEL (mem, c->short_step, net->transitions);
  TL_DEL (mem, c->piece, c->piece_room);
  TL_DEL (mem, c->dense, c->dense_room);
  close_shares (mem, &c->step);
  close_shares (mem, &c->place);
  close_shares (mem, &c->table);
}

static const tl_code_kind sums = {.key = key_of,
                                  .state = state_of,
                                  .steps = steps,
                                  .undo = undo,
                                  .convert_key = convert_key,
                                  .convert_state = convert_state,
                                  .close = close_sums};

tl_status tl_code_open (tl_code *c, tl_mem *mem, const tl_layout *layout,
                        const tl_digits *digits) {
  const uint32_t places = layout->net->places;
  *c = (tl_code){
      .kind = &sums, .mem = mem, .layout = layout, .identity = !digits};
  tl_status rc = TL_OK;
  if (!TL_NEW (mem, c->factor, places) || !TL_NEW (mem, c->word, places) ||
      !TL_NEW (mem, c->base, layout->words) ||
      !TL_NEW (mem, c->digit, places) || !TL_NEW (mem, c->digit_place, places))
    rc = TL_E_NOMEM;
  else if (digits)
    rc = open_digits (c, digits);
  else {
    c->key_words = layout->words;
    c->key_bits = 64 * layout->words;
    c->bits = layout->bits;
    set_identity (c);
  }
  c->one_word = c->key_words == 1;
  if (!rc)
    rc = set_steps (c);
  if (rc)
    tl_code_close (c);
  return rc;
}

void tl_code_close (tl_code *c) {
  if (c->kind)
    c->kind->close (c);
  *c = (tl_code){0};
}
