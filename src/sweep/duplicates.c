#include "sweep/duplicates.h"

#include "base/bits.h"
#include "base/tuning.h"

#include <string.h>

enum {
  BATCH = 64,
  PADDING = sizeof (uint64_t) // behind the keys
};

static tl_status open_filter (tl_duplicates *s, uint64_t keys) {
  s->mask = tl_low_bits (tl_bits_for (keys / TL_FILTER_KEYS));
  return TL_NEW (s->mem, s->filter, s->mask + 1) ? TL_OK : TL_E_NOMEM;
}

tl_status tl_duplicates_open (tl_duplicates *s, tl_mem *mem, uint32_t words,
                              uint32_t bytes, uint64_t candidates) {
  *s = (tl_duplicates){.mem = mem, .words = words, .bytes = bytes};
  return open_filter (s, candidates);
}

static void close_filter (tl_duplicates *s) {
  TL_DEL (s->mem, s->filter, s->mask + 1);
}

void tl_duplicates_close (tl_duplicates *s) {
  close_filter (s);
  TL_DEL (s->mem, s->keys, s->room);
  TL_DEL (s->mem, s->index, s->places);
}

// ---- The filter ------------------------------------------------------------

static inline uint64_t hash_of (const uint64_t *key, uint32_t words) {
  uint64_t hash = 0;
  for (uint32_t w = 0; w < words; w++) {
    hash = (hash ^ key[w]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

// The upper half of a hash tells the word, the lower one the bits of it.
static inline uint64_t *word_of (const tl_duplicates *s, uint64_t hash) {
  return s->filter + (hash >> 32 & s->mask);
}

static inline uint64_t bits_of (uint64_t hash) {
  return (uint64_t)1 << hash % 64 | (uint64_t)1 << hash / 64 % 64;
}

static inline void enter (tl_duplicates *s, uint64_t hash) {
  *word_of (s, hash) |= bits_of (hash);
}

static inline bool passes (const tl_duplicates *s, uint64_t hash) {
  const uint64_t bits = bits_of (hash);
  return (*word_of (s, hash) & bits) == bits;
}

void tl_duplicates_add_candidates (tl_duplicates *s, const uint64_t *records,
                                   size_t stride, size_t n) {
  for (size_t i = 0; i < n; i++)
    enter (s, hash_of (records + i * stride, s->words));
}

// Which of some keys pass, and how many.  It cannot be predicted: no branch.
static inline size_t pass (const tl_duplicates *s, const uint64_t *keys,
                           size_t n, uint8_t *passed, uint32_t words) {
  const tl_duplicates mine = *s; // bytes that are written might be these
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    passed[count] = (uint8_t)i;
    count += passes (&mine, hash_of (keys + i * words, words));
  }
  return count;
}

// Writes some of the keys down.
static tl_status note (tl_duplicates *s, const uint64_t *keys,
                       const uint8_t *which, size_t n) {
  if (s->count + n > UINT32_MAX / 2 ||
      !TL_ROOM (s->mem, s->keys, &s->room, (s->count + n) * s->bytes + PADDING))
    return TL_E_NOMEM;
  // By words: there is room for what is copied with them.
  for (size_t i = 0; i < n; i++, s->count++)
    tl_write_words (s->keys + s->count * s->bytes, keys + which[i] * s->words,
                    s->words);
  return TL_OK;
}

tl_status tl_duplicates_add_visited (tl_duplicates *s, const uint64_t *keys,
                                     size_t n) {
  const uint32_t words = s->words;
  uint8_t passed[BATCH];
  tl_status rc = TL_OK;
  for (size_t i = 0; !rc && i < n; i += BATCH, keys += BATCH * words) {
    const size_t some = n - i < BATCH ? n - i : BATCH;
    // Short keys are most of them, and loops of known length are none.
    const size_t found = words == 1   ? pass (s, keys, some, passed, 1)
                         : words == 2 ? pass (s, keys, some, passed, 2)
                                      : pass (s, keys, some, passed, words);
    rc = found ? note (s, keys, passed, found) : TL_OK;
  }
  return rc;
}

// ---- The index -------------------------------------------------------------

static inline size_t home_of (const tl_duplicates *s, uint64_t hash) {
  return (size_t)tl_range (hash, s->places);
}

static inline size_t next_of (const tl_duplicates *s, size_t at) {
  return at + 1 < s->places ? at + 1 : 0;
}

static inline uint32_t tag_of (const tl_duplicates *s, uint64_t hash) {
  return (uint32_t)(hash << s->number_bits);
}

static inline void index_all (tl_duplicates *s, uint32_t words) {
  for (uint32_t i = 0; i < s->count; i++) {
    uint64_t key[words];
    tl_read_words (s->keys + (size_t)i * s->bytes, s->bytes, key, words);
    const uint64_t hash = hash_of (key, words);
    enter (s, hash);
    size_t at = home_of (s, hash);
    while (s->index[at])
      at = next_of (s, at);
    s->index[at] = tag_of (s, hash) | (i + 1);
  }
}

tl_status tl_duplicates_index (tl_duplicates *s) {
  close_filter (s);
  if (!s->count)
    return TL_OK;
  s->number_bits = tl_bits_for (s->count);
  s->places = s->count + s->count / 2 + 1; // two thirds full
  if (open_filter (s, s->count) || !TL_NEW (s->mem, s->index, s->places))
    return TL_E_NOMEM;
  if (s->words == 1)
    index_all (s, 1);
  else
    index_all (s, s->words);
  return TL_OK;
}

static inline bool is_key (const tl_duplicates *s, uint32_t number,
                           const uint64_t *key, uint32_t words) {
  uint64_t mine[words];
  tl_read_words (s->keys + (size_t)number * s->bytes, s->bytes, mine, words);
  bool equal = true;
  for (uint32_t w = 0; w < words; w++)
    equal &= mine[w] == key[w];
  return equal;
}

static inline bool has (const tl_duplicates *s, const uint64_t *key,
                        uint64_t hash, uint32_t words) {
  const uint32_t numbers = (uint32_t)tl_low_bits (s->number_bits),
                 tag = tag_of (s, hash);
  size_t at = home_of (s, hash);
  for (; s->index[at]; at = next_of (s, at))
    if ((s->index[at] & ~numbers) == tag &&
        is_key (s, (s->index[at] & numbers) - 1, key, words))
      return true;
  return false;
}

// At most a batch.  Which keys are old cannot be predicted either: most of the
// new ones do not pass.
static inline void look (const tl_duplicates *s, const uint64_t *records,
                         size_t stride, size_t n, uint8_t *isnew,
                         uint32_t words) {
  const tl_duplicates mine = *s; // as above
  uint64_t hash[BATCH];
  uint8_t asked[BATCH];
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    hash[count] = hash_of (records + i * stride, words);
    isnew[i] = 1;
    asked[count] = (uint8_t)i;
    count += passes (&mine, hash[count]);
  }
  for (size_t i = 0; i < count; i++)
    __builtin_prefetch (s->index + home_of (s, hash[i]));
  for (size_t i = 0; i < count; i++)
    isnew[asked[i]] = !has (s, records + asked[i] * stride, hash[i], words);
}

void tl_duplicates_look (const tl_duplicates *s, const uint64_t *records,
                         size_t stride, size_t n, uint8_t *isnew) {
  if (!s->count)
    memset (isnew, 1, n);
  for (size_t i = 0, some; s->count && i < n; i += some) {
    some = n - i < BATCH ? n - i : BATCH;
    if (s->words == 1)
      look (s, records + i * stride, stride, some, isnew + i, 1);
    else
      look (s, records + i * stride, stride, some, isnew + i, s->words);
  }
}
