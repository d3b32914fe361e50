#include "explore/sieve.h"

#include <xxhash.h>

void tl_sieve_close (tl_sieve *s) {
  if (!s->mem)
    return;
  TL_DEL (s->mem, s->slot, s->slots);
  TL_DEL (s->mem, s->keys, s->key_room);
  TL_DEL (s->mem, s->which, s->which_room);
  *s = (tl_sieve){0};
}

static uint64_t hash_of (const uint64_t *key, uint32_t words) {
  return words == 1 ? tl_mix (*key) : XXH3_64bits (key, words * sizeof *key);
}

// The positions of those that are not there: which they are cannot be
// predicted.
static size_t list_missing (const tl_chunk *c, uint64_t *list) {
  size_t n = 0;
  for (size_t i = 0; i < c->count; i++) {
    list[n] = i;
    n += c->isnew[i];
  }
  return n;
}

// Leaves the hashes in `numbers`.
static void deal (tl_chunk *c, uint32_t words, unsigned bits) {
  const uint32_t parts = 1u << bits;
  const uint64_t *list = c->parts;
  const size_t count = list_missing (c, c->parts);
  memset (c->bound, 0, (parts + 1) * sizeof *c->bound);
  for (size_t k = 0; k < count; k++) {
    const uint64_t hash = hash_of (c->keys + list[k] * words, words);
    c->numbers[list[k]] = hash;
    c->bound[hash >> (64 - bits)]++;
  }
  for (uint32_t k = 1; k <= parts; k++) // they end there,
    c->bound[k] += c->bound[k - 1];
  for (size_t k = count; k-- > 0;) // and now they begin there
    c->place[--c->bound[c->numbers[list[k]] >> (64 - bits)]] =
        (uint32_t)list[k];
}

void tl_sieve_look (tl_store *store, tl_chunk *c, unsigned bits) {
  if (c->count)
    store->kind->put (store, &(tl_batch){.count = c->count,
                                         .keys = c->keys,
                                         .look = true,
                                         .isnew = c->isnew,
                                         .numbers = c->seen});
  deal (c, store->spec.key_words, bits);
}

static bool make_room (tl_sieve *s, size_t count, uint32_t words) {
  size_t slots = s->slots ? s->slots : 1024;
  while (slots < 2 * count)
    slots *= 2;
  if (slots > s->slots) {
    TL_DEL (s->mem, s->slot, s->slots);
    s->slots = 0;
    if (!TL_NEW (s->mem, s->slot, slots))
      return false;
    s->slots = slots;
  } else
    memset (s->slot, 0, slots * sizeof *s->slot);
  return TL_ROOM (s->mem, s->keys, &s->key_room, count * words) &&
         TL_ROOM (s->mem, s->which, &s->which_room, count);
}

static inline bool equal (const uint64_t *a, const uint64_t *b,
                          uint32_t words) {
  return *a == *b &&
         (words == 1 || !memcmp (a + 1, b + 1, (words - 1) * sizeof *a));
}

// Where the key is among the first ones; or it is one, number `count`.
static inline size_t find (const tl_sieve *s, const uint64_t *key,
                           uint64_t hash, uint32_t words, size_t count) {
  const size_t mask = s->slots - 1;
  size_t at = (size_t)hash & mask;
  for (; s->slot[at]; at = (at + 1) & mask)
    if (equal (s->keys + (s->slot[at] - 1) * (size_t)words, key, words))
      return s->slot[at] - 1;
  s->slot[at] = (uint32_t)count + 1;
  return count;
}

static size_t count_keys (const tl_chunk *chunk, size_t chunks, uint32_t part) {
  size_t count = 0;
  for (const tl_chunk *c = chunk; c < chunk + chunks; c++)
    count += c->bound[part + 1] - c->bound[part];
  return count;
}

void tl_sieve_sift (tl_sieve *s, uint32_t words, tl_chunk *chunk, size_t chunks,
                    uint32_t part) {
  const size_t all = count_keys (chunk, chunks, part);
  size_t count = 0;
  if (!all || !make_room (s, all, words))
    return;
  for (size_t i = 0; i < chunks; i++) {
    const tl_chunk *c = chunk + i;
    for (uint32_t k = c->bound[part]; k < c->bound[part + 1]; k++) {
      const uint32_t at = c->place[k];
      const uint64_t *key = c->keys + (size_t)at * words;
      const size_t first = find (s, key, c->numbers[at], words, count);
      if (first < count) {
        const uint64_t which = s->which[first];
        c->isnew[at] = TL_SIEVE_AGAIN;
        c->numbers[at] = (i - (which >> 32)) << 32 | (uint32_t)which;
        continue;
      }
      s->which[count] = (uint64_t)i << 32 | at;
      tl_copy_words (s->keys + count++ * words, key, words);
    }
  }
}
