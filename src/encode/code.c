#include "encode/code.h"

#include <string.h>

tl_status tl_code_open (tl_code *c, tl_mem *mem, const tl_layout *l) {
  *c = (tl_code){.mem = mem, .state_words = l->words, .key_bits = l->bits};
  c->key_words = l->bits ? (l->bits + 63) / 64 : 1;
  if (c->key_words >= l->words) {
    c->identity = true;
    c->key_words = l->words;
    c->key_bits = 64 * l->words;
  }
  if (!TL_NEW (mem, c->mask, l->words))
    return TL_E_NOMEM;
  for (uint32_t p = 0; p < l->net->places; p++) {
    const tl_field *f = l->field + p;
    c->mask[f->word] |= tl_low_bits (f->width) << f->shift;
  }
  return TL_OK;
}

void tl_code_close (tl_code *c) {
  if (c->mask)
    TL_DEL (c->mem, c->mask, c->state_words);
}

static void pack_one (const tl_code *c, const uint64_t *state, uint64_t *key) {
  unsigned used = 0;
  *key = 0;
  for (uint32_t w = 0; w < c->state_words; w++) {
    const uint64_t mask = c->mask[w], bits = tl_gather (state[w], mask);
    const unsigned width = (unsigned)__builtin_popcountll (mask);
    *key |= bits << used;
    used += width;
    if (used >= 64) {
      used -= 64;
      // What did not fit; nothing is left over when the word is just full.
      const uint64_t rest = used ? bits >> (width - used) : 0;
      if (used || w + 1 < c->state_words)
        *++key = rest;
    }
  }
}

void tl_code_pack (const tl_code *c, size_t count, const uint64_t *states,
                   uint64_t *keys) {
  if (c->identity) {
    memcpy (keys, states, count * c->state_words * sizeof *keys);
    return;
  }
  for (; count--; states += c->state_words, keys += c->key_words)
    pack_one (c, states, keys);
}

void tl_code_unpack (const tl_code *c, const uint64_t *key, uint64_t *state) {
  if (c->identity) {
    memcpy (state, key, c->state_words * sizeof *state);
    return;
  }
  unsigned used = 0;
  for (uint32_t w = 0; w < c->state_words; w++) {
    const uint64_t mask = c->mask[w];
    const unsigned width = (unsigned)__builtin_popcountll (mask);
    uint64_t bits = *key >> used;
    used += width;
    if (used >= 64) {
      used -= 64;
      if (used)
        bits |= key[1] << (width - used);
      key++;
    }
    state[w] = tl_scatter (bits, mask);
  }
}
