#include "disk/filter.h"

#include "base/hash.h"

enum { KEYS = 6 }; // of a word

static size_t words_for (uint64_t most) {
  size_t words = 1;
  while (words < most / KEYS)
    words *= 2;
  return words;
}

size_t tl_filter_bytes (uint64_t most) {
  return words_for (most) * sizeof (uint64_t);
}

tl_status tl_filter_open (tl_filter *f, tl_mem *mem, uint64_t most,
                          uint32_t key_words) {
  *f = (tl_filter){.mem = mem,
                   .words = words_for (most),
                   .most = most,
                   .key_words = key_words};
  return TL_NEW (mem, f->word, f->words) ? TL_OK : TL_E_NOMEM;
}

void tl_filter_close (tl_filter *f) {
  if (f->word)
    TL_DEL (f->mem, f->word, f->words);
  f->count = 0;
}

// Where the key belongs, and its bits there.
static size_t place (const tl_filter *f, const uint64_t *key, uint64_t *bits) {
  const uint64_t hash = tl_hash_words (key, f->key_words, 0);
  *bits = (uint64_t)1 << (hash & 63) | (uint64_t)1 << (hash >> 6 & 63) |
          (uint64_t)1 << (hash >> 12 & 63) | (uint64_t)1 << (hash >> 18 & 63);
  return hash >> 24 & (f->words - 1);
}

void tl_filter_add (tl_filter *f, const uint64_t *key) {
  uint64_t bits;
  f->word[place (f, key, &bits)] |= bits;
  f->count++;
}

bool tl_filter_may_have (const tl_filter *f, const uint64_t *key) {
  uint64_t bits;
  const uint64_t word = f->word[place (f, key, &bits)];
  return (word & bits) == bits;
}
